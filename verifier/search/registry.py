"""The search functions that depend on the family of a game, by the family's name. A family may be missing here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from verifier.kernel.games import Game
from verifier.search.nested import take_back

TakeBack = Callable[[Any, Any], Iterator[tuple[Any, Any]]]
"""A function of a game and a position. It yields each move that leads there, with the position before it."""

TAKE_BACK: dict[str, TakeBack] = {"nested": take_back}


def find_take_back(game: Game) -> TakeBack | None:
    """Return the function that takes back moves of a game; None if its family has no such function."""
    return TAKE_BACK.get(game.family)
