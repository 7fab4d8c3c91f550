"""A reading with ``joins`` and nothing else: a statement that says no more than some claims together.

It has no certificate of its own; its verdict is the weakest of theirs, which the ledger fills in.
"""

from __future__ import annotations

from verifier.kernel.verdict import Verdict
from verifier.methods.finding import Finding, Task
from verifier.methods.method import Method


def search(_: Task) -> Finding:
    """Leave the verdict open: only the ledger knows how the claims stand."""
    return Finding(Verdict.UNKNOWN, "waits for the claims that it joins")


METHOD = Method(kind="", about="some claims together", kernel={"": "follows from the claims listed"}, search=search)
