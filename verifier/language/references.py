"""References between the files of a library: what is wrong with them, and which claims a claim needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

from verifier.language.about import CoverageFile, DocumentFile, ErrataFile
from verifier.language.clauses import RulesFile
from verifier.language.coverage import find_gaps
from verifier.language.documents import check_documents
from verifier.language.library import Library
from verifier.language.loader import Path
from verifier.language.model import Claim, StrategyFile
from verifier.language.problem import Problem, suggest
from verifier.language.questions import Joins, Reading, find_form
from verifier.language.spec import Spec


def check_references(library: Library) -> list[Problem]:
    """Return what is wrong between files: unknown ids, circles, repairs of no reading."""
    problems: list[Problem] = []

    def known(spec: Spec, path: Path, names: Iterable[str], home: dict[str, Spec], kind: str) -> None:
        for index, name in enumerate(names):
            if name not in home:
                problems.append(spec.document.missing((*path, index), kind, name, home))

    for spec in library.with_includes:
        known(spec, ("includes",), spec.model.includes, library.definitions, "definitions")
        problems += _unknown_document(library, spec)
        if isinstance(spec.model, Claim | StrategyFile):
            problems += _unknown_rules(library, spec, ("rules",), spec.model.rules)
        elif isinstance(spec.model, RulesFile):
            problems += library.rules.compile(spec.model.rules)[1]
    for spec in library.claims.values():
        if not isinstance(spec.model, Claim):
            continue
        known(spec, ("uses",), spec.model.uses, library.claims, "claim")
        for name, reading in spec.model.readings.items():
            path = ("readings", name)
            for index, joined in enumerate(reading.joins):
                problems += _unknown_reading(library, spec, (*path, "joins", index), joined)
            named = [(("repairs", i), other) for i, other in enumerate(reading.repairs)]
            problems += _odd_agreement(spec, name, reading)
            for key, other in [*named, *([(("agrees_with",), reading.agrees_with)] if reading.agrees_with else [])]:
                if other not in spec.model.readings or other == name:
                    hint = suggest(other, [item for item in spec.model.readings if item != name])
                    text = f"no other reading {other!r} in this claim{hint}"
                    problems.append(spec.document.problem((*path, *key), text))
            if reading.repairs and reading.note is None:
                problems.append(
                    spec.document.problem(path, f"{name!r} repairs another reading: say in 'note' what it corrects")
                )
            if reading.rules is not None:
                problems += _unknown_rules(library, spec, (*path, "rules"), reading.rules)
            problems += _unknown_strategies(library, spec, path, reading)
            problems += _odd_control(spec, name, reading)
        parts = find_parts(spec.model)
        if all(item.repairs or item.control or name in parts for name, item in spec.model.readings.items()):
            text = "no reading is the claim as stated: all are repairs, controls or parts of such"
            problems.append(spec.document.problem(("readings",), text))
    problems += [*check_documents(library), *_circles(library)]
    problems += _coverage_problems(library)
    return problems


def _coverage_problems(library: Library) -> Iterator[Problem]:
    """Yield what is wrong with the lists of documents' sentences."""
    for spec in library.coverage.values():
        if not isinstance(spec.model, CoverageFile):
            continue
        name = spec.model.coverage
        if name not in library.documents:
            yield spec.document.missing(("coverage",), "document", name, library.documents)
        claims = {claim: library.claim(claim) for claim in library.claims}
        own = [
            claim
            for claim, model in claims.items()
            if model.source.document == name and not library.is_ours(model.source)
        ]
        yield from find_gaps(spec.document, spec.model, claims, own)


def _unknown_document(library: Library, spec: Spec) -> list[Problem]:
    """Where some documents are described, every source names one of them."""
    if (
        isinstance(spec.model, DocumentFile | CoverageFile | ErrataFile)
        or not library.documents
        or spec.document.is_borrowed
    ):
        return []
    name = spec.model.source.document
    if name in library.documents:
        return []
    return [spec.document.missing(("source", "document"), "document", name, library.documents)]


def _unknown_rules(library: Library, spec: Spec, path: Path, rules: str) -> list[Problem]:
    known = library.rules.own
    return [] if rules in known else [spec.document.missing(path, "rules", rules, {*known, *library.rules.offered})]


def _unknown_strategies(library: Library, spec: Spec, path: Path, reading: Reading) -> Iterator[Problem]:
    """Yield the strategies that a reading names and that are not there."""
    for player, name in getattr(reading, "strategies", {}).items():
        base = name.partition("#")[0]
        if base not in library.strategies:
            yield spec.document.missing((*path, "strategies", player), "strategy", base, library.strategies)


def _unknown_reading(library: Library, spec: Spec, path: Path, name: str) -> list[Problem]:
    """Say what is wrong with a reading that another one joins."""
    claim, _, reading = name.partition("/")
    if claim not in library.claims:
        return [spec.document.missing(path, "claim", claim, library.claims)]
    known = library.claim(claim).readings
    if reading not in known:
        hint = suggest(reading, known) or f": {', '.join(known)}"
        return [spec.document.problem(path, f"the claim {claim!r} has no reading {reading!r}{hint}")]
    if known[reading].control:
        return [
            spec.document.problem(path, f"{name!r} is a control: it is false on purpose, so nothing can rest on it")
        ]
    if spec is library.claims[claim]:
        fault = _odd_part(known[str(path[1])], known[reading], name)
        return [spec.document.problem(path, fault)] if fault else []
    return []


def _odd_part(whole: Reading, part: Reading, name: str) -> str:
    """Say why a reading may not join another one of its claim; empty: it may."""
    if whole is part:
        return f"{name!r} joins itself"
    if not isinstance(whole, Joins):
        return f"{name!r} is a reading of the same claim: only a 'conjunction' joins such"
    return f"{name!r} is a conjunction of the same claim: join what it joins" if isinstance(part, Joins) else ""


def _odd_agreement(spec: Spec, name: str, reading: Reading) -> Iterator[Problem]:
    """Yield that two readings are to agree whose evidence has one form: it could be the same evidence."""
    other = spec.model.readings.get(reading.agrees_with or "") if isinstance(spec.model, Claim) else None
    if other is not None and other is not reading and find_form(other) == find_form(reading):
        what = f"both are decided by {find_form(reading)}" if find_form(reading) else "neither has evidence of its own"
        text = f"{what}: 'agrees_with' names a reading whose evidence has another form, such as one with an 'invariant'"
        yield spec.document.problem(("readings", name, "agrees_with"), text)


def _odd_control(spec: Spec, name: str, reading: Reading) -> list[Problem]:
    """Say why a reading may not be a control."""
    if not reading.control or not isinstance(spec.model, Claim):
        return []
    others = [other for other in spec.model.readings.values() if other is not reading]
    faults = {
        "the reading 'as-stated' is the claim's own, and no control": name == "as-stated",
        "a control is not the only reading": not others,
        f"the control {name!r} is repaired: it has to stay refuted": any(name in other.repairs for other in others),
    }
    path: Path = ("readings", name, "control")
    return [spec.document.problem(path, fault) for fault, is_so in faults.items() if is_so]


def find_parts(claim: Claim) -> set[str]:
    """Return the readings of a claim that a conjunction of the same claim joins: the claim stands by the whole.

    By a conjunction that repairs something, or is a control, it does not stand: what such a one joins counts itself.
    """
    return {
        name
        for name in claim.readings
        for other, reading in claim.readings.items()
        if other != name and not reading.repairs and not reading.control and f"{claim.claim}/{name}" in reading.joins
    }


def joined_claims(claim: Claim) -> list[str]:
    """Return the claims whose readings a claim's own readings join."""
    named = [name.partition("/")[0] for reading in claim.readings.values() for name in reading.joins]
    return [name for name in dict.fromkeys(named) if name != claim.claim]


def needed_claims(claim: Claim) -> list[str]:
    """Return the claims to read before a claim: those that it uses and those that its readings join."""
    return list(dict.fromkeys([*claim.uses, *joined_claims(claim)]))


def _circles(library: Library) -> Iterator[Problem]:
    """Yield a circle of claims, and one of definitions, where there are such."""
    needed = {name: needed_claims(library.claim(name)) for name in sorted(library.claims)}
    included = {name: spec.model.includes for name, spec in sorted(library.definitions.items())}
    for graph, home in ((needed, library.claims), (included, library.definitions)):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle = error.args[1][::-1]
            yield home[circle[0]].document.problem(("uses",), f"a circle: {' → '.join(circle)}")
