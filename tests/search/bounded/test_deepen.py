"""Replies that are chosen one by one hold, and leave the kernel fewer races to search."""

from collections import Counter

import numpy as np
import pytest

from tests.kernel.late import is_held
from tests.search.bounded.races import boards, settle
from verifier.kernel.race.bound import check_lemma, parse_lemma
from verifier.kernel.race.endgame import Endgames
from verifier.kernel.race.relaxation import canonical, coarsen
from verifier.search.bounded import deepen
from verifier.search.bounded.deepen import Deepening
from verifier.search.bounded.moves import play_mark, wins_race
from verifier.search.bounded.prove import Search
from verifier.search.bounded.record import record


def test_chosen_replies_hold_and_there_are_none_if_xavier_wins() -> None:
    """After a chosen reply the kernel finds no win. If it finds a win after every reply, no reply is chosen."""
    seen: Counter[bool] = Counter()
    for board, player in boards(300):
        for marks in range(2, 5):
            if player == "X":
                continue
            fields, active = coarsen(board.fields, marks), board.active
            holds = is_held(fields, active, marks)
            seen[holds] += 1
            if not holds:
                with pytest.raises(KeyError, match="Xavier wins"):
                    Deepening(1).choose(fields, active, marks)
                continue
            after_hers, to = play_mark(fields, *Deepening(1).choose(fields, active, marks), is_xavier=False)
            assert not wins_race(Endgames(), after_hers, to, marks)
    assert min(seen[True], seen[False]) > 10


def test_a_deeper_table_leaves_the_kernel_fewer_races() -> None:
    """A table down to four marks leaves fewer than a table down to six. The kernel accepts both."""
    search, visited = Search(16), Counter[int]()
    for board, player in boards(150):
        fields, active = canonical(coarsen(board.fields, 8), board.active)
        if player == "X" or not settle(search, fields, active, 8):
            continue
        for frontier in (6, 4):
            table = record(frontier, (), [(fields, active, 8)], Deepening(1).choose)
            shown = check_lemma(parse_lemma(table, "a table"))
            assert shown.roots == ((fields, active, 8),)
            visited[frontier] += shown.stats["visited"]
    assert visited[6] > visited[4] > 0


def test_a_full_table_replaces_a_race_by_another() -> None:
    """The search goes on with the races that it can remember."""
    met = np.ones(1 << 12, dtype=np.int64)
    assert 0 <= deepen.place_among(met, 2, 2) < len(met)
