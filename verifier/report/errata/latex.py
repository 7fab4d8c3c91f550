"""The errata as a LaTeX document, which needs no package."""

from __future__ import annotations

import re
import unicodedata

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
\begin{document}
"""

_LAST_LETTER = 0x17E
"""The last letter of the part of Unicode whose letters every LaTeX can print."""


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


_MARKUP = Markup(
    escape_latex,
    "%% %s",
    (r"\section*{%s}", r"\subsection*{%s}", r"\paragraph{%s}"),
    r"\emph{%s}",
    "\\begin{minipage}{\\linewidth}\n%s\n\\begin{verbatim}\n%s\n\\end{verbatim}\n\\end{minipage}\n\n\\smallskip",
)
