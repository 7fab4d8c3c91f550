"""What files about documents name has to be there.

Each refuted reading is in the errata once, and each claim of a document at one of its sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from verifier.language.about import CoverageFile, DocumentFile, ErrataFile
from verifier.language.library import Library
from verifier.language.loader import Path
from verifier.language.problem import Problem, suggest
from verifier.language.spec import Spec


def check_documents(library: Library) -> Iterator[Problem]:
    """Say what is wrong with the claims that documents name, the errata of readings, and the lists of sentences."""
    for spec in library.documents.values():
        yield from _check_document(library, spec)
    for errata in library.errata.values():
        yield from _check_errata(library, errata)
    for coverage in library.coverage.values():
        yield from _check_coverage(library, coverage)


def _check_document(library: Library, spec: Spec[DocumentFile]) -> Iterator[Problem]:
    model = spec.model
    named: list[tuple[Path, str]] = [(("headline", index), name) for index, name in enumerate(model.headline)]
    named += [(("contents", part, name), name) for part, claims in model.contents.items() for name in claims]
    met: set[tuple[str | int, str]] = set()
    for path, name in named:
        if (path[0], name) in met:
            yield spec.document.problem(path, f"the claim {name!r} is listed twice in the document's {path[0]}")
        met.add((path[0], name))
        if name not in library.claims:
            yield spec.document.missing(path, "claim", name, library.claims)
        elif library.claim(name).source.document != model.document:
            yield spec.document.problem(path, f"the claim {name!r} is of another document")
    for index, name in enumerate(model.sharpened_by):
        if name not in library.claims or not library.is_ours(library.claim(name).source):
            problem = spec.document.problem(("sharpened_by", index), f"no claim {name!r} of the auditors' own")
            yield replace(problem, missing=None if name in library.claims else ("claim", name))


def _check_errata(library: Library, spec: Spec[ErrataFile]) -> Iterator[Problem]:
    """Say what an errata file names that is not there, and which refuted reading it has not, or twice."""
    name, problem = spec.model.errata, spec.document.problem
    owed = {
        f"{claim}/{reading_name}"
        for claim in library.claims_of(name)
        for reading_name, reading in library.claim(claim).readings.items()
        if reading.expect == "refuted" and not reading.control
    }
    document, met = library.document(name), set[str]()
    for entry, erratum in spec.model.contents.items():
        path: Path = ("contents", entry)
        for index, named in enumerate(erratum.readings):
            where, claim = (*path, "readings", index), named.partition("/")[0]
            if named in met:
                yield problem(where, f"{named!r} is in two entries")
            elif named not in owed:
                text = f"{named!r} is not a reading of {name!r} that is expected to be refuted and not a control"
                missing = None if claim in library.claims else ("claim", claim)
                yield replace(problem(where, f"{text}{suggest(named, owed)}"), missing=missing)
            met.add(named)
        for index, claim in enumerate(erratum.headline):
            if document is None or claim not in document.headline:
                text = f"{claim!r} is not in the headline of {name!r}"
                missing = None if document is not None else ("document", name)
                yield replace(problem((*path, "headline", index), text), missing=missing)
        first = erratum.readings[0]
        claim, _, refuted = first.partition("/")
        if claim in library.claims:
            readings = library.claim(claim).readings.values()
            is_repaired = any(refuted in other.repairs for other in readings)
            if is_repaired and erratum.correction is None:
                yield problem(path, f"a reading repairs {first!r}: say the 'correction'")
            if not is_repaired and erratum.correction is not None and all(r.expect != "proved" for r in readings):
                yield problem((*path, "correction"), f"no reading repairs {first!r}, so nothing shows it")
    for named in sorted(owed - met):
        yield problem(("contents",), f"the reading {named!r} is expected to be refuted, and stands in no entry")


def _check_coverage(library: Library, spec: Spec[CoverageFile]) -> Iterator[Problem]:
    """Say what a list of sentences names that is not there, and which claims and numbers it lacks."""
    name, problem = spec.model.coverage, spec.document.problem
    if name not in library.documents:
        yield spec.document.missing(("coverage",), "document", name, library.documents)
    met: set[str] = set()
    for part, sentences in spec.model.contents.items():
        for number, key in enumerate(sentences, 1):
            if key != str(number):
                text = f"the sentences of {part!r} are numbered from 1 without a gap: {number} is wanted, not {key}"
                yield spec.document.key_problem(("contents", part, key), text)
                break
        for key, sentence in sentences.items():
            for index, named in enumerate(sentence.readings):
                claim, slash, reading = named.partition("/")
                met.add(claim)
                path: Path = ("contents", part, key, "readings", index)
                if claim not in library.claims:
                    yield spec.document.missing(path, "claim", claim, library.claims)
                elif slash and reading not in library.claim(claim).readings:
                    hint = suggest(reading, library.claim(claim).readings)
                    yield problem(path, f"the claim {claim!r} has no reading {reading!r}{hint}")
    for claim in library.claims_of(name):
        if claim not in met:
            yield problem(("contents",), f"the claim {claim!r} is of this document, and no sentence names it")
