"""The files that hold evidence: their layout, their canonical form, and functions that read them safely.

This module is trusted for three things. First: it reads only regular files inside a given folder, and follows no
links there. Second: it raises a ``CertificateError`` for malformed or hostile bytes, and the cost of reading a file is
limited by its size. Third: ``require_shape`` accepts only values with the keys, items and types that a *shape*
describes, so the rest of the kernel need not check these again. §1 of ``proofs/README.md`` describes the files. If a
certificate is not in the index (``INDEX.json``), the 16 digits in its file name stand for the whole hash. A shape is

- a type (every value fits ``object``), a ``range`` of integers, a set of texts, or None, True or False;
- ``[SHAPE]``: a list whose items have this shape; ``[SHAPE, SHAPE, …]``: a list of exactly these items;
- ``{"*": SHAPE}``: an object with any keys, whose values have this shape;
- ``{KEY: SHAPE, …}``: an object with these keys; a key that ends in ``?`` may be left out;
- a tuple of shapes (the value must fit at least one); or a function ``is_…`` that says whether a value fits.
"""

from __future__ import annotations

import collections
import hashlib
import itertools
import json
import os
import pathlib
import re
import stat
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from verifier.kernel.errors import CertificateError, SpecError

FORMAT = "verifier-certificate"
TABLE_FORMAT = "verifier-table"
REPLIES_FORMAT = "verifier-replies"
REFUTATIONS_FORMAT = "verifier-refutations"
VERSION = 2

MAX_TEXT_BYTES, MAX_TEXT_RATIO = 64 * 2**20, 160
"""Two limits on the length of a decompressed text, in bytes: in total, and for each byte of the compressed file."""

MAX_ITEMS, MAX_ITEM_RATIO = 2_000_000, 12
"""Two limits on the number of lists, objects and their entries in a file: in total, and for each byte of the file."""

FREE_BYTES = 1000
"""Added to a file's size before the size is multiplied by a ratio, because the ratios of small files vary more."""

MAX_DIGITS = 12

HEADER = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
"""The first bytes of a compressed file: a gzip header (deflate) without a name, a time or an operating system."""

MAX_FILE_BYTES, MAX_NAMES = 64 * 2**20, 20_000
"""Maximum size of a file. Maximum number of names in each part of the index, and of certificates in ``evidence/``."""

BY_INVARIANT = "-invariant"
"""The key of a certificate is the hash of its statement. If the evidence is an invariant, this ending follows."""

_EVIDENCE = re.compile(rf"([0-9a-f]{{16}}(?:{BY_INVARIANT})?)\.json\.gz")
"""The name of a certificate's file, without its folder."""

Data = Mapping[str, Any]
"""A statement, or evidence, or another JSON object."""

FileReader = Callable[[str], bytes]
"""Takes the SHA-256 of a file, and returns its bytes; raises ``CertificateError`` if the file cannot be read."""

INDEX, INDEX_FORMAT = "INDEX.json", "verifier-index"

_ID = r"(?=[a-z0-9-]{1,60}(?:/|\Z))[a-z0-9]+(?:-[a-z0-9]+)*"
_NAME = re.compile(f"{_ID}(?:/{_ID})?")
"""``CLAIM`` or ``CLAIM/READING``. No spaces: a name that a terminal wraps at a space could look like two lines."""


@dataclass(frozen=True, slots=True)
class CertificateContent:
    """A statement in the kernel's terms, the verdict on it (``proved`` or ``refuted``), and the evidence for it."""

    statement: dict[str, Any]
    verdict: str
    evidence: dict[str, Any]


def canonical_bytes(value: Any) -> bytes:
    """Return the canonical JSON text of a value made of strings, integers, booleans, null, lists and objects."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()
    except RecursionError:
        raise CertificateError("malformed", "nested too deeply") from None


def hash_value(value: Any) -> str:
    """Return the SHA-256 of a value's canonical JSON, in hexadecimal."""
    return hash_bytes(canonical_bytes(value))


def hash_bytes(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def unpack(data: bytes, name: str) -> Any:
    """Return the value in a file's bytes; require that they are compressed canonical JSON with a line end."""
    if data[: len(HEADER)] != HEADER[: len(data)] or not data:
        raise CertificateError("not-canonical", f"{name}: not compressed by gzip, or its header is not canonical")
    limit = min(MAX_TEXT_BYTES, MAX_TEXT_RATIO * (len(data) + FREE_BYTES))
    decompressor = zlib.decompressobj(wbits=31)
    try:
        text = decompressor.decompress(data, limit + 1)
    except zlib.error as error:
        raise CertificateError("damaged", f"{name}: {error}") from None
    if len(text) > limit:
        raise CertificateError("too-large", f"{name}: its {len(data)} bytes unpack to more than {limit} bytes")
    if not decompressor.eof:
        raise CertificateError("truncated", f"{name}: the compressed data ends early")
    if decompressor.unused_data:
        raise CertificateError("damaged", f"{name}: bytes follow the compressed data")
    value = parse_json(text, name, len(data))
    if canonical_bytes(value) + b"\n" != text:
        raise CertificateError("not-canonical", f"{name}: must have sorted keys, no spaces and a line end")
    return value


def parse_json(text: bytes, name: str, size: int) -> Any:
    """Read JSON in ASCII. Refuse repeated keys, numbers except small integers, and too many items for ``size``."""
    items = sum(text.count(mark) for mark in (b"[", b"{", b","))
    if items > min(MAX_ITEMS, MAX_ITEM_RATIO * (size + FREE_BYTES)):
        raise CertificateError("too-large", f"{name}: {items} items are too many for a file of {size} bytes")
    try:
        return json.loads(
            text.decode("ascii"),  # json.loads would read bytes with a zero as UTF-16 or UTF-32
            object_pairs_hook=_unique_pairs,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
            parse_int=_small_integer,
        )
    except RecursionError:
        raise CertificateError("malformed", f"{name}: nested too deeply") from None
    except ValueError as error:
        raise CertificateError("malformed", f"{name}: {error}") from None


def parse_certificate(value: Any, name: str) -> CertificateContent:
    """Turn a JSON value into a certificate."""
    verdicts = frozenset(("proved", "refuted"))
    require_format(value, FORMAT, {"statement": dict, "verdict": verdicts, "evidence": dict}, name)
    return CertificateContent(value["statement"], value["verdict"], value["evidence"])


def require_format(value: Any, expected: str, shape: dict[str, Any], name: str) -> None:
    """Require an object of the expected format, in the version that this kernel reads, with the keys of a shape."""
    is_ours = isinstance(value, dict) and value.get("format") == expected
    version = value.get("version") if is_ours else None
    if type(version) is int and version != VERSION:
        text = f"{name}: {expected} of version {version}; this kernel reads version {VERSION}"
        raise CertificateError("version", text)
    require_shape(value, {"format": frozenset([expected]), "version": int, **shape}, name)


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = collections.Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise CertificateError("duplicate-entry", f"the key {twice[:120]!r} occurs twice")
    return found


def _refuse_number(text: str) -> NoReturn:
    raise CertificateError("malformed", f"the number {text[:40]!r} is not an integer")


def _small_integer(text: str) -> int:
    if len(text.removeprefix("-")) > MAX_DIGITS:
        raise CertificateError("malformed", f"the integer {text[:40]!r} is out of range")
    return int(text)


_NAMES: dict[Any, str] = {str: "a text", int: "an integer", bool: "true or false", list: "a list", dict: "an object"}


def require_shape(value: Any, shape: Any, name: str, *, is_statement: bool = False) -> None:
    """Require that a value has a shape; raise ``SpecError`` for a value of a statement, else ``CertificateError``."""
    fault = find_misfit(value, shape)
    if fault:
        raise SpecError(f"{name}{fault}") if is_statement else CertificateError("malformed", f"{name}{fault}")


def find_misfit(value: Any, shape: Any) -> str:
    """Return where a value differs from a shape, and what should be there; "" if the value has the shape."""
    alike = [one for one in shape if type(one) is type(value)] if isinstance(shape, tuple) else []
    if len(alike) == 1:
        return find_misfit(value, alike[0])
    if isinstance(shape, dict) and type(value) is dict:
        keys = {key.removesuffix("?"): part for key, part in shape.items()}
        if "*" not in shape and not {key for key in shape if key[-1] != "?"} <= set(value) <= set(keys):
            return f" has the keys {', '.join(map(repr, sorted(value)))[:99]}, not {', '.join(shape)}"
        parts: Iterable[tuple[Any, Any, Any]] = ((key, part, keys.get("*") or keys[key]) for key, part in value.items())
    elif isinstance(shape, list) and type(value) is list and len(shape) in (1, len(value)):
        if shape in ([str], [int]) and set(map(type, value)) <= {*shape}:  # a shortcut for the longest lists
            return ""
        parts = zip(itertools.count(), value, itertools.cycle(shape))  # ``cycle`` never ends, but ``zip`` does
    else:
        return "" if _is_one(value, shape) else f": {str(value)[:60]!r} is not {_describe(shape)}"
    for key, part, wanted in parts:
        fault = find_misfit(part, wanted)
        if fault:
            return f", {str(key)[:60]!r}{fault}"
    return ""


def _is_one(value: Any, shape: Any) -> bool:
    """Say whether a value fits a shape that is neither a list nor an object."""
    if isinstance(shape, tuple):
        return not all(find_misfit(value, one) for one in shape)
    if isinstance(shape, range | frozenset):
        return type(value) is type(next(iter(shape))) and value in shape
    if isinstance(shape, type):
        return shape is object or type(value) is shape
    return bool(shape(value)) if callable(shape) else value is shape


def _describe(shape: Any) -> str:
    """Return a shape in words."""
    if isinstance(shape, tuple):
        return " or ".join(map(_describe, shape))
    if isinstance(shape, range):
        return f"an integer from {shape.start} to {shape.stop - 1}" if len(shape) > 1 else str(shape.start)
    if isinstance(shape, frozenset):
        return " or ".join(sorted(map(repr, shape)))
    if isinstance(shape, list) and len(shape) > 1:
        return f"a list of {len(shape)} parts"
    if isinstance(shape, list | dict):
        return _NAMES[type(shape)]
    if callable(shape) and shape not in _NAMES:
        return f"a {shape.__name__.removeprefix('is_').replace('_', ' ')}"
    return _NAMES.get(shape, "null" if shape is None else str(shape).lower())


def evidence_path(key: str) -> str:
    """Return the path of the certificate with a key."""
    statement, by, _ = key.partition(BY_INVARIANT)
    return f"evidence/{statement[:16]}{by}.json.gz"


def file_path(digest: str) -> str:
    """Return the path of a file that evidence names by its hash."""
    return f"tables/{digest[:16]}.json.gz"


def is_hash(value: object) -> bool:
    """Say whether a value is a SHA-256 in hexadecimal, in lower case."""
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def is_key(value: object) -> bool:
    """Say whether a value is the key of a certificate."""
    return isinstance(value, str) and is_hash(value.removesuffix(BY_INVARIANT))


def read_certificate(root: pathlib.Path, key: str) -> CertificateContent:
    """Read, from a folder, the certificate that has this key."""
    path = evidence_path(key)
    return parse_stated(read_bytes(root, path), path, key)


def parse_stated(data: bytes, name: str, key: str) -> CertificateContent:
    """Read a certificate from bytes; require that its key is ``key``. The hash in ``key`` may be shortened."""
    certificate = parse_certificate(unpack(data, name), name)
    if not hash_value(certificate.statement).startswith(key.removesuffix(BY_INVARIANT)):
        raise CertificateError("other-statement", f"{name} is for another statement")
    if ("invariant" in certificate.evidence) != key.endswith(BY_INVARIANT):
        text = f"{name}: a name has '{BY_INVARIANT}' exactly if the evidence is an invariant"
        raise CertificateError("other-form", text)
    return certificate


def files_of(root: pathlib.Path) -> FileReader:
    """Return a function that reads the files of a folder by their hashes."""
    return lambda digest: read_bytes(root, file_path(digest))


def read_table(files: FileReader, digest: str, expected: str, shape: dict[str, Any], name: str) -> Any:
    """Read the value of a file that evidence names, and require its format and shape."""
    value = unpack(read_named(files, digest), name)
    require_format(value, expected, shape, name)
    return value


def read_named(files: FileReader, digest: str) -> bytes:
    """Read a file that evidence names by its hash, and require that the bytes of the file have this hash."""
    data = files(digest)
    if hash_bytes(data) != digest:
        raise CertificateError("hash", f"{file_path(digest)} is not the file that the certificate names")
    return data


def read_bytes(root: pathlib.Path, relative: str) -> bytes:
    """Read a regular file below ``root``. Refuse other files, and links in the path. Never wait for a pipe."""
    path, flags = root, [getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")]
    try:
        for part in pathlib.PurePosixPath(relative).parts:
            path = path / part
            if path.is_symlink():
                raise CertificateError("unreadable", f"{relative} is a link")
        with os.fdopen(os.open(path, os.O_RDONLY | sum(flags)), "rb") as file:
            if not stat.S_ISREG((status := os.fstat(file.fileno())).st_mode):
                raise CertificateError("unreadable", f"{relative} is not a regular file")
            data = file.read(min(status.st_size, MAX_FILE_BYTES) + 1)  # ``read(n)`` reserves memory for n bytes at once
    except OSError as error:
        raise CertificateError("unreadable", f"{relative}: {error.strerror or error}") from None
    if len(data) > MAX_FILE_BYTES:
        raise CertificateError("too-large", f"{relative} has more than {MAX_FILE_BYTES} bytes")
    return data


@dataclass(frozen=True, slots=True)
class Index:
    """The contents of ``INDEX.json``. The verdict on a reading also rests on the readings that it joins."""

    filed: Mapping[str, str] = field(default_factory=dict)  # for each name, the key of its certificate
    joins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by reading: the readings that it joins


def read_index(root: pathlib.Path) -> Index:
    """Read ``INDEX.json``."""
    data = read_bytes(root, INDEX)
    value = parse_json(data, INDEX, len(data))
    require_format(value, INDEX_FORMAT, {"filed": {"*": is_key}, "joins": {"*": [is_name]}}, INDEX)
    filed, joins = value["filed"], value["joins"]
    if max(len(filed), len(joins)) > MAX_NAMES:
        raise CertificateError("too-large", f"{INDEX}: more than {MAX_NAMES} names")
    if not all(map(is_name, (*filed, *joins))):
        raise CertificateError("malformed", f"{INDEX}: a name is CLAIM or CLAIM/READING, in a-z, digits and hyphens")
    if len(set(map(evidence_path, filed.values()))) < len(set(filed.values())):
        raise CertificateError("malformed", f"{INDEX}: two keys have the same first digits, so they name the same file")
    return Index(filed, {name: tuple(others) for name, others in joins.items()})


def find_unnamed(root: pathlib.Path, index: Index) -> list[str]:
    """Return the keys (sorted, with only 16 digits) of a folder's certificates that an index does not name."""
    folder, named = root / "evidence", set(map(evidence_path, index.filed.values()))
    try:
        if folder.is_symlink():
            raise CertificateError("unreadable", "evidence is a link, not a folder")
        names = os.listdir(folder) if folder.exists() else []
    except OSError as error:
        raise CertificateError("unreadable", f"evidence: {error.strerror or error}") from None
    found = sorted(match[1] for match in map(_EVIDENCE.fullmatch, names) if match)
    if len(found) > MAX_NAMES:
        raise CertificateError("too-large", f"evidence: more than {MAX_NAMES} certificates")
    return [key for key in found if evidence_path(key) not in named]


def is_name(value: object) -> bool:
    """Say whether a value is the name of a claim or of a reading."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None
