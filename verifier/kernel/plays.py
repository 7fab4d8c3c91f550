"""Walk through every play of a statement: from the start, by the table, through every legal reply.

Trusted for: that no reply is left out, that the claimant's moves are those of the table and of the strategy, and that
the table says nothing more and nothing else than the plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.kernel.errors import CertificateError, IllegalMoveError, NotationError
from verifier.kernel.statement import Statement

Edge = tuple[str, Any]
"""The label of the rule that was used (empty without a strategy) and the position after the move."""


@dataclass(frozen=True, slots=True)
class Node:
    """A position that was met: who is to move (empty at an end) and what was played there."""

    position: Any
    mover: str
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """Every position of a statement's plays, ply by ply; the positions met in each scope, once each; the counts."""

    nodes: tuple[Node, ...]
    scopes: Mapping[str, Mapping[Any, None]]
    stats: Mapping[str, int]


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
            if game.compile_atom(f"{player}_wins", ())(position, position):
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
    return Walk(tuple(nodes), _group(statement, nodes), summarise(statement, nodes))


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
        allowed = {move for _, move in choices}
        if strategy and not (moves <= allowed if statement.chooses else moves == allowed):
            raise CertificateError("not-the-strategy", f"{entry} in {text}, the strategy says {choices}")
        if strategy and statement.chooses:
            choices = [(label, move) for label, move in choices if move in moves]
        if not strategy:
            choices = [("", move) for move in sorted(moves)]
    if not choices:
        raise CertificateError("stuck", f"the strategy of {mover} has no move in {game.format_position(position)}")
    for label, move in choices:
        try:
            yield label, game.play(position, move)
        except (IllegalMoveError, ValueError) as error:
            raise CertificateError("illegal-move", str(error)) from None


def _group(statement: Statement, nodes: list[Node]) -> dict[str, dict[Any, None]]:
    """Return the positions of each scope."""
    found: dict[str, dict[Any, None]] = {"start": {statement.start: None}}
    for node in nodes:
        for scope in standing_scopes(statement, node):
            found.setdefault(scope, {})[node.position] = None
        for label, after in node.edges:
            if label:
                found.setdefault(f"after:{label}", {})[after] = None
                found.setdefault(f"after:{label.split('.')[0]}", {})[after] = None
    return found


def standing_scopes(statement: Statement, node: Node) -> set[str]:
    """Return the scopes that a position is in whatever led to it."""
    scopes = {"every"}
    if statement.game.is_over(node.position):
        scopes.add("end")
    if node.mover:
        scopes.add("claimant" if node.mover == statement.claimant else "opponent")
    for label, _ in node.edges:
        if label:
            scopes |= {f"before:{label}", f"before:{label.split('.')[0]}"}
    return scopes


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
    wins = [statement.game.ply(node.position) for node in nodes if has_won(node.position, node.position)]
    if wins:
        stats |= {"shortest_win_ply": min(wins), "longest_win_ply": max(wins)}
    return stats
