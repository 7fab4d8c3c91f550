"""Decide claims about plays: hold what the walk through every play met, or one line, against the objectives.

Trusted for: every verdict on a statement of kind ``play``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.line import choices_of, explain_failure, parse_line, require_some
from verifier.kernel.plays import Walk
from verifier.kernel.statement import Objective, Statement
from verifier.kernel.verdict import Result, Verdict


def check_proof(statement: Statement, walked: Walk, lines: Mapping[str, Any]) -> Result:
    """Check that every play and some lines show every objective.

    Args:
        statement: what is claimed.
        walked: what ``walk`` returns for the statement's plays.
        lines: for each ``some`` objective, by name, the moves of a play that shows it.

    Raises:
        CertificateError: an objective does not hold: its name, its type and the position.
    """
    for objective in statement.objectives:
        if objective.type == "some":
            require_some(statement, objective, lines.get(objective.name))
        else:
            if is_vacuous(statement, objective, walked):
                raise CertificateError("vacuous", f"{objective.name!r} speaks of no position that any play meets")
            failure = find_failure(statement, objective, walked)
            if failure is not None:
                text = statement.game.format_position(failure)
                raise CertificateError(f"not-{objective.type}", f"{objective.name!r} fails in {text}")
    return Result(Verdict.PROVED, stats=dict(walked.stats))


def check_refutation(statement: Statement, name: object, walked: Walk | None, moves: object) -> Result:
    """Check that an objective fails: a universal one by a play, a ``some`` one by a walk through every play.

    Raises:
        CertificateError: the evidence does not refute it.
    """
    objective = next((o for o in statement.objectives if o.name == name), None)
    if objective is None:
        raise CertificateError("malformed", f"the statement has no objective {str(name)[:60]!r}")
    if objective.type == "some":
        if walked is None:
            raise CertificateError("malformed", "an existence claim is refuted by a table")
        if not _is_every_move(statement, walked):
            raise CertificateError(
                "not-refuted", "the table chooses among the claimant's moves, so it does not show every play"
            )
        for position in _in_scope(objective, walked):
            if objective.test(position, position):
                text = statement.game.format_position(position)
                raise CertificateError("not-refuted", f"{objective.name!r} holds in {text}")
        stats = dict(walked.stats)
        return Result(Verdict.REFUTED, f"no play shows {objective.name!r}", stats=stats)
    reason = explain_failure(statement, objective, parse_line(statement, moves))
    if reason is None:
        raise CertificateError("not-refuted", f"the play does not contradict {objective.name!r}")
    return Result(Verdict.REFUTED, reason)


def _is_every_move(statement: Statement, walked: Walk) -> bool:
    """Say whether a walk leaves out no move of a claimant who has no strategy."""
    own = (node for node in walked.nodes if node.mover == statement.claimant)
    return all({after for _, after in node.edges} >= _all_after(statement, node.position) for node in own)


def _all_after(statement: Statement, position: Any) -> set[Any]:
    return {statement.game.play(position, move) for move in choices_of(statement, position)}


def _in_scope(objective: Objective, walked: Walk) -> Iterator[Any]:
    for scope in sorted(objective.scopes):
        yield from walked.scopes.get(scope, ())


def is_vacuous(statement: Statement, objective: Objective, walked: Walk) -> bool:
    """Say whether an objective has no position to hold in: it would be met whatever it says."""
    if objective.type == "prevent":
        return objective.bound < statement.game.ply(statement.start)
    return objective.type == "keep" and next(_in_scope(objective, walked), None) is None


def find_failure(statement: Statement, objective: Objective, walked: Walk) -> Any:
    """Return a position of a walk where a universal objective fails, or None."""
    ply = statement.game.ply
    if objective.type == "keep":
        return next((p for p in _in_scope(objective, walked) if not objective.test(p, p)), None)
    if objective.type == "prevent":
        for node in walked.nodes:
            if ply(node.position) <= objective.bound and objective.test(node.position, node.position):
                return node.position
            if not node.edges and ply(node.position) < objective.bound and not statement.game.is_over(node.position):
                return node.position
        return None
    pending = {statement.start}
    for node in walked.nodes:
        is_late = ply(node.position) > objective.bound
        if node.position in pending and (is_late or not objective.test(node.position, node.position)):
            if not node.edges or ply(node.position) >= objective.bound:
                return node.position
            pending.update(after for _, after in node.edges)
    return None
