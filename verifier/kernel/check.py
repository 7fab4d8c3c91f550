"""Decide claims about plays: hold every position of a walk, or one line, against the objectives.

Trusted for: every verdict on a statement of kind ``play``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from verifier.kernel.errors import CertificateError
from verifier.kernel.games.marks import OTHER
from verifier.kernel.line import explain_failure, require_some
from verifier.kernel.objective import Objective, Watch, require_bound, require_met, with_scopes
from verifier.kernel.plays import Node, require_little
from verifier.kernel.statement import Statement
from verifier.kernel.verdict import Result, Verdict

_OPPOSITE = {"reach": "prevent", "prevent": "reach"}


def check_proof(statement: Statement, nodes: Iterable[Node], lines: Mapping[str, list[str]]) -> Result:
    """Check that every play and some lines show every objective; the reason of an error names the type that fails.

    Nodes, which ``walk`` yields, are not asked for where no objective speaks of all plays; lines are by objective.
    """
    if set(lines) != {objective.name for objective in statement.objectives if objective.type == "some"}:
        raise CertificateError("malformed", "a line is given for each objective of type 'some', and for no other")
    watched = []
    for objective in statement.objectives:
        require_bound(statement, objective)
        if objective.type == "some":
            require_some(statement, objective, lines[objective.name])
        if objective.is_walked:  # where a line shows it, only its scopes have to be met
            is_shown = objective.type == "some"
            watched.append(replace(objective, type="keep", test=lambda _: True) if is_shown else objective)
    stats, failed = _follow(statement, nodes, watched)
    if failed is not None:
        objective, text = failed
        raise CertificateError(f"not-{objective.type}", f"{objective.name!r} fails in {text}")
    return Result(Verdict.PROVED, stats=stats)


def check_refutation(statement: Statement, name: str, nodes: Iterable[Node], moves: list[str] | None) -> Result:
    """Check that an objective fails: a universal one by a play, a ``some`` one by every play, and without moves."""
    objective = _find_objective(statement, name, ("some",) if moves is None else ("reach", "prevent", "keep"))
    require_bound(statement, objective)
    if moves is not None:
        reason = explain_failure(statement, objective, moves)
        if reason is None:
            raise CertificateError("not-refuted", f"the play does not contradict {name!r}")
        return Result(Verdict.REFUTED, reason)
    opposite = replace(objective, type="keep", test=lambda position: not objective.test(position))
    stats, failed = _follow(statement, nodes, [opposite])
    if failed is not None:
        raise CertificateError("not-refuted", f"{name!r} holds in {failed[1]}")
    return Result(Verdict.REFUTED, f"no play shows {name!r}", stats=stats)


def oppose(statement: Statement, name: str) -> Statement:
    """Return what the opponent claims who refutes that the claimant can reach, or prevent, something.

    The claimant chooses moves, so that no single play refutes this. Plays end: either the claimant can choose so that
    each play reaches a goal in time, or the opponent can choose so that none does, whatever the claimant plays.
    """
    objective = _find_objective(statement, name, _OPPOSITE if statement.chooses else ())
    opposite = replace(objective, type=_OPPOSITE[objective.type])
    return replace(statement, claimant=OTHER[statement.claimant], objectives=(opposite,), chooses=True)


def check_opposed(opposed: Statement, nodes: Iterable[Node]) -> Result:
    """Check that the opponent's moves, against every move of the claimant, show what ``oppose`` returns."""
    shown, objective = check_proof(opposed, nodes, {}), opposed.objectives[0]
    how = "forces it by" if objective.type == "reach" else "prevents it through"
    other = OTHER[opposed.claimant]
    played = f"the strategy of {other} allows" if other in opposed.strategies else "is played"
    text = f"{objective.name!r} fails: {opposed.claimant} {how} ply {objective.bound}, whatever {played}"
    return Result(Verdict.REFUTED, text, stats=shown.stats)


def _find_objective(statement: Statement, name: str, types: Iterable[str]) -> Objective:
    """Return an objective by its name, if it is of one of the types that such evidence refutes."""
    found = next((o for o in statement.objectives if o.name == name), None)
    if found is None or found.type not in types:
        raise CertificateError("malformed", f"{name[:60]!r} is not an objective that such evidence refutes")
    return found


def _follow(
    statement: Statement, nodes: Iterable[Node], objectives: list[Objective]
) -> tuple[dict[str, int], tuple[Objective, str] | None]:
    """Hold objectives against a walk, ply by ply; return what was counted, and which of them fails first, and where."""
    positions = edges = leaves = 0
    watched = [Watch(objective, statement.start) for objective in objectives]
    for node, ply, scopes in with_scopes(statement, nodes) if watched else ():
        positions, edges, leaves = positions + 1, edges + len(node.edges), leaves + (not node.mover)
        require_little(statement)
        for watch in watched:
            if watch.fails(node, ply, scopes):
                return {}, (watch.objective, statement.game.format_position(node.position))
    for watch in watched:
        require_met(watch.objective, watch.met)
    return {"positions": positions, "edges": edges, "leaves": leaves} if watched else {}, None
