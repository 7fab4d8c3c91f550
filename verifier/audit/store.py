"""Evidence in folders that are all laid out alike: ``--out``, the user's cache, and the shipped ``proofs/``.

::

    evidence/<first 16 digits of the statement's SHA-256>.json.gz              the certificate
    evidence/<the same>-invariant.json.gz                                      another one of it, by an invariant
    tables/<first 16 digits of the file's SHA-256>.json.gz                     a file that certificates name by its hash
    INDEX.json                                                                 which reading states what; for people

Nothing here is believed: a certificate is found by the hash of what a spec compiles to, and the kernel decides.
"""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.files import replace_whole
from verifier.kernel.certificate import (
    INDEX,
    INDEX_FORMAT,
    VERSION,
    Certificate,
    Index,
    canonical_bytes,
    evidence_path,
    file_path,
    hash_bytes,
    parse_stated,
    read_bytes,
    read_certificate,
    read_index,
)
from verifier.kernel.errors import CertificateError, UsageError

if TYPE_CHECKING:
    from verifier.language.compile import Compiled
    from verifier.language.library import Library


@dataclass(frozen=True, slots=True)
class Found:
    """A certificate as it lies in the folder of a store: bytes that nobody has looked into."""

    data: bytes
    folder: pathlib.Path

    @property
    def sha256(self) -> str:
        """The hash of the bytes: with it, that of every file which the certificate names by its own."""
        return hash_bytes(self.data)


@dataclass(frozen=True, slots=True)
class Stores:
    """The folders of stores, in the order in which they are asked."""

    folders: tuple[pathlib.Path, ...]

    def find(self, key: str) -> Iterator[Found | CertificateError]:
        """Yield the certificates of a key, store by store; an error where one cannot be read."""
        path = evidence_path(key)
        for folder in self.folders:
            try:
                if (folder / path).exists():
                    yield Found(read_bytes(folder, path), folder)
            except CertificateError as error:
                yield error

    def first(self, key: str, sha256: str | None = None) -> Certificate | None:
        """Return the first certificate of a key, that with a hash if one is given; None where none can be read."""
        for found in self.find(key):
            if isinstance(found, Found) and sha256 in (None, found.sha256):
                return parse_stated(found.data, evidence_path(key), key)
        return None

    def certificate(self, key: str, sha256: str) -> Certificate:
        """Return the certificate of a result, by its key and its hash, which some store has to have."""
        certificate = self.first(key, sha256)
        if certificate is None:
            raise CertificateError("unreadable", f"{evidence_path(key)} is missing or has changed")
        return certificate

    def read(self, digest: str) -> bytes:
        """Return a file by its hash, which some store has to have."""
        path = file_path(digest)
        for folder in self.folders:
            if (folder / path).exists() and hash_bytes(data := read_bytes(folder, path)) == digest:
                return data
        raise CertificateError("unreadable", f"{path} is missing or has changed")


def keep_in(folder: pathlib.Path, key: str, certificate: bytes, files: Mapping[str, bytes]) -> None:
    """Write a certificate and the files that it names, these first: each is whole, or not there.

    A file that is as it should be is left alone: its time says how old it is.
    """
    for name, data in [*((file_path(name), data) for name, data in files.items()), (evidence_path(key), certificate)]:
        path = folder / name
        with contextlib.suppress(OSError):
            if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
                continue
        replace_whole(path, data)


def open_index(folder: pathlib.Path) -> Index:
    """Return the index of a store, empty if there is none; one that cannot be read is refused: it would be replaced."""
    try:
        return read_index(folder) if (folder / INDEX).exists() else Index()
    except CertificateError as error:
        raise UsageError(f"{folder / INDEX} cannot be read, and would be replaced: {error}; move it away") from None


def find_stale(library: Library, compiled: Mapping[tuple[str, str], Compiled], folder: pathlib.Path) -> list[str]:
    """Return what a store files that is not so, or is not there, a line each; what it shows is not asked."""
    index = read_index(folder)
    filed, joins, wrong = dict(index.filed), dict(index.joins), list[str]()
    for (claim, reading), stated in compiled.items():
        name = f"{claim}/{reading}"
        kept, joined = filed.pop(name, None), joins.pop(name, ())
        if stated.statement is None:
            fault = "a certificate is filed for it, but it states nothing of its own" if kept else ""
        else:
            fault = _find_fault(folder, stated.key, kept)
        if not fault and joined != tuple(library.claim(claim).readings[reading].joins):
            fault = "the index lists other readings than it joins"
        wrong += [f"{name}: {fault}"] if fault else []
    wrong += [f"{name}: has a certificate, but is not a reading in these specs" for name in filed]
    said = "joins others in the index, but is not a reading in these specs"
    return [*wrong, *(f"{name}: {said}" for name in joins if name not in filed)]


def _find_fault(folder: pathlib.Path, key: str, filed: str | None) -> str:
    """Say what is wrong with a certificate, by the key that it should have, and the one that the index has."""
    if filed != key:
        return "no certificate" if filed is None else "the certificate states something else"
    try:
        read_certificate(folder, key)
    except CertificateError as error:
        return str(error)
    return ""


def write_index(folder: pathlib.Path, index: Index) -> None:
    """Write the index of a store, a line for each reading."""
    said = {"format": INDEX_FORMAT, "version": VERSION, "filed": dict(index.filed), "joins": dict(index.joins)}
    text = canonical_bytes(said).replace(b'","', b'",\n"') + b"\n"
    replace_whole(folder / INDEX, text)
