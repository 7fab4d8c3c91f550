"""Plans are replies after which a pair of fields holds Xavier. If there is a plan, Olivia holds the race."""

from collections import Counter

import pytest

from tests.search.bounded.races import after, boards, settle
from verifier.kernel.race.relaxation import coarsen
from verifier.search.bounded.plans import PlannedReply, Plans
from verifier.search.bounded.prove import Search

FULL = "4.4 4.1 1.4 4.2 2.4 4.3 3.4 4.5 5.4 4.6 6.4 4.7 7.4 4.8 8.4 4.0 0.{}"


@pytest.mark.parametrize("count", [60, pytest.param(120, marks=pytest.mark.slow)])
def test_a_race_with_a_plan_is_held(count: int) -> None:
    """The plain search finds no win in a race for which a plan is found, with replies before the pair or without."""
    search = Search(16, 3)
    seen: Counter[type] = Counter()
    for board, player in boards(count):
        for marks in (5, 6, 7) if player == "O" else ():
            race = coarsen(board.fields, marks), board.active, marks
            plans = Plans(search.confine)
            if any(plans.find(race, most) for most in range(marks - 3)):
                seen[type(plans.found[race])] += 1
                assert settle(search, *race)
    assert min(seen[tuple], seen[PlannedReply]) >= count // 24


def test_no_plan_sends_him_to_a_full_field() -> None:
    """After a full opening the pair is the active field, and the field that lacks its mark of his."""
    fields, active = after(FULL.format(1))
    plans = Plans(Search(64, 8).confine)
    race = coarsen(fields, 12), active, 12
    assert plans.find(race, 0)
    assert plans.found[race] == (1, 0)


def test_what_fails_is_not_tried_twice() -> None:
    """If no pair holds him, each pair of a race is tried once, however many replies a plan may have."""
    asked: Counter[object] = Counter()

    def confine(*question: object) -> bool:
        asked[question] += 1
        return False

    fields, active = after(FULL.format(1))
    race = coarsen(fields, 12), active, 12
    plans = Plans(confine)
    assert not any(plans.find(race, most) for most in range(3))
    assert set(asked.values()) == {1}
    assert len(asked) > 7
