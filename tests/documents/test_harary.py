"""Harary's achievement games on boards that a page of Python can search."""

from __future__ import annotations

import functools

import pytest

from tests.rules import specs
from verifier.kernel.games.positional import Positional

SHAPES = {
    "el": "x. xx",
    "tic": "xxx",
    "elly": "x. x. xx",
    "knobby": "xxx .x.",
    "tippy": "xx. .xx",
    "skinny": "xxxx",
    "l5": "x. x. x. xx",
    "y5": "x. xx x. x.",
    "n5": "x. xx .x .x",
}
"""The animals as pictures, row by row."""


def _place(picture: str, side: int) -> set[int]:
    """Return the masks of all copies of a picture on a square board, turned and mirrored."""
    cells = {(r, c) for r, row in enumerate(picture.split()) for c, cell in enumerate(row) if cell == "x"}
    masks = set()
    for _ in range(2):
        cells = {(r, -c) for r, c in cells}
        for _ in range(4):
            cells = {(c, -r) for r, c in cells}
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            for down in range(side):
                for right in range(side):
                    spots = [(r - top + down, c - left + right) for r, c in cells]
                    if all(r < side and c < side for r, c in spots):
                        masks.add(sum(1 << (r * side + c) for r, c in spots))
    return masks


def _has_by(masks: set[int], cells: int, marks: int, *, weak: bool) -> bool:
    """Say whether the first player can be the first to have a copy, with so many marks of his own at most."""
    whole = (1 << cells) - 1

    def missing(own: int, other: int) -> dict[int, int]:
        """Return what open copies lack, with the least number of marks that any needs for it."""
        lacks = {mask & ~own for mask in masks if not mask & other}
        return {lack: lack.bit_count() for lack in lacks}

    @functools.cache
    def can(own: int, other: int, left: int) -> bool:
        lacks = missing(own, other)
        near = min(lacks.values(), default=99)
        if near > left:
            return False
        if near == 1:
            return True
        blocks = [] if weak else [lack for lack, size in missing(other, own).items() if size == 1]
        free = whole & ~own & ~other
        tries = blocks[0] if blocks else free
        return any(not saved(own | bit, other, left - 1) for bit in _bits(tries))

    @functools.cache
    def saved(own: int, other: int, left: int) -> bool:
        lacks = missing(own, other)
        if not weak and any(size == 1 for size in missing(other, own).values()):
            return True
        threats = [lack for lack, size in lacks.items() if size == 1]
        if len(threats) > 1:
            return False
        free = whole & ~own & ~other
        tries = threats[0] if threats else free
        return not free or any(not can(own, other | bit, left) for bit in _bits(tries))

    return can(0, 0, marks)


def _bits(mask: int) -> list[int]:
    return [1 << spot for spot in range(mask.bit_length()) if mask >> spot & 1]


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_the_shapes_come_to_the_copies_of_the_animals(name: str) -> None:
    """On each board that the specs have them on."""
    rules = specs().rules
    for side in range(3, 8):
        if f"{name}-{side}" in rules.own:
            game = rules.game(f"{name}-{side}")
            assert isinstance(game, Positional)
            assert {sum(1 << spot for spot in held) for held, _ in game.lines["X"]} == _place(SHAPES[name], side)


@pytest.mark.parametrize("weak", [False, True])
@pytest.mark.parametrize(
    ("name", "board", "marks"), [("el", 3, 3), ("tic", 4, 3), ("elly", 4, 4), ("knobby", 5, 4), ("tippy", 3, 5)]
)
def test_small_animals_have_the_numbers_of_the_table(name: str, board: int, marks: int, *, weak: bool) -> None:
    """On the board with so many marks, not with fewer, and not at all on the next smaller board."""
    assert _has_by(_place(SHAPES[name], board), board**2, marks, weak=weak)
    assert not _has_by(_place(SHAPES[name], board), board**2, marks - 1, weak=weak)
    if board < 5:
        assert not _has_by(_place(SHAPES[name], board - 1), (board - 1) ** 2, board**2, weak=weak)


@pytest.mark.slow
def test_the_n_pentomino_is_had_on_five_rows_of_five_with_six_marks() -> None:
    """In both games, and not with five: the table says that there is no such board."""
    masks = _place(SHAPES["n5"], 5)
    assert _has_by(masks, 25, 6, weak=True)
    assert not _has_by(masks, 25, 5, weak=False)
