"""Check readings: a checker finds, the kernel decides."""

from __future__ import annotations

import functools
import pathlib
from dataclasses import dataclass, replace

from verifier.checkers.cache import Cache
from verifier.checkers.files import write_whole
from verifier.checkers.finding import Finding, Shared, Task
from verifier.checkers.kept import Kept, place
from verifier.checkers.keys import Keys
from verifier.checkers.ledger import ReadingResult
from verifier.checkers.plan import Reference
from verifier.checkers.registry import CHECKERS
from verifier.kernel import certificate as files
from verifier.kernel.certificate import Certificate
from verifier.kernel.errors import CertificateError
from verifier.kernel.recheck import Walks, check_certificate
from verifier.kernel.verdict import Verdict
from verifier.spec.compile import compile_reading
from verifier.spec.library import Library, load_library


@dataclass(frozen=True, slots=True)
class Lookup:
    """Which cache a process asks, and for what.

    Attributes:
        folder, tool: the cache; folder None: it has none.
        memory_mib: the size of the tables of long searches.
        is_asked: what is kept is used, not only replaced.
        distrusted: the readings for which it is only replaced all the same.
    """

    folder: pathlib.Path | None
    tool: str
    memory_mib: int
    is_asked: bool
    distrusted: frozenset[Reference] = frozenset()


@dataclass(frozen=True, slots=True)
class Checked:
    """A result, the keys of what it was made from, and whether it was kept already."""

    result: ReadingResult
    sources: str = ""
    statement: str = ""
    is_kept: bool = False


def run_group(
    specs: str, root: str, group: list[Reference], lookup: Lookup, shared: Shared | None = None
) -> list[Checked]:
    """Check some readings in this process, writing their certificates below ``root``."""
    library = load_once(specs)
    shared, walks = shared or Shared(), Walks()
    cache = None if lookup.folder is None else Cache(lookup.folder, lookup.tool)
    keys = Keys(library, lookup.tool, lookup.memory_mib)
    if cache is not None and lookup.is_asked:
        shared.kept = functools.partial(_find_part, library, cache, keys)
    checked = []
    for reference in group:
        task = _task(library, reference, shared)
        found: Checked | None = None
        sources = statement = ""
        if cache is not None:
            sources, statement = keys.of_sources(reference), keys.of_statement(reference, task.compiled)
            is_asked = lookup.is_asked and reference not in lookup.distrusted
            kept = cache.find(library, reference, statement) if is_asked else None
            if kept is not None and _states(kept, task) and place(kept, pathlib.Path(root)):
                found = Checked(kept.result, sources, statement, is_kept=True)
        checked.append(found or Checked(_check(pathlib.Path(root), task, walks), sources, statement))
    return checked


@functools.cache
def load_once(specs: str) -> Library:
    """Load the specs once a process: they do not change during a run."""
    return load_library(pathlib.Path(specs))


def check_reading(
    library: Library, root: pathlib.Path, claim: str, name: str, shared: Shared, walks: Walks
) -> ReadingResult:
    """Check one reading: the checker finds, the kernel decides."""
    return _check(root, _task(library, (claim, name), shared), walks)


def _task(library: Library, reference: Reference, shared: Shared) -> Task:
    reading = library.claim(reference[0]).readings[reference[1]]
    return Task(library, *reference, reading, compile_reading(library, *reference), shared)


def _find_part(library: Library, cache: Cache, keys: Keys, reference: Reference) -> Finding | None:
    """Return what a kept bound was proved by, as if a checker had found it; None where it is not kept, or is odd."""
    kept = cache.find_by_sources(library, reference, keys.of_sources(reference))
    if kept is None or kept.result.verdict != Verdict.PROVED:
        return None
    result, found = kept.result, dict(kept.files)
    try:
        evidence = files.parse_certificate(files.unpack(found.pop(result.path), result.path), result.path).evidence
    except CertificateError:
        return None
    return Finding(Verdict.PROVED, result.reason, evidence, found, result.stats, result.witness, result.notes)


def _states(kept: Kept, task: Task) -> bool:
    """Say whether a kept result is about this statement; a conjunction has none."""
    return task.compiled.statement is None or kept.result.statement == files.hash_value(task.statement)


def _check(root: pathlib.Path, task: Task, walks: Walks) -> ReadingResult:
    finding = CHECKERS[task.reading.method](task)
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
        decided = check_certificate(
            root, shown, walks, files.hash_value(task.statement), memo=task.shared.memo, full=True
        )
    except CertificateError as error:
        return replace(result, verdict=Verdict.UNKNOWN, trouble=f"the kernel rejects the certificate: {error}")
    if decided.verdict != finding.verdict:
        return replace(
            result, verdict=Verdict.UNKNOWN, trouble=f"the kernel says {decided.verdict}, not {finding.verdict}"
        )
    reason, witness = decided.reason or finding.reason, finding.witness
    if witness and witness["reason"] == finding.reason:
        witness = {**witness, "reason": reason}
    return replace(
        result,
        reason=reason,
        witness=witness,
        trust=decided.trust,
        stats={**finding.stats, **decided.stats},
        path=path,
        sha256=files.hash_bytes(packed),
        statement=files.hash_value(task.statement),
        files=(path, *finding.files),
    )
