"""Lays out text for a terminal: within its width, and in colours if the user wants them.

This module loads nothing outside the standard library, because ``recheck`` needs no other package.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from verifier.report.printable import flatten, make_printable

_COLOURS = {
    **dict.fromkeys(["proved", "proved as stated"], "32"),
    **dict.fromkeys(["supported", "supported as stated"], "36"),
    **dict.fromkeys(["repaired", "proved after repair", "supported after repair"], "33"),
    **dict.fromkeys(["depends", "depends on the reading"], "33"),
    **dict.fromkeys(["refuted", "rejected"], "31"),
    **dict.fromkeys(["unknown", "undetermined"], "35"),
    **dict.fromkeys(["not checked", "not decided"], "2"),
}
"""The colour of each verdict and standing. Only *proved* and *proved as stated* are green."""

SHORT_DIGITS = 16
"""Number of digits of a statement's hash that are printed. The names of certificate files begin with these digits."""

READABLE = 100
"""Maximum width of a paragraph in a wide terminal, because longer lines are hard to read."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The number of columns, and whether the text is in colours."""

    width: int = 80
    is_coloured: bool = False

    @property
    def is_narrow(self) -> bool:
        """True if there is little room beside a name. Then titles are not cut: they go on below the name."""
        return self.width < 80

    def paint(self, text: str, word: str) -> str:
        """Return a text in the colour of a verdict or a standing; unchanged if the layout has no colours."""
        code = _COLOURS.get(word, "")
        return f"\033[{code}m{text}\033[0m" if self.is_coloured and code else text

    def wrap(self, text: str, indent: str = "  ", rest: str | None = None) -> list[str]:
        """Return a paragraph as lines. Words are not broken, but a position on nine fields can be broken after a field.

        The first line begins with ``indent``. The other lines begin with ``rest`` or, if it is None, with ``indent``.
        """
        width, rest = max(min(self.width, READABLE), len(indent) + 20), indent if rest is None else rest
        wrapper = _Wrapper(width, indent, rest, break_long_words=False, break_on_hyphens=False)
        return [make_printable(line) for line in wrapper.wrap(make_printable(flatten(text)))]

    def point(self, place: str, message: str) -> list[str]:
        """Return lines with a place in a file and a message. The place is never split, so that people can copy it."""
        whole = make_printable(f"{place}: {flatten(message)}")
        return [whole] if len(whole) <= self.width else [make_printable(f"{place}:"), *self.wrap(message, "    ")]

    def columns(self, names: Iterable[str]) -> tuple[int, int]:
        """Return the widths of the columns for verdicts and names: at most two fifths of a line for names."""
        return 12, min(max(map(len, names), default=0), self.width * 2 // 5)

    def row(
        self, word: str, name: str, text: str, columns: tuple[int, int], indent: str = "", *, is_odd: bool = False
    ) -> str:
        """Return a line of a table: a verdict, a name, and a text. The text is cut after the last word that fits.

        Args:
            word: the verdict or standing. It also decides the colour.
            name: the name of a claim or a reading, or a name for several claims.
            text: the text after the name.
            columns: the widths of the verdict and of the name.
            indent: the blanks before the verdict.
            is_odd: paint the text red, because it is about an unexpected verdict.
        """
        verdict, called = f"{indent}{word.ljust(columns[0])}  ", make_printable(name).ljust(columns[1])
        left = self.width - len(verdict) - len(called) - 2
        said = shorten_text(text, left) if text and left > 0 else ""
        said = self.paint(said, "refuted") if is_odd else said
        return self.paint(verdict, word) + (f"{called}  {said}" if said else called.rstrip())

    def whole_row(self, word: str, name: str, text: str, columns: tuple[int, int], indent: str = "") -> list[str]:
        """Return a row of a table with its whole text, on several lines if the text is long."""
        verdict, called = f"{indent}{word.ljust(columns[0])}  ", make_printable(name).ljust(columns[1])
        head = verdict + called + "  " * bool(name)
        # Beside a long name a text would be a narrow column of many lines, so it goes below the name.
        beside = len(head) if len(head) <= self.width * 2 // 5 else 4
        first, *rest = self.wrap(text, " " * beside)
        start = self.paint(verdict, word) + head[len(verdict) :]
        return [start + first[beside:], *rest] if beside == len(head) else [start.rstrip(), first, *rest]


class _Wrapper(textwrap.TextWrapper):
    """A wrapper that treats each field of a position on nine fields as a word."""

    wordsep_simple_re = re.compile(r"(\s+|(?<=[.XO]{9}/))")


def shorten_text(text: str, room: int) -> str:
    """Return as many words of a text as fit into ``room`` characters, with dots for the rest."""
    whole = make_printable(flatten(text))
    if len(whole) <= room:
        return whole
    return textwrap.shorten(whole, room, placeholder=" …", break_long_words=False, break_on_hyphens=False)
