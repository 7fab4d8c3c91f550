"""Half a line about a statement says nothing stronger than what the kernel decides of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.test_attacks import KEPT, NINE, base, play, plays
from tests.kernel.test_count import PAIRS, SPOTS
from verifier.report.brief import say_briefly


@pytest.mark.parametrize(
    ("scopes", "strategies", "said"),
    [
        (["every"], {"X": plays([4])}, "a condition holds throughout every play by the strategy of X"),
        (["end"], {"X": plays([4])}, "a condition holds at certain positions of every play by the strategy of X"),
        (["every"], {}, "X can have a condition hold throughout play"),
        (["start", "opponent"], {}, "X can have a condition hold at certain positions of play"),
    ],
)
def test_where_a_condition_holds_is_told(scopes: list[str], strategies: dict[str, Any], said: str) -> None:
    """What holds at the end of plays holds not throughout."""
    kept = {**KEPT, "at": scopes}
    assert say_briefly(play("tictactoe", ".........", kept, strategies=strategies))[0] == said


def test_lines_are_counted_with_where_they_end() -> None:
    """Where a condition is never true no line counts, and all can be played."""
    assert say_briefly(PAIRS)[0] == "exactly 72 of 81 lines can be played"
    none = {**PAIRS, "count": 0, "members": [[False, [SPOTS, SPOTS]]]}
    assert say_briefly(none)[0] == "exactly 0 of 81 lines can be played and end where a condition holds"


def test_what_is_let_off_in_steps_is_told() -> None:
    """A step that is excused, or of one move alone, is less than every step."""
    statement = base("steps-models")[0]["statement"]
    part = {**statement["parts"][0], "unless": False, "plays": None}
    ends = [
        say_briefly({**statement, "parts": [{**part, **change}]})[0].rpartition(" (")[2]
        for change in ({}, {"unless": ["over"]}, {"plays": [4, 4]}, {"plays": [4, 4], "unless": True})
    ]
    assert ends == [
        "1 part)",
        "1 part, with exceptions)",
        "1 part, of certain moves)",
        "1 part, of certain moves, with exceptions)",
    ]


def test_a_bound_says_where_it_begins() -> None:
    """After certain moves, or from a later position, is less than from the start."""
    case = {"start": NINE, "first": None}
    bound = {"kind": "bound", "rules": play("paper", NINE)["rules"], "through": 43, "cases": [case]}
    assert say_briefly(bound)[0] == "Xavier cannot force a win by ply 43"
    moved = {**bound, "cases": [{**case, "first": ["4.4"]}]}
    assert say_briefly(moved)[0] == "Xavier cannot force a win by ply 43 after certain moves of his"
