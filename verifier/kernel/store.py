"""Where evidence stands: certificates by what they state and the form of their evidence, other files by their hash.

And what is filed under which name of a reading (``CLAIM/READING``), which no verdict rests on.

Trusted for: that what is read is a regular file below the folder, reached through no link. What a file says is held
against its hash by the caller. Layout::

    DIR/evidence/<16 digits>.json.gz              the certificate of the statement whose SHA-256 begins so
    DIR/evidence/<16 digits>-invariant.json.gz    another one of the same, by an invariant
    DIR/tables/<16 digits>.json.gz                a file that evidence names by its SHA-256
    DIR/INDEX.json                                its format, "filed": {NAME: KEY, …}, "joins": {NAME: [NAME, …], …}

A certificate is asked for by its *key*: the hash of what it states, and ``-invariant`` where an invariant shows it.
"""

from __future__ import annotations

import os
import pathlib
import re
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.certificate import (
    Certificate,
    hash_bytes,
    hash_value,
    parse_certificate,
    parse_json,
    require_format,
    unpack,
)
from verifier.kernel.errors import CertificateError

MAX_FILE_BYTES, MAX_NAMES = 64 * 2**20, 20_000
"""Of names so many may be filed, and join others: each is asked for, kept and printed."""

BY_INVARIANT = "-invariant"
"""How the key of a certificate by an invariant ends."""

Files = Callable[[str], bytes]
"""Returns the bytes of a file by its SHA-256; raises CertificateError."""

_HASH = re.compile(r"[0-9a-f]{64}")

INDEX, INDEX_FORMAT = "INDEX.json", "verifier-index"

_ID = r"(?=[a-z0-9-]{1,60}(?:/|\Z))[a-z0-9]+(?:-[a-z0-9]+)*"
_NAME = re.compile(f"{_ID}(?:/{_ID})?")
"""What names are made of: ids, as claims and readings have them. With spaces a name is wrapped, and reads as lines."""


def evidence_path(key: str) -> str:
    """Return where a certificate stands, by its key."""
    statement, by, _ = key.partition(BY_INVARIANT)
    return f"evidence/{statement[:16]}{by}.json.gz"


def file_path(digest: str) -> str:
    """Return where a file stands that evidence names by its hash."""
    return f"tables/{digest[:16]}.json.gz"


def is_hash(value: object) -> bool:
    """Say whether a value is a SHA-256 in hexadecimal, in small letters."""
    return isinstance(value, str) and _HASH.fullmatch(value) is not None


def is_key(value: object) -> bool:
    """Say whether a value is the key of a certificate."""
    return isinstance(value, str) and is_hash(value.removesuffix(BY_INVARIANT))


def read_certificate(root: pathlib.Path, key: str) -> Certificate:
    """Read a certificate by its key."""
    path = evidence_path(key)
    return parse_stated(read_bytes(root, path), path, key)


def parse_stated(data: bytes, name: str, key: str) -> Certificate:
    """Read the bytes of a certificate, and require that it is the one of a key."""
    certificate = parse_certificate(unpack(data, name), name)
    if hash_value(certificate.statement) != key.removesuffix(BY_INVARIANT):
        raise CertificateError("other-statement", f"{name} is for another statement")
    if ("invariant" in certificate.evidence) != key.endswith(BY_INVARIANT):
        raise CertificateError("other-form", f"{name}: evidence by an invariant, and no other, is filed as such")
    return certificate


def files_of(root: pathlib.Path) -> Files:
    """Return what reads the files below a folder by their hashes."""
    return lambda digest: read_bytes(root, file_path(digest))


def read_table(files: Files, digest: str, expected: str, shape: dict[str, Any], name: str) -> Any:
    """Read the value of a file that evidence names, of one of our formats, with parts of some shapes."""
    value = unpack(read_named(files, digest), name)
    require_format(value, expected, shape, name)
    return value


def read_named(files: Files, digest: str) -> bytes:
    """Read the file that evidence names, and require that it is the one with that hash."""
    data = files(digest)
    if hash_bytes(data) != digest:
        raise CertificateError("hash", f"{file_path(digest)} is not the file that the certificate names")
    return data


def read_bytes(root: pathlib.Path, relative: str) -> bytes:
    """Read a regular file of which neither it nor a folder below the root is a link; no pipe is waited for."""
    path, flags = root, [getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")]
    try:
        for part in pathlib.PurePosixPath(relative).parts:
            path = path / part
            if path.is_symlink():
                raise CertificateError("unreadable", f"{relative}: a link")
        with os.fdopen(os.open(path, os.O_RDONLY | sum(flags)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise CertificateError("unreadable", f"{relative}: not a regular file")
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise CertificateError("unreadable", f"{relative}: {error.strerror or error}") from None
    if len(data) > MAX_FILE_BYTES:
        raise CertificateError("too-large", f"{relative}: more than {MAX_FILE_BYTES} bytes")
    return data


@dataclass(frozen=True, slots=True)
class Index:
    """The key of each certificate, by its names; and the names that a name joins: what it claims is all of them."""

    filed: Mapping[str, str] = field(default_factory=dict)
    joins: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_index(root: pathlib.Path) -> Index:
    """Read ``INDEX.json``."""
    data = read_bytes(root, INDEX)
    value = parse_json(data, INDEX, len(data))
    require_format(value, INDEX_FORMAT, {"filed": {"*": is_key}, "joins": {"*": [is_name]}}, INDEX)
    filed, joins = value["filed"], value["joins"]
    if max(len(filed), len(joins)) > MAX_NAMES:
        raise CertificateError("too-large", f"{INDEX}: more than {MAX_NAMES} names")
    if not all(map(is_name, (*filed, *joins))):
        raise CertificateError("malformed", f"{INDEX}: a name is CLAIM/READING, of small letters, digits and hyphens")
    if len(set(map(evidence_path, filed.values()))) < len(set(filed.values())):
        raise CertificateError("malformed", f"{INDEX}: two keys begin alike, so that their certificates share a file")
    return Index(filed, {name: tuple(others) for name, others in joins.items()})


def is_name(value: object) -> bool:
    """Say whether a value is the name of a claim, or of a reading of one."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None
