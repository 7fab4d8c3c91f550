// Boards. This script shows any position on a board that verifier/presentation/svg.py drew. It changes classes of the
// board's parts, and draws the winning lines. It knows no rules: the data of a position say what the board shows.
"use strict";

/**
 * What the board of a position shows. Cells and fields are in the order of the drawing.
 * @typedef {object} Look
 * @property {string} marks a letter for each cell; a dot if the cell is free
 * @property {string} owners a letter or a dot for each field; "" if no fields can be won in the game
 * @property {string[]} active the fields that may be played in
 * @property {string[][]} [lines] the lines to mark; a line is a list of the names of its cells or fields
 * @property {string[]} [aligned] other cells that are marked like those lines
 * @property {string|null} last the cell of the last move, or several cells with spaces between them
 */

/** Read the positions of a witness (witness.py). Each is a list, whose last items may be missing. */
function readSteps(text) {
  return JSON.parse(text).map(([marks, owners, active, last, words, lines, aligned]) => (
    { marks, owners, active: active.split(" "), last, words, lines, aligned }));
}

/**
 * Show a position.
 * @param {SVGElement} svg the board
 * @param {Look} look the position
 * @param {string} words what the board shows, for screen readers
 */
function setBoard(svg, look, words) {
  const isPlace = (name) => svg.querySelector(`[data-cell="${name}"]`);
  const recent = (look.last || "").split(" ").flatMap((name) => (isPlace(name) ? [name] : name.split("-"))); // a move can be named by two points, joined by "-"
  const lines = look.lines || [];
  const aligned = new Set([...lines.flat(), ...(look.aligned || [])]);
  const shapes = JSON.parse(svg.dataset.shapes);
  svg.querySelectorAll(".cell").forEach((cell, index) => fillCell(cell, shapes, look.marks[index]));
  svg.querySelectorAll(".cell").forEach((cell) => {
    cell.classList.toggle("last", recent.includes(cell.dataset.cell));
    cell.classList.toggle("aligned", aligned.has(cell.dataset.cell));
  });
  svg.querySelectorAll(".ply").forEach((number) => {
    number.classList.toggle("off", !svg.querySelector(`[data-cell="${number.dataset.ply}"]`).matches(".x, .o, .taken"));
  });
  svg.querySelectorAll("[data-field]").forEach((field, index) => {
    field.classList.toggle("won-x", look.owners[index] === "X");
    field.classList.toggle("won-o", look.owners[index] === "O");
    field.classList.toggle("aligned", aligned.has(field.dataset.field));
    field.classList.toggle("active", look.active.includes(field.dataset.field));
  });
  svg.querySelector("path.line").setAttribute("d", lines.map((line) => linePath(svg, line)).join(""));
  svg.querySelector("title").textContent = words;
  svg.querySelector("desc").textContent = describeMarks(svg, look) || words;
}

/** Show a mark in a cell; in a free cell, its label. The cell keeps its label, because it may be free again later. */
function fillCell(cell, shapes, mark) {
  const label = cell.querySelector(".spot");
  if (cell.label === undefined) cell.label = label ? label.textContent : cell.dataset.label || "";
  if (cell.mark !== mark) {
    const text = mark === "." ? `<text class="spot" x="15" y="19">${cell.label}</text>` : "";
    const { stroke } = cell.dataset; // a line between two points
    const shape = stroke ? `<path class="glow" d="${stroke}"/><path class="stroke" d="${stroke}"/>` : `<rect width="30" height="30"/>${shapes[mark] || ""}`;
    cell.innerHTML = `${shape}${text}`;
    cell.mark = mark;
  }
  cell.classList.toggle("x", mark === "X");
  cell.classList.toggle("o", mark === "O");
  cell.classList.toggle("taken", mark !== "." && "stroke" in cell.dataset);
}

/** Return the path through a line, as svg.py draws it: one stroke a little beyond its ends, or strokes that join its spots. */
function linePath(svg, line) {
  const strokes = line.map((name) => strokeOf(svg, name));
  if (strokes.every(Boolean)) return strokes.join("");
  const places = line.map((name) => placeOf(svg, name));
  const [from, to] = [places[0], places[places.length - 1]];
  const isStraight = places.every(({ x, y }) => (x - from.x) * (to.y - from.y) === (y - from.y) * (to.x - from.x));
  if (!isStraight) return joinPath(svg, places);
  const [dx, dy] = [to.x - from.x, to.y - from.y].map((way) => Math.sign(way) * from.reach);
  return `M${from.x - dx} ${from.y - dy} ${to.x + dx} ${to.y + dy}`;
}

/** Return the path of a cell that is a line between two points; else "". */
function strokeOf(svg, name) {
  const cell = svg.querySelector(`[data-cell="${name}"]`);
  if (!cell?.dataset.stroke) return "";
  const { x, y } = placeOf(svg, name), [x1, y1, x2, y2] = cell.dataset.stroke.match(/-?\d+/g).map(Number);
  return `M${x1 + x - 15} ${y1 + y - 15} ${x2 + x - 15} ${y2 + y - 15}`;
}

/** Return strokes that join each place to the nearest place that is already joined. A stroke bends around a spot between its ends. */
function joinPath(svg, places) {
  const names = [...svg.querySelectorAll(".cell, [data-field]")].map(({ dataset }) => dataset.cell || dataset.field);
  const centres = names.map((name) => placeOf(svg, name));
  const joined = [places[0]], left = places.slice(1);
  let path = "";
  while (left.length) {
    let best = null;
    for (const end of left) {
      for (const start of joined) {
        const far = (start.x - end.x) ** 2 + (start.y - end.y) ** 2;
        if (!best || far < best.far) best = { start, end, far };
      }
    }
    const { start, end, far } = best, [dx, dy] = [end.x - start.x, end.y - start.y];
    const isBetween = ({ x, y }) => (y - start.y) * dx === (x - start.x) * dy && (x - start.x) * dx + (y - start.y) * dy > 0
      && (x - start.x) * dx + (y - start.y) * dy < far;
    const longer = Math.max(Math.abs(dx), Math.abs(dy)), bend = 24;
    const [x, y] = [Math.floor((start.x + end.x) / 2) - Math.floor((dy * bend) / longer), Math.floor((start.y + end.y) / 2) + Math.floor((dx * bend) / longer)];
    path += centres.some(isBetween) ? `M${start.x} ${start.y}Q${x} ${y} ${end.x} ${end.y}` : `M${start.x} ${start.y} ${end.x} ${end.y}`;
    joined.push(end);
    left.splice(left.indexOf(end), 1);
  }
  return path;
}

/** Return the middle of a cell or a field, and how far a line goes beyond it. */
function placeOf(svg, name) {
  const field = svg.querySelector(`[data-field="${name}"]`);
  const part = field || svg.querySelector(`[data-cell="${name}"]`);
  const at = (element) => element.getAttribute("transform").match(/\d+/g).map(Number);
  const half = field ? part.querySelector(".ground").getAttribute("width") / 2 : 15;
  const [x, y] = at(part);
  const [left, top] = field ? [0, 0] : at(part.parentNode);
  return { x: left + x + half, y: top + y + half, reach: field ? half : half - 3 };
}

/** Say what is on the board. */
function describeMarks(svg, look) {
  const sentences = look.last ? [`Last moved ${look.last.replace(" ", ", ")}.`] : [];
  const names = [...svg.querySelectorAll(".cell")].map((cell) => cell.dataset.cell);
  const fields = [...svg.querySelectorAll("[data-field]")].map((field) => field.dataset.field);
  for (const player of "XO") {
    const owned = fields.filter((_, index) => look.owners[index] === player);
    if (owned.length) sentences.push(`${player} owns ${owned.join(", ")}.`);
    const marked = names.filter((_, index) => look.marks[index] === player);
    const isShared = !JSON.parse(svg.dataset.shapes).O;
    if (marked.length) sentences.push(`${isShared ? "Marks" : player} on ${marked.join(" ")}.`);
  }
  return sentences.join(" ");
}
