"""Find out whether legal play reaches a counterexample to a step, or another position from which a step fails.

A bounded search goes backwards from the counterexample: it finds a play, or shows that there is no play, or gives up.
Then random games look for another position from which a step fails. If they meet no such position, that proves nothing.

The result only informs readers, and nobody has to trust it: a counterexample refutes a step even if no play reaches it.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from verifier.kernel.errors import CertificateError
from verifier.kernel.games import Game, Move
from verifier.kernel.obligations import ORDER
from verifier.kernel.steps import Part, StepsStatement, find_failures
from verifier.search.registry import find_take_back
from verifier.search.walk import NodeLimitError

MAX_POSITIONS_MET = 200_000
"""Maximum number of positions in a search. A search of this many positions takes about ten seconds."""


def find_play(game: Game, position: Any, limit: int = MAX_POSITIONS_MET) -> tuple[bool | None, list[Move] | None]:
    """Take back moves from a position, to find a play that reaches it. Not every family of games supports this.

    Returns:
        True and the moves of the play if there is one; False and None if there is none; None and None if this is not
        known.
    """
    if position == game.start:
        return True, []
    take_back = find_take_back(game)
    if take_back is None:
        return None, None
    met: set[Any] = set()

    def find(position: Any) -> list[Move] | None:
        """Return the moves from the start to a position; None if no play reaches it, or if it was examined before."""
        if position == game.start:
            return []
        if position in met:
            return None
        met.add(position)
        if len(met) > limit:
            raise NodeLimitError
        for before, move in take_back(game, position):
            if (line := find(before)) is not None:
                return [*line, move]
        return None

    try:
        line = find(position)
    except NodeLimitError:
        return None, None
    return line is not None, line


GAMES = 1000
"""Number of random games; together they take a few seconds. One of them is likely to meet a failing step, unless such
steps are rare."""

GAMES_SEED = 1

MAX_GAME = 100
"""Maximum number of moves in a random game. Under some rules, a game can go on for ever. On nine fields, a game has at
most 81 moves."""


class FailingStep(NamedTuple):
    """A step that fails, and a game that leads to it.

    Attributes:
        part: the index of the statement's part to which the step belongs.
        position: where the step starts.
        moves: the moves of the step.
        fails: the name of what fails after the step.
        line: the moves from the start of the game to the position; None if no play to it is known.
    """

    part: int
    position: Any
    moves: tuple[Any, ...]
    fails: str
    line: Sequence[Any] | None


def find_failure_in_games(statement: StepsStatement, games: int = GAMES) -> FailingStep | None:
    """Play random games. Return the failing step that they meet after the fewest moves; None if they meet none."""
    game, chance = statement.game, random.Random(GAMES_SEED)  # noqa: S311 - games, not secrets
    best, most = None, MAX_GAME
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


def _fails_at(statement: StepsStatement, position: Any, line: tuple[Any, ...]) -> FailingStep | None:
    game = statement.game
    for index, part in enumerate(statement.parts):
        if part.turn in (None, game.turn(position)) and all(test(position, position) for _, test in part.hypotheses):
            failing = find_failing_step(game, part, position)
            if failing is not None:
                return FailingStep(index, position, *failing, line)
    return None


def find_failing_step(game: Game, part: Part, position: Any) -> tuple[tuple[Any, ...], str] | None:
    """Return the moves of the first failing step from a position, and what fails after it; None if no step fails."""
    for moves in steps_from(game, part, position):
        # An error means that the moves are not a step of the part: the game is over, or it is the wrong player's turn.
        with contextlib.suppress(CertificateError):
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
