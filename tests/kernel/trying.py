"""Solve games, and list all their positions, by trying every move."""

import functools
from collections.abc import Callable, Iterator
from typing import Any


def wins_by_trying(game: Any, player: str) -> Callable[[Any], bool]:
    """Return a function that says whether a player can force a win in a position."""

    @functools.cache
    def is_won(here: Any) -> bool:
        if game.is_over(here):
            return bool(game.outcome(here) == player)
        values = (is_won(game.play(here, move)) for move in game.legal_moves(here))
        return any(values) if game.turn(here) == player else all(values)

    return is_won


def levels_of(game: Any) -> Iterator[set[Any]]:
    """Yield the positions of each ply."""
    level = {game.start}
    while level:
        yield level
        level = {game.play(here, move) for here in level for move in game.legal_moves(here)}
