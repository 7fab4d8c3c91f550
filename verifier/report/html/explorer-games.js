// What the explorer's certificates say, as games: each follows a graph of numbers that explorer.py has made. The one thing
// that is known here by itself is what a mark does to the board. Nothing here knows a strategy.
"use strict";

const explorerGames = (() => {
  const NAMES = { X: "Xavier", O: "Olivia" };
  const NONE = 255;

  // -- the board ------------------------------------------------------------------------------------------------------

  const name = (move) => `${Math.floor(move / 9)}.${move % 9}`;
  const number = (text) => 9 * Number(text[0]) + Number(text[2]);
  const readBoard = (text) => {
    const [marks, owners, active] = text.split(" ");
    return { cells: marks.replaceAll("/", ""), owners, active, last: null };
  };
  const count = (board) => board.cells.replaceAll(".", "").length;
  const turn = (board) => (count(board) % 2 ? "O" : "X");
  const winner = (board) => ["X", "O"].find((player) => hasLine(board.owners, player)) || "";
  const field = (board, f) => board.cells.slice(9 * f, 9 * f + 9);

  /** Return the board after a mark: who owns the field, and where the next player may play. */
  function putMark(board, move) {
    const player = turn(board);
    const marks = board.cells.slice(0, move) + player + board.cells.slice(move + 1);
    const after = { cells: marks, owners: board.owners, active: String(move % 9), last: name(move) };
    const f = Math.floor(move / 9);
    if (board.owners[f] === "." && hasLine(field(after, f), player)) {
      after.owners = board.owners.slice(0, f) + player + board.owners.slice(f + 1);
    }
    if (!field(after, move % 9).includes(".")) after.active = "*";
    if (winner(after) || !marks.includes(".")) after.active = "";
    return after;
  }

  /** Say why a spot cannot be played, or "" if the rules allow it. */
  function refusal(board, move) {
    if (!board.active) return "the game is over";
    if (board.active !== "*" && Number(board.active) !== Math.floor(move / 9)) return `the active field is ${board.active}`;
    return board.cells[move] === "." ? "" : "the spot is taken";
  }

  // -- lists of numbers ----------------------------------------------------------------------------------------------

  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  function wide(text) {
    const raw = bytes(text);
    const numbers = new Uint32Array(raw.length / 3);
    for (let i = 0; i < numbers.length; i += 1) numbers[i] = raw[3 * i] + 256 * raw[3 * i + 1] + 65536 * raw[3 * i + 2];
    return numbers;
  }
  function starts(counts) {
    const first = new Uint32Array(counts.length + 1);
    for (let i = 0; i < counts.length; i += 1) first[i + 1] = first[i] + counts[i];
    return first;
  }

  // -- games: what a certificate says of a place in it ------------------------------------------------------------------
  // A game has: you, start (a board), root (its place), legal(place) -> Map of move -> place, answer(place, board) ->
  // {move, place, rule} or {end: sentence}, facts(place, step, board) -> rows of the panel, intro (parts of a sentence);
  // where the claimant wins also best (the ply by which) and properties. Sentences are lists of texts and links.

  /** Return a link to a claim, or its name where the report is not about it. */
  const cite = (claim) => (document.getElementById(`claim-${claim}`) ? make("a", { href: `#claim-${claim}` }, claim) : claim);
  const citeAll = (claims) => claims.flatMap((claim, index) => [...(index ? [", "] : []), cite(claim)]);

  /** Play against a strategy that wins: a place is the number of a position. */
  function playsGame(data) {
    const list = {};
    for (const key of ["count", "end", "shortest", "longest", "move", "rule"]) list[key] = bytes(data[key]);
    for (const key of ["state", "to"]) list[key] = wide(data[key]);
    const first = starts(list.count);
    const you = data.claimant === "X" ? "O" : "X";
    const claimant = NAMES[data.claimant];

    /** Return how the named properties stand in a position: those that are promised there, and the others. */
    function properties(place) {
      const [speaks, holds, promised, later] = data.states[list.state[place]];
      const has = (mask, bit) => (mask >> bit) & 1;
      const groups = { here: [], early: [], past: [] };
      data.properties.forEach((property, bit) => {
        if (!has(speaks | promised, bit)) return;
        const isTrue = has(holds, bit);
        const group = has(promised, bit) ? "here" : has(later, bit) ? "early" : "past";
        const word = isTrue ? "holds" : group === "here" ? "fails" : "does not hold";
        groups[group].push(make("li", { class: group === "here" ? word : group }, `${property.name} ${word}`));
      });
      const parts = [["here", ""], ["early", "not yet promised:"], ["past", "no longer promised:"]].flatMap(([key, words]) => {
        if (!groups[key].length) return [];
        const items = make("ul", { class: "explorer-properties" }, ...groups[key]);
        return [make("div", { class: key }, ...(words ? [`${words} `] : []), items)];
      });
      if (parts.length) return make("div", {}, ...parts);
      const isHis = list.count[place] && data.rules[list.rule[first[place]]];
      return isHis ? `they are about positions in which ${NAMES[you]} is to move` : "none speaks of this position yet";
    }

    const follow = (edge) => ({ move: list.move[edge], place: list.to[edge], rule: data.rules[list.rule[edge]] });
    return {
      you,
      start: readBoard(`${Array(9).fill(".........").join("/")} ......... *`),
      root: 0,
      best: data.by,
      properties: data.properties,
      intro: [`${claimant} plays “${data.title}” (${data.place}). Each of his moves comes from the certificate that the `
        + "kernel has checked for ", ...citeAll(data.claims), `: he wins by ply ${data.by}, whatever you play. Try to beat ${data.by}.`],
      legal(place) {
        const moves = new Map();
        for (let edge = first[place]; edge < first[place + 1]; edge += 1) moves.set(list.move[edge], list.to[edge]);
        return moves;
      },
      answer(place) {
        if (list.count[place]) return follow(first[place]);
        return { end: [`${data.ends[list.end[place]].replace(/^[XO]/, (player) => NAMES[player])}.`] };
      },
      facts(place, step, board) {
        const rows = [];
        if (step && step.rule) {
          const where = data.places[step.rule];
          rows.push([`${claimant}’s rule`, `${step.rule}${where ? ` (${where})` : ""}`, "rule"]);
          rows.push(["Phase", step.rule.split(".")[0], "phase"]);
        }
        if (list.shortest[place] !== NONE && list.longest[place] !== NONE && list.longest[place]) {
          const ply = count(board);
          const [soon, late] = [ply + list.shortest[place], ply + list.longest[place]];
          rows.push([`${claimant} wins`, soon === late ? `at ply ${soon}` : `at ply ${soon} at the soonest, ${late} at the latest`, "win"]);
          const [few, many] = [list.shortest[place], list.longest[place]];
          rows.push(["From here", few === many ? `${few} plies` : `${few} to ${many} plies`, "plies"]);
        }
        if (data.properties.length) rows.push(["Properties", properties(place), "properties"]);
        return rows;
      },
    };
  }

  /** Play against replies that keep Xavier from winning by a ply: a place is a node, and how its board lies on this one. */
  function repliesGame(data, challenge) {
    const list = data.lists || (data.lists = {
      reply: bytes(data.reply), proof: bytes(data.proof), count: bytes(data.count), move: bytes(data.move), to: wide(data.to),
    });
    const first = data.first || (data.first = starts(list.count));
    const ENDS = 2;
    const same = [...Array(9).keys()];
    const turned = (lie, move) => 9 * lie[Math.floor(move / 9)] + lie[move % 9];
    const ply = challenge.through;
    const left = (board) => Math.max(0, Math.floor((ply + 1) / 2) - Math.floor((count(board) + 1) / 2));
    /** Return the sentence that says what is shown from here on, and by what. */
    const shown = (proof, what) => [
      ...what, cite(proof.claim), ` shows that you do not win by ply ${proof.through} then`,
      ...(proof.through > ply ? [`, so not by ply ${ply} either`] : []),
      ": every continuation was tried (the claim’s trust line says by whom). No more of her moves are named, so play ends here.",
    ];
    return {
      you: "X",
      start: readBoard(challenge.start),
      root: { node: challenge.node, lie: same, isHis: true },
      intro: ["Each of Olivia’s replies comes from the certificate that the kernel has checked for ", cite(challenge.claim),
        `: however you play, you do not win by ply ${ply}. `
        + "Play ends early: where too few marks are left to you, or where every continuation was tried and the certificate names no more "
        + "moves; after a first move that is no double, at once. Boards that a symmetry takes to each other are one in the certificate."],
      legal(place) {
        const moves = new Map();
        if (!place.isHis) return moves;
        const at = place.node - ENDS;
        for (let edge = first[at]; edge < first[at + 1]; edge += 1) {
          const symmetry = data.turned[edge];
          const lie = symmetry === undefined ? place.lie : [...data.symmetries[symmetry]].map((digit) => place.lie[Number(digit)]);
          moves.set(turned(place.lie, list.move[edge]), { node: list.to[edge], from: at, lie, isHis: false });
        }
        return moves;
      },
      answer(place, board) {
        const marks = left(board);
        const more = `You can place ${marks} more mark${marks === 1 ? "" : "s"} up to ply ${ply}`;
        if (place.node === 0) {
          return { end: [`${more}, too few to complete three fields in a line: you cannot win by then.`] };
        }
        if (place.node === 1) return { end: shown(data.proofs[list.proof[place.from]], [`${more}. `]) };
        const at = place.node - ENDS;
        const confine = data.confine[at];
        if (confine) {
          const [a, b] = confine.map((spot) => place.lie[spot]);
          return { end: shown(data.proofs[list.proof[at]], [
            `From here Olivia plays on spots ${a} and ${b} alone, whatever field she is sent to, so that you can play nowhere but in `
            + `fields ${a} and ${b}, until she finds neither spot free or few marks are left; which of the two comes first depends on `
            + "what you play, and the certificate does not list it. ",
          ]) };
        }
        return { move: turned(place.lie, list.reply[at]), place: { ...place, isHis: true }, rule: "" };
      },
      facts(place, step, board) {
        const marks = left(board);
        return [["Olivia holds", `to ply ${ply}`, "win"], ["Your marks left until then", String(marks), "plies"]];
      },
    };
  }

  return { NAMES, cite, citeAll, count, name, number, playsGame, putMark, refusal, repliesGame, turn, winner };
})();
