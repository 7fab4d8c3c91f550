// Tables: the moves of a claimant who chooses, and the ways in which they end early (section 7).

import { distinct, entries, integer, list, need, object, readTable } from "./files.mjs";
import { moverAt, other } from "./games.mjs";
import { sayer } from "./formulas.mjs";

const MOST_IMAGES = 10_000;

// `claim` is what the table proves: {game, entries, start, claimant, horizon, strategies, objectives}.
export function loadTable(folder, hash, symmetries, claim) {
  const { game } = claim;
  const value = object(readTable(folder, hash, "verifier-table"), ["format", "version", "moves"], ["pairs", "weights", "wins"]);
  const moves = new Map();
  entries(value.moves, (position, written) => moves.set(game.key(game.parse(position)), list(written, game.readMove)));
  const table = { moves, fold: (p) => p, used: new Set(), pairsUsed: new Set(), ending: () => null };
  if (symmetries !== undefined) table.fold = folding(claim, symmetries);
  for (const name of ["weights", "wins"]) need([undefined, true].includes(value[name]), "malformed", name);
  if (value.pairs !== undefined || value.weights) table.ending = breaking(claim, value, table);
  if (value.wins) {
    const left = leavingOut(claim);
    need(claim.objectives[0].type === "reach" && value.pairs === undefined && !value.weights, "not-a-breaker", "wins");
    table.ending = left;
  }
  table.allUsed = () => table.used.size === moves.size && (value.pairs === undefined || table.pairsUsed.size === value.pairs.size);
  return table;
}

// Symmetries: the function that takes a position to its least image.
export function folding(claim, written) {
  const { game } = claim;
  need(game.family === "positional", "not-a-symmetry", "nine fields");
  need(Object.keys(claim.strategies).length === 0, "not-a-symmetry", "a strategy");
  need(claim.objectives.every((o) => o.type === "reach" || o.type === "prevent"), "not-a-symmetry", "objectives");
  const generators = list(written, (p) => list(p, (s) => integer(s, 0, game.spots - 1), game.spots, game.spots), 1, 20);
  const spots = Array.from({ length: game.spots }, (_, s) => s);
  const ascending = (a, b) => a - b;
  for (const g of generators) {
    distinct(g);
    for (const player of ["X", "O"]) {
      const image = (part, move) => part.map((s) => move[s]).sort(ascending).join();
      const texts = (move) => game.lines[player].map(({ held, not }) => `${image(held, move)}|${image(not, move)}`).sort().join(" ");
      need(texts(g) === texts(spots), "not-a-symmetry", "lines");
    }
    const [moved, plain] = [sayer(claim.entries, g), sayer(claim.entries, spots)];
    if (game.legal !== null) for (const s of spots) need(moved(game.legal[s]) === plain(game.legal[g[s]]), "not-a-symmetry", "legal");
    for (const o of claim.objectives) need(moved(o.formula) === plain(o.formula), "not-a-symmetry", "a goal");
  }
  const group = new Map([[spots.join(), spots]]);
  for (const g of group.values()) {  // a Map is walked through to what is added meanwhile
    for (const h of generators) {
      const both = g.map((s) => h[s]);
      group.set(both.join(), both);
    }
    need(group.size <= MOST_IMAGES, "limit", "symmetries");
  }
  // For each image and each byte of marks, where the marks of the byte go: two halves.
  const bytes = (game.spots + 7) >> 3;
  const images = [...group.values()].slice(1).map((g) => {
    const to = new Int32Array(bytes * 512);
    for (let b = 0; b < bytes; b++) for (let set = 0; set < 256; set++) for (let i = 0; i < 8; i++) {
      const s = 8 * b + i < game.spots && (set >> i) & 1 ? g[8 * b + i] : -1;
      if (s >= 0) to[2 * (256 * b + set) + (s >> 5)] |= 1 << (s & 31);
    }
    return to;
  });
  const part = (to, m0, m1, half) => {
    let all = 0;
    for (let b = 0; b < bytes; b++) all |= to[2 * (256 * b + (((b < 4 ? m0 : m1) >>> (8 * (b & 3))) & 255)) + half];
    return all;
  };
  return (p) => {
    let least = p;
    for (const to of images) {
      const x1 = part(to, p.x0, p.x1, 1), x0 = part(to, p.x0, p.x1, 0);
      let less = (x1 >>> 0) - (least.x1 >>> 0) || (x0 >>> 0) - (least.x0 >>> 0);
      if (less > 0) continue;
      const o1 = part(to, p.o0, p.o1, 1), o0 = part(to, p.o0, p.o1, 0);
      less ||= (o1 >>> 0) - (least.o1 >>> 0) || (o0 >>> 0) - (least.o0 >>> 0);
      if (less < 0) least = new p.constructor(x0, x1, o0, o1, p.ply);
    }
    return least;
  };
}

// What pairs, weights and wins require. `maker` is who has, or must not have, a line.
function needLines(claim, maker, type) {
  const { game } = claim;
  const breaker = (condition, why) => need(condition, "not-a-breaker", why);
  breaker(game.family === "positional" && !game.shared && game.legal === null, "rules");
  breaker(["X", "O"].every((player) => game.lines[player].every((line) => line.not.length === 0)), "spots not held");
  breaker(Object.keys(claim.strategies).length === 0, "a strategy");
  breaker(claim.objectives.length === 1 && claim.objectives[0].type === type, "objectives");
  let goal = claim.objectives[0].formula;
  if (Array.isArray(goal) && goal[0] === "use") goal = claim.entries[goal[1]];
  breaker(Array.isArray(goal) && [`${maker}_line`, `${maker}_wins`].includes(goal[0]), "goal");
  if (goal[0] === `${maker}_wins`) {
    for (let ply = 0; ply <= game.spots; ply++) for (const has of [false, true]) {
      breaker(marksOf(game, ply, { [other(maker)]: has }) !== maker, "wins without a line");
    }
  }
}
// How a game stands at a ply by who has a line. With `legal` null nobody is stuck before the board is full.
const marksOf = (game, ply, has) => game.outcome({ ply, xLine: has.X === true, oLine: has.O === true, stuck: ply === game.spots });

const madeBy = (player, ply) => (player === "X" ? (ply + 1) >> 1 : ply >> 1);
const ones = (m) => { let n = 0; for (; m; m &= m - 1) n++; return n; };
// The spots that a line lacks of its player's, as two halves; null if the other player is on it.
function lacking(p, player, line) {
  const [his0, his1, not0, not1] = player === "X" ? [p.x0, p.x1, p.o0, p.o1] : [p.o0, p.o1, p.x0, p.x1];
  return line.h0 & not0 || line.h1 & not1 ? null : [line.h0 & ~his0, line.h1 & ~his1];
}

// Pairs and weights: `ending` says that play is not followed from a position.
function breaking(claim, value, table) {
  const { game } = claim;
  const maker = other(claim.claimant);
  needLines(claim, maker, "prevent");
  const { at: through } = claim.objectives[0];
  const pairs = new Map();
  if (value.pairs !== undefined) {
    const readPair = (pair) => list(pair, (s) => integer(s, 0, 63), 2, 2);
    entries(value.pairs, (position, written) => pairs.set(game.key(game.parse(position)), list(written, readPair)));
  }
  const lightEnough = (p, left) => {  // what counts weighs less than 1; if the maker is to move, less than 1/2
    const counts = new Array(66).fill(0);
    for (const line of game.lines[maker]) {
      const lacks = lacking(p, maker, line);
      const n = lacks ? ones(lacks[0]) + ones(lacks[1]) : Infinity;
      if (n <= left) counts[n]++;
    }
    const one = moverAt(p.ply) === maker ? 1 : 0;  // 2^-one is too much
    for (let n = 65; n > one; n--) counts[n - 1] += counts[n] >> 1;
    return counts.slice(0, one + 1).every((count) => count === 0);
  };
  return (p, key) => {
    const left = madeBy(maker, through) - madeBy(maker, p.ply);
    if (value.weights && lightEnough(p, left)) return [];
    const paired = pairs.get(key);
    if (paired === undefined) return null;
    table.pairsUsed.add(key);
    const spots = paired.flat();
    const taken = (s) => ((s < 32 ? (p.x0 | p.o0) >>> s : (p.x1 | p.o1) >>> (s - 32)) & 1) === 1;
    need(new Set(spots).size === spots.length && spots.every((s) => s < game.spots && !taken(s)), "not-paired", "spots");
    for (const line of game.lines[maker]) {
      const lacks = lacking(p, maker, line);
      if (lacks === null || ones(lacks[0]) + ones(lacks[1]) > left) continue;
      const lacked = (s) => ((s < 32 ? lacks[0] >>> s : lacks[1] >>> (s - 32)) & 1) === 1;
      need(paired.some(([a, b]) => lacked(a) && lacked(b)), "not-paired", "a line");
    }
    return [];
  };
}

// Replies left out: `ending` gives the replies that are followed, or null for all.
function leavingOut(claim) {
  const { game, claimant } = claim;
  const opponent = other(claimant);
  needLines(claim, claimant, "reach");
  const by = claim.objectives[0].at;
  let matter = false;
  for (let ply = 0; ply <= game.spots; ply++) for (const has of [false, true]) {
    if (marksOf(game, ply, { [claimant]: has, [opponent]: true }) !== marksOf(game, ply, { [claimant]: has })) matter = true;
  }
  const completing = (p, player) => {  // the spots that complete a line; null if there is a line
    const spots = new Set();
    for (const line of game.lines[player]) {
      const lacks = lacking(p, player, line);
      if (lacks === null) continue;
      const n = ones(lacks[0]) + ones(lacks[1]);
      if (n === 0) return null;
      if (n === 1) spots.add(lacks[0] ? 31 - Math.clz32(lacks[0]) : 63 - Math.clz32(lacks[1]));
    }
    return spots;
  };
  return (p) => {
    if (moverAt(p.ply) !== opponent || p.ply + 2 > Math.min(by, game.spots)) return null;
    const wins = completing(p, claimant);
    const threats = matter ? completing(p, opponent) : new Set();
    if (wins === null || wins.size === 0 || threats === null) return null;
    if (marksOf(game, p.ply + 1, {}) !== "goes-on" || marksOf(game, p.ply + 2, { [claimant]: true }) !== claimant) return null;
    return [...(wins.size === 1 ? new Set([...threats, ...wins]) : threats)];
  };
}
