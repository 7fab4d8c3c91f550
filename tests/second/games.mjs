// The two families of games (section 3). A game reads and writes positions and moves, and plays. Positions are objects that
// never change; a move is a number: a spot, or nine times a field and a spot.

import { canonical, distinct, fail, integer, list, need, object, oneOf, text } from "./files.mjs";
import { Formulas } from "./formulas.mjs";

export const other = (player) => (player === "X" ? "O" : "X");
export const moverAt = (ply) => (ply % 2 ? "O" : "X");

export function makeGame(rules) {
  need(rules instanceof Map, "malformed", "rules");
  need(canonical(rules, ", ", ": ").length <= 200_000, "malformed", "rules too long");
  const game = oneOf(rules.get("family"), "nested", "positional") === "nested" ? nested(rules) : positional(rules);
  game.start = game.parse(game.startText);
  game.readPosition = (value) => {  // a well-formed position
    const position = game.parse(text(value));
    need(game.wellFormed(position), "malformed", `not well formed: ${value}`);
    return position;
  };
  need(!game.over(game.start), "malformed", "over before the first mark");
  return game;
}

// ---- nested

const THREES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const FREE_CHOICE = 9;
// For each set of nine, whether it holds a line of three, and what is on all lines that it holds.
const LINES = THREES.map((three) => three.reduce((m, s) => m | (1 << s), 0));
const LINES_OF = Array.from({ length: 512 }, (_, set) => LINES.filter((m) => (set & m) === m));
const HAS_LINE = LINES_OF.map((lines) => lines.length > 0);
const ON_ALL = LINES_OF.map((lines) => lines.reduce((both, m) => both & m, 511));
const SHIFT = [0, 9, 18, 0, 9, 18, 0, 9, 18];

class Nested {  // x and o: three numbers of three fields of nine bits each; wx and wo: the fields that X and O own
  constructor(x, o, wx, wo, active, ply) {
    Object.assign(this, { x, o, wx, wo, active, ply });
    this.moves = undefined;
  }
}
const fieldOf = (marks, f) => (marks[(f / 3) | 0] >> SHIFT[f]) & 511;

function nested(value) {
  const rules = object(value, ["family", "closed", "free_choice", "after_win"]);
  const closed = oneOf(rules.closed, "full", "decided") === "decided";
  const openFields = oneOf(rules.free_choice, "free-spots", "open-fields") === "open-fields";
  const goesOn = oneOf(rules.after_win, "over", "goes-on") === "goes-on";
  need(closed || !openFields, "malformed", "open-fields needs decided");

  const taken = (p, f) => fieldOf(p.x, f) | fieldOf(p.o, f);
  const owned = (p, f) => ((p.wx | p.wo) >> f) & 1;
  const noVisitors = (p, f) => taken(p, f) === 511 || (closed && owned(p, f) === 1);
  const game = { family: "nested", weight: 20, startText: `${Array(9).fill(".........").join("/")} ......... *` };

  game.parse = (written) => {
    need(/^[.XO]{9}(\/[.XO]{9}){8} [.XO]{9} [0-8*]$/.test(written), "malformed", `no position: ${written}`);
    const [fields, owners, active] = written.split(" ");
    const marks = (player) => {
      const words = [0, 0, 0];
      fields.split("/").forEach((field, f) => {
        for (let s = 0; s < 9; s++) if (field[s] === player) words[(f / 3) | 0] |= 1 << (SHIFT[f] + s);
      });
      return words;
    };
    const owns = (player) => [...owners].reduce((set, who, f) => (who === player ? set | (1 << f) : set), 0);
    const ply = fields.match(/[XO]/g)?.length ?? 0;
    return new Nested(marks("X"), marks("O"), owns("X"), owns("O"), active === "*" ? FREE_CHOICE : Number(active), ply);
  };
  game.wellFormed = (p) => {
    const count = (marks) => marks.reduce((sum, word) => { for (; word; word &= word - 1) sum++; return sum; }, 0);
    const x = count(p.x);
    if (x !== p.ply - x && x !== p.ply - x + 1) return false;
    for (let f = 0; f < 9; f++) {
      const [fx, fo] = [fieldOf(p.x, f), fieldOf(p.o, f)];
      if (((p.wx >> f) & 1 && !HAS_LINE[fx]) || ((p.wo >> f) & 1 && !HAS_LINE[fo])) return false;
      if ((HAS_LINE[fx] || HAS_LINE[fo]) && !owned(p, f)) return false;
      if (openFields && owned(p, f)) {
        const [his, others] = (p.wx >> f) & 1 ? [fx, fo] : [fo, fx];
        if (HAS_LINE[others] || ON_ALL[his] === 0) return false;
      }
    }
    const last = moverAt(p.ply + 1);
    for (const [player, fields] of [["X", p.wx], ["O", p.wo]]) {
      if (!goesOn && HAS_LINE[fields] && (player !== last || ON_ALL[fields] === 0)) return false;
    }
    if (p.ply === 0) return p.active === FREE_CHOICE;
    const marks = last === "X" ? p.x : p.o;
    const sentTo = (f) => [0, 1, 2, 3, 4, 5, 6, 7, 8].some((g) => (fieldOf(marks, g) >> f) & 1);
    if (p.active !== FREE_CHOICE) return !noVisitors(p, p.active) && sentTo(p.active);
    return [0, 1, 2, 3, 4, 5, 6, 7, 8].some((f) => noVisitors(p, f) && sentTo(f));
  };
  game.key = (p) => String.fromCharCode(...[p.x, p.o].flat().flatMap((w) => [w & 0xffff, w >> 16]), p.wx, p.wo, p.active);

  const won = (p) => HAS_LINE[p.wx] || HAS_LINE[p.wo];
  const isFree = (p, m) => ((taken(p, (m / 9) | 0) >> m % 9) & 1) === 0;
  const allowed = (p, m) => isFree(p, m) && (p.active === FREE_CHOICE ? !(openFields && owned(p, (m / 9) | 0)) : p.active === ((m / 9) | 0));
  const where = (p) => {  // the spots where a legal mark might be
    if (p.moves === undefined) {
      p.moves = [];
      const [from, to] = p.active === FREE_CHOICE ? [0, 81] : [9 * p.active, 9 * p.active + 9];
      for (let m = from; m < to; m++) if (allowed(p, m)) p.moves.push(m);
    }
    return p.moves;
  };
  game.over = (p) => (!goesOn && won(p)) || where(p).length === 0;
  game.legalMoves = (p) => (game.over(p) ? [] : where(p));
  game.isLegal = (p, m) => !game.over(p) && allowed(p, m);
  game.play = (p, m) => {
    const [f, s] = [(m / 9) | 0, m % 9];
    const byX = p.ply % 2 === 0;
    const marks = (byX ? p.x : p.o).slice();
    marks[(f / 3) | 0] |= 1 << (SHIFT[f] + s);
    const owns = !owned(p, f) && HAS_LINE[fieldOf(marks, f)] ? 1 << f : 0;
    const after = byX ? new Nested(marks, p.o, p.wx | owns, p.wo, s, p.ply + 1) : new Nested(p.x, marks, p.wx, p.wo | owns, s, p.ply + 1);
    if (noVisitors(after, s)) after.active = FREE_CHOICE;
    return after;
  };
  game.readMove = (written) => {
    need(/^[0-8]\.[0-8]$/.test(text(written)), "malformed", `no move: ${written}`);
    return 9 * Number(written[0]) + Number(written[2]);
  };
  game.moveOf = (numbers) => {
    const [f, s] = list(numbers, (n) => integer(n, 0, 8), 2, 2);
    return 9 * f + s;
  };
  const spots = {
    X: (f, s) => (p) => ((fieldOf(p.x, f) >> s) & 1) === 1,
    O: (f, s) => (p) => ((fieldOf(p.o, f) >> s) & 1) === 1,
    free: (f, s) => (p) => ((taken(p, f) >> s) & 1) === 0,
  };
  const fields = {
    full: (f) => (p) => taken(p, f) === 511,
    won_by_X: (f) => (p) => ((p.wx >> f) & 1) === 1,
    won_by_O: (f) => (p) => ((p.wo >> f) & 1) === 1,
    active: (f) => (p) => p.active === f,
  };
  const plain = { X_wins: (p) => HAS_LINE[p.wx], O_wins: (p) => HAS_LINE[p.wo], over: (p) => game.over(p) };
  game.word = (name, indices) => {
    const within = (count) => indices.length === count && indices.every((i) => i >= 0 && i <= (name === "active" ? 9 : 8));
    if (Object.hasOwn(spots, name) && within(2)) return { run: spots[name](...indices) };
    if (Object.hasOwn(fields, name) && within(1)) return { run: fields[name](...indices) };
    if (Object.hasOwn(plain, name) && within(0)) return { run: plain[name], more: game.weight };
    return undefined;
  };
  return game;
}

// ---- positional

class Board {  // the marks of X and O, spots 0 to 31 and 32 to 63; `shared` marks are all X's. The rest is found when asked
  constructor(x0, x1, o0, o1, ply) {
    Object.assign(this, { x0, x1, o0, o1, ply });
    this.xLine = this.oLine = this.stuck = this.result = undefined;
  }
}
const low = (s) => (s < 32 ? 1 << s : 0);
const high = (s) => (s < 32 ? 0 : 1 << (s - 32));

function readLines(value, spots) {
  const lines = list(value, (line) => {
    const [held, not] = list(line, (part) => list(part, (s) => integer(s, 0, spots - 1)), 2, 2);
    distinct([...held, ...not]);
    need(held.length > 0 && [held, not].every((part) => part.every((s, i) => i === 0 || part[i - 1] < s)), "malformed", "a line");
    const mask = (part, half) => part.reduce((sum, s) => sum | half(s), 0);
    return { held, not, h0: mask(held, low), h1: mask(held, high), n0: mask(not, low), n1: mask(not, high) };
  }, 0, 500);
  const compare = (a, b) => {  // as lists
    for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
    return a.length - b.length;
  };
  for (let i = 1; i < lines.length; i++) {
    const order = compare(lines[i - 1].held, lines[i].held) || compare(lines[i - 1].not, lines[i].not);
    need(order < 0, "malformed", "order of lines");
  }
  return lines;
}
const holds = (lines, m0, m1) => {
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if ((m0 & line.h0) === line.h0 && (m1 & line.h1) === line.h1 && (m0 & line.n0) === 0 && (m1 & line.n1) === 0) return true;
  }
  return false;
};

function positional(value) {
  const rules = object(value, ["family", "rows", "columns", "notation", "marks", "lines", "outcomes", "legal"]);
  const [rows, columns] = [integer(rules.rows, 1, 64), integer(rules.columns, 1, 64)];
  const spots = integer(rows * columns, 1, 64);
  const inRows = oneOf(rules.notation, "spots", "rows") === "rows";
  const shared = oneOf(rules.marks, "own", "shared") === "shared";
  const byPlayer = rules.lines instanceof Map;
  if (byPlayer) {
    object(rules.lines, ["X", "O"]);
    need(!shared && canonical(rules.lines.get("X")) !== canonical(rules.lines.get("O")), "malformed", "lines by player");
  }
  const lines = {};
  for (const player of ["X", "O"]) lines[player] = readLines(byPlayer ? rules.lines.get(player) : rules.lines, spots);

  const game = { family: "positional", spots, shared, lines, byPlayer, legal: rules.legal };
  const xLine = (p) => p.xLine ?? (p.xLine = holds(lines.X, p.x0, p.x1));
  const oLine = (p) => (shared ? xLine(p) : p.oLine ?? (p.oLine = holds(lines.O, p.o0, p.o1)));
  const stuck = (p) => {
    if (p.stuck === undefined) { let s = 0; while (s < spots && !allowed(p, s)) s++; p.stuck = s === spots; }
    return p.stuck;
  };
  const marked = (p, s) => bit(p.x0 | p.o0, p.x1 | p.o1, s);
  const bit = (m0, m1, s) => ((s < 32 ? m0 >>> s : m1 >>> (s - 32)) & 1) === 1;
  const has = (p, player, s) => (player === "X" ? bit(p.x0, p.x1, s) : bit(p.o0, p.o1, s));
  const onSpots = (name) => {
    if (name === "free") return (s) => (p) => !marked(p, s);
    if (shared) return name === "marked" ? (s) => (p) => marked(p, s) : undefined;
    return name === "X" || name === "O" ? (s) => (p) => has(p, name, s) : undefined;
  };
  const isSpot = (indices) => indices.length === 1 && indices[0] >= 0 && indices[0] < spots;

  // the clauses
  const turn = { X_turn: (p) => p.ply % 2 === 0, O_turn: (p) => p.ply % 2 === 1, stuck };
  const clauseWords = shared ? { line: xLine, ...turn } : { X_line: xLine, O_line: oLine, ...turn };
  const clauses = list(rules.outcomes, (clause) => {
    list(clause, undefined, 2, 2);
    need(canonical(clause[0], ", ", ": ").length <= 400, "malformed", "a clause too long");
    const words = new Formulas((name, indices) => {
      const known = Object.hasOwn(clauseWords, name) && indices.length === 0;
      return known ? { run: clauseWords[name], more: name.endsWith("line") ? 1 : 0 } : undefined;
    });
    return [words.formula(clause[0]), oneOf(clause[1], "X", "O", "draw", "goes-on")];
  }, 0, 20);
  game.outcome = (p) => {  // of a position, or of the marks of one: ply, xLine, oLine, stuck
    const clause = clauses.find(([formula]) => formula(p));
    return clause === undefined || clause[1] === "goes-on" ? (stuck(p) ? "draw" : "goes-on") : clause[1];
  };
  // what may be marked
  let nodes = 0;
  let legal = null;
  if (rules.legal !== null) {
    legal = list(rules.legal, (formula) => {
      const words = new Formulas((name, indices) => {
        const run = isSpot(indices) ? onSpots(name)?.(indices[0]) : undefined;
        return run && { run };
      });
      const run = words.formula(formula);
      nodes += words.together;
      return run;
    }, spots, spots);
  }
  const allowed = (p, s) => !marked(p, s) && (legal === null || legal[s](p));
  game.weight = 10 + (spots > 16 ? lines.X.length + lines.O.length + nodes : 0);

  game.startText = inRows ? Array(rows).fill(".".repeat(columns)).join("/") : ".".repeat(spots);
  const shape = new RegExp(`^${inRows ? Array(rows).fill(`[.XO]{${columns}}`).join("/") : `[.XO]{${spots}}`}$`);
  game.parse = (written) => {
    need(shape.test(written) && !(shared && written.includes("O")), "malformed", `no position: ${written}`);
    const p = new Board(0, 0, 0, 0, 0);
    let s = 0;
    for (const c of written) {
      if (c === "X") { p.x0 |= low(s); p.x1 |= high(s); p.ply++; }
      if (c === "O") { p.o0 |= low(s); p.o1 |= high(s); p.ply++; }
      if (c !== "/") s++;
    }
    return p;
  };
  game.wellFormed = (p) => {
    const count = (player) => { let n = 0; for (let s = 0; s < spots; s++) if (has(p, player, s)) n++; return n; };
    if (!shared && count("X") !== (p.ply + 1) >> 1) return false;
    if (p.ply === 0) return true;
    const last = shared ? "X" : moverAt(p.ply + 1);
    for (let s = 0; s < spots; s++) {
      if (!has(p, last, s)) continue;
      const before = last === "X" ? new Board(p.x0 & ~low(s), p.x1 & ~high(s), p.o0, p.o1, p.ply - 1)
        : new Board(p.x0, p.x1, p.o0 & ~low(s), p.o1 & ~high(s), p.ply - 1);
      if (!game.over(before) && allowed(before, s)) return true;
    }
    return false;
  };
  const half = (w) => String.fromCharCode(w & 0xffff, w >>> 16);
  game.key = (p) => half(p.x0) + half(p.o0) + (spots > 32 ? half(p.x1) + half(p.o1) : "");
  game.result = (p) => p.result ?? (p.result = game.outcome(p));
  game.over = (p) => game.result(p) !== "goes-on";
  game.isLegal = (p, s) => allowed(p, s) && !game.over(p);
  game.legalMoves = (p) => {
    const moves = [];
    if (!game.over(p)) for (let s = 0; s < spots; s++) if (allowed(p, s)) moves.push(s);
    return moves;
  };
  game.play = (p, s) => (shared || p.ply % 2 === 0 ? new Board(p.x0 | low(s), p.x1 | high(s), p.o0, p.o1, p.ply + 1)
    : new Board(p.x0, p.x1, p.o0 | low(s), p.o1 | high(s), p.ply + 1));
  const written = new Map(Array.from({ length: spots }, (_, s) => [inRows ? `${((s / columns) | 0) + 1},${(s % columns) + 1}` : `${s}`, s]));
  game.readMove = (move) => written.get(text(move)) ?? fail("malformed", `no move: ${move}`);
  game.moveOf = (numbers) => list(numbers, (n) => integer(n, 0, spots - 1), 1, 1)[0];

  const makes = (player) => (s) => (player === "X" ? (p) => holds(lines.X, p.x0 | low(s), p.x1 | high(s))
    : (p) => holds(lines.O, p.o0 | low(s), p.o1 | high(s)));
  const keeps = keeper(game, makes);
  game.word = (name, indices) => {
    const plain = { over: (p) => game.over(p), X_wins: (p) => game.result(p) === "X", O_wins: (p) => game.result(p) === "O",
      ...(shared ? { line: xLine } : { X_line: xLine, O_line: oLine }) };
    if (indices.length === 0) return Object.hasOwn(plain, name) ? { run: plain[name], more: game.weight } : undefined;
    if (!isSpot(indices)) return undefined;
    const [s] = indices;
    if (shared && name === "makes") return { run: makes("X")(s), more: game.weight };
    const [, player, what] = /^([XO])_(makes|keeps)$/.exec(name) ?? [];
    if (!shared && what === "makes") return { run: makes(player)(s), more: game.weight };
    if (!shared && what === "keeps" && legal === null && !byPlayer) return { run: (p) => keeps(p, player, s), more: game.weight };
    const run = onSpots(name)?.(s);
    return run && { run };
  };
  return game;
}

// X_keeps and O_keeps: whether a mark of the player to move keeps a forced win, by looking at all replies.
const MOST_KEPT = 2_000_000;
function keeper(game, makes) {
  const known = { X: new Map(), O: new Map() };
  const keeps = (p, player, s) => {
    if (moverAt(p.ply) !== player || !game.isLegal(p, s)) return false;
    const after = game.play(p, s);
    return game.result(after) === player || (!game.over(after) && forced(after, player));
  };
  const urgentFirst = (p, moves, player) => {
    const urgent = moves.filter((s) => makes(player)(s)(p));
    return urgent.length === 0 ? moves : [...urgent, ...moves.filter((s) => !urgent.includes(s))];
  };
  const forced = (p, player) => {  // the other player is to move, and play goes on
    const key = game.key(p);
    let all = known[player].get(key);
    if (all === undefined) {
      need(known.X.size + known.O.size < MOST_KEPT, "limit", "keeps");
      all = urgentFirst(p, game.legalMoves(p), other(player)).every((reply) => {
        const next = game.play(p, reply);
        if (game.over(next)) return game.result(next) === player;
        const threats = urgentFirst(next, game.legalMoves(next), player);
        const blocks = new Set(threats.filter((s) => makes(other(player))(s)(next)));
        return [...threats].sort((a, b) => blocks.has(b) - blocks.has(a) || 0).some((s) => keeps(next, player, s));
      });
      known[player].set(key, all);
    }
    return all;
  };
  return keeps;
}
