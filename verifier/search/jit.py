"""Compile functions of integers and integer arrays to machine code, with Numba."""

from __future__ import annotations

import hashlib
import pathlib
from collections.abc import Callable
from typing import ParamSpec, TypeAlias, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from numba.core import event

from verifier.counting import COMPILATIONS

Array: TypeAlias = npt.NDArray[np.int64]
"""The type of all arrays here. Their entries are signed integers of 64 bits."""

P = ParamSpec("P")
R = TypeVar("R")


class _CompilationListener(event.Listener):
    """Counts the compilations that are running in this process, for reports of progress.

    A flag would not be enough: a compilation can start another compilation, and wait for it.
    """

    def on_start(self, event: object) -> None:
        COMPILATIONS.add(1)

    def on_end(self, event: object) -> None:
        COMPILATIONS.add(-1)


event.register("numba:compile", _CompilationListener())  # type: ignore[no-untyped-call]


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that is compiled when it is first called, once in each process."""
    # Numba's cache on disk is not used: if a function calls functions of other files, the cache does not notice when
    # these files change. The functions that Python calls use this cache with a version (``keep_machine_code``).
    # ``nogil`` releases Python's lock, so that another thread can end the process during a search.
    machine: Callable[P, R] = numba.njit(nogil=True)(function)
    return machine


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Return a compiled function whose text Numba puts into each compiled function that calls it."""
    # If two functions call each other, their machine code cannot be kept: Numba loads it without the address of one of
    # them. But the machine code of a function that calls itself can be kept. So where two functions would call each
    # other, one of them has to be inlined into the other.
    machine: Callable[P, R] = numba.njit(nogil=True, inline="always")(function)
    return machine


def keep_machine_code(function: Callable[P, R]) -> Callable[P, R]:
    """Return a compiled function whose machine code is kept on disk.

    The function must use a *version*: a number computed from all files whose functions it calls (``find_version``).
    Then Numba's cache has separate machine code for each version. No two functions that it calls may call each other
    (``inlined`` says why).
    """
    machine: Callable[P, R]
    try:
        machine = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no folder is writable: compile in each process
        machine = numba.njit(nogil=True)(function)
    return machine


def find_version(*paths: pathlib.Path) -> int:
    """Return a number that depends on the contents of some files. A folder stands for all modules in it."""
    digest = hashlib.sha256()
    for path in paths:
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return int.from_bytes(digest.digest()[:6], "big")


def integers(*shape: int) -> Array:
    """Return an array of zeros with this shape."""
    return np.zeros(shape, dtype=np.int64)


def signed(mask: int) -> int:
    """Return a mask of at most 64 bits as a signed integer of 64 bits."""
    return mask - (1 << 64) if mask >> 63 else mask


def power_of_two(size: int, each: int) -> int:
    """Return the largest power of two that is at most ``size // each``, but at least 1,024."""
    return 1 << max(10, (size // each).bit_length() - 1)
