"""The symmetries of rules are found: as many as there are, and each takes lines to lines and formulas to formulas."""

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
    """48 of a cube, 8 of a square; more where lines are exchanged that do not look alike."""
    board = boards().game(name)
    assert isinstance(board, PositionalGame)
    lines = frozenset(frozenset(held) for held, _ in board.lines["X"])
    found = group(board.cells, sort_lines(lines))
    assert len(found) == len(set(found)) == number
    assert found[0] == tuple(range(board.cells))
    for permutation in found:
        assert {frozenset(permutation[s] for s in line) for line in lines} == lines


def test_formulas_of_spots_leave_fewer() -> None:
    """With marks that fall on a board of three rows, only left and right can be exchanged."""
    falling: list[Any] = [["and", ["not", ["free", s + 3]]] if s < 6 else True for s in range(9)]
    assert len(group(9, sort_lines(in_a_row(3, 3, 3)), falling)) == 2


def test_a_goal_that_names_a_spot_leaves_fewer() -> None:
    """Those that keep the corner where it is; none is left where two spots are named that do not lie alike."""
    lines = sort_lines(in_a_row(3, 3, 3))
    assert len(group(9, lines, [], [["X", 0]])) == 2
    assert len(group(9, lines, [], [["or", ["X", 0], ["X", 8]]])) == 4
    assert len(group(9, lines, [], [["and", ["X", 0], ["O", 1]]])) == 1


def test_what_is_not_held_counts() -> None:
    """A line that begins at one end has no mirror image where its last spot is one that is not held."""
    assert len(group(3, {"X": [((0, 1), (2,)), ((1, 2), (0,))]})) == 2
    assert len(group(3, {"X": [((0, 1), (2,))]})) == 2
    assert len(group(3, {"X": [((0,), (1,)), ((1,), (2,))]})) == 1
