"""The errata of a document as a letter: the words that all formats share, in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from verifier.audit.ledger import Standing
from verifier.kernel.games import Game
from verifier.kernel.words import counted
from verifier.presentation.family import in_words
from verifier.presentation.registry import find_presentation

SEVERITIES = {
    "statement": ("wrong statement", "wrong statements"),
    "step": ("wrong step", "wrong steps"),
    "hypothesis": ("missing hypothesis", "missing hypotheses"),
    "gap": ("gap in an argument", "gaps in arguments"),
    "slip": ("slip of the pen", "slips of the pen"),
    "wording": ("point of wording", "points of wording"),
    "remark": ("remark", "remarks, for which no change is needed"),
    "": ("mistake without a severity", "mistakes without a severity"),
}
"""The severities of the specs, the gravest first, each in singular and plural. The last one is for faults that no spec
grades."""

HOLDS = {Standing.PROVED: "holds as stated", Standing.REPAIRED: "holds once corrected"}
"""Standings of main results in words for authors. All other standings keep their names."""

_UNSURE = ("sentence open to several readings", "sentences open to several readings")
_RESTATED = (
    "Sentences are given in our words; a correction in quotation marks is meant word for word. "
    "A program has checked all that is called proved here, and every position shown."
)
_MOVES = {
    "a field and a spot": "A move (i, j) is a mark on spot j of field i; fields and spots are numbered from 0, row by "
    "row.",
    "a row and a column": "A move (r, c) is a mark in row r and column c, numbered from 1.",
    "a spot": "A move is a spot; spots are numbered from 0, row by row.",
    "a move as the rules write it": "A move is written as the rules say.",
}
"""How moves are written, for each value of ``Presentation.how_to_move``."""


class Diagram(NamedTuple):
    """A position, with the move that led to it."""

    game: Game
    position: Any
    last: Any


class LetterEntry(NamedTuple):
    """An erratum.

    Attributes:
        claim, reading: which reading is refuted.
        label, place: the document's name for the claim, and the place of the claim in the document.
        severity: a key of ``SEVERITIES``.
        sentence: what the document says, in our words.
        is_open: whether another reading of the sentence holds, so that nobody can say which one is meant.
        correction: what to write instead, or the notes of the repairs; empty if no repair holds.
        why: why the sentence fails. If no spec grades it, this is the reason in the ledger.
        where: the moves that lead to the board.
        board: the position at which the sentence fails; None if the evidence has no position.
        outside: a note that the sentence holds in play, while the board is not from play; empty if that is not shown.
        checked: what the readings that show the correction say.
        repairs: the readings that show the correction, each with its verdict.
        headline: sentences that say what the erratum means for the headline claims.
        is_needed: whether a headline claim rests on the repair, or is itself this claim, repaired.
        is_argued: whether the document's own proof of a headline claim uses the sentence, while our evidence does not.
    """

    claim: str
    reading: str
    label: str
    place: str
    severity: str
    sentence: str
    is_open: bool
    correction: str
    why: str
    where: str
    board: Diagram | None
    outside: str
    checked: str
    repairs: tuple[tuple[str, str], ...]
    headline: tuple[str, ...]
    is_needed: bool
    is_argued: bool

    @property
    def severity_name(self) -> str:
        """The severity in words."""
        return SEVERITIES[self.severity][0]

    @property
    def paragraphs(self) -> tuple[tuple[str, str], ...]:
        """What every format says first, in order: pairs of a label and a text. The board and the headline follow."""
        said = [
            (self.place[:1].upper() + self.place[1:], self.sentence),
            ("In play", self.outside),
            ("Correction", self.correction or "we have none."),
            ("Checked instead", self.checked),
            ("Why", self.why),
        ]
        return tuple((label, text) for label, text in said if text)

    @property
    def caption(self) -> str:
        """The words above or below the board."""
        return f"{self.where[:1].upper()}{self.where[1:]}"


def name_counts(errata: Mapping[tuple[str, bool], int]) -> tuple[tuple[int, str], ...]:
    """Return how many errata have each severity, with its name. Those that depend on the reading come last.

    Args:
        errata: how many errata have a severity, and depend on the reading or not.
    """
    numbers = Counter[tuple[str, str]]()
    for (severity, is_open), number in errata.items():
        numbers[_UNSURE if is_open else SEVERITIES[severity]] += number
    return tuple((numbers[key], key[numbers[key] != 1]) for key in (*SEVERITIES.values(), _UNSURE) if numbers[key])


class Errata(NamedTuple):
    """The errata of a document, the gravest first; equally grave errata are in the document's order.

    Errata that depend on how a sentence is read come last.

    Attributes:
        headline: the main results, each with its standing in words.
        beyond: claims of our own that have been proved, and say more than the main results.
        left: the number of readings of the document's claims that are not checked, or not in the report.
        is_checked: whether any reading of the document's claims has been checked.
    """

    document: str
    title: str
    authors: str
    entries: tuple[LetterEntry, ...]
    headline: tuple[tuple[str, str], ...]
    beyond: tuple[str, ...]
    left: int
    is_checked: bool

    @property
    def opening(self) -> tuple[str, ...]:
        """The paragraphs that every format has before the first entry."""
        counts = f"To correct: {in_words(f'{number} {name}' for number, name in self.counts())}."
        beyond = f"Proved beyond the text: {in_words(self.beyond)}." if self.beyond else ""
        return tuple(filter(None, [self._main_results(), beyond, counts, _RESTATED, self._notation(), self.omission]))

    def _main_results(self) -> str:
        if not self.headline:
            return ""
        argued = [entry for entry in self.entries if entry.is_argued]
        numbers = in_words(str(number) for number, entry in enumerate(self.entries, 1) if entry.is_argued)
        shown = "; for each of these a corrected version has been proved" * all(entry.correction for entry in argued)
        used = f" The text's own proofs of them use what is corrected in {numbers}{shown}." if argued else ""
        if {stands for _, stands in self.headline} != {HOLDS[Standing.PROVED]}:
            return f"How the main results stand: {'; '.join(f'{title} ({how})' for title, how in self.headline)}.{used}"
        alone = " The results have also been proved independently of that." if argued else ""
        return f"The main results hold as stated: {in_words(title for title, _ in self.headline)}.{used}{alone}"

    def _notation(self) -> str:
        ways = (find_presentation(entry.board.game).how_to_move for entry in self.entries if entry.board)
        return _MOVES.get(next(ways, ""), "")

    @property
    def omission(self) -> str:
        """How many readings the letter does not cover, as a sentence; empty if it covers all."""
        they_are = "it is" if self.left == 1 else "they are"
        what = (
            f"{counted(self.left, 'reading')} of the document's claims: {they_are} not checked yet, or not part of it"
        )
        return f"This report does not cover {what}." if self.left else ""

    def counts(self) -> tuple[tuple[int, str], ...]:
        """Return how many errata have each severity, with its name. Those that depend on the reading come last."""
        return name_counts(Counter((entry.severity, entry.is_open) for entry in self.entries))

    def by_severity(self) -> Iterator[tuple[str, list[LetterEntry]]]:
        """Yield the name of each severity, with its entries. Entries that depend on the reading come last."""
        for key, (_, many) in SEVERITIES.items():
            if found := [entry for entry in self.entries if entry.severity == key and not entry.is_open]:
                yield many[0].upper() + many[1:], found
        if found := [entry for entry in self.entries if entry.is_open]:
            yield "Where it depends on the reading", found
