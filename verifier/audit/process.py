"""What a process of the pool is told to check, and does.

It reads the specs for itself, once, and says so where they are no longer those that the run has read.
"""

from __future__ import annotations

import functools
import pathlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.audit.ledger import ReadingResult
from verifier.audit.memory import hash_json
from verifier.audit.plan import Folders
from verifier.audit.recall import Desk
from verifier.audit.schedule import Reference, is_shared_out
from verifier.language.library import Library, read_library
from verifier.language.problem import Problem, SpecProblemsError
from verifier.search.resources import Resources

if TYPE_CHECKING:
    from verifier.audit.reading import Tools


@dataclass(frozen=True, slots=True)
class Order:
    """What a process is told to check."""

    folders: Folders
    reference: Reference
    text: str
    lane: str
    is_full: bool
    is_anew: bool
    memory_mib: int


@functools.lru_cache(maxsize=1)
def _load_once(specs: pathlib.Path) -> Library:
    """Load the specs once a process: they do not change during a run."""
    return read_library(specs)[0]


@functools.lru_cache(maxsize=1)
def _open_once(folders: Folders, is_full: bool) -> Desk:
    return folders.open_desk(_load_once(folders.specs), is_full=is_full)


@functools.lru_cache(maxsize=1)
def _take_tools(lane: str, memory_mib: int) -> Tools:
    """Return the same for all readings of a lane: what one of them walks through helps the next."""
    from verifier.audit.reading import Tools
    from verifier.methods.finding import Shared

    del lane
    return Tools(Shared(resources=Resources(None, memory_mib)))


def hash_text(desk: Desk, reference: Reference) -> str:
    """Return the hash of all text that a reading's result depends on; empty where there is no such reading."""
    claim, name = reference
    if claim not in desk.library.claims or name not in desk.library.claim(claim).readings:
        return ""
    return hash_json([desk.sources.of(reference), desk.library.claims[claim].document.value])


def check_in_process(order: Order) -> ReadingResult | None:
    """Check a reading in a process of the pool; None: a search has to be led from outside.

    Raises:
        SpecProblemsError: the reading does not compile.
    """
    from verifier.audit.reading import check

    desk = _open_once(order.folders, order.is_full)
    if hash_text(desk, order.reference) != order.text:
        raise SpecProblemsError([Problem("/".join(order.reference), 1, 1, "the specs changed while they were checked")])
    tools = _take_tools(order.lane, order.memory_mib)
    if not order.lane:
        tools.forget()
    may_search = not is_shared_out(desk.library, order.reference)
    return check(desk, tools, order.reference, anew=order.is_anew, may_search=may_search)
