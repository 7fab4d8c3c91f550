"""What a method is: a module of this package with the members of ``Method``, which ``registry.py`` names."""

from __future__ import annotations

from typing import Protocol

from verifier.kernel.verdict import Result
from verifier.language.model import Reading
from verifier.methods.finding import Evidence, Finding, Task
from verifier.methods.shown import Shown


class Method(Protocol):
    """How the readings of one kind are decided. Everything that the rest has to know of a method is here."""

    @property
    def KIND(self) -> str:  # noqa: N802 - constants of a module
        """The kind of the statements, as the kernel calls it; empty: they state nothing of their own."""

    @property
    def ABOUT(self) -> str:  # noqa: N802
        """What such a reading asks, for people who read a report."""

    @property
    def KERNEL(self) -> str:  # noqa: N802
        """What the kernel does for a verdict that holds; names in braces are counts of the result."""

    @property
    def SECONDS(self) -> int:  # noqa: N802
        """About how long the kernel takes for the evidence of one reading, in seconds of one process."""

    @property
    def PARTS_ITS_WORK(self) -> bool:  # noqa: N802
        """Whether a search runs in many processes at once, and so is led from outside of them."""

    def find_lane(self, reading: Reading, rules: str) -> str:
        """Return what readings have in common that one process checks best, one after the other; empty: nothing."""

    def search(self, task: Task) -> Finding:
        """Look for evidence; it may be wrong: the kernel decides."""

    def show(self, task: Task, decided: Result, evidence: Evidence) -> Shown:
        """Return what people are shown of evidence that the kernel has accepted, made from nothing else."""
