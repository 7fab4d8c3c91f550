"""All symmetries of rules are found, and each maps lines to lines and formulas to formulas."""

from typing import Any

import pytest

from tests.boards import Lines, boards, in_a_row
from verifier.kernel.games.lines import Permutation
from verifier.kernel.games.positional import PositionalGame
from verifier.kernel.relabel import _multiply
from verifier.search.threats.symmetry import Finder


def sort_lines(lines: Lines) -> dict[str, Any]:
    return {"X": sorted((tuple(sorted(line)), ()) for line in lines)}


def group(cells: int, lines: dict[str, Any], *formulas: list[Any]) -> list[Permutation]:
    return _multiply(Finder(cells, lines, *formulas).find(), cells)


NUMBERS = [("cube", 48), ("affine-4", 5760), ("four-in-a-row", 32), ("four-on-25", 8), ("n5-5", 8)]


@pytest.mark.parametrize(("name", "number"), NUMBERS)
def test_a_board_has_as_many_symmetries_as_expected(name: str, number: int) -> None:
    """A cube has 48, and a square 8. There are more if lines that look different can be exchanged."""
    board = boards().game(name)
    assert isinstance(board, PositionalGame)
    lines = frozenset(frozenset(held) for held, _ in board.lines["X"])
    found = group(board.cells, sort_lines(lines))
    assert len(found) == len(set(found)) == number
    assert found[0] == tuple(range(board.cells))
    for permutation in found:
        assert {frozenset(permutation[s] for s in line) for line in lines} == lines


def test_formulas_about_spots_leave_fewer_symmetries() -> None:
    """If marks fall on a board of three rows, only left and right can be exchanged."""
    falling: list[Any] = [["and", ["not", ["free", s + 3]]] if s < 6 else True for s in range(9)]
    assert len(group(9, sort_lines(in_a_row(3, 3, 3)), falling)) == 2


def test_a_goal_that_names_a_spot_leaves_fewer_symmetries() -> None:
    """Those that keep the corner remain. None remains if the goal names two spots that are not alike."""
    lines = sort_lines(in_a_row(3, 3, 3))
    assert len(group(9, lines, [], [["X", 0]])) == 2
    assert len(group(9, lines, [], [["or", ["X", 0], ["X", 8]]])) == 4
    assert len(group(9, lines, [], [["and", ["X", 0], ["O", 1]]])) == 1


def test_spots_that_a_line_must_not_have_count() -> None:
    """A line from one end has no mirror image if it must not have its last spot."""
    assert len(group(3, {"X": [((0, 1), (2,)), ((1, 2), (0,))]})) == 2
    assert len(group(3, {"X": [((0, 1), (2,))]})) == 2
    assert len(group(3, {"X": [((0,), (1,)), ((1,), (2,))]})) == 1
