"""The files of evidence: canonical form, hashes, and what is read from bytes that may say anything.

Trusted for: that malformed or hostile bytes end in one ``CertificateError``, and cost no more than their size allows.
``proofs/README.md`` documents the formats.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from dataclasses import dataclass
from typing import Any, NoReturn

from verifier.kernel.errors import CertificateError

FORMAT = "verifier-certificate"
TABLE_FORMAT = "verifier-table"
REPLIES_FORMAT = "verifier-replies"
REFUTATIONS_FORMAT = "verifier-refutations"
VERSION = 2

MAX_TEXT_BYTES = 64 * 2**20
"""How long a text may be, decompressed; the longest shipped one takes 4 MiB."""
MAX_TEXT_RATIO = 160
"""Bytes of text that a compressed byte may stand for: six times what the shipped files need."""

MAX_ITEMS = 2_000_000
MAX_ITEM_RATIO = 12
"""Lists, objects and their entries that a byte of a file may stand for: twice what the shipped files need."""

FREE_BYTES = 1000
"""What is added to a file's size where ratios are asked for: small files vary more."""

MAX_DIGITS = 12

HEADER = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
"""How a file begins: gzip, by deflate, with no name, no time, and an operating system that is not said."""

_CHUNK_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Certificate:
    """The evidence for one statement.

    Attributes:
        statement: what is claimed, in the kernel's own terms (``recheck`` names the kinds, and the module of each).
        verdict: ``proved`` or ``refuted``.
        evidence: what the kernel needs in order to decide.
    """

    statement: dict[str, Any]
    verdict: str
    evidence: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that ``parse_certificate`` reads."""
        return {
            "format": FORMAT,
            "version": VERSION,
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
    return HEADER + gzip.compress(text, compresslevel=6, mtime=0)[len(HEADER) :]  # Python versions differ in the header


def unpack(data: bytes, name: str) -> Any:
    """Read the value of a file that ``pack`` has made.

    Raises:
        CertificateError: ``not-canonical``: it is not compressed, or its text is another one than ``pack`` writes;
            truncated or damaged compression, a text that is too long, or what ``parse_json`` refuses.
    """
    if data[: len(HEADER)] != HEADER[: len(data)] or not data:
        raise CertificateError("not-canonical", f"{name}: not compressed by gzip, or with another header than ours")
    text = unpack_text(data, name)
    value = parse_json(text, name, len(data))
    try:
        is_canonical = canonical_bytes(value) + b"\n" == text
    except RecursionError:
        raise CertificateError("malformed", f"{name}: nested too deeply") from None
    if not is_canonical:
        raise CertificateError("not-canonical", f"{name}: keys are sorted, without spaces, and a line end follows")
    return value


def parse_json(text: bytes, name: str, size: int) -> Any:
    """Read JSON, with no more items than an honest file of some size has.

    Raises:
        CertificateError: it is not ASCII, has a duplicate key, a float, NaN, a huge integer, too many items, or nesting
            that is too deep.
    """
    items = sum(text.count(mark) for mark in (b"[", b"{", b","))
    if items > min(MAX_ITEMS, MAX_ITEM_RATIO * (size + FREE_BYTES)):
        raise CertificateError("too-large", f"{name}: {items} items in {size} bytes")
    try:
        return json.loads(
            text.decode("ascii"),  # given bytes, it takes those that hold a zero for UTF-16 or UTF-32
            object_pairs_hook=_unique_pairs,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
            parse_int=_small_integer,
        )
    except CertificateError:
        raise
    except RecursionError:
        raise CertificateError("malformed", f"{name}: nested too deeply") from None
    except ValueError as error:
        raise CertificateError("malformed", f"{name}: {error}") from None


def unpack_text(data: bytes, name: str) -> bytes:
    """Decompress a gzip file of one member.

    Raises:
        CertificateError: it is truncated, damaged, followed by other bytes, or too long.
    """
    limit = min(MAX_TEXT_BYTES, MAX_TEXT_RATIO * (len(data) + FREE_BYTES))
    decompressor = zlib.decompressobj(wbits=31)
    chunks: list[bytes] = []
    size = 0
    pending = data
    try:
        while not decompressor.eof:
            chunk = decompressor.decompress(pending, _CHUNK_BYTES)
            pending = decompressor.unconsumed_tail
            size += len(chunk)
            if not chunk and not pending:
                break
            if size > limit:
                raise CertificateError("too-large", f"{name}: more than {limit} bytes of text in {len(data)} bytes")
            chunks.append(chunk)
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
    if set(value) != {"format", "version", "statement", "verdict", "evidence"}:
        raise CertificateError("malformed", f"{name}: a certificate has a statement, a verdict and evidence, no more")
    statement, verdict, evidence = value["statement"], value["verdict"], value["evidence"]
    if not isinstance(statement, dict) or not isinstance(evidence, dict):
        raise CertificateError("malformed", f"{name}: a statement and its evidence are objects")
    if verdict not in ("proved", "refuted"):
        raise CertificateError("malformed", f"{name}: a certificate shows proved or refuted, not {str(verdict)[:20]!r}")
    return Certificate(statement, verdict, evidence)


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
    raise CertificateError("malformed", f"the number {text[:40]!r} is not an integer")


def _small_integer(text: str) -> int:
    if len(text.removeprefix("-")) > MAX_DIGITS:
        raise CertificateError("malformed", f"the integer {text[:40]!r} is out of range")
    return int(text)
