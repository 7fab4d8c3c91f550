"""The errata as Markdown, to be copied into an issue, a mail or a referee's report."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verifier.report.board import draw_board
from verifier.report.errata.collect import Entry, collect_errata, count_in_words
from verifier.report.printable import make_printable
from verifier.report.registry import Report

NOTATION = "A move f.s is spot s of field f, both numbered from 0, row by row; a ply is a mark on the board."


def render(report: Report) -> str:
    """Return the errata of every document, each with the board at which it breaks."""
    lines = [f"<!-- {_text(report.command).replace('--', '- -')} -->", "# Errata", "", NOTATION]
    for errata in collect_errata(report):
        lines += ["", f"## {_text(errata.title)}", ""]
        lines += [f"*{_text(errata.authors)}*", ""] if errata.authors else []
        lines.append(f"{count_in_words(errata) or 'None that this ledger shows'}.")
        if errata.left:
            lines.append(f"{errata.left} readings of its claims are not in this run, and nothing is said of them.")
        number = 0
        for severity, entries in errata.by_severity():
            lines += ["", f"### {severity}"]
            for entry in entries:
                number += 1
                lines += ["", f"#### {number}. {_text(entry.label)}", "", *_entry_lines(entry)]
    return "\n".join(lines) + "\n"


def _entry_lines(entry: Entry) -> Iterator[str]:
    yield f"**{_text(entry.place)}:** {_text(entry.sentence)}"
    yield ""
    yield f"**What breaks:** {_text(entry.breaks)}" + (f" (It {_text(entry.in_play)}.)" if entry.in_play else "")
    if entry.board:
        yield ""
        yield f"{_text(entry.where[:1].upper() + entry.where[1:])}:"
        yield ""
        board = draw_board(entry.board.game, entry.board.position, entry.board.last)
        yield from (f"    {line}" for line in board.split("\n"))
    yield ""
    yield (
        f"**Instead:** {_text(entry.instead)}{shown_by(entry)}" if entry.instead else "**Instead:** no repair is shown."
    )
    yield ""
    for sentence in entry.headline:
        yield f"**Headline:** {_text(sentence)}."
    if not entry.headline:
        yield "**Headline:** no headline claim depends on it."
    yield ""
    names = ", ".join(f"`{name}`" for name in (f"{entry.claim}/{entry.reading}", *entry.further))
    yield f"Refuted: {names}"


def shown_by(entry: Entry) -> str:
    """Say by which readings a repair is shown, and how far."""
    return f" ({'; '.join(f'{name}: {verdict}' for name, verdict in entry.repairs)})" if entry.repairs else ""


def _text(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", make_printable(text))
