"""The strategy explorer: play against what a certificate says, move by move.

What the page knows is made here from the certificates alone, as lists of numbers (``pack``); the page's script follows
them and knows nothing of the strategies. Which certificates these are is decided by what they state: against Xavier or
Olivia, a proof that the player who follows it wins every play from the start of the game (the soonest one); and the
proofs that Xavier cannot force a win by some ply.
"""

from __future__ import annotations

import base64
import contextlib
import json
import pathlib
from array import array
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from markupsafe import Markup

from verifier.audit.pool import open_pool
from verifier.audit.store import Stores
from verifier.graph.playable import NEVER, PlayGraph, build_play_graph
from verifier.graph.plays import group_scopes, walk_through
from verifier.graph.replies import IDENTITY, ReplyGraph
from verifier.kernel.certificate import Certificate, unpack
from verifier.kernel.errors import CertificateError
from verifier.kernel.formula import Formulas, Test
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.relabel import SYMMETRIES
from verifier.kernel.statement import parse_statement
from verifier.kernel.store import TABLE
from verifier.kernel.verdict import Verdict
from verifier.language.library import Library
from verifier.language.model import Can, Plays
from verifier.language.saying import say_strategy
from verifier.methods.finding import hash_plays
from verifier.methods.registry import find_method
from verifier.methods.result import ReadingResult
from verifier.presentation.registry import show
from verifier.presentation.svg import draw_svg
from verifier.report.html.properties import Property, find_properties
from verifier.report.html.sections import Section
from verifier.report.registry import Report

_FOLDER = pathlib.Path(__file__).parent
KINDS = ("play", "bound")
"""The kinds of statements whose certificates say what is to be played."""

_FEW = 4
"""So many bounds are not worth a process of their own."""

_NONE = 255
"""What stands for nothing in a list of bytes."""


class Source(NamedTuple):
    """A reading that is proved or supported, with its certificate."""

    claim: str
    reading: str
    certificate: Certificate
    is_proved: bool

    @property
    def name(self) -> str:
        """The reading, as ``CLAIM/READING``."""
        return f"{self.claim}/{self.reading}"


def explorer_section(report: Report) -> Section | None:
    """Return the section, or None where the report has no certificate to play against."""
    sources = list(read_sources(report))
    game = choose_game(sources)
    data = game and find_data(report, game, sources)
    if not game or not data:
        return None
    html = (_FOLDER / "explorer.html").read_text(encoding="utf-8")
    board = draw_svg(game, game.start, title="The board", is_large=True)
    return Section(
        "explorer",
        "Play against the proof",
        Markup(html.replace("<!-- board -->", board)),  # noqa: S704 - a file of this package
        style=(_FOLDER / "explorer.css").read_text(encoding="utf-8"),
        script="\n".join((_FOLDER / name).read_text(encoding="utf-8") for name in ("explorer-games.js", "explorer.js")),
        data=(
            ("explorer-table", json.dumps(_pack_table(game), separators=(",", ":"))),
            ("explorer-data", json.dumps(data, separators=(",", ":"))),
        ),
        is_printed=False,
    )


def choose_game(sources: Sequence[Source]) -> Game | None:
    """Return the game that most certificates can be played against in, of those that the page can play on in."""
    found = Counter(
        json.dumps(source.certificate.statement["rules"], sort_keys=True)
        for source in sources
        if source.certificate.statement["kind"] == "bound" or win_from_start(source.certificate.statement) is not None
    )
    return parse_rules(json.loads(found.most_common(1)[0][0])) if found else None


def _pack_table(game: Game) -> dict[str, Any]:
    table = show(game).table
    if table is None:
        return {}
    groups = [{"where": group.where, "spots": list(group.spots)} for group in table.groups]
    return {**table._asdict(), "groups": groups}


def find_data(report: Report, game: Game, sources: Sequence[Source]) -> dict[str, Any]:
    """Return what the section's script follows: plays and replies in one game."""
    rules = game.data
    plays, replies = _find_games(report, [s for s in sources if s.certificate.statement["rules"] == rules])
    return {key: value for key, value in (("plays", plays), ("replies", replies)) if value is not None}


def _find_games(report: Report, sources: Sequence[Source]) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Return the plays and the replies; where there are many bounds, another process makes these meanwhile."""
    proved = [source for source in sources if source.is_proved]
    bounds = [source for source in sources if source.certificate.statement["kind"] == "bound"]
    titles = {source.name: _title(report.library, source) for source in bounds}
    with open_pool(2 if len(bounds) > _FEW else 1) as executor:
        later = executor.submit(find_replies, bounds, titles, report.evidence) if executor else None
        plays = find_plays(report, proved)
        with contextlib.suppress(Exception):  # a process that fails or is killed costs time: here it is tried again
            if later is not None:
                return plays, later.result()
    return plays, find_replies(bounds, titles, report.evidence)


def read_sources(report: Report) -> Iterator[Source]:
    """Yield the readings of plays and bounds that hold and have a certificate in a store of the report."""
    for result in report.ledger.readings:
        filed = result.certificate
        if filed is not None and find_method(result.question).kind in KINDS and result.holds and not result.trouble:
            with contextlib.suppress(CertificateError):  # a ledger from elsewhere may name what is not here
                yield Source(
                    result.claim,
                    result.id,
                    report.evidence.certificate(filed.key, filed.sha256),
                    _is_proved(result),
                )


def _is_proved(result: ReadingResult) -> bool:
    return result.verdict is Verdict.PROVED and not result.trouble


# -- plays: every position of a strategy that wins -------------------------------------------------------------------


def find_plays(report: Report, sources: Sequence[Source]) -> dict[str, Any] | None:
    """Return the plays of the strategy that wins soonest from the start of the game, packed; None without one."""
    library = report.library
    found = [(by, source) for source in sources if (by := win_from_start(source.certificate.statement)) is not None]
    if not found:
        return None
    by, source = min(found, key=lambda item: item[0])
    plays = hash_plays(source.certificate.statement)
    related = [other for other in sources if hash_plays(other.certificate.statement) == plays]
    same = [other for _, other in found if other in related]
    statement = parse_statement(source.certificate.statement)
    walked = walk_through(statement)
    graph = build_play_graph(statement, walked)
    proved = [(item.claim, item.id) for item in report.ledger.readings if _is_proved(item)]
    properties = find_properties(library, [(other.claim, other.reading) for other in related], proved)
    return {
        "claims": [other.claim for other in same if win_from_start(other.certificate.statement) == by],
        "by": by,
        **_strategy(library, source, statement.claimant),
        **pack_plays(graph, properties, group_scopes(statement, walked.nodes)),
    }


def win_from_start(statement: dict[str, Any]) -> int | None:
    """Return the ply by which a statement says that its claimant's strategy wins, against anything, from the start."""
    if statement["kind"] != "play" or statement["horizon"] is not None:
        return None
    game, claimant = parse_rules(statement["rules"]), statement["claimant"]
    if show(game).table is None:
        return None
    if game.parse_position(statement["start"]) != game.start or set(statement["strategies"]) != {claimant}:
        return None
    wins = [item["by"] for item in statement["objectives"] if item.get("goal") == [f"{claimant}_wins"] and "by" in item]
    return min(wins, default=None)


def _strategy(library: Library, source: Source, player: str) -> dict[str, Any]:
    """Return the title of the strategy, where its source has it and each of its rules, and these in words."""
    reading = library.claim(source.claim).readings[source.reading]
    if not isinstance(reading, Plays | Can):
        return {"title": "", "place": "", "places": {}, "says": {}}
    name = next(name for side, name in reading.strategies.items() if side == player)
    model = library.strategy(name.split("#")[0])
    rules = say_strategy(model)
    places = {label: rule.place for label, rule in rules.items()}
    says = {label: rule.says for label, rule in rules.items()}
    return {"title": model.title, "place": model.source.place, "places": places, "says": says}


Scopes = Mapping[str, Container[Any]]
"""The positions of each scope of a walk."""


def pack_plays(
    graph: PlayGraph, properties: Sequence[Property], scopes: Scopes = MappingProxyType({})
) -> dict[str, Any]:
    """Return a graph of plays as lists of bytes, in base64; numbers of positions and rules take three bytes.

    ``end`` and ``rule`` are places in a list of words; ``state`` is one in the list ``states`` of what is to be told of
    the properties of a position, a bit for each: which hold of those that are promised there, and which these are.
    Properties are those of positions in which the claimant is not to move.
    """
    edges, number = [edge for some in graph.edges for edge in some], _number_moves(graph.game)
    rules = sorted({edge.rule for edge in edges})
    ends = sorted(set(graph.ends))
    told = _tell(graph, properties, scopes)
    states = {state: number for number, state in enumerate(sorted(set(told)))}
    return {
        "claimant": graph.claimant,
        "start": _start(graph.game, graph.positions[0]),
        "rules": rules,
        "ends": ends,
        "properties": [_describe(item) for item in properties],
        "count": _bytes(len(some) for some in graph.edges),
        "end": _bytes(ends.index(end) for end in graph.ends),
        "shortest": _bytes(_NONE if plies == NEVER else plies for plies in graph.shortest),
        "longest": _bytes(_NONE if plies == NEVER else plies for plies in graph.longest),
        "states": list(states),
        "state": _wide(states[state] for state in told),
        "move": _bytes(number[edge.move] for edge in edges),
        "rule": _wide(rules.index(edge.rule) for edge in edges),
        "to": _wide(edge.to for edge in edges),
    }


def _describe(item: Property) -> dict[str, Any]:
    """Return what is told of a property, whatever the position."""
    scopes = dict.fromkeys(scope for promise in item.promises for scope in promise.scopes)
    return {
        "name": item.name,
        "says": item.says,
        "place": item.place,
        "ours": item.is_ours,
        "promised": [scope.replace(":", " ") for scope in scopes],
        "by": list(dict.fromkeys(promise.claim for promise in item.promises)),
    }


def _tell(graph: PlayGraph, properties: Sequence[Property], scopes: Scopes) -> list[tuple[int, int]]:
    """Return which properties are promised in every position of a graph, and which of these hold: the latter first."""
    find_true, find_promises = _evaluator(graph, properties), _promiser(graph, properties, scopes)
    states = []
    for position, mover in zip(graph.positions, graph.movers, strict=True):
        promised = 0 if mover == graph.claimant else find_promises(position)
        states.append((find_true(position) & promised if promised else 0, promised))
    return states


def _promiser(graph: PlayGraph, properties: Sequence[Property], scopes: Scopes) -> Callable[[Any], int]:
    """Return what tells of which properties are promised in a position, a bit for each.

    Many are promised at the same places under the same demands: each of these is decided once.
    """
    formulas = Formulas(graph.game)
    alike: dict[tuple[tuple[str, ...], str], int] = {}
    for number, item in enumerate(properties):
        for promise in item.promises:
            key = promise.scopes, json.dumps(promise.demands)
            alike[key] = alike.get(key, 0) | 1 << number
    promises = [
        (bits, [scopes[name] for name in names if name in scopes], formulas.compile(json.loads(demands)))
        for (names, demands), bits in alike.items()
    ]

    def find(position: Any) -> int:
        found = 0
        for bits, places, demands in promises:
            if bits & ~found and any(position in place for place in places) and demands(position, position):
                found |= bits
        return found

    return find


def _evaluator(graph: PlayGraph, properties: Sequence[Property]) -> Callable[[Any], int]:
    """Return what tells of which properties hold in a position, a bit for each.

    Most positions are in few of the cases, and the properties share them: each case is decided once.
    """
    formulas = Formulas(graph.game)
    whens: dict[str, tuple[Test, list[tuple[int, Test]]]] = {}
    for number, item in enumerate(properties):
        for when, holds in item.cases:
            tests = whens.setdefault(json.dumps(when), (formulas.compile(when), []))[1]
            tests.append((1 << number, formulas.compile(holds)))
    cases = list(whens.values())

    def evaluate(position: Any) -> int:
        true = 0
        for when, tests in cases:
            if when(position, position):
                for bit, holds in tests:
                    if not true & bit and holds(position, position):
                        true |= bit
        return true

    return evaluate


# -- replies: what Olivia answers where Xavier cannot force a win ----------------------------------------------------


def find_replies(bounds: Sequence[Source], titles: Mapping[str, str], evidence: Stores) -> dict[str, Any] | None:
    """Return Olivia's replies of the bounds with cases in which each first move counts, packed; None without one.

    Where only some first moves count, a bound of one case is among them that needs one table.

    Args:
        bounds: bounds that are proved or supported.
        titles: what each of them is called, by its name.
        evidence: where the certificates and tables are.
    """
    whole = [source for source in bounds if _is_whole(source.certificate)]
    if not whole:
        return None

    def read(digest: str) -> Any:
        return unpack(evidence.read(digest, TABLE), "the replies")

    alone = [source for source in bounds if len(source.certificate.evidence["tables"]) == 1]
    owners = {source.certificate.evidence["tables"][0]: source.name for source in alone}
    graph = ReplyGraph(read, owners)
    game = parse_rules(whole[0].certificate.statement["rules"])
    proved = {source.name for source in bounds if source.is_proved}
    for source in whole:
        graph.add(source.name, source.certificate.statement, source.certificate.evidence)
    challenges = sorted(graph.challenges, key=lambda item: game.ply(item.start))
    return {
        "challenges": [
            {
                "name": item.name,
                "claim": item.name.split("/")[0],
                "proved": item.name in proved,
                "title": titles[item.name],
                "through": item.through,
                "start": _start(game, item.start),
                "node": item.node,
                "whole": item.is_whole,
            }
            for item in challenges
        ],
        **pack_replies(game, graph, proved),
    }


def _is_whole(certificate: Certificate) -> bool:
    """Say whether Xavier begins, and a bound counts each of his first moves, or is of one case and needs one table."""
    cases = certificate.statement["cases"]
    game = parse_rules(certificate.statement["rules"])
    starts = [game.parse_position(case["start"]) for case in cases]
    if any(game.is_over(start) or game.turn(start) != "X" for start in starts):
        return False
    return all(case["first"] is None for case in cases) or len(cases) == len(certificate.evidence["tables"]) == 1


def _title(library: Library, source: Source) -> str:
    """Return a claim's title, with the reading's name where it has several: the title may be another one's."""
    claim = library.claim(source.claim)
    return claim.title if len(claim.readings) == 1 else f"{claim.title} ({source.reading})"


def pack_replies(game: Game, graph: ReplyGraph, proved: Container[str]) -> dict[str, Any]:
    """Return a graph of replies as lists of bytes, in base64; numbers of nodes and proofs take three bytes.

    Args:
        game: the game.
        graph: the replies.
        proved: the names of the bounds that are proved: others are supported by part of their evidence.
    """
    steps, number = [step for reply in graph.replies for step in reply.steps], _number_moves(game)
    proofs = sorted({reply.proof for reply in graph.replies})
    through = {challenge.name: challenge.through for challenge in graph.challenges}
    through |= graph.through
    return {
        "proofs": [
            {"claim": name.split("/")[0], "through": through[name], "proved": name in proved} for name in proofs
        ],
        "proof": _wide(proofs.index(reply.proof) for reply in graph.replies),
        "symmetries": [[number[p[f], p[s]] for f, s in number] for p in SYMMETRIES],
        "reply": _bytes(_NONE if reply.move is None else number[reply.move] for reply in graph.replies),
        "count": _bytes(len(reply.steps) for reply in graph.replies),
        "move": _bytes(number[step.move] for step in steps),
        "to": _wide(step.to for step in steps),
        "turned": {at: step.symmetry for at, step in enumerate(steps) if step.symmetry != IDENTITY},
    }


def _start(game: Game, position: Any) -> dict[str, Any]:
    """Return a position as what the page plays on from."""
    shown = show(game)
    return {} if shown.table is None else shown.table.start(shown, position)


def _number_moves(game: Game) -> dict[tuple[int, ...], int]:
    """Return the number of the spot that each move marks, as the board counts its spots."""
    spots = [name for area in show(game).board.areas for name in area.spots]
    return {game.parse_move(name): at for at, name in enumerate(spots)}


def _bytes(values: Iterable[int]) -> str:
    return base64.b64encode(bytes(values)).decode()


def _wide(values: Iterable[int]) -> str:
    """Pack numbers below 2**24 into three bytes each, the lowest first."""
    four = array("I", values)
    raw = four.tobytes() if four.itemsize == 4 else b""
    three = bytearray(len(raw) // 4 * 3)
    for at in range(3):
        three[at::3] = raw[at::4]
    return base64.b64encode(three).decode()
