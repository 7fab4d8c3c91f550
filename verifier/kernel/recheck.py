"""Check certificates again, from their files alone: no spec is read, nothing but the kernel is imported."""

from __future__ import annotations

import functools
import multiprocessing
import pathlib
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from verifier.kernel import certificate as files
from verifier.kernel.certificate import Certificate
from verifier.kernel.check import check_proof, check_refutation
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.pattern import check_line, check_no_line, parse_pattern
from verifier.kernel.plays import Table, Walk, walk
from verifier.kernel.race.replies import Memo, check_bound, parse_bound
from verifier.kernel.relabel import check_images
from verifier.kernel.sample import check_sample, parse_enumeration
from verifier.kernel.statement import UNIVERSAL, Statement, parse_statement
from verifier.kernel.steps import check_counterexample, check_models, parse_steps
from verifier.kernel.tables import check_tables, parse_tables
from verifier.kernel.verdict import Result

Walks = dict[str, Walk]
"""Walks that were already checked, by the hash of the statement without its objectives and of the table."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the index: which reading a file is evidence for, and the file's hash."""

    claim: str
    reading: str
    path: str
    sha256: str
    statement: str


def read_index(root: pathlib.Path) -> tuple[Entry, ...]:
    """Read ``INDEX.json``.

    Raises:
        CertificateError: it is missing or malformed, or lists a reading twice.
    """
    value = files.unpack(files.read_bytes(root, "INDEX.json"), "INDEX.json")
    files.check_header(value, files.INDEX_FORMAT, "INDEX.json")
    entries = value.get("entries")
    if not isinstance(entries, list) or set(value) != {"format", "version", "entries"}:
        raise CertificateError("malformed", "INDEX.json: no list of entries")
    found: dict[tuple[str, str], Entry] = {}
    for item in entries:
        keys = ("claim", "reading", "path", "sha256", "statement")
        if not isinstance(item, dict) or set(item) != set(keys) or not all(isinstance(item[key], str) for key in keys):
            raise CertificateError("malformed", f"INDEX.json: {str(item)[:80]} is no entry")
        entry = Entry(*(item[key] for key in keys))
        if (entry.claim, entry.reading) in found:
            raise CertificateError("duplicate-entry", f"INDEX.json: {entry.claim}/{entry.reading} stands twice")
        found[entry.claim, entry.reading] = entry
    return tuple(found.values())


def recheck_entry(
    root: pathlib.Path, entry: Entry, walks: Walks, memo: Memo, *, full: bool
) -> tuple[Certificate, Result]:
    """Check the file of an index entry; without ``full`` what replies leave open is not decided.

    Raises:
        CertificateError: the file is not the one the entry names, or its evidence is rejected.
    """
    data = files.read_bytes(root, entry.path)
    if files.hash_bytes(data) != entry.sha256:
        raise CertificateError("hash", f"{entry.path} is not the file that the index names")
    certificate = files.parse_certificate(files.unpack(data, entry.path), entry.path)
    if (certificate.claim, certificate.reading) != (entry.claim, entry.reading):
        raise CertificateError("other-claim", f"{entry.path} is about {certificate.claim}/{certificate.reading}")
    if files.hash_value(certificate.statement) != entry.statement:
        raise CertificateError("stale-statement", f"{entry.path} states something else than the index says")
    return certificate, check_certificate(root, certificate, walks, memo=memo, full=full)


def check_certificate(
    root: pathlib.Path,
    certificate: Certificate,
    walks: Walks,
    expected_statement: str | None = None,
    *,
    memo: Memo,
    full: bool = False,
) -> Result:
    """Decide whether a certificate's evidence shows its verdict on its statement.

    Args:
        root: the folder that the paths in the evidence start from.
        certificate: what is to be checked.
        walks: walks already checked in this run; new ones are added.
        expected_statement: the hash of what a spec compiles to, where there is one to compare with.
        memo: tables of replies already followed in this run; new ones are added.
        full: whether what replies leave open is decided, in statements of kind ``bound``.

    Raises:
        CertificateError: it does not; the reason says why.
    """
    if expected_statement is not None and files.hash_value(certificate.statement) != expected_statement:
        raise CertificateError("stale-statement", f"{certificate.claim}/{certificate.reading} states something else")
    try:
        return _decide(root, certificate, walks, memo, full=full)
    except SpecError as error:
        raise CertificateError("malformed", f"the statement: {error}") from None
    except RecursionError:
        raise CertificateError("malformed", "nested too deeply") from None


def _decide(root: pathlib.Path, certificate: Certificate, walks: Walks, memo: Memo, *, full: bool) -> Result:
    data, evidence = certificate.statement, certificate.evidence
    is_proof = certificate.verdict == "proved"
    kind = data.get("kind")
    if kind == "play":
        statement = parse_statement(data)
        if is_proof:
            is_walked = any(objective.type in UNIVERSAL for objective in statement.objectives)
            walked = _walk(root, data, statement, evidence, walks) if is_walked else Walk((), {}, {})
            lines = evidence.get("lines", {})
            if not isinstance(lines, dict):
                raise CertificateError("malformed", "lines are given by the name of an objective")
            return check_proof(statement, walked, lines)
        every = _walk(root, data, statement, evidence, walks) if "table" in evidence else None
        return check_refutation(statement, evidence.get("objective"), every, evidence.get("line"))
    if kind == "enumeration":
        plan = parse_enumeration(data)
        if is_proof:
            return check_sample(plan, evidence)
        return check_refutation(plan.statement, evidence.get("objective"), None, evidence.get("line"))
    if kind == "steps":
        steps = parse_steps(data)
        if not is_proof:
            return check_counterexample(steps, evidence)
        if any(part.step != "start" for part in steps.parts):
            _check_obligations(root, evidence)
        images = frozenset[int]()
        if "images" in evidence:
            images = check_images(steps.game, data["parts"], evidence["images"])
        return check_models(steps, evidence, images)
    if kind == "pattern":
        pattern = parse_pattern(data)
        return check_line(pattern, evidence.get("line")) if is_proof else check_no_line(pattern)
    if kind == "tables":
        return check_tables(parse_tables(data), is_proof, evidence)
    if kind == "bound":
        if not is_proof:
            raise CertificateError("malformed", "that Xavier can force a win is shown by a strategy: kind 'play'")
        return check_bound(parse_bound(data), evidence, functools.partial(_read_replies, root), full=full, memo=memo)
    raise CertificateError("malformed", f"{str(kind)[:40]!r} is no kind of statement")


def _read_replies(root: pathlib.Path, digest: str) -> Any:
    path = f"tables/{digest[:16]}.json.gz"
    return files.unpack(_read_hashed(root, path, digest), path)


def _walk(
    root: pathlib.Path, data: dict[str, Any], statement: Statement, evidence: dict[str, Any], walks: Walks
) -> Walk:
    reference = evidence.get("table")
    table_path, table_hash = _reference(reference)
    plays = {key: value for key, value in data.items() if key != "objectives"}
    key = files.hash_value([plays, table_hash])
    packed = _read_hashed(root, table_path, table_hash)
    if key not in walks:
        value = files.unpack(packed, table_path)
        files.check_header(value, files.TABLE_FORMAT, table_path)
        if value.get("plays") != files.hash_value(plays):
            raise CertificateError("other-claim", f"{table_path} is a table for other plays")
        walks[key] = walk(statement, Table.parse(value, table_path))
    return walks[key]


def _check_obligations(root: pathlib.Path, evidence: dict[str, Any]) -> None:
    path, digest = _reference(evidence.get("file"))
    text = files.unpack_text(_read_hashed(root, path, digest), path)
    found = len(re.findall(rb"^\(check-sat\)$", text, re.MULTILINE))
    if found != evidence.get("obligations"):
        raise CertificateError("malformed", f"{path} holds {found} obligations, the certificate says otherwise")


def _read_hashed(root: pathlib.Path, path: str, digest: str) -> bytes:
    data = files.read_bytes(root, path)
    if files.hash_bytes(data) != digest:
        raise CertificateError("hash", f"{path} is not the file that the certificate names")
    return data


def _reference(value: object) -> tuple[str, str]:
    if not isinstance(value, dict) or set(value) != {"path", "sha256"}:
        raise CertificateError("malformed", "a file is named by its path and its sha256")
    if not all(isinstance(value[key], str) for key in value):
        raise CertificateError("malformed", "a path and a sha256 are strings")
    return value["path"], value["sha256"]


def recheck(
    root: pathlib.Path, wanted: frozenset[str], jobs: int = 1, *, full: bool = False
) -> Iterator[tuple[Entry, Result | CertificateError]]:
    """Check every certificate of an index, or those whose claim or path is wanted; yield them in the index's order.

    Args:
        root: the folder of the index.
        wanted: claims, claim/reading pairs or paths; empty for all.
        jobs: how many processes to use; certificates that name the same table are checked by one of them.
        full: whether what replies leave open is decided, in statements of kind ``bound``.
    """
    entries = [
        entry
        for entry in read_index(root)
        if not wanted or wanted & {entry.claim, entry.path, f"{entry.claim}/{entry.reading}"}
    ]
    if jobs == 1 or len(entries) == 1:
        walks: Walks = {}
        memo: Memo = {}
        yield from ((entry, _recheck_or_reject(root, entry, walks, memo, full=full)) for entry in entries)
        return
    groups = _group(root, entries)
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        running = {id(entry): pool.submit(_recheck_group, root, group, full) for group in groups for entry in group[:1]}
        homes = {id(entry): (running[id(group[0])], n) for group in groups for n, entry in enumerate(group)}
        for entry in entries:
            future, number = homes[id(entry)]
            outcome = future.result()[number]
            yield entry, CertificateError(*outcome) if isinstance(outcome, tuple) else outcome


def _recheck_or_reject(
    root: pathlib.Path, entry: Entry, walks: Walks, memo: Memo, *, full: bool
) -> Result | CertificateError:
    try:
        return recheck_entry(root, entry, walks, memo, full=full)[1]
    except CertificateError as error:
        return error


def _recheck_group(root: pathlib.Path, group: list[Entry], full: bool) -> list[Result | tuple[str, str]]:
    """Check some certificates in this process; a refusal is its reason and its detail, as exceptions do not travel."""
    walks: Walks = {}
    memo: Memo = {}
    outcomes = [_recheck_or_reject(root, entry, walks, memo, full=full) for entry in group]
    return [
        (o.reason, str(o).removeprefix(f"{o.reason}: ")) if isinstance(o, CertificateError) else o for o in outcomes
    ]


def _group(root: pathlib.Path, entries: list[Entry]) -> list[list[Entry]]:
    """Put certificates together that may share tables; a file that cannot be read is a group of its own."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        key = entry.path
        try:
            value = files.unpack(files.read_bytes(root, entry.path), entry.path)
            key = "replies" if value["statement"]["kind"] == "bound" else value["evidence"]["table"]["path"]
        except (CertificateError, KeyError, TypeError):
            pass
        groups.setdefault(str(key), []).append(entry)
    return list(groups.values())
