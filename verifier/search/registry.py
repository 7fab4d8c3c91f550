"""What a search knows of single families of games, by the name that rules have. A family may have no line here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from verifier.kernel.games import Game
from verifier.search.nested import take_back

TakeBack = Callable[[Any, Any], Iterator[tuple[Any, Any]]]
"""Takes a game and a position; yields each position and move that lead there, if some play may reach it."""

TAKE_BACK: dict[str, TakeBack] = {"nested": take_back}


def find_take_back(game: Game) -> TakeBack | None:
    """Return what takes back moves of a game; None: nothing does."""
    return TAKE_BACK.get(game.family)
