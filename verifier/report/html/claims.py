"""Claims as the templates show them: everything is looked up here, so that a template only places it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from verifier.audit.ledger import ClaimResult, Standing
from verifier.kernel.games import Game
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.model import Claim, StrategyFile
from verifier.language.questions import LineReading, Reading, Steps
from verifier.language.references import joined_claims
from verifier.language.saying import is_about_start
from verifier.language.syntax import is_picture
from verifier.methods.registry import find_method
from verifier.methods.result import Decided, ReadingResult, name_all
from verifier.methods.witness import Counterexample
from verifier.presentation.registry import show
from verifier.presentation.svg import draw_svg
from verifier.report.errata.collect import label_of
from verifier.report.errata.letter import Entry, Errata
from verifier.report.html.divergences import place_notes, read_lines
from verifier.report.html.formal import strategies_of, text_of, text_shared
from verifier.report.html.obligations import Family, list_obligations
from verifier.report.html.witness import Witness, draw_witness
from verifier.report.order import order_claims
from verifier.report.registry import Report
from verifier.report.show import game_of
from verifier.report.trust import name_beliefs, rules_of, standing_of, trust_of, verdict_of


@dataclass(frozen=True, slots=True)
class Picture:
    """A diagram as the source prints it, or the rows of numbers where only those are known."""

    title: str
    board: Markup | None = None
    rows: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingView:
    """A reading as the page shows it: its spec and its result, and what is looked up or put into words for it.

    Attributes:
        word, found: the verdict, and the same with what it is supported by, and under which rules of its own.
        joins: the readings that it relies on, each with its claim.
    """

    model: Reading
    result: ReadingResult
    how: str
    word: str
    found: str
    trust: str
    joins: tuple[tuple[str, str], ...]
    stats: tuple[tuple[str, str], ...]
    statement: str
    strategies: tuple[tuple[str, str], ...]
    witness: Witness | None
    obligations: tuple[Family, ...]


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A claim as the page shows it: its result, and what is looked up or put into words for it.

    Attributes:
        label: what its document calls it, such as “Lemma 2”.
        errata: what it shows to be wrong in its document.
        departs: where our formal text departs from the document's.
        step_fails: some reading is refuted, and each such by a step from a position, and by no play.
        standing: how it stands, with what it is supported by.
        beliefs: the keys of what its standing rests on besides the kernel.
        joins, uses: the claims that its readings join, and those to read first.
    """

    result: ClaimResult
    label: str
    errata: tuple[Entry, ...]
    departs: tuple[Markup, ...]
    step_fails: bool
    standing: str
    summary: str
    beliefs: tuple[str, ...]
    believed: str
    joins: tuple[str, ...]
    uses: tuple[str, ...]
    used_by: tuple[str, ...]
    shared: str
    includes: tuple[str, ...]
    file: str
    readings: tuple[ReadingView, ...]
    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """The claims of a part of a document, as the document orders them."""

    id: str
    document: str
    title: str
    claims: tuple[ClaimView, ...]


def view_claims(report: Report, documents: Iterable[str], errata: Iterable[Errata]) -> list[ClaimView]:
    """Return every claim of the ledger, document by document, each in its own order."""
    claims = {claim.id: claim for claim in report.ledger.claims}
    users: dict[str, list[str]] = {}
    for claim in report.ledger.claims:
        for name in joined_claims(report.library.claim(claim.id)):
            users.setdefault(name, []).append(claim.id)
    entries = [entry for item in errata for entry in item.entries]
    ranks = {name: rank for rank, name in enumerate(documents)}
    ordered = sorted(order_claims(report.library, claims), key=lambda name: ranks[claims[name].source.document])
    notes = place_notes(read_lines(report.specs), {name: label_of(report.library, name) for name in claims})
    return [_view_claim(report, claims[name], users, entries, notes.get(name, ())) for name in ordered]


def list_chapters(report: Report, claims: Sequence[ClaimView]) -> list[Chapter]:
    """Return the claims by the sections of their documents; what a document does not place follows, as the rest."""
    homes: dict[str, str] = {}
    for spec in report.library.documents.values():
        for part, names in getattr(spec.model, "contents", {}).items():
            homes |= dict.fromkeys(names, part)
    found: dict[tuple[str, str], list[ClaimView]] = {}
    for claim in claims:
        found.setdefault((claim.result.source.document, homes.get(claim.result.id, "")), []).append(claim)
    titles = {name: getattr(spec.model, "title", name) for name, spec in report.library.documents.items()}
    return [
        Chapter(f"part-{number}", document, part or titles.get(document, document), tuple(group))
        for number, ((document, part), group) in enumerate(found.items(), 1)
    ]


def list_blanks(claims: Iterable[ClaimView]) -> dict[str, Markup]:
    """Return the boards on which the witnesses of claims are stepped through, by their names."""
    found = (reading.witness for claim in claims for reading in claim.readings if reading.witness)
    return {witness.blank_name: witness.blank for witness in found if witness.blank is not None}


def _view_claim(
    report: Report,
    claim: ClaimResult,
    users: Mapping[str, list[str]],
    errata: Sequence[Entry],
    departs: Sequence[Markup],
) -> ClaimView:
    model, spec = report.library.claim(claim.id), report.library.claims[claim.id]
    joined = joined_claims(model)
    return ClaimView(
        result=claim,
        label=label_of(report.library, claim.id),
        errata=tuple(entry for entry in errata if entry.claim == claim.id),
        departs=tuple(departs),
        step_fails=_step_fails(claim),
        standing=standing_of(claim),
        summary=_summary(claim),
        beliefs=tuple(name_all(claim.beliefs)),
        believed=_believed(claim),
        joins=tuple(joined),
        uses=tuple(name for name in claim.uses if name not in joined),
        used_by=tuple(users.get(claim.id, ())),
        shared=text_shared(spec),
        includes=tuple(model.includes),
        file=spec.document.file,
        readings=tuple(_view_reading(report, claim, reading) for reading in claim.readings),
        pictures=tuple(_pictures(report.library.rules.game(model.rules), model)),
    )


def _summary(claim: ClaimResult) -> str:
    """Say in a few sentences how a claim stands, by which readings, and what a repair adds."""
    subject = "It" if claim.source.ours else "The claim"
    by = f", as far as {name_beliefs(claim.beliefs)} can be believed" if claim.beliefs else ""
    if claim.standing in (Standing.PROVED, Standing.SUPPORTED):
        return f"{subject} holds as it is stated{by}."
    if claim.standing is Standing.NOT_RUN:
        return "Some reading that decides how this claim stands is not part of this run."
    if claim.standing is Standing.UNDETERMINED:
        told = [(item.id, item.trouble or item.reason) for item in claim.readings if item.verdict is Verdict.UNKNOWN]
        why = "; ".join(f"“{name}”: {reason}" for name, reason in told if reason)
        return f"Some reading is neither proved nor refuted{f' ({why})' if why else ''}."
    refuted = _refuted(claim)
    names = ", ".join(f"“{result.id}”" for result in refuted)
    if claim.standing is Standing.DEPENDS:
        fails = "fails" if len(refuted) == 1 else "fail"
        words = [f"It depends on how it is read: {names} {fails}, and another reading holds{by}."]
    elif claim.standing is Standing.REFUTED:
        words = [f"{subject} fails ({names}). No reading here repairs all of it."]
    elif names:
        words = [f"As it is stated, {subject.lower()} fails ({names}); repaired, it holds{by}."]
    else:
        words = [f"{subject} holds{by}, but rests on a claim that had to be repaired."]
    if _step_fails(claim):
        words.append("What fails is a step from a position; each counterexample says whether legal play reaches it.")
    for result in claim.readings:
        if result.repairs and result.holds:
            words.append(f"The repair “{result.id}”: {result.because}")
    return " ".join(words)


def _believed(claim: ClaimResult) -> str:
    """Say in a sentence what has to be believed for a standing."""
    if claim.beliefs:
        return "; ".join(belief.value for belief in Belief if belief in claim.beliefs)
    open_ones = {Standing.NOT_RUN: "in this run", Standing.UNDETERMINED: "decided"}
    return f"not all of it is {open_ones[claim.standing]}" if claim.standing in open_ones else "nothing but the kernel"


def _refuted(claim: ClaimResult) -> list[ReadingResult]:
    stated = (result for result in claim.readings if not result.control and not result.repairs)
    return [result for result in stated if result.verdict is Verdict.REFUTED]


def _step_fails(claim: ClaimResult) -> bool:
    found = [result.witness for result in _refuted(claim)]
    return bool(found) and all(isinstance(witness, Counterexample) for witness in found)


def _count(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def _view_reading(report: Report, claim: ClaimResult, result: ReadingResult) -> ReadingView:
    model = report.library.claim(claim.id).readings[result.id]
    return ReadingView(
        model=model,
        result=result,
        how=_describe_method(model),
        word=str(result.verdict) if result.is_run else str(Decided.NOT_RUN),
        found=verdict_of(result) + rules_of(result),
        trust=trust_of(result),
        joins=tuple((name.partition("/")[0], name.partition("/")[2]) for name in result.joins),
        stats=tuple((name.replace("_", " "), _count(count)) for name, count in result.stats.items()),
        statement=text_of(report.library.claims[claim.id], ("readings", result.id)),
        strategies=tuple((name, _strategy_title(report, name)) for name in strategies_of(model)),
        witness=_draw_witness(report, model, result),
        obligations=tuple(list_obligations(report.library, report.evidence, result)),
    )


def _describe_method(model: Reading) -> str:
    if isinstance(model, Steps) and is_about_start(model):
        return "what holds at the start of the game"
    return find_method(model.question).about


def _draw_witness(report: Report, model: Reading, result: ReadingResult) -> Witness | None:
    if result.witness is None:
        return None
    return draw_witness(game_of(report.library, result), result.witness, _first_number(model))


def _first_number(model: Reading) -> int:
    """Return the number of the first mark in a game that a reading shows, as the source's diagram counts them."""
    rows = model.numbered_rows if isinstance(model, LineReading) else None
    return min((number for row in rows or () for number in row), default=1)


def _strategy_title(report: Report, name: str) -> str:
    spec = report.library.strategies.get(name)
    return spec.model.title if spec is not None and isinstance(spec.model, StrategyFile) else name


def _pictures(game: Game, model: Claim) -> list[Picture]:
    """Return the diagrams of a claim as its source prints them."""
    found = []
    for name, text in model.define.items():
        if not is_picture(text):
            continue
        board = draw_svg(
            game, show(game).read_diagram(text), title=f"{name}, as printed", is_picture=True, is_still=True
        )
        found.append(Picture(f"{name}, as printed", Markup(board)))  # noqa: S704 - drawn by svg.py, which escapes
    for reading in model.readings.values():
        if isinstance(reading, LineReading) and reading.numbered_rows is not None:
            rows = tuple(tuple(row) for row in reading.numbered_rows)
            found.append(Picture("the numbers in each row of the board, as printed", rows=rows))
    return found
