"""Look for a position of random games from which a step fails: a counterexample that legal play reaches.

Untrusted: the kernel replays the step, and anyone who doubts the game can play it. That none is found says nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from verifier.kernel.errors import CertificateError
from verifier.kernel.games import Game
from verifier.kernel.steps import Part, StepsStatement, find_failures

GAMES = 1000
"""How many games are played: enough for what fails often, in a few seconds."""

SEED = 1

_MOVES = {
    "none": (),
    "move": ("free",),
    "reply": ("reply",),
    "round": ("free", "reply"),
    "reply-first": ("reply", "free"),
}
"""Who moves in a step: anybody who is to, or the claimant by the strategy."""


class Failure(NamedTuple):
    """A step that fails, and the game that leads to it.

    Attributes:
        part: the index of the part.
        position: where the step starts.
        moves: the moves of the step.
        fails: what fails after it.
        line: the moves from the start of the game to the position.
    """

    part: int
    position: Any
    moves: tuple[Any, ...]
    fails: str
    line: tuple[Any, ...]


def find_failure(statement: StepsStatement, games: int = GAMES) -> Failure | None:
    """Return the failing step with the fewest marks that some random games meet; None where they meet none."""
    game, chance = statement.game, random.Random(SEED)  # noqa: S311 - games, not secrets
    best: Failure | None = None
    for _ in range(games):
        position, line = game.start, list[Any]()
        while best is None or len(line) < len(best.line):
            found = _fails_at(statement, position, tuple(line))
            if found is not None:
                best = found
            moves = game.legal_moves(position)
            if not moves:
                break
            line.append(chance.choice(moves))
            position = game.play(position, line[-1])
    return best


def _fails_at(statement: StepsStatement, position: Any, line: tuple[Any, ...]) -> Failure | None:
    game = statement.game
    for index, part in enumerate(statement.parts):
        if part.step not in _MOVES or part.turn not in (None, game.turn(position)):
            continue
        if not all(test(position, position) for _, test in part.hypotheses):
            continue
        for moves in steps_from(game, part, position):
            try:
                _, failed = find_failures(game, part, position, moves)
            except CertificateError:
                continue  # not a step of this part: the game is over, or somebody else is to move
            if failed:
                return Failure(index, position, moves, failed[0], line)
    return None


def steps_from(game: Game, part: Part, position: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the moves of every step of a part from a position; a step that breaks off ends where it does."""

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

    return go_on(position, (), _MOVES[part.step])
