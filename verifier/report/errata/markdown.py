"""The errata as a text to copy into an issue, a mail or a referee's report, in Markdown or another markup."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from verifier.presentation.registry import find_presentation
from verifier.report.errata.collect import collect_errata
from verifier.report.errata.letter import LetterEntry
from verifier.report.printable import make_printable
from verifier.report.registry import Report


class Markup(NamedTuple):
    """How a format marks up a text: patterns with one ``%s`` for it.

    Attributes:
        text: escapes a text.
        headings: of a document, of a severity, of an erratum.
        board: has two ``%s``: for the words above a board, and for the board, whose lines keep their spaces.
    """

    text: Callable[[str], str]
    comment: str
    headings: tuple[str, str, str]
    strong: str
    board: str

    def say(self, label: str, text: str) -> str:
        """Return a paragraph that begins with a label."""
        return f"{self.strong % self.text(f'{label}:')} {self.text(text)}"


def render(report: Report) -> str:
    """Return the errata in Markdown, with a chapter for each document."""
    return write_errata(report, _MARKDOWN)


def write_errata(report: Report, markup: Markup) -> str:
    """Return the errata of every document, each with the board at which the sentence fails."""
    return "\n\n".join(_paragraphs(report, markup)) + "\n"


def _paragraphs(report: Report, markup: Markup) -> Iterator[str]:
    yield markup.comment % "Made by the game claim verifier"
    for fault in report.ledger.faults:
        yield markup.say("Fault", "; ".join(filter(None, [str(fault), fault.cost])))
    found = collect_errata(report)
    for errata in found:
        if not errata.entries:
            continue
        yield markup.headings[0] % markup.text(f"Errata: {errata.title}")
        if errata.authors:
            yield markup.strong % markup.text(errata.authors)
        yield from map(markup.text, errata.opening)
        numbers = itertools.count(1)
        for severity, entries in errata.by_severity():
            yield markup.headings[1] % severity
            for entry in entries:
                yield markup.headings[2] % f"{next(numbers)}. {markup.text(entry.label)}"
                yield from _entry(entry, markup)
    omitted = {item.title: f" ({item.omission[:-1]})" if item.left else "" for item in found if not item.entries}
    if omitted:
        blank = "; ".join(f"{title}{words}" for title, words in omitted.items())
        yield markup.text(f"Nothing to correct was found in: {blank}.")


def _entry(entry: LetterEntry, markup: Markup) -> Iterator[str]:
    yield from (markup.say(label, text) for label, text in entry.paragraphs)
    if entry.board:
        drawn = find_presentation(entry.board.game).draw_text(entry.board.position, entry.board.last)
        yield markup.board % (markup.text(f"{entry.caption}:"), drawn)
    yield from (markup.say("Main results", sentence) for sentence in entry.headline)


def _escape(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", make_printable(text))


_MARKDOWN = Markup(_escape, "<!-- %s -->", ("## %s", "### %s", "#### %s"), "**%s**", "%s\n\n```text\n%s\n```")
