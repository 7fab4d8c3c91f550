"""Leave a stamp of a build: its theorems, and the hashes of its sources and data. ``verifier/coq.py`` reads it."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Mapping, Sequence

from proofs.coq.tools.data import PARTS
from verifier.coq import EXPECTED, STAMP, Places, Theorem, find_sources, hash_file, hash_writers, name_tables


def remove_stamp(places: Places) -> None:
    """Remove the stamp, so that no verdict relies on the build folder from now on."""
    (places.build / STAMP).unlink(missing_ok=True)


def write_stamp(
    places: Places,
    sources: Mapping[str, pathlib.Path],
    data: pathlib.Path | None,
    version: str,
    theorems: Mapping[str, Theorem],
    statements: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Write what was built, with the hashes of all files that it was built from.

    Args:
        places: the folders.
        sources: the sources by name, the data included.
        data: the folder of the data.
        version: Coq's.
        theorems: the theorems.
        statements: for each theorem that was made from a certificate, the hash of the statement, and the verdict. None:
            the data were made from tables.
    """
    has_tables = data is not None and statements is None
    own = {name: path for name, path in sources.items() if data is None or path.parent != data}
    expected = {name: path for name, path in find_sources(places).items() if name in EXPECTED.values()}
    value = {
        "coq": version.partition(" ")[0],
        "sources": {name: hash_file(path) for name, path in sorted((own | expected).items())},
        "data": {name: hash_file(path) for name, path in sorted(sources.items()) if name not in own},
        "tables": {part.claim: name_tables(places.proofs, part.claim) for part in PARTS * has_tables},
        "writers": hash_writers() if statements else {},
        "statements": {name: list(of) for name, of in (statements or {}).items()},
        "theorems": {theorem.name: list(theorem.axioms) for theorem in theorems.values()},
    }
    (places.build / STAMP).write_text(json.dumps(value, indent=1) + "\n")


def parse_theorems(printed: str) -> dict[str, Theorem]:
    """Return the theorems that Coq has printed, by name, with their assumptions."""
    theorems: dict[str, Theorem] = {}
    blocks = re.split(r"^([\w.]+)\n {5}: ", printed, flags=re.MULTILINE)
    for name, text in zip(blocks[1::2], blocks[2::2], strict=True):
        _, is_assuming, axioms = text.partition("\nAxioms:\n")
        if is_assuming:
            theorems[name] = Theorem(name, tuple(re.findall(r"^([\w.]+)(?: :|$)", axioms, re.MULTILINE)))
        elif "\nClosed under the global context\n" in text:
            theorems[name] = Theorem(name, ())
    return theorems
