// Statements that count (section 8).

import { integer, list, need, object, oneOf, text } from "./files.mjs";
import { Formulas } from "./formulas.mjs";
import { makeGame, moverAt } from "./games.mjs";
import { readPlay } from "./plays.mjs";
import { folding } from "./tables.mjs";

const MOST_MEMBERS = 100_000;

export function checkCount(folder, statement, verdict, evidence) {
  if (statement instanceof Map && statement.has("of")) return checkEnds(statement, verdict, evidence);
  const raw = object(statement, ["kind", "rules", "start", "count", "line", "members"]);
  object(evidence, []);
  const game = makeGame(raw.rules);
  const start = game.readPosition(raw.start);
  const claimed = integer(raw.count);
  need(text(raw.line).length <= 500, "malformed", "line too long");
  const variables = [...raw.line.matchAll(/\{([0-9]{1,3})\}/g)].map((found) => Number(found[1]));
  const formulas = new Formulas(game.word);
  const members = list(raw.members, (member) => {
    const [formula, box] = list(member, (v) => v, 2, 2);
    const values = list(box, (list_) => list(list_, (v) => integer(v)), Math.max(-1, ...variables) + 1, 500);
    return { holds: formulas.formula(formula), values };
  });
  const total = members.reduce((sum, { values }) => sum + values.reduce((product, list_) => product * list_.length, 1), 0);
  need(total >= 1 && total <= MOST_MEMBERS, "malformed", "number of members");
  need(!game.over(start), "vacuous-start");

  let number = 0;
  const counts = (holds, given) => {
    const line = raw.line.replace(/\{([0-9]{1,3})\}/g, (_, n) => String(given[Number(n)]));
    const moves = line.split(" ").filter((word) => word !== "").map(game.readMove);
    let p = start;
    for (const move of moves) {
      if (!game.isLegal(p, move)) return false;
      p = game.play(p, move);
    }
    return holds(p);
  };
  for (const { holds, values } of members) {
    if (values.some((list_) => list_.length === 0)) continue;
    const digits = values.map(() => 0);  // which value of each variable: all combinations, like the digits of a number
    for (let at = 0; at >= 0;) {
      if (counts(holds, digits.map((digit, n) => values[n][digit]))) number++;
      for (at = digits.length - 1; at >= 0 && ++digits[at] === values[at].length; at--) digits[at] = 0;
    }
  }
  need((number === claimed) === (verdict === "proved"), "not-the-count", `it is ${number}`);
}

// How many plays end as described, or in how many positions. The formulas are read as objectives of a statement about plays.
function checkEnds(statement, verdict, evidence) {
  const required = ["kind", "rules", "formulas", "start", "horizon", "strategies", "of", "counts"];
  const raw = object(statement, required, ["symmetries"]);
  object(evidence, []);
  const of = oneOf(raw.of, "plays", "ends");
  const counts = list(raw.counts, (entry) => {
    const [formula, digits] = list(entry, (v) => v, 2, 2);
    need(/^(0|[1-9][0-9]{0,3999})$/.test(text(digits)) && !digits.endsWith("\n"), "malformed", "digits");
    return { formula, digits };
  }, 1, 50);
  const objectives = counts.map(({ formula }, n) =>
    new Map(Object.entries({ name: String(n), type: "keep", at: ["every"], holds: formula })));
  const plays = new Map(["rules", "formulas", "start", "horizon", "strategies"].map((key) => [key, statement.get(key)]));
  for (const [key, value] of Object.entries({ kind: "play", claimant: "X", objectives })) plays.set(key, value);
  const claim = readPlay(plays);
  const { game, start, horizon } = claim;
  const goals = { ...claim, objectives: claim.objectives.map((o) => ({ ...o, type: "reach" })) };
  const fold = raw.symmetries === undefined ? (p) => p : folding(goals, raw.symmetries);
  const hasEnded = (p) => p.ply >= horizon || game.over(p);
  need(!hasEnded(start), "vacuous-start");

  const found = counts.map(() => 0n);
  const met = new Set();
  let level = new Map([[game.key(start), { p: start, ways: 1n }]]);
  for (let moved = 0; level.size > 0;) {
    const below = new Map();
    for (const { p, ways } of level.values()) {
      if (hasEnded(p)) {
        const end = game.key(fold(p));
        const times = of === "plays" ? ways : met.has(end) ? 0n : 1n;
        met.add(end);
        claim.objectives.forEach((o, n) => { if (o.holds(p)) found[n] += times; });
        continue;
      }
      const strategy = claim.strategies[moverAt(p.ply)];
      const moves = new Set(strategy ? strategy(p).map(({ move }) => move) : game.legalMoves(p));
      need(moves.size > 0, "stuck");
      moved += moves.size;
      need(moved <= 500_000, "limit", "moves in a count");
      for (const move of moves) {
        need(game.isLegal(p, move), "illegal-move");
        const after = game.play(p, move);
        const key = game.key(after);
        below.set(key, { p: after, ways: (below.get(key)?.ways ?? 0n) + ways });
      }
    }
    level = below;
  }
  const right = counts.every(({ digits }, n) => found[n] === BigInt(digits));
  need(right === (verdict === "proved"), "not-the-count", `they are ${found}`);
}
