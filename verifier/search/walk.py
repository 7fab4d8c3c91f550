"""Explore every play that a statement allows, and find the shortest play that decides an objective."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.plays import find_choices, has_ended
from verifier.kernel.rounds import burden, find_starts
from verifier.kernel.statement import Objective, Statement
from verifier.kernel.strategy import Choice, find_breakdown

LegalEdge = tuple[str, Any, Any]
"""The label of the strategy's rule (empty without a strategy), the move, and the position after the move."""

Arrival = tuple[Any, Any, Any]
"""A position, the position before it, and the move between them. The last two are None except in scopes such as
``after:rule``, which depend on the move."""

MAX_POSITIONS = 2_000_000
"""Maximum number of positions. On nine fields, this many positions with their moves take more than a gigabyte. A
position with many cells counts more than once (``burden``)."""

MAX_EXPLORED_MOVES = 12_000_000
"""Maximum number of moves that are followed. They take about a gigabyte."""

ADVICE = (
    "What may help: a 'start' after the first moves, or a strategy that fixes them; an earlier ply; "
    "an invariant instead of a search."
)


class NodeLimitError(Exception):
    """A search reached a limit before it could decide. Most messages say what may help."""


@dataclass
class Exploration:
    """The positions that were explored, ply by ply.

    Attributes:
        statement: the statement whose plays were explored.
        edges: for each explored position, the moves that were followed; empty at the end of a play.
        parents: for each position, the position before it in a shortest play, and the move between them. The start has
            no entry. But if plays start wherever a condition holds (the statement's ``given``), a start s has the entry
            (None, s). In this case, the line of a play begins with its first position, not with a move.
        trouble: the first position in which a strategy has no legal move; None if there is no such position.
        is_whole: False if the exploration stopped because of ``most_moves``.
    """

    statement: Statement
    edges: dict[Any, tuple[LegalEdge, ...]] = field(default_factory=dict)
    parents: dict[Any, tuple[Any, Any]] = field(default_factory=dict)
    trouble: Any = None
    is_whole: bool = True

    def line_to(self, position: Any) -> list[Any]:
        """Return the moves of a shortest play to a position that was explored without ``fold`` (see ``explore``)."""
        return trace(self.parents, position)

    def moves(self) -> dict[str, list[str]]:
        """Return the claimant's moves by position, in the form of the kernel's table."""
        game, claimant = self.statement.game, self.statement.claimant
        return {
            game.format_position(position): sorted({game.format_move(move) for _, move, _ in edges})
            for position, edges in self.edges.items()
            if edges and game.turn(position) == claimant
        }


def trace(parents: dict[Any, tuple[Any, Any]], position: Any) -> list[Any]:
    """Return the moves that lead to a position, by following its chain of parents."""
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
    """Explore every play of a statement, ply by ply. Stop at the first position where a strategy has no legal move.

    If the statement is opposed, do not stop there: a breakdown is one of the ends that the opponent may force.

    Args:
        statement: rules, start, strategies and horizon.
        choose: returns the claimant's moves to follow in a position; None to follow all moves that are allowed.
        is_enough: returns True to stop. Called after a ply if there are at least twice as many positions as at the
            last call.
        limit: the maximum number of positions; None for ``MAX_POSITIONS``.
        fold: takes a position, and returns the position that stands for it, such as the least of its images; None if
            each position stands for itself. If the statement ignores the number of moves (``has_number`` is False),
            the number is removed first (``without_number``).
        find_followed: returns the moves to follow in a position where play goes on, [] to follow none, or None to let
            ``choose`` decide.
        most_moves: stop after this many moves; None for no limit.

    Raises:
        NodeLimitError: there are more positions than the limit, or the positions where plays start cannot be listed.
    """
    found = Exploration(statement)
    limit = limit or MAX_POSITIONS
    to_image, without_number = fold, statement.game.without_number
    if not statement.has_number:
        fold = without_number if to_image is None else lambda position: to_image(without_number(position))
    try:
        level: dict[Any, None] = dict.fromkeys(find_starts(statement, fold))
    except CertificateError as error:
        raise NodeLimitError(str(error)) from None
    found.parents = {} if statement.given is None else {position: (None, position) for position in level}
    asked, made, size, known = 1, 0, sum(map(burden, level)), dict[Any, Any]()
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
            # Equal positions are one object, which saves memory.
            edges = tuple([(label, move, known.setdefault(after, after)) for label, move, after in edges])
            found.edges[position] = edges
            if not edges and followed is None and not statement.is_opposed:
                found.trouble = position
                return found
            for _, move, after in edges:
                if after not in found.parents and after != statement.start:
                    following[after] = None
                    found.parents[after] = (position, move)
                    size += burden(after)
            made += len(edges)
            if most_moves is not None and made >= most_moves:
                found.is_whole = False
                return found
            if size > limit:  # tested within a ply, because a ply can be large
                raise NodeLimitError(f"more than {limit:,} positions. {ADVICE}")
            if made > MAX_EXPLORED_MOVES:
                raise NodeLimitError(f"more than {MAX_EXPLORED_MOVES:,} moves. {ADVICE}")
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
    """Return the legal choices of the player to move; an empty list if his strategy breaks down."""
    game, mover = statement.game, statement.game.turn(position)
    if mover not in statement.strategies:
        return [("", move) for move in game.legal_moves(position)]
    choices = find_choices(statement, position, mover)
    return [] if find_breakdown(game, position, [move for _, move in choices]) else choices


def find_hit(found: Exploration, objective: Objective, *, value: bool) -> list[Any] | None:
    """Return a shortest play to a position in a scope of an objective where the objective's formula is ``value``.

    Return None if there is no such position.
    """
    firsts = [
        next((via for via in _in_scope(found, scope) if objective.test(via[0]) == value), None)
        for scope in sorted(objective.scopes)
    ]
    lines = [
        found.line_to(position) if origin is None else [*found.line_to(origin), move]
        for position, origin, move in filter(None, firsts)
    ]
    return min(lines, key=len, default=None)


def unmet_scopes(found: Exploration, objective: Objective) -> list[str]:
    """Return the scopes of an objective that contain no position."""
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
    """Return True if a position is in a scope: ``every``, ``start``, ``end``, ``claimant`` or ``opponent``."""
    if scope in ("every", "start"):
        return scope == "every" or position == statement.start
    if scope == "end":
        return statement.game.is_over(position)
    mover = "claimant" if statement.game.turn(position) == statement.claimant else "opponent"
    return scope == mover and not has_ended(statement, position)


def find_failure(found: Exploration, objective: Objective) -> list[Any] | None:
    """Return a shortest play that contradicts an objective about all plays; None if no play does."""
    return find_hit(found, objective, value=False) if objective.type == "keep" else find_escape(found, objective)


def find_escape(found: Exploration, objective: Objective) -> list[Any] | None:
    """Return a shortest play that contradicts a ``reach`` or ``prevent`` objective; None if no play does."""
    ply = found.statement.game.ply
    if objective.type == "prevent":
        for position in found.edges:
            if ply(position) <= objective.bound and objective.test(position):
                return found.line_to(position)
        return None
    parents = {position: via for position, via in found.parents.items() if via[0] is None}
    pending = {found.statement.start, *parents}
    for position, edges in found.edges.items():
        if position not in pending or objective.test(position):
            continue
        if not edges or ply(position) >= objective.bound:
            return trace(parents, position)
        for _, move, after in edges:
            if after not in pending:
                pending.add(after)
                parents[after] = (position, move)
    return None if found.statement.has_number else _find_round(found, objective, parents)


def _find_round(found: Exploration, objective: Objective, parents: dict[Any, tuple[Any, Any]]) -> list[Any] | None:
    """Return a play that comes back to one of its positions before it reaches a goal; None if there is no such play.

    Args:
        found: an exploration whose positions do not say how many moves were made, and in which no play ends before it
            reaches the goal.
        objective: the ``reach`` objective.
        parents: the same as in ``Exploration``, but without positions that plays meet only after the goal.
    """
    before = {position for position in (found.statement.start, *parents) if not objective.test(position)}
    # Remove the positions from which every play reaches the goal. Each position that is left has a move to a position
    # that is left.
    ways = {position: {after for _, _, after in found.edges[position]} & before for position in before}
    origins: dict[Any, list[Any]] = {}
    for position, there in ways.items():
        for after in there:
            origins.setdefault(after, []).append(position)
    waiting = [position for position, there in ways.items() if not there]
    for position in waiting:  # the loop adds positions
        before.remove(position)
        for origin in origins.get(position, ()):
            ways[origin].remove(position)
            if not ways[origin]:
                waiting.append(origin)
    if not before:
        return None
    # If a position is left, the position before it is left too, and so on to a start. Follow a play from this start.
    position, line, seen = found.statement.start, list[Any](), set[Any]()
    if found.statement.given is not None:
        position = next(position for position, via in parents.items() if via[0] is None and position in before)
        line = [position]
    while position not in seen:
        seen.add(position)
        move, position = next((move, after) for _, move, after in found.edges[position] if after in before)
        line.append(move)
    return line
