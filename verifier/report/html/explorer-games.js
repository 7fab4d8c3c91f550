// What the explorer's certificates say, as games: each follows a graph of numbers that explorer.py has made, and the board
// follows a table. Nothing here knows a rule or a strategy.
"use strict";

const explorerGames = (() => {
  const NAMES = { X: "Xavier", O: "Olivia" };
  const NONE = 255;

  // -- the board: a state of play (verifier/presentation/table.py), and what follows from it by the table -----------------

  const table = readData("explorer-table");
  const ANYWHERE = table.groups.length - 1;

  /** Return a state with who has won, the spots that may be marked, and where these are. */
  function settle(state) {
    const free = (group) => table.groups[group].spots.filter((spot) => state.places[spot] === ".");
    const winner = state.places[state.places.length - 1].replace(".", "");
    const group = free(state.group).length ? state.group : ANYWHERE;
    return { ...state, winner, open: winner ? [] : free(group), where: table.groups[group].where };
  }
  const turn = (board) => (board.ply % 2 ? "O" : "X");

  /** Return the board after a mark. */
  function putMark(board, move) {
    const player = turn(board);
    const places = [...board.places];
    places[move] = player;
    for (const [target, ...set] of table.sets) {
      if (places[target] === "." && set.every((place) => places[place] === player)) places[target] = player;
    }
    return settle({ places: places.join(""), group: table.sends[move], ply: board.ply + 1 });
  }

  /** Say why a spot cannot be played, or "" if the rules allow it. */
  function refusal(board, move) {
    if (!board.open.length) return "the game is over";
    if (board.places[move] !== ".") return "the spot is taken";
    return board.open.includes(move) ? "" : `the next mark goes to ${board.where}`;
  }

  /** Return the sets that the player who holds a place has taken it by. */
  const setsOf = (board, place) => table.sets.filter(([target, ...set]) => target === place
    && board.places[place] !== "." && set.every((other) => board.places[other] === board.places[place])).map(([, ...set]) => set);

  /** Return the sets that won a game, and the spots of those that won their places. */
  function wonBy(board) {
    const lines = setsOf(board, board.places.length - 1);
    return { lines, spots: lines.flat().flatMap((place) => setsOf(board, place).flat()) };
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
  // told (what the numbers in the spots say), lasts(place, ply) -> the ply until which a move that leads there lasts.
  // Sentences are lists of texts and links.

  /** Return a link to a claim, or its name where the report is not about it. */
  const cite = (claim) => (document.getElementById(`claim-${claim}`) ? make("a", { href: `#claim-${claim}` }, claim) : claim);
  const citeAll = (claims) => claims.flatMap((claim, index) => [...(index ? [", "] : []), cite(claim)]);

  /** Play against a strategy that wins: a place is the number of a position. */
  function playsGame(data) {
    const list = {};
    for (const key of ["count", "end", "shortest", "longest", "move"]) list[key] = bytes(data[key]);
    for (const key of ["state", "to", "rule"]) list[key] = wide(data[key]);
    const first = starts(list.count);
    const you = data.claimant === "X" ? "O" : "X";
    const claimant = NAMES[data.claimant];

    /** Return how the properties stand that are promised in a position. */
    function properties(place) {
      const [holds, promised] = data.states[list.state[place]];
      const items = data.properties.flatMap(({ name }, bit) => {
        const word = (holds >> bit) & 1 ? "holds" : "fails";
        return (promised >> bit) & 1 ? [make("li", { class: word }, `${name} ${word}`)] : [];
      });
      return items.length ? make("ul", { class: "explorer-properties" }, ...items) : "none is promised here";
    }

    const follow = (edge) => ({ move: list.move[edge], place: list.to[edge], rule: data.rules[list.rule[edge]] });
    return {
      you,
      start: settle(data.start),
      root: 0,
      properties: data.properties,
      intro: [`${claimant} plays “${data.title}” (${data.place}). Each of his moves comes from the certificate that the `
        + "kernel has checked for ", ...citeAll(data.claims), `: he wins by ply ${data.by}, whatever you play. Try to beat ${data.by}.`],
      told: `The number in a spot is the ply until which you last if you mark it and then play as well as can be.`,
      legal(place) {
        const moves = new Map();
        for (let edge = first[place]; edge < first[place + 1]; edge += 1) moves.set(list.move[edge], list.to[edge]);
        return moves;
      },
      lasts: (to, ply) => (list.longest[to] === NONE ? 0 : ply + list.longest[to]),
      answer(place) {
        if (list.count[place]) return follow(first[place]);
        return { end: [`${data.ends[list.end[place]].replace(/^[XO]/, (player) => NAMES[player])}.`] };
      },
      facts(place, step, board) {
        const rows = [];
        if (step && step.rule) {
          const where = [data.places[step.rule], step.rule].filter(Boolean).join("; ");
          rows.push([`${claimant}’s rule`, `${data.says[step.rule] || ""} (${where})`.trim(), "rule"]);
        }
        if (list.shortest[place] !== NONE && list.longest[place] !== NONE && list.longest[place]) {
          const [soon, late] = [list.shortest, list.longest].map((plies) => board.ply + plies[place]);
          rows.push([`${claimant} wins`, soon === late ? `at ply ${soon}` : `at ply ${soon} at the soonest, ${late} at the latest`, "win"]);
        }
        if (data.properties.length) rows.push(["Properties", properties(place), "properties"]);
        return rows;
      },
    };
  }

  /** Play against replies that keep Xavier from winning by a ply: a place is a node, and how its board lies on this one. */
  function repliesGame(data, challenge) {
    const list = data.lists || (data.lists = {
      reply: bytes(data.reply), proof: wide(data.proof), count: bytes(data.count), move: bytes(data.move), to: wide(data.to),
    });
    const first = data.first || (data.first = starts(list.count));
    const ENDS = 2;
    const same = data.symmetries[0];
    const ply = challenge.through;
    const left = (board) => Math.max(0, Math.floor((ply + 1) / 2) - Math.floor((board.ply + 1) / 2));
    /** Return the sentence that says what is shown from here on, and by what. */
    const shown = (proof, what) => [
      ...what, cite(proof.claim), ` shows that you do not win by ply ${proof.through} then`,
      ...(proof.through > ply ? [`, so not by ply ${ply} either`] : []),
      proof.proved ? ": the kernel has decided every continuation." : ": that is supported, not proved.",
      " The page names no more of her moves, so play ends here.",
    ];
    // How many plies are named from a node on, her reply the first of them.
    const plies = data.plies || (data.plies = new Uint8Array(list.count.length));
    function depth(node) {
      const at = node - ENDS;
      if (at < 0) return 0;
      if (!plies[at]) {
        plies[at] = 1;
        for (let edge = first[at]; edge < first[at + 1]; edge += 1) plies[at] = Math.max(plies[at], 2 + depth(list.to[edge]));
      }
      return plies[at];
    }
    return {
      you: "X",
      start: settle(challenge.start),
      root: { node: challenge.node, lie: same, isHis: true },
      intro: ["Olivia’s replies come from the certificate of ", cite(challenge.claim),
        challenge.whole ? ": however you play" : ": after a first move that counts there, which is not each of them, and however you play then",
        `, she can keep you from winning by ply ${ply}. `
        + (challenge.proved ? "The kernel has decided all of it. " : "That is supported, not proved: what has to be believed stands with the claim. ")
        + "Play ends early: where too few marks are left to you, or where the page has no more of her moves. "
        + "Boards that a symmetry takes to each other are one in the certificate."],
      told: "The number in a spot is the ply up to which the page can still name her answers after that mark.",
      legal(place) {
        if (!place.isHis) return new Map();
        const moves = new Map();
        const at = place.node - ENDS;
        for (let edge = first[at]; edge < first[at + 1]; edge += 1) {
          const symmetry = data.turned[edge];
          const lie = symmetry === undefined ? place.lie : data.symmetries[symmetry].map((move) => place.lie[move]);
          moves.set(place.lie[list.move[edge]], { node: list.to[edge], from: at, lie, isHis: false });
        }
        return moves;
      },
      lasts: (to, at) => at + depth(to.node),
      answer(place, board) {
        const marks = left(board);
        const more = `You can place ${marks} more mark${marks === 1 ? "" : "s"} up to ply ${ply}`;
        if (place.node === 0 || !marks) {
          return { end: [`${more}, and they are too few: she can keep you from winning by then.`] };
        }
        if (place.node === 1) return { end: shown(data.proofs[list.proof[place.from]], [`${more}. `]) };
        const at = place.node - ENDS;
        return { move: place.lie[list.reply[at]], place: { ...place, isHis: true }, rule: "" };
      },
      facts(place, step, board) {
        return [["Olivia holds", `to ply ${ply}${challenge.whole ? "" : " after first moves that count"}${challenge.proved ? "" : " (supported)"}`, "win"], ["Your marks left", String(left(board)), "plies"]];
      },
    };
  }

  return { NAMES, cite, citeAll, playsGame, putMark, refusal, repliesGame, spotNames: table.spots, inLine: table.in_line, turn, wonBy };
})();
