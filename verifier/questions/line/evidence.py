"""Show the line of a reading. The question ``plays`` searches for the evidence."""

from __future__ import annotations

from dataclasses import replace

from verifier.kernel.verdict import Verdict
from verifier.questions.finding import Evidence, Task
from verifier.questions.line.model import LineReading
from verifier.questions.result import ReadingResult
from verifier.questions.shown import make_line


def show(task: Task, result: ReadingResult, evidence: Evidence) -> ReadingResult:
    """Show the line. If the reading is refuted, show the legal part of the line, and say what is wrong at its end."""
    line = task.reading.line if isinstance(task.reading, LineReading) else []
    if result.verdict != Verdict.REFUTED:
        return replace(result, witness=make_line(task.parsed, line, "a legal line that ends as described"))
    moves = evidence["line"]
    reason = f"legal, but at its end {evidence['objective']!r} does not hold"
    if len(moves) < len(line):
        reason = f"the next move, {line[len(moves)]}, is not legal"
    return replace(result, witness=make_line(task.parsed, moves, reason))
