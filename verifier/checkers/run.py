"""Run readings, have the kernel decide, and keep the evidence."""

from __future__ import annotations

import contextlib
import functools
import gc
import multiprocessing
import os
import pathlib
import re
import signal
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace

from verifier.checkers.finding import Finding, Shared, Task
from verifier.checkers.ledger import ClaimResult, Ledger, ReadingResult, conclude, settle
from verifier.checkers.registry import CHECKERS
from verifier.checkers.settle import CompiledSearch
from verifier.kernel import certificate as files
from verifier.kernel.certificate import Certificate
from verifier.kernel.errors import CertificateError, UsageError
from verifier.kernel.recheck import SAMPLE, Entry, Walks, check_certificate, read_index
from verifier.kernel.verdict import Verdict
from verifier.search.resources import DEFAULT_MEMORY_MIB, Resources
from verifier.spec.compile import compile_reading
from verifier.spec.library import Library, load_library
from verifier.spec.model import Bound, Entailment, Enumeration, Exhaustive, Induction

Reference = tuple[str, str]
"""A claim's id and a reading's id."""


def run_group(specs: str, root: str, group: list[Reference], shared: Shared | None = None) -> list[ReadingResult]:
    """Check some readings in this process, writing their certificates below ``root``."""
    library = _load_once(specs)
    shared, walks = shared or Shared(), Walks()
    return [check_reading(library, pathlib.Path(root), claim, reading, shared, walks) for claim, reading in group]


@functools.cache
def _load_once(specs: str) -> Library:
    """Load the specs once a process: they do not change during a run."""
    return load_library(pathlib.Path(specs))


def check_reading(
    library: Library, root: pathlib.Path, claim: str, name: str, shared: Shared, walks: Walks
) -> ReadingResult:
    """Check one reading: the checker finds, the kernel decides."""
    reading = library.claim(claim).readings[name]
    compiled = compile_reading(library, claim, name)
    task = Task(library, claim, name, reading, compiled, shared)
    finding = CHECKERS[reading.method](task)
    result = _decide(root, task, finding, walks)
    if result.trouble and finding.fallback is not None:
        other = finding.fallback()
        return result if other is None else _decide(root, task, other, walks)
    return result


def _decide(root: pathlib.Path, task: Task, finding: Finding, walks: Walks) -> ReadingResult:
    """Have the kernel decide on what a checker found."""
    result = ReadingResult(
        task.claim,
        task.name,
        task.reading.method,
        finding.verdict,
        Verdict.parse(task.reading.expect),
        finding.reason,
        "",
        finding.stats,
        finding.witness,
        finding.notes,
    )
    if finding.evidence is None:
        return replace(result, verdict=Verdict.UNKNOWN)
    certificate = Certificate(task.claim, task.name, task.statement, str(finding.verdict), finding.evidence or {})
    packed = files.pack(certificate.to_json())
    path = f"{task.folder}/certificate.json.gz"
    for name, data in {**finding.files, path: packed}.items():
        write_whole(root / name, data)
    try:
        value = files.unpack(files.read_bytes(root, path), path)
        shown = files.parse_certificate(value, path)
        decided = check_certificate(root, shown, walks, files.hash_value(task.statement), task.shared.settle)
    except CertificateError as error:
        return replace(result, verdict=Verdict.UNKNOWN, trouble=f"the kernel rejects the certificate: {error}")
    if decided.verdict != finding.verdict:
        return replace(
            result, verdict=Verdict.UNKNOWN, trouble=f"the kernel says {decided.verdict}, not {finding.verdict}"
        )
    return replace(
        result,
        trust=decided.trust,
        stats={**finding.stats, **decided.stats},
        path=path,
        sha256=files.hash_bytes(packed),
        statement=files.hash_value(task.statement),
        files=(path, *finding.files),
    )


def write_whole(path: pathlib.Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def is_shared_out(library: Library, reference: Reference) -> bool:
    """Say whether a reading parts its own work, and so is checked by the process that plans."""
    reading = library.claim(reference[0]).readings[reference[1]]
    return isinstance(reading, Bound) and reading.no_win_by is not None


def plan_groups(library: Library, selection: list[Reference]) -> list[list[Reference]]:
    """Part readings into groups that share nothing, the longest first; readings of the same plays stay together."""
    groups: dict[str, list[Reference]] = {}
    for claim, name in selection:
        reading = library.claim(claim).readings[name]
        if is_shared_out(library, (claim, name)):
            key = f"{claim}/{name}"
        elif isinstance(reading, Exhaustive):
            key = repr((reading.strategies, reading.start, reading.horizon, library.claim(claim).rules))
        elif isinstance(reading, Enumeration):
            key = f"{claim}/{name}"
        elif isinstance(reading, Induction | Entailment):
            key = f"{claim}/{name}"
            if reading.expect == "refuted" and reading.reachable_in is not None:
                player = library.strategy(reading.reachable_in).player
                key = repr(({player: reading.reachable_in}, None, None, library.claim(claim).rules))
        else:
            key = "the rest"
        groups.setdefault(key, []).append((claim, name))

    def weight(group: list[Reference]) -> int:
        return sum(10 if library.claim(c).readings[r].method in ("induction", "enumeration") else 1 for c, r in group)

    return sorted(groups.values(), key=weight, reverse=True)


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
        on_part: called with the finished parts of such a search, all its parts, and the seconds since its start.
        on_wait: called about twice a second while a claim is not done, with the readings done and all readings.
    """

    specs: pathlib.Path
    library: Library
    claims: list[str]
    reading: str | None = None
    jobs: int = 1
    out: pathlib.Path | None = None
    on_start: Callable[[str], None] = field(default=lambda name: None)
    on_done: Callable[[ClaimResult], None] = field(default=lambda result: None)
    on_wait: Callable[[int, int], None] | None = None
    slow: bool = False
    executor: str | None = None
    memory_mib: int = DEFAULT_MEMORY_MIB
    checkpoints: pathlib.Path | None = None
    on_part: Callable[[int, int, float], None] | None = None

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
            self._publish(root, ledger)
        return ledger

    def _check(self, root: pathlib.Path) -> Ledger:
        selection = [
            (claim, name)
            for claim in self.claims
            for name in self.library.claim(claim).readings
            if self.reading in (None, name)
        ]
        done = {item: _skip(self.library, item) for item in selection if not self.slow and self._is_slow(item)}
        groups = plan_groups(self.library, [item for item in selection if item not in done])
        places = (str(self.specs), str(root))
        results: dict[str, ClaimResult] = {}
        here = [group for group in groups if is_shared_out(self.library, group[0])]
        wanted = self.jobs if here else min(self.jobs, len(groups))
        with workers(wanted) as executor, _find_executor(self.executor, executor) as other:
            resources = Resources(other, self.memory_mib, self.checkpoints, self.on_part)
            shared = Shared(resources=resources, settle=CompiledSearch(SAMPLE, self.memory_mib, other))
            futures: dict[Reference, Future[list[ReadingResult]]] = {}
            if executor is not None:
                for group in groups:
                    if group not in here:
                        future = executor.submit(run_group, *places, group)
                        futures |= dict.fromkeys(group, future)
            for claim in self.claims:
                self.on_start(claim)
                for reference in [item for item in selection if item[0] == claim]:
                    if reference not in done:
                        group = next(group for group in groups if reference in group)
                        is_away = reference in futures
                        common = shared if group in here else None
                        new = self._wait(futures, reference) if is_away else run_group(*places, group, common)
                        done |= {(result.claim, result.reading): result for result in new}
                found = [done[item] for item in selection if item[0] == claim]
                results[claim] = conclude(self.library.claim(claim), found, results)
                self.on_done(results[claim])
        return Ledger(tuple(settle(self.library, results)[claim] for claim in self.claims))

    def _is_slow(self, reference: Reference) -> bool:
        return self.library.claim(reference[0]).readings[reference[1]].slow

    def _wait(self, futures: dict[Reference, Future[list[ReadingResult]]], wanted: Reference) -> list[ReadingResult]:
        """Return the results of the group of a reading, telling meanwhile how far the whole run is."""
        while self.on_wait is not None:
            with contextlib.suppress(TimeoutError):
                return futures[wanted].result(timeout=0.5)
            self.on_wait(sum(future.done() for future in futures.values()), len(futures))
        return futures[wanted].result()

    def _publish(self, root: pathlib.Path, ledger: Ledger) -> None:
        """Move what was made to ``out``, the index last; drop what a run over every claim no longer needs.

        The evidence for a reading that was not run stays.
        """
        out = self.out or root
        is_whole = set(self.claims) == set(self.library.claims) and self.reading is None
        kept = {(result.claim, result.reading) for result in ledger.readings if result.skipped}
        entries = {}
        if (out / "INDEX.json").exists() and (kept or not is_whole):
            found = {(entry.claim, entry.reading): entry for entry in read_index(out)}
            entries = {key: entry for key, entry in found.items() if key in kept or not is_whole}
        left = {name for key in sorted(kept & set(entries)) for name in name_files(out, entries[key])}
        made: set[str] = set()
        rows = {
            key: {"claim": e.claim, "reading": e.reading, "path": e.path, "sha256": e.sha256, "statement": e.statement}
            for key, e in entries.items()
        }
        for result in ledger.readings:
            if result.skipped:
                continue
            rows.pop((result.claim, result.reading), None)
            if not result.path:
                continue
            made.update(result.files)
            rows[result.claim, result.reading] = {
                "claim": result.claim,
                "reading": result.reading,
                "path": result.path,
                "sha256": result.sha256,
                "statement": result.statement,
            }
        for name in sorted(made):
            write_whole(out / name, (root / name).read_bytes())
        index = {"format": files.INDEX_FORMAT, "version": files.VERSION, "entries": [rows[key] for key in sorted(rows)]}
        write_whole(out / "INDEX.json", files.canonical_bytes(index).replace(b'},{"claim"', b'},\n{"claim"') + b"\n")
        if is_whole:
            for pattern in ("tables/*.json.gz", "*/*/certificate.json.gz", "*/*/obligations.smt2.gz"):
                for path in out.glob(pattern):
                    if path.relative_to(out).as_posix() not in made | left:
                        path.unlink()


def name_files(root: pathlib.Path, entry: Entry) -> set[str]:
    """Return the paths of an entry's certificate and of the files that its evidence names."""
    data = files.unpack(files.read_bytes(root, entry.path), entry.path)
    return {entry.path} | _name_files(files.parse_certificate(data, entry.path).evidence)


def _name_files(evidence: object) -> set[str]:
    if isinstance(evidence, list):
        return set().union(*map(_name_files, evidence))
    if not isinstance(evidence, dict):
        return set()
    own = {evidence["path"]} if isinstance(evidence.get("path"), str) else set()
    return own.union(*map(_name_files, evidence.values()))


def _skip(library: Library, reference: Reference) -> ReadingResult:
    """Return what stands in the ledger for a slow reading that was not asked for."""
    reading = library.claim(reference[0]).readings[reference[1]]
    expected = Verdict.parse(reading.expect)
    reason = "not run: slow, see --slow"
    return ReadingResult(*(*reference, reading.method, Verdict.UNKNOWN, expected, reason, "", {}, None), skipped="slow")


@contextlib.contextmanager
def _find_executor(name: str | None, local: Executor | None) -> Iterator[Executor | None]:
    """Yield the executor of long searches: a Dask cluster's where one is named, else the given one.

    Raises:
        UsageError: the name is no ``dask://HOST:PORT``, Dask is not installed, or nobody answers there.
    """
    if name is None:
        yield local
        return
    address = name.removeprefix("dask://")
    if address == name or not re.fullmatch(r"[^/\s]+:\d+", address):
        raise UsageError(f"{name!r} is no executor: dask://HOST:PORT")
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--executor dask://… needs Dask: pip install 'claim-verifier[dask]'") from None
    try:
        client = Client(f"tcp://{address}", timeout=10)
    except OSError as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        yield client.get_executor()
    finally:
        client.close()


@contextlib.contextmanager
def workers(jobs: int) -> Iterator[Executor | None]:
    """Yield processes that leave Ctrl-C to this one and end with it; None where one process is enough."""
    if jobs < 2:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(jobs, mp_context=context, initializer=_prepare_worker)
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    executor.shutdown()


def _prepare_worker() -> None:
    """Leave Ctrl-C to the parent, and look for cycles seldom: positions and formulas have none, and there are many."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(200_000, 100, 100)
