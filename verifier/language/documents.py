"""What files of documents and errata name has to be there, and each refuted reading has to be in the errata once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from verifier.language.about import DocumentFile, ErrataFile, Erratum
from verifier.language.library import Library
from verifier.language.loader import Path
from verifier.language.model import Claim
from verifier.language.problem import Problem, suggest
from verifier.language.spec import Spec


def check_documents(library: Library) -> Iterator[Problem]:
    """Say what is wrong with the claims that documents name, and with the errata of their readings."""
    for spec in library.documents.values():
        if isinstance(spec.model, DocumentFile):
            yield from _check_document(library, spec, spec.model)
    for spec in library.errata.values():
        if isinstance(spec.model, ErrataFile):
            yield from _check_errata(library, spec, spec.model)


def _check_document(library: Library, spec: Spec, model: DocumentFile) -> Iterator[Problem]:
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


def _check_errata(library: Library, spec: Spec, model: ErrataFile) -> Iterator[Problem]:
    """Say what an errata file names that is not there, and which refuted reading it has not, or twice."""
    owed = {
        f"{claim}/{name}"
        for claim, other in library.claims.items()
        if isinstance(other.model, Claim) and other.model.source.document == model.errata
        for name, reading in other.model.readings.items()
        if reading.expect == "refuted" and not reading.control and not library.is_ours(other.model.source)
    }
    met: set[str] = set()
    for entry, erratum in model.contents.items():
        path: Path = ("contents", entry)
        for index, name in enumerate(erratum.readings):
            where, claim = (*path, "readings", index), name.partition("/")[0]
            missing = None if claim in library.claims else ("claim", claim)
            if name in met:
                yield spec.document.problem(where, f"{name!r} is in two entries")
            elif name not in owed:
                text = f"{name!r} is not a reading of {model.errata!r} that is expected to be refuted and not a control"
                yield replace(spec.document.problem(where, f"{text}{suggest(name, owed)}"), missing=missing)
            met.add(name)
        document = library.document(model.errata)
        for index, claim in enumerate(erratum.headline):
            if document is None or claim not in document.headline:
                text = f"{claim!r} is not in the headline of {model.errata!r}"
                missing = None if document is not None else ("document", model.errata)
                yield replace(spec.document.problem((*path, "headline", index), text), missing=missing)
        yield from _check_correction(library, spec, path, erratum)
    for name in sorted(owed - met):
        text = f"the reading {name!r} is expected to be refuted, and stands in no entry"
        yield spec.document.problem(("contents",), text)


def _check_correction(library: Library, spec: Spec, path: Path, erratum: Erratum) -> Iterator[Problem]:
    claim, _, reading = erratum.readings[0].partition("/")
    if claim not in library.claims:
        return
    model = library.claim(claim)
    is_repaired = any(reading in other.repairs for other in model.readings.values())
    is_open = not is_repaired and any(other.expect == "proved" for other in model.readings.values())
    if is_repaired and erratum.correction is None:
        yield spec.document.problem(path, f"a reading repairs {erratum.readings[0]!r}: say the 'correction'")
    if not is_repaired and not is_open and erratum.correction is not None:
        yield spec.document.problem(
            (*path, "correction"), f"no reading repairs {erratum.readings[0]!r}, so nothing shows it"
        )
