// Statements about plays, and what shows them (section 6).

import { distinct, entries, fail, integer, list, need, object, oneOf, text } from "./files.mjs";
import { Formulas } from "./formulas.mjs";
import { makeGame, moverAt, other } from "./games.mjs";
import { loadTable } from "./tables.mjs";

const PLAIN_SCOPES = ["every", "start", "claimant", "opponent", "end"];
const MOST_MOVES = 500_000;  // in a walk without a table
const movesFor = (used) => 30_000 + 82 * used;  // in a walk by a table

// ---- the statement

function readName(value) {
  need(text(value).length <= 200 && !value.includes("."), "malformed", "a name");
  return value;
}

// A strategy, as the function that gives its moves in a position: {move, labels}, where labels are PHASE.RULE and PHASE.
function readStrategy(value, player, game, formulas, labels) {
  const strategy = object(value, ["player", "phases"]);
  need(strategy.player === player, "malformed", "the player of a strategy");
  const phases = list(strategy.phases, (item) => {
    const phase = object(item, ["phase", "instances"]);
    const name = readName(phase.phase);
    labels.add(name);
    return list(phase.instances, (one) => {
      const instance = object(one, ["when", "rules"]);
      const rules = list(instance.rules, (two) => {
        const rule = object(two, ["rule", "choices"]);
        const label = `${name}.${readName(rule.rule)}`;
        labels.add(label);
        return list(rule.choices, (three) => {
          const choice = object(three, ["when", "play"]);
          return { when: formulas.formula(choice.when), move: game.moveOf(choice.play), labels: [label, name] };
        });
      });
      return { when: formulas.formula(instance.when), rules };
    });
  });
  return (p) => {
    for (const instances of phases) {
      const now = instances.filter((instance) => instance.when(p));
      if (now.length > 0) {
        return now.flatMap(({ rules }) => {
          for (const choices of rules) {
            const moves = choices.filter((choice) => choice.when(p));
            if (moves.length > 0) return moves;
          }
          return [];
        });
      }
    }
    return [];
  };
}

function readObjective(value, game, formulas, labels, horizon) {
  need(value instanceof Map, "malformed", "an objective");
  const type = oneOf(value.get("type"), "reach", "prevent", "keep", "some");
  const [what, when] = { reach: ["goal", "by"], prevent: ["goal", "through"], keep: ["holds", "at"], some: ["holds", "at"] }[type];
  const raw = object(value, ["name", "type", what, when]);
  const objective = { name: text(raw.name), type, formula: raw[what], holds: formulas.formula(raw[what]), scopes: [] };
  if (when === "at") {
    objective.scopes = distinct(list(raw.at, (scope) => {
      const [, label] = /^(?:before|after):([^]*)$/.exec(text(scope)) ?? [];
      need(label === undefined ? PLAIN_SCOPES.includes(scope) : labels.has(label), "malformed", `scope ${scope}`);
      return scope;
    }, 1));
  } else {
    objective.at = integer(raw[when], 0, Math.min(1000, horizon));
  }
  return objective;
}

export function readPlay(value) {
  const required = ["kind", "rules", "formulas", "start", "claimant", "horizon", "strategies", "objectives"];
  const raw = object(value, required, ["chooses", "symmetric", "given"]);
  const game = makeGame(raw.rules);
  need(Array.isArray(raw.formulas) && raw.formulas.length <= 100_000, "malformed", "formulas");
  const formulas = new Formulas(game.word, raw.formulas);
  const claimant = oneOf(raw.claimant, "X", "O");
  const horizon = raw.horizon === null ? Infinity : integer(raw.horizon, 0);
  const start = game.readPosition(raw.start);
  const labels = new Set();
  object(raw.strategies, [], ["X", "O"]);
  const strategies = Object.fromEntries(entries(raw.strategies, (player, s) => [player, readStrategy(s, player, game, formulas, labels)]));
  const objectives = list(raw.objectives, (o) => readObjective(o, game, formulas, labels, horizon), 1, 400);
  distinct(objectives.map((o) => o.name));
  const watched = objectives.filter((o) => o.type !== "some" || o.scopes.length > 1)
    .map((o) => (o.type === "some" ? { ...o, type: "keep", holds: () => true } : o));
  need(watched.length <= 50, "malformed", "watched objectives");
  need(raw.given === undefined, "malformed", "given is for invariants");
  formulas.finish();
  const hasStrategy = strategies[claimant] !== undefined;
  need([undefined, hasStrategy].includes(raw.chooses), "malformed", "chooses");
  const chooses = raw.chooses ?? !hasStrategy;
  const timed = (o) => o.type === "reach" || o.type === "prevent";
  need(!(chooses && hasStrategy) || objectives.every(timed), "malformed", "a strategy that chooses");
  need(raw.symmetric === undefined || (raw.symmetric === true && game.family === "nested"), "malformed", "symmetric");
  need(start.ply <= horizon && objectives.every((o) => !timed(o) || o.at >= start.ply), "vacuous-bound");
  const whenOver = (o) => !timed(o) && o.scopes.every((scope) => ["every", "start", "end"].includes(scope));
  need(!game.over(start) || objectives.every(whenOver), "vacuous-start");
  return { game, entries: raw.formulas, start, claimant, chooses, horizon, strategies, objectives, watched };
}

// ---- the walk

const goesOn = (claim, p) => p.ply < claim.horizon && !claim.game.over(p);
const choicesOf = (claim, p) => claim.strategies[moverAt(p.ply)]?.(p) ?? claim.game.legalMoves(p).map((move) => ({ move, labels: [] }));

// Who is to move in a position (null where play does not go on), and the moves that are followed.
function going(claim, p, key, table) {
  if (!goesOn(claim, p)) return [null, []];
  const mover = moverAt(p.ply);
  if (claim.refutes && claim.strategies[mover]?.(p).length === 0) return [null, []];  // it breaks down: play ends
  const left = table?.ending(p, key);
  if (left) return [mover, left.map((move) => ({ move, labels: [] }))];
  let choices;
  if (table && mover === claim.claimant) {
    const entry = table.moves.get(key) ?? fail("missing-entry");
    table.used.add(key);
    need(entry.length > 0, "malformed", "an empty entry");
    distinct(entry);
    if (claim.strategies[mover]) {
      choices = choicesOf(claim, p).filter(({ move }) => claim.game.isLegal(p, move));
      need(entry.every((move) => choices.some((choice) => choice.move === move)), "not-the-strategy");
      choices = choices.filter((choice) => entry.includes(choice.move));
    } else {
      choices = entry.map((move) => ({ move, labels: [] }));
    }
  } else {
    choices = choicesOf(claim, p);
  }
  need(choices.length > 0, "stuck");
  return [mover, choices];
}

// Whether a position is in a scope, by who is to move, the labels of the moves there, and of those that led there.
function inScope(claim, scope, p, mover, before, after) {
  switch (scope) {
    case "every": return true;
    case "start": return p.ply === claim.start.ply;
    case "claimant": return mover === claim.claimant;
    case "opponent": return mover === other(claim.claimant);
    case "end": return claim.game.over(p);
    default:
      if (scope.startsWith("before:")) return before.some(({ labels }) => labels.includes(scope.slice("before:".length)));
      return after?.has(scope.slice("after:".length)) === true;
  }
}

export function walk(claim, watched, table) {
  const { game, start } = claim;
  const startKey = game.key(start);
  const labelled = watched.some((o) => o.scopes.some((scope) => scope.startsWith("after:")));
  const met = watched.map(() => new Set());
  let level = new Map([[startKey, start]]);
  let came = new Map();
  // For each reach, the positions to which a play comes that has not met the goal; where the opponent refutes by strategies and
  // plays are judged at their ends, for each prevent those to which one comes that has.
  let pending = watched.map((o) => (o.type === "reach" ? new Set([startKey]) : claim.refutes ? new Set() : null));
  let moved = 0;
  while (level.size > 0) {
    const below = new Map(), coming = new Map(), later = pending.map((set) => set && new Set());
    for (const [key, p] of level) {
      const [mover, moves] = going(claim, p, key, table);
      const unmet = [];
      watched.forEach((o, n) => {
        const scopes = o.scopes.filter((scope) => inScope(claim, scope, p, mover, moves, came.get(key)));
        for (const scope of scopes) met[n].add(scope);
        const isMet = p.ply <= o.at && o.holds(p);
        if (o.type === "prevent" && !claim.refutes) need(!isMet, "not-prevent", o.name);
        if (o.type === "keep") need(scopes.length === 0 || o.holds(p), "not-keep", o.name);
        const isPending = pending[n]?.has(key);
        if (o.type === "reach" ? isPending && !isMet : pending[n] !== null && (isPending || isMet)) {
          need(claim.refutes ? goesOn(claim, p) : p.ply < o.at && !game.over(p), `not-${o.type}`, o.name);
          unmet.push(later[n]);
        }
      });
      moved += moves.length;
      need(moved <= (table ? movesFor(table.used.size) : MOST_MOVES), "limit", "moves in a walk");
      for (const { move, labels } of moves) {
        need(game.isLegal(p, move), "illegal-move");
        let after = game.play(p, move);
        if (table) after = table.fold(after);
        const to = game.key(after);
        if (!below.has(to)) below.set(to, after);
        for (const set of unmet) set.add(to);
        if (labelled && labels.length > 0) {
          if (!coming.has(to)) coming.set(to, new Set());
          for (const label of labels) coming.get(to).add(label);
        }
      }
    }
    [level, came, pending] = [below, coming, later];
  }
  need(!table || table.allUsed(), "unreachable-entry");
  watched.forEach((o, n) => need(met[n].size === o.scopes.length, "vacuous-scope", o.name));
}

// ---- lines

// Play a line, and return its positions, and the labels of the move that came to the last.
function playLine(claim, written) {
  const { game } = claim;
  const moves = list(written, game.readMove, 0, 1000);
  const positions = [claim.start];
  let labels = new Set();
  for (const move of moves) {
    const p = positions.at(-1);
    need(goesOn(claim, p), "illegal-move", "play has ended");
    const strategy = claim.strategies[moverAt(p.ply)];
    const same = strategy ? strategy(p).filter((choice) => choice.move === move) : [];
    need(!strategy || same.length > 0, "not-the-strategy");
    need(game.isLegal(p, move), "illegal-move");
    labels = new Set(same.flatMap((choice) => choice.labels));
    positions.push(game.play(p, move));
  }
  const last = positions.at(-1);
  const on = goesOn(claim, last);
  const choices = on ? choicesOf(claim, last) : [];
  const within = (scope) => inScope(claim, scope, last, on ? moverAt(last.ply) : null, choices, labels);
  return { positions, last, on, choices, within };
}

function refutedByLine(claim, objective, written) {
  const { game } = claim;
  const { positions, last, on, choices, within } = playLine(claim, written);
  // How many legal moves there are: under two labels a move is one.
  const different = (p) => new Set(choicesOf(claim, p).map(({ move }) => move).filter((move) => game.isLegal(p, move))).size;
  for (const p of positions.slice(0, -1)) {
    need(!claim.chooses || moverAt(p.ply) !== claim.claimant || different(p) === 1, "not-refuted", "he could choose");
  }
  const mover = moverAt(last.ply);
  if (on && claim.strategies[mover]) {
    const legal = choices.filter((choice) => game.isLegal(last, choice.move)).length;
    if (claim.chooses && mover === claim.claimant ? legal === 0 : choices.length === 0 || legal < choices.length) return;
  }
  const { type, at, holds, scopes } = objective;
  if (type === "prevent") need(last.ply <= at && holds(last), "not-refuted");
  if (type === "keep") need(scopes.some(within) && !holds(last), "not-refuted");
  if (type === "reach") {
    need(!positions.some((p) => p.ply <= at && holds(p)) && (last.ply >= at || game.over(last)), "not-refuted");
  }
}

// ---- evidence

export function checkPlay(folder, statement, verdict, evidence) {
  const claim = readPlay(statement);
  if (verdict === "proved") return proved(folder, claim, evidence);
  const raw = object(evidence, ["objective"], ["line", "table", "symmetries"]);
  const objective = claim.objectives.find((o) => o.name === text(raw.objective)) ?? fail("malformed", "unknown objective");
  const { type } = objective;
  if (raw.line !== undefined) {
    object(evidence, ["objective", "line"]);
    need(type !== "some", "malformed", "a line about some");
    return refutedByLine(claim, objective, raw.line);
  }
  if (raw.table === undefined) {
    object(evidence, ["objective"]);
    need(type === "some", "malformed", "no evidence");
    try {
      walk(claim, [{ ...objective, type: "keep", holds: (p) => !objective.holds(p) }]);
    } catch (error) {
      throw error.reason === "not-keep" ? fail("not-refuted", error.message) : error;
    }
    return undefined;
  }
  need(claim.chooses && (type === "reach" || type === "prevent"), "malformed", "a table of the opponent");
  const opposite = { ...objective, type: type === "reach" ? "prevent" : "reach" };
  const turned = { ...claim, claimant: other(claim.claimant), chooses: true, objectives: [opposite] };
  // Where somebody has a strategy, it may break down: the claimant's if it has no legal move, the opponent's if it has no move
  // or an illegal one. These have no moves here.
  turned.refutes = Object.keys(claim.strategies).length > 0;
  turned.strategies = Object.fromEntries(Object.entries(claim.strategies).map(([player, strategy]) => [player, (p) => {
    const moves = strategy(p);
    const legal = moves.filter(({ move }) => claim.game.isLegal(p, move));
    return player === claim.claimant || legal.length === moves.length ? legal : [];
  }]));
  walk(turned, [opposite], loadTable(folder, raw.table, raw.symmetries, turned));
  return undefined;
}

function proved(folder, claim, evidence) {
  const raw = object(evidence, [], ["table", "symmetries", "lines"]);
  const wanted = claim.objectives.filter((o) => o.type === "some");
  need((raw.table !== undefined) === (claim.chooses && wanted.length < claim.objectives.length), "malformed", "table");
  need(raw.symmetries === undefined || raw.table !== undefined, "malformed", "symmetries");
  need((raw.lines !== undefined) === wanted.length > 0, "malformed", "lines");
  if (raw.lines !== undefined) {
    const lines = object(raw.lines, wanted.map((o) => o.name));
    for (const o of wanted) {
      const { last, within } = playLine(claim, lines[o.name]);
      need(o.scopes.some(within) && o.holds(last), "not-some", o.name);
    }
  }
  const table = raw.table === undefined ? undefined : loadTable(folder, raw.table, raw.symmetries, claim);
  if (claim.watched.length > 0) walk(claim, claim.watched, table);
}
