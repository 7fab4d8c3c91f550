// The strategy tree, position by position: a board, and the moves that the certificate has there. Replies of the other
// player are in groups, by the rule that answers them. The position is in the address of the page.
"use strict";

(() => {
  const app = document.getElementById("tree");
  if (!app) return;
  const FIRST = 12; // how many boards of a group are shown at first
  const element = (id) => document.getElementById(`tree-${id}`);
  const boards = [...document.querySelectorAll("#explorer-app template")].map((part) => part.content.firstElementChild);
  const counted = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
  const address = (section, key, moves) => {
    const query = new URLSearchParams({ [section === "tree" ? "of" : "you"]: key, ...(moves.length && { moves: moves.join("-") }) });
    return `#${section}?${query}`;
  };

  let side = "", game = null, names = [], asked = null;
  const isTheirs = (board) => board.open.length > 0 && game.rules.turn(board) === game.you;

  /** Return a board with a position on it. Only a large board has the numbers of its fields and spots. */
  function draw(board, last, isLarge) {
    const made = boards[game.board].cloneNode(true);
    const cells = [...made.querySelectorAll(".cell")];
    const fields = [...made.querySelectorAll("[data-field]")].map((field) => field.dataset.field);
    const nameOf = (place) => (place < cells.length ? names[place] : fields[place - cells.length]);
    const { lines, spots } = game.rules.wonBy(board);
    const isActive = (field) => board.open.some((spot) => cells[spot].closest("[data-field]")?.dataset.field === field);
    const look = {
      marks: board.places.slice(0, cells.length), owners: board.places.slice(cells.length, -1), last: last.map((move) => names[move]).join(" "),
      active: fields.filter(isActive), lines: lines.map((line) => line.map(nameOf)), aligned: spots.map(nameOf),
    };
    setBoard(made, look, board.open.length ? `${game.names[game.rules.turn(board)]} to move in ${board.where}` : "The game is over");
    if (!isLarge) made.querySelectorAll(".spot, .name").forEach((label) => label.remove()); // too small to read
    return made;
  }

  /** Say when the claimant wins, and how many positions come after a position; or how the play has ended. */
  function describe({ place, board }) {
    const left = game.below(place);
    if (!left) return [`${game.ending(place)} at ply ${board.ply}`];
    const [, late] = game.wins(place, board) || [];
    return [...(late ? [`${player(false)} wins by ply ${late}`] : []), `${counted(left, "position")} below`];
  }

  /** Return the moves from a position. Moves that lead to the same position, or to symmetric positions, are one step. */
  function steps({ place, board }) {
    const found = new Map();
    for (const { move, rule, place: to } of game.moves(place)) {
      const same = found.get(to.number);
      if (same) same.alike.push(move);
      else found.set(to.number, { moves: [move], alike: [], rule, place: to, board: game.rules.putMark(board, move) });
    }
    return [...found.values()];
  }

  /** Return a reply together with its answer, if there is exactly one answer. */
  function answered(step) {
    const next = isTheirs(step.board) ? [] : steps(step);
    if (next.length !== 1) return { ...step, rule: next.length ? next[0].rule : "" };
    const [answer] = next;
    return { ...answer, moves: [...step.moves, ...answer.moves], alike: step.alike };
  }

  const latest = (step) => (game.wins(step.place, step.board) || [0, 0])[1];

  const player = (theirs) => game.names[theirs ? game.you : game.claimant];
  const strategyRule = (rule) => rule.replace(/^[^.]*\./, "");

  /** Return a board with its moves: a move of the claimant's, or a reply and, in bold, the answer to it. */
  function card(step, line, isLongest) {
    const [move, answer] = step.moves.map((each) => inPair(names[each]));
    const alike = step.alike.map((each) => inPair(names[each]));
    const made = `${player(step.isReply)} ${move}${alike.length ? ` (or ${alike.join(", ")})` : ""}`;
    const title = answer === undefined ? [make("b", {}, made)] : [make("span", {}, made), make("b", {}, `${player(false)} answers ${answer}`)];
    const words = describe(step).map((text) => make("span", {}, text));
    if (isLongest) words.push(make("em", {}, "holds out longest"));
    return make("a", { class: "tree-card", href: address("tree", side, [...line, ...step.moves.map((each) => names[each])]) }, ...title, draw(step.board, step.moves), ...words);
  }

  /** Say which move was made last. If it answers a reply of the other player, say this reply, too. */
  function lastMoves(moves, board) {
    if (!moves.length) return ["The start"];
    const byThem = game.rules.turn(board) !== game.you, last = moves[moves.length - 1];
    if (byThem || moves.length === 1) return [`${player(byThem)} ${byThem ? "plays" : "begins with"} ${last}`];
    return [make("span", {}, `${player(true)} plays ${moves[moves.length - 2]}. `), `${player(false)} answers ${last}`];
  }

  /** Return the heading of a group: the rule, its words and its place in the document. */
  function heading(rule, number, who) {
    const { says, place } = game.explain(rule);
    const what = who ? counted(number, "reply").replace("replys", "replies") : counted(number, "move");
    if (!rule) return [make("h5", {}, what)];
    return [make("h5", {}, who ? `${what} that the rule “${strategyRule(rule)}” answers` : `${what} by the rule “${strategyRule(rule)}”`), make("p", {}, `${says}${place && ` (${place})`}`)];
  }

  function group(rule, some, line, most) {
    const theirs = some[0].isReply;
    const list = make("div", { class: "tree-cards" });
    const add = (from, to) => list.append(...some.slice(from, to).map((step) => card(step, line, theirs && most > 0 && latest(step) === most)));
    const total = some.reduce((sum, step) => sum + 1 + step.alike.length, 0);
    const made = make("section", { class: "tree-group" }, ...heading(rule, total, theirs), list);
    add(0, FIRST);
    if (some.length > FIRST) {
      const more = make("button", { type: "button" }, `Show ${some.length - FIRST} more`);
      more.addEventListener("click", () => { add(FIRST); more.remove(); });
      made.append(more);
    }
    return made;
  }

  function show(line, here, last) {
    const moves = line.map((move) => names[move]);
    const link = (count, words) => make("a", { href: address("tree", side, moves.slice(0, count)), ...(count === line.length && { "aria-current": "step" }) }, words);
    element("path").replaceChildren(make("li", {}, link(0, "Start")), ...moves.map((name, index) => make("li", {}, link(index + 1, inPair(name)))));
    const large = draw(here.board, line.slice(-2), true);
    element("board").replaceChildren(large);
    const { board } = here;
    element("last").replaceChildren(...lastMoves(moves.map(inPair), board));
    const facts = [];
    if (last) facts.push(["Its rule", `${strategyRule(last)}: ${game.explain(last).says || ""}${game.explain(last).place && ` (${game.explain(last).place})`}`]);
    if (game.below(here.place)) {
      const [, late] = game.wins(here.place, board) || [];
      facts.push(["To move", `${game.names[game.rules.turn(board)]}, in ${board.where}`]);
      if (late) facts.push([`${player(false)} wins`, `by ply ${late}`]);
    } else facts.push(["The end", `${describe(here)}`]);
    const notes = [];
    element("play").href = address("explorer", side, moves);
    element("play").hidden = !game.below(here.place); // play has ended
    const theirs = isTheirs(board);
    const found = steps(here).map((step) => (theirs ? { ...answered(step), isReply: true } : step));
    found.sort((one, other) => latest(other) - latest(one));
    const isTie = found.length > 1 && latest(found[0]) === latest(found[found.length - 1]);
    const most = found.length > 1 && !isTie ? latest(found[0]) : 0;
    if (theirs && isTie && latest(found[0])) notes.push(`All ${found.length} replies below hold out until ply ${latest(found[0])}.`);
    const below = game.below(here.place);
    if (below) {
      const isMore = found.reduce((sum, step) => sum + 1 + game.below(step.place), 0) > below;
      facts.push(["Positions below", `${below.toLocaleString("en")}${isMore ? " (different moves can lead to the same position, so the numbers at the boards add up to more)" : ""}`]);
    }
    element("facts").replaceChildren(...facts.flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)]));
    element("say").replaceChildren(...notes);
    lead(large, found, moves);
    const groups = new Map();
    for (const step of found) groups.set(step.rule, [...(groups.get(step.rule) || []), step]);
    element("replies").replaceChildren(...[...groups].map(([rule, some]) => group(rule, some, moves, most)));
  }

  /** Let a click on a spot of the large board open the position after that move, like a click on its small board. */
  function lead(large, found, line) {
    const cells = [...large.querySelectorAll(".cell")];
    const link = (move, after) => {
      cells[move].classList.add("live");
      cells[move].addEventListener("click", () => { location.hash = address("tree", side, [...line, ...after.map((each) => names[each])]); });
    };
    for (const step of found) {
      link(step.moves[0], step.moves);
      for (const move of step.alike) link(move, [move]); // the stored answer is to the first move; the answer to this move is an image of it
    }
  }

  async function restore(query) {
    asked = query;
    const { data, choices } = explorerGames.readGames();
    const offered = data.games.filter((each) => each.lists);
    const wanted = query.get("of") || offered[0].key;
    const described = offered.find(({ key }) => key === wanted);
    element("trouble").hidden = Boolean(described);
    if (!described) {
      element("play").hidden = true;
      element("trouble").textContent = `This report has no plays of “${wanted.slice(0, 40)}”.`;
      return;
    }
    const opened = await choices.get(wanted)();
    if (query !== asked) return; // the address has changed while the game was unpacked
    side = wanted;
    game = { ...opened, board: described.board, claimant: described.claimant };
    names = [...boards[game.board].querySelectorAll(".cell")].map((cell) => cell.dataset.cell);
    element("title").textContent = described.title || described.label;
    element("title").hidden = false; // until now, it would be a heading without text
    const proved = document.querySelector(`.explorer-claims [data-claim="${described.claims[0]}"]`).cloneNode(true);
    proved.textContent = proved.dataset.words || proved.textContent;
    element("claim").replaceChildren(proved);
    const whole = document.querySelector(`.explorer-claims [href$="#tree-of-${described.claims[0]}"]`);
    element("whole").replaceChildren(...(whole ? [make("a", { href: whole.getAttribute("href") }, element("whole").dataset.words)] : []));
    const line = [];
    let here = { place: game.root, board: game.start }, last = "";
    for (const text of (query.get("moves") || "").split("-").filter(Boolean)) {
      const next = game.moves(here.place).find(({ move }) => names[move] === text);
      if (!next) {
        element("trouble").hidden = false;
        element("trouble").textContent = `The link cannot be followed: the certificate has no move “${text.slice(0, 20)}” after ${line.length} moves. You see the last position that it reaches.`;
        break;
      }
      here = { place: next.place, board: game.rules.putMark(here.board, next.move) };
      last = next.rule;
      line.push(next.move);
    }
    show(line, here, last);
    if (readFragment().section === "tree") app.scrollIntoView();
  }

  app.hidden = false;
  onFragment("tree", restore);
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    if (!game && readFragment().section !== "tree") restore(new URLSearchParams());
  }, { rootMargin: "400px" });
  watcher.observe(app);
})();
