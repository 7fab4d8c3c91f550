"""Which claims a spec file bears on: its own, or those that use the strategy, definitions or rules that it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from verifier.language.clauses import RulesFile
from verifier.language.library import Library
from verifier.language.model import Claim, DefinitionsFile, StrategyFile
from verifier.language.references import joined_claims, needed_claims
from verifier.language.spec import Spec, find_texts, named_rules


def find_dependents(library: Library, file: str) -> list[str] | None:
    """Return the claims that a file bears on, by its path below the specs; None where no spec stands there.

    No claim rests on a document's description, or on a list of what it asserts.
    """
    own = [name for name, spec in library.claims.items() if spec.document.file == file]
    if own:
        return own + [name for name, spec in library.claims.items() if file in spec.document.bases]
    others = [spec for kind in ("strategy", "definitions", "rules") for spec in library.home(kind).values()]
    every: list[Spec[Any]] = [*others, *library.documents.values(), *library.coverage.values()]
    bases = [spec for spec in every if spec.document.file == file]
    if not bases:
        return None
    for base in bases:  # which grows
        bases += [spec for spec in others if spec not in bases and _rests_on(spec, base)]
    return [name for name, spec in library.claims.items() if any(_rests_on(spec, base) for base in bases)]


def join_claims(
    library: Library, names: Iterable[str], others_of: Callable[[Claim], Iterable[str]] = joined_claims
) -> list[str]:
    """Return claims with those of which their readings join some, which a run needs as well; or with other ones."""
    found = list(dict.fromkeys(names))
    for name in found:  # which grows
        found += [other for other in dict.fromkeys(others_of(library.claim(name))) if other not in found]
    return found


def order_claims(library: Library, wanted: list[str]) -> list[str]:
    """Return claims so that each follows those it rests on; otherwise in the order of the spec files' names."""
    ordered: dict[str, None] = {}

    def add(name: str) -> None:
        if name in wanted and name not in ordered:
            for other in needed_claims(library.claim(name)):
                add(other)
            ordered[name] = None

    for name in sorted(wanted):
        add(name)
    return list(ordered)


def select_readings(library: Library, claims: Iterable[str], reading: str | None) -> list[tuple[str, str]]:
    """Return the readings of some claims, or those of one name with all that they join, as claim and reading.

    With a repair that is joined comes what it repairs: whether that holds says whether anything was repaired.
    """
    every = [(claim, name) for claim in claims for name in library.claim(claim).readings]
    found = _close(library, [item for item in every if reading in (None, item[1])])
    return [item for item in every if item in found]


def find_long(library: Library) -> frozenset[tuple[str, str]]:
    """Return the readings that take the kernel minutes, without those on which the headline of a document rests."""
    documents = [spec.model for spec in library.documents.values()]
    headline = {claim for model in documents for claim in (*model.headline, *model.sharpened_by)}
    readings = [(claim, *item) for claim, spec in library.claims.items() for item in spec.model.readings.items()]
    named = [(claim, name) for claim, name, _ in readings if claim in headline]
    long = {(claim, name) for claim, name, reading in readings if reading.long is not None}
    return frozenset(long - _close(library, named))


def _close(library: Library, rest: list[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return readings with all that they join, and what these repair."""
    found: set[tuple[str, str]] = set()
    while rest:
        item = rest.pop()
        if item not in found:
            found.add(item)
            joined = (name.partition("/") for name in library.claim(item[0]).readings[item[1]].joins)
            for claim, _, other in joined:
                rest += [(claim, name) for name in (other, *library.claim(claim).readings[other].repairs)]
    return found


def _rests_on(spec: Spec[Any], base: Spec[Any]) -> bool:
    if isinstance(base.model, DefinitionsFile):
        return base.model.definitions in getattr(spec.model, "includes", ())
    if base.document.file in spec.document.bases:
        return True
    if isinstance(base.model, StrategyFile):
        name = base.model.strategy
        return any(text.partition("#")[0] == name for text in find_texts(spec.document.value))
    if isinstance(base.model, RulesFile):
        return base.model.rules in named_rules(spec.model)
    return False
