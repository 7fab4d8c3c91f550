"""Method ``conjunction``: a statement that says no more than some claims together.

It has no certificate of its own; its verdict is the weakest of theirs, which the ledger fills in.
"""

from __future__ import annotations

from verifier.kernel.verdict import Result, Verdict
from verifier.language.model import Reading
from verifier.methods.finding import Evidence, Finding, Task
from verifier.methods.shown import Shown

KIND = ""
ABOUT = "some claims together"
KERNEL = "the kernel decided what is joined"
SECONDS = 1
PARTS_ITS_WORK = False


def find_lane(reading: Reading, rules: str) -> str:
    """Return nothing: these readings have nothing in common."""
    del reading, rules
    return ""


def search(task: Task) -> Finding:
    """Leave the verdict open: only the ledger knows how the claims stand."""
    del task
    return Finding(Verdict.UNKNOWN, "waits for the claims that it joins")


def show(task: Task, decided: Result, evidence: Evidence) -> Shown:
    """Show nothing."""
    del task, decided, evidence
    return Shown()
