"""Decide claims about plays: hold every position of a walk, or one line, against the objectives.

Trusted for: every verdict on a statement of kind ``play``.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.line import explain_failure, parse_line, require_some
from verifier.kernel.objective import Objective, Watch, require_bound, require_met, scopes_of_label, standing_scopes
from verifier.kernel.plays import Node, require_little
from verifier.kernel.statement import Statement
from verifier.kernel.verdict import Result, Verdict

Failure = tuple[Objective, Any] | None
"""An objective that fails, and where; None: all hold."""


def check_proof(statement: Statement, nodes: Iterable[Node], lines: Mapping[str, Any]) -> Result:
    """Check that every play and some lines show every objective.

    Args:
        statement: what is claimed.
        nodes: what ``walk`` yields for the statement's plays; nothing where no objective speaks of all of them.
        lines: for each ``some`` objective, by name, the moves of a play that shows it.

    Raises:
        CertificateError: an objective does not hold: ``not-`` and its type, its name, and the position; or
            ``vacuous-bound``, ``vacuous-scope``.
    """
    watched: list[Watch] = []
    for objective in statement.objectives:
        require_bound(statement, objective)
        is_some = objective.type == "some"
        if is_some:
            require_some(statement, objective, lines.get(objective.name))
        if objective.is_walked:  # where a line shows it, only its scopes have to be met
            walked = replace(objective, type="keep", test=lambda _: True) if is_some else objective
            watched.append(Watch(walked, statement.start))
    if set(lines) - {objective.name for objective in statement.objectives if objective.type == "some"}:
        raise CertificateError("malformed", "a line is given for each objective of type 'some', and for no other")
    if not watched:
        return Result(Verdict.PROVED)
    stats, failed = _follow(statement, nodes, watched)
    if failed is not None:
        objective, position = failed
        text = statement.game.format_position(position)
        raise CertificateError(f"not-{objective.type}", f"{objective.name!r} fails in {text}")
    return Result(Verdict.PROVED, stats=stats)


def check_refutation(statement: Statement, name: object, nodes: Iterable[Node], moves: object) -> Result:
    """Check that an objective fails: a universal one by a play, a ``some`` one by every play.

    Args:
        statement: what is claimed.
        name: the objective.
        nodes: every position of the statement's plays; asked for only where the objective is a ``some`` one.
        moves: the play; None for a ``some`` objective.

    Raises:
        CertificateError: the evidence does not refute it, or ``vacuous-bound``, ``vacuous-scope``.
    """
    objective = next((o for o in statement.objectives if o.name == name), None)
    if objective is None or (objective.type == "some") != (moves is None):
        raise CertificateError("malformed", "a refutation names an objective, and a line unless its type is 'some'")
    require_bound(statement, objective)
    if objective.type != "some":
        reason = explain_failure(statement, objective, parse_line(statement.game, moves))
        if reason is None:
            raise CertificateError("not-refuted", f"the play does not contradict {objective.name!r}")
        return Result(Verdict.REFUTED, reason)
    opposite = replace(objective, type="keep", test=lambda position: not objective.test(position))
    stats, failed = _follow(statement, nodes, [Watch(opposite, statement.start)])
    if failed is not None:
        text = statement.game.format_position(failed[1])
        raise CertificateError("not-refuted", f"{objective.name!r} holds in {text}")
    return Result(Verdict.REFUTED, f"no play shows {objective.name!r}", stats=stats)


def oppose(statement: Statement, name: object) -> Statement:
    """Return what the opponent claims who refutes that the claimant can reach, or prevent, something.

    The claimant chooses moves, so that no single play refutes this. Plays end: either the claimant can choose so that
    each play reaches a goal in time, or the opponent can choose so that none does, whatever the claimant plays.

    Args:
        statement: what is claimed.
        name: the objective that fails.

    Raises:
        CertificateError: it is no such claim.
    """
    objective = next((o for o in statement.objectives if o.name == name), None)
    if objective is None or not statement.chooses or objective.type not in _OPPOSITE:
        raise CertificateError(
            "malformed", "the opponent's moves refute 'reach' or 'prevent' of a claimant who chooses"
        )
    return replace(
        statement,
        claimant="O" if statement.claimant == "X" else "X",
        objectives=(replace(objective, type=_OPPOSITE[objective.type]),),
        chooses=True,
    )


_OPPOSITE = {"reach": "prevent", "prevent": "reach"}


def check_opposed(opposed: Statement, nodes: Iterable[Node]) -> Result:
    """Check that the opponent's moves, against every move of the claimant, show what ``oppose`` returns.

    Raises:
        CertificateError: as ``check_proof`` does.
    """
    shown, objective = check_proof(opposed, nodes, {}), opposed.objectives[0]
    how = "forces it by" if objective.type == "reach" else "prevents it through"
    other = "O" if opposed.claimant == "X" else "X"
    played = f"the strategy of {other} allows" if other in opposed.strategies else "is played"
    text = f"{objective.name!r} fails: {opposed.claimant} {how} ply {objective.bound}, whatever {played}"
    return Result(Verdict.REFUTED, text, stats=shown.stats)


def _follow(statement: Statement, nodes: Iterable[Node], watched: Sequence[Watch]) -> tuple[dict[str, int], Failure]:
    """Hold objectives against a walk, ply by ply; return what was counted, or where one of them fails first."""
    positions = edges = leaves = 0
    at, came, coming = -1, collections.defaultdict[Any, set[str]](set), collections.defaultdict[Any, set[str]](set)
    is_after = any(scope.startswith("after:") for watch in watched for scope in watch.objective.scopes)
    for node in nodes:
        positions, edges, leaves = positions + 1, edges + len(node.edges), leaves + (not node.mover)
        require_little(statement)
        ply, scopes = statement.game.ply(node.position), standing_scopes(statement, node)
        if is_after:
            if ply != at:
                at, came, coming = ply, coming, collections.defaultdict(set)
            scopes |= came.get(node.position, frozenset())
            for label, after in node.edges:
                coming[after].update(scopes_of_label("after", label))
        for watch in watched:
            if watch.judge(node, ply, scopes):
                return {}, (watch.objective, node.position)
    for watch in watched:
        require_met(watch.objective, watch.met)
    return {"positions": positions, "edges": edges, "leaves": leaves}, None
