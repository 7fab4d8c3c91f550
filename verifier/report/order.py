"""In which order documents and their claims are shown, and what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.audit.ledger import ClaimResult, Ledger
from verifier.language.library import Library


def label_of(library: Library, name: str) -> str:
    """Return what a document calls a claim: “Lemma 2”; else where it stands."""
    _, label = place_claims(library).get(name, ("", library.claim(name).source.place))
    return label[:1].upper() + label[1:]


def place_claims(library: Library) -> dict[str, tuple[str, str]]:
    """Return the claims that documents place, in their order: for each the part, and what it is called there."""
    parts = (part for spec in library.documents.values() for part in spec.model.contents.items())
    return {name: (part, label) for part, labels in parts for name, label in labels.items()}


def order_by_document(library: Library, names: Iterable[str]) -> list[str]:
    """Return claims as their documents order them; those that a document does not place follow by what they name."""
    places = {name: index for index, name in enumerate(place_claims(library))}

    def key(name: str) -> tuple[int, list[tuple[int, str]]]:
        words = re.split(r"(\d+)", library.claim(name).source.place)
        return places.get(name, len(places)), [(int(word) if word.isdigit() else -1, word) for word in words]

    return sorted(names, key=key)


def group_claims(ledger: Ledger, library: Library) -> dict[str, list[ClaimResult]]:
    """Return the claims by document, in the documents' own order; the auditors' own documents come last."""
    results = {result.id: result for result in ledger.claims}
    groups: dict[str, list[ClaimResult]] = {}
    for name in order_by_document(library, results):
        groups.setdefault(results[name].source.document, []).append(results[name])

    def key(document: str) -> tuple[bool, int, str]:
        return library.document(document).ours, -len(groups[document]), document

    return {document: groups[document] for document in sorted(groups, key=key)}
