"""Symmetries of a board: those that the rules take, and no other."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.rules import find_rules, in_a_row, positional
from verifier.graph.symmetry import find_images, find_symmetries
from verifier.kernel.games import parse_rules
from verifier.kernel.games.positional import Positional

LINES = [[["X_line"], "X"], [["O_line"], "O"]]


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (positional(3, 3, in_a_row(3, 3, 3), LINES), 8),
        (positional(4, 4, in_a_row(4, 4, 4), LINES), 8),
        (positional(3, 3, in_a_row(3, 3, 3, along=["rows"]), LINES), 4),
        (positional(2, 4, in_a_row(2, 2, 4), LINES), 4),
        (positional(3, 3, [[[0, 1], []]], LINES), 1),
        (positional(3, 3, [[[0, 1], []], [[0, 3], []]], LINES), 2),
        (positional(3, 3, [[[0, 1], [2]], [[0, 3], [4]]], LINES), 1),
        (positional(2, 2, in_a_row(2, 2, 2), LINES, legal=[True, True, ["X", 0], ["X", 1]]), 2),
    ],
)
def test_the_rules_say_which_symmetries_there_are(data: dict[str, Any], count: int) -> None:
    """Lines, the spots that are not held, and the conditions of spots all have to be taken to themselves."""
    game = parse_rules(data)
    assert isinstance(game, Positional)
    assert len(set(find_symmetries(game))) == count
    assert (find_images(game) is None) == (count == 1)


@pytest.mark.parametrize(
    ("name", "count"),
    [("tictactoe", 8), ("four-in-a-row", 8), ("notakto", 8), ("maker-breaker", 8), ("gravity", 2), ("threesome4x4", 8)],
)
def test_a_symmetry_takes_plays_to_plays(name: str, count: int) -> None:
    """Of a random play every image is a play that ends alike, and each position has the images of the play's."""
    game: Any = find_rules(name)
    symmetries, images = find_symmetries(game), find_images(game)
    assert images is not None
    assert len(symmetries) == count
    generator = random.Random(1)
    for permutation in symmetries:
        position = image = game.start
        while moves := game.legal_moves(position):
            (spot,) = generator.choice(moves)
            position, image = game.play(position, (spot,)), game.play(image, (permutation[spot],))
            assert tuple(image) in set(images(position))
            assert game.outcome(image) == game.outcome(position)
