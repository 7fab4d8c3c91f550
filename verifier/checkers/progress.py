"""How far a run is, by the guessed length of what is done: readings take from a moment to minutes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from verifier.checkers.plan import Reference


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        done, count: readings.
        share: of the work that this run has to do, from 0 to 1.
        seconds: since it began.
    """

    done: int
    count: int
    share: float
    seconds: float

    @property
    def rest(self) -> float | None:
        """About how many seconds are to go; None while too little is done to tell."""
        return self.seconds * (1 - self.share) / self.share if self.share > 0.01 and self.seconds > 1 else None


@dataclass(slots=True)
class Meter:
    """Adds up what is done.

    Attributes:
        weights: of what is to be done.
        before: how many readings were done before that.
        done: the readings that are finished.
        current: the reading whose parts are counted.
        portion: how much of it is finished.
        began: when, by the monotonic clock.
    """

    weights: dict[Reference, int] = field(default_factory=dict)
    before: int = 0
    done: set[Reference] = field(default_factory=set)
    current: Reference | None = None
    portion: float = 0.0
    began: float = field(default_factory=time.monotonic)

    def begin(self, reference: Reference) -> None:
        """Note that the parts to come are those of a reading."""
        self.current, self.portion = reference, 0.0

    def part(self, done: int, count: int) -> None:
        """Note how many parts of the current reading are finished."""
        self.portion = done / max(count, 1)

    def finish(self, reference: Reference) -> None:
        """Note that a reading is finished."""
        self.done.add(reference)

    def read(self) -> Progress:
        """Return how far everything is."""
        done = list(self.done)
        weight = float(sum(self.weights.get(reference, 0) for reference in done))
        if self.current is not None and self.current not in self.done:
            weight += self.portion * self.weights.get(self.current, 0)
        share = weight / max(sum(self.weights.values()), 1)
        return Progress(self.before + len(done), self.before + len(self.weights), share, time.monotonic() - self.began)
