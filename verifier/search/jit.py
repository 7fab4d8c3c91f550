"""Turn a function of integers and integer arrays into machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeAlias, TypeVar

import numba
import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.int64]
"""Every array of the engine: signed words of 64 bits, of which no packed field uses the sign."""

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function when it is first called, once a process.

    Numba's cache on disk is not used here: it does not notice when a function of another file, which is part of the
    machine code, has changed. What has a version made of all these files may be kept (``threats/descent.py``).
    """
    machine: Callable[P, R] = numba.njit(nogil=True)(function)  # another thread can end the process meanwhile
    return machine


def integers(*shape: int) -> Array:
    """Return an array of zeros."""
    return np.zeros(shape, dtype=np.int64)


def signed(mask: int) -> int:
    """Return a mask of at most 64 bits as a signed word."""
    return mask - (1 << 64) if mask >> 63 else mask


def power_of_two(size: int, each: int) -> int:
    """Return the greatest power of two of entries that fit into a size, at least 1,024."""
    return 1 << max(10, (size // each).bit_length() - 1)
