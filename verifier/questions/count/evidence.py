"""Question ``count``: how many members of a family have a legal line that ends as described; the kernel counts."""

from __future__ import annotations

from verifier.kernel.count import check_count
from verifier.kernel.errors import CertificateError
from verifier.kernel.verdict import Verdict
from verifier.questions.finding import Finding, Task


def search(task: Task) -> Finding:
    """Count: there is nothing to be looked for."""
    try:
        check_count(task.statement, is_proof=True)
    except CertificateError as error:
        if error.reason != "not-the-count":
            return Finding(Verdict.UNKNOWN, str(error))
        return Finding(Verdict.REFUTED, error.args[1], {})
    return Finding(Verdict.PROVED, "", {})
