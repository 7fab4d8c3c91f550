"""The errata as a LaTeX document, which needs no package."""

from __future__ import annotations

import re
import unicodedata

from verifier.presentation.family import SPOT, in_words, write_mark
from verifier.presentation.registry import find_presentation
from verifier.report.errata.letter import Diagram
from verifier.report.errata.markdown import Markup, write_errata
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
    "–": "--",
    "—": "---",
    "§": r"$\mathsection$",
    "×": r"$\times$",
    "…": r"\ldots{}",
}

_HEAD = r"""\documentclass{article}
\setlength{\parindent}{0pt}\setlength{\parskip}{\medskipamount}\emergencystretch=2em
\setlength{\unitlength}{0.5pt}
\begin{document}
"""

_LAST_LETTER = 0x17E
"""The letter “ž”. Every LaTeX can print the letters of Unicode up to this letter."""


def render(report: Report) -> str:
    """Return an article with a section for each document."""
    text = write_errata(report, _MARKUP)
    return f"{_HEAD}\n{text}\n\\end{{document}}\n"


def escape_latex(text: str) -> str:
    """Escape a text for LaTeX, and keep a move (i, j) on one line.

    Small Greek letters become mathematics. A character that LaTeX lacks is replaced by its name in brackets.
    """
    text = re.sub(r"[^\w\s]|[^\x00-\x7f]|_", lambda found: _sign(found[0]), make_printable(text))
    return re.sub(r"\((\w+), (\w+)\)", r"(\1,~\2)", text)


def _sign(sign: str) -> str:
    name = unicodedata.name(sign, "no name")
    greek = re.fullmatch(r"GREEK SMALL LETTER (?!OMICRON)(\w+)", name)
    if greek:
        return rf"$\{greek[1].lower().replace('lamda', 'lambda')}$"
    return _SIGNS.get(sign) or (sign if ord(sign) <= _LAST_LETTER else f"[{name.lower()}]")


def draw_picture(board: Diagram) -> str:
    """Draw a board as a LaTeX picture, and say below it which areas are won. Its caption says who is to move.

    Areas that are won have a thick frame, and the last mark has a frame. Below the board are grids with the parts of
    the position that the board does not show.
    """
    shown = find_presentation(board.game)
    plan, look = shown.board, shown.look(board.position)
    last = "" if board.last is None else board.game.format_move(tuple(board.last))
    owners = look.owners or "." * len(plan.areas)
    drawn, first = list[str](), 0
    for area, owner in zip(plan.areas, owners, strict=True):
        top, rows = plan.height - area.y, len(area.spots) // area.columns
        wide, high = area.columns * SPOT, rows * SPOT
        drawn.append(r"\linethickness{%s}" % ("1.2pt" if owner.isalpha() else "0.4pt"))
        drawn += (rf"\put({area.x},{top - row * SPOT}){{\line(1,0){{{wide}}}}}" for row in (0, rows))
        drawn += (rf"\put({area.x + column * SPOT},{top}){{\line(0,-1){{{high}}}}}" for column in (0, area.columns))
        drawn.append(r"\linethickness{0.2pt}")
        drawn += (rf"\put({area.x},{top - row * SPOT}){{\line(1,0){{{wide}}}}}" for row in range(1, rows))
        drawn += (rf"\put({area.x + i * SPOT},{top}){{\line(0,-1){{{high}}}}}" for i in range(1, area.columns))
        for place, name in enumerate(area.spots):
            mark, box = look.marks[first + place], "framebox" if name == last else "makebox"
            x, y = area.x + place % area.columns * SPOT + 4, top - (place // area.columns + 1) * SPOT + 4
            if mark != ".":
                drawn.append(rf"\put({x},{y}){{\{box}({SPOT - 8},{SPOT - 8}){{{escape_latex(write_mark(mark))}}}}}")
        if area.heading:
            drawn.append(rf"\put({area.x},{top + 6}){{{escape_latex(area.heading)}}}")
        first += len(area.spots)
    drawn += (rf"\put({x},{plan.height - y}){{\makebox(0,0)[b]{{{escape_latex(text)}}}}}" for x, y, text in plan.edge)
    won = [
        (player, [a.name for a, owner in zip(plan.areas, owners, strict=True) if owner == player]) for player in "XO"
    ]
    said = [f"{player} has won {in_words(names)}" for player, names in won if names]
    words = f"\n\n{escape_latex('; '.join(said))}" if said else ""
    inside = "\n".join(drawn)
    return f"\\begin{{picture}}({plan.width},{plan.height})\n{inside}\n\\end{{picture}}{words}"


_MARKUP = Markup(
    text=escape_latex,
    comment="%% %s",
    headings=(r"\section*{%s}", r"\subsection*{%s}", r"\paragraph{%s}"),
    strong=r"\emph{%s}",
    code="%s\n{\\footnotesize\\begin{verbatim}\n%s\n\\end{verbatim}}",
    board="\\begin{minipage}{\\linewidth}\n%s\n\n\\medskip\n\\small\n%s\n\\end{minipage}\n\n\\smallskip",
    draw=draw_picture,
)
