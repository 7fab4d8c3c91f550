// Statements that count (section 8).

import { integer, list, need, object, text } from "./files.mjs";
import { Formulas } from "./formulas.mjs";
import { makeGame } from "./games.mjs";

const MOST_MEMBERS = 100_000;

export function checkCount(folder, statement, verdict, evidence) {
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
