"""The hashes under which results are remembered.

Each hash covers everything that a result depends on: the code of one of four functions, and its input.

- ``COMPILE``: the text of a reading → the key of its statement;
- ``DECIDE``: the key and the hash of a certificate → the result;
- ``SEARCH``: the key, the text and the versions of the solvers → the reason why the search gave up;
- ``PACK``: certificates → the plays that a report shows.

If a hash did not cover a part of the input, a result could be recalled for another input.
"""

from __future__ import annotations

import functools
import hashlib
import json
import pathlib
import sys
from dataclasses import dataclass, field
from typing import Any

import verifier
from verifier.audit.needs import find_used
from verifier.language.library import Library
from verifier.language.shape import ABOUT
from verifier.language.syntax import spell_scopes

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
"""The packages and modules that each function uses. Only the result of ``PACK`` depends on ``presentation``."""

Reference = tuple[str, str]
"""A claim's id and a reading's id."""

Key = tuple[str, str]
"""Identifies what a reading asks. The first text is the key of its certificate in a store; it is empty if the reading
only joins others. The second is the hash of what belongs to the reading but not to its statement: the hypotheses that
its document cites, and the formulas of its invariant."""


def make_key(function: str, given: object) -> str:
    """Return the hash of a function's code and of its input. The order of keys in the input matters."""
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
    """Return the SHA-256 of a value's JSON. The order of keys matters."""
    return hashlib.sha256(json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode()).hexdigest()


_FOR_PEOPLE = frozenset({"title", "source", "readings"})
"""Keys of a spec file that are left out of its hash. ``ABOUT`` lists the keys of a reading that are left out."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Hashes the texts that readings depend on.

    Attributes:
        known: the hashes computed so far, by the kind and id of the file.
    """

    library: Library
    known: dict[tuple[str, str], str] = field(default_factory=dict)

    def of(self, reference: Reference) -> dict[str, str]:
        """Return the hashes of a reading and of every file that it could depend on, by kind and name."""
        claim, name = reference
        value = self.library.claims[claim].document.value["readings"][name]
        found = {f"reading {claim}/{name}": hash_json(spell_scopes({k: v for k, v in value.items() if k not in ABOUT}))}
        for (kind, used), spec in find_used(self.library, claim, [name]).items():
            if (kind, used) not in self.known:
                said = {key: item for key, item in spec.document.value.items() if key not in _FOR_PEOPLE}
                data = self.library.game(used).data if kind == "rules" else spell_scopes(said)
                self.known[kind, used] = hash_json(data)
            found[f"{kind} {used}"] = self.known[kind, used]
        return found


def hash_text(sources: Sources, reference: Reference) -> str:
    """Return the hash of all text that a reading's result depends on; empty if there is no such reading."""
    library, (claim, name) = sources.library, reference
    if claim not in library.claims or name not in library.claim(claim).readings:
        return ""
    return hash_json([sources.of(reference), library.claims[claim].document.value])
