"""The errata as LaTeX: a whole document, which needs no package."""

from __future__ import annotations

import re
import unicodedata

from verifier.report.errata.outline import Markup, write_errata
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
    "§": r"\S{}",
    "×": r"$\times$",
    "…": r"\ldots{}",
}

_LAST_LETTER = 0x17E
"""Up to here every LaTeX knows the letters of UTF-8."""


def render(report: Report) -> str:
    """Return an article with a section a document."""
    text = write_errata(report, _MARKUP)
    return f"\\documentclass{{article}}\n\\begin{{document}}\n\n{text}\n\\end{{document}}\n"


def _text(text: str) -> str:
    """Return a text that LaTeX sets as it is: small Greek letters as mathematics, what it has no letter for by name."""
    return re.sub(r"[^\w\s]|[^\x00-\x7f]|_", lambda found: _sign(found[0]), make_printable(text))


def _sign(sign: str) -> str:
    name = unicodedata.name(sign, "no name")
    greek = re.fullmatch(r"GREEK SMALL LETTER (?!OMICRON)(\w+)", name)
    if greek:
        return rf"$\{greek[1].lower().replace('lamda', 'lambda')}$"
    return _SIGNS.get(sign) or (sign if ord(sign) <= _LAST_LETTER else f"[{name.lower()}]")


_MARKUP = Markup(
    _text,
    "%% %s",
    (r"\section*{%s}", r"\subsection*{%s}", r"\paragraph{%s}"),
    r"\emph{%s}",
    r"\texttt{%s}",
    "\\begin{verbatim}\n%s\n\\end{verbatim}",
)
