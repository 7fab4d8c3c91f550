"""Order and Chaos on small boards, solved by this test's own program."""

import functools
import itertools

import numpy as np
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


@pytest.mark.slow
@pytest.mark.parametrize("order_begins", [True, False])
def test_order_wins_with_four_in_a_row_whoever_begins(*, order_begins: bool) -> None:
    """All 43 million boards are solved, from the full ones to the empty one. Digit s of a number is the mark on s."""
    halves = np.array([*itertools.product(range(3), repeat=8)], dtype=np.int8).T[::-1]
    marks = sum(np.add.outer(half, half) for half in (halves > 0).astype(np.int8)).ravel()
    is_won = np.zeros(3**16, dtype=bool)
    for line, mark in itertools.product(in_a_row(4, 4, 4), (1, 2)):
        low, high = ([halves[s % 8] == mark for s in line if s // 8 == half] for half in (0, 1))
        every = np.logical_and.reduce
        is_won |= np.logical_and.outer(every([*high, halves[0] >= 0]), every([*low, halves[0] >= 0])).ravel()
    for count in range(15, -1, -1):
        boards = np.flatnonzero((marks == count) & ~is_won)
        is_order = (count % 2 == 0) == order_begins
        found = np.full(len(boards), not is_order)
        for square, mark in itertools.product(range(16), (1, 2)):
            is_free = boards // 3**square % 3 == 0
            after = is_won[np.where(is_free, boards + mark * 3**square, boards)]
            found = found | (is_free & after) if is_order else found & (~is_free | after)
        is_won[boards] = found
    assert is_won[0]


def test_pairs_of_opposite_marks_cannot_block_every_five_on_six_rows() -> None:
    """Chaos needs 18 pairs of the 32 lines, so all 36 squares; but no corner is in a pair that helps enough.

    A pair blocks the lines that have both of its squares: two lines at most. Only the four short diagonals need a pair
    each. So 14 pairs must block two lines each, and such pairs never have a corner.
    """
    lines = [frozenset(line) for line in in_a_row(5, 6, 6)]
    blocked = {pair: sum(line.issuperset(pair) for line in lines) for pair in itertools.combinations(range(36), 2)}
    alone = [line for line in lines if all(blocked[pair] == 1 for pair in itertools.combinations(sorted(line), 2))]
    corners = {0, 5, 30, 35}
    assert (len(lines), len(alone), max(blocked.values())) == (32, 4, 2)
    assert not any(corners & set(line) for line in alone)
    assert not any(corners & set(pair) for pair, count in blocked.items() if count == 2)
