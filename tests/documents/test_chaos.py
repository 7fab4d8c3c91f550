"""Order and Chaos on small boards, solved by this test's own program."""

import functools

import pytest

from tests.boards import in_a_row


@pytest.mark.parametrize("order_begins", [True, False])
@pytest.mark.parametrize(("side", "length"), [(3, 2), pytest.param(4, 3, marks=pytest.mark.slow)])
def test_order_wins_small_boards_whoever_begins(side: int, length: int, *, order_begins: bool) -> None:
    """Both players put either mark on any square. Order wins with enough equal marks in a row."""
    squares = range(side * side)
    lines = [tuple(line) for line in in_a_row(length, side, side)]

    @functools.cache
    def order_wins(board: str) -> bool:
        if any(board[line[0]] != "." and len({board[square] for square in line}) == 1 for line in lines):
            return True
        after = (board[:at] + mark + board[at + 1 :] for at in squares if board[at] == "." for mark in "XO")
        is_order = (board.count(".") - len(squares)) % 2 == 0
        choose = any if is_order == order_begins else all
        return "." in board and choose(order_wins(one) for one in after)

    assert order_wins("." * len(squares))
