"""Method ``enumeration``: a compiled search visits every play, and the kernel checks a sample of what it met."""

from __future__ import annotations

from verifier.checkers.finding import Finding, Task
from verifier.kernel.errors import SpecError
from verifier.kernel.verdict import Verdict
from verifier.search.walk import NodeLimitError


def check_enumeration(task: Task) -> Finding:
    """Enumerate the plays; offer the sample as evidence, or a play after which an objective fails."""
    from verifier.search.compiled.engine import Engine

    try:
        engine = Engine(task.statement)
        found = engine.enumerate()
    except (NodeLimitError, SpecError) as error:
        return Finding(Verdict.UNKNOWN, str(error))
    if found.objective is None:
        evidence = {"start": found.start, "levels": found.levels}
        return Finding(Verdict.PROVED, "", evidence)
    statement = engine.statement
    moves = [statement.game.format_move(move) for move in found.line]
    reason = f"{found.objective!r} fails at ply {statement.game.ply(statement.start) + len(moves)}"
    return Finding(Verdict.REFUTED, reason, {"objective": found.objective, "line": moves})
