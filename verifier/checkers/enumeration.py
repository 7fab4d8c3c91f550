"""Method ``enumeration``: a compiled search visits every play, and the kernel checks a sample of what it met."""

from __future__ import annotations

from typing import Any

from verifier.checkers.finding import Finding, Task, line_witness
from verifier.kernel.errors import SpecError
from verifier.kernel.verdict import Verdict
from verifier.search.walk import NodeLimitError
from verifier.spec.sharing import unfold


def check_enumeration(task: Task) -> Finding:
    """Enumerate the plays; offer the sample as evidence, or a play after which an objective fails."""
    from verifier.search.compiled.engine import Engine

    try:
        engine = Engine(unfold(task.statement))
        found = engine.enumerate()
    except (NodeLimitError, SpecError) as error:
        return Finding(Verdict.UNKNOWN, str(error))
    if found.objective is None:
        evidence = {"start": found.start, "levels": found.levels}
        return Finding(Verdict.PROVED, "", evidence, notes=_notes(found.levels))
    statement = engine.statement
    moves = [statement.game.format_move(move) for move in found.line]
    reason = f"{found.objective!r} fails at ply {statement.game.ply(statement.start) + len(moves)}"
    witness = line_witness(statement, found.line, reason)
    return Finding(Verdict.REFUTED, reason, {"objective": found.objective, "line": moves}, witness=witness)


def _notes(levels: list[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(
        f"{name} after each ply, from the start on: {', '.join(str(level[key]) for level in levels)}"
        for name, key in (("positions", "positions"), ("moves", "edges"))
    )
