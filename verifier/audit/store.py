"""Everything that is kept between runs, in three folders with one layout: ``proofs/``, ``--out`` and the user's cache.

::

    evidence/KEY.json.gz                the certificate of a statement; KEY: the first 16 digits of its SHA-256
    evidence/KEY-invariant.json.gz      another certificate of the statement, by an invariant
    tables/HASH.json.gz                 a file that certificates name by its SHA-256
    INDEX.json                          the certificate of each reading, for people ("index.py"); not in the cache
    remembered/FUNCTION-KEY.json        the result of a function ("keys.py"); in the cache only

Evidence is not trusted: a run finds it by the hash of a compiled statement, and the kernel decides on it. Remembered
results are trusted: **anyone who can write to the cache can have false results printed.** With ``--no-cache`` they are
neither used nor written. ``verifier recheck`` uses no remembered results. But it remembers what the kernel has decided,
for ``verifier show``.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifier.audit.keys import make_key
from verifier.files import MAX_KEPT_BYTES, is_missing, read_start, replace_whole
from verifier.kernel.certificate import (
    CertificateContent,
    evidence_path,
    file_path,
    files_of,
    hash_bytes,
    parse_stated,
    read_bytes,
    read_named,
)
from verifier.kernel.errors import CertificateError
from verifier.kernel.verdict import Belief, Result, Verdict

MAX_MIB = 512
"""Maximum size of a cache after a run; the oldest files are removed first."""
_STALE_SECONDS = 3600


class NamedFileError(CertificateError):
    """A certificate is rejected because of a file that it names. ``path`` is where that file should be."""

    def __init__(self, path: pathlib.Path, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.path = path


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file at the path where the certificate of a statement should be. Its bytes are not parsed yet.

    Attributes:
        folder: the folder that has the file, one of ``Store.folders``.
        path: the file.
        content: the bytes of the file, or the error that says why it cannot be read.
        is_shipped: True if the file was shipped beside the specs. Then any error in it is a fault.
    """

    folder: pathlib.Path
    path: pathlib.Path
    content: bytes | CertificateError
    is_shipped: bool

    @property
    def data(self) -> bytes:
        """The bytes of the file. Raises a ``CertificateError`` if it cannot be read."""
        if isinstance(self.content, CertificateError):
            raise self.content
        return self.content

    @property
    def sha256(self) -> str:
        """The hash of the bytes. The bytes name other files by hashes, so this hash covers these files as well."""
        return hash_bytes(self.data)

    def read(self, digest: str) -> bytes:
        """Return a file that the certificate names, from the same folder."""
        try:
            return read_named(files_of(self.folder), digest)
        except CertificateError as error:
            raise NamedFileError(self.folder / file_path(digest), *error.args) from None


@dataclass(frozen=True, slots=True)
class Store:
    """Finds and keeps evidence, and remembers the results of functions.

    Attributes:
        shipped: the folder of the evidence that was shipped with the specs; None for no folder.
        out: a folder that gets all evidence of this run; None for no folder.
        cache: the user's cache, or a temporary folder.
        is_remembering: whether results are remembered in the cache.
        is_keeping: whether accepted evidence is kept, in ``out`` and in the cache.
        folders: the folders with evidence. The shipped folder is first, so that other evidence cannot hide a fault in
            shipped evidence.
    """

    shipped: pathlib.Path | None = None
    out: pathlib.Path | None = None
    cache: pathlib.Path | None = None
    is_remembering: bool = True
    is_keeping: bool = True
    folders: tuple[pathlib.Path, ...] = field(init=False)

    def __post_init__(self) -> None:
        """List the folders, each once."""
        shipped = self.shipped and self.shipped.resolve()
        others = [folder for folder in (self.out, self.cache) if folder is not None and folder.resolve() != shipped]
        folders = ([] if self.shipped is None else [self.shipped]) + others
        object.__setattr__(self, "folders", tuple(dict.fromkeys(folders)))

    # -- evidence ------------------------------------------------------------------------------------------------------

    def find(self, key: str) -> Iterator[Candidate]:
        """Yield the files at the paths where the certificate of a key should be, the shipped file first."""
        path = evidence_path(key)
        for folder in self.folders:
            place = folder / path
            if not is_missing(place):
                try:
                    content: bytes | CertificateError = read_bytes(folder, path)
                except CertificateError as error:
                    content = error
                yield Candidate(folder, place, content, folder == self.shipped)

    def first(self, key: str) -> CertificateContent | None:
        """Return the first well-formed certificate of a key; None if there is none.

        Raises:
            CertificateError: the shipped certificate is malformed.
        """
        for candidate in self.find(key):
            try:
                return parse_stated(candidate.data, str(candidate.path), key)
            except CertificateError:
                if candidate.is_shipped:
                    raise
        return None

    def certificate(self, key: str, sha256: str) -> CertificateContent:
        """Return a key's certificate, given the hash of its bytes. Raise an error if no folder has this certificate."""
        for candidate in self.find(key):
            if isinstance(candidate.content, bytes) and candidate.sha256 == sha256:
                return parse_stated(candidate.data, str(candidate.path), key)
        raise CertificateError("unreadable", f"{evidence_path(key)} is missing or has changed")

    def read(self, digest: str) -> bytes:
        """Return a file, given its hash. Raise an error if no folder has this file."""
        for folder in self.folders:
            with contextlib.suppress(CertificateError):
                return read_named(files_of(folder), digest)
        raise CertificateError("unreadable", f"{file_path(digest)} is missing or has changed")

    def has_place_for(self, candidate: Candidate) -> bool:
        """Return True if accepted evidence from one folder has to be copied to another folder, ``out`` or ``cache``."""
        # If results are not remembered, the cache is a temporary folder: nobody would read a copy in it.
        return self.is_keeping and bool({self.out, self.memory} - {None, candidate.folder})

    def keep(self, key: str, certificate: bytes, files: Mapping[str, bytes]) -> None:
        """Keep accepted evidence. Raise ``OSError`` if ``out`` cannot be written; ignore an unwritable cache."""
        if self.is_keeping and self.out is not None:
            _write_evidence(self.out, key, certificate, files)
        if self.is_keeping and self.cache is not None:
            with contextlib.suppress(OSError):
                _write_evidence(self.cache, key, certificate, files)

    def remove_partial_files(self, writers: Sequence[int]) -> None:
        """Remove the partial files of processes that were killed while they wrote (``files.replace_whole``)."""
        for folder in {self.out, self.cache} - {None} if writers else ():
            for path in pathlib.Path(str(folder)).glob("*/*.part"):
                if any(f".{writer}-" in path.name for writer in writers):
                    throw_away(path)

    # -- remembered results --------------------------------------------------------------------------------------------

    @property
    def memory(self) -> pathlib.Path | None:
        """The folder of the cache, if results are remembered in it; otherwise None."""
        return self.cache if self.is_remembering else None

    def recall(self, function: str, given: object) -> dict[str, Any] | None:
        """Return the remembered result of a function for an input; None if its file is missing or damaged."""
        if self.memory is None:
            return None
        key = make_key(function, given)
        path = _find_remembered(self.memory, function, key)
        with contextlib.suppress(OSError, ValueError):
            value = json.loads(read_start(path, MAX_KEPT_BYTES))
            is_whole = isinstance(value, dict) and value.get("key") == key and isinstance(value.get("value"), dict)
            return value["value"] if is_whole else None
        return None

    def remember(self, function: str, given: object, value: dict[str, Any]) -> None:
        """Remember the result of a function for an input. If it cannot be written, the next run computes it again."""
        if self.memory is None:
            return
        key = make_key(function, given)
        with contextlib.suppress(OSError):
            data = json.dumps({"key": key, "value": value}, separators=(",", ":")).encode()
            replace_whole(_find_remembered(self.memory, function, key), data)


def _find_remembered(cache: pathlib.Path, function: str, key: str) -> pathlib.Path:
    return cache / f"remembered/{function}-{key[:32]}.json"


def _write_evidence(folder: pathlib.Path, key: str, certificate: bytes, files: Mapping[str, bytes]) -> None:
    """Write the files that a certificate names, then the certificate. Each is written whole or not at all."""
    for name, data in [*((file_path(name), data) for name, data in files.items()), (evidence_path(key), certificate)]:
        path = folder / name
        with contextlib.suppress(OSError):
            if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
                continue  # an unchanged file keeps its time stamp
        replace_whole(path, data)


def throw_away(path: pathlib.Path) -> None:
    """Remove a file or folder, if that is possible."""
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def prune(cache: pathlib.Path, max_bytes: int = MAX_MIB * 2**20) -> None:
    """Remove the oldest files of a cache until it is small enough. Also remove partial files of writers that died."""
    found: list[tuple[float, int, pathlib.Path]] = []
    with contextlib.suppress(OSError):
        for home in ("evidence", "tables", "remembered"):
            for path in (cache / home).glob("*"):
                status = path.lstat()
                if path.name.endswith(".part") and time.time() - status.st_mtime > _STALE_SECONDS:
                    path.unlink(missing_ok=True)
                else:
                    found.append((status.st_mtime, status.st_size, path))
        size = sum(item[1] for item in found)
        for _, count, path in sorted(found):
            if size <= max_bytes:
                break
            path.unlink(missing_ok=True)
            size -= count


def result_to_json(result: Result) -> dict[str, Any]:
    """Return a result of the kernel as JSON data."""
    beliefs = sorted(belief.name for belief in result.beliefs)
    return {"verdict": result.verdict.name, "reason": result.reason, "beliefs": beliefs, "stats": dict(result.stats)}


def result_from_json(value: Mapping[str, Any]) -> Result:
    """Return a result of the kernel from JSON data. Raise ``ValueError`` if the data are not a result."""
    match value:
        case {"verdict": str(verdict), "reason": str(reason), "beliefs": list(beliefs), "stats": dict(stats)}:
            with contextlib.suppress(KeyError, TypeError):
                if all(isinstance(count, int) for count in stats.values()):
                    return Result(Verdict[verdict], reason, frozenset(Belief[name] for name in beliefs), stats)
    raise ValueError("this is not a result of the kernel")
