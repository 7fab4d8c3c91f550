"""Wild tic-tac-toe, in which both players put X or O, solved by this test's own program."""

import functools
from collections.abc import Callable

import pytest

from tests.documents.small import free, has_line, mark
from tests.rules import specs

Move = tuple[int, str]
OTHER = {"X": "O", "O": "X"}


def moves(board: str) -> list[Move]:
    return [(spot, letter) for spot in free(board) for letter in "XO"]


def is_lined(board: str) -> bool:
    return has_line(board, "X") or has_line(board, "O")


def opposite(board: str) -> list[Move]:
    """Return the moves that put the other mark opposite to a mark. The centre has no opposite spot."""
    return [(spot, OTHER[board[8 - spot]]) for spot in free(board) if spot != 4 and board[8 - spot] != "."]


def solve(choose: dict[bool, Callable[[str], list[Move]]], *, misere: bool) -> Callable[[str], int]:
    """Return a function that gives the second player's best result: 1 for a win, 0 for a draw, -1 for a loss."""

    @functools.cache
    def value(board: str) -> int:
        is_second = board.count(".") % 2 == 0
        if is_lined(board):
            return 1 if is_second == misere else -1
        offered = choose.get(is_second, moves)(board)
        values = [value(mark(board, *move)) for move in offered]
        if not values:
            assert "." not in board
            return 0
        return max(values) if is_second else min(values)

    return value


@pytest.mark.parametrize(("misere", "centre", "elsewhere"), [(False, -1, 0), (True, 0, 1)])
def test_only_the_centre_is_a_good_first_move(centre: int, elsewhere: int, *, misere: bool) -> None:
    """It wins the normal form, where all others draw. It draws the misère form, where all others lose."""
    value = solve({}, misere=misere)
    for spot in range(9):
        for letter in "XO":
            assert value(mark("." * 9, spot, letter)) == (centre if spot == 4 else elsewhere)


def is_safe(board: str, move: Move) -> bool:
    return not is_lined(mark(board, *move))


@pytest.mark.parametrize("careful", [False, True])
def test_opposite_marks_lose_the_misere_form(*, careful: bool) -> None:
    """This holds for any first mark, and whatever the second player does if there is no opposite spot."""

    def choose(board: str) -> list[Move]:
        return [move for move in opposite(board) if not careful or is_safe(board, move)] or moves(board)

    value = solve({True: choose}, misere=True)
    assert {value(mark("." * 9, *move)) for move in moves("." * 9)} == {-1}


def test_the_first_player_holds_the_misere_form_by_the_centre_and_opposite_marks() -> None:
    """The second player gets at best a draw, and there is always an opposite mark."""
    value = solve({False: lambda board: opposite(board) if "X" in board or "O" in board else [(4, "X")]}, misere=True)
    assert value("." * 9) == 0
    assert specs().claims["wild-misere-first"].model.readings["centre-then-opposite"].expect == "proved"
