"""Method ``exhaustive``: a strategy against every reply."""

from __future__ import annotations

from typing import Any

from verifier.checkers.finding import Finding, Task
from verifier.kernel.statement import UNIVERSAL, parse_statement
from verifier.kernel.verdict import Verdict
from verifier.search.walk import Exploration, NodeLimitError, find_escape, find_hit, is_met


def check_exhaustive(task: Task) -> Finding:
    """Explore every play, and let the kernel say whether the objectives hold in them."""
    try:
        found = task.shared.explore(task.statement)
    except NodeLimitError as error:
        return Finding(Verdict.UNKNOWN, str(error))
    return propose_proof(task, found)


def propose_proof(task: Task, found: Exploration) -> Finding:
    """Offer an exploration as a proof; only where the kernel rejects it is a play searched that fails an objective."""
    statement = parse_statement(task.statement)
    if found.trouble is not None:
        return find_fault(task, found) or Finding(Verdict.UNKNOWN, "a strategy is stuck")
    lines: dict[str, list[str]] = {}
    for objective in statement.objectives:
        if objective.type == "some":
            line = find_hit(found, objective, value=True)
            if line is None:
                return find_fault(task, found) or Finding(Verdict.UNKNOWN, "no play shows it")
            lines[objective.name] = [statement.game.format_move(move) for move in line]
    evidence: dict[str, Any] = {"lines": lines} if lines else {}
    files: dict[str, bytes] = {}
    if any(objective.type in UNIVERSAL for objective in statement.objectives):
        reference, files = task.shared.table(task.statement, found)
        evidence["table"] = reference
    return Finding(Verdict.PROVED, "", evidence, files, fallback=lambda: find_fault(task, found))


def find_fault(task: Task, found: Exploration) -> Finding | None:
    """Go through the objectives in order; the first that fails refutes the reading by a shortest play.

    None: no objective fails.
    """
    statement = parse_statement(task.statement)
    game = statement.game
    for objective in statement.objectives:
        name = objective.name
        escape: list[Any] | None = None
        if objective.type == "some":
            if find_hit(found, objective, value=True) is None:
                if found.trouble is None:
                    return _no_such_play(task, found, name)
                reason = f"{name!r}: the strategy is stuck, so not every play was seen"
                return Finding(Verdict.UNKNOWN, reason)
        elif found.trouble is not None:
            escape = found.line_to(found.trouble)
        elif objective.type == "keep":
            if not is_met(found, objective):
                return Finding(Verdict.UNKNOWN, f"vacuous: no play meets {name!r}")
            escape = find_hit(found, objective, value=False)
        else:
            escape = find_escape(found, objective)
        if escape is not None:
            failure = {"objective": name, "line": [game.format_move(move) for move in escape]}
            reason = f"{name!r} fails at ply {game.ply(statement.start) + len(escape)}"
            return Finding(Verdict.REFUTED, reason, failure)
    return None


def _no_such_play(task: Task, found: Exploration, name: str) -> Finding:
    reference, files = task.shared.table(task.statement, found)
    evidence = {"objective": name, "table": reference}
    return Finding(Verdict.REFUTED, f"no play shows {name!r}", evidence, files)
