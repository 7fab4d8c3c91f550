// The explorer's certificates as games. This file has no rules and no strategies: a game takes its moves from the data of
// explorer.py, and its board takes the rules from a table.
"use strict";

const explorerGames = (() => {
  const app = document.getElementById("explorer-app");
  const NEVER = -1; // verifier/graph/plays.py

  // -- the board: a position of the game (verifier/presentation/family.py), and what the table says about it ---------------

  function makeRules(table) {
    const ANYWHERE = table.groups.length - 1;
    const other = (player) => (player === "X" ? "O" : "X");
    const turn = (board) => (board.ply % 2 ? "O" : "X");

    /** Return a position with its winner, the spots that may be marked, and the words for where they are. */
    function settle(state) {
      const free = (group) => table.groups[group].spots.filter((spot) => state.places[spot] === ".");
      const holder = state.places[state.places.length - 1].replace(".", "");
      const group = free(state.group).length ? state.group : ANYWHERE;
      const winner = holder && table.loses ? other(holder) : holder;
      return { ...state, group, holder, winner, open: holder ? [] : free(group), where: table.groups[group].where };
    }

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

    /** Return the sets of spots by which the owner of a place has won it. */
    const setsOf = (board, place) => table.sets.filter(([target, ...set]) => target === place
      && board.places[place] !== "." && set.every((each) => board.places[each] === board.places[place])).map(([, ...set]) => set);

    /** Return the sets that won the game, and the spots that won the places of these sets. */
    function wonBy(board) {
      const lines = setsOf(board, board.places.length - 1);
      return { lines, spots: lines.flat().flatMap((place) => setsOf(board, place).flat()) };
    }

    return { turn, settle, putMark, refusal, wonBy, spotNames: table.spots, inLine: table.in_line };
  }

  // -- lists of numbers (explorer.py) ----------------------------------------------------------------------------------

  async function unpack(packed) {
    const lists = await inflate(packed).json();
    for (const list of Object.values(lists)) list.forEach((step, at) => { list[at] = step + (at ? list[at - 1] : 0); });
    return lists;
  }
  function starts(counts) {
    const first = new Uint32Array(counts.length + 1);
    for (let i = 0; i < counts.length; i += 1) first[i + 1] = first[i] + counts[i];
    return first;
  }

  // -- games: what a certificate says about a place in its plays ---------------------------------------------------------
  // A game is an object with these members. A sentence is a list of texts and links.
  // - you: the reader's player; names: the names of the players; rules; start: a board; root: the place of this board.
  // - last: the last ply that the game's proof is about; ofAll: this ply in words.
  // - legal(place, board): a Map from each move to {place, told, words, rank}. "told" is the text in the spot. A move
  //   with a higher "rank" is better: against a strategy it holds out longer, against a bound it could win sooner.
  // - isExact(board): whether proofs give these ranks; best: the name of the button that plays the move of highest rank.
  // - answer(place, board): {move, place, rule}, or {end: sentence} if play has ended.
  // - facts(place, step, board): rows of the panel; intro: a sentence; told(board): a sentence that explains the texts.
  // - isOver(board): whether the certificate says nothing about what follows; remark(board): a text that says so. Only
  //   games against bounds have these two.
  // - moves, below, wins, ending and explain: for the strategy tree. Only games against strategies have these.

  /** Return a link to a claim. The page has such links as templates, because only it knows where the claim is. */
  const cite = (claim) => app.querySelector(`.explorer-claims [data-claim="${claim}"]`).cloneNode(true);
  const citeAll = (claims) => claims.flatMap((claim, index) => [...(index ? [", "] : []), cite(claim)]);
  const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

  /** Play against a strategy that wins. A place is the number of a stored position, and where the spots of this position lie on the board. */
  async function playsGame(data, rules) {
    const list = await unpack(data.lists);
    const first = starts(list.count);
    const { names } = data;
    const claimant = names[data.claimant];
    const same = rules.spotNames.map((_, spot) => spot);

    /** Return the moves that the certificate has from a place. A permutation maps the board after a move to the stored position. */
    function moves({ number, lie }) {
      return [...Array(list.count[number]).keys()].map((index) => {
        const edge = first[number] + index, next = Array(lie.length);
        (data.turns.length ? data.turns[list.turn[edge]] : same).forEach((to, from) => { next[to] = lie[from]; });
        return { move: lie[list.move[edge]], rule: data.rules[list.rule[edge]], place: { number: list.to[edge], lie: next } };
      });
    }

    /** Return how many positions come after a place. */
    function below({ number }) {
      const met = new Uint8Array(list.count.length), left = [number];
      let found = 0;
      for (let at = left.pop(); at !== undefined; at = left.pop()) {
        for (let edge = first[at]; edge < first[at + 1]; edge += 1) {
          const to = list.to[edge];
          if (!met[to]) { met[to] = 1; found += 1; left.push(to); }
        }
      }
      return found;
    }

    /** Return the earliest and the latest ply at which the claimant wins, if he wins every play from a place; else null. */
    function wins({ number }, board) {
      if (list.longest[number] === NEVER) return null;
      return [list.shortest, list.longest].map((plies) => board.ply + plies[number]);
    }

    const byWhat = data.title
      ? `${claimant} plays “${data.title}” (${data.place}). Each of his moves comes from the certificate that the kernel has checked for `
      : `${claimant} plays by the table of moves that the kernel has checked for `;
    return {
      you: data.claimant === "X" ? "O" : "X",
      last: data.by,
      ofAll: `of at most ${data.by}`,
      isExact: () => true,
      best: "Play the longest defence",
      names,
      rules,
      start: rules.settle(data.start),
      root: { number: 0, lie: same },
      intro: [byWhat, ...citeAll(data.claims), `: ${data.title ? "he" : claimant} wins by ply ${data.by}, whatever you play.`],
      told: () => ["The number in a spot is the ply at which you lose if you play there and then defend as well as you can."],
      legal(place, board) {
        return new Map(moves(place).map(({ move, place: to }) => {
          const ply = list.longest[to.number] === NEVER ? 0 : board.ply + 1 + list.longest[to.number];
          return [move, { place: to, told: ply || "", words: `until ply ${ply}`, rank: ply }];
        }));
      },
      answer(place) {
        if (list.count[place.number]) return moves(place)[0];
        return { end: [`${this.ending(place)}.`] };
      },
      moves,
      below,
      wins,
      ending: (place) => data.ends[list.end[place.number]].replace(/^[XO]/, (player) => names[player]),
      explain: (rule) => ({ says: data.says[rule] || "", place: data.places[rule] || "" }),
      facts({ number }, step, board) {
        const rows = [];
        if (step && step.rule) {
          const says = data.says[step.rule] || `“${step.rule.replace(/^[^.]*\./, "")}”`, place = data.places[step.rule];
          rows.push([`${claimant}’s rule`, `${says}${place ? ` (${place})` : ""}`, "rule"]);
        }
        const [soon, late] = wins({ number }, board) || [];
        if (list.longest[number] > 0) {
          rows.push([`${claimant} wins`, soon === late ? `at ply ${soon}` : `at ply ${soon} at the earliest, ${late} at the latest`, "win"]);
        }
        return rows;
      },
    };
  }

  /** Play as Xavier, against answers that keep him from winning by a ply. A place has no data: the board says everything. */
  function raceGame(data, rules, race) {
    const ply = data.through;
    const left = (board) => Math.max(0, Math.floor((ply + 1) / 2) - Math.floor((board.ply + 1) / 2));
    /** Return the earliest ply at which Xavier could win if Olivia did not hinder him. */
    const soonest = (board) => (board.winner ? board.ply : board.ply + 2 * race.needs(board).fewest - (board.ply % 2 ? 0 : 1));
    // -- the first mark: what proofs say about it, and nothing else
    const { first } = data;
    const isFirst = (board) => Boolean(first) && board.ply === data.start.ply;
    function firstMark(move) {
      if (move === first.wins.spot) return { told: first.by, words: `it keeps a win by ply ${first.by}`, rank: 1 };
      const fails = first.fails.some(({ spots }) => spots.includes(move));
      return fails ? { told: "–", words: `it does not win by ply ${first.by}`, rank: -1 } : { told: "", words: "", rank: 0 };
    }
    function sayFirst() {
      const { by, wins, fails } = first, count = 1 + fails.flatMap(({ spots }) => spots).length;
      const rest = count < rules.spotNames.length ? " No claim of this report says anything about the other spots." : "";
      const dash = fails.length ? ["; a dash, that she can keep you from it (", ...citeAll(fails.map(({ claim }) => claim)), ")"] : [];
      return [`Your first mark: ${by} says that you can still force a win by ply ${by} (`, ...citeAll(wins.claims), ")", ...dash, `. All of this is proved.${rest}`];
    }
    return {
      you: "X",
      last: ply,
      ofAll: `of the ${ply} that the proof is about`,
      isExact: isFirst,
      best: "Play the fastest attack",
      names: data.names,
      rules,
      start: rules.settle(data.start),
      root: {},
      intro: [`Against ${data.names.O}’s answers you will not have won by ply ${ply}, whatever you play: `, ...citeAll(data.claims),
        data.proved ? ", which is proved. " : ", which is supported, not proved: the claim says what you have to trust. ",
        "The answers come from the tables of the certificate. When you have few marks left, the kernel tries every move, and so does this page."],
      told(board) {
        if (isFirst(board)) return sayFirst();
        if (this.isOver(board)) return [`Nothing is proved about the moves after ply ${ply}.`];
        const isNew = Boolean(first) && board.ply === data.start.ply + 2;
        return [`${isNew ? "The texts in the spots now mean something else than before your first mark. " : ""}For example, “≥19” means that after this mark you cannot win before ply 19, even if she does not hinder you. A dash means that you cannot win by ply ${ply}.`];
      },
      legal(_, board) {
        if (isFirst(board)) return new Map(board.open.map((move) => [move, { place: {}, ...firstMark(move) }]));
        if (this.isOver(board)) return new Map(board.open.map((move) => [move, { place: {}, told: "", words: "", rank: -soonest(rules.putMark(board, move)) }]));
        return new Map(board.open.map((move) => {
          const at = soonest(rules.putMark(board, move)), isLate = at > ply;
          return [move, { place: {}, told: isLate ? "–" : `≥${at}`, words: isLate ? `no win by ply ${ply}` : `no win before ply ${at}`, rank: -at }];
        }));
      },
      answer(_, board) {
        if (!board.open.length) return { end: ["The board is full."] };
        if (this.isOver(board)) return { move: race.goOn(board), place: {}, rule: `from no proof: the page looks at most ${race.AHEAD} of your marks ahead` };
        const { move, isListed } = race.answer(board, left(board));
        return { move, place: {}, rule: isListed ? "from the table of the certificate" : "found by trying every move, as the kernel does" };
      },
      isOver: (board) => board.ply >= ply,
      remark(board) {
        if (!this.isOver(board) || board.ply > ply + 1) return "";
        const held = ` Ply ${ply}, and you have not won: ${data.names.O} has held out.`;
        return board.open.length ? `${held} You can play on to the end, but nothing is proved about it.` : held;
      },
      facts(_, step, board) {
        if (board.winner) return [];
        if (this.isOver(board)) return step && step.rule ? [["Her answer", step.rule, "rule"]] : [];
        const { fewest, line, marks } = race.needs(board), rest = left(board);
        const need = line ? `at least ${counted(fewest, "more mark")} (fields ${line.join(", ")}: ${marks.join(" + ")})` : "more than the board has: no line of fields is left";
        return [
          ...(step && step.rule ? [["Her answer", step.rule, "rule"]] : []),
          ["You need", need, "needs"],
          ["You have", `${counted(rest, "mark")} left up to ply ${ply}${fewest > rest ? ": too few, whatever she plays" : ""}`, "plies"],
        ];
      },
    };
  }

  /** Return a map from the key of each game of the page to the function that opens the game. */
  function openGames(data) {
    const tables = data.tables.map(makeRules);
    let race = null;
    function openRace() {
      const { cells, ...rest } = data.replies;
      const [spots, fields] = cells.map(({ packed }) => readBytes(packed));
      return explorerRace(data.tables[0], { ...rest, spots, fields, thirds: cells.map(({ third }) => third) });
    }
    return new Map(data.games.map((game) => [game.key, async () => {
      if (game.lists) return playsGame(game, tables[game.board]);
      race = race || openRace();
      return raceGame(game, tables[game.board], race);
    }]));
  }

  let opened = null;
  /** Return the data of the page, and its games, each of which is unpacked once. */
  function readGames() {
    if (opened) return opened;
    const data = readData("explorer-data"), found = new Map();
    for (const [key, open] of openGames(data)) {
      let game = null;
      found.set(key, () => { game = game || open(); return game; });
    }
    opened = { data, choices: found };
    return opened;
  }

  return { openGames, readGames };
})();
