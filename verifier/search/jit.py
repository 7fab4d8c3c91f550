"""Turn a function of integers and integer arrays into machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeAlias, TypeVar

import numba
import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.int64]
"""Every array of the engine: signed words of 64 bits. No packed field uses the sign."""

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function when it is first called, once in each process."""
    # Numba's cache on disk does not notice changes of functions in other files, although they are part of the machine
    # code. ``threats/descent.py`` may use the cache, because its version is made of all these files.
    # Without Python's lock, so that another thread can end the process meanwhile.
    machine: Callable[P, R] = numba.njit(nogil=True)(function)
    return machine


def integers(*shape: int) -> Array:
    """Return an array of zeros."""
    return np.zeros(shape, dtype=np.int64)


def signed(mask: int) -> int:
    """Return a mask of at most 64 bits as a signed word."""
    return mask - (1 << 64) if mask >> 63 else mask


def power_of_two(size: int, each: int) -> int:
    """Return how many entries of ``each`` bytes fit into ``size`` bytes, as a power of two; at least 1,024."""
    return 1 << max(10, (size // each).bit_length() - 1)
