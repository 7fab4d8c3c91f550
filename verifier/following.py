"""Follows tables of replies in some processes, and counts what they have followed, for a line of progress."""

from __future__ import annotations

import gc
import multiprocessing
from typing import Protocol

from verifier.kernel.backstop import limited
from verifier.kernel.race.replies import Shown, check_table
from verifier.kernel.store import Files


class Counter(Protocol):
    """Counts replies, in memory that processes share; where two add at once, one may be lost: nobody has to wait."""

    value: int


_COUNTERS: list[Counter] = []
"""What this process counts in."""


def make_counter() -> Counter:
    """Return a counter that can be handed to processes as they start."""
    counter: Counter = multiprocessing.get_context("spawn").RawValue("q")
    return counter


def count_in(counter: Counter) -> None:
    """Have this process count the replies that it follows."""
    _COUNTERS[:] = [counter]


def tell(count: int) -> None:
    """Add what this process has followed."""
    for counter in _COUNTERS:
        counter.value += count


def begin(counter: Counter) -> None:
    """Begin the life of a process that decides."""
    count_in(counter)
    gc.set_threshold(200_000, 100, 100)  # positions and formulas have no cycles, and there are many


def follow(name: str, read: Files) -> Shown | None:
    """Decide on all of a table of replies; None: it is rejected; whatever rests on it says so."""
    try:
        return limited(lambda: check_table(name, read, tell))
    except Exception:  # noqa: BLE001 - a defect of the kernel is told where a statement rests on the table
        return None
