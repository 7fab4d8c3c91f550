"""The errata as LaTeX: sections for an article, which need no package."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from verifier.report.board import draw_board
from verifier.report.errata.collect import Entry, collect_errata, count_in_words
from verifier.report.errata.markdown import NOTATION, shown_by
from verifier.report.printable import make_printable
from verifier.report.registry import Report

_SIGNS = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    '"': "''",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "§": r"\S",
    "×": r"$\times$",
    "…": r"\ldots{}",
}


def render(report: Report) -> str:
    """Return a section a document."""
    lines = [f"% {make_printable(report.command)}"]
    for errata in collect_errata(report):
        lines += [rf"\section*{{Errata: {_text(errata.title)}}}", ""]
        lines += [rf"\emph{{{_text(errata.authors)}}}", ""] if errata.authors else []
        lines.append(f"{count_in_words(errata) or 'None that this ledger shows'}. {NOTATION}")
        if errata.left:
            lines.append(f"{errata.left} readings of its claims are not in this run, and nothing is said of them.")
        number = 0
        for severity, entries in errata.by_severity():
            lines += ["", rf"\subsection*{{{severity}}}"]
            for entry in entries:
                number += 1
                lines += ["", rf"\paragraph{{{number}. {_text(entry.label)}}}", *_entry_lines(entry)]
    return "\n".join(lines) + "\n"


def _entry_lines(entry: Entry) -> Iterator[str]:
    yield rf"\emph{{{_text(entry.place)}:}} {_text(entry.sentence)}"
    yield rf"\emph{{What breaks:}} {_text(entry.breaks)}" + (f" (It {_text(entry.in_play)}.)" if entry.in_play else "")
    if entry.board:
        yield f"{_text(entry.where[:1].upper() + entry.where[1:])}:"
        yield r"\begin{verbatim}"
        yield draw_board(entry.board.game, entry.board.position, entry.board.last)
        yield r"\end{verbatim}"
    yield rf"\emph{{Instead:}} {_text(entry.instead + shown_by(entry)) if entry.instead else 'no repair is shown.'}"
    for sentence in entry.headline:
        yield rf"\emph{{Headline:}} {_text(sentence)}."
    if not entry.headline:
        yield r"\emph{Headline:} no headline claim depends on it."


def _text(text: str) -> str:
    """Return a text that LaTeX sets as it is, Greek letters as mathematics."""
    return re.sub(r"[^\w\s]|[^\x00-\x7f]|_", lambda found: _sign(found[0]), make_printable(text))


def _sign(sign: str) -> str:
    name = unicodedata.name(sign, "")
    if name.startswith("GREEK SMALL LETTER "):
        return rf"$\{name.rpartition(' ')[2].lower()}$"
    return _SIGNS.get(sign, sign)
