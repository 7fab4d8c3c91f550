"""What the result of a reading depends on, as hashes: the names under which results are kept.

There are two for each reading. The key of its *sources* is made without compiling anything, so it is found in a
moment; it changes with every word that the reading could depend on. The key of its *statement* is that of the reading
as the kernel sees it, so that a word which changes nothing there costs no search. Both hold the hash of the tool.

The order of keys counts in both: the rules of a strategy are tried in the order in which they are written.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import platform
import sys
import zlib
from dataclasses import dataclass, field
from importlib import metadata
from typing import TYPE_CHECKING, Any

import verifier
from verifier.checkers.plan import Reference, is_shared_out
from verifier.spec.library import Library, Spec
from verifier.spec.model import Bound, Entailment, Induction

if TYPE_CHECKING:
    from verifier.spec.compile import Compiled

LIBRARIES = ("z3-solver", "numba", "llvmlite", "numpy", "pydantic", "pydantic_core", "PyYAML")
"""Of which version a result may depend on."""

_ABOUT_A_FILE = frozenset({"title", "source", "readings"})
_ABOUT_A_READING = frozenset({"expect", "repairs", "because", "note", "slow", "agrees_with", "in_words"})
"""What is for people, and what is compared anew in every run: no checker sees it."""


@dataclass(frozen=True, slots=True)
class Tool:
    """The text of this package, with the versions of what it runs on.

    Attributes:
        hash: of all of them.
        stamp: of its files just before they were read: a change during a run is seen by another one.
    """

    hash: str
    stamp: str


def find_tool() -> Tool:
    """Return the tool as it is now.

    Raises:
        OSError: a file of the package cannot be read.
    """
    stamp = find_stamp()
    folder = pathlib.Path(verifier.__file__).parent
    text = {path.relative_to(folder).as_posix(): hash_text(path.read_bytes()) for path in _sources()}
    if not text:
        raise OSError(None, "the package has no source files", str(folder))
    versions = {name: _version(name) for name in LIBRARIES}
    system = [
        sys.version,
        platform.python_implementation(),
        sys.platform,
        platform.machine(),
        zlib.ZLIB_RUNTIME_VERSION,
    ]
    return Tool(hash_json([text, versions, system]), stamp)


def find_stamp(specs: pathlib.Path | None = None) -> str:
    """Return a hash of sizes and times, of the files of this package or of a folder of specs."""
    paths = _sources() if specs is None else sorted(specs.rglob("*.yaml"))
    found = [(os.fsencode(path).hex(), path.stat()) for path in paths]
    return hash_json([[name, status.st_size, status.st_mtime_ns] for name, status in found])


def _sources() -> list[pathlib.Path]:
    folder = pathlib.Path(verifier.__file__).parent
    return sorted(path for path in folder.rglob("*.py") if "_data" not in path.parts[len(folder.parts) :])


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "unknown"


def hash_text(data: bytes) -> str:
    """Return the SHA-256 of some bytes."""
    return hashlib.sha256(data).hexdigest()


def hash_json(value: Any) -> str:
    """Return the SHA-256 of a value's JSON, the order of keys as it is."""
    return hash_text(json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode())


@dataclass(slots=True)
class Keys:
    """Makes keys for the readings of some specs.

    Attributes:
        library: the specs.
        tool: the hash of the tool.
        memory_mib: the size of the tables of long searches: which replies they find may depend on it.
        known: hashes of files, by kind and id.
    """

    library: Library
    tool: str
    memory_mib: int
    known: dict[tuple[str, str], str] = field(default_factory=dict)

    def of_sources(self, reference: Reference) -> str:
        """Return the key of a reading and of every word that it could depend on."""
        found: dict[str, str] = {}
        self._add_reading(reference, found)
        return hash_json(["sources", self.tool, *reference, self._memory(reference), found])

    def of_statement(self, reference: Reference, compiled: Compiled) -> str:
        """Return the key of a compiled reading and of what else its checker is given."""
        return hash_json(
            ["statement", self.tool, *reference, self._memory(reference), self._given(reference, compiled)]
        )

    def _memory(self, reference: Reference) -> int | None:
        return self.memory_mib if is_shared_out(self.library, reference) else None

    def _reading(self, reference: Reference) -> dict[str, Any]:
        value = self.library.claims[reference[0]].document.value["readings"][reference[1]]
        return {key: item for key, item in value.items() if key not in _ABOUT_A_READING}

    def _add_reading(self, reference: Reference, found: dict[str, str]) -> None:
        """Add a reading, the rest of its claim, and what it names: strategies, and readings as CLAIM/READING."""
        name = f"reading {'/'.join(reference)}"
        if name in found:
            return
        reading = self._reading(reference)
        found[name] = hash_json(reading)
        self._add_file("claim", reference[0], self.library.claims[reference[0]], found)
        for text in _texts(reading):
            claim, _, other = text.partition("/")
            if text.split("#")[0] in self.library.strategies:
                strategy = text.split("#")[0]
                self._add_file("strategy", strategy, self.library.strategies[strategy], found)
            elif claim in self.library.claims and other in self.library.claim(claim).readings:
                self._add_reading((claim, other), found)

    def _add_file(self, kind: str, name: str, spec: Spec, found: dict[str, str]) -> None:
        """Add a file and the definitions that it includes."""
        if f"{kind} {name}" in found:
            return
        if (kind, name) not in self.known:
            value = spec.document.value
            self.known[kind, name] = hash_json({key: item for key, item in value.items() if key not in _ABOUT_A_FILE})
        found[f"{kind} {name}"] = self.known[kind, name]
        for other in spec.model.includes:
            self._add_file("definitions", other, self.library.definitions[other], found)

    def _given(self, reference: Reference, compiled: Compiled) -> list[Any]:
        """Return what a checker sees of a reading, and of the readings that it is put together from."""
        from verifier.checkers.finding import plays_of_strategy
        from verifier.spec.compile import compile_reading

        model = self.library.claim(reference[0]).readings[reference[1]]
        given: list[Any] = [self._reading(reference), compiled.statement, compiled.cites]
        if isinstance(model, Induction | Entailment) and model.reachable_in is not None:
            given.append(plays_of_strategy(self.library, model.reachable_in, self.library.claim(reference[0]).rules))
        for name in model.pieces if isinstance(model, Bound) else ():
            claim, _, other = name.partition("/")
            given.append([name, self._given((claim, other), compile_reading(self.library, claim, other))])
        return given


def _texts(value: Any) -> list[str]:
    """Return every text in a value."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _texts(part)]
