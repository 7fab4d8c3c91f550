"""Collects the errata of documents from the specs and a ledger.

The ``errata.yaml`` of a document says how bad each mistake is, why it is a mistake, and what to write instead. The
ledger shows that the document's sentence fails, and that the correction holds. An entry of the file is left out if the
ledger refutes none of its readings. So each erratum has a refuted reading. If a document has no errata in such a
file, its refuted readings become errata without a severity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from verifier.audit.ledger import ClaimResult, Ledger, Standing
from verifier.kernel.verdict import Verdict
from verifier.language.library import Library
from verifier.language.outline import find_parts, split_headline
from verifier.language.shape import Erratum
from verifier.presentation.family import in_pair, in_words
from verifier.questions.registry import find_question
from verifier.questions.result import Counterexample, ReadingResult, join_limits
from verifier.report.errata.counting import ClaimResults, RefutedReadings, find_refuted, find_repairs
from verifier.report.errata.letter import HOLDS, Diagram, Errata, LetterEntry, LetterReading, MainResult, OwnResult
from verifier.report.order import label_of, order_by_document
from verifier.report.printable import flatten
from verifier.report.sentence import REACH, SEVERITIES, rules_of, standing_of, verdict_of
from verifier.report.show import game_of, replay_witness

_ITSELF = "is this sentence"
_JOINS = "{} relies on this sentence, and fails with it."
_RESTS = "The proof of {} that was checked relies on the correction."
_ARGUED = "is proved in print by this sentence"
_IN_PLAY = "The sentence is true in the play that it is about."
_BELOW = (
    f"{_IN_PLAY} The position shown is not from that play: "
    "it shows that the sentence does not follow from what is stated."
)
_EMPTY = f"{_IN_PLAY} But it fails on the empty board, so it does not follow from what is stated."


def collect_errata(ledger: Ledger, library: Library) -> list[Errata]:
    """Return the errata of every document in a ledger. The document with the most errata comes first."""
    results = {claim.id: claim for claim in ledger.claims}
    found: dict[str, list[ClaimResult]] = {}
    for name in order_by_document(library, (name for name in results if not results[name].source.ours)):
        found.setdefault(results[name].source.document, []).append(results[name])
    left = Counter({name: sum(not r.is_run for own in claims for r in own.readings) for name, claims in found.items()})
    for name in library.claims.keys() - results.keys():
        claim = library.claim(name)
        left[claim.source.document] += 0 if claim.source.ours else len(claim.readings)
    views = []
    for document, claims in found.items():
        model = library.document(document)
        file = library.errata[document].model if document in library.errata else None
        stands = tuple(_main_result(library, results, item) for item in split_headline(library, document)[0])
        own = file.beyond.items() if file else ()
        beyond = tuple(_show_result(library, results, name, flatten(text)) for name, text in own)
        entries = _list_entries(library, document, claims, results)
        views.append(
            Errata(
                document=document,
                title=model.title,
                to=(file.to if file else None) or in_words(model.authors),
                text=tuple(map(flatten, ((file.note if file else None) or "").splitlines())),
                read=library.read_of(document),
                entries=tuple(entries),
                headline=stands,
                names=tuple(_name_evidence(library, document, entries, results)),
                beyond=beyond,
                run=sum(result.is_run for own in claims for result in own.readings),
                left=left[document],
            )
        )
    return sorted(views, key=lambda view: -len(view.entries))


def _list_entries(
    library: Library, document: str, claims: list[ClaimResult], results: ClaimResults
) -> list[LetterEntry]:
    """Return those errata of a document which list a refuted reading. The gravest come first.

    Then come the errata of sentences that are open to several readings, and last the remarks.
    """
    faults = find_refuted(results)
    graded = [*library.errata_of(document).values()]
    shown: dict[str, list[LetterEntry]] = {claim.id: [] for claim in claims}
    for erratum in graded or [item for claim in claims for item in _find_ungraded(library, claim, faults)]:
        broken = [faults[name] for name in erratum.readings if name in faults]
        if broken and broken[0].claim in shown:
            shown[broken[0].claim].append(_make(library, erratum, broken, faults, results))
    ranks = [*SEVERITIES]
    return sorted(
        (entry for entries in shown.values() for entry in entries),
        key=lambda entry: (
            entry.severity == "remark" and not entry.is_open,
            entry.is_open,
            ranks.index(entry.severity),
        ),
    )


def _name_evidence(
    library: Library, document: str, entries: Iterable[LetterEntry], results: ClaimResults
) -> Iterator[str]:
    """Yield, each once, the claims whose evidence shows what the errata of a document say.

    These are the main results, the claims of the entries with the claims that they use, and our own results. Claims
    that are not decided in the ledger are left out: there may be no evidence for them.
    """
    file = library.errata[document].model if document in library.errata else None
    stated = [item.claim for entry in entries for item in (*entry.refuted, *entry.shown)]
    named = [name for own in stated for name in (own, *library.claim(own).uses)]
    decided = {
        name for name, claim in results.items() if any(item.verdict is not Verdict.UNKNOWN for item in claim.readings)
    }
    shown = [name for name in (file.beyond if file else {}) if name in results and results[name].standing in HOLDS]
    headline, _ = split_headline(library, document)
    yield from dict.fromkeys(name for name in (*headline, *named, *shown) if name in decided)


def _show_result(library: Library, results: ClaimResults, name: str, text: str) -> OwnResult:
    """Return a result of our own. If it holds and a reading of it has a witness, add the witness's last position."""
    is_proved, where, board = name in results and results[name].standing in HOLDS, "", None
    played = [item for item in results[name].readings if item.holds and item.witness] if is_proved else []
    if played:
        where, board = _find_break(library, played[0], [])
    title = _title_of(library, name)
    moves = f"{where[:1].upper()}{where[1:]}"
    return OwnResult(name, title, text, is_proved, f"{board.turn}. {moves}" if board else moves, board)


def _main_result(library: Library, results: ClaimResults, name: str) -> MainResult:
    title, stands = _stand_of(library, results, name)
    result = results.get(name)
    found = [item for item in result.readings if item.holds and item.limit] if result else []
    limited = tuple(_place(library, item) for item in found)
    return MainResult(title, stands, result.limit if result else None, limited)


def _place(library: Library, result: ReadingResult) -> LetterReading:
    return LetterReading(library.claims[result.claim].document.file, result.claim, result.id, result.limit)


def _find_ungraded(library: Library, claim: ClaimResult, faults: RefutedReadings) -> Iterator[Erratum]:
    """For each refuted reading of a claim, except controls and parts, yield an erratum without a severity.

    A *part* is a reading that another reading of the claim joins, if this other reading is neither a repair nor a
    control. The two readings that are made from a reading with ``exactly`` are parts too (``find_parts``). The erratum
    of a reading also names the refuted readings of the same claim that this reading joins.
    """
    if claim.standing is Standing.NOT_RUN:  # a reading or a repair that is not checked yet may hold
        return
    parts = find_parts(library.claim(claim.id))
    for result in claim.readings:
        if result.name in faults and not result.control and result.id not in parts:
            joined = [item.name for item in claim.readings if item.name in faults and item.name in result.joins]
            rules = rules_of(result).strip()
            note = f"{result.reason} ({rules.capitalize()}.)" if rules else result.reason
            values: dict[str, Any] = {"readings": [result.name, *joined], "severity": "", "note": note}
            yield Erratum.model_construct(**values)  # not validated: it has no severity, which specs must give


def _make(
    library: Library, erratum: Erratum, broken: list[ReadingResult], faults: RefutedReadings, results: ClaimResults
) -> LetterEntry:
    """Make the entry of an erratum. ``broken`` has the refuted readings that the erratum lists.

    The entry is about the first of these readings. Its board comes from the first of them that has a witness. What to
    write instead comes from the repairs or, if the sentence is open to several readings, from the readings that hold.
    """
    result, claim = broken[0], results[broken[0].claim]
    seen = next((item for item in broken if item.witness is not None), result)
    repairs, is_open = find_repairs(broken, faults, results)
    shown = [item for item in repairs if item.holds]
    about = dict.fromkeys(item.claim for item in (*broken, *shown))
    others = [item for name in about for item in results[name].readings if item.holds and item not in shown]
    start = getattr(library.claim(seen.claim).readings[seen.id], "start", None)
    where, board = _find_break(library, seen, start if isinstance(start, list) else [])
    said = _headline(library, result, erratum, {item.name for item in repairs}, results)
    instead = "; ".join(item.because or f"say that {item.name} is meant" for item in shown)
    less = {verdict_of(replace(item, limit=None)): None for item in shown if item.verdict is not Verdict.PROVED}
    weaker = f" (This is {in_words(less)}.)" if less else ""
    is_remark = erratum.severity == "remark"  # with a board, the remark would look like a mistake
    correction = erratum.correction or (instead if is_open or not is_remark else "")
    is_outside = isinstance(seen.witness, Counterexample) and any(
        find_question(item.question).kind == "play"
        for item in shown  # a repair about plays holds in these plays, so none of them leads to the position shown
    )
    return LetterEntry(
        claim=claim.id,
        reading=result.id,
        refuted=tuple(_place(library, item) for item in broken),
        shown=tuple(_place(library, item) for item in shown),
        others=tuple(_place(library, item) for item in others),
        label=label_of(library, claim.id),
        place=erratum.place or claim.source.place,
        severity=erratum.severity,
        sentence=flatten(erratum.says or claim.source.says),
        is_open=is_open,
        correction=flatten(f"{correction}{weaker}") if shown and correction else "",
        why=flatten(erratum.note),
        where="" if is_remark else where,
        board=None if is_remark else board,
        title=flatten(erratum.title or ""),
        outside=(_BELOW if board else _EMPTY) if is_outside and not is_remark else "",
        headline=tuple(text.format(in_words(names)) for text, names in said.items() if text not in (_ARGUED, _ITSELF)),
        is_needed=bool(shown and said.keys() & {_ITSELF, _RESTS}),
        is_argued=_ARGUED in said,
        limit=join_limits([item.limit for item in shown]),
    )


def _headline(
    library: Library, result: ReadingResult, erratum: Erratum, repairs: set[str], results: ClaimResults
) -> dict[str, list[str]]:
    """Return the main results (headline) that depend on a refuted reading. The keys say how they depend on it."""
    groups: dict[str, list[str]] = {}
    for name in split_headline(library, library.claim(result.claim).source.document)[0]:
        joined = _joined(library, name)
        relations = {
            _ITSELF: name == result.claim,
            _JOINS: result.name in joined,
            _RESTS: bool(joined & repairs),
            _ARGUED: name in erratum.headline,
        }
        said = next((text for text, holds in relations.items() if holds), None)
        if said is not None:
            groups.setdefault(said, []).append("“{}” ({})".format(*_stand_of(library, results, name)))
    return groups


def _stand_of(library: Library, results: ClaimResults, name: str) -> tuple[str, str]:
    """Return the title of a claim, and its standing in words for readers who do not know this tool."""
    if name not in library.claims:
        return name, "not checked, as its file has a fault"
    result, title = results.get(name), _title_of(library, name)
    if result is None:
        return title, "not in this report"
    if result.standing is Standing.REPAIRED and result.severity == "statement":
        return title, "wrong as stated, corrected below"
    return title, HOLDS.get(result.standing) or standing_of(replace(result, limit=None))


def _title_of(library: Library, name: str) -> str:
    return library.claim(name).title if name in library.claims else name


def _joined(library: Library, name: str) -> set[str]:
    """Return the readings that a claim joins, directly or through others; none if the specs lack the claim."""
    if name not in library.claims:
        return set()
    found = [other for reading in library.claim(name).readings.values() for other in reading.joins]
    for item in found:  # the list grows while it is read
        claim, _, reading = item.partition("/")
        found += [other for other in library.claim(claim).readings[reading].joins if other not in found]
    return set(found)


def _find_break(library: Library, result: ReadingResult, before: Iterable[str]) -> tuple[str, Diagram | None]:
    """Say how play comes to the position at which a reading fails. Return these words, and the position.

    The position is None if it is the start of the game, or if the reading has no witness. ``before`` has the moves that
    lead from the start of the game to the start of the reading's plays.
    """
    witness = result.witness
    if witness is None:
        return "", None
    game = game_of(library, result)
    steps, moves = replay_witness(game, witness), " ".join(map(in_pair, witness.moves))
    if isinstance(witness, Counterexample):
        by = f", reached by {' '.join(map(in_pair, witness.line))}" if witness.line else ""
        since = f"after {moves}, from " if moves else ""
        where = f"{since}a position that satisfies the hypotheses of this step, {REACH[witness.reachable]}{by}"
    elif steps[0][0] != game.start and not before:
        where = f"after {moves or 'no move'}, from a position given in the evidence"
    else:
        where = f"after {' '.join(map(in_pair, [*map(str, before), *witness.moves]))}"
    position, last, _ = steps[-1]
    return where, None if position == game.start else Diagram(game, position, last, library.drawings)
