"""The errata that a ledger supports: nothing is graded here, and nothing is said that no verdict shows.

How bad a fault is, and which headline claims are proved through it in print, the specs say (``Erratum`` in
``verifier/language/model.py``). That it is one, and that what is to be written instead holds, the ledger says: a
reading that is not refuted in it makes no erratum.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from verifier.audit.ledger import ClaimResult, ReadingResult, Standing
from verifier.kernel.errors import IllegalMoveError
from verifier.kernel.games import Game
from verifier.kernel.verdict import Verdict
from verifier.kernel.words import counted
from verifier.language.library import Library
from verifier.language.references import find_parts
from verifier.methods.witness import Line
from verifier.report.registry import Report
from verifier.report.text import game_of
from verifier.report.trust import REACH, play_of, rules_of, standing_of, verdict_of

SEVERITIES = {
    "statement": ("wrong statement", "wrong statements"),
    "step": ("wrong step", "wrong steps"),
    "hypothesis": ("missing hypothesis", "missing hypotheses"),
    "slip": ("slip of the pen", "slips of the pen"),
    "": ("not graded", "not graded"),
}
"""The severities of the specs, the gravest first, each in words for one and for many; last, what no spec has graded."""

_OPEN = {Standing.DEPENDS, Standing.NOT_RUN}
_ITSELF = "this is the claim itself"
_JOINS = "joins this, and fails with it"
_RESTS = "rests here on the repair of this"
_ARGUED = "the text's argument goes through this; no repair of it is joined by the evidence here"


@dataclass(frozen=True, slots=True)
class Board:
    """A position, with the move that led to it."""

    game: Game
    position: Any
    last: Any


@dataclass(frozen=True, slots=True)
class Entry:
    """An erratum.

    Attributes:
        claim, reading: which reading is refuted.
        label, place: what the document calls the claim, and where it stands.
        severity: a key of ``SEVERITIES``.
        sentence: what the document says, in our words.
        breaks: what breaks; of what is not graded, the reason in the ledger.
        where: how the board comes about, in a sentence.
        board: the position at which it breaks; None where the evidence is no position.
        in_play: in which play the sentence holds all the same; empty: in none that is named.
        instead: what to write, or what the repairs say of themselves; empty where none is shown in this ledger.
        repairs: the readings that show it, each with its verdict.
        headline: what it means for the headline claims, a sentence each; empty: none is concerned.
        is_needed: a headline claim rests on the repair that is shown, or is this one, repaired.
        further: the readings that fail for the same reason.
    """

    claim: str
    reading: str
    label: str
    place: str
    severity: str
    sentence: str
    breaks: str
    where: str
    board: Board | None
    in_play: str
    instead: str
    repairs: tuple[tuple[str, str], ...]
    headline: tuple[str, ...]
    is_needed: bool
    further: tuple[str, ...]

    @property
    def severity_name(self) -> str:
        """The severity in words."""
        return SEVERITIES[self.severity][0]


@dataclass(frozen=True, slots=True)
class Errata:
    """The errata of a document, the gravest first, then in its own order.

    Attributes:
        left: how many readings of its own claims are not in this run: nothing is said of them.
    """

    document: str
    title: str
    authors: str
    entries: tuple[Entry, ...]
    left: int

    @property
    def omission(self) -> str:
        """Say how many readings nothing is said of; empty where there is none."""
        words = counted(self.left, "reading of its claims is", "readings of its claims are")
        return f"{words} not in this run, and nothing is said of them." if self.left else ""

    def counts(self) -> tuple[tuple[int, str], ...]:
        """Return how many there are of each severity, in words; of those that occur."""
        numbers = {key: sum(entry.severity == key for entry in self.entries) for key in SEVERITIES}
        return tuple((number, SEVERITIES[key][number != 1]) for key, number in numbers.items() if number)

    def by_severity(self) -> Iterator[tuple[str, list[Entry]]]:
        """Yield each severity that occurs, in words, with its entries."""
        for key, (_, many) in SEVERITIES.items():
            if found := [entry for entry in self.entries if entry.severity == key]:
                yield many[0].upper() + many[1:], found


def count_in_words(errata: Errata) -> str:
    """Return the counts as a phrase: ``1 wrong statement, 3 slips of the pen``."""
    return ", ".join(f"{number} {name}" for number, name in errata.counts())


def collect_errata(report: Report) -> list[Errata]:
    """Return the errata of every document of a report, the document of most errata first."""
    found: dict[str, list[Entry]] = {}
    results = {claim.id: claim for claim in report.ledger.claims}
    own = [name for name in results if not results[name].source.ours]
    left = Counter(results[name].source.document for name in own for r in results[name].readings if not r.is_run)
    for name in order_claims(report.library, own):
        found.setdefault(results[name].source.document, []).extend(_entries(report, results[name], results))
    views = []
    for name, entries in found.items():
        model = report.library.document(name)
        title, authors = (model.title, ", ".join(model.authors)) if model else (name, "")
        ranked = sorted(entries, key=lambda entry: list(SEVERITIES).index(entry.severity))
        views.append(Errata(name, title, authors, tuple(ranked), left[name]))
    return sorted(views, key=lambda view: -len(view.entries))


def order_claims(library: Library, names: Iterable[str]) -> list[str]:
    """Return claims as their documents order them; those that a document does not place follow by what they name."""
    places: dict[str, int] = {}
    for spec in library.documents.values():
        for part in getattr(spec.model, "contents", {}).values():
            places |= {name: len(places) + index for index, name in enumerate(part)}

    def key(name: str) -> tuple[int, list[tuple[int, str]]]:
        words = re.split(r"(\d+)", library.claim(name).source.place)
        return places.get(name, len(places)), [(int(word) if word.isdigit() else -1, word) for word in words]

    return sorted(names, key=key)


def label_of(library: Library, name: str) -> str:
    """Return what a document calls a claim: “Lemma 2”; else where it stands."""
    source = library.claim(name).source
    document = library.document(source.document)
    parts = document.contents.values() if document else ()
    return next((part[name] for part in parts if name in part), source.place)


def _entries(report: Report, claim: ClaimResult, results: dict[str, ClaimResult]) -> Iterator[Entry]:
    parts = find_parts(report.library.claim(claim.id))
    for result in claim.readings:
        if not _is_fault(result) or result.control or _is_told(result, claim, results):
            continue
        broken = [item for item in claim.readings if item.name in result.joins and item.verdict is Verdict.REFUTED]
        if result.erratum is None and (
            claim.standing in _OPEN  # another reading of the text holds, or may hold: it is open, and not wrong
            or result.repairs  # what fails is a repair of ours, and nothing that the text says
            or result.id in parts  # the whole is told
            or any(item.erratum for item in broken)  # the part is told
        ):
            continue
        wholes = {result.id, *(item.id for item in claim.readings if result.name in item.joins)}
        mended = {f"{claim.id}/{name}" for item in claim.readings if item.holds for name in item.repairs}
        failing = {item.name for other in results.values() for item in other.readings if _is_fault(item)}
        if mended.issuperset(failing.intersection(result.joins)):  # each part that fails has a repair of its own
            wholes.update(item.id for item in broken)
        repairs = [item for item in claim.readings if wholes.intersection(item.repairs)]
        shown = [item for item in repairs if item.holds]
        erratum = result.erratum
        seen = next((item for item in broken if item.witness is not None), result)
        game, rules = game_of(report.library, seen), rules_of(result).strip()
        said = _headline(report, result, [item.name for item in repairs], results)
        yield Entry(
            claim=claim.id,
            reading=result.id,
            label=label_of(report.library, claim.id),
            place=claim.source.place,
            severity=erratum.severity if erratum else "",
            sentence=_flat((erratum and erratum.sentence) or claim.source.says),
            breaks=_flat(erratum.breaks if erratum else result.reason) + (f" ({rules.capitalize()}.)" if rules else ""),
            where=_where(game, seen),
            board=_board(game, seen),
            in_play=play_of(result),
            instead=_flat((erratum and erratum.instead) or "; ".join(item.because for item in shown)) if shown else "",
            repairs=tuple((item.id, verdict_of(item)) for item in shown),
            headline=tuple(f"{', '.join(names)}: {text}" for text, names in said.items()),
            is_needed=bool(shown and said.keys() & {_ITSELF, _RESTS}),
            further=tuple(
                item.name
                for other in results.values()
                for item in other.readings
                if item.erratum_of == result.name and _is_fault(item)
            ),
        )


def _is_fault(result: ReadingResult) -> bool:
    return result.verdict is Verdict.REFUTED and not result.trouble


def _is_told(result: ReadingResult, claim: ClaimResult, results: dict[str, ClaimResult]) -> bool:
    """Say whether the erratum of another reading, which makes a refuted one fail, is one of the same errata."""
    other = results.get((result.erratum_of or "").partition("/")[0])
    found = other.readings if other and other.source.document == claim.source.document else ()
    return any(item.name == result.erratum_of and _is_fault(item) for item in found)


def _headline(
    report: Report, result: ReadingResult, repairs: list[str], results: dict[str, ClaimResult]
) -> dict[str, list[str]]:
    """Return which headline claims this is, which rest here on its repair, and which the text argues through it."""
    library = report.library
    document = library.document(library.claim(result.claim).source.document)
    groups: dict[str, list[str]] = {}
    for name in document.headline if document else ():
        if name == result.claim:
            said = _ITSELF
        elif result.name in _joined(library, name):
            said = _JOINS
        elif _joined(library, name) & set(repairs):
            said = _RESTS
        elif result.erratum is not None and name in result.erratum.headline:
            said = _ARGUED
        else:
            continue
        stands = standing_of(results[name]) if name in results else "not in this report"
        groups.setdefault(said, []).append(f"“{library.claim(name).title}” ({stands})")
    return groups


def _joined(library: Library, name: str) -> set[str]:
    """Return the readings that a claim's own ones join, and those that these join, and so on."""
    found: set[str] = set()
    rest = [other for reading in library.claim(name).readings.values() for other in reading.joins]
    while rest:
        item = rest.pop()
        if item not in found:
            found.add(item)
            claim, _, reading = item.partition("/")
            rest += library.claim(claim).readings[reading].joins
    return found


def _where(game: Game, result: ReadingResult) -> str:
    """Say how the position comes about at which a reading breaks."""
    witness = result.witness
    if witness is None:
        return ""
    moves = " ".join(witness.moves)
    if isinstance(witness, Line):
        is_whole = game.parse_position(witness.start) == game.start
        return f"after {moves}" if is_whole else f"from {witness.start}, after {moves or 'no move'}"
    by = f", by {' '.join(witness.line)}" if witness.line else ""
    then = f"; then {moves}" if moves else ""
    return f"at a position that satisfies every hypothesis, {REACH[witness.reachable]}{by}{then}"


def _board(game: Game, result: ReadingResult) -> Board | None:
    """Return the last position of a witness."""
    witness = result.witness
    if witness is None:
        return None
    last = None
    position = game.parse_position(witness.start if isinstance(witness, Line) else witness.position)
    for text in witness.moves:
        try:
            position, last = game.play(position, game.parse_move(text)), game.parse_move(text)
        except IllegalMoveError:
            break
    return Board(game, position, last)


def _flat(text: str) -> str:
    return " ".join(text.split())
