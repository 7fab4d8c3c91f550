"""The errata of a document as a letter: the words that all formats have, in the same order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import verifier
from verifier.audit.ledger import Standing
from verifier.kernel.games import Game
from verifier.kernel.words import counted
from verifier.presentation.drawn import Drawings
from verifier.presentation.family import in_words
from verifier.presentation.registry import NO_DRAWINGS, find_presentation
from verifier.questions.result import Limit
from verifier.report.sentence import READ, SEVERITIES, AnySeverity, SeverityName

_HOLDS_AS_STATED = "holds as stated"

HOLDS = {Standing.PROVED: _HOLDS_AS_STATED, Standing.REPAIRED: "holds once corrected"}
"""Standings of main results in words for authors. All other standings keep their names."""

_UNSURE = SeverityName(
    "sentence open to several readings",
    "sentences open to several readings",
    "true in one way to read it, false in another",
)
_RESTATED = (
    "The sentences and results of the text are given in our words. Only a correction in quotation marks is meant word "
    "for word."
)
_MOVES = {
    "a field and a spot": "A move (i, j) is a mark on spot j of field i; fields and spots are numbered from 0, row by "
    "row.",
    "a row and a column": "A move (r, c) is a mark in row r and column c, numbered from 1.",
    "a spot": "A move is a spot. Spots are numbered row by row, and the first has the number 0.",
    "a move as the rules write it": "A move is written as the rules say.",
}
"""How moves are written, for each value of ``Presentation.how_to_move``."""


_APPENDIX = (
    "What was found for each entry: the number of the entry, a file, and the readings in this file with their "
    "verdicts. If a check ends before the play does, brackets say after how many moves; the moves of both players are "
    "counted:"
)

_MAX_OTHERS = 8
"""Maximum number of readings of a claim that a row names besides those of the entry."""

CHECK = "python3 -m verifier recheck"
"""The command that checks claims from their evidence; in a copy of the repository it needs no installation."""


class Diagram(NamedTuple):
    """A position, with the move that led to it."""

    game: Game
    position: Any
    last: Any
    drawings: Drawings = NO_DRAWINGS

    @property
    def turn(self) -> str:
        """Whose move it is, or how the game has ended."""
        return find_presentation(self.game, self.drawings).say_turn(self.position)


class OwnResult(NamedTuple):
    """A result of our own that says more than a document: the claim that shows it, a title, and what it says.

    If a play shows the result, ``where`` says how the play ends and names its moves; ``board`` is the last position.
    Otherwise ``where`` is empty, and ``board`` is None.
    """

    claim: str
    title: str
    text: str
    is_proved: bool
    where: str
    board: Diagram | None

    @property
    def paragraph(self) -> str:
        """What every format says of a result that is proved."""
        return f"{self.text} (In the command below: {self.claim}.)"


class LetterReading(NamedTuple):
    """A reading that shows what a letter says: the file of its claim in the specs, its claim, its name, its limit."""

    file: str
    claim: str
    name: str
    limit: Limit | None

    @property
    def words(self) -> str:
        """The name. If the check ends before the play does, also how many moves were checked."""
        if self.limit is None:
            return self.name
        return f"{self.name} ({'in part ' * self.limit.is_partial}{_count_moves(self.limit)})"


class MainResult(NamedTuple):
    """A main result of a document: its title, its standing in words, and the limit of its standing, if there is one.

    ``limited`` has the readings of its claim whose checks end before the play does.
    """

    title: str
    stands: str
    limit: Limit | None
    limited: tuple[LetterReading, ...]

    @property
    def words(self) -> str:
        """The standing in words, with the limit if the title does not say it."""
        return f"{self.stands}{_checked(self.limit, self.title, '; checked for ')}"


class LetterEntry(NamedTuple):
    """An erratum.

    Attributes:
        claim, reading: the claim, and the first of its refuted readings.
        refuted: the readings that are refuted.
        shown: the readings that hold and show what to write instead.
        others: the other readings of the same claims that hold.
        label, place: the document's name for the claim, and the place of the sentence in the document.
        severity: a key of ``SEVERITIES``.
        sentence: what the document says, in our words.
        is_open: whether the document may mean another reading of the sentence, which is not refuted.
        correction: what to write instead, or the notes of the repairs; empty if no repair holds.
        why: why the sentence fails. If no spec has the erratum, this is the reason in the ledger.
        where: the moves that lead to the board.
        board: the position at which the sentence fails; None if there is nothing to draw.
        title: what is wrong, for people who do not know the document's terms; empty if the specs do not say it.
        outside: a note that the sentence is true in play, and that no play reaches the board; empty if not known.
        headline: sentences that say what the erratum means for the main results of the document (its headline).
        is_needed: whether our proof of a main result uses the repair, or the sentence is itself a main result.
        is_argued: whether the document's own proof of a main result uses the sentence, but our evidence does not.
        limit: the last ply that the readings behind the correction are about; None if there is no such ply.
    """

    claim: str
    reading: str
    refuted: tuple[LetterReading, ...]
    shown: tuple[LetterReading, ...]
    others: tuple[LetterReading, ...]
    label: str
    place: str
    severity: AnySeverity
    sentence: str
    is_open: bool
    correction: str
    why: str
    where: str
    board: Diagram | None
    title: str
    outside: str
    headline: tuple[str, ...]
    is_needed: bool
    is_argued: bool
    limit: Limit | None

    @property
    def severity_words(self) -> SeverityName:
        """The name of the severity. If the sentence is open to several readings, a name that says so."""
        return _UNSURE if self.is_open else SEVERITIES[self.severity]

    @property
    def severity_name(self) -> str:
        """``severity_words`` for a single mistake."""
        return self.severity_words.one

    @property
    def heading(self) -> str:
        """The place of the sentence, as a heading."""
        return self.place[:1].upper() + self.place[1:]

    @property
    def paragraphs(self) -> tuple[tuple[str, str], ...]:
        """What every format says first, in order: pairs of a label and a text. The board and the headline follow."""
        is_remark = self.severity == "remark"
        instead = self.correction or ("" if is_remark else "we have none.")
        checked = _checked(self.limit, f"{self.sentence} {self.correction}", "")
        said = [
            ("The text says, in our words", self.sentence),
            ("It could say" if is_remark else "Correction", instead),
            ("Checked", checked and f"{checked.capitalize()}."),
            ("Why", self.why),
            ("In play", self.outside),
        ]
        return tuple((label, text) for label, text in said if text)

    @property
    def caption(self) -> str:
        """The words above or below the board: what it shows, whose move it is or how the game has ended, the moves."""
        said = f"{self.where[:1].upper()}{self.where[1:]}"
        what = "This position shows it for one reading" if self.is_open else "This position shows it"
        return f"{what} ({self.board.turn}). {said}" if self.board else said


def _count_moves(limit: Limit) -> str:
    return "the first move" if limit.through == 1 else f"the first {limit.through} moves"


def _checked(limit: Limit | None, text: str, before: str) -> str:
    """Say that a check ends before the play does. Empty if the check is complete, or if ``text`` names its last move.

    Also empty if only some readings have the limit: the appendix then names the limit beside each of these readings.
    """
    if limit is None or limit.is_partial:
        return ""
    # "Not before round 29" says as much as "for the first 28 moves".
    is_said = re.search(rf"\b({limit.through}|{limit.through + 1})\b", text)
    return "" if is_said else f"{before}{_count_moves(limit)} of each play, those of both players counted"


def _rows(number: int, entry: LetterEntry) -> Iterator[str]:
    """Yield a row for each claim that an entry is about: the number of the entry, the file, the names of readings."""
    for claim, file in dict.fromkeys((item.claim, item.file) for item in (*entry.refuted, *entry.shown)):
        groups = {"refuted": entry.refuted, "proved": entry.shown, "also proved": entry.others}
        said = []
        for word, items in groups.items():
            names = [item.words for item in items if item.claim == claim]
            left = len(names) - _MAX_OTHERS if items is entry.others else 0
            more = f" and {counted(left, 'other')}" if left > 0 else ""
            said += [f"{word} {', '.join(names[: _MAX_OTHERS if left > 0 else None])}{more}"] if names else []
        yield f"{number}: specs/{file}: {'; '.join(said)}"


def _result_row(result: MainResult) -> str:
    names = ", ".join(item.words for item in result.limited)
    return f"main result: specs/{result.limited[0].file}: {names}"


def name_counts(errata: Mapping[tuple[AnySeverity, bool], int]) -> tuple[tuple[int, str], ...]:
    """Return how many errata have each severity, with its name. Errata that depend on the reading come last.

    Args:
        errata: the number of errata for each severity, counted separately if they depend on the reading (True in the
            key).
    """
    numbers = Counter[SeverityName]()
    for (severity, is_open), number in errata.items():
        numbers[_UNSURE if is_open else SEVERITIES[severity]] += number
    return tuple((numbers[key], key[numbers[key] != 1]) for key in (*SEVERITIES.values(), _UNSURE) if numbers[key])


class HowToCheck(NamedTuple):
    """How a stranger can check a letter: a command with words before it, and an appendix with a row for each claim."""

    before: str
    command: str
    appendix: str
    rows: tuple[str, ...]


class Errata(NamedTuple):
    """The errata of a document, the gravest first; equally grave errata are in the document's order.

    Then come the errata that depend on how a sentence is read, and last the remarks.

    Attributes:
        to: to whom the letter goes.
        text: paragraphs about the text that was read; empty if no spec has them.
        read: how the document was read, a key of ``READ``; empty if no spec says this.
        headline: the main results.
        names: the claims that show what the letter says, in the order of the letter.
        beyond: our own results that say more than the document.
        run, left: how many readings of the document's claims were checked, and how many were not.
    """

    document: str
    title: str
    to: str
    text: tuple[str, ...]
    read: str
    entries: tuple[LetterEntry, ...]
    headline: tuple[MainResult, ...]
    names: tuple[str, ...]
    beyond: tuple[OwnResult, ...]
    run: int
    left: int

    @property
    def opening(self) -> tuple[str, ...]:
        """The paragraphs that every format has before the first entry."""
        wrong = [f"{number} {name}" for number, name in self.counts()]
        counts = f"To correct: {in_words(wrong)}." if wrong else ""
        said = [
            f"To: {self.to}." if self.to else "",
            *(f"{'' if number else 'Text: '}{text}" for number, text in enumerate(self.text)),
            f"How it was read: {READ[self.read]}." if self.read else "",
            _RESTATED,
            self._main_results(),
            counts,
            self._notation(),
            self.omission,
        ]
        return tuple(filter(None, said))

    @property
    def results(self) -> tuple[OwnResult, ...]:
        """Our own results that are proved in the report."""
        return tuple(result for result in self.beyond if result.is_proved)

    @property
    def left_out(self) -> str:
        """A note for the sender about our own results that are not proved in the report; empty if there are none."""
        missing = [f"“{result.title}” ({result.claim})" for result in self.beyond if not result.is_proved]
        said = f"Left out of the letter, because this run did not prove it: {'; '.join(missing)}."
        return said if missing else ""

    @property
    def check(self) -> HowToCheck:
        """How a stranger can check the letter."""
        before = (
            f"The program is the game claim verifier, version {verifier.__version__}. Its repository has no public "
            "address yet: ask the sender of this letter for a copy. In the copy, this command decides the certificates "
            "behind this letter, and prints “proved” or “refuted” for each. It needs nothing but Python 3.11, and "
            "takes seconds or minutes. A claim that follows from several certificates has no line of its own; after "
            "“pip install .”, “verifier check” prints what follows."
        )
        rows = [row for number, entry in enumerate(self.entries, 1) for row in _rows(number, entry)]
        told = {item.claim for entry in self.entries for item in (*entry.refuted, *entry.shown)}
        rows += (_result_row(item) for item in self.headline if item.limited and item.limited[0].claim not in told)
        return HowToCheck(before, " ".join((CHECK, *self.names)), _APPENDIX, tuple(rows))

    def _main_results(self) -> str:
        if not self.headline:
            return ""
        argued = [entry for entry in self.entries if entry.is_argued and entry.severity != "remark"]
        numbers = in_words(str(number) for number, entry in enumerate(self.entries, 1) if entry in argued)
        shown = "; for each of these a corrected version has been proved" * all(entry.correction for entry in argued)
        used = f" The text's own proofs of them use what is corrected in {numbers}{shown}." if argued else ""
        if {item.words for item in self.headline} != {HOLDS[Standing.PROVED]}:
            told = "; ".join(f"{item.title} ({item.words})" for item in self.headline)
            return f"How the main results stand: {told}.{used}"
        return f"The main results hold as stated: {'; '.join(item.title for item in self.headline)}.{used}"

    def _notation(self) -> str:
        ways = (find_presentation(entry.board.game).how_to_move for entry in self.entries if entry.board)
        said = _MOVES.get(next(ways, ""), "")
        return f"{said} On each board the last mark is set off: by brackets, a frame or a colour." if said else ""

    @property
    def omission(self) -> str:
        """A sentence that says how many checks were not made; empty if all were made."""
        return (
            f"This letter is not complete. Checks that were not made: {self.left} of {self.left + self.run}."
            if self.left
            else ""
        )

    def counts(self) -> tuple[tuple[int, str], ...]:
        """Return how many errata have each severity, with its name. Errata that depend on the reading come last.

        Remarks, for which no change is needed, are counted only if they depend on the reading.
        """
        wrong = [entry for entry in self.entries if entry.severity != "remark" or entry.is_open]
        return name_counts(Counter((entry.severity, entry.is_open) for entry in wrong))

    def by_severity(self) -> Iterator[tuple[str, list[LetterEntry]]]:
        """Yield headings with their entries: the severities, then *depends on the reading*, then remarks."""
        for key, name in SEVERITIES.items():
            if key != "remark" and (found := [e for e in self.entries if e.severity == key and not e.is_open]):
                yield name.many[0].upper() + name.many[1:], found
        if found := [entry for entry in self.entries if entry.is_open]:
            yield "Where it depends on the reading", found
        if found := [entry for entry in self.entries if entry.severity == "remark" and not entry.is_open]:
            yield "Where no change is needed", found
