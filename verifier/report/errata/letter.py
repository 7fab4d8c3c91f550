"""The errata of a document as a letter: what every format says about them, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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
    "": ("fault not graded yet", "faults not graded yet"),
}
"""The severities of the specs, the gravest first: the words for one and for several; last, what no spec grades."""

HOLDS = {Standing.PROVED: "holds as stated", Standing.REPAIRED: "holds once corrected"}
"""How a main result stands, in words for authors. Other standings keep their names."""

_UNSURE = ("sentence open to several readings", "sentences open to several readings")
_RESTATED = (
    "Sentences are given in our words; a correction in quotation marks is meant word for word. "
    "A program has checked each play and each position."
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
        label, place: the document's name for the claim, and where it stands in the document.
        severity: a key of ``SEVERITIES``.
        sentence: what the document says, in our words.
        is_open: another reading of the sentence holds, so it is open what is meant.
        correction: what to write instead, or the notes of the repairs; empty if no repair is shown.
        why: why it fails. If it is not graded, this is the reason in the ledger.
        where: how play comes to the board.
        board: the position at which it fails; None if the evidence is not a position.
        outside: says that the sentence holds in play, and the board is not from play; empty if that is not shown.
        checked: what the readings that show the correction say.
        repairs: the readings that show the correction, each with its verdict.
        headline: what it means for the headline claims, a sentence each.
        is_needed: a headline claim rests on the repair that is shown, or is this claim, repaired.
        is_argued: the document's own proof of a headline claim uses it; the evidence does not.
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
        """What every format says about it, in order: texts with labels. The board and the headline follow."""
        said = [
            (self.place[:1].upper() + self.place[1:], self.sentence),
            ("In play", self.outside),
            ("Correction", self.correction or "none is shown."),
            ("Checked instead", self.checked),
            ("Why", self.why),
        ]
        return tuple((label, text) for label, text in said if text)

    @property
    def caption(self) -> str:
        """The words at the board."""
        return f"{self.where[:1].upper()}{self.where[1:]}"


class Errata(NamedTuple):
    """The errata of a document, the gravest first, then in its own order; last, what depends on how it is read.

    Attributes:
        headline: the main results, each with how it stands.
        beyond: what has been proved beyond them.
        left: how many readings of its own claims are not in this run; the letter says nothing about them.
    """

    document: str
    title: str
    authors: str
    entries: tuple[LetterEntry, ...]
    headline: tuple[tuple[str, str], ...]
    beyond: tuple[str, ...]
    left: int

    @property
    def opening(self) -> tuple[str, ...]:
        """What every format says before the first entry, a paragraph each."""
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
        """Say how many readings are not in this run; empty if all are."""
        words = counted(self.left, "reading of its claims is", "readings of its claims are")
        return f"{words} not in this run, and nothing is said of them." if self.left else ""

    def counts(self) -> tuple[tuple[int, str], ...]:
        """Return the number of errata of each severity that occurs, and its name; last, what depends on the reading."""
        numbers = Counter(_UNSURE if entry.is_open else SEVERITIES[entry.severity] for entry in self.entries)
        return tuple((numbers[key], key[numbers[key] != 1]) for key in (*SEVERITIES.values(), _UNSURE) if numbers[key])

    def by_severity(self) -> Iterator[tuple[str, list[LetterEntry]]]:
        """Yield the name of each severity that occurs, with its entries; last, what depends on the reading."""
        for key, (_, many) in SEVERITIES.items():
            if found := [entry for entry in self.entries if entry.severity == key and not entry.is_open]:
                yield many[0].upper() + many[1:], found
        if found := [entry for entry in self.entries if entry.is_open]:
            yield "Where it depends on the reading", found
