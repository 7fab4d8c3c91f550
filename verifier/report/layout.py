"""How text is laid out for a terminal: within its width and, where wanted, in colours.

Loads nothing outside the standard library: ``recheck`` runs without any of it.
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
    **dict.fromkeys(["not run", "not in this run", "not decided"], "2"),
}
"""By verdicts and standings. Green is for what is proved as it is stated, and for nothing else."""

READABLE = 100
"""Longer lines are hard to read: paragraphs are not wider, however wide the terminal is."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What a text is laid out for: how many columns, and whether colours are wanted."""

    width: int = 80
    is_coloured: bool = False

    def paint(self, text: str, word: str) -> str:
        """Colour a text as a verdict or a standing is coloured, where colours are wanted."""
        code = _COLOURS.get(word, "")
        return f"\033[{code}m{text}\033[0m" if self.is_coloured and code else text

    def wrap(self, text: str, indent: str = "  ", rest: str | None = None) -> list[str]:
        """Return a paragraph as lines; no word is broken, but a position after one of its fields.

        The indent stands before the first line, and before the others unless ``rest`` does.
        """
        width, rest = max(min(self.width, READABLE), len(indent) + 20), indent if rest is None else rest
        wrapper = _Wrapper(width, indent, rest, break_long_words=False, break_on_hyphens=False)
        return [make_printable(line) for line in wrapper.wrap(make_printable(flatten(text)))]

    def point(self, place: str, message: str) -> list[str]:
        """Return a place in a file and what is to be said of it; the place is one piece, for those who copy it."""
        whole = make_printable(f"{place}: {flatten(message)}")
        return [whole] if len(whole) <= self.width else [make_printable(f"{place}:"), *self.wrap(message, "    ")]

    def columns(self, names: Iterable[str]) -> tuple[int, int]:
        """Return how wide verdicts and some names are: what is longer than two fifths of a line moves its own text."""
        return 12, min(max(map(len, names), default=0), self.width * 2 // 5)

    def row(
        self, word: str, name: str, text: str, columns: tuple[int, int], indent: str = "", *, is_odd: bool = False
    ) -> str:
        """Return a line of a table: a verdict, a name, and as many whole words of a text as there is room for.

        Columns are how wide the verdict and the name are; odd is a text about what is not as expected.
        """
        verdict, called = f"{indent}{word.ljust(columns[0])}  ", make_printable(name).ljust(columns[1])
        left = self.width - len(verdict) - len(called) - 2
        said = shorten_text(text, left) if text and left > 0 else ""
        said = self.paint(said, "refuted") if is_odd else said
        return self.paint(verdict, word) + (f"{called}  {said}" if said else called.rstrip())

    def whole_row(self, word: str, name: str, text: str, columns: tuple[int, int], indent: str = "") -> list[str]:
        """Return a line of a table with the whole text: what there is no room for stands below, in the same column."""
        verdict, called = f"{indent}{word.ljust(columns[0])}  ", make_printable(name).ljust(columns[1])
        head = verdict + called + "  " * bool(name)
        # A name may leave no room beside it.
        beside = len(head) if len(head) <= self.width * 3 // 5 else 4
        first, *rest = self.wrap(text, " " * beside)
        start = self.paint(verdict, word) + head[len(verdict) :]
        return [start + first[beside:], *rest] if beside == len(head) else [start.rstrip(), first, *rest]


class _Wrapper(textwrap.TextWrapper):
    """Takes the fields of a position of nine fields for words."""

    wordsep_simple_re = re.compile(r"(\s+|(?<=[.XO]{9}/))")


def shorten_text(text: str, room: int) -> str:
    """Return as many whole words of a text as there is room for, with dots for the others."""
    whole = make_printable(flatten(text))
    if len(whole) <= room:
        return whole
    return textwrap.shorten(whole, room, placeholder=" …", break_long_words=False, break_on_hyphens=False)
