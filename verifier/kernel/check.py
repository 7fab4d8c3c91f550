"""Decide claims about plays: walk from the start, regenerate every legal reply, hold what is met against the claim.

Trusted for: every verdict on a statement of kind ``play``. A statement is JSON::

    {"kind": "play", "rules": NAME, "start": POSITION, "claimant": "X", "horizon": PLY or null,
     "strategies": {"X": STRATEGY, "O": STRATEGY},  (both optional)
     "objectives": [{"name": TEXT, "type": "reach", "goal": FORMULA, "by": PLY}
                    {"name": TEXT, "type": "prevent", "goal": FORMULA, "through": PLY}
                    {"name": TEXT, "type": "keep", "at": [SCOPE, ...], "holds": FORMULA}
                    {"name": TEXT, "type": "some", "at": [SCOPE, ...], "holds": FORMULA}]}

A player without a strategy makes every legal move, except a claimant, whose move the table chooses: then ``reach``,
``prevent`` and ``keep`` say that the claimant can do so. The walk ends
where the game is over or the horizon is reached. Scopes: ``every``, ``start``, ``claimant`` and ``opponent`` (who is
to move), ``end`` (the game is over), ``before:LABEL`` and ``after:LABEL`` of a strategy's rule (``phase`` or
``phase.rule``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.kernel.errors import CertificateError, IllegalMoveError, NotationError, SpecError
from verifier.kernel.formula import Test, compile_formula
from verifier.kernel.games import Game, find_rules
from verifier.kernel.strategy import Strategy, compile_strategy
from verifier.kernel.verdict import Result, Verdict

TRUST_ENUMERATION = "the kernel's rules and its enumeration of every reply"
TRUST_REPLAY = "the kernel's rules: it replays the witness"

SCOPES = frozenset({"every", "start", "claimant", "opponent", "end"})
"""The scopes that every statement has."""

UNIVERSAL = ("reach", "prevent", "keep")

Edge = tuple[str, Any]
"""The label of the rule that was used (empty without a strategy) and the position after the move."""


@dataclass(frozen=True, slots=True)
class Objective:
    """One thing that a statement says of the plays; ``bound`` is the ply of ``reach`` and ``prevent``."""

    name: str
    type: str
    test: Test
    scopes: frozenset[str]
    bound: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of kind ``play``, compiled."""

    game: Game
    start: Any
    claimant: str
    horizon: int | None
    strategies: Mapping[str, Strategy]
    objectives: tuple[Objective, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """Every position of a statement's plays, ply by ply, and the positions met in each scope."""

    nodes: tuple[Node, ...]
    scopes: Mapping[str, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Node:
    """A position that was met: who is to move (empty at an end) and what was played there."""

    position: Any
    mover: str
    edges: tuple[Edge, ...]


def parse_statement(data: Mapping[str, Any]) -> Statement:
    """Compile a statement.

    Raises:
        SpecError: it is not well formed.
    """
    if data.get("kind") != "play" or set(data) - {
        "kind",
        "rules",
        "start",
        "claimant",
        "horizon",
        "strategies",
        "objectives",
    }:
        raise SpecError("the statement is not one of kind 'play' with the keys that the kernel documents")
    game = find_rules(data.get("rules"))
    try:
        start = game.parse_position(str(data.get("start")))
    except NotationError as error:
        raise SpecError(f"the start: {error}") from None
    claimant, horizon, strategies = data.get("claimant"), data.get("horizon"), data.get("strategies")
    if claimant not in ("X", "O") or not (horizon is None or type(horizon) is int):
        raise SpecError("the claimant is X or O, and the horizon a ply or null")
    if not isinstance(strategies, dict) or not set(strategies) <= {"X", "O"}:
        raise SpecError("strategies are given by player, X or O")
    if any(
        not isinstance(strategy, dict) or strategy.get("player") != player for player, strategy in strategies.items()
    ):
        raise SpecError("a strategy names its player, and is used as that player's")
    compiled = {player: compile_strategy(game, strategy) for player, strategy in strategies.items()}
    labels = {
        f"{side}:{label}"
        for strategy in strategies.values()
        for label in _labels(strategy)
        for side in ("before", "after")
    }
    objectives = data.get("objectives")
    if not isinstance(objectives, list) or not objectives:
        raise SpecError("a statement without an objective says nothing")
    parsed = tuple(_objective(game, objective, SCOPES | labels) for objective in objectives)
    return Statement(game, start, claimant, horizon, compiled, parsed)


def _labels(strategy: Any) -> Iterator[str]:
    for phase in strategy["phases"]:
        yield str(phase.get("phase"))
        for instance in phase["instances"]:
            yield from (f"{phase.get('phase')}.{rule.get('rule')}" for rule in instance["rules"])


def _objective(game: Game, data: Any, known: frozenset[str] | set[str]) -> Objective:
    keys = {
        "reach": {"name", "type", "goal", "by"},
        "prevent": {"name", "type", "goal", "through"},
        "keep": {"name", "type", "at", "holds"},
        "some": {"name", "type", "at", "holds"},
    }
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in keys or set(data) != keys[kind]:
        raise SpecError(f"{str(data)[:80]!r} is no objective")
    name = str(data["name"])
    if kind in ("reach", "prevent"):
        bound = data["by"] if kind == "reach" else data["through"]
        if type(bound) is not int or not 0 <= bound <= 1000:
            raise SpecError(f"objective {name!r}: {str(bound)[:20]!r} is no ply")
        return Objective(name, kind, compile_formula(game, data["goal"]), frozenset(), bound)
    scopes = data["at"]
    if not isinstance(scopes, list) or not scopes or not all(isinstance(scope, str) for scope in scopes):
        raise SpecError(f"objective {name!r}: 'at' is a list of scopes")
    unknown = sorted(set(scopes) - known)
    if unknown:
        raise SpecError(f"objective {name!r}: no position of these plays is ever at {unknown[0][:60]!r}")
    return Objective(name, kind, compile_formula(game, data["holds"]), frozenset(scopes), 0)


class Table:
    """The claimant's moves and the ends, by position; remembers which entries were met."""

    def __init__(self, moves: Mapping[str, list[str]], ends: Mapping[str, str]) -> None:
        self.moves = moves
        self.ends = ends

    @classmethod
    def parse(cls, value: Any, name: str) -> Table:
        """Read ``{"moves": {POSITION: [MOVE, ...]}, "ends": {POSITION: OUTCOME}}``.

        Raises:
            CertificateError: it is no such object.
        """
        moves, ends = (value.get(key) if isinstance(value, dict) else None for key in ("moves", "ends"))
        if not isinstance(moves, dict) or not isinstance(ends, dict):
            raise CertificateError("malformed", f"{name}: a table has 'moves' and 'ends'")
        for position, choice in moves.items():
            if not isinstance(choice, list) or not choice or not all(isinstance(move, str) for move in choice):
                raise CertificateError("malformed", f"{name}: the entry of {position[:110]!r} is no list of moves")
            if len(set(choice)) != len(choice):
                raise CertificateError("duplicate-entry", f"{name}: the entry of {position[:110]!r} repeats a move")
        if not all(isinstance(outcome, str) for outcome in ends.values()):
            raise CertificateError("malformed", f"{name}: an end is given by a word")
        return cls(moves, ends)


def describe_end(statement: Statement, position: Any) -> str | None:
    """Return how a walk ends in a position: ``X wins``, ``O wins``, ``draw``, ``horizon``; None where it goes on."""
    game = statement.game
    if game.is_over(position):
        for player in ("X", "O"):
            if game.compile_atom(f"{player}_wins", ())(position):
                return f"{player} wins"
        return "draw"
    if statement.horizon is not None and game.ply(position) >= statement.horizon:
        return "horizon"
    return None


def walk(statement: Statement, table: Table) -> Walk:
    """Follow the table from the start through every legal reply; return the positions met, ply by ply.

    Raises:
        CertificateError: ``missing-entry``, ``illegal-move``, ``not-the-strategy``, ``end-mismatch``,
            ``unreachable-entry``.
    """
    game = statement.game
    nodes: list[Node] = []
    used_moves, used_ends = 0, 0
    level: dict[Any, None] = {statement.start: None}
    while level:
        following: dict[Any, None] = {}
        for position in level:
            end = describe_end(statement, position)
            if end is not None:
                text = game.format_position(position)
                if table.ends.get(text) != end:
                    raise CertificateError(
                        "end-mismatch", f"{text} is {end!r}, the table says {table.ends.get(text)!r}"
                    )
                used_ends += 1
                nodes.append(Node(position, "", ()))
                continue
            mover = game.turn(position)
            edges = tuple(_edges(statement, table, position, mover))
            used_moves += mover == statement.claimant
            nodes.append(Node(position, mover, edges))
            following.update((after, None) for _, after in edges)
        level = following
    if used_moves != len(table.moves) or used_ends != len(table.ends):
        met = {game.format_position(node.position) for node in nodes}
        stray = sorted(key for key in [*table.moves, *table.ends] if key not in met)
        detail = stray[0] if stray else "an entry of a position where the table has nothing to say"
        raise CertificateError("unreachable-entry", f"the table has entries that no play meets, such as {detail[:110]}")
    return Walk(tuple(nodes), _group(statement, nodes))


def _edges(statement: Statement, table: Table, position: Any, mover: str) -> Iterator[Edge]:
    game = statement.game
    strategy = statement.strategies.get(mover)
    choices = strategy(position) if strategy else [("", move) for move in game.legal_moves(position)]
    if mover == statement.claimant:
        text = game.format_position(position)
        entry = table.moves.get(text)
        if entry is None:
            raise CertificateError("missing-entry", f"no move for {text}")
        try:
            moves = {game.parse_move(move) for move in entry}
        except NotationError as error:
            raise CertificateError("malformed", f"the entry of {text}: {error}") from None
        if strategy and moves != {move for _, move in choices}:
            raise CertificateError("not-the-strategy", f"{entry} in {text}, the strategy says {choices}")
        if not strategy:
            choices = [("", move) for move in sorted(moves)]
    if not choices:
        raise CertificateError("stuck", f"the strategy of {mover} has no move in {game.format_position(position)}")
    for label, move in choices:
        try:
            yield label, game.play(position, move)
        except (IllegalMoveError, ValueError) as error:
            raise CertificateError("illegal-move", str(error)) from None


def check_proof(statement: Statement, walked: Walk, lines: Mapping[str, Any]) -> Result:
    """Check that every play and some lines show every objective.

    Args:
        statement: what is claimed.
        walked: what ``walk`` returns for the statement's plays.
        lines: for each ``some`` objective, by name, the moves of a play that shows it.

    Raises:
        CertificateError: an objective does not hold: its name, its type and the position.
    """
    for objective in statement.objectives:
        if objective.type == "some":
            _require_some(statement, objective, lines.get(objective.name))
        else:
            if is_vacuous(statement, objective, walked):
                raise CertificateError("vacuous", f"{objective.name!r} speaks of no position that any play meets")
            failure = find_failure(statement, objective, walked)
            if failure is not None:
                text = statement.game.format_position(failure)
                raise CertificateError(f"not-{objective.type}", f"{objective.name!r} fails in {text}")
    if not walked.nodes:
        return Result(Verdict.PROVED, "", TRUST_REPLAY)
    return Result(Verdict.PROVED, "", TRUST_ENUMERATION, summarise(statement, walked.nodes))


def check_refutation(statement: Statement, name: object, walked: Walk | None, moves: object) -> Result:
    """Check that an objective fails: a universal one by a play, a ``some`` one by a walk through every play.

    Raises:
        CertificateError: the evidence does not refute it.
    """
    objective = next((o for o in statement.objectives if o.name == name), None)
    if objective is None:
        raise CertificateError("malformed", f"the statement has no objective {str(name)[:60]!r}")
    if objective.type == "some":
        if walked is None:
            raise CertificateError("malformed", "an existence claim is refuted by a table")
        if not _is_every_move(statement, walked):
            raise CertificateError(
                "not-refuted", "the table chooses among the claimant's moves, so it does not show every play"
            )
        for position in _in_scope(objective, walked):
            if objective.test(position, position):
                text = statement.game.format_position(position)
                raise CertificateError("not-refuted", f"{objective.name!r} holds in {text}")
        stats = summarise(statement, walked.nodes)
        return Result(Verdict.REFUTED, f"no play shows {objective.name!r}", TRUST_ENUMERATION, stats)
    reason = explain_failure(statement, objective, _moves(statement, moves))
    if reason is None:
        raise CertificateError("not-refuted", f"the play does not contradict {objective.name!r}")
    return Result(Verdict.REFUTED, reason, TRUST_REPLAY)


def _group(statement: Statement, nodes: list[Node]) -> dict[str, tuple[Any, ...]]:
    """Return the positions of each scope, once for each way that leads to them."""
    found: dict[str, list[Any]] = {"start": [statement.start]}
    for node in nodes:
        for scope in _standing_scopes(statement, node):
            found.setdefault(scope, []).append(node.position)
        for label, after in node.edges:
            if label:
                found.setdefault(f"after:{label}", []).append(after)
                found.setdefault(f"after:{label.split('.')[0]}", []).append(after)
    return {scope: tuple(positions) for scope, positions in found.items()}


def _standing_scopes(statement: Statement, node: Node) -> set[str]:
    scopes = {"every"}
    if statement.game.is_over(node.position):
        scopes.add("end")
    if node.mover:
        scopes.add("claimant" if node.mover == statement.claimant else "opponent")
    for label, _ in node.edges:
        if label:
            scopes |= {f"before:{label}", f"before:{label.split('.')[0]}"}
    return scopes


def _is_every_move(statement: Statement, walked: Walk) -> bool:
    """Say whether a walk leaves out no move of a claimant who has no strategy."""
    if statement.claimant in statement.strategies:
        return True
    own = (node for node in walked.nodes if node.mover == statement.claimant)
    return all(len(node.edges) == len(statement.game.legal_moves(node.position)) for node in own)


def _in_scope(objective: Objective, walked: Walk) -> Iterator[Any]:
    for scope in sorted(objective.scopes):
        yield from walked.scopes.get(scope, ())


def is_vacuous(statement: Statement, objective: Objective, walked: Walk) -> bool:
    """Say whether an objective has no position to hold in: it would be met whatever it says."""
    if objective.type == "prevent":
        return objective.bound < statement.game.ply(statement.start)
    return objective.type == "keep" and next(_in_scope(objective, walked), None) is None


def find_failure(statement: Statement, objective: Objective, walked: Walk) -> Any:
    """Return a position of a walk where a universal objective fails, or None."""
    ply = statement.game.ply
    if objective.type == "keep":
        return next((p for p in _in_scope(objective, walked) if not objective.test(p, p)), None)
    if objective.type == "prevent":
        for node in walked.nodes:
            if ply(node.position) <= objective.bound and objective.test(node.position, node.position):
                return node.position
            if not node.edges and ply(node.position) < objective.bound and not statement.game.is_over(node.position):
                return node.position
        return None
    pending = {statement.start}
    for node in walked.nodes:
        is_late = ply(node.position) > objective.bound
        if node.position in pending and (is_late or not objective.test(node.position, node.position)):
            if not node.edges or ply(node.position) >= objective.bound:
                return node.position
            pending.update(after for _, after in node.edges)
    return None


def replay(statement: Statement, moves: list[Any]) -> tuple[list[Any], list[str]]:
    """Play moves from the start, each one that its player's strategy allows; return the positions and the last labels.

    Raises:
        CertificateError: a move is illegal, not the strategy's, or follows the horizon.
    """
    position = statement.start
    positions, labels = [position], list[str]()
    for move in moves:
        if describe_end(statement, position) is not None:
            raise CertificateError("illegal-move", "the line goes on after its end")
        strategy = statement.strategies.get(statement.game.turn(position))
        if strategy:
            labels = [name for name, choice in strategy(position) if choice == move]
            if not labels:
                text = statement.game.format_position(position)
                raise CertificateError("not-the-strategy", f"{statement.game.format_move(move)} in {text}")
        else:
            labels = []
        try:
            position = statement.game.play(position, move)
        except IllegalMoveError as error:
            raise CertificateError("illegal-move", str(error)) from None
        positions.append(position)
    return positions, labels


def explain_failure(statement: Statement, objective: Objective, moves: list[Any]) -> str | None:
    """Say how a play contradicts a universal objective, or return None when it does not.

    Raises:
        CertificateError: the play is not one of the statement's.
    """
    game = statement.game
    positions, labels = replay(statement, moves)
    last = positions[-1]
    own = (position for position in positions[:-1] if game.turn(position) == statement.claimant)
    if statement.claimant not in statement.strategies and any(len(game.legal_moves(position)) > 1 for position in own):
        return None  # the claimant could have played otherwise
    end = describe_end(statement, last)
    mover = game.turn(last)
    if end is None and mover in statement.strategies:
        choices = statement.strategies[mover](last)
        illegal = [choice for _, choice in choices if choice not in game.legal_moves(last)]
        if not choices:
            return f"the strategy of {mover} has no move after ply {game.ply(last)}"
        if illegal:
            return f"the strategy of {mover} names an illegal move after ply {game.ply(last)}: {illegal[0]}"
    met = [objective.test(position, position) for position in positions]
    if objective.type == "reach":
        ended = game.ply(last) >= objective.bound or end is not None
        in_time = any(
            hit and game.ply(position) <= objective.bound for hit, position in zip(met, positions, strict=True)
        )
        return f"{objective.name!r} is not reached by ply {objective.bound}" if ended and not in_time else None
    if objective.type == "prevent":
        in_time = game.ply(last) <= objective.bound
        return f"{objective.name!r} is not prevented at ply {game.ply(last)}" if in_time and met[-1] else None
    if not met[-1] and _line_scopes(statement, positions, labels) & objective.scopes:
        return f"{objective.name!r} fails at ply {game.ply(last)}"
    return None


def _line_scopes(statement: Statement, positions: list[Any], labels: list[str]) -> set[str]:
    last = positions[-1]
    mover = "" if describe_end(statement, last) is not None else statement.game.turn(last)
    strategy = statement.strategies.get(mover)
    edges = tuple((name, None) for name, _ in strategy(last)) if strategy else ()
    scopes = _standing_scopes(statement, Node(last, mover, edges))
    for label in labels:
        scopes |= {f"after:{label}", f"after:{label.split('.')[0]}"}
    if len(positions) == 1:
        scopes.add("start")
    return scopes


def _require_some(statement: Statement, objective: Objective, moves: object) -> None:
    positions, labels = replay(statement, _moves(statement, moves))
    last = positions[-1]
    if not (_line_scopes(statement, positions, labels) & objective.scopes and objective.test(last, last)):
        text = statement.game.format_position(last)
        raise CertificateError("not-some", f"{objective.name!r} does not hold in {text}")


def _moves(statement: Statement, moves: object) -> list[Any]:
    if not isinstance(moves, list) or len(moves) > 1000 or not all(isinstance(move, str) for move in moves):
        raise CertificateError("malformed", "a line is a list of moves")
    try:
        return [statement.game.parse_move(move) for move in moves]
    except NotationError as error:
        raise CertificateError("malformed", str(error)) from None


def summarise(statement: Statement, nodes: Sequence[Node]) -> dict[str, int]:
    """Count a walk: positions once each, edges, leaves, and the plies of the claimant's wins."""
    movers = [node.mover for node in nodes]
    claimant = movers.count(statement.claimant)
    leaves = movers.count("")
    stats = {
        "claimant_positions": claimant,
        "opponent_positions": len(nodes) - claimant - leaves,
        "edges": sum(len(node.edges) for node in nodes),
        "leaves": leaves,
    }
    has_won = statement.game.compile_atom(f"{statement.claimant}_wins", ())
    wins = [statement.game.ply(node.position) for node in nodes if has_won(node.position)]
    if wins:
        stats |= {"shortest_win_ply": min(wins), "longest_win_ply": max(wins)}
    return stats
