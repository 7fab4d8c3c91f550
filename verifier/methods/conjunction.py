"""Method ``conjunction``: a statement that says no more than some claims together.

It has no certificate of its own; its verdict is the weakest of theirs, which the ledger fills in.
"""

from __future__ import annotations

from verifier.kernel.verdict import Verdict
from verifier.methods.finding import Finding, Task


def check_conjunction(task: Task) -> Finding:
    """Leave the verdict open: only the ledger knows how the claims stand."""
    del task
    return Finding(Verdict.UNKNOWN, "waits for the claims that it joins")
