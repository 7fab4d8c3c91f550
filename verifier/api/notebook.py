"""How claims, plays and ledgers draw themselves in a notebook: a little HTML, which loads nothing."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from verifier.audit.fault import fault_lines
from verifier.audit.ledger import Ledger
from verifier.report.printable import make_printable
from verifier.report.text import summary_lines
from verifier.report.trust import standing_of, verdict_of

_SIDE = "flex: 0 0 9rem"


def write_boards(boards: Iterable[tuple[str, str]], caption: str) -> str:
    """Return boards side by side.

    Args:
        boards: for each the move that led to it, empty for the start, and its SVG.
        caption: what they show.
    """
    drawn = (
        f'<figure style="{_SIDE}; margin: 0">{svg}<figcaption>{escape(move)}</figcaption></figure>'
        for move, svg in boards
    )
    return f'{write_paragraph(caption)}<div style="display: flex; flex-wrap: wrap; gap: 1rem">{"".join(drawn)}</div>'


def write_paragraph(text: str) -> str:
    """Return a paragraph of text."""
    return f"<p>{escape(make_printable(text))}</p>"


def write_ledger(ledger: Ledger) -> str:
    """Return a table with a row for each claim: how it stands, and the verdict on each reading."""
    rows = []
    for claim in ledger.claims:
        readings = ", ".join(f"{reading.id} {verdict_of(reading)}" for reading in claim.readings)
        cells = (claim.id, standing_of(claim), readings, " ".join(claim.title.split()))
        rows.append("".join(f"<td>{escape(make_printable(cell))}</td>" for cell in cells))
    head = "".join(f"<th>{title}</th>" for title in ("claim", "standing", "readings", "title"))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    foot = "".join(map(write_paragraph, [*fault_lines(ledger.faults), *summary_lines(ledger)]))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{foot}"
