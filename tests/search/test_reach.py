"""Whether legal play reaches a position: what is found is played again, what is not there is not found."""

from __future__ import annotations

import random

import pytest

from tests.rules import find_rules
from verifier.kernel.games.nested import Nested
from verifier.search.reach import find_play


def rules(name: str) -> Nested:
    game = find_rules(name)
    assert isinstance(game, Nested)
    return game


@pytest.mark.parametrize("name", ["paper", "closed-any-spot", "closed-open-fields"])
@pytest.mark.parametrize("plies", [0, 1, 5, 16, 24])
def test_a_position_of_a_game_is_reached(name: str, plies: int) -> None:
    """A play to each position of random games is found, and leads there."""
    game, chance = rules(name), random.Random(plies)
    for _ in range(5):
        position = game.start
        for _ in range(plies):
            moves = game.legal_moves(position)
            position = game.play(position, chance.choice(moves)) if moves else position
        reached, line = find_play(game, position)
        assert reached
        after = game.start
        for move in line or ():
            after = game.play(after, move)
        assert after == position


@pytest.mark.parametrize(
    "text",
    [
        "XX......./.....O.../........./........./........./........./........./........./......... ......... 1",
        "........./........./........./........./........./........./........./........./X.......O ......... 8",
    ],
)
def test_a_position_that_no_game_reaches_is_not(text: str) -> None:
    """An active field that no mark explains, a mark where nobody was sent: the search ends, and finds no play."""
    game = rules("paper")
    assert find_play(game, game.parse_position(text)) == (False, None)


def test_a_search_that_meets_its_limit_says_nothing() -> None:
    """Open is neither yes nor no."""
    game = rules("paper")
    position = game.start
    for _ in range(20):
        position = game.play(position, game.legal_moves(position)[0])
    assert find_play(game, position, limit=3) == find_play(game, position, limit=1) == (None, None)
