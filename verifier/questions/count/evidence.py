"""Have the kernel count: a statement of kind ``count`` needs no evidence."""

from __future__ import annotations

from dataclasses import replace

from verifier.kernel.count import decide_count
from verifier.kernel.errors import CertificateError, IllegalMoveError
from verifier.kernel.verdict import Verdict
from verifier.kernel.words import short
from verifier.questions.count.model import CountReading, EndCounts
from verifier.questions.count.words import say_counted_ends
from verifier.questions.finding import Evidence, Finding, Task
from verifier.questions.result import ReadingResult

_AT_THE_HORIZON = "with a horizon, positions at it count as ends too: to leave them out, name X, O and draw"


def search(task: Task) -> Finding:
    """Count, to find out whether the reading is proved or refuted."""
    try:
        decide_count(task.statement, True, {})
    except CertificateError as error:
        if error.reason != "not-the-count":
            is_ends = error.reason == "limit" and task.statement.get("of") == "ends"
            return Finding(Verdict.UNKNOWN, f"{error}; {_AT_THE_HORIZON}" if is_ends else str(error))
        return Finding(Verdict.REFUTED, error.args[1], {})
    except IllegalMoveError as error:  # a strategy names this move
        return Finding(Verdict.UNKNOWN, f"illegal-move: {error}")
    return Finding(Verdict.PROVED, "", {})


def show(task: Task, result: ReadingResult, _evidence: Evidence) -> ReadingResult:
    """If the reason has a formula in the kernel's notation, say instead in the words of the spec what was counted."""
    model, said = task.reading, task.statement.get("counts", ())
    if isinstance(model, CountReading) and isinstance(model.count, EndCounts):
        for ending, (formula, claimed) in zip(model.count.numbers, said, strict=True):
            start, with_formula, rest = result.reason.partition(f" with {short(formula, 60)}, not {claimed}")
            if with_formula and not rest:
                return replace(result, reason=f"{start}{say_counted_ends(model, ending)}, not {int(claimed):,}")
    return result
