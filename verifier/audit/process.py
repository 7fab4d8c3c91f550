"""What a process of the pool is given to check, and does.

It reads the specs for itself, once, and says so where they are no longer those that the run has read.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Set
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verifier.audit.context import Context
from verifier.audit.memory import hash_json
from verifier.audit.plan import Folders
from verifier.audit.pool import Pool
from verifier.audit.schedule import Parts, Reference, is_shared_out
from verifier.following import follow
from verifier.kernel.errors import SpecError
from verifier.kernel.race.replies import Shown
from verifier.language.folder import read_library
from verifier.methods.result import ReadingResult
from verifier.search.resources import Resources

if TYPE_CHECKING:
    from verifier.methods.finding import Memo


@dataclass(frozen=True, slots=True)
class Order:
    """What a process is given to check; ``tables`` of replies that others have followed for it, None: not yet."""

    folders: Folders
    reference: Reference
    text: str
    lane: str
    is_anew: bool
    memory_mib: int
    tables: Mapping[str, Shown] | None = None


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


def follow_in_process(folders: Folders, name: str) -> Shown | None:
    """Follow a table of replies, as ``recheck`` does."""
    return follow(name, folders.stores.read)


def check_in_process(order: Order) -> ReadingResult | Parts:
    """Check a reading in a process of the pool, as far as it does not wait for others.

    Raises:
        SpecError: the reading does not compile.
    """
    from verifier.audit.reading import check

    context = _open_once(order.folders, order.memory_mib)
    if hash_text(context, order.reference) != order.text:
        raise SpecError("the specs changed while they were checked")
    memo = _memo_once()
    memo.enter(order.lane)
    memo.tables.update(order.tables or {})
    may_search, is_whole = not is_shared_out(context.library, order.reference), order.tables is not None
    return check(context, memo, order.reference, anew=order.is_anew, may_search=may_search, is_whole=is_whole)


@dataclass(slots=True)
class Tables:
    """Tables of replies that processes of the pool follow, each once, for the readings that rest on them.

    Attributes:
        pool, folders: who follows them, and where they lie.
        futures: by hash.
        waiting: the tables of each reading that waits.
    """

    pool: Pool
    folders: Folders
    futures: dict[str, Future[Shown | None]] = field(default_factory=dict)
    waiting: dict[Reference, tuple[str, ...]] = field(default_factory=dict)

    def follow(self, reference: Reference, names: tuple[str, ...]) -> None:
        """Have the tables of a reading followed, but for those that are already."""
        self.waiting[reference] = names
        for name in names:
            if name not in self.futures:
                self.futures[name] = self.pool.submit(follow_in_process, self.folders, name)

    def take_followed(self) -> Iterator[tuple[Reference, dict[str, Shown]]]:
        """Yield each reading that waits no longer, with what its tables show; they wait for nothing any more."""
        for reference, names in list(self.waiting.items()):
            shown = self.find_followed(frozenset(names))
            if shown is not None:
                del self.waiting[reference]
                yield reference, shown

    def find_followed(self, names: Set[str]) -> dict[str, Shown] | None:
        """Return what tables show, without those that are rejected; None: one is not followed yet, or by nobody."""
        if not all(name in self.futures and self.futures[name].done() for name in names):
            return None
        found = {name: _result_of(self.futures[name]) for name in names}
        return {name: shown for name, shown in found.items() if shown is not None}

    @property
    def at_work(self) -> list[Future[Shown | None]]:
        """Those that are not done."""
        return [future for future in self.futures.values() if not future.done()]

    @property
    def counts(self) -> tuple[int, int]:
        """How many are done, and how many there are."""
        return len(self.futures) - len(self.at_work), len(self.futures)


def _result_of(future: Future[Shown | None]) -> Shown | None:
    """Return what a table shows; None where the process died: the reading's own meets the same fate, and says so."""
    return None if future.exception() is not None else future.result()
