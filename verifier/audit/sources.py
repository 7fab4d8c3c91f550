"""The texts that readings depend on, and their hashes."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Any

from verifier.audit.keys import Reference, hash_json
from verifier.language.library import Library
from verifier.language.model import FILE_KINDS
from verifier.language.outline import follow
from verifier.language.shape import ABOUT
from verifier.language.spec import Spec, find_named
from verifier.language.syntax import spell_scopes


def find_dependents(library: Library, file: str) -> list[str] | None:
    """Return the claims that depend on a spec file; None if there is no such file. ``file`` is its path in the specs.

    No claim depends on the files about a document: its description, its coverage and its errata.
    """
    if not any(spec.document.file == file for kind in FILE_KINDS for spec in library.home(kind).values()):
        return None
    found = {name: find_used(library, name, spec.model.readings) for name, spec in library.claims.items()}
    places = {name: [spec.document for spec in used.values()] for name, used in found.items()}
    return [name for name, used in places.items() if any(file in (own.file, *own.bases) for own in used)]


def find_used(library: Library, claim: str, readings: Container[str]) -> dict[tuple[str, str], Spec[Any]]:
    """Return the files that some readings of a claim need, by kind and id: claim, rules, definitions, strategies.

    These are the file of the claim, the files that the claim and the readings name, the files that those files name,
    and so on.
    """

    def others_of(item: tuple[str, str]) -> Iterator[tuple[str, str]]:
        kind, name = item
        for path, other, named in find_named(library.home(kind)[name].document.value):
            if other in ("rules", "definitions", "strategy") and (path[0] != "readings" or path[1] in readings):
                yield other, named

    return {(kind, name): library.home(kind)[name] for kind, name in follow([("claim", claim)], others_of)}


_FOR_PEOPLE = frozenset({"title", "source", "readings"})
"""Keys that the hash of a spec file leaves out: text for people, and the readings. Each reading has a hash of its own,
which leaves out the keys in ``ABOUT``."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Hashes the texts that readings depend on.

    Attributes:
        known: the hashes computed so far, by the kind and id of the file.
    """

    library: Library
    known: dict[tuple[str, str], str] = field(default_factory=dict)

    def texts_of(self, reference: Reference) -> dict[str, str]:
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
    return hash_json([sources.texts_of(reference), library.claims[claim].document.value])
