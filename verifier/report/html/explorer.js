// The strategy explorer: shows a game of explorer-games.js, plays moves, and puts the position into the address of the page.
"use strict";

(() => {
  const app = document.getElementById("explorer-app");
  if (!app) return;
  const element = (id) => document.getElementById(`explorer-${id}`);
  const boards = [...app.querySelectorAll("template")].map((part) => part.content.firstElementChild);
  let svg = app.querySelector("svg.board");
  let cells = [], fields = [];
  const name = (move) => cells[move].dataset.cell;
  const said = (move) => inPair(name(move));
  const number = (text) => cells.findIndex((cell) => cell.dataset.cell === text);

  // -- what is played --------------------------------------------------------------------------------------------------

  let data = null; // the data from explorer.py
  let choices = null; // the functions that open the games, by key
  let game = null;
  let side = "";
  let steps = []; // {move, player, rule, place, board}
  let shown = 0; // how many of the steps are on the board
  let ending = null; // what the page says if play has ended; null while play goes on
  let asked = 0; // how often the reader has asked for a game or an address: only the last request counts
  let written = ""; // the part of the address about what is shown

  const current = () => (shown ? steps[shown - 1] : { place: game.root, board: game.start, rule: "" });
  const isYours = (at) => {
    const board = at ? steps[at - 1].board : game.start;
    return board.open.length > 0 && game.rules.turn(board) === game.you;
  };

  /** Read the data, and offer the games: the first strategy, the first bound, and the others in one list. */
  function load() {
    if (choices) return;
    ({ data, choices } = explorerGames.readGames());
    const strategy = data.games.find((each) => each.lists && each.title);
    const value = data.games.find((each) => each.through);
    // Short games, such as a win in one move, come last.
    const others = data.games.filter((each) => each !== strategy && each !== value).sort((one, other) => (other.through || other.by) - (one.through || one.by));
    const card = (key, title, ...words) => {
      const made = make("button", { type: "button", "data-key": key }, make("b", {}, title), ...words);
      made.addEventListener("click", () => start(key));
      element("cards").append(made);
    };
    if (strategy) {
      const he = strategy.names[strategy.claimant], you = strategy.names[strategy.claimant === "X" ? "O" : "X"];
      card(strategy.key, `Try to outlast ${he}`, `You are ${you}. He wins by ply ${strategy.by}: how long can you last?`);
    }
    if (value) card(value.key, `Try to beat ${value.names.O}`, `You are ${value.names.X}, and begin${value.start.ply ? " from a position" : ""}. You will not have won by ply ${value.through}.`);
    if (others.length) {
      card(others[0].key, "More positions", `${others.length} more: after an opening, or in other games.`);
      element("cards").lastChild.dataset.more = "";
      const groups = { "Ultimate tic-tac-toe: you are Xavier": [], "Other games": [] };
      for (const other of others) groups[other.through ? "Ultimate tic-tac-toe: you are Xavier" : "Other games"].push(other);
      for (const [label, some] of Object.entries(groups)) {
        if (some.length) element("side").append(make("optgroup", { label }, ...some.map((other) => make("option", { value: other.key }, other.label))));
      }
    }
  }

  /** Show an empty board of the game. */
  function layBoard() {
    const fresh = boards[data.games.find(({ key }) => key === side).board].cloneNode(true);
    svg.replaceWith(fresh);
    svg = fresh;
    cells = [...svg.querySelectorAll(".cell")];
    fields = [...svg.querySelectorAll("[data-field]")].map((field) => field.dataset.field);
    svg.setAttribute("role", "group");
    svg.classList.toggle("bare", !isNumbered());
    cells.forEach((cell, index) => {
      cell.setAttribute("role", "button");
      cell.setAttribute("tabindex", index === Math.floor(cells.length / 2) ? "0" : "-1");
    });
    svg.addEventListener("click", (event) => {
      const cell = event.target.closest(".cell");
      if (cell) click(cell);
    });
    svg.addEventListener("keydown", press);
  }

  /** Open a game. Return false if the reader has asked for something else meanwhile: then nothing has changed. */
  async function choose(key) {
    app.setAttribute("aria-busy", "true"); // until the game is unpacked and its board is shown
    asked += 1;
    const mine = asked, wanted = choices.has(key) ? key : choices.keys().next().value, opened = await choices.get(wanted)();
    if (mine !== asked) return false;
    [side, game] = [wanted, opened];
    layBoard();
    const isMore = [...element("side").options].some((option) => option.value === side);
    element("choice").hidden = !isMore;
    if (isMore) element("side").value = side;
    for (const made of element("cards").children) made.setAttribute("aria-pressed", String("more" in made.dataset ? isMore : made.dataset.key === side));
    element("intro").replaceChildren(...game.intro);
    for (const rules of app.querySelectorAll(".explorer-rules")) rules.hidden = rules.dataset.board !== String(data.games.find((each) => each.key === side).board);
    steps = [];
    shown = 0;
    ending = null;
    answer();
    return true;
  }

  const start = async (key) => { if (await choose(key)) update(); };

  function push(move, place, rule) {
    const { board } = current();
    steps = steps.slice(0, shown);
    steps.push({ move, player: game.rules.turn(board), rule, place, board: game.rules.putMark(board, move) });
    shown = steps.length;
  }

  /** Let the certificate move, if it is the certificate's turn. */
  function answer() {
    const { place, board } = current();
    ending = null;
    if (game.rules.turn(board) === game.you && board.open.length) return;
    const reply = board.winner ? { end: [`${game.names[board.winner]} wins.`] } : game.answer(place, board);
    if (reply.end) ending = reply.end;
    else push(reply.move, reply.place, reply.rule);
    const after = current();
    if (!after.board.open.length && !ending) {
      ending = [after.board.winner ? `${game.names[after.board.winner]} wins.` : "The board is full."];
    }
  }

  /** Return your moves here, each with its words. The move of the highest rank comes first (explorer-games.js). */
  function replies() {
    const { place, board } = current();
    if (stopped() || !isYours(shown)) return [];
    const found = [...game.legal(place, board)].map(([move, told]) => ({ move, ...told }));
    return found.sort((one, other) => other.rank - one.rank);
  }

  /** Play a move of yours; return why it was refused, or "". */
  function play(move) {
    const { place, board } = current();
    if (stopped()) return board.open.length ? "play has ended here" : "the game is over";
    if (!isYours(shown)) return board.open.length ? "it is not your move here: press Forward" : "the game is over";
    const why = game.rules.refusal(board, move);
    if (why) return why;
    const to = game.legal(place, board).get(move);
    if (to === undefined) return "the certificate has no data for this move";
    push(move, to.place, "");
    answer();
    return "";
  }

  /** Return the name of a place: spots have the first numbers, fields the numbers after them. */
  const nameOf = (place) => (place < cells.length ? name(place) : fields[place - cells.length]);

  /** Say in which spots or fields each winning line is. */
  function sayLine(board, who) {
    const places = game.rules.wonBy(board).lines.map((line) => line.map(nameOf).map(inPair).join(", ")).join(" and also ");
    return places && `${who} ${game.rules.inLine.replace("..", places)}`;
  }

  /** Say how the game has ended: who has won, when, and by which line. */
  function sayEnd(board) {
    if (!board.winner) return `The game is drawn at ply ${board.ply}: nobody can move, and nobody has won.`;
    return `${game.names[board.winner]} has won at ply ${board.ply}: ${sayLine(board, game.names[board.holder])}.`;
  }

  /** Say how many marks there are, who is to move, and where. */
  function title(board) {
    const marks = `${board.ply} mark${board.ply === 1 ? "" : "s"}`;
    if (!board.open.length) return `${marks}, the game is over${board.holder && `: ${sayLine(board, board.holder)}`}`;
    return `${marks}, ${game.rules.turn(board)} to move in ${board.where}`;
  }

  /** Return what a board shows. */
  function lookOf(board, isOpen, last) {
    const { lines, spots } = game.rules.wonBy(board);
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

  /** Return the words about the position: texts and links. */
  function sentence() {
    const parts = [];
    const yours = shown > 1 ? steps.slice(0, shown).filter((step) => step.player === game.you).pop() : null;
    const last = shown ? steps[shown - 1] : null;
    if (yours) parts.push(`${game.names[game.you]} ${said(yours.move)}. `);
    if (last && last.player !== game.you) parts.push(`${game.names[last.player]} ${yours ? "answers" : "plays"} ${said(last.move)}. `);
    const { board } = current();
    if (stopped()) parts.push(make("b", {}, board.open.length ? `${ending.join("")} Ply ${board.ply}.` : sayEnd(board)));
    else if (!isYours(shown)) parts.push(`${game.names[game.rules.turn(board)]} is to move: Forward shows the answer.`);
    else parts.push(`You are to move in ${board.where}.`);
    if (game.remark) parts.push(game.remark(board));
    return parts;
  }

  function show() {
    const { place, board } = current();
    const isOpen = isYours(shown) && !stopped();
    const recent = steps.slice(Math.max(0, shown - 2), shown).map((step) => name(step.move)).join(" ");
    setBoard(svg, lookOf(board, isOpen, recent), title(board));
    const choice = new Map(replies().map((reply) => [reply.move, reply]));
    const ranks = [...choice.values()].map(({ rank }) => rank), most = Math.max(...ranks);
    const isExact = game.isExact(board), isEqual = ranks.every((rank) => rank === most);
    const isBound = isEqual && !isExact && choice.size > 1 && [...choice.values()].every(({ told }) => told); // nothing to compare
    svg.classList.toggle("exact", isExact);
    cells.forEach((cell, index) => {
      const mark = board.places[index];
      const own = choice.get(index);
      cell.classList.toggle("best", Boolean(own) && own.rank === most && !isEqual);
      cell.classList.toggle("worse", Boolean(own) && own.rank < most);
      if (mark === ".") cell.querySelector(".spot").textContent = isNumbered() ? cell.label : own && !isBound ? own.told : "";
      const told = mark !== "." ? `, ${game.names[mark]}` : own && own.told ? `, ${own.words}` : "";
      cell.setAttribute("aria-label", `${game.rules.spotNames[index]}${told}`);
      cell.setAttribute("aria-disabled", String(!isOpen || game.rules.refusal(board, index) !== ""));
    });
    const { words } = choice.values().next().value || {};
    const all = choice.size === 2 ? "Both" : `All ${choice.size}`;
    const equal = isExact && isEqual && most > 0 && choice.size > 1 ? [make("b", {}, `${all} moves here hold out equally long, ${words}.`), " "] : [];
    if (isBound) element("told").replaceChildren(`After ${choice.size === 2 ? "each" : "any"} of the ${choice.size} moves here: ${words}, even if she does not hinder you.`);
    else element("told").replaceChildren(...equal, ...game.told(board));
    element("say").replaceChildren(...sentence());
    element("copied").textContent = "";
    element("link").hidden = true;
    warn("");
    const last = shown ? steps[shown - 1] : null;
    const rows = [["Ply", `${board.ply}${board.ply <= game.last ? ` ${game.ofAll}` : ""}`, "ply"], ...game.facts(place, last, board)];
    element("facts").replaceChildren(
      ...rows.flatMap(([term, value, key]) => [make("dt", {}, term), make("dd", { "data-fact": key }, value)]),
    );
    element("moves").replaceChildren(...steps.map((step, index) => {
      const link = make("a", { href: address(index + 1), ...(index >= shown && { class: "undone" }) }, `${step.player} ${said(step.move)}`);
      if (index + 1 === shown) link.setAttribute("aria-current", "step");
      return make("li", { value: game.start.ply + index + 1 }, link);
    }));
    element("undone").hidden = shown === steps.length;
    const inTree = element("tree");
    inTree.hidden = !game.moves;
    if (game.moves) inTree.href = address(shown).replace("#explorer?you=", "#tree?of=");
    element("back").disabled = previous() === null;
    element("forward").disabled = following() === null;
    element("stubborn").disabled = !choice.size;
    element("stubborn").textContent = game.best;
    written = String(query(shown));
    app.setAttribute("aria-busy", "false");
  }

  const isTurn = (index) => isYours(index) || index === steps.length;
  const places = () => [...Array(steps.length + 1).keys()];
  const previous = () => places().slice(0, shown).findLast(isYours) ?? null;
  const following = () => places().slice(shown + 1).find(isTurn) ?? null;
  const isNumbered = () => element("numbers").checked;

  function update() {
    const before = written;
    show();
    pushFragment("explorer", before, written);
  }

  const copy = () => copyAddress(address(shown), element);

  function go(index) {
    if (index === null) return;
    shown = index;
    update();
  }

  /** Show what is wrong with a link; an empty text hides the message. */
  function warn(words) {
    element("trouble").hidden = !words;
    element("trouble").textContent = words;
  }

  /** Return a sentence about the part of a link that cannot be understood, or "". */
  function misread(wanted) {
    const quote = (text) => `“${text.slice(0, 40)}${text.length > 40 ? "…" : ""}”`;
    const keys = [...wanted.keys()];
    const odd = keys.find((key, index) => !["you", "moves"].includes(key) || keys.indexOf(key) !== index);
    if (odd !== undefined) return `The link has ${quote(odd)}, which is unknown here, or is in the link twice.`;
    if (wanted.has("you") && !choices.has(wanted.get("you"))) {
      return `The link asks for a game ${quote(wanted.get("you"))}, which this report does not offer.`;
    }
    const odder = wanted.get("moves") ? wanted.get("moves").split("-").find((text) => number(text) < 0) : undefined;
    return odder === undefined ? "" : `The link cannot be followed: ${quote(odder)} is not a move.`;
  }

  /** Show what a fragment says: the game, and the moves of both players from its start. */
  async function restore(wanted) {
    load();
    if (game && ![...wanted].length) return; // the link leads to the section, not to another game
    const wantedSide = choices.has(wanted.get("you")) ? wanted.get("you") : choices.keys().next().value;
    asked += 1;
    if ((!game || wantedSide !== side) && !await choose(wantedSide)) return; // only the board knows the names of moves
    const trouble = misread(wanted);
    const moves = trouble ? [] : (wanted.get("moves") || "").split("-").filter(Boolean);
    // The link may lead to an earlier position of the game that is shown. Then the moves after it stay.
    const isKnown = moves.length && moves.length <= steps.length && moves.every((text, index) => steps[index].move === number(text));
    if (isKnown) shown = moves.length;
    else if (steps.length && !await choose(wantedSide)) return;
    if (trouble) {
      show();
      warn(`${trouble} You see the start of a game.`);
      return;
    }
    for (const [index, text] of moves.entries()) {
      if (index < steps.length && steps[index].move === number(text)) continue;
      const why = index < steps.length ? "the certificate has another move" : play(number(text));
      if (why) {
        show();
        warn(`The link cannot be followed to its end: ${text}, move ${index + 1}: ${why}. You see the last position that it reaches.`);
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
    if (why) element("say").textContent = `${said(move)} cannot be played: ${why}`;
    else update();
  }

  /** Return the nearest cell in a direction: exactly in line with the given cell or, if there is none, nearly so. */
  function nextCell(cell, right, down) {
    const from = placeOf(svg, cell.dataset.cell);
    const found = cells.map((other) => {
      const { x, y } = placeOf(svg, other.dataset.cell);
      const [ahead, beside] = [(x - from.x) * right + (y - from.y) * down, (x - from.x) * down + (y - from.y) * right];
      return { other, ahead, beside };
    }).filter(({ ahead, beside }) => ahead > 0 && Math.abs(beside) <= 2 * ahead);
    const inLine = found.filter(({ beside }) => !beside), choice = inLine.length ? inLine : found;
    const far = ({ ahead, beside }) => ahead + Math.abs(beside);
    return choice.length ? choice.reduce((one, other) => (far(other) < far(one) ? other : one)).other : null;
  }

  function press(event) {
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
  }
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
  element("copy").addEventListener("click", copy);
  element("restart").addEventListener("click", () => start(side));
  element("side").addEventListener("change", () => start(element("side").value));
  const isWide = matchMedia("(min-width: 45rem)").matches;
  for (const rules of app.querySelectorAll("details.explorer-rules")) rules.open = isWide && !app.querySelector(`p.explorer-rules[data-board="${rules.dataset.board}"]`);
  app.hidden = false; // at once, so that the text below, to which a link may have led, hardly moves
  app.parentElement.querySelector(".explorer-off").remove();
  onFragment("explorer", restore);
  if (!choices) {
    // Reading the data takes a moment, so it waits until the page is drawn.
    const begin = () => {
      if (choices) return;
      const section = app.parentElement, below = app.nextElementSibling || section.nextElementSibling || section;
      const { top } = below.getBoundingClientRect();
      load();
      choose("").then((isOpen) => {
        if (!isOpen) return;
        show();
        if (readFragment().section === "tree") document.getElementById("tree").scrollIntoView();
        else if (section.getBoundingClientRect().top < 0) scrollBy(0, below.getBoundingClientRect().top - top);
      });
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
