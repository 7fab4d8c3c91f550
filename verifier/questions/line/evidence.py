"""Question ``line``: a line, also that of a picture with numbered marks, is legal and ends as described."""

from __future__ import annotations

from dataclasses import replace

from verifier.kernel.verdict import Verdict
from verifier.questions.finding import Evidence, Task
from verifier.questions.line.model import LineReading
from verifier.questions.result import ReadingResult
from verifier.questions.shown import make_line


def show(task: Task, result: ReadingResult, evidence: Evidence) -> ReadingResult:
    """Show the line; of one that is refuted as much as is legal, and what is wrong then."""
    line = task.reading.line if isinstance(task.reading, LineReading) else []
    if result.verdict != Verdict.REFUTED:
        return replace(result, witness=make_line(task.walked, line, "a legal line that ends as described"))
    moves = evidence["line"]
    reason = f"legal, but at its end {evidence['objective']!r} does not hold"
    if len(moves) < len(line):
        reason = f"the next move, {line[len(moves)]}, is not legal"
    return replace(result, witness=make_line(task.walked, moves, reason))
