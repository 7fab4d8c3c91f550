// Formulas and terms (section 4), made into functions of a position.

import { fail, integer, need } from "./files.mjs";

const MOST_NODES = 200_000;
const MOST_NODES_TOGETHER = 4_000_000;
const COMPARE = {
  "==": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b,
  "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
};

// `word(name, indices)` gives the function of a word and the nodes that it counts besides its own, or undefined. `old` is
// malformed in all statements that this checker decides.
export class Formulas {
  constructor(word, named = []) {
    this.word = word;
    this.raw = named;
    this.entries = [];
    this.used = new Set();
    this.together = 0;
    for (const entry of named) {
      need(Array.isArray(entry) && entry[0] !== "use", "malformed", "not an entry");
      const part = this.part(entry);
      // A position is an object that never changes: the value of an entry is kept for the one that was asked last.
      let last, value;
      this.entries.push({ ...part, run: (p) => (p === last ? value : (value = part.run(p), last = p, value)) });
    }
  }

  formula(value) {
    const part = this.part(value);
    need(part.sort === "formula", "malformed", "a term");
    this.together += part.nodes;  // entries count where they are used
    need(this.together <= MOST_NODES_TOGETHER, "malformed", "formulas too large");
    return part.run;
  }
  finish() {
    for (let n = 0; n < this.raw.length; n++) need(this.used.has(n), "malformed", `entry ${n} is not used`);
  }

  part(value) {
    const leaf = (sort, run, depth, more = 0) => ({ sort, run, depth, nodes: 1 + more });
    if (typeof value === "boolean") return leaf("formula", () => value, -1);
    if (typeof value === "number") {
      integer(value, -1_000_000, 1_000_000);
      return leaf("term", () => value, -1);
    }
    need(Array.isArray(value) && typeof value[0] === "string", "malformed", "not a formula");
    const [name, ...rest] = value;
    if (name === "use") {
      need(rest.length === 1 && Number.isInteger(rest[0]) && rest[0] >= 0 && rest[0] < this.entries.length, "malformed", "use");
      this.used.add(rest[0]);
      return this.entries[rest[0]];
    }
    if (name === "ply") {
      need(rest.length === 0, "malformed", "ply");
      return leaf("term", (p) => p.ply, 0);
    }
    const operator = OPERATORS[name];
    if (!Object.hasOwn(OPERATORS, name)) {
      need(rest.every(Number.isInteger), "malformed", "indices");
      const word = this.word(name, rest) ?? fail("malformed", `no word ${JSON.stringify(value)}`);
      return leaf("formula", word.run, 0, word.more ?? 0);
    }
    const parts = rest.map((part) => this.part(part));
    need(operator.count === undefined || parts.length === operator.count, "malformed", "number of parts");
    for (const part of parts) need(part.sort === operator.of, "malformed", "sort of a part");
    const depth = parts.reduce((deepest, part) => Math.max(deepest, part.depth), -1) + 1;
    const nodes = parts.reduce((sum, part) => sum + part.nodes, 1 + (operator.more ?? 0));
    need(depth <= 60 && nodes <= MOST_NODES, "malformed", "a formula too large");
    return { sort: operator.sort ?? "formula", run: operator.make(parts.map((part) => part.run)), depth, nodes };
  }
}

const some = (parts, wanted) => (p) => {
  for (let i = 0; i < parts.length; i++) if (parts[i](p) === wanted) return wanted;
  return !wanted;
};
const howMany = (parts) => (p) => {
  let sum = 0;
  for (let i = 0; i < parts.length; i++) if (parts[i](p)) sum++;
  return sum;
};
const OPERATORS = {
  not: { of: "formula", count: 1, make: ([a]) => (p) => !a(p) },
  and: { of: "formula", make: (parts) => some(parts, false) },
  or: { of: "formula", make: (parts) => some(parts, true) },
  implies: { of: "formula", count: 2, make: ([a, b]) => (p) => !a(p) || b(p) },
  iff: { of: "formula", count: 2, make: ([a, b]) => (p) => a(p) === b(p) },
  "exactly-one": { of: "formula", more: 2, make: (parts) => { const sum = howMany(parts); return (p) => sum(p) === 1; } },
  sum: { of: "formula", sort: "term", more: 2, make: howMany },
  "+": { of: "term", sort: "term", more: 2, make: (parts) => (p) => parts.reduce((sum, part) => sum + part(p), 0) },
  "-": { of: "term", sort: "term", more: 2, count: 2, make: ([a, b]) => (p) => a(p) - b(p) },
};
for (const [sign, compare] of Object.entries(COMPARE)) {
  OPERATORS[sign] = { of: "term", count: 2, make: ([a, b]) => (p) => compare(a(p), b(p)) };
}

// A formula of one board with each `use` replaced by its entry, each index s by moved[s], and the parts whose order does
// not matter in order: two formulas say the same (section 7) if these texts are equal.
const UNORDERED = new Set(["and", "or", "+", "sum", "exactly-one", "iff", "==", "!="]);
export function sayer(entries, moved) {
  const done = new Map();
  const say = (value) => {
    if (!Array.isArray(value)) return String(value);
    const [name, ...rest] = value;
    if (name === "use") {
      if (!done.has(rest[0])) done.set(rest[0], say(entries[rest[0]]));
      return done.get(rest[0]);
    }
    const parts = Object.hasOwn(OPERATORS, name) ? rest.map(say) : rest.map((s) => String(moved[s]));
    if (UNORDERED.has(name)) parts.sort();
    return `(${[name, ...parts].join(" ")})`;
  };
  return say;
}
