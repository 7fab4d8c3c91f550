"""What a process of the pool is given to check, and does.

It reads the specs for itself, once, and says so where they are no longer those that the run has read.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.audit.context import Context
from verifier.audit.memory import hash_json
from verifier.audit.plan import Folders
from verifier.audit.schedule import Reference
from verifier.kernel.errors import SpecError
from verifier.language.folder import read_library
from verifier.methods.result import ReadingResult
from verifier.search.resources import Resources

if TYPE_CHECKING:
    from verifier.methods.finding import Memo


@dataclass(frozen=True, slots=True)
class Order:
    """What a process is given to check."""

    folders: Folders
    reference: Reference
    text: str
    lane: str
    is_anew: bool
    memory_mib: int


@functools.lru_cache(maxsize=1)
def _open_once(folders: Folders, memory_mib: int) -> Context:
    """Load the specs once a process: they do not change during a run."""
    return folders.open(read_library(folders.specs)[0], Resources(None, memory_mib))


@functools.cache
def _memo_once() -> Memo:
    """Return the same for all readings: what one of them finds helps the next."""
    from verifier.methods.finding import Memo

    return Memo()


def hash_text(context: Context, reference: Reference) -> str:
    """Return the hash of all text that a reading's result depends on; empty where there is no such reading."""
    claim, name = reference
    if claim not in context.library.claims or name not in context.library.claim(claim).readings:
        return ""
    return hash_json([context.sources.of(reference), context.library.claims[claim].document.value])


def check_in_process(order: Order) -> ReadingResult:
    """Check a reading in a process of the pool.

    Raises:
        SpecError: the reading does not compile, or is not the one that the run has read.
    """
    from verifier.audit.reading import check

    context = _open_once(order.folders, order.memory_mib)
    if hash_text(context, order.reference) != order.text:
        raise SpecError("the specs changed while they were checked")
    memo = _memo_once()
    memo.enter(order.lane)
    return check(context, memo, order.reference, anew=order.is_anew)
