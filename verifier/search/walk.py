"""Explore every play that a statement allows, and find the shortest play that decides an objective."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.plays import find_choices, has_ended
from verifier.kernel.statement import Objective, Statement
from verifier.kernel.strategy import Choice, find_breakdown

LegalEdge = tuple[str, Any, Any]
"""The label of the rule, the move, and the position after it."""

Arrival = tuple[Any, Any, Any]
"""A position, and the position and move it was reached by where that matters."""

MAX_POSITIONS = 2_000_000
"""How many positions are met at most: with their moves, those of nine fields take more than a gigabyte."""

ADVICE = (
    "What may help: a 'start' after the first moves, or a strategy that fixes them; an earlier ply; "
    "an invariant instead of a search."
)


class NodeLimitError(Exception):
    """More positions than the limit: the question stays open. It says how large the limit is, and what may help."""


@dataclass
class Exploration:
    """Every position that is met, in the order of plies.

    Attributes:
        statement: what was explored.
        edges: the moves made in each position; none at an end.
        parents: for each position but the start, one it was reached from and the move.
        trouble: the first position in which a strategy has no legal move to make, if there is one.
        is_whole: no play was left before its end.
    """

    statement: Statement
    edges: dict[Any, tuple[LegalEdge, ...]] = field(default_factory=dict)
    parents: dict[Any, tuple[Any, Any]] = field(default_factory=dict)
    trouble: Any = None
    is_whole: bool = True

    def line_to(self, position: Any) -> list[Any]:
        """Return the moves of one shortest play to a position that was met."""
        return trace(self.parents, position)

    def moves(self) -> dict[str, list[str]]:
        """Return the claimant's moves by position, as the kernel's table holds them."""
        game, claimant = self.statement.game, self.statement.claimant
        return {
            game.format_position(position): sorted({game.format_move(move) for _, move, _ in edges})
            for position, edges in self.edges.items()
            if edges and game.turn(position) == claimant
        }


def trace(parents: dict[Any, tuple[Any, Any]], position: Any) -> list[Any]:
    """Return the moves that lead to a position by its chain of parents."""
    moves = []
    while position in parents:
        position, move = parents[position]
        moves.append(move)
    return moves[::-1]


def explore(
    statement: Statement,
    choose: Callable[[Any], list[Any]] | None = None,
    is_enough: Callable[[Exploration], bool] | None = None,
    limit: int | None = None,
    fold: Callable[[Any], Any] | None = None,
    find_followed: Callable[[Any], list[Any] | None] | None = None,
    most_moves: int | None = None,
) -> Exploration:
    """Visit every play of a statement, ply by ply; stop at the first position where a strategy has no legal move.

    Args:
        statement: rules, start, strategies and horizon.
        choose: the claimant's moves where the statement gives no strategy for the claimant.
        is_enough: called after a ply whenever there are twice as many positions as the last time; True: stop there.
        limit: the most positions; None: ``MAX_POSITIONS``.
        fold: gives for each position after a move one that stands for it; None: itself.
        find_followed: gives for a position at which play goes on the moves that are followed, there may be none, or
            None: all are.
        most_moves: stop after so many moves; None: after all.

    Raises:
        NodeLimitError: there are more.
    """
    found = Exploration(statement)
    limit = limit or MAX_POSITIONS
    level: dict[Any, None] = {statement.start: None}
    asked, made = 1, 0
    while level:
        following: dict[Any, None] = {}
        for position in level:
            if has_ended(statement, position):
                found.edges[position] = ()
                continue
            followed = chosen = None if find_followed is None else find_followed(position)
            if chosen is None and choose is not None and statement.game.turn(position) == statement.claimant:
                chosen = choose(position)
            edges = tuple(_moves(statement, position, chosen))
            if fold is not None:
                edges = tuple((label, move, fold(after)) for label, move, after in edges)
            found.edges[position] = edges
            if not edges and followed is None and not statement.is_opposed:
                found.trouble = position
                return found
            for _, move, after in edges:
                if after not in following:
                    following[after] = None
                    found.parents[after] = (position, move)
            made += len(edges)
            if most_moves is not None and made >= most_moves:
                found.is_whole = False
                return found
            if len(found.edges) + len(following) > limit:  # a ply alone may have more than memory holds
                raise NodeLimitError(f"more than {limit:,} positions. {ADVICE}")
        if is_enough is not None and len(found.edges) >= 2 * asked:
            asked = len(found.edges)
            if is_enough(found):
                return found
        level = following
    return found


def _moves(statement: Statement, position: Any, chosen: list[Any] | None) -> Iterator[LegalEdge]:
    game = statement.game
    for label, move in find_legal(statement, position):
        if chosen is not None and move not in chosen:
            continue
        yield label, move, game.play(position, move)


def find_legal(statement: Statement, position: Any) -> list[Choice]:
    """Return what the player to move may play; nothing where a strategy breaks down."""
    game, mover = statement.game, statement.game.turn(position)
    if mover not in statement.strategies:
        return [("", move) for move in game.legal_moves(position)]
    choices = find_choices(statement, position, mover)
    return [] if find_breakdown(game, position, [move for _, move in choices]) else choices


def find_hit(found: Exploration, objective: Objective, *, value: bool) -> list[Any] | None:
    """Return a shortest play to a position in scope where the formula has a value, or None where there is none."""
    firsts = [
        next((via for via in _in_scope(found, scope) if objective.test(via[0]) == value), None)
        for scope in sorted(objective.scopes)
    ]
    best = min(filter(None, firsts), key=lambda via: found.statement.game.ply(via[0]), default=None)
    if best is None:
        return None
    position, origin, move = best
    return found.line_to(position) if origin is None else [*found.line_to(origin), move]


def unmet_scopes(found: Exploration, objective: Objective) -> list[str]:
    """Return the scopes of an objective in which no position is."""
    return sorted(scope for scope in objective.scopes if next(_in_scope(found, scope), None) is None)


def _in_scope(found: Exploration, scope: str) -> Iterator[Arrival]:
    """Yield the positions of a scope, ply by ply."""
    side, _, label = scope.partition(":")
    for position, edges in found.edges.items():
        used = [edge for edge in edges if label and label in (edge[0], edge[0].split(".", maxsplit=1)[0])]
        if side == "after":
            yield from ((after, position, move) for _, move, after in used)
        elif used or (not label and _is_at(found.statement, position, scope)):
            yield position, None, None


def _is_at(statement: Statement, position: Any, scope: str) -> bool:
    """Say whether a position is in one of the scopes that every statement has."""
    if scope in ("every", "start"):
        return scope == "every" or position == statement.start
    if scope == "end":
        return statement.game.is_over(position)
    mover = "claimant" if statement.game.turn(position) == statement.claimant else "opponent"
    return scope == mover and not has_ended(statement, position)


def find_failure(found: Exploration, objective: Objective) -> list[Any] | None:
    """Return a shortest play that contradicts an objective about all plays, or None when none does."""
    return find_hit(found, objective, value=False) if objective.type == "keep" else find_escape(found, objective)


def find_escape(found: Exploration, objective: Objective) -> list[Any] | None:
    """Return a shortest play that contradicts a ``reach`` or ``prevent`` objective, or None when none does."""
    ply = found.statement.game.ply
    if objective.type == "prevent":
        for position in found.edges:
            if ply(position) <= objective.bound and objective.test(position):
                return found.line_to(position)
        return None
    parents: dict[Any, tuple[Any, Any]] = {}
    pending = {found.statement.start}
    for position, edges in found.edges.items():
        if position not in pending or objective.test(position):
            continue
        if not edges or ply(position) >= objective.bound:
            return trace(parents, position)
        for _, move, after in edges:
            if after not in pending:
                pending.add(after)
                parents[after] = (position, move)
    return None
