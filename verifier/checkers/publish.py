"""Keep certificates and their index in a folder."""

from __future__ import annotations

import pathlib

from verifier.checkers.files import write_whole
from verifier.checkers.ledger import Ledger
from verifier.kernel import certificate as files
from verifier.kernel.recheck import Entry, read_index


def publish(root: pathlib.Path, out: pathlib.Path, ledger: Ledger, *, is_whole: bool) -> None:
    """Copy what was made below ``root`` to ``out``, the index last; the evidence for a reading that was not run stays.

    Args:
        root: where the certificates of this run are.
        out: where they are kept.
        ledger: how the run came out.
        is_whole: the run was over every reading; what it no longer needs is dropped.
    """
    kept = {(result.claim, result.reading) for result in ledger.readings if not result.is_run}
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
        if not result.is_run:
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
