"""The first screen of the page. It says whether the main results of a document hold, and draws the end of a game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from verifier.audit.ledger import Standing
from verifier.kernel.certificate import CertificateContent
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import OTHER, Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.library import Library
from verifier.language.outline import split_headline
from verifier.presentation.registry import find_presentation
from verifier.presentation.svg import draw_svg
from verifier.questions.result import Line, ReadingResult
from verifier.report.errata.counting import say_corrections
from verifier.report.errata.letter import Errata, LetterEntry
from verifier.report.html.claims import ClaimView, look_of_entry
from verifier.report.html.documents import DocumentView
from verifier.report.html.explorer import win_from_start
from verifier.report.printable import flatten
from verifier.report.registry import Report
from verifier.report.sentence import NAMES, SEVERITIES
from verifier.report.show import game_of, replay_witness

_AFTER_REPAIR = {Standing.REPAIRED, Standing.REPAIRED_SUPPORTED}
_HOLDS = {Standing.PROVED, Standing.SUPPORTED} | _AFTER_REPAIR

_WORST = (
    *(Standing.REFUTED, Standing.DEPENDS, Standing.REPAIRED_SUPPORTED, Standing.REPAIRED),
    *(Standing.UNDETERMINED, Standing.NOT_RUN, Standing.SUPPORTED, Standing.PROVED),
)
_NAMED = ("Abstract", "Theorem", "Proposition", "Lemma", "Corollary", "Remark", "Conjecture")
"""How the names of a document's statements begin."""
_PARTS = {"Abstract": "The document’s summary"}
"""The names in ``_NAMED`` that are no statements, each with what it is."""


class Span(NamedTuple):
    """The plies between which a player can force a win: not before ``low``, and by ``high``."""

    low: int
    high: int


class Story(NamedTuple):
    """When a player can force a win from the start of a game.

    Attributes:
        player: the player's name.
        role: which player this is, such as *the first player*.
        last: the last ply of the game.
        said: what the document's main results say.
        now: what these and the auditors' own results say together.
    """

    player: str
    role: str
    last: int
    said: Span
    now: Span


class Chip(NamedTuple):
    """A small box for a statement of the document, such as a lemma.

    Attributes:
        claim: the claim about the statement; if there are several, the claim with the worst standing.
        fault: the gravest severity in the errata of the statement and of its parts, such as its proof. If a part
            has the fault, the name of the part follows in parentheses. Empty if there are no errata.
        is_kept: True if there is a fault, and the words of the statement can stay (``look_of_entry``).
        main: how many main results of the document are among the claims about the statement.
        part: what part of the document it is, if it is not a statement; else empty.
        stated: the claims about the statement itself. Claims about its parts are left out.
    """

    label: str
    claim: ClaimView
    fault: str
    is_kept: bool
    main: int
    part: str
    stated: tuple[ClaimView, ...]


class Front(NamedTuple):
    """What the first screen says about a document that names main results.

    Attributes:
        verdict: whether the main results hold, in a sentence.
        word: ``verdict`` as one word. It is *proved* if all main results hold by the kernel alone, and *unknown* if one
            of them is undecided.
        look: the CSS class of the sentence; never the class of *proved* if a statement of the document is wrong.
        headline: the claims that are the main results.
        further: the auditors' claims that say more than the document.
        believed: the things that you have to trust besides the kernel, such as a solver (``Belief``). Each has a short
            name, a description, and the number of claims that need it. Of the claims in ``headline`` and ``further``,
            only those that hold are counted.
        kernel_alone: the number of claims of ``headline`` and ``further`` that hold, and rest on the kernel alone.
        rules: the rules of the game in short, as the rules of the first main result say them.
        story: when a player can force a win; None if the main results do not say this.
        played: a claim whose plays the explorer has, and on which a claim of ``headline`` or ``further`` rests; empty
            if there is none.
        board: a drawing of the last position of a play that is a witness of ``played``, and its ply; None if there is
            no such play.
        corrections: phrases with the number of corrections and of claims that they concern (``say_corrections``).
        example: an error in the document; None if there is none.
        chips: the statements of the document.
    """

    document: DocumentView
    verdict: str
    word: Verdict
    look: str
    headline: tuple[ClaimView, ...]
    further: tuple[ClaimView, ...]
    believed: tuple[tuple[str, str, int], ...]
    kernel_alone: int
    rules: str
    story: Story | None
    played: str
    board: tuple[Markup, int] | None
    corrections: tuple[str, ...]
    example: LetterEntry | None
    chips: tuple[Chip, ...]


def view_fronts(
    report: Report,
    documents: Sequence[DocumentView],
    claims: Sequence[ClaimView],
    errata: Sequence[Errata],
    opened: Collection[str],
) -> dict[str, Front]:
    """Return the first screens of the documents that name main results, the document with most claims first.

    Args:
        report: the report.
        documents: its documents.
        claims: its claims.
        errata: what is to be corrected.
        opened: the claims whose plays the explorer has.
    """
    views = {claim.result.id: claim for claim in claims}
    wrong = {item.document for item in errata for entry in item.entries if entry.severity == "statement"}
    found = {}
    for document in sorted(documents, key=lambda document: -document.stated):
        made, own = split_headline(report.library, document.id)
        headline, further = (tuple(views[name] for name in names if name in views) for names in (made, own))
        if not headline:
            continue
        beliefs = [claim.result.beliefs for claim in (*headline, *further) if claim.result.standing in _HOLDS]
        counts = {belief: sum(belief in item for item in beliefs) for belief in Belief}
        believed = tuple((NAMES[belief], belief.value, count) for belief, count in counts.items() if count)
        verdict, word = _judge(headline, is_whole=len(headline) == len(made))
        is_repaired = document.id in wrong or any(claim.result.standing in _AFTER_REPAIR for claim in headline)
        look = "proved-after-repair" if is_repaired and word in (Verdict.PROVED, Verdict.SUPPORTED) else str(word)
        if word is Verdict.REFUTED and all(claim.result.standing is not Standing.REFUTED for claim in headline):
            look = "depends-on-the-reading"
        results = [[*_find_leaves(report, views, each)] for each in (headline, (*headline, *further))]
        played = next((leaf.claim for leaf in (*results[0], *results[1]) if leaf.claim in opened), "")
        found[document.id] = Front(
            *(document, verdict, word, look, headline, further, believed, sum(not item for item in beliefs)),
            *(
                flatten(report.library.rules_file(headline[0].result.rules).source.says or ""),
                _tell(report, *results),
                played,
                _draw_end(report, views, played),
                tuple(text.partition(": ")[0] for text in say_corrections(report.ledger, report.library, document.id)),
                _find_example(document.id, errata),
                tuple(_list_chips(report.library, document.id, claims, errata, made)),
            ),
        )
    return found


def _find_leaves(
    report: Report, views: Mapping[str, ClaimView], claims: Sequence[ClaimView]
) -> Iterator[ReadingResult]:
    """Yield each proved reading that has its own evidence and on which the claims rest.

    Leave out the claims' controls (readings that are false on purpose).
    """
    readings = {reading.name: reading for reading in report.ledger.readings}
    left = [reading.result for claim in claims for reading in claim.readings if not reading.result.control]
    met = set[str]()
    for result in left:
        if result.name not in met:
            met.add(result.name)
            left += [readings[name] for name in result.joins if name in readings]
            if result.certificate is not None and result.verdict is Verdict.PROVED:
                yield result


def _tell(report: Report, own: Sequence[ReadingResult], every: Sequence[ReadingResult]) -> Story | None:
    """Return when a player can force a win; None if the document's main results do not say this."""
    read = [*_read(report, every)]
    wins = [item for item in read if win_from_start(item[1].statement) is not None]
    if not wins:
        return None
    (_, first), named = wins[0], {result.name for result in own}
    player, game = first.statement["claimant"], parse_rules(first.statement["rules"])
    spans = []
    for names in (named, {result.name for result in every}):
        low, high = 0, 0
        for result, certificate in read:
            if result.name in names and parse_rules(certificate.statement["rules"]) == game:
                by, held = win_from_start(certificate.statement), hold_from_start(certificate.statement, player, game)
                high = min(filter(None, (high, by)), default=0)
                low = max(low, 0 if held is None else held + 1)
        spans.append(Span(low, high))
    if not all(0 < span.low <= span.high for span in spans):
        return None
    areas = find_presentation(game).board.areas
    role = f"the {'first' if game.turn(game.start) == player else 'second'} player"
    return Story(
        find_presentation(game).players[player], role, sum(len(area.spots) for area in areas), spans[0], spans[1]
    )


def _read(report: Report, results: Sequence[ReadingResult]) -> Iterator[tuple[ReadingResult, CertificateContent]]:
    for result in results:
        filed = result.certificate
        if filed is not None:
            try:
                yield result, report.store.certificate(filed.key, filed.sha256)
            except CertificateError:  # the certificate may have been deleted since the run
                continue


def hold_from_start(statement: Mapping[str, Any], player: str, game: Game) -> int | None:
    """If a statement says that a player cannot force a win from the start by some ply, return this ply; else None."""
    if statement["kind"] == "bound":
        (case, *others) = statement["cases"]
        is_whole = not others and case["first"] is None and game.parse_position(case["start"]) == game.start
        return int(statement["through"]) if is_whole and player == "X" else None
    if statement["kind"] != "play" or statement["claimant"] != OTHER[player]:
        return None
    if game.parse_position(statement["start"]) != game.start or not set(statement["strategies"]) <= {OTHER[player]}:
        return None
    plies = [
        item.get("through", statement["horizon"])
        for item in statement["objectives"]
        if item["type"] == "prevent" and item["goal"] == [f"{player}_wins"]
    ]
    return max(filter(None, plies), default=None)


def _draw_end(report: Report, views: Mapping[str, ClaimView], claim: str) -> tuple[Markup, int] | None:
    for reading in views[claim].readings if claim in views else ():
        if isinstance(reading.result.witness, Line):
            game = game_of(report.library, reading.result)
            position, last, _ = replay_witness(game, reading.result.witness)[-1]
            title, drawings = "The end of a game", report.library.drawings
            drawn = draw_svg(game, position, last, title=title, is_still=True, drawings=drawings)
            return Markup(drawn), game.ply(position)  # noqa: S704 - svg.py escapes
    return None


def _find_example(document: str, errata: Sequence[Errata]) -> LetterEntry | None:
    """Return the gravest error of a document for which there is a correction. Errors of wording do not count.

    Of equally grave errors, prefer one that a play shows.
    """
    entries = [entry for item in errata if item.document == document for entry in item.entries]
    sure = [entry for entry in entries if entry.correction and not entry.is_open]
    found = [entry for entry in sure if entry.severity not in ("", "wording", "remark")]

    def rank(entry: LetterEntry) -> tuple[int, bool, bool]:
        return [*SEVERITIES].index(entry.severity), not entry.board or bool(entry.outside), ", " in entry.label

    return min(found, key=rank, default=None)


def _list_chips(
    library: Library, document: str, claims: Sequence[ClaimView], errata: Sequence[Errata], headline: Collection[str]
) -> Iterator[Chip]:
    """Yield the statements of a document with names such as “Lemma 2”; if no statement has such a name, yield all.

    ``headline`` names the claims that are the document's main results.
    """
    groups = dict[str, list[ClaimView]]()
    for claim in claims:
        if claim.result.source.document == document and not claim.result.source.ours:
            groups.setdefault(claim.label.partition(",")[0], []).append(claim)
    named = {label: group for label, group in groups.items() if label.startswith(_NAMED)}
    faults = [entry for item in errata for entry in item.entries]  # the gravest first
    for label, group in (named or groups).items():
        places = {claim.result.id: claim.label.partition(", ")[2] for claim in group}
        stated = [claim for claim in group if claim.label == label] or group[:1]
        main = min(stated, key=lambda claim: _WORST.index(claim.result.standing))
        fault = next((entry for entry in faults if entry.claim in places), None)
        place = f" ({places[fault.claim]})" if fault and places[fault.claim] else ""
        is_kept = fault is not None and look_of_entry(library, fault).endswith("kept")
        many = len(places.keys() & set(headline))
        said = f"{fault.severity_name}{place}" if fault else ""
        yield Chip(label, main, said, is_kept, many, _PARTS.get(label, ""), tuple(stated))


def _judge(headline: Sequence[ClaimView], *, is_whole: bool) -> tuple[str, Verdict]:
    """Return a sentence that says whether all main results hold, and the verdict on all of them together."""
    standings = [claim.result.standing for claim in headline]
    if not is_whole or {Standing.NOT_RUN, Standing.UNDETERMINED}.intersection(standings):
        return "Some main result is not decided.", Verdict.UNKNOWN
    if not _HOLDS.issuperset(standings):
        how = "fails" if Standing.REFUTED in standings else "depends on how it is read"
        return f"Some main result {how}.", Verdict.REFUTED
    count, repaired = len(headline), sum(standing in _AFTER_REPAIR for standing in standings)
    whole = {1: "The main result holds", 2: "Both main results hold"}.get(count, f"All {count} main results hold")
    believed = sum(bool(claim.result.beliefs) for claim in headline)
    repairs, beliefs = ("" if count == 1 else "all " if n == count else f"{n} " for n in (repaired, believed))
    said = f"{whole}{f'; {repairs}only after a repair' if repaired else ''}"
    if believed:
        said += f"; {beliefs}only supported, not proved"
    if all(any(reading.result.in_coq for reading in claim.readings) for claim in headline):
        said += "; in Coq as well"
    return f"{said}.", Verdict.SUPPORTED if believed else Verdict.PROVED
