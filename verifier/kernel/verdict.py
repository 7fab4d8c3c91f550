"""The kernel's answers: verdicts, results, and beliefs (what else you have to trust for a verdict)."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field


class Verdict(enum.IntEnum):
    """The verdict that the evidence shows; ``min`` of several verdicts is the weakest.

    ``PROVED``: the kernel decided everything. ``SUPPORTED``: you also have to trust something else (``Belief``).
    """

    REFUTED = 0
    UNKNOWN = 1
    SUPPORTED = 2
    PROVED = 3

    def __str__(self) -> str:
        return self.name.lower()


class Belief(enum.Enum):
    """Something that you have to trust for a supported verdict, besides the kernel."""

    SOLVER = "that a solver, which is not part of the kernel, answered each obligation rightly"
    COQ = "that Coq checked a proof, and that the proof states what the claim says"

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Result:
    """The result of the kernel's check of one certificate."""

    verdict: Verdict
    reason: str = ""  # why the statement is not proved, in one sentence
    beliefs: frozenset[Belief] = frozenset()  # what else you have to trust; empty unless the verdict is supported
    stats: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Require beliefs for a supported verdict, and no beliefs for any other verdict."""
        if (self.verdict is Verdict.SUPPORTED) != bool(self.beliefs):
            named = ", ".join(sorted(map(str, self.beliefs))) or "nothing"
            raise ValueError(f"a verdict {self.verdict} cannot rest on {named} besides the kernel")
