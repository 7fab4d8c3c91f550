"""What a build of the Coq proofs has shown on this machine: a stamp in the build folder, never shipped.

Believed for: that Coq has proved the theorems that it names. It is read only where it fits: each source, the data and
the tables that these were made of have the hashes that the build saw. Whoever can write to the build folder can forge
a stamp, as whoever can write to the cache can have remembered results printed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from verifier.kernel.errors import CertificateError

STAMP = "STAMP.json"
DATA = "data"
"""The folder below the build folder in which the data are written."""

MAX_BYTES = 2**20


class Printed(NamedTuple):
    """A source that prints theorems, and the file that says what it has to print."""

    source: str
    expected: str


THEOREMS = Printed("Theorems.v", "theorems.txt")
HEADLINE = Printed("Headline.v", "headline.txt")
"""This one rests on the data."""


@dataclass(frozen=True, slots=True)
class Theorem:
    """A theorem that Coq has proved, and the axioms that it assumes."""

    name: str
    axioms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of the Coq proofs.

    Attributes:
        proofs: the evidence from which the data are made.
        sources: the sources.
        build: where they are compiled.
    """

    proofs: pathlib.Path
    sources: pathlib.Path
    build: pathlib.Path


def find_places(proofs: pathlib.Path) -> Places:
    """Return the folders that go with a folder of evidence: ``VERIFIER_COQ`` or ``build/coq`` beside it is built in."""
    named = os.environ.get("VERIFIER_COQ")
    build = pathlib.Path(named) if named else proofs.resolve().parent / "build" / "coq"
    return Places(proofs, proofs / "coq", build)


def remove_stamp(places: Places) -> None:
    """Remove the stamp: from now on nothing is said of the build folder."""
    (places.build / STAMP).unlink(missing_ok=True)


def write_stamp(
    places: Places,
    sources: Mapping[str, pathlib.Path],
    data: pathlib.Path | None,
    version: str,
    theorems: Mapping[str, Theorem],
) -> None:
    """Say what was built: nothing of data that were not written to the build folder's own place.

    Args:
        places: the folders.
        sources: the sources, data too, by name.
        data: the folder of the data.
        version: Coq's.
        theorems: the theorems.
    """
    own = {name: path for name, path in sources.items() if data is None or path.parent != data}
    value = {
        "coq": version.partition(" ")[0],
        "sources": {name: _hash(path) for name, path in sorted((own | _expected(places)).items())},
        "data": {name: _hash(path) for name, path in sorted(sources.items()) if name not in own},
        "tables": [] if data is None else _name_tables(places),
        "theorems": {theorem.name: list(theorem.axioms) for theorem in theorems.values()},
    }
    (places.build / STAMP).write_text(json.dumps(value, indent=1) + "\n")


def read_theorems(places: Places | None) -> dict[str, Theorem]:
    """Return the theorems that a build of exactly these sources and data has shown, by name; none without one."""
    if places is None:
        return {}
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError, CertificateError):
        with (places.build / STAMP).open("rb") as file:
            value = json.loads(file.read(MAX_BYTES))
        if _fits(places, value):
            return {name: Theorem(name, tuple(map(str, axioms))) for name, axioms in value["theorems"].items()}
    return {}


def _name_tables(places: Places) -> list[str]:
    """Name the tables of the shipped evidence; the kernel's race is loaded for no other purpose."""
    from verifier.coq.data import tables_of  # noqa: PLC0415 - loads the race of the kernel

    return tables_of(places.proofs)


def _fits(places: Places, value: dict[str, Any]) -> bool:
    """Say whether a stamp is one of these sources, and of data that were made of this evidence."""
    sources = {path.name: path for path in places.sources.glob("*.v")} | _expected(places)
    if not value["data"]:
        sources.pop(HEADLINE.source, None)
    elif value["tables"] != _name_tables(places):
        return False
    data = {path.name: path for path in (places.build / DATA).glob("*.v")} if value["data"] else {}
    return all(
        named == {name: _hash(path) for name, path in files.items()}
        for named, files in ((value["sources"], sources), (value["data"], data))
    )


def _expected(places: Places) -> dict[str, pathlib.Path]:
    names = (THEOREMS.expected, HEADLINE.expected)
    return {name: places.sources / name for name in names if (places.sources / name).exists()}


def _hash(path: pathlib.Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def parse_theorems(printed: str) -> dict[str, Theorem]:
    """Return the theorems that Coq has printed with what they assume, by name."""
    theorems: dict[str, Theorem] = {}
    blocks = re.split(r"^(\w+)\n {5}: ", printed, flags=re.MULTILINE)
    for name, text in zip(blocks[1::2], blocks[2::2], strict=True):
        _, is_assuming, axioms = text.partition("\nAxioms:\n")
        if is_assuming:
            theorems[name] = Theorem(name, tuple(re.findall(r"^([\w.]+)(?: :|$)", axioms, re.MULTILINE)))
        elif "\nClosed under the global context\n" in text:
            theorems[name] = Theorem(name, ())
    return theorems
