"""Counts the processes that are compiling search code now. Reports of a run's progress mention such processes.

The first search in each process compiles its code, which takes up to half a minute and shows no other progress.
"""

from __future__ import annotations

import ctypes
import multiprocessing
from typing import TypeAlias

CompilationCounter: TypeAlias = ctypes.c_longlong
"""A number of compilations in shared memory. It has no lock: if two processes change it at once, it may be wrong."""

_COUNTERS: list[CompilationCounter] = []
"""The counter of this process; empty if it does not count."""


def make_compilation_counter() -> CompilationCounter:
    """Return a counter that can be given to processes when they start."""
    counter: CompilationCounter = multiprocessing.get_context("spawn").RawValue("q")
    return counter


def count_compilations(counter: CompilationCounter) -> None:
    """From now on, keep in a counter how many compilations of this process are running."""
    _COUNTERS[:] = [counter]


def add_compilations(number: int) -> None:
    """Add a number to the counter of this process: 1 when a compilation starts, -1 when it ends."""
    for counter in _COUNTERS:
        counter.value += number
