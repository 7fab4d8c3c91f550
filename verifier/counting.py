"""Counts what the processes of a run do. The counts are in shared memory, so that the main process can show them."""

from __future__ import annotations

import ctypes
import multiprocessing
from typing import TypeAlias

Counter: TypeAlias = ctypes.c_longlong
"""A number in shared memory. It has no lock: if two processes change it at once, one change may be lost."""


def make_counter() -> Counter:
    """Return a counter that can be given to processes when they start."""
    counter: Counter = multiprocessing.get_context("spawn").RawValue("q")
    return counter


class Count:
    """Counts one kind of thing that this process does. Counts nothing until it has a counter."""

    def __init__(self) -> None:
        """Begin without a counter."""
        self._counter: Counter | None = None

    def use(self, counter: Counter) -> None:
        """Add to this counter from now on."""
        self._counter = counter

    def add(self, number: int) -> None:
        """Add a number to the counter, if there is one."""
        if self._counter is not None:
            self._counter.value += number


REPLIES = Count()
"""Counts the replies that the kernel has followed in tables of replies (``replies.py``)."""

COMPILATIONS = Count()
"""Counts how many compilations of search code are running. Before the first search, each process compiles for up to
half a minute, and shows no other progress."""
