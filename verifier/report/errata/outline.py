"""The errata as a text to be copied: what is said, in which order; Markdown and LaTeX say how it is marked up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from verifier.presentation.registry import show
from verifier.report.errata.collect import collect_errata
from verifier.report.errata.letter import Entry
from verifier.report.registry import Report


@dataclass(frozen=True, slots=True)
class Markup:
    """How a format marks up a text: patterns with one ``%s`` for it.

    Attributes:
        text: returns a text that the format shows as it is.
        headings: of a document, of a severity, of an erratum.
        board: with a second ``%s``: of what stands above a board, and the board, the lines of which keep their spaces.
    """

    text: Callable[[str], str]
    comment: str
    headings: tuple[str, str, str]
    strong: str
    board: str


def write_errata(report: Report, markup: Markup) -> str:
    """Return the errata of every document, each with the board at which it breaks."""
    made_by = markup.comment % "Made by the claim verifier"
    return "\n\n".join([made_by, *_faults(report, markup), *_paragraphs(report, markup)]) + "\n"


def _faults(report: Report, markup: Markup) -> Iterator[str]:
    """Yield what was not checked, and so has no errata here."""
    for fault in report.ledger.faults:
        yield f"{markup.strong % 'Fault:'} {markup.text('; '.join(filter(None, [str(fault), fault.cost])))}"


def _paragraphs(report: Report, markup: Markup) -> Iterator[str]:
    found = collect_errata(report)
    for errata in found:
        if not errata.entries:
            continue
        yield markup.headings[0] % markup.text(f"Errata: {errata.title}")
        if errata.authors:
            yield markup.strong % markup.text(errata.authors)
        yield from map(markup.text, errata.opening)
        number = 0
        for severity, entries in errata.by_severity():
            yield markup.headings[1] % severity
            for entry in entries:
                number += 1
                yield markup.headings[2] % f"{number}. {markup.text(entry.label)}"
                yield from _entry(entry, markup)
    omitted = {item.title: f" ({item.omission[:-1]})" if item.left else "" for item in found if not item.entries}
    blank = "; ".join(f"{title}{words}" for title, words in omitted.items())
    if blank:
        yield markup.text(f"Nothing to correct was found in: {blank}.")


def _entry(entry: Entry, markup: Markup) -> Iterator[str]:
    def say(label: str, text: str) -> str:
        return f"{markup.strong % markup.text(f'{label}:')} {markup.text(text)}"

    for label, text in entry.paragraphs:
        yield say(label, text)
    if entry.board:
        drawn = show(entry.board.game).draw_text(entry.board.position, entry.board.last)
        yield markup.board % (markup.text(f"{entry.caption}:"), drawn)
    for sentence in entry.headline:
        yield say("Main results", sentence)
