"""Method ``exhaustive``: a strategy against every reply."""

from __future__ import annotations

from typing import Any

from verifier.checkers.finding import Finding, Task, line_witness
from verifier.kernel.check import UNIVERSAL, parse_statement
from verifier.kernel.verdict import Verdict
from verifier.search.walk import Exploration, NodeLimitError, find_escape, find_hit, is_met


def check_exhaustive(task: Task) -> Finding:
    """Explore every play, and decide the objectives one after the other; the first that fails refutes the reading."""
    try:
        found = task.shared.explore(task.statement)
    except NodeLimitError as error:
        return Finding(Verdict.UNKNOWN, str(error))
    return decide_objectives(task, found)


def decide_objectives(task: Task, found: Exploration) -> Finding:
    """Turn an exploration into evidence for or against the objectives of a statement."""
    statement = parse_statement(task.statement)
    game = statement.game
    stats = found.summary()
    lines: dict[str, list[str]] = {}
    witness: dict[str, Any] | None = None
    for objective in statement.objectives:
        if objective.type == "some":
            line = find_hit(found, objective, value=True)
            if line is None and found.trouble is not None:
                return Finding(
                    Verdict.UNKNOWN,
                    f"{objective.name!r}: the strategy is stuck, so not every play was seen",
                    stats=stats,
                )
            if line is None:
                return _no_such_play(task, found, objective.name, stats)
            lines[objective.name] = [game.format_move(move) for move in line]
            witness = witness or line_witness(statement, line, objective.name)
            continue
        if found.trouble is not None:
            escape: list[Any] | None = found.line_to(found.trouble)
        elif objective.type == "keep":
            if not is_met(found, objective):
                return Finding(Verdict.UNKNOWN, f"vacuous: no play meets {objective.name!r}", stats=stats)
            escape = find_hit(found, objective, value=False)
        else:
            escape = find_escape(found, objective)
        if escape is not None:
            moves = [game.format_move(move) for move in escape]
            failure = {"objective": objective.name, "line": moves}
            reason = f"{objective.name!r} fails at ply {game.ply(statement.start) + len(moves)}"
            return Finding(
                Verdict.REFUTED, reason, failure, stats=stats, witness=line_witness(statement, escape, reason)
            )
    evidence: dict[str, Any] = {"lines": lines} if lines else {}
    files: dict[str, bytes] = {}
    if any(objective.type in UNIVERSAL for objective in statement.objectives):
        reference, files = task.shared.table(task.statement, found)
        evidence["table"] = reference
    return Finding(Verdict.PROVED, "", evidence, files, stats, witness)


def _no_such_play(task: Task, found: Exploration, name: str, stats: dict[str, int]) -> Finding:
    reference, files = task.shared.table(task.statement, found)
    evidence = {"objective": name, "table": reference}
    return Finding(Verdict.REFUTED, f"no play shows {name!r}", evidence, files, stats)
