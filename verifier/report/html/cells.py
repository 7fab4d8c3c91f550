"""Data for playing *games of cells* in the page, against the moves of a certificate.

These are the games whose rules do not fit into a table of places (``presentation/family.Table``): all games of the
family ``general``, and some others, such as games in which marks fall. So the data list positions: the moves from each
position, where each move leads, how play ends, and what the board shows. All of it comes from the kernel's walk of the
certificate and from the presentation of the game. The page's script only follows the lists.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from verifier.audit.keys import PACK
from verifier.audit.ledger import ClaimResult
from verifier.audit.store import Store
from verifier.graph.plays import Guide, follow_plays
from verifier.kernel.certificate import CertificateContent, hash_bytes
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import Game
from verifier.kernel.verdict import Verdict
from verifier.language.rules.drawn import DrawnClause
from verifier.pool import Pool, call_or_begin
from verifier.presentation.family import Presentation
from verifier.presentation.registry import find_presentation
from verifier.presentation.svg import draw_svg
from verifier.questions.registry import find_question
from verifier.questions.result import ReadingResult
from verifier.report.html.deflate import deflate
from verifier.report.html.explorer import MAX_TABLE_BYTES, EvidenceSource, pack_lists, say_strategy_of
from verifier.report.printable import make_texts_printable, show_unprintable
from verifier.report.registry import Report

MAX_PACKED_POSITIONS, MAX_PACKED_SYMMETRIES = 6_000, 2_000
"""Maximum number of positions of a game in the page, and of symmetries of its plays. Plays with more of either are left
out. With more symmetries, it would take minutes to find the images of the positions."""


class CellGames(NamedTuple):
    """The games of cells that a page offers.

    Attributes:
        keys: for each claim, the name of the reading whose plays the page has. This name is the key of the claim's
            game.
        rules: the names of the rules of these games.
        left_out: the claims whose plays have too many positions or symmetries, or too large a table, for the page.
        data: for the page's script; empty if no game is offered. ``offered`` is what the page says about the games,
            compressed, and ``plays`` has the compressed plays of each game, by key.
        is_whole: False if a certificate could not be read. It may have been deleted since the run.
    """

    keys: dict[str, str]
    rules: list[str]
    left_out: list[str]
    data: dict[str, Any]
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class PlayedPosition:
    """A position of the plays that a page has.

    Attributes:
        edges: the moves that the certificate covers, each as its text, the label of the strategy's rule, and the
            number of the position after it. Empty if play ends here, or if the kernel follows the plays no further.
        number: in the guide, the number of the position that stands for this position.
    """

    position: Any
    number: int
    edges: tuple[tuple[str, str, int], ...]


def recall_cells(report: Report, pool: Pool | None = None) -> CellGames:
    """Return the result of ``find_cells``. It is remembered for the same certificates and specs."""
    library, store = report.library, report.store
    kinds = library.claims, library.strategies, library.documents
    texts = dict.fromkeys(spec.document.text for specs in kinds for spec in specs.values())
    filed = [
        [result.name, result.certificate.sha256]
        for claim in report.ledger.claims
        for result in _list_readings(claim)
        if result.certificate is not None
    ]
    drawn = [[game.data, clause.model_dump()] for game, clause in library.drawings.items()]
    given = ["cells", filed, drawn, [hash_bytes(text.encode()) for text in texts]]
    value = store.recall(PACK, given) or {}
    with contextlib.suppress(LookupError, TypeError, AttributeError):  # another form: find the games again
        return CellGames(dict(value["keys"]), list(value["rules"]), list(value["left_out"]), dict(value["data"]))
    found = find_cells(report, pool)
    if found.is_whole:
        store.remember(PACK, given, found._asdict())
    return found


def find_cells(report: Report, pool: Pool | None = None) -> CellGames:
    """Return the games of cells that can be played against a certificate, one for each claim that has such plays."""
    library, begun, is_whole = report.library, [], True
    for claim in report.ledger.claims:
        read = [_read_source(report, result) for result in _list_readings(claim)]
        is_whole = is_whole and None not in read
        sources = [source for source in read if source is not None and _is_of_cells(source)]
        if sources:
            names = [
                (source.result.name, source.certificate, source.result.stats.get("positions", 0)) for source in sources
            ]
            drawn = {source.game: clause for source in sources if (clause := library.drawings.get(source.game))}
            begun.append((sources, call_or_begin(pool, pack_first, names, report.store, drawn)))
    games, plays, left_out = list[dict[str, Any]](), dict[str, str](), list[str]()
    boards, rules = list[Game](), list[str]()
    for sources, find in begun:
        try:
            found = find()
        except CertificateError:
            found, is_whole = None, False
        if found is None or "packed" not in found:
            left_out += [] if found is None else [sources[0].result.claim]
            continue
        source = next(source for source in sources if source.result.name == found["key"])
        result, spec = source.result, library.claim(source.result.claim)
        if source.game not in boards:
            boards.append(source.game)
            rules.append(spec.rules_of(result.id))
        plays[result.name] = found.pop("packed")
        games.append(
            {
                "claim": result.claim,
                "title": spec.title,
                "document": library.document(spec.source.document).title,
                "refuted": result.verdict is Verdict.REFUTED,
                "board": boards.index(source.game),
                "strategy": say_strategy_of(library, source, found["answered"]),
                "names": dict(find_presentation(source.game).players),
                **found,
            }
        )
    if not games:
        return CellGames({}, [], left_out, {}, is_whole)
    drawn_boards = (draw_svg(game, game.start, title="The board", drawings=library.drawings) for game in boards)
    drawings = [show_unprintable(board) for board in drawn_boards]
    said = [_say_rules(report, name, game) for name, game in zip(rules, boards, strict=True)]
    offered = make_texts_printable({"games": games, "rules": said}) | {"boards": drawings}
    data = {"offered": deflate(json.dumps(offered, separators=(",", ":"))), "plays": plays}
    return CellGames({game["claim"]: game["key"] for game in games}, rules, left_out, data, is_whole)


def _say_rules(report: Report, name: str, game: Game) -> dict[str, Any]:
    model = report.library.rules_file(name)
    clauses = [list(clause) for clause in find_presentation(game).say_rules(model)]
    return {"id": name, "title": model.title, "says": " ".join((model.source.says or "").split()), "clauses": clauses}


def _list_readings(claim: ClaimResult) -> list[ReadingResult]:
    """Return the readings of a claim that are about plays and have a certificate, except controls.

    Proved readings come first. Readings with ``trouble``, such as rejected evidence, are left out.
    """
    results = [
        result
        for result in claim.readings
        if result.certificate is not None and not result.trouble and not result.control
        if find_question(result.question).kind == "play"
    ]
    return sorted(results, key=lambda result: result.verdict is not Verdict.PROVED)


def _read_source(report: Report, result: ReadingResult) -> EvidenceSource | None:
    """Return a reading with its certificate; None if the certificate cannot be read."""
    filed = result.certificate
    with contextlib.suppress(CertificateError):
        return None if filed is None else EvidenceSource(result, report.store.certificate(filed.key, filed.sha256))
    return None


def _is_of_cells(source: EvidenceSource) -> bool:
    """Say whether a certificate has the plays of a game without a table of places. A single line does not count."""
    is_walked = source.statement["kind"] == "play" and not {"line", "obligations"} & source.certificate.evidence.keys()
    return is_walked and find_presentation(source.game).table is None


def pack_first(
    sources: Iterable[tuple[str, CertificateContent, int]], store: Store, drawings: Mapping[Game, DrawnClause]
) -> dict[str, Any] | None:
    """Return the packed plays of the first certificate with plays that a reader can play in the page.

    If there is no such certificate, return an empty dictionary if at least one was too large to be tried; else None.

    Args:
        sources: the name of each reading, with its certificate and the number of positions that the kernel has counted,
            or 0 if this number is not known.
        store: has the files that the certificates name.
        drawings: boards of points and lines, by game.
    """
    is_too_large = False
    for name, certificate, positions in sources:
        table = certificate.evidence.get("table")
        is_long = table is not None and len(store.read(table)) > MAX_TABLE_BYTES
        if is_long or positions > MAX_PACKED_POSITIONS:
            is_too_large = True
            continue
        guide = follow_plays(certificate, store.read)
        played = None if guide is None else list_positions(guide, MAX_PACKED_POSITIONS)
        if guide is not None and played is not None:
            found = pack_cells(guide, played, list_answered(guide, certificate), drawings)
            if found is not None:
                return {"key": name, **found}
        is_too_large = is_too_large or (guide is not None and played is None)
    return {} if is_too_large else None


def list_answered(guide: Guide, certificate: CertificateContent) -> str:
    """Return the players whose moves the certificate gives, by a strategy or by a table."""
    statement = guide.statement
    has_table = "table" in certificate.evidence
    return "".join(
        player for player in "XO" if player in statement.strategies or (has_table and player == statement.claimant)
    )


def pack_cells(
    guide: Guide, played: list[PlayedPosition], answered: str, drawings: Mapping[Game, DrawnClause]
) -> dict[str, Any] | None:
    """Return the plays of a guide for the page; None if they are not offered.

    They are not offered if the certificate moves for both players, or if plays start from many positions (``given``).
    Nor are they if the reader never has a choice of moves, or lacks a legal move in some position.

    Args:
        guide: the plays.
        played: their positions (``list_positions``).
        answered: the players whose moves the certificate gives (``list_answered``).
        drawings: boards of points and lines, by game.
    """
    statement, game = guide.statement, guide.statement.game
    if statement.given is not None or len(answered) > 1:
        return None
    is_free = [bool(each.edges) and game.turn(each.position) not in answered for each in played]
    if not any(free and len(each.edges) > 1 for free, each in zip(is_free, played, strict=True)):
        return None
    if any(free and not has_all_moves(game, each) for free, each in zip(is_free, played, strict=True)):
        return None
    shown = find_presentation(game, drawings)
    looks = [shown.look(each.position).marks for each in played]
    edges = [edge for each in played for edge in each.edges]
    moves, rules = sorted({text for text, _, _ in edges}), sorted({rule for _, rule, _ in edges})
    ends = sorted({guide.ends[each.number] for each in played})
    at = {name: {text: index for index, text in enumerate(texts)} for name, texts in (("m", moves), ("r", rules))}
    lists = pack_lists(
        count=[len(each.edges) for each in played],
        turn=["XO".index(game.turn(each.position)) for each in played],
        end=[ends.index(guide.ends[each.number]) for each in played],
        shortest=[guide.shortest[each.number] for each in played],
        longest=[guide.longest[each.number] for each in played],
        move=[at["m"][text] for text, _, _ in edges],
        rule=[at["r"][rule] for _, rule, _ in edges],
        to=[to for _, _, to in edges],
    )
    return {
        "claimant": statement.claimant,
        "answered": answered,
        "isFromStart": statement.start == game.start,
        "ends": ends,
        "moves": moves,
        "rules": rules,
        "clicks": can_be_clicked(shown, played, looks),
        "packed": f"{lists} {deflate(''.join(looks))}",
    }


def list_positions(guide: Guide, limit: int) -> list[PlayedPosition] | None:
    """Return the positions of a guide, from its start; None if there are more than ``limit``, or too many symmetries.

    If a position of the guide stands for its images under symmetries, each image that a play reaches is listed.
    """
    statement = guide.statement
    game, start = statement.game, guide.nodes[0].position
    numbers, found, waiting = {start: 0}, list[PlayedPosition](), [start]
    if len(guide.nodes) > limit or (
        guide.symmetries is not None and len(guide.symmetries.group) > MAX_PACKED_SYMMETRIES
    ):
        return None
    for position in waiting:  # positions are added while the loop runs
        edges = list[tuple[str, str, int]]()
        for move, (rule, after) in guide.moves(position).items():
            fits = after if statement.has_number else game.without_number(after)
            if fits not in numbers:
                numbers[fits] = len(numbers)
                waiting.append(fits)
            edges.append((game.format_move(move), rule, numbers[fits]))
        if len(waiting) > limit:
            return None
        found.append(PlayedPosition(position, guide.numbers[guide.stand_in(position)], tuple(edges)))
    return found


def has_all_moves(game: Game, each: PlayedPosition) -> bool:
    """Say whether the moves of a position are all its legal moves."""
    legal = sorted(map(game.format_move, game.legal_moves(each.position)))
    return sorted(text for text, _, _ in each.edges) == legal


def can_be_clicked(shown: Presentation, played: list[PlayedPosition], looks: list[str]) -> bool:
    """Say whether each move is named by the spots that it changes, such as ``4`` or ``1-6``."""
    names = [name for area in shown.board.areas for name in area.spots]
    at = {name: number for number, name in enumerate(names)}
    return all(
        part in at and looks[number][at[part]] != looks[to][at[part]]
        for number, each in enumerate(played)
        for text, _, to in each.edges
        for part in text.split("-")
    )
