"""Data for the strategy explorer, in which a reader plays against the moves of a certificate, to the end of the game.

The moves come from certificates, as lists of numbers (``search/retrieval.py``). The page's script follows these numbers
and knows nothing about strategies. For each game, the explorer offers the proof of the earliest win from the start, if
this proof has few positions. It also offers bounds: proofs that Xavier cannot force a win from some position by some
ply. For each of these positions in which Xavier is to move, it offers the bound with the latest ply.
"""

from __future__ import annotations

import base64
import contextlib
import json
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from verifier.audit.keys import PACK
from verifier.audit.store import Store
from verifier.graph.plays import Guide, find_edges, follow_plays
from verifier.kernel.certificate import CertificateContent, hash_bytes, unpack
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.race import relaxation
from verifier.kernel.race.bound import Lemma, LemmaWalk, Race, Replies, Reply, parse_lemma
from verifier.kernel.relabel import SYMMETRIES
from verifier.kernel.verdict import Verdict
from verifier.language.library import Library
from verifier.pool import Pool, call_or_begin
from verifier.presentation.registry import find_presentation
from verifier.presentation.saying import say_strategy
from verifier.questions.finding import hash_plays
from verifier.questions.registry import find_question
from verifier.questions.result import CertificateFile, ReadingResult
from verifier.report.html.deflate import deflate
from verifier.report.registry import Report
from verifier.search.retrieval import HASH_SEEDS, pack_replies

MAX_TABLE_BYTES, _MAX_POSITIONS = 50_000, 100_000
"""Limits for plays that the page offers: the bytes of their table, and the number of their positions."""

LEAST = 11
"""If Xavier has at least this many marks left up to the ply of the bound, the replies come from the tables. If he has
fewer, the page's script finds a reply by trying every move."""


class EvidenceSource(NamedTuple):
    """A reading with its certificate."""

    result: ReadingResult
    certificate: CertificateContent

    @property
    def statement(self) -> dict[str, Any]:
        """What the certificate states."""
        return self.certificate.statement

    @property
    def game(self) -> Game:
        """The game that the statement is about."""
        return parse_rules(self.statement["rules"])


def recall_data(report: Report, pool: Pool | None = None) -> tuple[list[Game], dict[str, Any]]:
    """Return the result of ``find_data``, remembered or new. The same certificates and specs give the same data."""
    library, store = report.library, report.store
    kinds = library.claims, library.strategies, library.definitions, library.documents
    texts = dict.fromkeys(spec.document.text for specs in kinds for spec in specs.values())
    proofs = [
        (result.name, result.verdict is Verdict.PROVED, filed.sha256)
        for result, filed in _list_filed(report, "play", "bound")
    ]
    given = [proofs, [hash_bytes(text.encode()) for text in texts]]
    value = store.recall(PACK, given) or {}
    with contextlib.suppress(
        LookupError, TypeError, AttributeError, SpecError
    ):  # if the value has another form, make it again
        return [parse_rules(rules) for rules in value["rules"]], dict(value["data"])
    sources = list(read_sources(report))
    boards, data = find_data(report, sources, pool)
    if len(sources) == len(proofs):
        store.remember(PACK, given, {"rules": [game.data for game in boards], "data": data})
    return boards, data


def find_data(
    report: Report, sources: Sequence[EvidenceSource], pool: Pool | None = None
) -> tuple[list[Game], dict[str, Any]]:
    """Return the games, and the data for the page's script: the rules of the games as tables; plays; and replies.

    With a pool, other processes follow the plays and the replies.
    """
    sources = [source for source in sources if find_presentation(source.game).table is not None]
    bounds = strongest([source for source in sources if source.statement["kind"] == "bound"])
    challenges = [(source.game, describe_challenge(report.library, source)) for source in bounds]
    # The page's script offers bounds in the first game only, and opens with the first strategy of this game.
    replies = call_or_begin(
        pool if bounds else None, find_replies, [source.certificate for source in bounds], report.store
    )
    plays = find_short_plays(report, sources, pool)
    found = sorted(plays, key=lambda play: not challenges or play[0] != challenges[0][0])
    for source, (game, data) in zip(bounds, challenges, strict=True):
        if game.parse_position(source.statement["cases"][0]["start"]) == game.start:
            data["first"] = find_first_marks(game, sources, [plays for other, plays in found if other == game])
    boards = list(dict.fromkeys(game for game, _ in [*challenges, *found]))
    games = [{"board": boards.index(game), **data} for game, data in [*found, *challenges]]
    tables = [asdict(table) for game in boards if (table := find_presentation(game).table) is not None]
    return boards, {"tables": tables, "games": games, "replies": replies()}


def read_sources(report: Report, *kinds: str) -> Iterator[EvidenceSource]:
    """Yield the readings of some kinds (by default, plays and bounds) that hold and have a certificate in the store."""
    for result, filed in _list_filed(report, *(kinds or ("play", "bound"))):
        with contextlib.suppress(CertificateError):  # the certificate may have been deleted since the run
            yield EvidenceSource(result, report.store.certificate(filed.key, filed.sha256))


def _list_filed(report: Report, *kinds: str) -> Iterator[tuple[ReadingResult, CertificateFile]]:
    for result in report.ledger.readings:
        is_played = find_question(result.question).kind in kinds
        if result.certificate is not None and is_played and result.holds and not result.trouble:
            yield result, result.certificate


# -- plays: every position of a proof that a player wins ---------------------------------------------------------------


def find_short_plays(
    report: Report, sources: Sequence[EvidenceSource], pool: Pool | None = None
) -> Iterator[tuple[Game, dict[str, Any]]]:
    """Yield games with the plays by which a player wins soonest from the start, if these plays have few positions."""
    found: dict[Game, list[tuple[int, EvidenceSource]]] = {}
    for source in sources:
        by = win_from_start(source.statement) if source.result.verdict is Verdict.PROVED else None
        if by is not None:
            found.setdefault(source.game, []).append((by, source))
    # Of proofs of a win by the same ply, prefer one with a strategy, because its rules explain the moves.
    best = {
        game: min(wins, key=lambda win: (win[0], not win[1].statement["strategies"])) for game, wins in found.items()
    }
    packed = {game: call_or_begin(pool, _pack, best[game][1].certificate, report.store) for game in found}
    for game, wins in found.items():
        (by, source), data = best[game], packed[game]()
        if data is not None:
            claim, plays = report.library.claim(source.result.claim), hash_plays(source.statement)
            alike = [other for ply, other in wins if ply == by and hash_plays(other.statement) == plays]
            said = {
                "key": source.result.name,
                "claims": [other.result.claim for other in alike],
                "by": by,
                "names": dict(find_presentation(game).players),
                "label": f"{report.library.document(claim.source.document).title}: {claim.title}",
            }
            yield game, said | say_strategy_of(report.library, source, data["claimant"]) | data


def _pack(own: CertificateContent, evidence: Store) -> dict[str, Any] | None:
    """Return the packed plays of a certificate.

    Return None if there is no list of the plays, as for an invariant, or if the table or the plays are too large.
    """
    guide = _follow(own, evidence)
    return None if guide is None else pack_plays(guide)


def _follow(own: CertificateContent, evidence: Store) -> Guide | None:
    table = own.evidence.get("table")
    if "invariant" in own.evidence or (table is not None and len(evidence.read(table)) > MAX_TABLE_BYTES):
        return None
    guide = follow_plays(own, evidence.read)
    return guide if guide is not None and len(guide.nodes) <= _MAX_POSITIONS else None


def win_from_start(statement: dict[str, Any]) -> int | None:
    """Return the ply by which the claimant wins from the start against every reply; None if there is no such ply."""
    if statement["kind"] != "play" or statement.get("chooses") is False:
        return None
    game, claimant = parse_rules(statement["rules"]), statement["claimant"]
    if game.parse_position(statement["start"]) != game.start or not set(statement["strategies"]) <= {claimant}:
        return None
    goals = [item for item in statement["objectives"] if item.get("goal") == [f"{claimant}_wins"]]
    wins = [item["by"] for item in goals if item.get("by") is not None]
    by = min(wins, default=None)
    return by if by is None or statement["horizon"] is None or by <= statement["horizon"] else None


def say_strategy_of(library: Library, source: EvidenceSource, player: str) -> dict[str, Any]:
    """Return the title of a strategy and its place in the source, and the places and words of its rules, by label."""
    reading = library.claim(source.result.claim).readings[source.result.id]
    name = getattr(reading, "strategies", {}).get(player)
    if name is None:
        return {"title": "", "place": "", "places": {}, "says": {}}
    model = library.strategy(name.split("#")[0])
    rules = say_strategy(model)
    places = {label: rule.place for label, rule in rules.items()}
    says = {label: rule.says for label, rule in rules.items()}
    return {"title": model.title, "place": model.source.place, "places": places, "says": says}


def pack_plays(guide: Guide) -> dict[str, Any]:
    """Return all plays of a guide as lists of numbers. ``end`` and ``rule`` are indices of ``ends`` and ``rules``."""
    game, (found, turns) = guide.statement.game, find_edges(guide)
    edges, number = [edge for some in found for edge in some], number_moves(game)
    rules = sorted({edge.rule for edge in edges})
    ends = sorted(set(guide.ends))
    begins = guide.nodes[0].mover == guide.statement.claimant and bool(found[0])
    return {
        "claimant": guide.statement.claimant,
        "opens": number[found[0][0].move] if begins else None,
        "start": start_of(game, guide.nodes[0].position),
        "rules": rules,
        "ends": ends,
        "turns": turns,
        "lists": pack_lists(
            count=[len(some) for some in found],
            end=[ends.index(end) for end in guide.ends],
            shortest=guide.shortest,
            longest=guide.longest,
            move=[number[edge.move] for edge in edges],
            rule=[rules.index(edge.rule) for edge in edges],
            to=[edge.to for edge in edges],
            turn=[edge.turn for edge in edges],
        ),
    }


def start_of(game: Game, position: Any) -> dict[str, Any]:
    """Return a position as the page's script keeps it: who holds each place, the group of spots to play in, the ply.

    ``presentation.family.Table`` explains places and groups. Play must not have ended in the position.
    """
    shown, number = find_presentation(game), number_moves(game)
    table: Any = shown.table
    look, spots = shown.look(position), {number[move] for move in game.legal_moves(position)}
    is_open = ({spot for spot in group.spots if look.marks[spot] == "."} == spots for group in table.groups)
    return {"places": f"{look.marks}{look.owners}.", "group": [*is_open].index(True), "ply": game.ply(position)}


def number_moves(game: Game) -> dict[tuple[int, ...], int]:
    """Return, for each move, the number of the spot that it marks. Spots are numbered in the order of the board."""
    spots = [name for area in find_presentation(game).board.areas for name in area.spots]
    return {game.parse_move(name): at for at, name in enumerate(spots)}


def pack_lists(**lists: Sequence[int]) -> str:
    """Return lists as compressed JSON. In place of each number, it has the difference from the number before it."""
    steps = {name: list(map(operator.sub, values, [0, *values])) for name, values in lists.items()}
    return deflate(json.dumps(steps, separators=(",", ":")))


# -- replies: Olivia's answers in positions from which Xavier cannot force a win --------------------------------------


def strongest(bounds: Sequence[EvidenceSource]) -> list[EvidenceSource]:
    """Return the strongest bounds of one game: the game of the first bound.

    For each position about which there are bounds, return the bound with the latest ply. The earliest position comes
    first. Leave out bounds about several positions, about only some first moves of Xavier's, or about positions in
    which Olivia is to move.
    """
    starts: dict[str, list[EvidenceSource]] = {}
    for source in bounds:
        case, *others = source.statement["cases"]
        game, is_whole = source.game, not others and case["first"] is None
        if is_whole and game == bounds[0].game and game.turn(game.parse_position(case["start"])) == "X":
            starts.setdefault(case["start"], []).append(source)
    ordered = sorted(starts, key=lambda start: len(start.replace(".", "")))
    return [max(starts[start], key=lambda source: source.statement["through"]) for start in ordered]


def find_raced(report: Report, games: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return, for each claim about a bound that a game of the explorer shows, the key of this game.

    The game begins in the position of the bound, and its replies prevent a win at least up to the ply of the bound.
    """
    races = [game for game in games if "through" in game]
    return {
        source.result.claim: game["key"]
        for source in (read_sources(report, "bound") if races else ())
        for game in reversed(races)
        if _is_shown_by(source, game)
    }


def _is_shown_by(source: EvidenceSource, shown: Mapping[str, Any]) -> bool:
    """Say whether a game of the explorer begins where a bound does, and prevents a win at least up to the same ply."""
    case, *others = source.statement["cases"]
    game, start = source.game, source.game.parse_position(case["start"])
    is_whole = not others and case["first"] is None and game.turn(start) == "X"
    is_as_long = bool(source.statement["through"] <= shown["through"])
    return is_whole and is_as_long and start_of(game, start)["places"] == shown["start"]["places"]


def describe_challenge(library: Library, source: EvidenceSource) -> dict[str, Any]:
    """Return the page's data about a bound: words about it, and the position in which play against it begins."""
    game, claim = source.game, library.claim(source.result.claim)
    return {
        "key": source.result.name,
        "claims": [claim.claim],
        "proved": source.result.verdict is Verdict.PROVED,
        "names": dict(find_presentation(game).players),
        "label": claim.title if len(claim.readings) == 1 else f"{claim.title} ({source.result.id})",
        "through": source.statement["through"],
        "start": start_of(game, game.parse_position(source.statement["cases"][0]["start"])),
    }


def find_first_marks(
    game: Game, sources: Iterable[EvidenceSource], plays: Sequence[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """Return what proofs say about Xavier's first marks; None if no proof says by which ply he wins.

    Args:
        game: the game.
        sources: the readings that hold.
        plays: the plays of this game that the page offers.

    Returns:
        ``by``: the ply by which he wins. ``wins``: the first mark of the plays that prove this, and their claims.
        ``fails``: the claims which say that he cannot force a win by this ply, each with the first marks that it is
        about. Each mark is named once, and marks about which no proof says anything are left out.
    """
    won = next((item for item in plays if item["claimant"] == "X" and item["opens"] is not None), None)
    if won is None:
        return None
    number, named, fails = number_moves(game), {won["opens"]}, []
    for source in sources:
        statement = source.statement
        is_strong = statement["kind"] == "bound" and statement["through"] >= won["by"]
        if not is_strong or source.result.verdict is not Verdict.PROVED or source.game != game:
            continue
        cases = [case for case in statement["cases"] if game.parse_position(case["start"]) == game.start]
        legal = game.legal_moves(game.start)
        marks = [
            move for case in cases for move in (legal if case["first"] is None else map(game.parse_move, case["first"]))
        ]
        spots = [spot for spot in sorted({number[move] for move in marks}) if spot not in named]
        if spots:
            named.update(spots)
            fails.append({"claim": source.result.claim, "spots": spots})
    return {"by": won["by"], "wins": {"spot": won["opens"], "claims": won["claims"]}, "fails": fails}


def find_replies(bounds: Sequence[CertificateContent], evidence: Store) -> dict[str, Any] | None:
    """Return Olivia's replies in the tables of bounds, packed; None if there are no tables."""
    names = dict.fromkeys(name for bound in bounds for name in bound.evidence["tables"])
    if not names:
        return None
    lemmas = (parse_lemma(unpack(evidence.read(name), "the replies"), "the replies") for name in names)
    cells = pack_replies(collect_replies(lemmas))
    return {
        "least": LEAST,
        "seeds": HASH_SEEDS,
        "symmetries": SYMMETRIES,
        "cells": [{"third": third, "packed": base64.b64encode(packed).decode()} for third, packed in cells],
    }


def collect_replies(lemmas: Iterable[Lemma], least: int = LEAST) -> dict[Race, Reply]:
    """Return the replies of some tables for races in which Xavier has ``least`` or more marks left.

    A *race* is a position in which only Xavier can win (``kernel/race``). A table lists replies without their races. So
    this function follows the replies in their order, as the kernel does, to find the race of each reply. If two tables
    have different replies for the same race, both keep Xavier from winning, and the first is returned.
    """
    found: dict[Race, Reply] = {}
    for lemma in lemmas:
        stream = Replies(lemma)

        def choose(fields: relaxation.Fields, active: int, marks: int, stream: Replies = stream) -> Reply:
            reply = stream.choose(fields, active, marks)
            found.setdefault((fields, active, marks), reply)
            return reply

        LemmaWalk(replace(lemma, frontier=max(lemma.frontier, least - 1)), choose, lambda *_: None).run()
    return found
