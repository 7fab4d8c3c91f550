// Olivia's answers where Xavier cannot force a win by some ply. In all comments "he" is Xavier, and "she" is Olivia. If he
// has many marks left, the answers come from the certificate's tables, which verifier/search/retrieval.py packs. If he has
// few, the script tries every move, as the kernel does. verifier/kernel/race explains the steps, and why they are enough.
// "table" describes the game; it has the lines of the board.
"use strict";

/** Return answer(board, marks) -> {move, isListed}, needs(board) -> the marks that Xavier lacks, and goOn(board) -> a move. */
function explorerRace(table, data) {
  const NEVER = 100, ANY = 9, FULL = 511, OWN = 1 << 18, AHEAD = 4;
  const ALL = [...Array(9).keys()];
  const LINES = table.sets.filter(([target]) => target === 90).map(([, ...line]) => line.map((place) => place - 81));
  const MASKS = LINES.map((line) => line.reduce((mask, spot) => mask | 1 << spot, 0));
  const COUNT = Uint8Array.from({ length: 512 }, (_, mask) => ALL.filter((spot) => mask >> spot & 1).length);
  const SPOTS = Array.from({ length: 512 }, (_, mask) => ALL.filter((spot) => mask >> spot & 1));

  // -- a field is a number: nine bits for his marks, nine for other taken spots, and a bit if he owns it ---------------------
  const need = new Uint8Array(OWN).fill(NEVER); // the fewest marks with which he wins a field that is not his
  const coarse = ALL.slice(0, 4).map(() => new Uint32Array(OWN)); // coarse[n]: each field if he can spend n marks in it; lines that need more than n are blocked
  for (let his = 0; his < 512; his += 1) {
    for (let rest = 0; rest < 512; rest += 1) {
      if (his & rest) continue;
      const field = his | rest << 9;
      for (let spare = 3; spare >= 0; spare -= 1) {
        let open = 0;
        for (const line of MASKS) {
          const lacks = 3 - COUNT[line & his];
          if (line & rest || lacks > spare) continue;
          open |= line;
          need[field] = Math.min(need[field], lacks);
        }
        coarse[spare][field] = (his & open) | ((his | rest) & ~(his & open)) << 9;
      }
    }
  }
  const needOf = (field) => (field & OWN ? 0 : need[field]);
  const freeOf = (field) => FULL & ~(field | field >> 9);
  const coarsen = (field, spare) => (field & OWN ? field : coarse[spare][field]);
  const afterHers = (field, spot) => coarsen(field | 1 << spot + 9, 3);
  function afterHis(field, spot) {
    if (field & OWN) return field | 1 << spot + 9;
    const his = (field | 1 << spot) & FULL;
    return MASKS.some((line) => (line & his) === line) ? OWN | (his | field >> 9 & FULL) << 9 : coarsen(field | 1 << spot, 3);
  }
  const useful = new Map();
  function usefulOf(field) {
    if (!useful.has(field)) {
      useful.set(field, SPOTS[freeOf(field)].reduce((mask, spot) => mask | (needOf(afterHis(field, spot)) < needOf(field)) << spot, 0));
    }
    return useful.get(field);
  }

  // -- nine fields ---------------------------------------------------------------------------------------------------------
  /** Return how many marks he needs for each field, for a line through each field, and for the line that needs the fewest. Also return the fields in which no mark of his lowers this fewest number. */
  function totals(fields) {
    const needs = fields.map(needOf);
    const through = Array(9).fill(NEVER * 3);
    for (const line of LINES) {
      const sum = needs[line[0]] + needs[line[1]] + needs[line[2]];
      for (const field of line) if (sum < through[field]) through[field] = sum;
    }
    const fewest = Math.min(...through);
    let idle = 0;
    for (const field of ALL) if (!needs[field] || through[field] > fewest) idle |= 1 << field;
    return { needs, through, fewest, idle };
  }
  const coarsenAll = (fields, marks, { needs, through }) => fields.map((field, at) => coarsen(field, through[at] <= marks ? Math.max(0, Math.min(3, needs[at] + marks - through[at])) : 0));
  const toPlay = (active) => (active === ANY ? ALL : [active]);
  const sentTo = (fields, spot) => (freeOf(fields[spot]) ? spot : ANY);
  const canSend = (fields, active, mask) => toPlay(active).some((field) => SPOTS[freeOf(fields[field]) & mask & ~(1 << field)].some((spot) => freeOf(fields[spot])));

  // -- few marks left: every move is tried (kernel/race/endgame.py) -----------------------------------------------------------
  const won = new Map();

  /** Return her moves with scores. The least score is the best for her, and comes first. A score is below 0 if he then needs too many marks. */
  function weigh(fields, active, marks) {
    const found = [];
    for (const field of toPlay(active)) {
      const before = fields[field];
      for (const spot of SPOTS[freeOf(before)]) {
        fields[field] = afterHers(before, spot);
        const { fewest, through, idle } = totals(fields);
        const free = freeOf(fields[spot]);
        let score = 1000 * (marks - fewest) + (free ? 0 : 500) - (free && idle >> spot & 1 ? 1000 : 0);
        if (free && fewest < marks) score += 10 * COUNT[free];
        else if (free && through[spot] <= marks) score += 10 * COUNT[usefulOf(fields[spot])];
        found.push({ move: 9 * field + spot, score });
      }
      fields[field] = before;
    }
    return found.sort((one, other) => one.score - other.score || one.move - other.move);
  }

  /** Return a move of hers after which he cannot win with the given number of marks; undefined if there is no such move. */
  function holdingMove(fields, active, marks) {
    const found = weigh(fields, active, marks);
    if (!found.length || found[0].score < 0) return found[0]?.move;
    return found.find(({ move }) => {
      const field = Math.floor(move / 9), before = fields[field];
      fields[field] = afterHers(before, move % 9);
      const isWon = wins(fields, sentTo(fields, move % 9), marks);
      fields[field] = before;
      return !isWon;
    })?.move;
  }

  function holds(fields, active, marks) {
    const { fewest, idle } = totals(fields);
    if (fewest > marks || (fewest === marks && canSend(fields, active, idle))) return true;
    return !toPlay(active).some((field) => freeOf(fields[field])) || holdingMove(fields, active, marks) !== undefined;
  }

  function wins(fields, active, marks) {
    const all = totals(fields);
    const key = `${coarsenAll(fields, marks, all)} ${active} ${marks}`;
    if (!won.has(key)) won.set(key, hasWin(fields, active, marks, all));
    return won.get(key);
  }

  function hasWin(fields, active, marks, { fewest, through }) {
    return toPlay(active).some((field) => {
      const before = fields[field], helpful = usefulOf(before);
      const left = helpful ? Math.min(fewest, through[field] - 1) : fewest;
      if (left === 0) return true;
      if (left >= marks) return false;
      return SPOTS[fewest < marks ? freeOf(before) : helpful].some((spot) => {
        fields[field] = afterHis(before, spot);
        const isHeld = holds(fields, sentTo(fields, spot), marks - 1);
        fields[field] = before;
        return !isHeld;
      });
    });
  }

  // -- many marks left: the tables have the answer (verifier/search/retrieval.py) ----------------------------------------------
  function hash(numbers, seed) {
    let value = seed;
    for (const number of numbers) {
      value = Math.imul(value ^ number, 0x9E3779B1);
      value ^= value >>> 15;
    }
    value = Math.imul(value ^ value >>> 16, 0x85EBCA6B);
    return (value ^ value >>> 13) >>> 0;
  }
  const turnMask = (mask, way) => SPOTS[mask].reduce((turned, spot) => turned | 1 << way[spot], 0);
  const turn = (field, way) => turnMask(field & FULL, way) | turnMask(field >> 9 & FULL, way) << 9 | (field & OWN);

  function look(cells, [one, other], third) {
    const at = (index) => cells[index >> 1] >> 4 * (index & 1) & 15;
    const mixed = (one ^ Math.imul(other, 0x9E3779B1)) >>> 0;
    return at(one % third) ^ at(third + other % third) ^ at(2 * third + mixed % third);
  }

  /** Return the move that the tables have for a race. If they do not have the race, the move is arbitrary. */
  function listedMove(fields, active, marks) {
    const images = data.symmetries.map((way) => {
      const turned = Array(9);
      ALL.forEach((field) => { turned[way[field]] = turn(fields[field], way); });
      const numbers = [...turned, active === ANY ? ANY : way[active], marks];
      return { way, active: numbers[9], hashes: data.seeds.map((seed) => hash(numbers, seed)) };
    });
    const isLess = (one, other) => one.hashes[0] - other.hashes[0] || one.hashes[1] - other.hashes[1];
    const image = images.reduce((one, other) => (isLess(other, one) < 0 ? other : one));
    const spot = look(data.spots, image.hashes, data.thirds[0]);
    const field = active === ANY ? look(data.fields, image.hashes, data.thirds[1]) : image.active;
    return 9 * image.way.indexOf(field) + image.way.indexOf(spot);
  }

  // -- boards ------------------------------------------------------------------------------------------------------------------
  function fieldsOf({ places }) {
    return ALL.map((field) => {
      const mask = (mark) => ALL.reduce((found, spot) => found | (places[9 * field + spot] === mark) << spot, 0);
      const [his, hers, owner] = [mask("X"), mask("O"), places[81 + field]];
      if (owner === ".") return coarsen(his | hers << 9, 3);
      return (his | hers) << 9 | (owner === "X" ? OWN : 0);
    });
  }

  return {
    /** Return her answer, and whether it comes from a table; he has "marks" marks left. */
    answer(board, marks) {
      const fields = fieldsOf(board), active = board.group;
      const all = totals(fields);
      const isListed = marks >= data.least && !(all.fewest > marks || (all.fewest === marks && canSend(fields, active, all.idle)));
      const move = isListed ? listedMove(coarsenAll(fields, marks, all), active, marks) : holdingMove(fields, active, marks);
      return { move, isListed };
    },
    AHEAD,
    /** Return an answer after the ply of the bound. It keeps him from winning for as many of his next marks as possible, up to AHEAD marks. */
    goOn(board) {
      const fields = fieldsOf(board);
      let found;
      for (let marks = 0; marks <= AHEAD; marks += 1) {
        const move = holdingMove(fields, board.group, marks);
        if (move === undefined) break;
        found = move;
      }
      return found;
    },
    /** Return the fewest marks with which he could win if she did not hinder him, the line of fields, and the marks for each of its fields. */
    needs(board) {
      const { needs, fewest } = totals(fieldsOf(board));
      const line = LINES.find((fields) => fields.reduce((sum, field) => sum + needs[field], 0) === fewest);
      return { fewest, line, marks: line.map((field) => needs[field]) };
    },
  };
}
