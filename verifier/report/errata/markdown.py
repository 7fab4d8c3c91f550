"""The errata as a text that you can copy into an issue, a mail or a referee's report, as Markdown or another markup."""

from __future__ import annotations

import itertools
import posixpath
import textwrap
from collections.abc import Callable, Iterator
from typing import NamedTuple

from verifier.presentation.registry import find_presentation
from verifier.report.errata.collect import collect_errata
from verifier.report.errata.letter import Diagram, LetterEntry
from verifier.report.place import specs_option
from verifier.report.printable import escape_markdown, make_printable
from verifier.report.registry import Report

_SENDER = "From: (put your name and address here)"


class Markup(NamedTuple):
    """The markup of a format: patterns in which ``%s`` stands for the text.

    Attributes:
        text: a function that escapes a text.
        headings: the patterns for the headings of a document, a severity and an erratum.
        code: a pattern for a text whose lines keep their spaces. The first of its two ``%s`` stands for the words above
            the text, the second for the text.
        board: a pattern like ``code``, for a board and the words above it.
        draw: a function that draws a board.
    """

    text: Callable[[str], str]
    comment: str
    headings: tuple[str, str, str]
    strong: str
    code: str
    board: str
    draw: Callable[[Diagram], str]

    def say(self, label: str, text: str) -> str:
        """Return a paragraph that begins with a label."""
        return f"{self.strong % self.text(f'{label}:')} {self.text(text)}"


def render(report: Report) -> str:
    """Return the errata in Markdown, with a chapter for each document."""
    return write_errata(report, _MARKDOWN)


def write_errata(report: Report, markup: Markup) -> str:
    """Return the errata of every document. An erratum can have a board, on which the document's sentence fails."""
    return "\n\n".join(_paragraphs(report, markup)) + "\n"


def _paragraphs(report: Report, markup: Markup) -> Iterator[str]:
    yield markup.comment % "Made by the game claim verifier"
    for fault in report.ledger.faults:
        yield markup.say("Fault", "; ".join(filter(None, [str(fault), fault.cost])))
    found = collect_errata(report.ledger, report.library)
    for errata in found:
        if not errata.entries:
            continue
        yield markup.headings[0] % markup.text(f"Comments on: {errata.title}")
        if errata.left_out:
            yield markup.comment % make_printable(errata.left_out).replace("--", "–")  # "-->" would end the comment
        yield markup.text(_SENDER)
        yield from map(markup.text, errata.opening)
        numbers = itertools.count(1)
        for severity, entries in errata.by_severity():
            yield markup.headings[1] % severity
            for entry in entries:
                yield markup.headings[2] % f"{next(numbers)}. {markup.text(entry.heading)}"
                yield from _entry(entry, markup)
        if errata.results:
            yield markup.headings[1] % "Our results that go beyond the document"
            for result in errata.results:
                yield markup.text(result.paragraph)
                if result.board:
                    yield markup.board % (markup.text(f"{result.where}:"), markup.draw(result.board))
        yield markup.headings[1] % "How to check this"
        how = errata.check
        command = " \\\n    ".join(textwrap.wrap(how.command, 70, break_on_hyphens=False))
        yield markup.code % (markup.text(how.before), command)
        if how.rows:
            yield markup.headings[1] % "Appendix for programmers"
            yield markup.code % (markup.text(how.appendix), "\n".join(map(_wrap_row, how.rows)))
    # Name a document here only if more than half of it was checked. If less was checked, perhaps the run only checked
    # the readings that claims of other documents join.
    fine = [item for item in found if not item.entries and item.run > item.left]
    if fine:
        yield markup.text(f"Nothing to correct was found in: {'; '.join(item.title for item in fine)}.")
        yield from (markup.text(f"{item.title}: {item.omission}") for item in fine if item.left)
    missing = [item for item in found if not item.entries and not item.run]
    if missing:
        yield markup.text(f"Not checked yet, so nothing is known: {'; '.join(item.title for item in missing)}.")
        words = " ".join(sorted({_folder_of(report, item.document) for item in missing} - {""}))
        yield markup.text(f"To check: {f'verifier check {words}'.strip()}{specs_option(report.specs)}")


def _wrap_row(row: str) -> str:
    """Break a row of a list into lines, because a long row does not fit on a page of LaTeX."""
    return "\n".join(textwrap.wrap(make_printable(row), 80, subsequent_indent="    ", break_on_hyphens=False))


def _folder_of(report: Report, document: str) -> str:
    """Return the folder below the specs that has the claims of a document; empty if it is the folder of the specs."""
    claims = [claim.id for claim in report.ledger.claims if claim.source.document == document]
    files = [posixpath.dirname(report.library.claims[name].document.file) for name in claims]
    return posixpath.commonpath(files)


def _entry(entry: LetterEntry, markup: Markup) -> Iterator[str]:
    yield from (markup.say(label, text) for label, text in entry.paragraphs)
    if entry.board:
        yield markup.board % (markup.text(f"{entry.caption}:"), markup.draw(entry.board))
    yield from (markup.say("Main results", sentence) for sentence in entry.headline)


def draw_text(board: Diagram) -> str:
    """Return a board as lines of text."""
    return find_presentation(board.game, board.drawings).draw_text(board.position, board.last)


_MARKDOWN = Markup(
    text=escape_markdown,
    comment="<!-- %s -->",
    headings=("## %s", "### %s", "#### %s"),
    strong="**%s**",
    code="%s\n\n```text\n%s\n```",
    board="%s\n\n```text\n%s\n```",
    draw=draw_text,
)
