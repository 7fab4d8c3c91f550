"""Checks the references between the specs of a library.

If a spec names another spec, the other spec must exist. The errata of a document must list, exactly once, each reading
of the document's claims that is expected to be refuted and is not a control. The coverage of a document must name each
claim of the document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any

from verifier.language.library import Library
from verifier.language.loader import KeyPath
from verifier.language.model import FILE_KINDS, Claim
from verifier.language.outline import find_parts, needed_claims, split_headline
from verifier.language.problem import Problem, suggest
from verifier.language.reading import Reading
from verifier.language.shape import CoverageFile, DocumentFile, ErrataFile
from verifier.language.spec import Spec, find_named


def check_references(library: Library, is_unread: Callable[[tuple[str, str]], bool] = lambda _: False) -> list[Problem]:
    """Return the problems between files, such as unknown ids. An id that an unread file may define is not a problem."""
    checks: dict[str, Callable[[Library, Spec[Any]], Iterable[Problem]]] = {
        "rules": lambda library, spec: library.compile_rules(spec.model.rules)[1],
        "claim": _check_claim,
        "document": _check_document,
        "errata": lambda library, spec: _check_errata(library, spec, is_unread),
        "coverage": _check_coverage,
    }
    problems: list[Problem] = []
    for kind in FILE_KINDS:
        for spec in library.home(kind).values():
            problems += _check_named(library, spec, is_unread)
            problems += checks[kind](library, spec) if kind in checks else ()
    return [*problems, *_circles(library)]


def _check_named(library: Library, spec: Spec[Any], is_unread: Callable[[tuple[str, str]], bool]) -> Iterator[Problem]:
    """Yield a problem for each spec that this spec names, but that does not exist.

    If these specs have a file for at least one document, the ``source`` of each spec must name a document that has a
    file. This does not apply to specs that are borrowed from the shipped specs.
    """
    is_anywhere = spec.document.is_borrowed or not library.documents
    for path, kind, name in find_named(spec.document.value):
        known = library.home(kind)
        if name not in known and not is_unread((kind, name)) and not (is_anywhere and path == ("source", "document")):
            offered = library.offered if kind == "rules" else ()  # the author may mean a shipped file
            yield spec.document.missing(path, kind, name, [*known, *offered])


def _check_claim(library: Library, spec: Spec[Claim]) -> Iterator[Problem]:
    claim = spec.model
    for name, reading in claim.readings.items():
        yield from _check_reading(library, spec, name, reading)
    parts = find_parts(claim)
    if all(item.repairs or item.control or name in parts for name, item in claim.readings.items()):
        text = "no reading states the claim itself: all are repairs, controls or parts of other readings"
        yield spec.document.problem(("readings",), text)


def _check_reading(library: Library, spec: Spec[Claim], name: str, reading: Reading) -> Iterator[Problem]:
    path, problem = ("readings", name), spec.document.problem
    others = {other: item for other, item in spec.model.readings.items() if other != name}
    for index, joined in enumerate(reading.joins):
        yield from _check_joined(library, spec, reading, (*path, "joins", index), joined)
    named: list[tuple[KeyPath, str]] = [(("repairs", index), other) for index, other in enumerate(reading.repairs)]
    named += [(("agrees_with",), reading.agrees_with)] if reading.agrees_with else []
    for key, other in named:
        if other not in others:
            yield problem((*path, *key), f"this claim has no other reading {other!r}{suggest(other, others)}")
    twin = others.get(reading.agrees_with or "")
    if twin is not None and twin.form == reading.form:  # both could rest on the same evidence
        what = f"both readings are decided by {twin.form}" if twin.form else "neither has evidence of its own"
        text = f"{what}: 'agrees_with' needs a reading with evidence of another kind, such as one with an 'invariant'"
        yield problem((*path, "agrees_with"), text)
    if reading.repairs:
        yield from _check_repair(spec, name, reading)
    if reading.control and name == "as-stated":
        yield problem((*path, "control"), "the reading 'as-stated' is the claim itself, so it cannot be a control")
    if reading.control and not others:
        yield problem((*path, "control"), "a control cannot be the only reading")
    if reading.control and any(name in other.repairs for other in others.values()):
        yield problem((*path, "control"), f"the control {name!r} cannot be repaired: it is false on purpose")


def _check_repair(spec: Spec[Claim], name: str, reading: Reading) -> Iterator[Problem]:
    path, text = ("readings", name), ""
    if reading.note is None:
        yield spec.document.problem(path, f"{name!r} repairs another reading: say in a 'note' what it corrects")
    if name == "as-stated":
        text = "the reading 'as-stated' is the claim itself, so it cannot repair another reading"
    elif reading.expect == "refuted":
        text = f"{name!r} is expected to be refuted, so it cannot repair another reading: a repair has to hold"
    if text:
        yield spec.document.key_problem((*path, "repairs"), text)


def _check_joined(library: Library, spec: Spec[Claim], whole: Reading, path: KeyPath, name: str) -> Iterator[Problem]:
    """Yield a problem if the reading ``whole`` cannot join the reading ``name`` (CLAIM/READING)."""
    claim, _, reading = name.partition("/")
    if claim not in library.claims:
        return
    known = library.claim(claim).readings
    part, fault = known.get(reading), ""
    if part is None:
        hint = suggest(reading, known) or f": its readings are {', '.join(known)}"
        fault = f"the claim {claim!r} has no reading {reading!r}{hint}"
    elif part.control:
        fault = f"{name!r} is a control: it is false on purpose, so nothing can rest on it"
    elif part is whole:
        fault = f"{name!r} cannot join itself"
    elif claim == spec.model.claim and not whole.is_conjunction:
        fault = f"{name!r} is a reading of the same claim: only a reading without a question can join it"
    elif claim == spec.model.claim and part.is_conjunction:
        fault = f"{name!r} only joins other readings of this claim: join those instead"
    if fault:
        yield spec.document.problem(path, fault)


def _circles(library: Library) -> Iterator[Problem]:
    """Yield a problem if claims, or files of definitions, depend on each other in a circle."""
    needed = {name: needed_claims(library.claim(name)) for name in sorted(library.claims)}
    included = {name: spec.model.includes for name, spec in sorted(library.definitions.items())}
    for graph, kind in ((needed, "claim"), (included, "definitions")):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle = error.args[1][::-1]
            yield library.home(kind)[circle[0]].document.problem(("uses",), f"circular reference: {' → '.join(circle)}")


def _check_document(library: Library, spec: Spec[DocumentFile]) -> Iterator[Problem]:
    seen: set[tuple[str | int, str]] = set()
    for path, _, name in find_named(spec.document.value):
        if (path[0], name) in seen:
            yield spec.document.problem(path, f"the claim {name!r} is listed twice in the document's {path[0]}")
        seen.add((path[0], name))
        source = library.claim(name).source if name in library.claims else None
        is_further = source is not None and path[0] == "headline" and library.is_ours(source)
        if source is not None and source.document != spec.model.document and not is_further:
            yield spec.document.problem(path, f"the claim {name!r} belongs to another document")


def _check_errata(
    library: Library, spec: Spec[ErrataFile], is_unread: Callable[[tuple[str, str]], bool]
) -> Iterator[Problem]:
    """Yield the problems of an errata file.

    Problems are: an unknown name; a refuted reading that the file lacks or has twice; a correction that does not fit
    the readings.
    """
    name, problem = spec.model.errata, spec.document.problem
    expected = {
        f"{claim}/{reading_name}"
        for claim in library.claims_of(name)
        for reading_name, reading in library.claim(claim).readings.items()
        if reading.expect == "refuted" and not reading.control
    }
    seen, (headline, _) = set[str](), split_headline(library, name)
    for entry, erratum in spec.model.contents.items():
        path: KeyPath = ("contents", entry)
        for index, named in enumerate(erratum.readings):
            where, claim = (*path, "readings", index), named.partition("/")[0]
            if named in seen:
                yield problem(where, f"{named!r} is in two entries")
            elif named not in expected and (claim in library.claims or not is_unread(("claim", claim))):
                text = f"{named!r} is not a reading of {name!r} with 'expect: refuted', or it is a control"
                missing = None if claim in library.claims else ("claim", claim)
                yield problem(where, f"{text}{suggest(named, expected)}", missing)
            seen.add(named)
        for index, claim in enumerate(erratum.headline):
            if claim not in headline:
                text = f"{claim!r} is not in the headline of {name!r}"
                missing = None if name in library.documents else ("document", name)
                yield problem((*path, "headline", index), text, missing)
        first = erratum.readings[0]
        claim, _, refuted = first.partition("/")
        if claim in library.claims:
            readings = library.claim(claim).readings.values()
            is_repaired = any(refuted in other.repairs for other in readings)
            # A remark is about a sentence that can stay as it is, so it needs no correction.
            if is_repaired and erratum.correction is None and erratum.severity != "remark":
                yield problem(path, f"a reading repairs {first!r}: add the 'correction'")
            if not is_repaired and erratum.correction is not None and all(r.expect != "proved" for r in readings):
                yield problem((*path, "correction"), f"no reading supports this correction: none repairs {first!r}")
    for named in sorted(expected - seen):
        yield problem(("contents",), f"the reading {named!r} is expected to be refuted, but no entry lists it")


def _check_coverage(library: Library, spec: Spec[CoverageFile]) -> Iterator[Problem]:
    """Yield the problems of a coverage file: unknown readings, gaps in its numbers, and missing claims."""
    name, problem = spec.model.coverage, spec.document.problem
    seen: set[str] = set()
    for part, sentences in spec.model.contents.items():
        for number, key in enumerate(sentences, 1):
            if key != str(number):
                text = f"the sentences of {part!r} must be numbered from 1 without gaps: expected {number}, not {key}"
                yield spec.document.key_problem(("contents", part, key), text)
                break
        for key, sentence in sentences.items():
            for index, named in enumerate(sentence.readings):
                claim, slash, reading = named.partition("/")
                seen.add(claim)
                known = library.claim(claim).readings if claim in library.claims else None
                if slash and known is not None and reading not in known:
                    text = f"the claim {claim!r} has no reading {reading!r}{suggest(reading, known)}"
                    yield problem(("contents", part, key, "readings", index), text)
    for claim in library.claims_of(name):
        if claim not in seen:
            yield problem(("contents",), f"the claim {claim!r} belongs to this document, but no sentence names it")
