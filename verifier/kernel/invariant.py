"""Invariants: formulas that every play keeps, so that obligations decide all plays at once, without a walk.

Trusted for: a statement about plays holds if the statement about steps holds that is derived here from it and an
invariant. An invariant has formulas for positions with X to move, and others for positions with O to move. Where play
has ended, those of the player whose turn it would be are meant. Three things are shown:

- The formulas hold at the start.
- From any position where they hold and play goes on, each move leads to a position where they hold. The moves are all
  legal ones or, if the player to move has a strategy, those that it names: at least one, and all of them legal.
- In any position where they hold, what the objectives say of it is true.

If plays start from all ``given`` positions, the formulas hold in each of these, and ``old`` means the position where
the play started. ``obligations`` assumes that positions are well formed; that moves keep them so is shown as well.
``proofs/README.md`` describes the evidence. An invariant cannot show objectives of type ``some``, or with scopes named
after rules of a strategy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from verifier.kernel.certificate import FileReader, hash_value, require_shape
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import OTHER
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.obligations import check_obligations, derive, derive_closure
from verifier.kernel.plays import parse_line, replay, require_bound, require_met, with_scopes
from verifier.kernel.statement import SCOPES, Statement
from verifier.kernel.steps import NAMED, parse_steps, result_of
from verifier.kernel.verdict import Result

ALWAYS_MET = frozenset({"every", "start"})

Closures: TypeAlias = dict[str, tuple[int, int]]
"""Number of obligations of rules, and how many are refuted; by the hash of the rules and the evidence about them."""

_EVIDENCE = {
    "invariant": {"X": NAMED, "O": NAMED},
    "obligations": dict,
    "positions": dict,
    "formulas?": list,
    "lines?": {"*": [str]},
}


def check_invariant(
    data: Mapping[str, Any], statement: Statement, evidence: Mapping[str, Any], read: FileReader, known: Closures
) -> Result:
    """Check that an invariant shows what a statement claims of plays; add results about the rules to ``known``."""
    require_shape(evidence, _EVIDENCE, "the evidence")
    derived = derive_steps(data, evidence)
    parts = parse_steps(derived, is_derived=True).parts
    kept = {part.turn: part.hypotheses[:-1] for part in parts if part.step in ("move", "reply")}
    for name, test in kept[statement.game.turn(statement.start)]:
        if not test(statement.start, statement.start):
            raise CertificateError("not-at-the-start", f"{name!r} does not hold in {data['start']}")
    _require_scopes(statement, evidence.get("lines", {}))
    key = hash_value([data["rules"], evidence["positions"]])
    if key not in known:
        known[key] = check_obligations(derive_closure(data["rules"]), evidence["positions"], read)
    owed, refuted = check_obligations(derive(derived), evidence["obligations"], read)
    return result_of((known[key][0] + owed, known[key][1] + refuted))


def derive_steps(data: Mapping[str, Any], evidence: Mapping[str, Any]) -> dict[str, Any]:
    """Return the statement about steps: for either player to move, the invariant is kept and implies objectives."""
    invariant, more, game = evidence["invariant"], evidence.get("formulas", []), parse_rules(data["rules"])
    given = {"given": data["given"]} if "given" in data else {}
    start = game.ply(game.parse_position(data["start"]))
    parts: list[dict[str, Any]] = []
    for mover, kept in sorted(invariant.items()):
        strategy, other = data["strategies"].get(mover), invariant[OTHER[mover]]
        part = {"claimant": mover, "turn": mover, "unless": False, "plays": None}
        if given:
            begun = {"part": f"{mover} begins", "step": "begin", "strategy": None}
            parts.append({**part, **begun, "hypotheses": [], "conclusions": kept})
        step, going = "move" if strategy is None else "reply", [["play goes on", ["not", _ends_of(data)]]]
        moved = {"part": f"{mover} moves", "step": step, "strategy": strategy, "conclusions": other}
        parts.append({**part, **moved, "hypotheses": kept + going})
        for objective in data["objectives"]:
            scope, goal = _as_formulas(objective, data, start, is_own=mover == data["claimant"])
            said = {"part": f"{objective['name']}: {mover} to move", "step": "none", "strategy": None}
            shown = {"hypotheses": [*kept, ["scope", scope]], "conclusions": [[objective["name"], goal]]}
            parts.append({**part, **said, **shown})
    formulas = [*data["formulas"], *more]
    return {"kind": "steps", "rules": data["rules"], **given, "formulas": formulas, "parts": parts}


def _as_formulas(objective: Mapping[str, Any], statement: Mapping[str, Any], start: int, *, is_own: bool) -> list[Any]:
    """Return two formulas about positions with one player to move: where an objective applies, and what it says there.

    ``is_own`` says whether the player is the claimant.
    """
    kind, ply, stopped = objective["type"], ["ply"], _ends_of(statement)
    if kind == "prevent":
        return [["<=", ply, objective["through"]], ["not", objective["goal"]]]
    if kind == "reach":  # stricter than the objective: the goal has to hold there, even if it has held before
        in_time = ["and", ["<=", ply, objective["by"]], stopped]
        return [["or", ["==", ply, objective["by"]], in_time], objective["goal"]]
    if kind != "keep" or not SCOPES.issuperset(objective["at"]):
        raise CertificateError("invariant", f"{objective['name']!r}: no invariant shows 'some', or scopes of rules")
    going = ["not", stopped]
    scopes = {
        "every": True,
        "start": ["==", ply, start],
        "end": ["over"],
        "claimant": going if is_own else False,
        "opponent": False if is_own else going,
    }
    return [["or", *(scopes[scope] for scope in objective["at"])], objective["holds"]]


def _ends_of(statement: Mapping[str, Any]) -> list[Any]:
    """Return a formula that holds where plays end; ``plays.has_ended`` says the same of a position."""
    horizon = statement["horizon"]
    return ["over"] if horizon is None else ["or", ["over"], [">=", ["ply"], horizon]]


def _require_scopes(statement: Statement, lines: Mapping[str, list[str]]) -> None:
    """Require that lines meet all scopes of objectives but ``ALWAYS_MET``, and that no bound lies before the start."""
    named = frozenset().union(*(objective.scopes for objective in statement.objectives)) - ALWAYS_MET
    if not set(lines) <= named:
        raise CertificateError("malformed", f"lines are given for the scopes that plays have to meet: {sorted(named)}")
    met = set(ALWAYS_MET)
    for scope, moves in lines.items():
        *_, (_, _, scopes) = with_scopes(statement, replay(statement, parse_line(statement.game, moves)))
        met |= {scope} & scopes
    for objective in statement.objectives:
        require_bound(statement, objective)
        require_met(objective, met)
