"""How far a run is, and who is told."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.kernel.words import counted

if TYPE_CHECKING:
    from verifier.audit.keys import Reference
    from verifier.audit.ledger import ClaimResult, Ledger


BEAT_SECONDS = 0.25
"""How often it is told how far something is."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        done, count: readings.
        seconds: since it began.
        at_work: the readings that are being checked, and for how many seconds.
        replies: how many replies were followed in tables, about.
        tables, replies_count: how many tables have to be followed, and about how many replies they have.
    """

    done: int
    count: int
    seconds: float
    at_work: tuple[tuple[Reference, float], ...] = ()
    replies: int = 0
    tables: int = 0
    replies_count: int = 0

    @property
    def share(self) -> float:
        """How much of it is done, from 0 to 1: a table counts like a reading."""
        followed = self.tables * min(self.replies / max(self.replies_count, 1), 1)
        return (self.done + followed) / max(self.count + self.tables, 1)


class Watcher:
    """Follows the progress of a run; this one does nothing."""

    def claim_done(self, result: ClaimResult) -> None:
        """Note that every reading of a claim has a verdict."""

    def begun(self, stop: Callable[[], Ledger]) -> None:
        """Note that the run begins to decide; where it is stopped, ``stop`` returns what was decided."""

    def beat(self, progress: Progress) -> None:
        """Note how far the run is; called several times a second."""


def clock(seconds: float) -> str:
    """Write seconds as minutes and seconds, and hours where there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def describe_progress(progress: Progress) -> str:
    """Return how far a run is, and what has been worked at longest."""
    replies = f", {counted(progress.replies, 'reply', 'replies')} followed" if progress.replies else ""
    text = f"{progress.done}/{counted(progress.count, 'reading')}{replies}, {clock(progress.seconds)}"
    work = sorted(progress.at_work, key=lambda item: -item[1])[:3]
    names = ", ".join(f"{'/'.join(reference)} {clock(seconds)}" for reference, seconds in work)
    return f"{text}; at {names}" if names else text


@contextlib.contextmanager
def beating(beat: Callable[[], None]) -> Iterator[None]:
    """Call something several times a second, from a thread, as long as the block lasts."""
    is_over = threading.Event()

    def go_on() -> None:
        while not is_over.wait(BEAT_SECONDS):
            beat()

    thread = threading.Thread(target=go_on, name="beat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
