"""The files under ``proofs/``: reading, canonical form, hashes.

Trusted for: that a file is what its hash says, and that malformed or hostile bytes end in one ``CertificateError``.
``proofs/README.md`` documents the formats.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import pathlib
import zlib
from dataclasses import dataclass
from typing import Any, NoReturn

from verifier.kernel.errors import CertificateError

FORMAT = "verifier-certificate"
TABLE_FORMAT = "verifier-table"
REPLIES_FORMAT = "verifier-replies"
INDEX_FORMAT = "verifier-index"
VERSION = 1

MAX_FILE_BYTES = 64 * 2**20
MAX_TEXT_BYTES = 512 * 2**20
MAX_DIGITS = 12

_CHUNK_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Certificate:
    """One reading's evidence.

    Attributes:
        claim: the claim's id.
        reading: the reading's id.
        statement: what is claimed, in the kernel's own terms (``recheck`` names the kinds, and the module of each).
        verdict: ``proved`` or ``refuted``.
        evidence: what the kernel needs in order to decide.
    """

    claim: str
    reading: str
    statement: dict[str, Any]
    verdict: str
    evidence: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that ``parse_certificate`` reads."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "claim": self.claim,
            "reading": self.reading,
            "statement": self.statement,
            "verdict": self.verdict,
            "evidence": self.evidence,
        }


def canonical_bytes(value: Any) -> bytes:
    """Return the one JSON text of a value of strings, integers, booleans, null, lists and objects."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def hash_value(value: Any) -> str:
    """Return the SHA-256 of a value's canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def hash_bytes(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def pack(value: Any) -> bytes:
    """Return the bytes of a file: canonical JSON and a line end, compressed with no time stamp."""
    return pack_text(canonical_bytes(value) + b"\n")


def pack_text(text: bytes) -> bytes:
    """Return text compressed so that the same text gives the same bytes (time stamp 0, no file name)."""
    packed = bytearray(gzip.compress(text, compresslevel=6, mtime=0))
    packed[9] = 255  # "unknown operating system": the byte that Python versions write differently
    return bytes(packed)


def read_bytes(root: pathlib.Path, relative: object) -> bytes:
    """Read a file below a folder.

    Raises:
        CertificateError: the path leaves the folder, or the file is missing, unreadable or too large.
    """
    if not isinstance(relative, str) or not relative or len(relative) > 300:
        raise CertificateError("path", f"{str(relative)[:60]!r} is no path")
    path = pathlib.PurePosixPath(relative)
    if path.is_absolute() or ".." in path.parts or "\\" in relative or "\0" in relative:
        raise CertificateError("path", f"{relative!r} leaves the proofs folder")
    try:
        with (root / path).open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise CertificateError("unreadable", f"{relative}: {error.strerror or error}") from None
    except ValueError:
        raise CertificateError("path", f"{relative!a} is no path") from None
    if len(data) > MAX_FILE_BYTES:
        raise CertificateError("too-large", f"{relative}: more than {MAX_FILE_BYTES} bytes")
    return data


def unpack(data: bytes, name: str) -> Any:
    """Read the JSON value of a file, compressed or not.

    Raises:
        CertificateError: truncated or damaged compression, a text that is too long, JSON with a duplicate key, a
            float, NaN, a huge integer, or nesting that is too deep.
    """
    text = unpack_text(data, name) if data[:2] == b"\x1f\x8b" else data
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique_pairs,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
            parse_int=_small_integer,
        )
    except CertificateError:
        raise
    except UnicodeDecodeError:
        raise CertificateError("malformed", f"{name}: no UTF-8 text") from None
    except RecursionError:
        raise CertificateError("malformed", f"{name}: nested too deeply") from None
    except ValueError as error:
        raise CertificateError("malformed", f"{name}: {error}") from None


def unpack_text(data: bytes, name: str) -> bytes:
    """Decompress a gzip file of one member.

    Raises:
        CertificateError: it is truncated, damaged, followed by other bytes, or too long.
    """
    decompressor = zlib.decompressobj(wbits=31)
    chunks: list[bytes] = []
    size = 0
    pending = data
    try:
        while pending and not decompressor.eof:
            chunk = decompressor.decompress(pending, _CHUNK_BYTES)
            pending = decompressor.unconsumed_tail
            size += len(chunk)
            if size > MAX_TEXT_BYTES:
                raise CertificateError("too-large", f"{name}: more than {MAX_TEXT_BYTES} bytes of text")
            chunks.append(chunk)
        chunks.append(decompressor.flush())
    except zlib.error as error:
        raise CertificateError("damaged", f"{name}: {error}") from None
    if not decompressor.eof:
        raise CertificateError("truncated", f"{name}: the compressed data ends early")
    if decompressor.unused_data:
        raise CertificateError("damaged", f"{name}: bytes follow the compressed data")
    return b"".join(chunks)


def parse_certificate(value: Any, name: str) -> Certificate:
    """Turn a JSON value into a certificate.

    Raises:
        CertificateError: it is none, or one of another version.
    """
    check_header(value, FORMAT, name)
    allowed = {"format", "version", "claim", "reading", "statement", "verdict", "evidence"}
    if set(value) != allowed:
        raise CertificateError("malformed", f"{name}: keys {sorted(set(value) ^ allowed)} are missing or unknown")
    for key, kind in (("claim", str), ("reading", str), ("statement", dict), ("verdict", str), ("evidence", dict)):
        if not isinstance(value[key], kind):
            raise CertificateError("malformed", f"{name}: {key!r} is no {kind.__name__}")
    if value["verdict"] not in ("proved", "refuted"):
        raise CertificateError(
            "malformed", f"{name}: a certificate shows proved or refuted, not {value['verdict'][:20]!r}"
        )
    return Certificate(value["claim"], value["reading"], value["statement"], value["verdict"], value["evidence"])


def check_header(value: Any, expected: str, name: str) -> None:
    """Require an object of one of our formats and of a version that this kernel reads.

    Raises:
        CertificateError: it is not.
    """
    if not isinstance(value, dict) or value.get("format") != expected:
        raise CertificateError("malformed", f"{name}: no object of format {expected!r}")
    if value.get("version") != VERSION or type(value["version"]) is not int:
        raise CertificateError(
            "version", f"{name}: version {str(value.get('version'))[:20]!r}, this kernel reads {VERSION}"
        )


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise CertificateError("duplicate-entry", f"the key {key[:120]!r} stands twice")
        found[key] = value
    return found


def _refuse_number(text: str) -> NoReturn:
    raise CertificateError("malformed", f"the number {text[:40]!r} is no integer")


def _small_integer(text: str) -> int:
    if len(text.removeprefix("-")) > MAX_DIGITS:
        raise CertificateError("malformed", f"the integer {text[:40]!r} is out of range")
    return int(text)
