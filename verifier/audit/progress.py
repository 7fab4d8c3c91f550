"""The progress of a run, and the base class of objects that are notified of it."""

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
"""The time between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run.

    Attributes:
        done: the number of readings that have a result.
        count: the number of all readings.
        seconds: the time since the run began.
        at_work: the readings that are being checked, each with the time since its check began.
        replies: an estimate of the number of replies that the kernel has followed in tables (``verifier/replies.py``).
        tables: the number of tables of replies that the kernel has to follow.
        replies_count: an estimate of the number of replies in these tables.
        is_compiling: whether some process is compiling search code.
    """

    done: int
    count: int
    seconds: float
    at_work: tuple[tuple[Reference, float], ...] = ()
    replies: int = 0
    tables: int = 0
    replies_count: int = 0
    is_compiling: bool = False

    @property
    def share(self) -> float:
        """The share of the work that is done, from 0 to 1. A table counts as much as a reading."""
        followed = self.tables * min(self.replies / max(self.replies_count, 1), 1)
        return (self.done + followed) / max(self.count + self.tables, 1)


class Watcher:
    """The base class of objects that are notified of the progress of a run. It does nothing itself."""

    def claim_done(self, result: ClaimResult) -> None:
        """React to the result of a claim. The run calls this when every reading of the claim has a result."""

    def begun(self, stop: Callable[[], Ledger]) -> None:
        """React when the run begins. After an interruption, ``stop`` returns the results so far."""

    def beat(self, progress: Progress) -> None:
        """React to the progress of the run. The run calls this several times a second."""


def format_time(seconds: float) -> str:
    """Return a time in seconds as ``M:SS``, or as ``H:MM:SS`` from one hour on."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def describe_progress(progress: Progress) -> str:
    """Return the progress of a run as text, with at most three checks: those that have taken longest so far."""
    replies = f", {counted(progress.replies, 'reply', 'replies')} followed" if progress.replies else ""
    # This comes before the names, because a terminal may cut off the end of the line.
    compiling = ", compiling the search code" if progress.is_compiling else ""
    text = f"{progress.done}/{counted(progress.count, 'reading')}{replies}, {format_time(progress.seconds)}{compiling}"
    work = sorted(progress.at_work, key=lambda item: -item[1])[:3]
    names = ", ".join(f"{'/'.join(reference)} {format_time(seconds)}" for reference, seconds in work)
    return f"{text}; checking {names}" if names else text


@contextlib.contextmanager
def beating(beat: Callable[[], None]) -> Iterator[None]:
    """Call ``beat`` several times a second, from a thread, until the block ends."""
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
