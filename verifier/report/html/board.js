// Boards: turn an SVG that verifier/report/svg.py drew into any other position, by classes, and by the path of a line.
"use strict";

const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"].map((line) => [...line].map(Number));
const hasLine = (marks, player) => LINES.some((line) => line.every((at) => marks[at] === player));

/** Read the text notation: nine fields joined by "/", the owners, the active field; or the cells of a single board. */
function parsePosition(text) {
  const [cells, owners, active] = text.split(" ");
  return { cells: cells.replaceAll("/", ""), owners: owners || "", active: active === undefined ? "" : active, last: null };
}

/**
 * Show a position.
 * @param {SVGElement} svg the board
 * @param {{cells: string, owners: string, active: string, last: string|null, lines?: number[][]}} state marks and owners as ".XO"; active:
 *   the digits of the fields that may be played in ("" at the end of a game), or "*" for every field with a free spot;
 *   last: the cell of the last move, or several with spaces between them; lines: on a single board, those that are marked, each by the numbers of its spots.
 * @param {string} [words] what the board shows, for screen readers; made from the state where it is left out
 */
function setBoard(svg, state, words) {
  const classOf = { X: "x", O: "o" };
  const won = wonLines(state);
  const recent = (state.last || "").split(" ");
  const isOfLine = (place) => won.lines.some((line) => line.includes(place));
  fillSpots(svg);
  svg.querySelectorAll(".cell").forEach((cell, index) => {
    const mark = state.cells[index];
    cell.classList.toggle("x", mark === "X");
    cell.classList.toggle("o", mark === "O");
    cell.classList.toggle("last", recent.includes(cell.dataset.cell));
    const f = Math.floor(index / 9);
    const isAligned = isOfLine(state.owners ? f : index) && (!state.owners
      || LINES.some((line) => line.includes(index % 9) && line.every((spot) => state.cells[9 * f + spot] === won.player)));
    cell.classList.toggle("aligned", isAligned);
  });
  svg.querySelectorAll("[data-field]").forEach((field) => {
    const f = Number(field.dataset.field);
    const owner = classOf[state.owners[f]];
    const isOpen = state.cells.slice(9 * f, 9 * f + 9).includes(".");
    field.classList.toggle("won-x", owner === "x");
    field.classList.toggle("won-o", owner === "o");
    field.classList.toggle("aligned", isOfLine(f));
    field.classList.toggle("active", state.active === "*" ? isOpen : state.active.includes(field.dataset.field));
  });
  const path = svg.querySelector("path.line");
  if (path) path.setAttribute("d", won.lines.map((line) => linePath(svg, line)).join(""));
  const title = svg.querySelector("title");
  const described = svg.querySelector("desc");
  if (title) title.textContent = words || describeTurn(state);
  if (described) described.textContent = describeMarks(svg, state);
}

/** Put into each spot all that a position may show there: as it is drawn, it holds what its own position shows. */
function fillSpots(svg) {
  if (svg.querySelector(".cell").childElementCount > 3) return;
  svg.querySelectorAll(".cell").forEach((cell) => {
    const [label, ply] = [cell.dataset.cell.split(".").pop(), cell.querySelector(".ply")];
    cell.innerHTML = `<rect width="30" height="30"/><text class="spot" x="15" y="19">${label.includes(",") ? "" : label}</text>`
      + '<path d="M8 8 22 22M22 8 8 22"/><circle cx="15" cy="15" r="8"/>';
    if (ply) cell.append(ply);
  });
}

/** Return who has won a game on nine fields that is over, and by which lines; of a single board the lines that are told. */
function wonLines(state) {
  if (!state.owners) return { player: "", lines: state.lines || [] };
  const places = state.owners;
  if (state.active) return { player: "", lines: [] };
  const player = ["X", "O"].find((name) => hasLine(places, name)) || "";
  return { player, lines: LINES.filter((line) => player && line.every((at) => places[at] === player)) };
}

/** Return the path through a line, a little beyond its ends: as svg.py draws it, from where its parts stand. */
function linePath(svg, line) {
  const fields = [...svg.querySelectorAll("[data-field]")];
  const parts = fields.length ? fields : [...svg.querySelectorAll(".cell")];
  const [half, reach] = fields.length ? [45, 45] : [15, 12];
  const places = line.map((place) => {
    const [x, y] = parts[place].getAttribute("transform").match(/\d+/g).map(Number);
    return [x + half, y + half];
  });
  const [from, to] = [places[0], places[places.length - 1]];
  const isStraight = places.every(([x, y]) => (x - from[0]) * (to[1] - from[1]) === (y - from[1]) * (to[0] - from[0]));
  if (!isStraight) return "";
  const beyond = [0, 1].map((axis) => Math.sign(to[axis] - from[axis]) * reach);
  return `M${from[0] - beyond[0]} ${from[1] - beyond[1]} ${to[0] + beyond[0]} ${to[1] + beyond[1]}`;
}

/** Say how many marks there are, and who is to move where. */
function describeTurn(state) {
  const count = state.cells.replaceAll(".", "").length;
  const marks = `${count} mark${count === 1 ? "" : "s"}`;
  const { player, lines } = wonLines(state);
  if (player) return `${marks}, the game is over: ${player} has the fields ${placesOf(lines)} in line`;
  if (state.owners && !state.active) return `${marks}, the game is over`;
  const isFree = state.active === "*" || state.active.length === 9;
  const where = !state.owners ? "" : isFree ? " in any field" : ` in field ${[...state.active].join(", ")}`;
  return `${marks}, ${count % 2 ? "O" : "X"} to move${where}`;
}

/** Return the places of some lines, in order. */
function placesOf(lines) {
  return [...new Set(lines.flat())].sort().join(", ");
}

/** Say what is on the board. */
function describeMarks(svg, state) {
  const sentences = state.last ? [`Last moved ${state.last.replace(" ", ", ")}.`] : [];
  for (const player of "XO") {
    const owned = [...state.owners].flatMap((owner, f) => (owner === player ? [f] : []));
    if (owned.length) sentences.push(`${player} owns ${owned.join(", ")}.`);
    const cells = [...svg.querySelectorAll(".cell")].map((cell) => cell.dataset.cell);
    const marked = cells.filter((_, index) => state.cells[index] === player);
    if (marked.length) sentences.push(`${player} on ${marked.join(" ")}.`);
  }
  return sentences.join(" ") || "The board is empty.";
}
