"""The plain search agrees with the oracle."""

from collections import Counter

import pytest

from tests.search.bounded.races import after, boards, settle
from verifier.kernel.race.relaxation import coarsen
from verifier.search.bounded.prove import Search
from verifier.search.walk import NodeLimitError

LINE = "4.4 4.1 1.4 4.2 2.4 4.3 3.4 4.5 5.4 4.6 6.4 4.7 7.4 4.8"


def test_random_races_end_as_the_oracle_says() -> None:
    """On the marks and in the coarsened race, Xavier wins within the same number of marks, up to three."""
    search = Search(memory=16)
    seen: Counter[tuple[int, str, bool]] = Counter()
    for board, player in boards(400):
        for marks in range(1, 4):
            can_win = board.oracle.is_forced(marks, player)
            seen[marks, player, can_win] += 1
            for fields in (board.fields, coarsen(board.fields, marks)):
                is_held = settle(search, fields, board.active, marks, is_xavier=player == "X", limit=10**6)
                assert is_held != can_win
    assert min(seen[marks, player, can_win] for marks in (2, 3) for player in "XO" for can_win in (True, False)) >= 3


def test_more_marks_and_a_used_table_change_no_answer() -> None:
    """With four to six marks, remembered results of other races change no answer."""
    used = Search(memory=1)
    answers = set()
    for board, player in boards(150):
        for marks in range(4, 7):
            asked = board.fields, board.active, marks
            is_held = settle(used, *asked, is_xavier=player == "X")
            assert is_held == settle(Search(1), *asked, is_xavier=player == "X")
            answers.add(is_held)
    assert answers == {True, False}


def test_a_limit_leaves_the_question_open() -> None:
    """Too many nodes are an error, and unfinished results are not remembered."""
    search = Search(memory=16)
    fields, active = after(LINE + " 8.4")
    with pytest.raises(NodeLimitError, match="more than 1,000 races were met"):
        settle(search, fields, active, 10, limit=1000)
    assert settle(search, fields, active, 10)


def test_marks_are_bounded() -> None:
    """The key of a race has room for 31 marks."""
    with pytest.raises(ValueError, match="not 32"):
        settle(Search(1), *after(LINE), 32, is_xavier=True)
