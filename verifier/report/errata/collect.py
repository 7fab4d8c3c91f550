"""The errata that a ledger supports: nothing is graded here, and nothing is said that no verdict shows.

How bad a fault is, why it is one and what to write instead, the ``errata.yaml`` of a document says. That it is one, and
that what is to be written instead holds, the ledger says: an entry of which no reading is refuted in it is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from verifier.audit.ledger import ClaimResult, Standing
from verifier.kernel.games import Game
from verifier.kernel.verdict import Verdict
from verifier.language.library import Library
from verifier.language.references import find_parts
from verifier.language.shape import Erratum
from verifier.presentation.family import in_words
from verifier.questions.registry import find_question
from verifier.questions.result import Counterexample, ReadingResult, add_limit
from verifier.questions.words import say_whole
from verifier.report.errata.letter import HOLDS, SEVERITIES, Board, Entry, Errata
from verifier.report.order import label_of, order_claims
from verifier.report.printable import flatten
from verifier.report.registry import Report
from verifier.report.sentence import REACH, rules_of, standing_of, verdict_of
from verifier.report.show import game_of, replay

Results = Mapping[str, ClaimResult]
"""The claims of a ledger, by id."""

_FIRST = 8
"""How many words tell errata apart that a document calls the same."""
_OPEN = {Standing.DEPENDS, Standing.NOT_RUN}
_ITSELF = "This sentence states one of the main results."
_JOINS = "{} relies on this sentence, and fails with it."
_RESTS = "The proof of {} that was checked relies on the correction."
_ARGUED = "is argued through this"
_IN_PLAY = "In the play that it is about, the sentence is true."
_BELOW = (
    f"{_IN_PLAY} The position shown is not from that play: "
    "it shows that the sentence does not follow from what is stated."
)
_EMPTY = f"{_IN_PLAY} That it fails on the empty board shows that it does not follow from what is stated."


def collect_errata(report: Report) -> list[Errata]:
    """Return the errata of every document of a report, the document of most errata first."""
    library, found = report.library, dict[str, list[Entry]]()
    results = {claim.id: claim for claim in report.ledger.claims}
    own = [name for name in results if not results[name].source.ours]
    left = Counter(results[name].source.document for name in own for r in results[name].readings if not r.is_run)
    for name in library.claims:
        claim = library.claim(name)
        if name not in results and not claim.source.ours:
            left[claim.source.document] += len(claim.readings)
    for name in order_claims(library, own):
        document = results[name].source.document
        make = _graded if library.errata_of(document) else _ungraded
        found.setdefault(document, []).extend(make(report, name, results))
    views = [_view(library, results, name, entries, left[name]) for name, entries in found.items()]
    return sorted(views, key=lambda view: -len(view.entries))


def _view(library: Library, results: Results, name: str, entries: list[Entry], left: int) -> Errata:
    model = library.document(name)
    main, further = library.headline_of(name)
    stands = tuple(_stand_of(library, results, item) for item in main)
    proved = [results[item] for item in further if item in results and results[item].standing is Standing.PROVED]
    beyond = tuple(add_limit(f"“{claim.title}”", claim.limit) for claim in proved)
    ranks = list(SEVERITIES)
    ranked = sorted(_tell_apart(entries), key=lambda entry: (entry.is_open, ranks.index(entry.severity)))
    return Errata(name, model.title, ", ".join(model.authors), tuple(ranked), stands, beyond, left)


def _tell_apart(entries: list[Entry]) -> Iterator[Entry]:
    """Yield the errata of a document, those that it calls the same with the first words of what is wrong."""
    count = Counter(entry.label for entry in entries)
    for entry in entries:
        words = re.split("[:;,]", entry.sentence)[0].split()
        first = " ".join(words[:_FIRST]) + "…" * (len(words) > _FIRST)
        yield entry._replace(label=f"{entry.label}: {first}") if count[entry.label] > 1 else entry


def _graded(report: Report, name: str, results: Results) -> Iterator[Entry]:
    """Yield the errata of a document whose first refuted reading is one of a claim."""
    readings = {item.name: item for claim in results.values() for item in claim.readings}
    for erratum in report.library.errata_of(results[name].source.document).values():
        broken = [readings[item] for item in erratum.readings if item in readings and _is_fault(readings[item])]
        if broken and broken[0].claim == name:
            repairs = [
                item
                for other in dict.fromkeys(item.claim for item in broken)
                for item in results[other].readings
                if {one.id for one in broken if one.claim == other}.intersection(item.repairs)
            ]
            is_open = not repairs and results[name].standing in _OPEN
            if is_open:
                repairs = [item for item in results[name].readings if item.holds]
            yield _make(report, broken, erratum, repairs, results, is_open=is_open)


def _ungraded(report: Report, name: str, results: Results) -> Iterator[Entry]:
    """Yield the errata of a claim of a document that has no errata file."""
    claim = results[name]
    parts = find_parts(report.library.claim(name))
    if claim.standing is Standing.NOT_RUN:  # another reading of the text may hold
        return
    is_open = claim.standing is Standing.DEPENDS
    for result in claim.readings:
        if _is_fault(result) and not result.control and result.id not in parts:  # of parts the whole is told
            repaired = {f"{name}/{other}" for item in claim.readings if item.holds for other in item.repairs}
            failing = {item.name for other in results.values() for item in other.readings if _is_fault(item)}
            broken = [result, *(item for item in claim.readings if item.name in failing.intersection(result.joins))]
            # Where a part that fails has no repair, those of the others are none of the whole.
            told = {item.id for item in broken if item is result or repaired >= failing.intersection(result.joins)}
            repairs = [item for item in claim.readings if told.intersection(item.repairs) or (is_open and item.holds)]
            yield _make(report, broken, None, repairs, results, is_open=is_open)


def _make(
    report: Report,
    broken: list[ReadingResult],
    erratum: Erratum | None,
    repairs: list[ReadingResult],
    results: Results,
    *,
    is_open: bool,
) -> Entry:
    """Make an entry of the refuted readings that show it: the first is told, with the board of one that has a witness.

    Repairs may show what to write instead; where it is open what is meant, they are other readings of the sentence.
    """
    result, claim = broken[0], results[broken[0].claim]
    seen = next((item for item in broken if item.witness is not None), result)
    shown = [item for item in repairs if item.holds]
    game, rules = game_of(report.library, seen), rules_of(result).strip()
    reason = f"{result.reason} ({rules.capitalize()}.)" if rules else result.reason
    start = getattr(report.library.claim(seen.claim).readings[seen.id], "start", None)
    said = _headline(report.library, result, erratum, {item.name for item in repairs}, results)
    where, board = _find_break(game, seen, start if isinstance(start, list) else [])
    instead = "; ".join(item.because or f"say that {item.name} is meant" for item in shown)
    is_outside = isinstance(seen.witness, Counterexample) and any(
        find_question(item.question).kind == "play"
        for item in shown  # it holds in play: no such play reaches the board
    )
    return Entry(
        claim=claim.id,
        reading=result.id,
        label=label_of(report.library, claim.id),
        place=claim.source.place,
        severity=erratum.severity if erratum else "",
        sentence=flatten((erratum and erratum.says) or claim.source.says),
        is_open=is_open,
        correction=flatten((erratum and erratum.correction) or instead) if shown else "",
        why=flatten(erratum.note if erratum else reason),
        where=where,
        board=board,
        outside=(_BELOW if board else _EMPTY) if is_outside else "",
        checked="; ".join(
            f"“{item.id}” is {verdict_of(item)}: {say_whole(report.library, item.name)}" for item in shown
        ),
        repairs=tuple((item.id, verdict_of(item)) for item in shown),
        headline=tuple(text.format(in_words(names)) for text, names in said.items() if text != _ARGUED),
        is_needed=bool(shown and said.keys() & {_ITSELF, _RESTS}),
        is_argued=_ARGUED in said,
    )


def _is_fault(result: ReadingResult) -> bool:
    return result.verdict is Verdict.REFUTED and not result.trouble


def _headline(
    library: Library, result: ReadingResult, erratum: Erratum | None, repairs: set[str], results: Results
) -> dict[str, list[str]]:
    """Return which headline claims this is, which rest here on its repair, and which the text argues through it."""
    groups: dict[str, list[str]] = {}
    for name in library.headline_of(library.claim(result.claim).source.document)[0]:
        joined = _joined(library, name)
        if name == result.claim:
            said = _ITSELF
        elif result.name in joined:
            said = _JOINS
        elif joined & repairs:
            said = _RESTS
        elif erratum is not None and name in erratum.headline:
            said = _ARGUED
        else:
            continue
        groups.setdefault(said, []).append("{} ({})".format(*_stand_of(library, results, name)))
    return groups


def _stand_of(library: Library, results: Results, name: str) -> tuple[str, str]:
    """Return a claim's title, and how it stands, in words for those who know no standings."""
    if name not in library.claims:
        return f"“{name}”", "not checked, as its file has a fault"
    result, title = results.get(name), f"“{library.claim(name).title}”"
    if result is None:
        return title, "not in this report"
    if result.standing is Standing.REPAIRED and result.severity == "statement":
        return title, add_limit("wrong as stated, corrected below", result.limit)
    return title, add_limit(HOLDS[result.standing], result.limit) if result.standing in HOLDS else standing_of(result)


def _joined(library: Library, name: str) -> set[str]:
    """Return the readings that a claim's own ones join, and those that these join, and so on."""
    found = [other for reading in library.claim(name).readings.values() for other in reading.joins]
    for item in found:  # which grows
        claim, _, reading = item.partition("/")
        found += [other for other in library.claim(claim).readings[reading].joins if other not in found]
    return set(found)


def _find_break(game: Game, result: ReadingResult, before: Iterable[str]) -> tuple[str, Board | None]:
    """Say how the position comes about at which a reading fails, and return it; no board is the empty one.

    Plays of the reading begin after some moves of its spec.
    """
    witness = result.witness
    if witness is None:
        return "", None
    steps, moves = replay(game, witness), _in_pairs(witness.moves)
    if isinstance(witness, Counterexample):
        by = f", reached by {_in_pairs(witness.line)}" if witness.line else ""
        since = f"after {moves}, from " if moves else ""
        where = f"{since}a position that satisfies the stated hypotheses, {REACH[witness.reachable]}{by}"
    elif steps[0][0] != game.start and not before:
        where = f"after {moves or 'no move'}, from a position given in the evidence"
    else:
        where = f"after {_in_pairs([*map(str, before), *witness.moves])}"
    position, last, _ = steps[-1]
    return where, None if position == game.start else Board(game, position, last)


def _in_pairs(moves: Iterable[str]) -> str:
    """Write moves as the papers do: (4, 0) for spot 0 of field 4, (1, 2) for the second spot of the first row."""
    return " ".join(re.sub(r"^(\d+)[.,](\d+)$", r"(\1, \2)", move) for move in moves)
