"""Harary's achievement games on boards that a page of Python can search."""

import pytest

from tests.boards import Lines, shape
from tests.documents.small import can_have
from tests.rules import specs
from verifier.kernel.games.positional import PositionalGame

SHAPES = {
    "el": "x. xx",
    "tic": "xxx",
    "elly": "x. x. xx",
    "knobby": "xxx .x.",
    "fatty": "xx xx",
    "tippy": "xx. .xx",
    "skinny": "xxxx",
    "l5": "x. x. x. xx",
    "y5": "x. xx x. x.",
    "n5": "x. xx .x .x",
}
"""The animals as pictures, row by row."""


def place(name: str, side: int) -> Lines:
    """Return all copies of an animal on a square board, turned and mirrored."""
    rows = SHAPES[name].split()
    return shape([(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "x"], side, side)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_the_shapes_of_the_specs_are_the_copies_of_the_animals(name: str) -> None:
    library = specs()
    for side in range(3, 9):
        if f"{name}-{side}" in library.rules:
            game = library.game(f"{name}-{side}")
            assert isinstance(game, PositionalGame)
            assert {frozenset(held) for held, _ in game.lines["X"]} == place(name, side)


@pytest.mark.parametrize("weak", [False, True])
@pytest.mark.parametrize(
    ("name", "board", "marks"), [("el", 3, 3), ("tic", 4, 3), ("elly", 4, 4), ("knobby", 5, 4), ("tippy", 3, 5)]
)
def test_small_animals_have_the_numbers_of_the_table(name: str, board: int, marks: int, *, weak: bool) -> None:
    """The table's number of marks is enough on its board, and one less is not. The next smaller board is too small."""
    assert can_have(place(name, board), board**2, marks, weak=weak)
    assert not can_have(place(name, board), board**2, marks - 1, weak=weak)
    if board < 5:
        assert not can_have(place(name, board - 1), (board - 1) ** 2, board**2, weak=weak)


def test_every_copy_of_fatty_contains_a_brick() -> None:
    """No two bricks of the wall share a spot, so the second player always has an answer."""
    bricks = [{8 * row + column, 8 * row + column + 1} for row in range(8) for column in range(row % 2, 7, 2)]
    assert len(set().union(*bricks)) == 2 * len(bricks) == 56
    assert all(any(brick <= copy for brick in bricks) for copy in place("fatty", 8))


@pytest.mark.slow
def test_the_n_pentomino_is_possible_on_five_by_five_with_six_marks() -> None:
    """The middle is a good start, and five marks are not enough if only he counts. The table has no such board."""
    copies = place("n5", 5)
    assert can_have(copies, 25, 6, weak=True, first=[12])
    assert not can_have(copies, 25, 5, weak=True)
