// Games that no table of places describes, played position by position. This file has no rules: cells.py lists the moves
// from each position, where each move leads, how play ends, and what the board shows. A play can return to a position, so
// it may never end.
"use strict";

(() => {
  const app = document.getElementById("cells");
  if (!app) return;
  const NEVER = -1; // verifier/graph/plays.py
  const LONGEST = 500; // the most moves that are made at once: by a link, or by the certificate
  const element = (id) => document.getElementById(`cells-${id}`);
  const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const quote = (text) => `“${text.slice(0, 40)}${text.length > 40 ? "…" : ""}”`;

  let offered = null; // a promise of the games, the boards and the rules
  let game = null; // the game that is shown
  let line = []; // the moves so far: {text, rule, to, player, isAnswer}
  let picked = []; // the spots that the reader has clicked, of a move that is named by several spots
  let asked = 0; // how often the reader has asked for a game: only the last request counts
  let written = ""; // the part of the address about what is shown

  // -- data ------------------------------------------------------------------------------------------------------------

  /** Return what the page says about its games; unpack it once, and list the games in the form. */
  function load() {
    offered = offered || inflate(readData("explorer-data").cells.offered).json().then((found) => {
      const groups = new Map();
      for (const each of found.games) groups.set(each.document, [...(groups.get(each.document) || []), each]);
      for (const [label, some] of groups) element("game").append(make("optgroup", { label }, ...some.map((each) => make("option", { value: each.key }, each.title))));
      return found;
    });
    return offered;
  }

  /** Return a game with the lists of its positions and moves. A list has the first number, and then differences. */
  async function unpack(data) {
    const [lists, looks] = readData("explorer-data").cells.plays[data.key].split(" ");
    const list = await inflate(lists).json(), marks = await inflate(looks).text();
    for (const each of Object.values(list)) each.forEach((step, at) => { each[at] = step + (at ? each[at - 1] : 0); });
    const first = [0];
    for (const count of list.count) first.push(first[first.length - 1] + count);
    const spots = marks.length / list.count.length;
    return {
      ...data,
      marksAt: (number) => marks.slice(number * spots, (number + 1) * spots),
      turnAt: (number) => "XO"[list.turn[number]],
      endAt: (number) => data.ends[list.end[number]],
      winsAt: (number) => (list.longest[number] === NEVER ? null : [list.shortest[number], list.longest[number]]),
      edgesAt: (number) => [...Array(list.count[number]).keys()].map((index) => {
        const edge = first[number] + index;
        return { text: data.moves[list.move[edge]], rule: data.rules[list.rule[edge]], to: list.to[edge] };
      }),
    };
  }

  // -- play ------------------------------------------------------------------------------------------------------------

  const here = () => (line.length ? line[line.length - 1].to : 0);
  const isAnswered = (number) => game.answered.includes(game.turnAt(number));
  const choices = () => (isAnswered(here()) ? [] : game.edgesAt(here()));

  function push(edge) {
    line.push({ ...edge, player: game.turnAt(here()), isAnswer: isAnswered(here()) });
    picked = [];
  }

  /** Let the certificate move until the reader is to move, or play ends. */
  function answer() {
    for (let most = LONGEST; most && isAnswered(here()); most -= 1) {
      const [edge] = game.edgesAt(here());
      if (!edge) return;
      push(edge);
    }
  }

  function play(edge) {
    push(edge);
    answer();
    update();
  }

  /** Take back the reader's last move and the answers to it. */
  function back() {
    const last = line.findLastIndex((step) => !step.isAnswer);
    if (last < 0) return;
    line = line.slice(0, last);
    picked = [];
    update();
  }

  // -- what is seen ----------------------------------------------------------------------------------------------------

  const query = (upTo) => new URLSearchParams({ game: game.key, ...(upTo && { moves: line.slice(0, upTo).map(({ text }) => text).join(" ") }) });
  const nameOf = (player) => game.names[player];
  const you = () => ["X", "O"].filter((player) => !game.answered.includes(player));

  /** Say how play has ended, or that the kernel follows it no further; "" if play goes on. */
  function ending(number) {
    const end = game.endAt(number);
    if (!end) return game.edgesAt(number).length ? "" : "The kernel follows the plays no further: pairs of spots, or weights of lines, show the rest.";
    if (end === "horizon") return "Play ends here: the claim says nothing about what follows.";
    if (end === "draw") return "The game is over: a draw.";
    return `${end.replace(/\b[XO]\b/g, (player) => nameOf(player))}.`;
  }

  function sentence() {
    const last = line.findLastIndex((step) => !step.isAnswer);
    const recent = line.slice(Math.max(last, 0)).map(({ text, player, isAnswer }, index) => `${nameOf(player)} ${isAnswer && (index || last < 0) ? (last < 0 ? "begins with" : "answers") : "plays"} ${text}.`);
    const end = ending(here());
    const turn = game.turnAt(here());
    const next = end || (you().length > 1 ? `${nameOf(turn)} is to move. You move for both players.` : `You are to move, as ${nameOf(turn)}.`);
    return [...recent, next].join(" ");
  }

  /** Say what the board shows: the spots of each letter, and the values of other cells. */
  function describe(svg) {
    const sentences = [];
    for (const field of svg.querySelectorAll(".field")) {
      const cells = [...field.querySelectorAll(".cell")], heading = field.querySelector(":scope > .name");
      if (heading) sentences.push(`${heading.textContent}: ${cells.map((cell) => cell.textContent || cell.mark).join(" ")}.`);
      else {
        for (const mark of new Set(cells.map((cell) => cell.mark))) {
          if (mark !== ".") sentences.push(`${mark} on ${cells.filter((cell) => cell.mark === mark).map((cell) => cell.dataset.cell).join(", ")}.`);
        }
      }
    }
    return sentences.join(" ");
  }

  function showBoard() {
    const svg = element("board").firstElementChild, last = line.slice(-1)[0];
    setBoard(svg, { marks: game.marksAt(here()), owners: "", active: [], last: last && game.clicks ? last.text : "" }, ending(here()) || `${nameOf(game.turnAt(here()))} to move`);
    svg.querySelector("desc").textContent = describe(svg);
    if (!game.clicks) return;
    const next = new Set(choices().map(({ text }) => text.split("-")).filter((parts) => picked.every((part, index) => parts[index] === part)).map((parts) => parts[picked.length]));
    svg.querySelectorAll(".cell").forEach((cell) => {
      cell.classList.toggle("live", next.has(cell.dataset.cell));
      cell.classList.toggle("picked", picked.includes(cell.dataset.cell));
    });
  }

  /** Show the moves of the reader. If the claimant wins after each of them, say in how many moves. */
  function showChoices() {
    const found = choices(), wins = found.map(({ to }) => game.winsAt(to));
    const isLost = game.answered === game.claimant && wins.every(Boolean), lasts = isLost ? wins.map(([, late]) => late) : [];
    const most = Math.max(...lasts), isAlike = isLost && found.length > 1 && lasts.every((late) => late === most);
    const isFocused = element("choices").contains(document.activeElement); // a reader who plays by keyboard goes on from the first move
    const say = (late) => `${nameOf(game.claimant)} wins${late ? ` within ${counted(late, "move")}` : ""}`;
    element("equal").textContent = isAlike ? `After each of these moves ${say(most)}.` : "";
    element("choices").replaceChildren(...found.map((edge, index) => {
      const isBest = isLost && !isAlike && found.length > 1 && lasts[index] === most;
      const said = isLost && !isAlike ? [make("small", {}, `${say(lasts[index])}${isBest ? ", the longest" : ""}`)] : [];
      const button = make("button", { type: "button", "data-move": edge.text, ...(isBest && { class: "best" }) }, edge.text, ...said);
      button.addEventListener("click", () => play(edge));
      return button;
    }));
    if (isFocused) (element("choices").firstElementChild || element("restart")).focus({ preventScroll: true });
  }

  function showFacts() {
    const rows = [["Moves made", String(line.length), "made"]], wins = game.winsAt(here());
    const last = line.findLast((step) => step.rule);
    if (last) {
      const { says, places } = game.strategy, words = says[last.rule] || quote(last.rule.replace(/^[^.]*\./, ""));
      rows.push([`${nameOf(last.player)}’s rule`, `${words}${places[last.rule] ? ` (${places[last.rule]})` : ""}`, "rule"]);
    }
    if (wins && wins[1]) {
      const [soon, late] = wins;
      rows.push([`${nameOf(game.claimant)} wins`, soon === late ? `in ${counted(late, "more move")}` : `in ${counted(soon, "more move")} at the earliest, ${late} at the latest`, "win"]);
    }
    element("facts").replaceChildren(...rows.flatMap(([term, value, key]) => [make("dt", {}, term), make("dd", { "data-fact": key }, value)]));
  }

  function show() {
    showBoard();
    showChoices();
    showFacts();
    element("say").textContent = sentence();
    element("moves").replaceChildren(...line.map(({ player, text }, index) => {
      const link = make("a", { href: `#cells?${query(index + 1)}` }, `${nameOf(player)} ${text}`);
      return make("li", {}, link);
    }));
    element("back").disabled = !line.some((step) => !step.isAnswer);
    element("copied").textContent = "";
    element("link").hidden = true;
    warn("");
    written = String(query(line.length));
    app.setAttribute("aria-busy", "false");
  }

  function update() {
    const before = written;
    show();
    pushFragment("cells", before, written);
  }

  /** Show what is wrong with a link; an empty text hides the message. */
  function warn(words) {
    element("trouble").hidden = !words;
    element("trouble").textContent = words;
  }

  const find = (selector) => app.querySelector(selector).cloneNode(true);

  /** Say who plays by what, and what the reader plays. */
  function introduce() {
    const cite = find(`[data-claim="${game.claim}"]`);
    const { title, place } = game.strategy, by = nameOf(game.answered || game.claimant);
    const from = game.isFromStart ? "" : " Play begins in a position that the claim is about, not at the start of the game.";
    const about = [`${from} The claim is `, cite, ` (reading “${game.key.split("/")[1]}”): ${game.title}${/[.!?]$/.test(game.title) ? "" : "."}`];
    if (!game.answered) return ["The claim is about every play, so you move for both players.", ...about];
    const how = title ? `${by} plays “${title}” (${place}), each of whose moves the kernel has followed.` : `${by} plays by the table of moves that the kernel has checked.`;
    return [`You are ${nameOf(you()[0])}. ${how}${game.refuted ? " These moves refute the claim." : ""}`, ...about];
  }

  /** Open a game. Return false if there is no such game, or if the reader has asked for another one meanwhile. */
  async function choose(key) {
    app.setAttribute("aria-busy", "true");
    asked += 1;
    const mine = asked, found = await load(), data = found.games.find((each) => each.key === key);
    const opened = data && await unpack(data);
    if (mine !== asked) return false;
    if (!data) {
      app.setAttribute("aria-busy", "false");
      return false;
    }
    game = opened;
    line = [];
    picked = [];
    const svg = make("div");
    svg.innerHTML = found.boards[game.board];
    svg.firstElementChild.setAttribute("role", "group");
    svg.firstElementChild.style.maxWidth = `${Math.min(22, svg.firstElementChild.viewBox.baseVal.width / 9)}rem`; // a small board is not blown up
    element("board").replaceChildren(svg.firstElementChild);
    const rules = found.rules[game.board];
    element("intro").replaceChildren(...introduce());
    element("rules-title").textContent = `The rules: ${rules.title}`;
    element("short").hidden = !rules.says;
    element("short").replaceChildren(make("b", {}, "In short:"), ` ${rules.says}`);
    element("rules").replaceChildren(...rules.clauses.map(([text, place]) => make("li", {}, `${text} `, make("span", { class: "place" }, `(${place})`))));
    element("rules-from").replaceChildren(find(`[data-rules="${rules.id}"]`));
    element("game").value = key;
    element("play").hidden = false;
    return true;
  }

  async function start(key) {
    if (!await choose(key)) return;
    answer();
    update();
  }

  /** Show what a fragment says: the game, and the moves of both players from the start. */
  async function restore(wanted) {
    if (!wanted.has("game")) return;
    const key = wanted.get("game"), odd = [...wanted.keys()].find((each) => !["game", "moves"].includes(each));
    const isOpen = game?.key === key && app.getAttribute("aria-busy") === "false"; // the browser's Back, or a move of the list
    line = isOpen ? [] : line;
    picked = [];
    if (!isOpen && !await choose(key)) {
      const { games } = await load();
      if (!games.some((each) => each.key === key)) warn(`The link asks for a game ${quote(key)}, which this report does not offer.`);
      return;
    }
    let trouble = odd === undefined ? "" : `The link has ${quote(odd)}, which is unknown here.`;
    for (const text of trouble ? [] : (wanted.get("moves") || "").split(" ").filter(Boolean).slice(0, LONGEST)) {
      const edge = game.edgesAt(here()).find((each) => each.text === text);
      if (!edge) {
        trouble = `The link cannot be followed to its end: ${quote(text)} is not a move after ${counted(line.length, "move")}. You see the last position that it reaches.`;
        break;
      }
      push(edge);
    }
    answer();
    show();
    warn(trouble);
    const { top, bottom } = app.getBoundingClientRect();
    if (top > innerHeight || bottom < 0) app.scrollIntoView();
  }

  const copy = () => copyAddress(`#cells?${query(line.length)}`, element);

  /** Play the move whose spots the reader has clicked, or wait for its next spot. */
  function click(cell) {
    const moves = choices(), name = cell.dataset.cell;
    const begins = (parts) => moves.filter(({ text }) => parts.every((part, index) => text.split("-")[index] === part));
    picked = begins([...picked, name]).length ? [...picked, name] : picked.length && begins([name]).length ? [name] : [];
    const [edge, ...others] = picked.length ? begins(picked) : [];
    if (edge && !others.length && edge.text === picked.join("-")) play(edge);
    else showBoard();
  }

  element("board").addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (cell && game.clicks) click(cell);
  });
  element("game").addEventListener("change", () => { if (element("game").value) start(element("game").value); });
  element("back").addEventListener("click", back);
  element("restart").addEventListener("click", () => start(game.key));
  element("copy").addEventListener("click", copy);
  app.querySelector(".cells-rules").open = matchMedia("(min-width: 45rem)").matches;
  app.hidden = false;
  onFragment("cells", restore);
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    load();
  }, { rootMargin: "800px" });
  watcher.observe(app);
})();
