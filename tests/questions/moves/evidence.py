"""How ``moves`` is decided: the kernel counts, so there is nothing to search for."""

from __future__ import annotations

from verifier.kernel.moves import count_moves

from verifier.kernel.verdict import Verdict
from verifier.questions.finding import Finding, Task


def search(task: Task) -> Finding:
    """Count, and offer no evidence."""
    is_so = count_moves(task.statement) == task.statement["moves"]
    return Finding(Verdict.PROVED if is_so else Verdict.REFUTED, "", {})
