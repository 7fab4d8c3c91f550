"""What is kept of a result, and how it is read again: as data that may say anything, believed only in its own shape."""

from __future__ import annotations

import pathlib
import re
from dataclasses import dataclass, fields
from typing import Any

from verifier.checkers.files import write_whole
from verifier.checkers.ledger import ReadingResult
from verifier.checkers.plan import Reference
from verifier.checkers.witness import is_witness
from verifier.kernel.certificate import hash_bytes
from verifier.kernel.verdict import Verdict
from verifier.spec.library import Library

_SHARED_FILE = re.compile(r"tables/[0-9a-f]{16}\.json\.gz")
_OWN_FILE = re.compile(r"[a-z]+\.(json|smt2)\.gz")
FIELDS = tuple(
    item.name
    for item in fields(ReadingResult)
    if item.name not in ("claim", "reading", "method", "expected", "trouble", "skipped")
)
"""Of a result: all but whose it is, what the spec expects, and what is never kept."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A result with its files, by name below the folder of a run."""

    result: ReadingResult
    files: dict[str, bytes]


def place(kept: Kept, root: pathlib.Path) -> bool:
    """Put the files of a result below a run's folder; False where another result has put a different file there."""
    paths = [(root / name, data) for name, data in kept.files.items()]
    if any(path.exists() and path.read_bytes() != data for path, data in paths):
        return False
    for path, data in paths:
        if not path.exists():
            write_whole(path, data)
    return True


def is_kept(result: ReadingResult) -> bool:
    """Say whether a result is one to keep: accepted by the kernel, or a conjunction's, which waits for the ledger."""
    return not result.trouble and not result.skipped and (bool(result.path) or result.method == "conjunction")


def differences(fresh: Kept, kept: Kept) -> list[str]:
    """Name what is kept differently from a fresh result, the expectation aside."""
    found = [name for name in FIELDS if getattr(fresh.result, name) != getattr(kept.result, name)]
    if "files" not in found:
        found += [name for name in fresh.files if fresh.files[name] != kept.files.get(name)]
    return found


def describe_kept(kept: Kept) -> dict[str, Any]:
    """Return what ``parse_kept`` reads, next to the bytes of the files, one after the other."""
    result = kept.result
    return {
        "claim": result.claim,
        "reading": result.reading,
        "method": result.method,
        "result": {name: _plain(getattr(result, name)) for name in FIELDS},
        "files": [[name, len(data)] for name, data in kept.files.items()],
    }


def parse_kept(library: Library, reference: Reference, value: dict[str, Any], rest: bytes) -> Kept | None:
    """Return what a manifest and the bytes after it say of a reading; None where it is something else, or nonsense."""
    model = library.claim(reference[0])
    reading = model.readings[reference[1]]
    about = {"claim": reference[0], "reading": reference[1], "method": reading.method}
    found = _parse_files(reference, value.get("files"), rest)
    said = value.get("result")
    if found is None or not isinstance(said, dict) or set(said) != set(FIELDS):
        return None
    if any(value.get(key) != item for key, item in about.items()) or not _is_shaped(said, model.rules):
        return None
    if list(found) != said["files"]:
        return None
    if reading.method == "conjunction":
        is_evident = said["verdict"] == "unknown" and not found and not said["path"]
    else:
        is_decided = said["verdict"] in ("proved", "refuted")
        is_evident = is_decided and said["path"] in found and hash_bytes(found[said["path"]]) == said["sha256"]
    if not is_evident:
        return None
    result = ReadingResult(
        *(*reference, reading.method, Verdict.parse(said["verdict"]), Verdict.parse(reading.expect)),
        *(said["reason"], said["trust"], said["stats"], said["witness"], tuple(said["notes"])),
        path=said["path"],
        sha256=said["sha256"],
        statement=said["statement"],
        files=tuple(said["files"]),
    )
    return Kept(result, found)


def _parse_files(reference: Reference, listed: Any, rest: bytes) -> dict[str, bytes] | None:
    found: dict[str, bytes] = {}
    for item in listed if isinstance(listed, list) else [None]:
        if not (isinstance(item, list) and len(item) == 2 and type(item[1]) is int and 0 <= item[1] <= len(rest)):
            return None
        if not is_safe(item[0], reference) or item[0] in found:
            return None
        found[item[0]], rest = rest[: item[1]], rest[item[1] :]
    return None if rest else found


def _is_shaped(said: dict[str, Any], rules: str) -> bool:
    texts = [said[key] for key in ("verdict", "reason", "trust", "path", "sha256", "statement")]
    stats, witness = said["stats"], said["witness"]
    return (
        all(isinstance(text, str) for text in texts)
        and _is_texts(said["notes"])
        and _is_texts(said["files"])
        and isinstance(stats, dict)
        and all(type(count) is int for count in stats.values())
        and (witness is None or is_witness(witness, rules))
    )


def is_safe(name: object, reference: Reference) -> bool:
    """Say whether a name is one that a file of this reading may have below the folder of a run."""
    if not isinstance(name, str):
        return False
    folder, _, last = name.rpartition("/")
    return bool(_SHARED_FILE.fullmatch(name)) or (folder == "/".join(reference) and bool(_OWN_FILE.fullmatch(last)))


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Verdict) else value
