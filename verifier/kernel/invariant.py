"""Invariants: formulas that hold throughout every play. An invariant decides all plays at once, without a walk.

This module is trusted for every verdict that an invariant shows. From a statement about plays and an invariant it
derives a statement about steps. If the statement about steps holds, the statement about plays holds too.
``proofs/README.md`` says in §11 what the evidence shows. An invariant has formulas for X and formulas for O. Formulas
for a player hold where he is to move, or would be to move if play went on. ``obligations`` assumes well-formed
positions, so the evidence also has to show that moves keep positions well formed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from verifier.kernel.certificate import Data, FileReader, hash_value, require_shape
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import OTHER
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.obligations import check_obligations, derive, derive_closure
from verifier.kernel.plays import parse_line, replay, require_bound
from verifier.kernel.scopes import require_met, with_scopes
from verifier.kernel.statement import SCOPES, Statement
from verifier.kernel.steps import NAMED, parse_steps, result_of
from verifier.kernel.verdict import Result

ALWAYS_MET = frozenset({"every", "start"})  # scopes that every play meets

Closures: TypeAlias = dict[str, tuple[int, int]]
"""By the hash of the rules and the evidence's ``positions``: how many obligations exist, and how many are refuted."""

_BOTH, _LINES = {"X": NAMED, "O": NAMED}, {"*": [str]}
_EVIDENCE = {"invariant": _BOTH, "obligations": dict, "positions": dict, "formulas?": list, "lines?": _LINES}


def check_invariant(data: Data, statement: Statement, evidence: Data, read: FileReader, known: Closures) -> Result:
    """Check that an invariant shows a statement. ``known`` keeps results about the rules (``derive_closure``)."""
    require_shape(evidence, _EVIDENCE, "the evidence")
    derived = derive_steps(data, evidence)
    parts = parse_steps(derived, is_derived=True).parts
    kept = {part.turn: part.hypotheses[:-1] for part in parts if part.step in ("move", "reply")}
    start = statement.game.parse_position(data["start"])  # keeps the number of moves, which an invariant can use
    for name, test in kept[statement.game.turn(start)]:
        if not test(start, start):
            raise CertificateError("not-at-the-start", f"{name!r} does not hold in {data['start']}")
    _require_scopes(statement, evidence.get("lines", {}))
    key = hash_value([data["rules"], evidence["positions"]])
    if key not in known:
        known[key] = check_obligations(derive_closure(data["rules"]), evidence["positions"], read)
    owed, refuted = check_obligations(derive(derived), evidence["obligations"], read)
    return result_of((known[key][0] + owed, known[key][1] + refuted))


def derive_steps(data: Mapping[str, Any], evidence: Mapping[str, Any]) -> dict[str, Any]:
    """Return the statement about steps: moves keep the invariant true, and the invariant implies the objectives."""
    invariant, more, game = evidence["invariant"], evidence.get("formulas", []), parse_rules(data["rules"])
    given = {"given": data["given"]} if "given" in data else {}
    start = game.ply(game.parse_position(data["start"]))
    parts: list[dict[str, Any]] = []
    for mover, kept in sorted(invariant.items()):
        strategy, after = data["strategies"].get(mover), invariant[OTHER[mover]]
        if not game.alternates:  # the position after the move says who is next, and so which formulas have to hold
            pairs = [(["==", ["turn"], n], *kept) for n, player in enumerate("XO", 1) for kept in invariant[player]]
            after = [[name, ["implies", is_next, formula]] for is_next, name, formula in pairs]
        part = {"claimant": mover, "turn": mover, "unless": False, "plays": None}
        if given:
            begun = {"part": f"{mover} begins", "step": "begin", "strategy": None}
            parts.append({**part, **begun, "hypotheses": [], "conclusions": kept})
        step, going = "move" if strategy is None else "reply", [["play goes on", ["not", _ends_of(data)]]]
        moved = {"part": f"{mover} moves", "step": step, "strategy": strategy, "conclusions": after}
        parts.append({**part, **moved, "hypotheses": kept + going})
        for objective in data["objectives"]:
            scope, goal = _as_formulas(objective, data, start, is_own=mover == data["claimant"])
            said = {"part": f"{objective['name']}: {mover} to move", "step": "none", "strategy": None}
            shown = {"hypotheses": [*kept, ["scope", scope]], "conclusions": [[objective["name"], goal]]}
            parts.append({**part, **said, **shown})
    formulas = [*data["formulas"], *more]
    return {"kind": "steps", "rules": data["rules"], **given, "formulas": formulas, "parts": parts}


def _as_formulas(objective: Mapping[str, Any], statement: Mapping[str, Any], start: int, *, is_own: bool) -> list[Any]:
    """Return two formulas. The first is true where an objective applies. The second says what must be true there.

    Both are for the positions in which a certain player is to move. ``is_own`` says whether he is the claimant.
    """
    kind, ply, stopped = objective["type"], ["ply"], _ends_of(statement)
    if kind == "prevent":
        through = objective["through"]
        return [True if through is None else ["<=", ply, through], ["not", objective["goal"]]]
    if kind == "reach" and objective["by"] is not None:
        # This is stricter than the objective: the goal has to hold at ply ``by``, even if it has held before.
        in_time = ["and", ["<=", ply, objective["by"]], stopped]
        return [["or", ["==", ply, objective["by"]], in_time], objective["goal"]]
    if kind != "keep" or not SCOPES.issuperset(objective["at"]):
        text = "invariants cannot show 'some', 'reach' without 'by', or 'keep' before or after a rule"
        raise CertificateError("invariant", f"{objective['name']!r}: {text}")
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
    """Return a formula that holds exactly in the positions where plays end (``plays.has_ended``)."""
    horizon = statement["horizon"]
    return ["over"] if horizon is None else ["or", ["over"], [">=", ["ply"], horizon]]


def _require_scopes(statement: Statement, lines: Mapping[str, list[str]]) -> None:
    """Require a line for each named scope outside ``ALWAYS_MET``. Refuse objectives that end before the start."""
    named = frozenset().union(*(objective.scopes for objective in statement.objectives)) - ALWAYS_MET
    if not set(lines) <= named:
        raise CertificateError("malformed", f"'lines' has a scope that needs no line; these need one: {sorted(named)}")
    met = set(ALWAYS_MET)
    for scope, moves in lines.items():
        *_, (_, _, scopes) = with_scopes(statement, replay(statement, parse_line(statement.game, moves)))
        met |= {scope} & scopes
    for objective in statement.objectives:
        require_bound(statement, objective)
        require_met(objective, met)
