"""Run readings, have the kernel decide, and hold the verdicts against what the specs expect."""

from __future__ import annotations

import contextlib
import functools
import gc
import multiprocessing
import os
import pathlib
import signal
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from verifier.checkers.finding import Finding, Shared, Task
from verifier.checkers.registry import CHECKERS
from verifier.kernel import certificate as files
from verifier.kernel.certificate import Certificate
from verifier.kernel.errors import CertificateError
from verifier.kernel.recheck import Entry, Walks, check_certificate, read_index
from verifier.kernel.verdict import Verdict
from verifier.spec.compile import compile_reading
from verifier.spec.library import Library, load_library, needed_claims
from verifier.spec.model import Claim, Conjunction, Entailment, Enumeration, Exhaustive, Induction

Reference = tuple[str, str]
"""A claim's id and a reading's id."""


@dataclass(frozen=True, slots=True)
class ReadingResult:
    """The verdict on one reading, after the kernel's decision.

    Attributes:
        trouble: why the evidence was rejected or two engines disagree; empty otherwise.
        skipped: why the reading was not checked in this run; empty where it was.
        path, sha256, statement: the certificate's file below the proofs folder, its hash and its statement's.
    """

    claim: str
    reading: str
    method: str
    verdict: Verdict
    expected: Verdict
    reason: str
    trust: str
    stats: dict[str, int]
    witness: dict[str, Any] | None
    notes: tuple[str, ...] = ()
    trouble: str = ""
    skipped: str = ""
    path: str = ""
    sha256: str = ""
    statement: str = ""
    files: tuple[str, ...] = ()

    @property
    def is_expected(self) -> bool:
        """Say whether the verdict is the one that the spec expects, on accepted evidence; none is no other one."""
        return bool(self.skipped) or (self.verdict == self.expected and not self.trouble)


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """A claim with its readings."""

    id: str
    model: Claim
    readings: tuple[ReadingResult, ...]
    standing: str
    fully_proved: bool


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every claim that was checked."""

    claims: tuple[ClaimResult, ...]

    @property
    def readings(self) -> tuple[ReadingResult, ...]:
        """Every reading, in order."""
        return tuple(reading for claim in self.claims for reading in claim.readings)

    @property
    def exit_code(self) -> int:
        """0: as expected; 1: some verdict differs; 4: evidence was rejected, or engines disagree."""
        if any(reading.trouble for reading in self.readings):
            return 4
        return 0 if all(reading.is_expected for reading in self.readings) else 1


def run_group(specs: str, root: str, group: list[Reference]) -> list[ReadingResult]:
    """Check some readings in this process, writing their certificates below ``root``."""
    library = _load_once(specs)
    shared, walks = Shared(), Walks()
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
        _write(root / name, data)
    try:
        value = files.unpack(files.read_bytes(root, path), path)
        decided = check_certificate(root, files.parse_certificate(value, path), walks, files.hash_value(task.statement))
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


def _write(path: pathlib.Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def plan_groups(library: Library, selection: list[Reference]) -> list[list[Reference]]:
    """Part readings into groups that share nothing, the longest first; readings of the same plays stay together."""
    groups: dict[str, list[Reference]] = {}
    for claim, name in selection:
        reading = library.claim(claim).readings[name]
        if isinstance(reading, Exhaustive):
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

    def execute(self) -> Ledger:
        """Check everything and return the ledger; files reach ``out`` only when all is done."""
        with tempfile.TemporaryDirectory(prefix="verifier-") as folder:
            root = pathlib.Path(folder)
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
        with _workers(min(self.jobs, len(groups))) as executor:
            futures: dict[Reference, Future[list[ReadingResult]]] = {}
            if executor is not None:
                for group in groups:
                    future = executor.submit(run_group, *places, group)
                    futures |= dict.fromkeys(group, future)
            for claim in self.claims:
                self.on_start(claim)
                for reference in [item for item in selection if item[0] == claim]:
                    if reference not in done:
                        group = next(group for group in groups if reference in group)
                        found = self._wait(futures, reference) if futures else run_group(*places, group)
                        done |= {(result.claim, result.reading): result for result in found}
                results[claim] = self._conclude(claim, [done[item] for item in selection if item[0] == claim], results)
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

    def _conclude(self, claim: str, found: list[ReadingResult], results: dict[str, ClaimResult]) -> ClaimResult:
        model = self.library.claim(claim)
        readings = tuple(_check_agreement(model, [_join(model, reading, results) for reading in found]))
        return ClaimResult(claim, model, readings, standing(model, readings), False)

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
            _write(out / name, (root / name).read_bytes())
        index = {"format": files.INDEX_FORMAT, "version": files.VERSION, "entries": [rows[key] for key in sorted(rows)]}
        _write(out / "INDEX.json", files.canonical_bytes(index).replace(b'},{"claim"', b'},\n{"claim"') + b"\n")
        if is_whole:
            for pattern in ("tables/*.json.gz", "*/*/certificate.json.gz", "*/*/obligations.smt2.gz"):
                for path in out.glob(pattern):
                    if path.relative_to(out).as_posix() not in made | left:
                        path.unlink()


def name_files(root: pathlib.Path, entry: Entry) -> set[str]:
    """Return the paths of an entry's certificate and of the files that its evidence names."""
    names = {entry.path}
    data = files.unpack(files.read_bytes(root, entry.path), entry.path)
    for value in files.parse_certificate(data, entry.path).evidence.values():
        if isinstance(value, dict) and isinstance(value.get("path"), str):
            names.add(value["path"])
    return names


def _skip(library: Library, reference: Reference) -> ReadingResult:
    """Return what stands in the ledger for a slow reading that was not asked for."""
    reading = library.claim(reference[0]).readings[reference[1]]
    expected = Verdict.parse(reading.expect)
    reason = "not run: slow, see --slow"
    return ReadingResult(*(*reference, reading.method, Verdict.UNKNOWN, expected, reason, "", {}, None), skipped="slow")


@contextlib.contextmanager
def _workers(jobs: int) -> Iterator[Executor | None]:
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


def _join(model: Claim, result: ReadingResult, results: dict[str, ClaimResult]) -> ReadingResult:
    """Give a conjunction the weakest verdict of the claims it joins, as they stand; other readings stay as they are."""
    reading = model.readings[result.reading]
    if not isinstance(reading, Conjunction):
        return result
    missing = [name for name in reading.of if name not in results]
    if missing:
        return replace(result, reason=f"not checked in this run: {', '.join(missing)}")
    verdict = Verdict.combine(_standing_verdict(results[name].standing) for name in reading.of)
    weak = [name for name in reading.of if _standing_verdict(results[name].standing) != Verdict.PROVED]
    reason = f"not proved: {', '.join(weak)}" if weak else ""
    return replace(result, verdict=verdict, reason=reason, trust=f"what {', '.join(reading.of)} trust")


def _standing_verdict(text: str) -> Verdict:
    if text.startswith("proved"):
        return Verdict.PROVED
    return Verdict.REFUTED if text == "refuted" else Verdict.UNKNOWN


def _check_agreement(model: Claim, readings: list[ReadingResult]) -> Iterator[ReadingResult]:
    verdicts = {result.reading: result.verdict for result in readings}
    for result in readings:
        other = getattr(model.readings[result.reading], "agrees_with", None)
        if other in verdicts and {verdicts[other], result.verdict} == {Verdict.PROVED, Verdict.REFUTED}:
            yield replace(
                result, trouble=f"two engines disagree: {other} is {verdicts[other]}, this is {result.verdict}"
            )
        else:
            yield result


def standing(model: Claim, readings: tuple[ReadingResult, ...]) -> str:
    """Return how a claim stands, in words.

    They are ``proved as stated``, ``proved after repair``, ``refuted``, ``undetermined`` and ``not run``. Readings that
    repair nothing are the claim as stated. A refuted one of these is mended where a reading that repairs it is proved.
    What was not run decides nothing; a claim that has nothing else is ``not run``.
    """
    skipped = {result.reading for result in readings if result.skipped}
    verdicts = {result.reading: result.verdict for result in readings if not result.skipped}
    stated = {
        name: verdicts.get(name)
        for name, reading in model.readings.items()
        if not reading.repairs and name not in skipped
    }
    if not stated and skipped:
        return "not run"
    if all(verdict == Verdict.PROVED for verdict in stated.values()):
        return "proved as stated"
    proved = [reading for name, reading in model.readings.items() if verdicts.get(name) == Verdict.PROVED]
    mended = {other for reading in proved for other in reading.repairs}
    if all(verdict == Verdict.PROVED or name in mended for name, verdict in stated.items()):
        return "proved after repair"
    return "refuted" if Verdict.REFUTED in stated.values() else "undetermined"


def settle(library: Library, results: dict[str, ClaimResult]) -> dict[str, ClaimResult]:
    """Say of each claim whether it is fully proved: it, and everything it rests on, in this run."""
    fully: dict[str, bool] = {}

    def is_fully_proved(name: str) -> bool:
        if name not in fully:
            result = results.get(name)
            fully[name] = (
                result is not None
                and result.standing.startswith("proved")
                and all(is_fully_proved(other) for other in needed_claims(library.claim(name)))
            )
        return fully[name]

    return {name: replace(result, fully_proved=is_fully_proved(name)) for name, result in results.items()}


def order_claims(library: Library, wanted: list[str]) -> list[str]:
    """Return claims so that each follows those it rests on; otherwise in the order of the spec files' names."""
    ordered: dict[str, None] = {}

    def add(name: str) -> None:
        if name in ordered:
            return
        for other in needed_claims(library.claim(name)):
            if other in wanted:
                add(other)
        ordered[name] = None

    for name in sorted(wanted):
        add(name)
    return list(ordered)
