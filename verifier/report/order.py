"""In which order documents and their claims are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier.audit.ledger import ClaimResult, Ledger
from verifier.language.library import Library


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
