"""The titles of a report as a line of script: for the search while a reader types, and for the previews of claims."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from verifier.report.html.claims import ClaimView
from verifier.report.html.documents import DocumentView
from verifier.report.printable import flatten, make_texts_printable
from verifier.report.sentence import standing_of


def write_titles(
    claims: Sequence[ClaimView], documents: Sequence[DocumentView], lead: Callable[[str], str] = "#{}".format
) -> str:
    """Return a line of script that defines ``TITLES``, which ``search.js`` and ``previews.js`` read.

    Args:
        claims: the claims of the report.
        documents: its documents.
        lead: a function that returns the address of the element with the given id.
    """
    found = [
        {
            "id": claim.result.id,
            "href": lead(f"claim-{claim.result.id}"),
            "title": claim.result.title,
            "label": claim.label,
            "document": claim.result.source.document,
            "standing": claim.result.standing,
            "stands": standing_of(claim.result),
            "says": flatten(claim.result.source.says),
        }
        for claim in claims
    ]
    found += [
        {"id": item.id, "href": lead(f"document-{item.id}"), "title": item.model.title, "label": "Document"}
        for item in documents
    ]
    # Without "<", no text can end the script that it is part of.
    text = json.dumps(make_texts_printable(found), separators=(",", ":")).replace("<", "\\u003c")
    return f"const TITLES = {text};\n"
