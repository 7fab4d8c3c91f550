"""Walk through every play of a statement: from the start, by the strategies or a table, through every legal reply.

Trusted for: that no play is left out, that the claimant's moves are those of the strategy or of the table, and that
the table says nothing that no play asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.statement import Statement
from verifier.kernel.words import counted

Edge = tuple[str, Any]
"""The label of the rule that was used (empty without a strategy) and the position after the move."""

Moves = Mapping[str, list[str]]
"""The moves that a table gives the claimant, by position."""

MAX_EDGES = 500_000
"""How many moves a walk makes without a table: four times what the largest of the shipped statements needs."""

FREE_EDGES, EDGES_AN_ENTRY = 10_000, 82
"""How many moves a walk makes by a table: so many, and for each entry met before its own and one for each spot."""

MAX_WORK = 3_000_000_000
"""The nodes of the formulas that are evaluated for a statement, with ``A_MOVE`` times the weight of the rules for each
move of a walk or a line, and each line: half as much again as the largest shipped one needs in two minutes."""

A_MOVE = 3
"""How often it is told, for each move, how the game stands."""


@dataclass(frozen=True, slots=True)
class Node:
    """A position that was met: who is to move (empty at an end) and what was played there."""

    position: Any
    mover: str
    edges: tuple[Edge, ...]


def parse_table(value: Moves, name: str) -> Moves:
    """Return a table whose entries have moves, each once."""
    for position, moves in value.items():
        if not moves:
            raise CertificateError("malformed", f"{name}: the entry of {position[:110]!r} has no move")
        if len(set(moves)) != len(moves):
            raise CertificateError("duplicate-entry", f"{name}: the entry of {position[:110]!r} repeats a move")
    return value


def has_ended(statement: Statement, position: Any) -> bool:
    """Say whether a play ends in a position: the game is over, or the horizon reached."""
    is_cut = statement.horizon is not None and statement.game.ply(position) >= statement.horizon
    return is_cut or statement.game.is_over(position)


def walk(
    statement: Statement,
    table: Moves | None,
    fold: Callable[[Any], Any] | None = None,
    is_settled: Callable[[Any], bool] | None = None,
) -> Iterator[Node]:
    """Yield every position of the plays, each once, ply by ply; of two plies at most all positions are held.

    Args:
        statement: whose plays they are.
        table: the claimant's moves; None: both sides make every move that their strategies, or the rules, allow.
        fold: gives for each position after a move one that stands for it (``automorphism``); None: itself.
        is_settled: says of a position at which play goes on that the rest of it is shown otherwise (``breaker``): it is
            not followed; None: all of it is.
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
            chosen = None if table is None or mover != statement.claimant else _entry(statement, table, position)
            used += chosen is not None
            edges = tuple(_edges(statement, position, mover, chosen))
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


def require_little(statement: Statement) -> None:
    """Require that no more was evaluated of a statement's formulas, and moved, than is allowed."""
    if statement.formulas.work > MAX_WORK:
        raise CertificateError("limit", "the formulas, or the rules, are too large to be asked of so many positions")


def _entry(statement: Statement, table: Moves, position: Any) -> frozenset[Any]:
    """Return the moves that a table gives."""
    text = statement.game.format_position(position)
    entry = table.get(text)
    if entry is None:
        raise CertificateError("missing-entry", f"no move for {text}")
    return frozenset(map(statement.game.parse_move, entry))


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
        statement.formulas.work += A_MOVE * game.weight
        require_little(statement)
        yield label, game.play(position, move)
