"""Run readings over a selection of claims: from the cache what is there, everything else by its checker."""

from __future__ import annotations

import contextlib
import functools
import pathlib
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from verifier.checkers.cache import Cache
from verifier.checkers.files import write_whole
from verifier.checkers.kept import Kept, differences, is_kept, place
from verifier.checkers.keys import Keys
from verifier.checkers.ledger import ClaimResult, Ledger, ReadingResult, conclude, settle
from verifier.checkers.plan import Reference, is_shared_out, plan_groups, weigh
from verifier.checkers.progress import Meter, Progress
from verifier.checkers.workers import find_executor, parse_executor, workers
from verifier.kernel.verdict import Verdict
from verifier.search.resources import DEFAULT_MEMORY_MIB, Resources
from verifier.spec.library import Library

if TYPE_CHECKING:
    from verifier.checkers.reading import Checked

__all__ = ["Run", "workers", "write_whole"]

Fetch = Callable[[Reference], dict[Reference, ReadingResult]]
"""Returns the result of a reading, with those that were found together with it."""


@dataclass(slots=True)
class Run:
    """One run of the checkers over a selection of claims.

    Attributes:
        specs: the specs' folder.
        claims: which claims, in the order of the report.
        reading: only this reading of each, where given.
        slow: whether slow readings are checked too.
        jobs: how many processes.
        out: where certificates are kept; None: nowhere.
        on_start, on_done: called around each claim, in order.
        executor: where long searches run, ``dask://HOST:PORT``; None: in processes of this machine.
        memory_mib: the size of the tables of one process of such a search, in MiB.
        checkpoints: a folder in which such searches keep what is finished.
        on_progress: called whenever a part of the work is done, and about twice a second while others do it.
        cache: results of earlier runs; None: there are none, and none are kept.
        is_verifying: what is in the cache is not used but compared.
        has_files: the files of results from the cache are wanted too, in the folder of the run.
        compared, different: how many results were, and how many of them are not as they were kept.
        taken: the results from the cache, with the keys of their sources.
        distrusted: the readings for which the cache is not asked again.
    """

    specs: pathlib.Path
    library: Library
    claims: list[str]
    reading: str | None = None
    jobs: int = 1
    out: pathlib.Path | None = None
    on_start: Callable[[str], None] = field(default=lambda name: None)
    on_done: Callable[[ClaimResult], None] = field(default=lambda result: None)
    on_progress: Callable[[Progress], None] | None = None
    slow: bool = False
    executor: str | None = None
    memory_mib: int = DEFAULT_MEMORY_MIB
    checkpoints: pathlib.Path | None = None
    cache: Cache | None = None
    is_verifying: bool = False
    has_files: bool = True
    compared: int = 0
    different: int = 0
    taken: dict[Reference, tuple[ReadingResult, str]] = field(default_factory=dict)
    distrusted: set[Reference] = field(default_factory=set)
    _meter: Meter = field(default_factory=Meter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def execute(self, root: pathlib.Path | None = None) -> Ledger:
        """Check everything and return the ledger; files reach ``out`` only when all is done.

        Args:
            root: an empty folder in which certificates are made, and left; None: a folder that is gone afterwards.
        """
        if root is None:
            with tempfile.TemporaryDirectory(prefix="verifier-") as folder:
                return self.execute(pathlib.Path(folder))
        ledger = self._check(root)
        if self.out is not None:
            from verifier.checkers.publish import publish

            is_whole = bool(self.claims) and set(self.claims) == set(self.library.claims) and self.reading is None
            publish(root, self.out, ledger, is_whole=is_whole)
        return ledger

    def _check(self, root: pathlib.Path) -> Ledger:
        if self.executor is not None:
            parse_executor(self.executor)  # whether anything is left for it to do or not
        selection = [
            (claim, name)
            for claim in self.claims
            for name in self.library.claim(claim).readings
            if self.reading in (None, name)
        ]
        self.taken.clear()
        done = {item: _skip(self.library, item) for item in selection if not self.slow and self._is_slow(item)}
        done |= self._find_kept([item for item in selection if item not in done], root)
        missing = [item for item in selection if item not in done]
        self._meter = Meter({item: weigh(self.library, item) for item in missing}, len(selection) - len(missing))
        results: dict[str, ClaimResult] = {}
        with self._searching(missing, root) as fetch:
            for claim in self.claims:
                self.on_start(claim)
                for reference in [item for item in selection if item[0] == claim]:
                    if reference not in done:
                        done |= fetch(reference)
                found = [done[item] for item in selection if item[0] == claim]
                results[claim] = conclude(self.library.claim(claim), found, results)
                self.on_done(results[claim])
        if missing and self.cache is not None:
            self.cache.prune()
        settled = settle(self.library, results)
        return Ledger(tuple(settled[claim] for claim in self.claims))

    def doubt(self, root: pathlib.Path) -> bool:
        """Have the kernel check what came from the cache; forget what it does not accept, and say whether there is any.

        Where it accepts all, the parts of a report that came from there are forgotten, if there are any.

        Args:
            root: the folder of this run's certificates.
        """
        from verifier.checkers.doubt import find_unfounded

        if self.cache is None or not self.has_files:
            return False
        taken = [result for result, _ in self.taken.values() if result.path]
        unfounded = list(find_unfounded(self.library, root, taken)) if taken else []
        for result in unfounded:
            _, sources = self.taken.pop((result.claim, result.reading))
            self.distrusted.add((result.claim, result.reading))
            self.cache.drop(sources)
            self.cache.warn(
                f"what was kept of {result.claim}/{result.reading} is no evidence for it; it is checked anew"
            )
        return bool(unfounded) or self.cache.drop_pages()

    def _is_slow(self, reference: Reference) -> bool:
        return self.library.claim(reference[0]).readings[reference[1]].slow

    def _find_kept(self, wanted: list[Reference], root: pathlib.Path) -> dict[Reference, ReadingResult]:
        """Return what the cache knows of some readings, their files put below ``root``."""
        found: dict[Reference, ReadingResult] = {}
        if self.cache is None:
            return found
        if self.is_verifying:
            return found
        keys = Keys(self.library, self.cache.tool, self.memory_mib)
        for reference in [item for item in wanted if item not in self.distrusted]:
            sources = keys.of_sources(reference)
            kept = self.cache.find_by_sources(self.library, reference, sources)
            if kept is not None and (not self.has_files or place(kept, root)):
                found[reference] = kept.result
                self.taken[reference] = (kept.result, sources)
        return found

    @contextlib.contextmanager
    def _searching(self, missing: list[Reference], root: pathlib.Path) -> Iterator[Fetch]:
        """Have processes begin with what is to be checked; yield what returns a reading's result."""
        if not missing:
            yield lambda reference: {}
            return
        from verifier.checkers.finding import Shared
        from verifier.checkers.reading import Lookup, run_group

        groups = plan_groups(self.library, missing)
        cache = self.cache
        tool, folder = ("", None) if cache is None else (cache.tool, cache.folder)
        places = (str(self.specs), str(root))
        lookup = Lookup(folder, tool, self.memory_mib, not self.is_verifying, frozenset(self.distrusted))
        here = [group for group in groups if is_shared_out(self.library, group[0])]
        wanted = self.jobs if here else min(self.jobs, len(groups))
        with workers(wanted) as executor, find_executor(self.executor, executor) as other:
            resources = Resources(other, self.memory_mib, self.checkpoints, self._on_part)
            shared = Shared(resources=resources)
            futures: dict[Reference, Future[list[ReadingResult]]] = {}
            for group in groups:
                if executor is not None and group not in here:
                    taken: Future[list[ReadingResult]] = Future()
                    futures |= dict.fromkeys(group, taken)
                    future = executor.submit(run_group, *places, group, lookup)
                    future.add_done_callback(functools.partial(self._take_early, taken, root))

            def fetch(reference: Reference) -> dict[Reference, ReadingResult]:
                if reference in futures:
                    results = self._wait(futures[reference])
                else:
                    group = next(group for group in groups if reference in group)
                    self._meter.begin(reference)
                    self._tell()
                    results = self._take(run_group(*places, group, lookup, shared if group in here else None), root)
                return {(result.claim, result.reading): result for result in results}

            yield fetch

    def _wait(self, future: Future[list[ReadingResult]]) -> list[ReadingResult]:
        """Return the results of a group, telling meanwhile how far the whole run is."""
        while self.on_progress is not None and wait([future], timeout=0.5).not_done:
            self._tell()
        return future.result()

    def _tell(self) -> None:
        if self.on_progress is not None:
            self.on_progress(self._meter.read())

    def _on_part(self, done: int, count: int, seconds: float) -> None:
        """Note that a part of a long search, which this process waits for, is finished."""
        del seconds
        self._meter.part(done, count)
        self._tell()

    def _take_early(
        self, taken: Future[list[ReadingResult]], root: pathlib.Path, future: Future[list[Checked]]
    ) -> None:
        """Take what a process has found while this one waits for another: an interrupted run loses little."""
        try:
            taken.set_result(self._take(future.result(), root))
        except BaseException as error:  # noqa: BLE001 - whoever waits for the results raises it
            taken.set_exception(error)

    def _take(self, found: list[Checked], root: pathlib.Path) -> list[ReadingResult]:
        """Keep what was found and note that it is done; in a run that verifies the cache, compare it before."""
        with self._lock:
            results = [self._take_one(checked, root) for checked in found]
            for result in results:
                self._meter.finish((result.claim, result.reading))
        return results

    def _take_one(self, checked: Checked, root: pathlib.Path) -> ReadingResult:
        result, cache = checked.result, self.cache
        if cache is None:
            return result
        if checked.is_kept:
            self.taken[result.claim, result.reading] = (result, checked.sources)
            cache.link(checked.sources, checked.statement)
            return result
        fresh = Kept(result, {name: (root / name).read_bytes() for name in result.files})
        if self.is_verifying and (trouble := self._compare(cache, fresh, checked)):
            cache.drop(checked.sources, checked.statement)
            self.different += 1
            return replace(result, trouble=result.trouble or trouble)
        if is_kept(result):
            cache.keep(self.library, fresh, checked.sources, checked.statement)
        return result

    def _compare(self, cache: Cache, fresh: Kept, checked: Checked) -> str:
        """Say in what the cache differs from a fresh result, under either key; nothing where it does not."""
        reference = (fresh.result.claim, fresh.result.reading)
        by_sources = cache.find_by_sources(self.library, reference, checked.sources)
        by_statement = cache.find(self.library, reference, checked.statement)
        self.compared += by_sources is not None or by_statement is not None or reference in cache.odd
        if reference in cache.odd:
            return "what the cache holds is no result of this reading"
        for kept in (by_sources, by_statement):
            different = [] if kept is None else differences(fresh, kept)
            if different:
                return f"the cache says something else than the checkers: {', '.join(different)}"
        return ""


def _skip(library: Library, reference: Reference) -> ReadingResult:
    """Return what stands in the ledger for a slow reading that was not asked for."""
    reading = library.claim(reference[0]).readings[reference[1]]
    expected = Verdict.parse(reading.expect)
    reason = "not run: slow, see --slow"
    return ReadingResult(*(*reference, reading.method, Verdict.UNKNOWN, expected, reason, "", {}, None), skipped="slow")
