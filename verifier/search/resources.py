"""The resources that a long search may use."""

from __future__ import annotations

import pathlib
from concurrent.futures import Executor
from dataclasses import dataclass

DEFAULT_MEMORY_MIB = 512
"""The default memory, in MiB, for the results of a search in one process. The moves that the search finds can depend on
this size."""


@dataclass(frozen=True, slots=True)
class Resources:
    """The place where a search runs, and its limits.

    Attributes:
        executor: runs the parts of the work; None if this process runs them, one after the other.
        memory_mib: the memory, in MiB, for the results of a search in one process.
        checkpoints: the folder for finished parts, so that an interrupted run does not lose them; None to keep nothing.
        may_part: True if a search may start another process for a part of its work: then no other search is running.
    """

    executor: Executor | None = None
    memory_mib: int = DEFAULT_MEMORY_MIB
    checkpoints: pathlib.Path | None = None
    may_part: bool = False
