"""Results that the kernel has accepted, kept from one run to the next.

A run believes what it finds here: whoever can write to the folder can have it print any verdict. What is kept is read
as data and nothing else, and no file is written outside the folder of the run; ``--no-cache`` and ``verifier recheck``
do without, and ``--cache-verify`` finds what is not as it should be.

Only results with a certificate are kept, and of a conjunction that its text compiles: its verdict is the ledger's, made
anew each time. *Unknown* is not kept: nothing stands behind it, and whoever sees it wants it tried again.

A cache that cannot be read or written costs a warning, once, and time.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import stat
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from verifier.checkers.kept import Kept, describe_kept, parse_kept
from verifier.checkers.keys import find_stamp
from verifier.checkers.plan import Reference
from verifier.kernel.certificate import hash_bytes, unpack
from verifier.kernel.errors import CertificateError
from verifier.spec.library import Library

MAGIC = b"claim-verifier cache 1\n"
MAX_ENTRY_BYTES = 128 * 2**20
MAX_MIB = 512
"""How much the folder holds after a run; what older versions of the tool left goes first, then what is oldest."""

_HASH_BYTES = 64
_ENTRY = re.compile(r"(sources|statement|page)-[0-9a-f]{64}")
_PARTIAL = re.compile(_ENTRY.pattern + r"\.[a-z0-9_]+\.part")
_STALE_SECONDS = 3600


@dataclass(slots=True)
class Cache:
    """A folder of results, for one version of the tool.

    Attributes:
        folder: the cache.
        tool: the hash of the tool: results of others are not looked at.
        stamp: of the tool's files when their hash was made: once they have another one nothing is kept; empty: they are
            not watched.
        specs, specs_stamp: the same of the specs, for what is made from all of them.
        warn: called with the first thing that goes wrong, in words; not at all in a worker process.
        pages: the keys of the parts of reports that were found, and whether they may be found again.
        odd: the readings under whose keys something else was found.
        is_silent: it was called.
        is_closed: something could not be written, and nothing is tried any more.
    """

    folder: pathlib.Path
    tool: str
    warn: Callable[[str], None] = field(default=lambda text: None)
    stamp: str = ""
    specs: pathlib.Path | None = None
    specs_stamp: str = ""
    pages: dict[str, bool] = field(default_factory=dict)
    odd: set[Reference] = field(default_factory=set)
    is_silent: bool = False
    is_closed: bool = False

    def find(self, library: Library, reference: Reference, statement: str) -> Kept | None:
        """Return what is kept of a reading under the key of its statement; None: nothing that is whole."""
        value, rest = self._read("statement", statement)
        if value is None:
            return None
        kept = parse_kept(library, reference, value, rest)
        if kept is None:
            self.odd.add(reference)
            self._warn(f"what is kept of {'/'.join(reference)} is not whole; it is checked anew")
        return kept

    def find_by_sources(self, library: Library, reference: Reference, sources: str) -> Kept | None:
        """Return what is kept of a reading under the key of its sources; None: nothing that is whole."""
        value, _ = self._read("sources", sources)
        return None if value is None else self.find(library, reference, str(value.get("statement")))

    def keep(self, library: Library, kept: Kept, sources: str, statement: str) -> None:
        """Keep a result under both of its keys, if it comes back as it went in."""
        result = kept.result
        manifest = describe_kept(kept)
        rest = b"".join(kept.files.values())
        try:
            back = parse_kept(library, (result.claim, result.reading), unpack(_json(manifest), "a result"), rest)
        except (CertificateError, TypeError, ValueError):
            return
        if back == kept:
            self._write("statement", statement, manifest, rest)
            self.link(sources, statement)

    def link(self, sources: str, statement: str) -> None:
        """Note that these sources state what has been checked before."""
        self._write("sources", sources, {"statement": statement}, b"")

    def find_page(self, key: str) -> dict[str, Any] | None:
        """Return what is kept of a part of a report; None: nothing that is whole."""
        value, _ = self._read("page", key) if self.pages.get(key, True) else (None, b"")
        page = None if value is None else value.get("page")
        if not isinstance(page, dict):
            return None
        self.pages[key] = True
        return page

    def drop_pages(self) -> bool:
        """Forget the parts of reports that were found; say whether there were any."""
        found = [key for key, is_good in self.pages.items() if is_good]
        for key in found:
            self.pages[key] = False
            self.warn(f"what was kept of a report, page-{key[:8]}…, cannot be shown; it is made anew")
            with contextlib.suppress(OSError):
                self._path("page", key).unlink(missing_ok=True)
        return bool(found)

    def keep_page(self, key: str, page: dict[str, Any]) -> None:
        """Keep what a part of a report is made from, under the hash of all that it depends on.

        Nothing is kept where the specs were written meanwhile: nobody knows of which ones it was made.
        """
        if self.specs is None or _is_same(self.specs_stamp, self.specs):
            self._write("page", key, {"page": page}, b"")
            self.prune()

    def drop(self, sources: str, statement: str | None = None) -> None:
        """Forget a result; without the key of its statement, the one that its sources are kept to state."""
        if statement is None:
            statement = str((self._read("sources", sources)[0] or {}).get("statement"))
        with contextlib.suppress(OSError):
            for kind, key in (("sources", sources), ("statement", statement)):
                if _ENTRY.fullmatch(f"{kind}-{key}"):
                    self._path(kind, key).unlink(missing_ok=True)

    def prune(self, max_bytes: int = MAX_MIB * 2**20) -> None:
        """Remove the oldest entries until the rest is small enough, those of other versions of the tool first."""
        found: list[tuple[bool, float, int, pathlib.Path]] = []
        try:
            for path in self.folder.glob("*/*"):
                status = path.lstat()
                if _PARTIAL.fullmatch(path.name) and time.time() - status.st_mtime > _STALE_SECONDS:
                    path.unlink(missing_ok=True)
                elif _ENTRY.fullmatch(path.name):
                    found.append((path.parent.name == self.tool[:16], status.st_mtime, status.st_size, path))
            size = sum(item[2] for item in found)
            for _, _, count, path in sorted(found):
                if size <= max_bytes:
                    break
                path.unlink(missing_ok=True)
                size -= count
        except OSError as error:
            self._warn(f"cannot be tidied: {error.strerror or error}")

    def _path(self, kind: str, key: str) -> pathlib.Path:
        return self.folder / self.tool[:16] / f"{kind}-{key}"

    def _read(self, kind: str, key: str) -> tuple[dict[str, Any] | None, bytes]:
        """Return an entry's manifest and what follows it; None where there is none that is whole."""
        if not _ENTRY.fullmatch(f"{kind}-{key}"):
            return None, b""
        try:
            data = _read_file(self._path(kind, key))
        except FileNotFoundError:
            return None, b""
        except (OSError, ValueError) as error:
            self._warn(f"cannot be read: {getattr(error, 'strerror', None) or error}")
            return None, b""
        start = len(MAGIC) + _HASH_BYTES
        body = data[start:]
        if data[: len(MAGIC)] != MAGIC or data[len(MAGIC) : start] != hash_bytes(body).encode():
            self._warn(f"{kind}-{key[:8]}… is damaged; its reading is checked anew")
            return None, b""
        text, _, rest = body.partition(b"\n")
        try:
            value = unpack(text if text.startswith(b"{") else b"", kind)
        except CertificateError:
            value = None
        if not isinstance(value, dict) or value.get("key") != f"{kind}-{key}":
            self._warn(f"{kind}-{key[:8]}… is no entry of this cache; its reading is checked anew")
            return None, b""
        return value, rest

    def _write(self, kind: str, key: str, manifest: dict[str, Any], rest: bytes) -> None:
        if self.is_closed or (self.stamp and not _is_same(self.stamp)):
            return
        body = _json({"key": f"{kind}-{key}", **manifest}) + b"\n" + rest
        if len(MAGIC) + _HASH_BYTES + len(body) > MAX_ENTRY_BYTES:
            return
        try:
            path = self._path(kind, key)
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write_file(path, MAGIC + hash_bytes(body).encode() + body)
        except OSError as error:
            self.is_closed = True
            self._warn(f"cannot be written: {error.strerror or error}")

    def _warn(self, text: str) -> None:
        if not self.is_silent:
            self.is_silent = True
            self.warn(f"cache {self.folder}: {text}")


def _is_same(stamp: str, specs: pathlib.Path | None = None) -> bool:
    """Say whether no file of the tool, or of a folder of specs, was written, or is gone, since a stamp was made."""
    try:
        return find_stamp(specs) == stamp
    except OSError:
        return False


def _json(value: Any) -> bytes:
    """Return JSON on one line, the order of keys as it is: people see counts in that order."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def _read_file(path: pathlib.Path) -> bytes:
    """Read a regular file: a link or a pipe in its place is refused.

    Raises:
        OSError: it cannot be read, or is none.
        ValueError: it is too large.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_ENTRY_BYTES:
            raise ValueError(f"{path.name[:20]}… is no file of at most {MAX_ENTRY_BYTES} bytes")
        return file.read(MAX_ENTRY_BYTES)


def _write_file(path: pathlib.Path, data: bytes) -> None:
    """Write a file whole or not at all, through one that nobody else can have made."""
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        pathlib.Path(name).unlink(missing_ok=True)
        raise
