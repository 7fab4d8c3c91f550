"""Notakto on up to three boards, played out by this test's own loops."""

import functools

import pytest

from tests.documents.small import LINES
from tests.rules import specs
from verifier.questions.sum.model import SumReading

TURNS = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8),
    (6, 3, 0, 7, 4, 1, 8, 5, 2),
    (8, 7, 6, 5, 4, 3, 2, 1, 0),
    (2, 5, 8, 1, 4, 7, 0, 3, 6),
)
MAPS = (*TURNS, *(tuple(turn[spot] for spot in (2, 1, 0, 5, 4, 3, 8, 7, 6)) for turn in TURNS))
"""The eight symmetries of the square."""


@functools.cache
def least(board: int) -> int:
    """Return the smallest mask among the turned and mirrored images of a board."""
    return min(sum(1 << spot for spot, old in enumerate(images) if board >> old & 1) for images in MAPS)


def is_dead(board: int) -> bool:
    """Return whether a board has three in a row."""
    return any(all(board >> spot & 1 for spot in line) for line in LINES)


@functools.cache
def wins(boards: tuple[int, ...]) -> bool:
    """Return whether the player to move wins. If no board is left, the other player has made the last mark and lost."""
    if not boards:
        return True
    for at, board in enumerate(boards):
        for spot in range(9):
            if not board >> spot & 1:
                after = board | 1 << spot
                rest = (*boards[:at], *boards[at + 1 :], *([] if is_dead(after) else [least(after)]))
                if not wins(tuple(sorted(rest))):
                    return True
    return False


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_first_player_wins_an_odd_number_of_empty_boards(number: int) -> None:
    assert wins((0,) * number) == (number % 2 == 1)


def test_on_one_board_the_centre_wins_and_a_knights_move_after_it() -> None:
    assert [spot for spot in range(9) if not wins((least(1 << spot),))] == [4]
    after = {least(1 << 4 | 1 << a | 1 << b) for a, both in {0: (5, 7), 1: (6, 8)}.items() for b in both}
    assert not any(wins((board,)) for board in after)


def test_a_mark_in_the_centre_has_the_type_of_two_empty_boards() -> None:
    """The specs say that an empty board is c, and a board with its centre c². Both act alike beside one board."""
    boards = {least(board) for board in range(512) if not is_dead(board)}
    assert len(boards) == 46
    assert all(wins(tuple(sorted((board, 16)))) == wins(tuple(sorted((board, 0, 0)))) for board in boards)


def test_the_type_of_a_published_program_is_wrong_about_two_boards() -> None:
    """With type a, the player to move would lose one such board, and win two. Beside a dead board nothing is left."""
    live, dead = 0b110010100, 0b001110100
    assert not is_dead(live)
    assert is_dead(dead)
    assert wins((least(live),))
    assert not wins((least(live),) * 2)
    assert wins(())


def test_the_table_of_types_says_who_wins_one_board() -> None:
    """Alone, a position is lost for the player to move exactly if its type is a or c²; b² and bc are types of sums."""
    reading = specs().claim("table-of-types").readings["as-stated"]
    assert isinstance(reading, SumReading)
    marks = {text: sum(1 << spot for spot in range(9) if text[spot] == "X") for text in reading.sum.types}
    boards = {least(marks[text]): word for text, word in reading.sum.types.items()}
    assert len(boards) == 46
    lost = {board for board, word in boards.items() if word in ("a", "cc")}
    assert {board for board in boards if not wins((board,))} == lost
