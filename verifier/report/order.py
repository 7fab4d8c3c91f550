"""The order in which reports show documents and their claims, and how reports name and count claims."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from verifier.audit.ledger import ClaimResult, Ledger
from verifier.kernel.words import counted
from verifier.language.outline import AnyLibrary


def count_claims(claims: Collection[ClaimResult]) -> str:
    """Say how many claims are made by documents, and how many by the auditors.

    >>> count_claims([])
    '0 claims'
    """
    own = sum(claim.source.ours for claim in claims)
    made = counted(len(claims) - own, "claim")
    return f"{made}, and {own} of our own" if 0 < own < len(claims) else f"{own} of our own" if own else made


def label_of(library: AnyLibrary, name: str) -> str:
    """Return a document's name for a claim, such as “Lemma 2”; if the claim has no name, its place in the document."""
    _, label = place_claims(library).get(name, ("", library.claim(name).source.place))
    return label[:1].upper() + label[1:]


def find_wholes(library: AnyLibrary, document: str, name: str) -> tuple[list[str], str]:
    """For a claim about a part of a statement, return the claims about the whole statement, and the name of the part.

    If the document's name for the claim is “Lemma 2, proof”, these are the claims that the document calls “Lemma 2”,
    and the part is “proof”. For any other claim, the list is empty.
    """
    names = {claim: label for part in library.document(document).contents.values() for claim, label in part.items()}
    whole, _, part = names.get(name, "").partition(", ")
    return [other for other, label in names.items() if label == whole and part], part


def place_claims(library: AnyLibrary) -> dict[str, tuple[str, str]]:
    """Return the claims that documents list in ``contents``, in the same order, each with its section and its name."""
    parts = (part for name in library.documents for part in library.document(name).contents.items())
    return {name: (part, label) for part, labels in parts for name, label in labels.items()}


def order_by_document(library: AnyLibrary, names: Iterable[str]) -> list[str]:
    """Return claims in the order of their documents' contents. Other claims follow, ordered by their places."""
    places = {name: index for index, name in enumerate(place_claims(library))}

    def key(name: str) -> tuple[int, list[tuple[int, str]]]:
        words = re.split(r"(\d+)", library.claim(name).source.place)
        return places.get(name, len(places)), [(int(word) if word.isdigit() else -1, word) for word in words]

    return sorted(names, key=key)


def group_claims(ledger: Ledger, library: AnyLibrary) -> dict[str, list[ClaimResult]]:
    """Return the claims of each document, in the order of its contents.

    The document with the most claims comes first. The auditors' own documents come last.
    """
    results = {result.id: result for result in ledger.claims}
    groups: dict[str, list[ClaimResult]] = {}
    for name in order_by_document(library, results):
        groups.setdefault(results[name].source.document, []).append(results[name])

    def key(document: str) -> tuple[bool, int, str]:
        return library.document(document).ours, -len(groups[document]), document

    return {document: groups[document] for document in sorted(groups, key=key)}
