// Boards: turn an SVG that verifier/report/svg.py drew into any other position, by classes alone.
"use strict";

/** Read the text notation: nine fields joined by "/", the owners, the active field; or the cells of a single board. */
function parsePosition(text) {
  const [cells, owners, active] = text.split(" ");
  return { cells: cells.replaceAll("/", ""), owners: owners || "", active: active === undefined ? "" : active, last: null };
}

/**
 * Show a position.
 * @param {SVGElement} svg the board
 * @param {{cells: string, owners: string, active: string, last: string|null}} state marks and owners as ".XO"; active:
 *   the digits of the fields that may be played in ("" at the end of a game), or "*" for every field with a free spot;
 *   last: the cell of the last move.
 * @param {string} [words] what the board shows, for screen readers; made from the state where it is left out
 */
function setBoard(svg, state, words) {
  const classOf = { X: "x", O: "o" };
  svg.querySelectorAll(".cell").forEach((cell, index) => {
    const mark = state.cells[index];
    cell.classList.toggle("x", mark === "X");
    cell.classList.toggle("o", mark === "O");
    cell.classList.toggle("last", cell.dataset.cell === state.last);
  });
  svg.querySelectorAll("[data-field]").forEach((field) => {
    const f = Number(field.dataset.field);
    const owner = classOf[state.owners[f]];
    const isOpen = state.cells.slice(9 * f, 9 * f + 9).includes(".");
    field.classList.toggle("won-x", owner === "x");
    field.classList.toggle("won-o", owner === "o");
    field.classList.toggle("active", state.active === "*" ? isOpen : state.active.includes(field.dataset.field));
  });
  const title = svg.querySelector("title");
  const described = svg.querySelector("desc");
  if (title) title.textContent = words || describeTurn(state);
  if (described) described.textContent = describeMarks(svg, state);
}

/** Say how many marks there are, and who is to move where. */
function describeTurn(state) {
  const count = state.cells.replaceAll(".", "").length;
  const marks = `${count} mark${count === 1 ? "" : "s"}`;
  if (state.owners && !state.active) return `${marks}, the game is over`;
  const isFree = state.active === "*" || state.active.length === 9;
  const where = !state.owners ? "" : isFree ? " in any field" : ` in field ${[...state.active].join(", ")}`;
  return `${marks}, ${count % 2 ? "O" : "X"} to move${where}`;
}

/** Say what is on the board. */
function describeMarks(svg, state) {
  const sentences = state.last ? [`Last move ${state.last}.`] : [];
  for (const player of "XO") {
    const owned = [...state.owners].flatMap((owner, f) => (owner === player ? [f] : []));
    if (owned.length) sentences.push(`${player} owns ${owned.join(", ")}.`);
    const cells = [...svg.querySelectorAll(".cell")].map((cell) => cell.dataset.cell);
    const marked = cells.filter((_, index) => state.cells[index] === player);
    if (marked.length) sentences.push(`${player} on ${marked.join(" ")}.`);
  }
  return sentences.join(" ") || "The board is empty.";
}
