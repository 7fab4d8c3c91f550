"""Have the kernel count: a statement of kind ``count`` needs no evidence."""

from __future__ import annotations

from verifier.kernel.count import decide_count
from verifier.kernel.errors import CertificateError
from verifier.kernel.verdict import Verdict
from verifier.questions.finding import Finding, Task


def search(task: Task) -> Finding:
    """Count, to find out whether the reading is proved or refuted."""
    try:
        decide_count(task.statement, True, {})
    except CertificateError as error:
        if error.reason != "not-the-count":
            return Finding(Verdict.UNKNOWN, str(error))
        return Finding(Verdict.REFUTED, error.args[1], {})
    return Finding(Verdict.PROVED, "", {})
