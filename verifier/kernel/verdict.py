"""Verdicts, and what a check returns."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


class Verdict(enum.IntEnum):
    """What the evidence says: ``REFUTED < UNKNOWN < PROVED``, so that ``min`` combines verdicts."""

    REFUTED = 0
    UNKNOWN = 1
    PROVED = 2

    def __str__(self) -> str:
        return self.name.lower()

    @classmethod
    def combine(cls, verdicts: Iterable[Verdict]) -> Verdict:
        """Return the weakest of the verdicts; no verdict at all is ``UNKNOWN``, never ``PROVED``."""
        return min(verdicts, default=cls.UNKNOWN)

    @classmethod
    def parse(cls, text: str) -> Verdict:
        """Read ``proved``, ``refuted`` or ``unknown``.

        Raises:
            KeyError: the text is none of the three.
        """
        return cls[text.upper()]


@dataclass(frozen=True, slots=True)
class Result:
    """What the kernel found when it checked one certificate."""

    verdict: Verdict
    reason: str
    trust: str
    stats: Mapping[str, int] = field(default_factory=dict)
