"""Keep certificates and their index in a folder."""

from __future__ import annotations

import pathlib

from verifier.checkers.files import write_whole
from verifier.checkers.ledger import Ledger
from verifier.kernel import certificate as files
from verifier.kernel.store import (
    INDEX,
    OBLIGATIONS,
    TABLE,
    Index,
    evidence_path,
    file_path,
    read_certificate,
    read_index,
)


def publish(root: pathlib.Path, out: pathlib.Path, ledger: Ledger, *, is_whole: bool) -> None:
    """Copy what was made below ``root`` to ``out``, the index last; the evidence for a reading that was not run stays.

    Args:
        root: where the certificates of this run are.
        out: where they are kept.
        ledger: how the run came out.
        is_whole: the run was over every reading; what it no longer needs is dropped.
    """
    skipped = {f"{result.claim}/{result.reading}" for result in ledger.readings if result.skipped}
    filed: dict[str, str] = {}
    quick: frozenset[str] = frozenset()
    if (out / INDEX).exists() and (skipped or not is_whole):
        known = read_index(out)
        filed = {name: digest for name, digest in known.filed.items() if name in skipped or not is_whole}
        quick = known.quick & set(filed)
    left = {path for digest in filed.values() for path in name_files(out, digest)}
    made: set[str] = set()
    for result in ledger.readings:
        name = f"{result.claim}/{result.reading}"
        if result.skipped:
            continue
        filed.pop(name, None)
        if result.path:
            made.update(result.files)
            filed[name] = result.statement
    for path in sorted(made):
        write_whole(out / path, (root / path).read_bytes())
    index = files.canonical_bytes(Index(filed, quick & set(filed)).to_json())
    write_whole(out / INDEX, index.replace(b'","', b'",\n"') + b"\n")
    if is_whole:
        for pattern in (f"tables/*.{TABLE}", f"tables/*.{OBLIGATIONS}", "evidence/*.json.gz"):
            for found in out.glob(pattern):
                if found.relative_to(out).as_posix() not in made | left:
                    found.unlink()


def name_files(root: pathlib.Path, statement: str) -> set[str]:
    """Return the paths of a statement's certificate and of the files that its evidence names."""
    evidence = read_certificate(root, statement).evidence
    tables = {file_path(evidence["table"], TABLE)} if isinstance(evidence.get("table"), str) else set()
    obligations = {file_path(evidence["file"], OBLIGATIONS)} if isinstance(evidence.get("file"), str) else set()
    return {evidence_path(statement)} | tables | obligations
