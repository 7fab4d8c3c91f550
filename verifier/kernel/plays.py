"""Walk through every play of a statement: from the start, by the strategies or a table, through every legal reply.

Or replay one of them, a line. Trusted for: that no play is left out, that moves are those of the strategy or of the
table, and that the table says nothing that no play asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.games import Game
from verifier.kernel.statement import Statement
from verifier.kernel.words import counted

Edge = tuple[str, Any]
"""The label of the rule that was used (empty without a strategy) and the position after the move."""

Moves = Mapping[str, list[str]]
"""The moves that a table gives the claimant, by position."""

MAX_EDGES, MAX_MOVES = 500_000, 1000
"""How many moves a walk makes without a table, and a line has at most."""

FREE_EDGES, EDGES_AN_ENTRY = 10_000, 82
"""How many moves a walk makes by a table: so many, and for each entry met before its own and one for each spot."""


@dataclass(frozen=True, slots=True)
class Node:
    """A position that was met: who is to move (empty at an end) and what was played there."""

    position: Any
    mover: str
    edges: tuple[Edge, ...]


def has_ended(statement: Statement, position: Any) -> bool:
    """Say whether a play ends in a position: the game is over, or the horizon reached."""
    is_cut = statement.horizon is not None and statement.game.ply(position) >= statement.horizon
    return is_cut or statement.game.is_over(position)


def walk(
    statement: Statement,
    table: Moves | None,
    fold: Callable[[Any], Any] | None = None,
    is_settled: Callable[[Any], bool] | None = None,
    find_replies: Callable[[Any], list[Any]] | None = None,
) -> Iterator[Node]:
    """Yield every position of the plays, each once, ply by ply; of two plies at most all positions are held.

    Without a table both sides make every move that their strategies, or the rules, allow. ``fold`` gives for each
    position after a move one that stands for it (``relabel``). ``is_settled`` says of a position at which play goes on
    that the rest of it is shown otherwise, and not followed, and ``find_replies`` which replies of the opponent's are
    (``breaker``).
    """
    count = used = 0
    level: dict[Any, None] = {statement.start: None}
    while level:
        following: dict[Any, None] = {}
        for position in level:
            if has_ended(statement, position):
                yield Node(position, "", ())
                continue
            mover = statement.game.turn(position)
            if is_settled is not None and is_settled(position):
                yield Node(position, mover, ())
                continue
            is_own = mover == statement.claimant
            chosen = _entry(statement, table, position) if is_own and table is not None else None
            used += chosen is not None
            if find_replies is not None and not is_own:
                chosen = frozenset(find_replies(position))
            edges = tuple(_edges(statement, position, mover, chosen)) if chosen or chosen is None else ()
            count += len(edges)
            if fold is not None:
                edges = tuple(dict.fromkeys([(label, fold(after)) for label, after in edges]))
            limit = MAX_EDGES if table is None else FREE_EDGES + EDGES_AN_ENTRY * used
            if count > limit:
                raise CertificateError("limit", f"more than {limit} moves: it is too long for the kernel")
            yield Node(position, mover, edges)
            for _, after in edges:
                following[after] = None
        level = following
    if table is not None and used != len(table):
        raise CertificateError(
            "unreachable-entry", f"met by no play: {counted(len(table) - used, 'entry', 'entries')} of the table"
        )


def _entry(statement: Statement, table: Moves, position: Any) -> frozenset[Any]:
    """Return the moves that a table gives."""
    text = statement.game.format_position(position)
    if text not in table:
        raise CertificateError("missing-entry", f"no move for {text}")
    moves = frozenset(map(statement.game.parse_move, table[text]))
    if not moves or len(moves) < len(table[text]):
        raise CertificateError("malformed", f"the entry of {text} is one move or more, each once")
    return moves


def _edges(statement: Statement, position: Any, mover: str, chosen: frozenset[Any] | None) -> Iterator[Edge]:
    game = statement.game
    strategy = statement.strategies.get(mover)
    choices: Any
    if strategy:
        choices = strategy(position)
        if chosen is not None and not chosen <= {move for _, move in choices}:
            text = game.format_position(position)
            raise CertificateError("not-the-strategy", f"the table plays what the strategy does not allow in {text}")
        choices = choices if chosen is None else [choice for choice in choices if choice[1] in chosen]
    else:
        choices = [("", move) for move in (game.legal_moves(position) if chosen is None else sorted(chosen))]
    if not choices:
        raise CertificateError("stuck", f"the strategy of {mover} has no move in {game.format_position(position)}")
    for label, move in choices:
        statement.formulas.spend(1)
        yield label, game.play(position, move)


def parse_line(game: Game, moves: list[str]) -> list[Any]:
    """Read the moves of a line."""
    if len(moves) > MAX_MOVES:
        raise CertificateError("malformed", f"a line of more than {MAX_MOVES} moves")
    return [game.parse_move(move) for move in moves]


def replay(statement: Statement, moves: Iterable[Any]) -> list[Node]:
    """Play moves from the start, each one that its player's strategy allows; return all positions that are met.

    Of the edges of each, which are the choices there, the one that is played alone leads to a position.
    """
    game, position, found = statement.game, statement.start, list[Node]()
    for move in [*moves, None]:
        statement.formulas.spend(1)  # lines without a move are many as well
        mover = "" if has_ended(statement, position) else game.turn(position)
        strategy = statement.strategies.get(mover)
        choices = strategy(position) if strategy else [("", move)]
        if move is None:
            return [*found, Node(position, mover, tuple((label, None) for label, _ in choices))]
        if not mover:
            raise CertificateError("illegal-move", "the line goes on after its end")
        if move not in [choice for _, choice in choices]:
            raise CertificateError("not-the-strategy", f"{game.format_move(move)} in {game.format_position(position)}")
        after = game.play(position, move)
        found.append(Node(position, mover, tuple((label, after if m == move else None) for label, m in choices)))
        position = after
    return found
