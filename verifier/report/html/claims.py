"""Claims as the templates show them. All values are looked up here; the templates only put them in place."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from verifier.audit.ledger import ClaimResult, Standing
from verifier.audit.sources import find_used
from verifier.kernel.games import Game
from verifier.kernel.verdict import Verdict
from verifier.language.library import Library
from verifier.language.loader import KeyPath
from verifier.language.model import Claim
from verifier.language.outline import joined_claims
from verifier.language.reading import Reading
from verifier.language.spec import Spec
from verifier.language.syntax import is_picture
from verifier.presentation.family import in_words
from verifier.presentation.registry import find_presentation
from verifier.presentation.svg import draw_svg
from verifier.questions.registry import find_question
from verifier.questions.result import Counterexample, ReadingResult
from verifier.report.errata.letter import Errata, LetterEntry
from verifier.report.html.again import HowToDecide, list_filed, say_how_far, say_how_to_decide
from verifier.report.html.witness import WitnessView, draw_witness, find_terms
from verifier.report.order import find_wholes, group_claims, label_of, place_claims
from verifier.report.registry import Report
from verifier.report.sentence import list_stated, name_beliefs, say_beliefs, word_of


class BoardPicture(NamedTuple):
    """A diagram of the source, drawn as a board.

    If the spec has only the numbers in each row of the diagram, ``rows`` has these, and there is no drawing.
    """

    title: str
    board: Markup | None = None
    rows: tuple[tuple[int, ...], ...] = ()


class ReadingView(NamedTuple):
    """A reading as the page shows it: its spec, its result, and values that are made from these."""

    model: Reading
    result: ReadingResult
    word: str
    statement: str
    strategies: tuple[tuple[str, str], ...]
    witness: WitnessView | None


class ClaimView(NamedTuple):
    """A claim as the page shows it: its spec, its result, and values that are made from these.

    Attributes:
        look: the CSS classes of its standing (``look_of``).
        label: the document's name for the claim, such as “Lemma 2”.
        wholes: the claims about a whole statement, if this claim is about a part of it, such as the proof.
        joins, used_by: the claims that its readings join, and the claims whose readings join it.
        again: how to decide it again.
        how_far: which of its readings are only about the first moves of a play; empty if there are none.
    """

    result: ClaimResult
    spec: Spec[Any]
    look: str
    label: str
    wholes: list[str]
    joins: list[str]
    used_by: list[str]
    readings: tuple[ReadingView, ...]
    pictures: tuple[BoardPicture, ...]
    again: HowToDecide
    how_far: str


class Chapter(NamedTuple):
    """The claims of a part of a document, in the document's order."""

    id: str
    document: str
    title: str
    claims: tuple[ClaimView, ...]


def view_claims(report: Report) -> list[ClaimView]:
    """Return all claims of the ledger, document by document, in the order of each document."""
    library = report.library
    joins = {claim.id: joined_claims(library.claim(claim.id)) for claim in report.ledger.claims}
    filed, results = list_filed(report.store), {result.name: result for result in report.ledger.readings}
    return [
        ClaimView(
            claim,
            library.claims[claim.id],
            look_of(library, claim),
            label_of(library, claim.id),
            find_wholes(library, claim.source.document, claim.id)[0],
            joins[claim.id],
            [user for user, others in joins.items() if claim.id in others],
            tuple(_view_reading(report, claim, reading) for reading in claim.readings),
            tuple(_pictures(library.game(library.claim(claim.id).rules), library.claim(claim.id))),
            say_how_to_decide(report, claim.id, filed),
            say_how_far(report, claim, results),
        )
        for group in group_claims(report.ledger, library).values()
        for claim in group
    ]


def list_beside(report: Report, errata: Iterable[Errata]) -> dict[str, dict[str, list[LetterEntry]]]:
    """Return, for each claim about a whole statement, the errata in its parts, such as the proof of a lemma.

    The keys of the inner maps are the names of the parts. Claims without such errata are left out.
    """
    found = dict[str, dict[str, list[LetterEntry]]]()
    for entry in (entry for item in errata for entry in item.entries):
        document = report.library.claim(entry.claim).source.document
        wholes, part = find_wholes(report.library, document, entry.claim)
        for name in wholes:
            found.setdefault(name, {}).setdefault(part, []).append(entry)
    return found


def list_chapters(report: Report, claims: Sequence[ClaimView]) -> list[Chapter]:
    """Return the claims by the sections of their documents. A document's claims without a section are one chapter."""
    places, found = place_claims(report.library), dict[tuple[str, str], list[ClaimView]]()
    for claim in claims:
        part, _ = places.get(claim.result.id, ("", ""))
        found.setdefault((claim.result.source.document, part), []).append(claim)
    return [
        Chapter(f"part-{number}", document, part or report.library.document(document).title, tuple(group))
        for number, ((document, part), group) in enumerate(found.items(), 1)
    ]


def list_blanks(claims: Iterable[ClaimView]) -> dict[str, Markup]:
    """Return, by name, the boards on which readers step through the witnesses of claims."""
    found = (reading.witness for claim in claims for reading in claim.readings if reading.witness)
    return {witness.blank_name: witness.blank for witness in found if witness.blank is not None}


def summarise(claim: ClaimResult) -> str:
    """Say in a few sentences whether a claim holds, and which readings decide this."""
    subject = "It" if claim.source.ours else "The claim"
    by = "" if claim.limit is None else f", {claim.limit.words}"
    by += f", as far as {name_beliefs(claim.beliefs)} can be trusted" if claim.beliefs else ""
    if claim.standing in (Standing.PROVED, Standing.SUPPORTED):
        return f"{subject} holds as it is stated{by}."
    if claim.standing is Standing.NOT_RUN:
        return "A reading that decides this has not been checked."
    if claim.standing is Standing.UNDETERMINED:
        told = [(item.id, item.trouble or item.reason) for item in claim.readings if item.verdict is Verdict.UNKNOWN]
        why = "; ".join(f"“{name}”: {reason}" for name, reason in told if reason)
        return f"A reading is neither proved nor refuted{f' ({why})' if why else ''}."
    refuted = _refuted(claim)
    names = in_words(f"“{result.id}”" for result in refuted)
    which = f"the {'reading' if len(refuted) == 1 else 'readings'} {names}"
    ways = "" if len(refuted) == 1 else f", in {len(refuted)} readings"
    if claim.standing is Standing.DEPENDS:
        fails = "fails" if len(refuted) == 1 else "fail"
        words = [f"It depends on how it is read: {which} {fails}, and another reading holds{by}."]
    elif claim.standing is Standing.REFUTED:
        words = [f"{subject} fails{ways}. No reading here repairs everything that fails."]
    elif not names:
        words = [f"{subject} holds{by}, but rests on a claim that had to be repaired."]
    elif any(result.holds for result in list_stated(claim)):
        how = "holds in one way to read it, and fails in another"
        words = [f"{subject} {how}. With the repair of what fails, it holds{by}."]
    else:
        words = [f"As it is stated, {subject.lower()} fails{ways}. After the repair, it holds{by}."]
    if does_step_fail(claim):
        words.append("What fails is a step from a position; each counterexample says whether legal play reaches it.")
    return " ".join(words)


_CHANGING = {None, "statement", "hypothesis", "slip", "wording"}
"""The severities of mistakes for which words of a statement have to be changed. None: no spec gives a severity."""


def look_of(library: Library, claim: ClaimResult) -> str:
    """Return the CSS classes of a claim's standing. The class *kept* takes away the colour of a correction.

    A claim has this class if no words of its statement have to be changed. Then the mistake is in a proof or an
    argument, or it can stay, or it is in another claim, on which this claim rests.
    """
    standing = claim.standing.replace(" ", "-")
    if claim.standing not in (Standing.REPAIRED, Standing.REPAIRED_SUPPORTED, Standing.DEPENDS):
        return standing
    is_part = bool(find_wholes(library, claim.source.document, claim.id)[0])
    return standing if claim.severity in _CHANGING and _refuted(claim) and not is_part else f"{standing} kept"


def look_of_entry(library: Library, entry: LetterEntry) -> str:
    """Return the CSS classes of an erratum's severity; with *kept* as in ``look_of``."""
    document = library.claim(entry.claim).source.document
    is_part = all(find_wholes(library, document, item.claim)[0] for item in entry.refuted)
    return entry.severity if (entry.severity or None) in _CHANGING and not is_part else f"{entry.severity} kept"


def list_terms(library: Library, claim: ClaimResult, errata: Iterable[LetterEntry] = ()) -> list[tuple[str, str]]:
    """Return the document's terms, with their meanings, that a claim or its errata use."""
    texts = [claim.title, claim.source.says, *(f"{entry.correction} {entry.why}" for entry in errata)]
    return find_terms(library.document(claim.source.document).terms, " ".join(texts))


def list_repairs(claim: ClaimResult) -> list[tuple[str, str, str]]:
    """Return, for each repair that holds, its id, what it adds or corrects, and what it says.

    If the result has only the beginning of what a repair says, the third text is empty. The page then links to the
    formal content of the repair, which has the whole text.
    """
    found = (result for result in claim.readings if result.repairs and result.holds)
    return [(item.id, item.because, "" if item.says.endswith("…") else item.says) for item in found]


def say_believed(claim: ClaimResult) -> str:
    """Say what you have to trust for the standing of a claim."""
    if claim.beliefs:
        return say_beliefs(claim.beliefs)
    open_ones = {Standing.NOT_RUN: "checked", Standing.UNDETERMINED: "decided"}
    return f"not all of it is {open_ones[claim.standing]}" if claim.standing in open_ones else "nothing but the kernel"


def _refuted(claim: ClaimResult) -> list[ReadingResult]:
    return [item for item in claim.readings if item.verdict is Verdict.REFUTED and not item.control]


def does_step_fail(claim: ClaimResult) -> bool:
    """Say whether a claim has refuted readings, and each of them fails at a step from a position, not in a play."""
    found = [result.witness for result in _refuted(claim)]
    return bool(found) and all(isinstance(witness, Counterexample) for witness in found)


def _view_reading(report: Report, claim: ClaimResult, result: ReadingResult) -> ReadingView:
    model, witness = report.library.claim(claim.id).readings[result.id], result.witness
    strategies = {name.partition("#")[0] for name in getattr(model, "strategies", {}).values()}
    return ReadingView(
        model=model,
        result=result,
        word=word_of(result),
        statement=text_of(report.library.claims[claim.id], ("readings", result.id)),
        strategies=tuple((name, report.library.strategy(name).title) for name in sorted(strategies)),
        witness=draw_witness(report, result, witness, _first_number(model)) if witness else None,
    )


def say_question(model: Reading) -> str:
    """Say what a reading asks."""
    return find_question(model.question).say_about(model)


def _first_number(model: Reading) -> int:
    """Return the number of the first mark in the source's diagram of a reading's game; 1 if there is no diagram."""
    return min((number for row in model.picture_rows for number in row), default=1)


def _pictures(game: Game, model: Claim) -> list[BoardPicture]:
    """Return the diagrams of a claim as its source prints them."""
    found = []
    for name, text in model.define.items():
        if not is_picture(text):
            continue
        title, position = f"{name}, as printed", find_presentation(game).read_diagram(text)
        board = draw_svg(game, position, title=title, is_picture=True, is_still=True)
        found.append(BoardPicture(title, Markup(board)))  # noqa: S704 - drawn by svg.py, which escapes
    for reading in model.readings.values():
        if reading.picture_rows:
            rows = tuple(tuple(row) for row in reading.picture_rows)
            found.append(BoardPicture("the numbers in each row of the board, as printed", rows=rows))
    return found


# -- the formal content, word for word as it was in the files when they were read --------------------------------------


def text_of(spec: Spec[Any], path: KeyPath) -> str:
    """Return the lines of a key and its value, without their common indentation; empty if there is no such key."""
    keys, lines = spec.document.keys, spec.document.text.splitlines()
    if path not in keys:
        return ""
    first, column = keys[path]
    after = [line for line, left in keys.values() if line > first and left <= column]
    last = min(after, default=len(lines) + 1)
    return textwrap.dedent("\n".join(lines[first - 1 : last - 1])).rstrip()


def text_shared(spec: Spec[Any]) -> str:
    """Return the lines of a claim's spec that are about all its readings: rules and definitions."""
    parts = (text_of(spec, (key,)) for key in ("rules", "includes", "define"))
    return "\n".join(filter(None, parts))


def list_sources(report: Report) -> Iterator[tuple[str, str, Spec[Any]]]:
    """Yield the definitions and strategies that the claims of a report use, directly or through each other.

    Each comes with its kind, its name and its spec. A file of definitions or strategies can copy from another file
    (``like``). If the claims use nothing in this other file, also yield the first definitions or strategy in it.
    """
    library, used = report.library, dict[tuple[str, str], Spec[Any]]()
    for claim in report.ledger.claims:
        used |= find_used(library, claim.id, library.claim(claim.id).readings)
    files = {spec.document.file for spec in used.values()}
    bases = {base for spec in used.values() for base in spec.document.bases} - files
    for kind in ("definitions", "strategy"):
        for name, spec in library.home(kind).items():
            if (kind, name) in used or spec.document.file in bases:
                bases.discard(spec.document.file)
                yield kind, name, spec
