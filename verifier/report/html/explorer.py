"""The strategy explorer: play against what a certificate says, move by move, to the end.

What the page knows is made here from the certificates alone, as lists of numbers (``plays``, ``search/retrieval.py``);
the page's script follows them and knows nothing of the strategies. Which certificates these are is decided by what they
state: in each game the soonest proof that a player wins from the start, where its plays are few; and the proofs that
Xavier cannot force a win by some ply from a position of his, the strongest for each.
"""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from verifier.audit.memory import PACK, Memory
from verifier.audit.store import Stores
from verifier.graph.plays import PlayGraph, build_play_graph
from verifier.graph.replies import LEAST, collect_replies
from verifier.kernel.certificate import Certificate, hash_bytes, unpack
from verifier.kernel.decide import Memo, decide
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.race.bound import parse_lemma
from verifier.kernel.relabel import SYMMETRIES, Symmetries
from verifier.kernel.statement import parse_statement
from verifier.kernel.verdict import Verdict
from verifier.language.library import Library
from verifier.language.questions import Can, Plays
from verifier.language.saying import say_strategy
from verifier.methods.finding import hash_plays
from verifier.methods.method import find_method
from verifier.methods.result import Filed, ReadingResult
from verifier.presentation.registry import show
from verifier.report.html.plays import pack_plays, start_of
from verifier.report.order import title_of
from verifier.report.registry import Report
from verifier.search.retrieval import SEEDS, pack_replies

_HEAVIEST, _MOST = 50_000, 100_000
"""Plays are offered if their table has no more bytes than that, and they no more positions."""


class Source(NamedTuple):
    """A reading that is proved or supported, with its certificate."""

    result: ReadingResult
    certificate: Certificate

    @property
    def statement(self) -> dict[str, Any]:
        """What it states."""
        return self.certificate.statement

    @property
    def game(self) -> Game:
        """The game that it is about."""
        return parse_rules(self.statement["rules"])


def recall_data(report: Report) -> tuple[list[Game], dict[str, Any]]:
    """Return what ``find_data`` does, which takes long: remembered by the certificates and the text of the specs."""
    library, memory = report.library, report.memory or Memory(None)
    kinds = library.claims, library.strategies, library.definitions, library.documents
    texts = dict.fromkeys(spec.document.text for specs in kinds for spec in specs.values())
    proofs = [(result.name, _is_proved(result), filed.sha256) for result, filed in _list_filed(report)]
    given = [proofs, [hash_bytes(text.encode()) for text in texts]]
    value = memory.recall(PACK, given) or {}
    with contextlib.suppress(LookupError, TypeError, AttributeError, SpecError):  # of another shape: made anew
        return [parse_rules(rules) for rules in value["rules"]], dict(value["data"])
    sources = list(read_sources(report))
    boards, data = find_data(report, sources)
    if len(sources) == len(proofs):
        memory.remember(PACK, given, {"rules": [game.data for game in boards], "data": data})
    return boards, data


def name_claims(games: Sequence[dict[str, Any]]) -> list[str]:
    """Return the claims that some games name, each once."""
    return list(dict.fromkeys(name for game in games for name in game["claims"]))


def find_data(report: Report, sources: Sequence[Source]) -> tuple[list[Game], dict[str, Any]]:
    """Return the games, and what the section's script follows: for each game its table, and what is played in it."""
    bounds = strongest([source for source in sources if source.statement["kind"] == "bound"])
    challenges = [(source.game, describe_challenge(report.library, source)) for source in bounds]
    # The page's script plays the first game against bounds, and the first of its strategies.
    found = sorted(find_plays(report, sources), key=lambda play: not challenges or play[0] != challenges[0][0])
    boards = list(dict.fromkeys(game for game, _ in [*challenges, *found]))
    games = [{"board": boards.index(game), **data} for game, data in [*found, *challenges]]
    tables, replies = [_pack_table(game) for game in boards], find_replies(bounds, report.evidence)
    return boards, {"tables": tables, "games": games, "replies": replies}


def _pack_table(game: Game) -> dict[str, Any]:
    table = show(game).table
    if table is None:
        return {}
    groups = [{"where": group.where, "spots": list(group.spots)} for group in table.groups]
    return {**table._asdict(), "groups": groups}


def read_sources(report: Report) -> Iterator[Source]:
    """Yield the readings of plays and bounds that hold and have a certificate in a store of the report."""
    for result, filed in _list_filed(report):
        with contextlib.suppress(CertificateError):  # a ledger from elsewhere may name what is not here
            yield Source(result, report.evidence.certificate(filed.key, filed.sha256))


def _list_filed(report: Report) -> Iterator[tuple[ReadingResult, Filed]]:
    for result in report.ledger.readings:
        is_played = find_method(result.question).kind in ("play", "bound")
        if result.certificate is not None and is_played and result.holds and not result.trouble:
            yield result, result.certificate


def _is_proved(result: ReadingResult) -> bool:
    return result.verdict is Verdict.PROVED and not result.trouble


# -- plays: every position of a proof that a player wins ---------------------------------------------------------------


def find_plays(report: Report, sources: Sequence[Source]) -> Iterator[tuple[Game, dict[str, Any]]]:
    """Yield each game, with the plays by which a player wins soonest from its start, where these are few."""
    found: dict[Game, list[tuple[int, Source]]] = {}
    for source in sources:
        by = win_from_start(source.statement) if _is_proved(source.result) else None
        if by is not None:
            found.setdefault(source.game, []).append((by, source))
    for game, wins in found.items():
        # Of those by the same ply one by a strategy: its rules say why.
        by, source = min(wins, key=lambda win: (win[0], not win[1].statement["strategies"]))
        graph, plays = _follow(source, report.evidence), hash_plays(source.statement)
        if graph is not None:
            claim = report.library.claim(source.result.claim)
            yield (
                game,
                {
                    "key": source.result.name,
                    "claims": [
                        other.result.claim for ply, other in wins if ply == by and hash_plays(other.statement) == plays
                    ],
                    "by": by,
                    "label": f"{title_of(report.library, claim.source.document)}: {claim.title}",
                    **_strategy(report.library, source, graph.claimant),
                    **pack_plays(graph),
                },
            )


def _follow(source: Source, evidence: Stores) -> PlayGraph | None:
    """Return the plays of a certificate; None where they are too many."""
    own, memo = source.certificate, Memo()
    table = own.evidence.get("table")
    if "invariant" in own.evidence or (table is not None and len(evidence.read(table)) > _HEAVIEST):
        return None
    decide(own.statement, own.verdict, own.evidence, evidence.read, memo)
    statement, walked = parse_statement(own.statement), tuple(memo.last)
    if not 0 < len(walked) <= _MOST:
        return None
    generators = own.evidence.get("symmetries")
    symmetries = None if generators is None else Symmetries(own.statement, statement, generators)
    return build_play_graph(statement, walked, symmetries)


def win_from_start(statement: dict[str, Any]) -> int | None:
    """Return the ply by which a statement says that its claimant wins, against anything, from the start."""
    if statement["kind"] != "play" or statement.get("chooses") is False:
        return None
    game, claimant = parse_rules(statement["rules"]), statement["claimant"]
    if show(game).table is None:
        return None
    if game.parse_position(statement["start"]) != game.start or not set(statement["strategies"]) <= {claimant}:
        return None
    wins = [item["by"] for item in statement["objectives"] if item.get("goal") == [f"{claimant}_wins"] and "by" in item]
    by = min(wins, default=None)
    return by if by is None or statement["horizon"] is None or by <= statement["horizon"] else None


def _strategy(library: Library, source: Source, player: str) -> dict[str, Any]:
    """Return the title of the strategy, where its source has it and each of its rules, and these in words."""
    reading = library.claim(source.result.claim).readings[source.result.id]
    if not isinstance(reading, Plays | Can) or not reading.strategies:
        return {"title": "", "place": "", "places": {}, "says": {}}
    name = next(name for side, name in reading.strategies.items() if side == player)
    model = library.strategy(name.split("#")[0])
    rules = say_strategy(model)
    places = {label: rule.place for label, rule in rules.items()}
    says = {label: rule.says for label, rule in rules.items()}
    return {"title": model.title, "place": model.source.place, "places": places, "says": says}


# -- replies: what Olivia answers where Xavier cannot force a win ----------------------------------------------------


def strongest(bounds: Sequence[Source]) -> list[Source]:
    """Return the bounds of a game on all that Xavier can do from a position, the strongest for each, earliest first."""
    found: dict[str, Source] = {}
    for source in bounds:
        cases, game = source.statement["cases"], source.game
        if (
            game == bounds[0].game
            and len(cases) == 1
            and cases[0]["first"] is None
            and game.turn(game.parse_position(cases[0]["start"])) == "X"
        ):
            start = cases[0]["start"]
            if start not in found or source.statement["through"] > found[start].statement["through"]:
                found[start] = source
    return sorted(found.values(), key=lambda source: len(source.statement["cases"][0]["start"].replace(".", "")))


def describe_challenge(library: Library, source: Source) -> dict[str, Any]:
    """Return what the page says of a bound, and where play begins."""
    game, claim = source.game, library.claim(source.result.claim)
    return {
        "key": source.result.name,
        "claims": [claim.claim],
        "proved": _is_proved(source.result),
        "label": claim.title if len(claim.readings) == 1 else f"{claim.title} ({source.result.id})",
        "through": source.statement["through"],
        "start": start_of(game, game.parse_position(source.statement["cases"][0]["start"])),
    }


def find_replies(bounds: Sequence[Source], evidence: Stores) -> dict[str, Any] | None:
    """Return Olivia's replies of the strongest bounds, packed; None without one."""
    names = dict.fromkeys(name for source in bounds for name in source.certificate.evidence["tables"])
    if not names:
        return None
    lemmas = (parse_lemma(unpack(evidence.read(name), "the replies"), "the replies") for name in names)
    cells = pack_replies(collect_replies(lemmas))
    return {
        "least": LEAST,
        "seeds": SEEDS,
        "symmetries": SYMMETRIES,
        "cells": [{"third": third, "packed": base64.b64encode(packed).decode()} for third, packed in cells],
    }
