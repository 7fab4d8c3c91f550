"""The numbers in moves and expressions, by family of games: how many there are, and words that stand for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class GameNumbers:
    """What expressions and moves of a game can use besides its vocabulary.

    Attributes:
        move_sizes: how many values each integer of a move can have.
        constants: numbers, and ranges of numbers, that expressions can use by name.
        pointer: a word, such as ``active``, that is true of exactly one index in each position. Expressions can use the
            word in place of that index. Empty if there is no such word.
    """

    move_sizes: tuple[int, ...]
    constants: Mapping[str, int | range] = field(default_factory=dict)
    pointer: str = ""


def _of_cells(game: Any) -> GameNumbers:
    moves = [numbers for _, numbers, _ in game.data["moves"]]
    return GameNumbers(tuple(1 + max(column) for column in zip(*moves, strict=True)))


NUMBERS: dict[str, Callable[[Any], GameNumbers]] = {
    "general": _of_cells,
    "nested": lambda _: GameNumbers((9, 9), {"FIELDS": range(9), "SPOTS": range(9), "ANY": 9}, "active"),
    "positional": lambda game: GameNumbers((game.cells,), {"SPOTS": range(game.cells)}),
}
"""If a family has no function here, strategies cannot name moves, and expressions have no words for numbers."""


def find_numbers(game: Any) -> GameNumbers:
    """Return the numbers of a game."""
    return NUMBERS[game.family](game) if game.family in NUMBERS else GameNumbers(())
