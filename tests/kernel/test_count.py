"""Statements that count: the kernel trusts no number, and counts the same as this test's own loops."""

import itertools
import random
from typing import Any

import pytest

from tests.kernel.asking import judge
from tests.rules import rules_data
from tests.search.threats.brute import FORMS, NONE, Small, make

SPOTS = list(range(9))
PAIRS = {
    "kind": "count",
    "rules": rules_data("tictactoe"),
    "start": "." * 9,
    "count": 72,
    "line": "{0} {1}",
    "members": [[True, [SPOTS, SPOTS]]],
}


def test_pairs_of_marks_are_counted() -> None:
    """Of 81 pairs, 9 mark one spot twice."""
    assert judge(PAIRS, {}) == "proved"
    assert judge(PAIRS, {}, verdict="refuted") == "not-the-count"
    assert judge({**PAIRS, "count": 71}, {}) == "not-the-count"
    assert judge({**PAIRS, "count": 71}, {}, verdict="refuted") == "refuted"


def test_a_member_that_is_listed_twice_counts_twice() -> None:
    """Variables that the line does not name also make several members."""
    assert judge({**PAIRS, "count": 144, "members": [[True, [SPOTS, SPOTS]]] * 2}, {}) == "proved"
    assert judge({**PAIRS, "count": 144, "members": [[True, [SPOTS, SPOTS, [7, 7]]]]}, {}) == "proved"


def test_each_group_has_a_formula_of_its_own() -> None:
    """X has the middle in 8 lines of the first group, and in none of the second. The third has a false formula."""
    groups = [[["X", 4], [[4], SPOTS]], [["X", 4], [[0], SPOTS]], [False, [SPOTS, SPOTS]]]
    assert judge({**PAIRS, "count": 8, "members": groups}, {}) == "proved"


def test_a_line_without_a_move_ends_at_the_start() -> None:
    """Such a line is legal."""
    assert judge({**PAIRS, "count": 1, "line": "", "members": [[["==", ["ply"], 0], []]]}, {}) == "proved"


def test_a_line_that_goes_on_after_the_end_is_not_legal() -> None:
    """X has a line with the fifth mark."""
    line = {**PAIRS, "line": "0 3 1 4 2", "members": [[True, []]]}
    assert judge({**line, "count": 1}, {}) == "proved"
    assert judge({**line, "line": f"{line['line']} 5", "count": 0}, {}) == "proved"


@pytest.mark.parametrize(
    "change",
    [
        {"line": "{0} {x}"},
        {"members": [[True, [SPOTS, [True]]]]},
        {"members": [[True, [SPOTS, ["0"]]]]},
        {"start": "XX......."},
    ],
    ids=str,
)
def test_a_malformed_count_is_refused(change: dict[str, Any]) -> None:
    """It is malformed, whichever verdict is asked for."""
    for verdict in ("proved", "refuted"):
        assert judge({**PAIRS, **change}, {}, verdict=verdict) == "malformed"


def test_formulas_cost_at_each_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """This holds even if the line is known: a formula of 200,000 nodes at 100,000 ends took ten minutes."""
    large = ["or", *[["not", True]] * 500, True]
    monkeypatch.setattr("verifier.kernel.formula.MAX_WORK", 50_000)
    for most, found in ((4, "proved"), (9, "limit")):
        members = [[large, [list(range(most)), list(range(most))]]]
        assert judge({**PAIRS, "count": most**2, "line": "", "members": members}, {}) == found


@pytest.mark.parametrize("games", [6, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", FORMS)
def test_lines_of_random_games_are_counted_as_by_loops(form: str, games: int) -> None:
    """Of all lines of three moves, some are legal and end where the goal holds."""
    for seed in range(games):
        small = make(form, random.Random(f"{form} {seed}"))
        if small.data["rules"]["lines"] == [] and small.end(NONE, NONE):
            continue
        count = sum(_counts(small, line) for line in itertools.product(range(small.cells), repeat=3))
        statement = {
            "kind": "count",
            "rules": small.data["rules"],
            "start": "." * small.cells,
            "count": count,
            "line": "{2} {1} {0}",
            "members": [[small.data["goal"], [list(range(small.cells))] * 3]],
        }
        assert judge(statement, {}) == "proved", seed
        assert judge({**statement, "count": count + 1}, {}) == "not-the-count"


def _counts(small: Small, line: tuple[int, ...]) -> bool:
    x, o = NONE, NONE
    for s in line:
        if small.end(x, o) or s not in small.moves(x, o):
            return False
        x, o = small.after(x, o, s)
    return small.goal(x, o, small.has_line(x, "X"), small.has_line(o, "O"), small.end(x, o))
