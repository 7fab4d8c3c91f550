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
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.files import is_missing, replace_whole
from verifier.kernel.certificate import (
    INDEX,
    INDEX_FORMAT,
    VERSION,
    Certificate,
    Index,
    canonical_bytes,
    evidence_path,
    file_path,
    files_of,
    hash_bytes,
    parse_stated,
    read_bytes,
    read_certificate,
    read_index,
    read_named,
)
from verifier.kernel.errors import CertificateError, UsageError

if TYPE_CHECKING:
    from verifier.language.library import Library
    from verifier.questions.compiler import Compiled


class NamedFileError(CertificateError):
    """A certificate that is rejected because of a file that it names, which stands at a path."""

    def __init__(self, path: pathlib.Path, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.path = path


@dataclass(frozen=True, slots=True)
class Found:
    """What lies in the folder of a store where a certificate is looked for: nobody has looked into it.

    Attributes:
        path: the file.
        content: its bytes; or why it cannot be read.
        is_shipped: it lies beside the specs, so that whatever is wrong with it is a fault.
    """

    folder: pathlib.Path
    path: pathlib.Path
    content: bytes | CertificateError
    is_shipped: bool

    @property
    def data(self) -> bytes:
        """The bytes; a ``CertificateError`` if they cannot be read."""
        if isinstance(self.content, CertificateError):
            raise self.content
        return self.content

    @property
    def sha256(self) -> str:
        """The hash of the bytes: with it, that of every file which the certificate names by its own."""
        return hash_bytes(self.data)

    def read(self, digest: str) -> bytes:
        """Return a file that the certificate names: it has to stand beside it."""
        try:
            return read_named(files_of(self.folder), digest)
        except CertificateError as error:
            raise NamedFileError(self.folder / file_path(digest), *error.args) from None


@dataclass(frozen=True, slots=True)
class Stores:
    """The folders of stores, in the order of preference; and the one that was shipped beside the specs."""

    others: tuple[pathlib.Path, ...]
    shipped: pathlib.Path | None = None

    def find(self, key: str) -> Iterator[Found]:
        """Yield the certificates of a key, the shipped one first: nothing that others hold may hide what it is."""
        path = evidence_path(key)
        for folder in filter(None, (self.shipped, *self.others)):
            if not is_missing(folder / path):
                try:
                    content: bytes | CertificateError = read_bytes(folder, path)
                except CertificateError as error:
                    content = error
                yield Found(folder, folder / path, content, folder == self.shipped)

    def first(self, key: str) -> Certificate | None:
        """Return the first certificate of a key, which has to be readable where it was shipped."""
        for found in self.find(key):
            try:
                return parse_stated(found.data, str(found.path), key)
            except CertificateError:
                if found.is_shipped:
                    raise
        return None

    def certificate(self, key: str, sha256: str) -> Certificate:
        """Return the certificate of a result, by its key and its hash, which some store has to have."""
        for found in self.find(key):
            if isinstance(found.content, bytes) and found.sha256 == sha256:
                return parse_stated(found.data, str(found.path), key)
        raise CertificateError("unreadable", f"{evidence_path(key)} is missing or has changed")

    def read(self, digest: str) -> bytes:
        """Return a file by its hash, which some store has to have."""
        for folder in filter(None, (self.shipped, *self.others)):
            with contextlib.suppress(CertificateError):
                return read_named(files_of(folder), digest)
        raise CertificateError("unreadable", f"{file_path(digest)} is missing or has changed")


def throw_away(path: pathlib.Path) -> None:
    """Remove whatever stands where a cache keeps a certificate; what cannot be removed stays."""
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


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
