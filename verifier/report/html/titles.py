"""The titles of a report, as a line of script. The search and the previews of claims use these titles."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from verifier.report.html.claims import ClaimView
from verifier.report.html.documents import DocumentView
from verifier.report.printable import flatten, make_texts_printable
from verifier.report.sentence import standing_of

_ALSO = {
    "errata": "letter to the authors, corrections, mistakes",
    "explorer": "play, game, board, strategy",
    "how-to-read": "help, glossary, words, verdicts, kernel, certificate",
    "documents": "papers, authors, rules",
    "sources": "definitions, strategies",
    "provenance": "versions, hashes, command",
}
"""Words under which readers may look for a page, if its title does not have them."""


def write_titles(
    claims: Sequence[ClaimView],
    documents: Sequence[DocumentView],
    pages: Iterable[tuple[str, str]],
    rules: Iterable[Mapping[str, Any]],
    lead: Callable[[str], str] = "#{}".format,
) -> str:
    """Return a line of script that defines ``TITLES``, which ``search.js`` and ``previews.js`` read.

    Args:
        claims: the claims of the report.
        documents: its documents.
        pages: the ids and titles of the report's other pages or sections.
        rules: the report's sets of rules, as ``list_rules`` returns them.
        lead: a function that returns the address of the element with the given id.
    """
    found: list[dict[str, object]] = [
        {
            "id": claim.result.id,
            "href": lead(f"claim-{claim.result.id}"),
            "title": claim.result.title,
            "label": claim.label,
            "document": claim.result.source.document,
            "standing": claim.result.standing,
            "stands": standing_of(claim.result),
            "says": flatten(claim.result.source.says),
            **({"kept": True} if claim.look.endswith(" kept") else {}),
        }
        for claim in claims
    ]
    for item in documents:
        by = ", ".join(item.model.authors)
        found.append(_entry(item.id, lead(f"document-{item.id}"), item.model.title, "Document", by))
    for name, title in pages:
        found.append(_entry(name, lead(name), title, "Page", _ALSO.get(name.partition("-")[0], _ALSO.get(name, ""))))
    for each in rules:
        found.append(_entry(str(each["id"]), lead(f"rules-{each['id']}"), str(each["title"]), "Rules", ""))
    # Without "<", no text can end the script that it is part of.
    text = json.dumps(make_texts_printable(found), separators=(",", ":")).replace("<", "\\u003c")
    return f"const TITLES = {text};\n"


def _entry(name: str, href: str, title: str, label: str, also: str) -> dict[str, object]:
    """Return an entry that is not a claim. A search also finds the entry by the words in ``also``."""
    return {"id": name, "href": href, "title": title, "label": label, **({"also": also} if also else {})}
