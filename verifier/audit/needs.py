"""Finds the readings, claims and files that a run needs, and the order of the claims."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from verifier.language.library import Library, follow
from verifier.language.model import FILE_KINDS, Claim
from verifier.language.references import joined_claims, needed_claims
from verifier.language.spec import Spec, find_named


def find_dependents(library: Library, file: str) -> list[str] | None:
    """Return the claims that depend on a spec file, given its path below the specs; None if there is no such file.

    No claim depends on the files about a document: its description, its coverage and its errata.
    """
    if not any(spec.document.file == file for kind in FILE_KINDS for spec in library.home(kind).values()):
        return None
    found = {name: find_used(library, name, spec.model.readings) for name, spec in library.claims.items()}
    places = {name: [spec.document for spec in used.values()] for name, used in found.items()}
    return [name for name, used in places.items() if any(file in (own.file, *own.bases) for own in used)]


def find_used(library: Library, claim: str, readings: Container[str]) -> dict[tuple[str, str], Spec[Any]]:
    """Return the files that some readings of a claim need, by kind and id: claim, rules, definitions, strategies.

    These are the file of the claim, the files that it and these readings name, and in turn the files that those name.
    """

    def others_of(item: tuple[str, str]) -> Iterator[tuple[str, str]]:
        kind, name = item
        for path, other, named in find_named(library.home(kind)[name].document.value):
            if other in ("rules", "definitions", "strategy") and (path[0] != "readings" or path[1] in readings):
                yield other, named

    return {(kind, name): library.home(kind)[name] for kind, name in follow([("claim", claim)], others_of)}


def join_claims(
    library: Library, names: Iterable[str], others_of: Callable[[Claim], Iterable[str]] = joined_claims
) -> list[str]:
    """Return claims and all claims that ``others_of`` reaches from them; by default, all claims that they join."""
    return follow(names, lambda name: others_of(library.claim(name)))


def order_claims(library: Library, wanted: list[str]) -> list[str]:
    """Return claims in the order of their names, but each claim after those that it rests on."""
    needed = {name: [other for other in needed_claims(library.claim(name)) if other in wanted] for name in wanted}
    return follow(sorted(wanted), needed.__getitem__)


def select_readings(library: Library, claims: Iterable[str], reading: str | None) -> list[tuple[str, str]]:
    """Return the readings of some claims: all, or those with the id ``reading`` and the readings that they join.

    If a joined reading is a repair, the readings that it repairs are added: if they hold, the repair is not needed.
    """
    every = [(claim, name) for claim in claims for name in library.claim(claim).readings]
    found = _close(library, [item for item in every if reading in (None, item[1])])
    return [item for item in every if item in found]


def find_long(library: Library) -> frozenset[tuple[str, str]]:
    """Return the readings that are marked ``long``, except those on which the headline of a document rests."""
    readings = [(claim, *item) for claim, spec in library.claims.items() for item in spec.model.readings.items()]
    long = {(claim, name) for claim, name, reading in readings if reading.long is not None}
    return frozenset(long - find_headline(library))


def find_headline(library: Library) -> set[tuple[str, str]]:
    """Return the readings on which the headline of some document rests."""
    claims = {claim for spec in library.documents.values() for claim in spec.model.headline if claim in library.claims}
    return _close(library, [(claim, name) for claim in claims for name in library.claim(claim).readings])


def _close(library: Library, wanted: list[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return readings, all readings that they join, and the readings that the joined readings repair."""

    def others_of(item: tuple[str, str]) -> Iterator[tuple[str, str]]:
        for joined in library.claim(item[0]).readings[item[1]].joins:
            claim, _, other = joined.partition("/")
            yield from ((claim, name) for name in (other, *library.claim(claim).readings[other].repairs))

    return set(follow(wanted, others_of))
