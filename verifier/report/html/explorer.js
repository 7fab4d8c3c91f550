// The strategy explorer: a game of explorer-games.js is played, told and linked to.
"use strict";

(() => {
  const app = document.getElementById("explorer-app");
  if (!app) return;
  const { NAMES, citeAll, inLine, playsGame, putMark, refusal, repliesGame, spotNames, turn, wonBy } = explorerGames;
  const element = (id) => document.getElementById(`explorer-${id}`);
  const svg = app.querySelector("svg.board");
  const cells = [...svg.querySelectorAll(".cell")];
  const fields = [...svg.querySelectorAll("[data-field]")].map((field) => field.dataset.field);
  const name = (move) => cells[move].dataset.cell;
  const number = (text) => cells.findIndex((cell) => cell.dataset.cell === text);

  // -- what is played --------------------------------------------------------------------------------------------------

  let choices = null; // by value of the select: a function that returns a game
  let game = null;
  let side = "";
  let steps = []; // {move, player, rule, place, board}
  let shown = 0; // how many of them
  let ending = null; // what the certificate says where it ends: a sentence

  const current = () => (shown ? steps[shown - 1] : { place: game.root, board: game.start, rule: "" });
  const isYours = (at) => {
    const board = at ? steps[at - 1].board : game.start;
    return board.open.length > 0 && turn(board) === game.you;
  };

  function load() {
    if (choices) return;
    const data = readData("explorer-data");
    choices = new Map();
    const made = new Map();
    const offer = (key, label, open) => {
      choices.set(key, () => {
        if (!made.has(key)) made.set(key, open());
        return made.get(key);
      });
      element("side").append(make("option", { value: key }, label));
    };
    if (data.plays) {
      const you = data.plays.claimant === "X" ? "O" : "X";
      offer(you, `${NAMES[you]}, against ${NAMES[data.plays.claimant]} who wins by ply ${data.plays.by}`, () => playsGame(data.plays));
    }
    for (const challenge of (data.replies || { challenges: [] }).challenges) {
      offer(challenge.name, `Xavier, against Olivia who holds to ply ${challenge.through}${challenge.whole ? "" : " after some first moves"}: ${challenge.title}`, () => repliesGame(data.replies, challenge));
    }
    svg.setAttribute("role", "group");
    svg.classList.add("bare");
    cells.forEach((cell, index) => {
      cell.setAttribute("role", "button");
      cell.setAttribute("tabindex", index === Math.floor(cells.length / 2) ? "0" : "-1");
    });
    app.hidden = false;
    app.parentElement.querySelectorAll(".explorer-off").forEach((note) => note.remove());
  }

  function choose(key) {
    side = choices.has(key) ? key : choices.keys().next().value;
    game = choices.get(side)();
    element("side").value = side;
    element("intro").replaceChildren(...game.intro);
    element("told").textContent = game.told;
    const terms = game.properties || [];
    element("terms").hidden = !terms.length;
    element("definitions").replaceChildren(...terms.flatMap((property) => [
      make("dt", {}, property.name),
      make("dd", {}, make("code", {}, property.says), ...where(property)),
    ]));
    steps = [];
    shown = 0;
    ending = null;
    answer();
  }

  /** Say where the source has a property, or that it is our own, and where it is promised. */
  function where(property) {
    const promise = property.by.length ? [` Promised ${property.promised.join(", ")}, by `, ...citeAll(property.by), "."] : [];
    return [property.ours ? ` (our own, on ${property.place}).` : ` (${property.place}).`, ...promise];
  }

  function push(move, place, rule) {
    const { board } = current();
    steps = steps.slice(0, shown);
    steps.push({ move, player: turn(board), rule, place, board: putMark(board, move) });
    shown = steps.length;
  }

  /** Let the certificate move, where it is its turn. */
  function answer() {
    const { place, board } = current();
    ending = null;
    if (turn(board) === game.you && board.open.length) return;
    const reply = board.winner ? { end: [`${NAMES[board.winner]} wins.`] } : game.answer(place, board);
    if (reply.end) ending = reply.end;
    else push(reply.move, reply.place, reply.rule);
    const after = current();
    if (!after.board.open.length && !ending) {
      ending = [after.board.winner ? `${NAMES[after.board.winner]} wins.` : "The board is full."];
    }
  }

  /** Return your moves here, each with the ply until which it lasts, the most stubborn first. */
  function replies() {
    const { place, board } = current();
    if (stopped() || !isYours(shown)) return [];
    const found = [...game.legal(place, board)].map(([move, to]) => ({ move, ply: game.lasts(to, board.ply + 1) }));
    return found.sort((one, other) => other.ply - one.ply);
  }

  /** Play a move of yours; return why it was refused, or "". */
  function play(move) {
    const { place, board } = current();
    if (stopped()) return board.open.length ? "play has ended here" : "the game is over";
    if (!isYours(shown)) return board.open.length ? "it is not your move here: press Forward" : "the game is over";
    const why = refusal(board, move);
    if (why) return why;
    const to = game.legal(place, board).get(move);
    if (to === undefined) return "the certificate has no data for this move";
    push(move, to, "");
    answer();
    return "";
  }

  /** Return the name of a place: a spot, or a field after all of these. */
  const nameOf = (place) => (place < cells.length ? name(place) : fields[place - cells.length]);

  /** Say by which places a game that is over was won. */
  function sayLine(board, who) {
    const places = [...new Set(wonBy(board).lines.flat())].sort((one, other) => one - other).map(nameOf).join(", ");
    return places && `${who} ${inLine.replace("..", places)}`;
  }

  /** Say how many marks there are, and who is to move where. */
  function title(board) {
    const marks = `${board.ply} mark${board.ply === 1 ? "" : "s"}`;
    if (!board.open.length) return `${marks}, the game is over${board.winner && `: ${sayLine(board, board.winner)}`}`;
    return `${marks}, ${turn(board)} to move in ${board.where}`;
  }

  /** Return what a board shows. */
  function lookOf(board, isOpen, last) {
    const { lines, spots } = wonBy(board);
    const isActive = (field) => [...svg.querySelectorAll(`[data-field="${field}"] .cell`)].some((cell) => board.open.includes(cells.indexOf(cell)));
    return {
      marks: board.places.slice(0, cells.length), owners: board.places.slice(cells.length, -1), last,
      active: isOpen ? fields.filter(isActive) : [], lines: lines.map((line) => line.map(nameOf)), aligned: spots.map(nameOf),
    };
  }

  const stopped = () => shown === steps.length && ending !== null;

  // -- what is seen ----------------------------------------------------------------------------------------------------

  const query = (upTo) => {
    const moves = steps.slice(0, upTo).map((step) => name(step.move)).join("-");
    return new URLSearchParams({ you: side, ...(moves && { moves }) });
  };
  const address = (upTo) => `#explorer?${query(upTo)}`;

  /** Return what is said of the position: texts and links. */
  function sentence() {
    const parts = [];
    const yours = shown > 1 ? steps.slice(0, shown).filter((step) => step.player === game.you).pop() : null;
    const last = shown ? steps[shown - 1] : null;
    if (yours) parts.push(`${NAMES[game.you]} ${name(yours.move)}. `);
    if (last && last.player !== game.you) parts.push(`${NAMES[last.player]} ${yours ? "answers" : "plays"} ${name(last.move)}. `);
    const { board } = current();
    if (stopped()) parts.push(...ending.map((part) => (part.cloneNode ? part.cloneNode(true) : part)), ` Ply ${board.ply}.${board.winner && ` ${sayLine(board, NAMES[board.winner])}.`}`);
    else if (!isYours(shown)) parts.push(`${NAMES[turn(board)]} is to move: Forward shows the answer.`);
    else parts.push(`You are to move in ${board.where}.`);
    return parts;
  }

  function show() {
    const { place, board } = current();
    const isOpen = isYours(shown) && !stopped();
    const recent = steps.slice(Math.max(0, shown - 2), shown).map((step) => name(step.move)).join(" ");
    setBoard(svg, lookOf(board, isOpen, recent), title(board));
    const choice = new Map(replies().map((reply) => [reply.move, reply]));
    const most = Math.max(0, ...[...choice.values()].map(({ ply }) => ply));
    cells.forEach((cell, index) => {
      const mark = board.places[index];
      const { ply } = choice.get(index) || {};
      cell.classList.toggle("best", Boolean(ply) && ply === most);
      if (mark === ".") cell.querySelector(".spot").textContent = isNumbered() ? cell.label : ply || "";
      const told = mark !== "." ? `, ${NAMES[mark]}` : ply ? `, until ply ${ply}` : "";
      cell.setAttribute("aria-label", `${spotNames[index]}${told}`);
      cell.setAttribute("aria-disabled", String(!isOpen || refusal(board, index) !== ""));
    });
    element("say").replaceChildren(...sentence());
    warn("");
    const last = shown ? steps[shown - 1] : null;
    const rows = [["Ply", String(board.ply), "ply"], ...game.facts(place, last, board)];
    element("facts").replaceChildren(
      ...rows.flatMap(([term, value, key]) => [make("dt", {}, term), make("dd", { "data-fact": key }, value)]),
    );
    element("moves").replaceChildren(...steps.map((step, index) => {
      const link = make("a", { href: address(index + 1) }, `${step.player} ${name(step.move)}`);
      if (index + 1 === shown) link.setAttribute("aria-current", "step");
      return make("li", { value: game.start.ply + index + 1 }, link);
    }));
    element("back").disabled = previous() === null;
    element("forward").disabled = following() === null;
    element("stubborn").disabled = !choice.size;
  }

  const isTurn = (index) => isYours(index) || index === steps.length;
  const places = () => [...Array(steps.length + 1).keys()];
  const previous = () => places().slice(0, shown).findLast(isYours) ?? null;
  const following = () => places().slice(shown + 1).find(isTurn) ?? null;
  const isNumbered = () => element("numbers").checked;

  function update() {
    show();
    writeFragment("explorer", query(shown));
  }

  function go(index) {
    if (index === null) return;
    shown = index;
    update();
  }

  /** Say what is wrong with a link; nothing where nothing is. */
  function warn(words) {
    element("trouble").hidden = !words;
    element("trouble").textContent = words;
  }

  /** Return what a link says that cannot be understood, as a sentence, or "". */
  function misread(wanted) {
    const quote = (text) => `“${text.slice(0, 40)}${text.length > 40 ? "…" : ""}”`;
    const keys = [...wanted.keys()];
    const odd = keys.find((key, index) => !["you", "moves"].includes(key) || keys.indexOf(key) !== index);
    if (odd !== undefined) return `The link says ${quote(odd)}, which means nothing here, or says it twice.`;
    if (wanted.has("you") && !choices.has(wanted.get("you"))) {
      return `The link asks for a game ${quote(wanted.get("you"))}, which this report does not offer.`;
    }
    const odder = wanted.get("moves") ? wanted.get("moves").split("-").find((text) => number(text) < 0) : undefined;
    return odder === undefined ? "" : `The link cannot be followed: ${quote(odder)} is not a move.`;
  }

  /** Show what a fragment says: the side, and the moves of both players from the start. */
  function restore(wanted) {
    load();
    if (game && ![...wanted].length) return; // to the section, not to another game
    const trouble = misread(wanted);
    const moves = trouble ? [] : (wanted.get("moves") || "").split("-").filter(Boolean);
    const wantedSide = choices.has(wanted.get("you")) ? wanted.get("you") : choices.keys().next().value;
    // A place in the game that is shown: what was played after it stays.
    const isKnown = game && !trouble && wantedSide === side && moves.length && moves.length <= steps.length
      && moves.every((text, index) => steps[index].move === number(text));
    if (!isKnown) choose(wantedSide);
    if (trouble) {
      show();
      warn(`${trouble} What is shown is the start of the game “${element("side").selectedOptions[0].text}”.`);
      return;
    }
    for (const [index, text] of moves.entries()) {
      if (index < steps.length && steps[index].move === number(text)) continue;
      const why = index < steps.length ? "the certificate says another move" : play(number(text));
      if (why) {
        show();
        warn(`The link cannot be followed to its end: ${text}, move ${index + 1}: ${why}. What is shown is as far as it can be followed.`);
        return;
      }
    }
    // A link may end before the certificate's answer: show that position.
    if (moves.length && moves.length < steps.length) shown = moves.length;
    show();
  }

  // -- what is done ----------------------------------------------------------------------------------------------------

  function click(cell) {
    cells.forEach((other) => other.setAttribute("tabindex", other === cell ? "0" : "-1"));
    const move = number(cell.dataset.cell);
    const why = play(move);
    if (why) element("say").textContent = `${cell.dataset.cell} cannot be played: ${why}`;
    else update();
  }

  /** Return the nearest cell in a direction, straight on. */
  function nextCell(cell, right, down) {
    const from = placeOf(svg, cell.dataset.cell);
    const found = cells.map((other) => {
      const { x, y } = placeOf(svg, other.dataset.cell);
      const [ahead, beside] = [(x - from.x) * right + (y - from.y) * down, (x - from.x) * down + (y - from.y) * right];
      return { other, ahead, beside };
    }).filter(({ ahead, beside }) => ahead > 0 && !beside);
    return found.length ? found.reduce((one, other) => (other.ahead < one.ahead ? other : one)).other : null;
  }

  svg.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (cell && choices) click(cell);
  });
  svg.addEventListener("keydown", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      click(cell);
      return;
    }
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = nextCell(cell, ...step);
    if (!next) return;
    cells.forEach((other) => other.setAttribute("tabindex", other === next ? "0" : "-1"));
    next.focus();
  });
  element("back").addEventListener("click", () => go(previous()));
  element("forward").addEventListener("click", () => go(following()));
  element("stubborn").addEventListener("click", () => {
    play(replies()[0].move);
    update();
  });
  element("numbers").addEventListener("change", () => {
    svg.classList.toggle("bare", !isNumbered());
    show();
  });
  element("restart").addEventListener("click", () => {
    choose(side);
    update();
  });
  element("side").addEventListener("change", () => {
    choose(element("side").value);
    update();
  });
  onFragment("explorer", restore);
  if (!choices) {
    // Reading the data takes a moment: not before the page is drawn.
    const begin = () => {
      if (choices) return;
      load();
      choose("");
      show();
    };
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        watcher.disconnect();
        begin();
      }
    }, { rootMargin: "800px" });
    watcher.observe(app.parentElement);
  }
})();
