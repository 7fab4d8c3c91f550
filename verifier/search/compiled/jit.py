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
    """Compile a function when it is first called; later processes find the machine code in numba's cache."""
    machine: Callable[P, R] = numba.njit(cache=True)(function)
    return machine


def integers(*shape: int) -> Array:
    """Return an array of zeros."""
    return np.zeros(shape, dtype=np.int64)
