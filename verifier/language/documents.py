"""What files of documents and errata name has to be there: claims of the document, and repairs that are readings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from verifier.language.loader import Path
from verifier.language.model import Claim, DocumentFile, Reading
from verifier.language.problem import Problem, suggest

if TYPE_CHECKING:
    from verifier.language.library import Library, Spec


def check_documents(library: Library) -> Iterator[Problem]:
    """Say what is wrong with the claims that documents name, and with the errata of their readings."""
    for spec in library.documents.values():
        if isinstance(spec.model, DocumentFile):
            yield from _check_document(library, spec, spec.model)
    for spec in library.claims.values():
        for name, reading in spec.model.readings.items() if isinstance(spec.model, Claim) else ():
            yield from _check_erratum(library, spec, name, reading)


def _check_document(library: Library, spec: Spec, model: DocumentFile) -> Iterator[Problem]:
    named: list[tuple[Path, str]] = [(("headline", index), name) for index, name in enumerate(model.headline)]
    named += [(("contents", part, name), name) for part, claims in model.contents.items() for name in claims]
    met: set[tuple[str | int, str]] = set()
    for path, name in named:
        if (path[0], name) in met:
            yield spec.document.problem(path, f"the claim {name!r} stands twice in the document's {path[0]}")
        met.add((path[0], name))
        if name not in library.claims:
            problem = spec.document.problem(path, f"no claim {name!r} in these specs{suggest(name, library.claims)}")
            yield replace(problem, missing=("claim", name))
        elif library.claim(name).source.document != model.document:
            yield spec.document.problem(path, f"the claim {name!r} is of another document")
    for index, name in enumerate(model.sharpened_by):
        if name not in library.claims or not library.is_ours(library.claim(name).source):
            problem = spec.document.problem(("sharpened_by", index), f"no claim {name!r} of the auditors' own")
            yield replace(problem, missing=None if name in library.claims else ("claim", name))


def _check_erratum(library: Library, spec: Spec, name: str, reading: Reading) -> Iterator[Problem]:
    if not isinstance(spec.model, Claim):
        return
    if reading.erratum_of is not None:
        claim, _, other = reading.erratum_of.partition("/")
        readings = library.claim(claim).readings if claim in library.claims else {}
        if other not in readings or readings[other].erratum is None:
            text = f"no reading {reading.erratum_of!r} with an erratum in these specs"
            problem = spec.document.problem(("readings", name, "erratum_of"), text)
            yield replace(problem, missing=None if claim in library.claims else ("claim", claim))
    if (erratum := reading.erratum) is None:
        return
    path = ("readings", name, "erratum")
    document = library.document(spec.model.source.document)
    if library.is_ours(spec.model.source):
        yield spec.document.problem(path, "the claim is the auditors' own: what is wrong with it is no erratum")
    for index, claim in enumerate(erratum.headline):
        if document is None or claim not in document.headline:
            text = f"{claim!r} is not in the headline of {spec.model.source.document!r}"
            missing = None if document is not None else ("document", spec.model.source.document)
            yield replace(spec.document.problem((*path, "headline", index), text), missing=missing)
    is_repaired = any(name in other.repairs for other in spec.model.readings.values())
    if is_repaired != (erratum.instead is not None):
        text = "an erratum says 'instead' where, and only where, a reading of its claim repairs the one that it is of"
        yield spec.document.problem(path, text)
