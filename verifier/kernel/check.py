"""Decide claims about plays: hold every position of a walk, or one line, against the objectives.

Trusted for: every verdict on a statement of kind ``play``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from verifier.kernel.errors import CertificateError
from verifier.kernel.games.marks import OTHER
from verifier.kernel.objective import Objective, Watch, require_bound, require_met, with_scopes
from verifier.kernel.plays import Node, parse_line, replay
from verifier.kernel.statement import Statement
from verifier.kernel.strategy import find_breakdown
from verifier.kernel.verdict import Result, Verdict

_OPPOSITE = {"reach": "prevent", "prevent": "reach"}


def check_proof(statement: Statement, nodes: Iterable[Node], lines: Mapping[str, list[str]]) -> Result:
    """Check that every play, of which the nodes are used if need be, and lines, by objective, show every objective."""
    if set(lines) != {objective.name for objective in statement.objectives if objective.type == "some"}:
        raise CertificateError("malformed", "a line is given for each objective of type 'some', and for no other")
    watched = []
    for objective in statement.objectives:
        require_bound(statement, objective)
        if objective.type == "some":
            _require_some(statement, objective, lines[objective.name])
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


def explain_failure(statement: Statement, objective: Objective, moves: list[str]) -> str | None:
    """Say how a play contradicts a universal objective at its end, or return None when it does not."""
    game, own = statement.game, statement.strategies.get(statement.claimant)
    met = replay(statement, parse_line(game, moves))
    for node in met[:-1]:
        if statement.chooses and node.mover == statement.claimant:
            choices = [move for _, move in own(node.position)] if own else game.legal_moves(node.position)
            if len(set(choices)) > 1:
                return None  # the claimant could have played otherwise
    last, watch = met[-1], Watch(objective, statement.start)
    ply = game.ply(last.position)
    if last.mover in statement.strategies:
        choices = [move for _, move in statement.strategies[last.mover](last.position)]
        if statement.chooses and last.mover == statement.claimant:
            choices = [move for move in choices if move in game.legal_moves(last.position)]
        breakdown = find_breakdown(game, last.position, choices)
        if breakdown:
            return f"the strategy of {last.mover} {breakdown} after ply {ply}"
    if not [watch.fails(*node) for node in with_scopes(statement, met)][-1]:
        return None
    if objective.type == "reach":
        return f"{objective.name!r} fails: not reached by ply {objective.bound}"
    return f"{objective.name!r} fails at ply {ply}"


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


def _require_some(statement: Statement, objective: Objective, moves: list[str]) -> None:
    """Require that a line shows a ``some`` objective at its end."""
    *_, (last, ply, scopes) = with_scopes(statement, replay(statement, parse_line(statement.game, moves)))
    if not (objective.speaks_of(ply, scopes) and objective.holds(last.position, ply)):
        text = statement.game.format_position(last.position)
        raise CertificateError("not-some", f"{objective.name!r} does not hold in {text}")


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
        statement.formulas.spend()
        for watch in watched:
            if watch.fails(node, ply, scopes):
                return {}, (watch.objective, statement.game.format_position(node.position))
    for watch in watched:
        require_met(watch.objective, watch.met)
    return {"positions": positions, "edges": edges, "leaves": leaves} if watched else {}, None
