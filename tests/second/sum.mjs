// Statements about sums of boards (section 9).

import { distinct, entries, integer, list, need, object, oneOf, text } from "./files.mjs";
import { makeGame } from "./games.mjs";

const MOST_PAIRS = 300_000;
const MOST_RULES = 20_000;

function readWord(value) {
  need(/^[a-z]{0,12}$/.test(text(value)), "malformed", "a word");
  return value;
}

export function checkSum(folder, statement, verdict, evidence) {
  const raw = object(statement, ["kind", "rules", "last", "elements", "relations", "won", "types", "copies"]);
  const game = makeGame(raw.rules);
  need(game.family === "positional" && game.shared, "malformed", "rules");
  const clauses = JSON.stringify(raw.rules.get("outcomes"));
  need(clauses === "[]" || clauses === '[[["line"],"draw"]]', "malformed", "outcomes");
  const loses = oneOf(raw.last, "loses", "wins") === "loses";
  const orNull = (value, read) => (value === null ? null : read(value));
  const claimed = {
    elements: orNull(raw.elements, (n) => integer(n)),
    relations: orNull(raw.relations, (all) => list(all, (pair) => list(pair, readWord, 2, 2))),
    won: orNull(raw.won, (all) => list(all, readWord)),
    types: entries(raw.types, (position, word) => [game.key(game.readPosition(position)), readWord(word)]),
    copies: entries(raw.copies, (position, copies) => {
      const [first, pattern] = list(copies, (v) => v, 2, 2);
      return [game.key(game.readPosition(position)), integer(first, 0, 100), list(pattern, (b) => oneOf(b, true, false), 1, 100)];
    }),
  };
  const number = (claimed.relations?.length ?? 0) + (claimed.won?.length ?? 0) + claimed.types.length + claimed.copies.length;
  const claims = [claimed.elements, claimed.relations, claimed.won].some((claim) => claim !== null);
  need((claims || claimed.types.length + claimed.copies.length > 0) && number <= 600, "malformed", "number of claims");
  const words = [...(claimed.relations ?? []).flat(), ...(claimed.won ?? []), ...claimed.types.map(([, word]) => word)];
  const letters = [...new Set(words.join(""))].sort();
  need(letters.length <= 8, "malformed", "letters");

  const given = object(evidence, ["product", "won", "types", "letters"]);
  const size = list(given.product, (v) => v, 2, 100).length;
  const element = (e) => integer(e, 0, size - 1);
  const product = list(given.product, (row) => list(row, element, size, size));
  const won = new Set(distinct(list(given.won, element)));
  const types = new Map(entries(given.types, (position, e) => [game.key(game.readPosition(position)), element(e)]));
  const meaning = new Map(entries(given.letters, (letter, e) => [letter, element(e)]));
  const named = verdict === "proved" ? letters : [];
  need(meaning.size === named.length && named.every((letter) => meaning.has(letter)), "malformed", "letters");

  needQuotient(game, product, won, types, loses);
  const typeOf = (key) => { need(types.has(key), "not-sum", "no such position"); return types.get(key); };
  const copiesHold = ([key, first, pattern]) => {
    let power = 0;
    for (let n = 0; n < first; n++) power = product[power][typeOf(key)];
    for (let n = 0; n < size * pattern.length; n++) {
      if (!won.has(power) !== pattern[n % pattern.length]) return false;
      power = product[power][typeOf(key)];
    }
    return true;
  };
  if (verdict === "refuted") {
    const wrong = (claimed.elements !== null && claimed.elements !== size) || !claimed.copies.every(copiesHold);
    need(wrong, "not-refuted");
    return;
  }
  const valueOf = (word) => [...word].reduce((e, letter) => product[e][meaning.get(letter)], 0);
  need(claimed.elements === null || claimed.elements === size, "not-sum", "elements");
  need(claimed.copies.every(copiesHold), "not-sum", "copies");
  need(claimed.types.every(([key, word]) => typeOf(key) === valueOf(word)), "not-sum", "types");
  if (claimed.won !== null) {
    const theirs = new Set(claimed.won.map(valueOf));
    need(theirs.size === won.size && [...theirs].every((e) => won.has(e)), "not-sum", "won");
  }
  if (claimed.relations !== null) {
    need(claimed.relations.every(([a, b]) => valueOf(a) === valueOf(b)), "not-sum", "a relation");
    const made = new Set([0]);
    for (const e of made) for (const letter of letters) made.add(product[e][meaning.get(letter)]);
    need(made.size === size, "not-sum", "letters that do not generate");
    need(countNormalForms(letters, claimed.relations, size) === size, "not-sum", "relations");
  }
}

// Steps 1 to 5: the evidence is the quotient.
function needQuotient(game, product, won, types, loses) {
  const all = product.map((_, e) => e);
  need(all.every((x) => product[0][x] === x && product[x][0] === x), "not-a-monoid", "unit");
  for (const x of all) for (const y of all) {
    need(product[x][y] === product[y][x], "not-a-monoid", "commutative");
    for (const z of all) need(product[product[x][y]][z] === product[x][product[y][z]], "not-a-monoid", "associative");
  }
  // A pair is (type, set of types), the set as a text of its elements in order.
  const pairs = new Map();
  const setText = (set) => [...new Set(set)].sort((a, b) => a - b).join();
  const add = (x, set) => {
    const text_ = setText(set);
    if (!pairs.has(`${x}:${text_}`)) pairs.set(`${x}:${text_}`, [x, text_ === "" ? [] : text_.split(",").map(Number)]);
    need(pairs.size <= MOST_PAIRS, "limit", "pairs");
  };
  const seen = new Map([[game.key(game.start), game.start]]);
  for (const [key, p] of seen) {
    need(types.has(key), "malformed", "a position without a type");
    const next = game.legalMoves(p).map((move) => game.play(p, move));
    for (const after of next) if (!seen.has(game.key(after))) seen.set(game.key(after), after);
    need(next.every((after) => types.has(game.key(after))), "malformed", "a position without a type");
    need(next.length > 0 || types.get(key) === 0, "malformed", "a type of no move");
    add(types.get(key), next.map((after) => types.get(game.key(after))));
  }
  need(seen.size === types.size, "unreachable-entry", "a position of no board");
  const boards = [...pairs.values()];
  add(0, []);
  for (const [x, s] of pairs.values()) {  // products with all boards: a Map is walked through to what is added meanwhile
    for (const [y, t] of boards) add(product[x][y], [...t.map((e) => product[x][e]), ...s.map((e) => product[e][y])]);
  }
  for (const [x, s] of pairs.values()) {
    need(won.has(x) === (!s.some((e) => won.has(e)) && !(loses && s.length === 0)), "not-closed", "won");
  }
  const met = new Set([...pairs.values()].map(([x]) => x));
  need(met.size === all.length, "not-reduced", "an element of no sum");
  distinct(all.map((x) => all.filter((z) => won.has(product[x][z])).join()), "not-reduced");
}

// The number of elements of the commutative monoid of the letters and relations, or more than `most` if there are more. Words
// are lists of exponents. The relations are completed to rules that take each word to one normal form (Buchberger).
function countNormalForms(letters, relations, most) {
  const exponents = (word) => letters.map((letter) => [...word].filter((c) => c === letter).length);
  const degree = (a) => a.reduce((sum, n) => sum + n, 0);
  const compare = (a, b) => {
    if (degree(a) !== degree(b)) return degree(a) - degree(b);
    const n = a.findIndex((_, i) => a[i] !== b[i]);
    return n < 0 ? 0 : a[n] - b[n];
  };
  const divides = (a, b) => a.every((n, i) => n <= b[i]);
  let rules = [];
  const normal = (a) => {
    for (;;) {
      const rule = rules.find(([from]) => divides(from, a));
      if (rule === undefined) return a;
      a = a.map((n, i) => n - rule[0][i] + rule[1][i]);
    }
  };
  const waiting = relations.map((pair) => pair.map(exponents));
  for (let done = 0; waiting.length > 0; done++) {
    need(done < MOST_RULES, "limit", "relations");
    const [a, b] = waiting.pop().map(normal);
    const order = compare(a, b);
    if (order === 0) continue;
    const rule = order > 0 ? [a, b] : [b, a];
    waiting.push(...rules.filter(([from]) => divides(rule[0], from)));
    rules = rules.filter(([from]) => !divides(rule[0], from));
    for (const [from, to] of rules) {
      const both = from.map((n, i) => Math.max(n, rule[0][i]));
      waiting.push([both.map((n, i) => n - from[i] + to[i]), both.map((n, i) => n - rule[0][i] + rule[1][i])]);
    }
    rules.push(rule);
  }
  const unit = letters.map(() => 0);
  const forms = new Map(rules.some(([from]) => divides(from, unit)) ? [] : [[unit.join(), unit]]);
  for (const form of forms.values()) {
    for (let i = 0; i < letters.length; i++) {
      const next = form.map((n, j) => (i === j ? n + 1 : n));
      if (!rules.some(([from]) => divides(from, next))) forms.set(next.join(), next);
    }
    if (forms.size > most) break;
  }
  return forms.size;
}
