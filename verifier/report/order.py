"""In which order documents and their claims are shown, and what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.audit.ledger import ClaimResult, Ledger
from verifier.language.library import Library


def title_of(library: Library, document: str) -> str:
    """Return a document's title; its id where no spec describes it."""
    model = library.document(document)
    return document if model is None else model.title


def label_of(library: Library, name: str) -> str:
    """Return what a document calls a claim: “Lemma 2”; else where it stands."""
    source = library.claim(name).source
    document = library.document(source.document)
    parts = document.contents.values() if document else ()
    label = next((part[name] for part in parts if name in part), source.place)
    return label[:1].upper() + label[1:]


def order_claims(library: Library, names: Iterable[str]) -> list[str]:
    """Return claims as their documents order them; those that a document does not place follow by what they name."""
    places: dict[str, int] = {}
    for spec in library.documents.values():
        for part in getattr(spec.model, "contents", {}).values():
            places |= {name: len(places) + index for index, name in enumerate(part)}

    def key(name: str) -> tuple[int, list[tuple[int, str]]]:
        words = re.split(r"(\d+)", library.claim(name).source.place)
        return places.get(name, len(places)), [(int(word) if word.isdigit() else -1, word) for word in words]

    return sorted(names, key=key)


def group_claims(ledger: Ledger, library: Library) -> dict[str, list[ClaimResult]]:
    """Return the claims by document, in the documents' own order; the auditors' own documents come last."""
    results = {result.id: result for result in ledger.claims}
    groups: dict[str, list[ClaimResult]] = {}
    for name in order_claims(library, results):
        groups.setdefault(results[name].source.document, []).append(results[name])

    def key(document: str) -> tuple[bool, int, str]:
        model = library.document(document)
        return model is not None and model.ours, -len(groups[document]), document

    return {document: groups[document] for document in sorted(groups, key=key)}
