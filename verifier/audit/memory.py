"""What four functions have returned, kept from one run to the next; nothing else is a cache.

*compile* turns the text of a reading into a statement; *decide* turns a statement and evidence into a result; of
*search*, which looks for evidence, it is kept that it gave up, and why; *pack* turns certificates into the data of a
report's explorer. Each value is kept under the hash of the function's code and of its input. A run prints what it finds
here: **anyone who can write to the folder can have remembered results printed.** ``--no-cache`` and ``verifier
recheck`` remember nothing.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import pathlib
import sys
import time
from dataclasses import dataclass
from typing import Any

import verifier
from verifier.files import MAX_BYTES, read_start, replace_whole

COMPILE = "compile"
DECIDE = "decide"
SEARCH = "search"
PACK = "pack"
CODE = {
    COMPILE: ("kernel", "language", "questions"),
    DECIDE: ("kernel", "language", "questions", "search/reach.py"),
    SEARCH: ("kernel", "language", "questions", "search", "solver"),
    PACK: ("kernel", "language", "questions", "graph", "presentation", "report/html", "search/retrieval.py"),
}
"""The modules that each function uses, below the package: but for *pack* not how anything is shown."""

MAX_MIB = 512
"""How much a cache holds after a run: what is oldest goes first."""
_STALE_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Memory:
    """A folder of remembered values; None: nothing is remembered."""

    folder: pathlib.Path | None

    def recall(self, function: str, given: object) -> dict[str, Any] | None:
        """Return what a function is remembered to have made of its input; None where nothing whole is kept."""
        key = make_key(function, given)
        path = self._path(function, key)
        if path is None:
            return None
        with contextlib.suppress(OSError, ValueError):
            value = json.loads(read_start(path, MAX_BYTES))
            is_whole = isinstance(value, dict) and value.get("key") == key and isinstance(value.get("value"), dict)
            return value["value"] if is_whole else None
        return None

    def remember(self, function: str, given: object, value: dict[str, Any]) -> None:
        """Keep what a function made of its input; where that cannot be written, it is made again next time."""
        key = make_key(function, given)
        path = self._path(function, key)
        if path is not None:
            with contextlib.suppress(OSError):
                replace_whole(path, json.dumps({"key": key, "value": value}, separators=(",", ":")).encode())

    def _path(self, function: str, key: str) -> pathlib.Path | None:
        return None if self.folder is None else self.folder / "remembered" / f"{function}-{key[:32]}.json"


def make_key(function: str, given: object) -> str:
    """Return the hash of a function's code and of its input, the order of keys as it is."""
    return hash_json([function, hash_code(*CODE[function]), given])


@functools.cache
def hash_code(*parts: str) -> str:
    """Return the hash of the text of some modules and packages, and of Python's version."""
    folder = pathlib.Path(verifier.__file__).parent
    paths = [
        path for part in parts for path in ([folder / part] if "." in part else sorted((folder / part).rglob("*.py")))
    ]
    text = [[path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()] for path in paths]
    return hash_json([text, sys.version_info[:3]])


def hash_json(value: Any) -> str:
    """Return the SHA-256 of a value's JSON, the order of keys as it is."""
    return hashlib.sha256(json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode()).hexdigest()


def prune(folder: pathlib.Path, max_bytes: int = MAX_MIB * 2**20) -> None:
    """Remove the oldest files of a cache until the rest is small enough, and what writers that died have left."""
    found: list[tuple[float, int, pathlib.Path]] = []
    with contextlib.suppress(OSError):
        for home in ("evidence", "tables", "remembered"):
            for path in (folder / home).glob("*"):
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
