"""What a long search may use."""

from __future__ import annotations

import pathlib
from concurrent.futures import Executor
from dataclasses import dataclass

DEFAULT_MEMORY_MIB = 512
"""The size of the tables of one process; the replies that are found may depend on it."""


@dataclass(frozen=True, slots=True)
class Resources:
    """Where a search runs, and within which limits.

    Attributes:
        executor: runs the parts of the work; None: they run here, one after the other.
        memory_mib: the size of the tables of one process, in MiB.
        checkpoints: a folder where finished parts are kept, so that an interrupted run loses none; None: nowhere.
    """

    executor: Executor | None = None
    memory_mib: int = DEFAULT_MEMORY_MIB
    checkpoints: pathlib.Path | None = None
