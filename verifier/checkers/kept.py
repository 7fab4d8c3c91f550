"""What is kept of a result, and how it is read again: as data that may say anything, believed only in its own shape.

Each entry's certificate is held against what the entry says of it, by its text. Its JSON is not read: that would take
longer than all the rest of a run from the cache (see ``doubt`` for where it cannot be read).
"""

from __future__ import annotations

import pathlib
import re
from dataclasses import dataclass, fields
from typing import Any

from verifier.checkers.files import write_whole
from verifier.checkers.ledger import ReadingResult
from verifier.checkers.plan import Reference
from verifier.checkers.witness import is_witness
from verifier.kernel import certificate as certificates
from verifier.kernel.certificate import hash_bytes
from verifier.kernel.errors import CertificateError
from verifier.kernel.verdict import Belief, Verdict, require_beliefs
from verifier.spec.library import Library

_SHARED_FILE = re.compile(r"tables/[0-9a-f]{16}\.json\.gz")
_OWN_FILE = re.compile(r"[a-z]+\.(json|smt2)\.gz")
_MAX_TEXT = 2**20
"""How many characters are kept to be printed: of reason, notes, names of counts, and witness."""
_OF_A_LEDGER = ("is_mended", "is_quick", "in_play")
FIELDS = tuple(
    item.name
    for item in fields(ReadingResult)
    if item.name not in ("claim", "reading", "method", "expected", "trouble", "decided", *_OF_A_LEDGER)
)
"""Of a result: all but whose it is, what the spec expects, what is never kept, and what the ledger adds."""


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
    return not result.trouble and result.is_run and (bool(result.path) or result.method == "conjunction")


def is_enough(library: Library, result: ReadingResult, *, is_full: bool) -> bool:
    """Say whether a kept result says as much as a run wants: a full one wants more than a quick one has decided."""
    model = library.claim(result.claim).readings[result.reading]
    return not (is_full and model.quick is not None and result.verdict is Verdict.SUPPORTED)


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
        data = found.get(said["path"], b"")
        is_own = said["path"] == f"{'/'.join(reference)}/certificate.json.gz"
        is_evident = is_own and hash_bytes(data) == said["sha256"] and _is_certificate(data, reference, said)
    if not is_evident:
        return None
    result = ReadingResult(
        *(*reference, reading.method, Verdict.parse(said["verdict"]), Verdict.parse(reading.expect)),
        *(said["reason"], _beliefs(said), said["stats"], said["witness"], tuple(said["notes"])),
        path=said["path"],
        sha256=said["sha256"],
        statement=said["statement"],
        files=tuple(said["files"]),
    )
    return Kept(result, found)


def _is_certificate(data: bytes, reference: Reference, said: dict[str, Any]) -> bool:
    """Say whether a file is a certificate of a reading, with this verdict and a statement of this hash, by its text.

    The text is canonical (``proofs/README.md``): keys are sorted, so that the evidence comes first, and the statement
    stands between the reading and the verdict.
    """
    shown = {"proved": "proved", "supported": "proved", "refuted": "refuted"}.get(said["verdict"])
    if shown is None:
        return False
    try:
        text = certificates.unpack_text(data, said["path"])
    except CertificateError:
        return False
    claim, reading = reference
    head = f'{{"claim":"{claim}","evidence":{{'.encode()
    before = f'}},"format":"{certificates.FORMAT}","reading":"{reading}","statement":'.encode()
    tail = f',"verdict":"{shown}","version":{certificates.VERSION}}}\n'.encode()
    start = text.rfind(before) + len(before)
    is_framed = text.startswith(head) and text.endswith(tail) and len(head) <= start <= len(text) - len(tail)
    return is_framed and hash_bytes(text[start : -len(tail)]) == said["statement"]


def _parse_files(reference: Reference, listed: Any, rest: bytes) -> dict[str, bytes] | None:
    found: dict[str, bytes] = {}
    for item in listed if isinstance(listed, list) else [None]:
        if not (isinstance(item, list) and len(item) == 2 and type(item[1]) is int and 0 <= item[1] <= len(rest)):
            return None
        if not is_safe(item[0], reference) or item[0] in found or item[1] > certificates.MAX_FILE_BYTES:
            return None
        found[item[0]], rest = rest[: item[1]], rest[item[1] :]
    return None if rest else found


def _is_shaped(said: dict[str, Any], rules: str) -> bool:
    texts = [said[key] for key in ("verdict", "reason", "path", "sha256", "statement")]
    stats, witness = said["stats"], said["witness"]
    return (
        all(isinstance(text, str) for text in texts)
        and _is_texts(said["notes"])
        and _has_beliefs(said)
        and _is_texts(said["files"])
        and isinstance(stats, dict)
        and all(type(count) is int for count in stats.values())
        and sum(map(len, [*texts, *said["notes"], *stats])) <= _MAX_TEXT
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


def _has_beliefs(said: dict[str, Any]) -> bool:
    """Say whether a result's beliefs go with its verdict."""
    try:
        require_beliefs(Verdict.parse(said["verdict"]), _beliefs(said))
    except (KeyError, TypeError, AttributeError, ValueError):
        return False
    return isinstance(said["beliefs"], list)


def _beliefs(said: dict[str, Any]) -> frozenset[Belief]:
    return frozenset(map(Belief.parse, said["beliefs"]))


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    return str(value) if isinstance(value, Verdict) else value
