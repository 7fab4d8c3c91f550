"""Find out whether legal play reaches a counterexample to a step, or else another position from which a step fails.

A bounded search goes backwards from the counterexample: it finds a play, or shows that there is none, or gives up. Then
random games may meet another position from which a step fails. If they meet none, that says nothing.

Untrusted, and for people: a counterexample to a step refutes that step whether play reaches it or not.
"""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from verifier.kernel.errors import CertificateError, IllegalMoveError
from verifier.kernel.games import Game
from verifier.kernel.games.nested import ANY, FULL_FIELD_MASK, HAS_LINE, Move, Nested, Position
from verifier.kernel.obligations import ORDER
from verifier.kernel.steps import Part, StepsStatement, find_failures
from verifier.search.walk import NodeLimitError

LIMIT = 200_000
"""Maximum number of positions that a search meets: about ten seconds."""


def find_play(game: Game, position: Any, limit: int = LIMIT) -> tuple[bool | None, list[Move] | None]:
    """Look for a play that reaches a position, by taking back moves one by one; only for nine fields.

    Returns:
        Whether there is a play, None if that is not known; and its moves.
    """
    if position == game.start:
        return True, []
    if not isinstance(game, Nested):
        return None, None
    met: set[Position] = set()

    def find(position: Position) -> list[Move] | None:
        """Return the moves from the start to a position; None if there are none, or if it was met before."""
        if position == game.start:
            return []
        if position in met:
            return None
        met.add(position)
        if len(met) > limit:
            raise NodeLimitError
        for before, move in predecessors(game, position) if is_balanced(game, position) else ():
            if (line := find(before)) is not None:
                return [*line, move]
        return None

    try:
        line = find(position)
    except NodeLimitError:
        return None, None
    return line is not None, line


def predecessors(game: Nested, position: Position) -> Iterator[tuple[Position, Move]]:
    """Yield every position and move that lead to a position, whether play reaches them or not."""
    is_xavier = game.ply(position) % 2 == 1
    own = position.x_mask if is_xavier else position.o_mask
    for f in range(9):
        for s in range(9) if position.active == ANY else (position.active,):
            bit = 1 << 9 * f + s
            x, o = position.x_mask & ~bit, position.o_mask & ~bit
            owners = _owners_before(position, f, x, o) if own & bit else None
            if owners is None:
                continue
            for active in (f, ANY):
                before = Position(x, o, *owners, active)
                try:
                    if game.play(before, (f, s)) == position:
                        yield before, (f, s)
                except IllegalMoveError:
                    continue


def _owners_before(position: Position, f: int, x: int, o: int) -> tuple[int, int] | None:
    """Return which fields X and O owned before a mark in field f, when marks were x and o; None if no play fits."""
    has_line = [HAS_LINE[mask >> 9 * f & FULL_FIELD_MASK] for mask in (x, o)]
    owners = position.x_fields_mask, position.o_fields_mask
    x_fields, o_fields = (own if line else own & ~(1 << f) for own, line in zip(owners, has_line, strict=True))
    return (x_fields, o_fields) if any(has_line) == bool((x_fields | o_fields) >> f & 1) else None


def is_balanced(game: Nested, position: Position) -> bool:
    """Return False if counting shows that no play reaches a position; True says nothing.

    A player who is sent to a field that takes marks plays there. So in this field he has at least as many marks as the
    other player has marks that send there, apart from the last move. Each further mark is a free choice. If every field
    takes marks, the first move is the only free choice.
    """
    mover, marks = game.turn(position), {"X": position.x_mask, "O": position.o_mask}
    free_choices, is_open = 0, True
    for k in range(9):
        if not _takes_marks(game, position, k):
            is_open = False
            continue
        for player, other in (("X", "O"), ("O", "X")):
            inside = (marks[player] >> 9 * k & FULL_FIELD_MASK).bit_count()
            sent = sum(marks[other] >> 9 * f + k & 1 for f in range(9))
            free = inside - sent + (position.active == k and player == mover)
            if free < 0:
                return False
            free_choices += free
    return free_choices == 1 if is_open else True


def _takes_marks(game: Nested, position: Position, f: int) -> bool:
    taken = (position.x_mask | position.o_mask) >> 9 * f & FULL_FIELD_MASK
    is_owned = (position.x_fields_mask | position.o_fields_mask) >> f & 1
    return taken != FULL_FIELD_MASK and not (game.closed and is_owned)


GAMES = 1000
"""How many random games are played: a few seconds, enough to meet a step that fails often."""

SEED = 1


class Failure(NamedTuple):
    """A step that fails, and a game that leads to it.

    Attributes:
        part: the index of the part.
        position: where the step starts.
        moves: the moves of the step.
        fails: what fails after it.
        line: the moves from the start of the game to the position; None: none was found.
    """

    part: int
    position: Any
    moves: tuple[Any, ...]
    fails: str
    line: Sequence[Any] | None


def find_failure(statement: StepsStatement, games: int = GAMES) -> Failure | None:
    """Return the failing step with the fewest marks that some random games meet; None if they meet no failing step."""
    game, chance = statement.game, random.Random(SEED)  # noqa: S311 - games, not secrets
    best, most = None, math.inf
    for _ in range(games):
        position, line = game.start, list[Any]()
        while len(line) < most:
            found = _fails_at(statement, position, tuple(line))
            if found is not None:
                best, most = found, len(line)
            moves = game.legal_moves(position)
            if not moves:
                break
            line.append(chance.choice(moves))
            position = game.play(position, line[-1])
    return best


def _fails_at(statement: StepsStatement, position: Any, line: tuple[Any, ...]) -> Failure | None:
    game = statement.game
    for index, part in enumerate(statement.parts):
        if part.turn in (None, game.turn(position)) and all(test(position, position) for _, test in part.hypotheses):
            failing = find_failing_step(game, part, position)
            if failing is not None:
                return Failure(index, position, *failing, line)
    return None


def find_failing_step(game: Game, part: Part, position: Any) -> tuple[tuple[Any, ...], str] | None:
    """Return the moves of the first failing step from a position, and what fails after it; None: no step fails."""
    for moves in steps_from(game, part, position):
        with contextlib.suppress(CertificateError):  # not a step of this part: the game is over, or others are to move
            _, failed = find_failures(game, part, position, moves)
            if failed:
                return moves, failed[0]
    return None


def steps_from(game: Game, part: Part, position: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the moves of every step of a part from a position. If a step cannot go on, yield the moves made so far."""

    def go_on(at: Any, moves: tuple[Any, ...], left: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
        if not left or game.is_over(at):
            yield moves
            return
        legal = game.legal_moves(at)
        if left[0] == "reply":
            chosen = sorted({move for _, move in part.strategy(at)}) if part.strategy else []
            if not chosen or not set(chosen) <= set(legal):
                yield moves
                return
        else:
            chosen = [move for move in legal if part.plays in (None, move)]
        for move in chosen:
            yield from go_on(game.play(at, move), (*moves, move), left[1:])

    return go_on(position, (), ORDER.get(part.step, ()))
