"""Where evidence stands: certificates by what they state and the form of their evidence, other files by their hash.

Trusted for: that what is read is a regular file below the folder, reached through no link. What a file says is held
against its hash by the caller. Layout::

    DIR/evidence/<16 digits>.json.gz              the certificate of the statement whose SHA-256 begins so
    DIR/evidence/<16 digits>-invariant.json.gz    another one of the same, by an invariant
    DIR/tables/<16 digits>.json.gz                a file that evidence names by its SHA-256

A certificate is asked for by its *key*: the hash of what it states, and ``-invariant`` where an invariant shows it.
"""

from __future__ import annotations

import os
import pathlib
import re
import stat
from collections.abc import Callable
from typing import Any

from verifier.kernel.certificate import (
    Certificate,
    hash_bytes,
    hash_value,
    parse_certificate,
    require_format,
    unpack,
)
from verifier.kernel.errors import CertificateError

MAX_FILE_BYTES = 64 * 2**20

TABLE = "json.gz"
"""How the names of files end that evidence names by their hash."""

Files = Callable[[str, str], bytes]
"""Returns the bytes of a file by its SHA-256 and the end of its name; raises CertificateError."""

_HASH = re.compile(r"[0-9a-f]{64}")

BY_INVARIANT = "-invariant"
"""How the key of a certificate ends whose evidence is an invariant."""


def evidence_path(key: str) -> str:
    """Return where a certificate stands, by its key."""
    statement, by, _ = key.partition(BY_INVARIANT)
    return f"evidence/{statement[:16]}{by}.json.gz"


def file_path(digest: str, suffix: str) -> str:
    """Return where a file stands that evidence names by its hash."""
    return f"tables/{digest[:16]}.{suffix}"


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
        raise CertificateError("other-statement", f"{name} states something else than was asked for")
    if ("invariant" in certificate.evidence) != key.endswith(BY_INVARIANT):
        raise CertificateError("other-form", f"{name}: evidence by an invariant, and no other, is filed as such")
    return certificate


def files_of(root: pathlib.Path) -> Files:
    """Return what reads the files below a folder by their hashes."""
    return lambda digest, suffix: read_bytes(root, file_path(digest, suffix))


def read_table(files: Files, digest: str, expected: str, shape: dict[str, Any], name: str) -> Any:
    """Read the value of a file that evidence names, of one of our formats, with parts of some shapes."""
    value = unpack(read_named(files, digest, TABLE), name)
    require_format(value, expected, shape, name)
    return value


def read_named(files: Files, digest: Any, suffix: str) -> bytes:
    """Read the file that evidence names, and require that it is the one with that hash."""
    if not is_hash(digest):
        raise CertificateError("malformed", "a file is named by its SHA-256")
    data = files(digest, suffix)
    if hash_bytes(data) != digest:
        raise CertificateError("hash", f"{file_path(digest, suffix)} is not the file that the certificate names")
    return data


def read_bytes(root: pathlib.Path, relative: str) -> bytes:
    """Read a regular file below a folder, following no link."""
    try:
        number = _open(root, pathlib.PurePosixPath(relative).parts)
        with os.fdopen(number, "rb") as file:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise CertificateError("unreadable", f"{relative}: no regular file")
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise CertificateError("unreadable", f"{relative}: {error.strerror or error}") from None
    if len(data) > MAX_FILE_BYTES:
        raise CertificateError("too-large", f"{relative}: more than {MAX_FILE_BYTES} bytes")
    return data


def _open(root: pathlib.Path, parts: tuple[str, ...]) -> int:
    """Open a file one folder after the other, so that none of them is a link; a pipe is opened without waiting."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if os.open not in os.supports_dir_fd:
        path = root
        for part in parts:
            path = path / part
            if path.is_symlink():
                raise OSError(None, "a link", str(path))
        return os.open(path, flags)
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in parts[:-1]:
            inner = os.open(part, flags | os.O_DIRECTORY, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(parts[-1], flags, dir_fd=folder)
    finally:
        os.close(folder)
