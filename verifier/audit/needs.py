"""Finds the readings and claims that a run needs, and the order of the claims.

The *headline* of a document is the list of its main claims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from verifier.language.outline import AnyClaim, AnyLibrary, follow, joined_claims, needed_claims


def join_claims(
    library: AnyLibrary, names: Iterable[str], others_of: Callable[[AnyClaim], Iterable[str]] = joined_claims
) -> list[str]:
    """Return claims, and the claims that they join, directly or through other claims.

    To follow something other than ``joins``, give ``others_of``: a function that takes a claim, and returns the claims
    to follow next.
    """
    return follow(names, lambda name: others_of(library.claim(name)))


def order_claims(library: AnyLibrary, wanted: list[str]) -> list[str]:
    """Return claims in the order of their names, but each claim after the claims that it joins or uses."""
    needed = {name: [other for other in needed_claims(library.claim(name)) if other in wanted] for name in wanted}
    return follow(sorted(wanted), needed.__getitem__)


def select_readings(library: AnyLibrary, claims: Iterable[str], reading: str | None) -> list[tuple[str, str]]:
    """Return the readings of some claims.

    If ``reading`` is given, return the readings with this id, and the readings that they join. If a joined reading is a
    repair, also return the readings that it repairs: if these hold, the repair is not needed.
    """
    every = [(claim, name) for claim in claims for name in library.claim(claim).readings]
    found = _close(library, [item for item in every if reading in (None, item[1])])
    return [item for item in every if item in found]


def find_long(library: AnyLibrary) -> frozenset[tuple[str, str]]:
    """Return the readings that are marked ``long``, except those on which the headline of a document rests."""
    readings = [(claim, *item) for claim in library.claims for item in library.claim(claim).readings.items()]
    long = {(claim, name) for claim, name, reading in readings if reading.long}
    return frozenset(long - find_headline(library))


def find_headline(library: AnyLibrary) -> set[tuple[str, str]]:
    """Return the readings on which the headline of any document rests."""
    claims = list_headlines(library) & library.claims.keys()
    return _close(library, [(claim, name) for claim in claims for name in library.claim(claim).readings])


def list_headlines(library: AnyLibrary) -> set[str]:
    """Return the claims in the headlines of all documents, also claims that the auditors added."""
    return {name for document in library.documents for name in library.document(document).headline}


def _close(library: AnyLibrary, wanted: list[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return readings, all readings that they join, and the readings that the joined readings repair."""

    def others_of(item: tuple[str, str]) -> Iterator[tuple[str, str]]:
        for joined in library.claim(item[0]).readings[item[1]].joins:
            claim, _, other = joined.partition("/")
            yield from ((claim, name) for name in (other, *library.claim(claim).readings[other].repairs))

    return set(follow(wanted, others_of))
