"""Counts of plays and of final positions: what a result says about a number that is wrong, or that was not found."""

import pathlib

import pytest

from tests.audit.made import check, make_plan, write_claim
from verifier.kernel.verdict import Verdict
from verifier.questions.result import ReadingResult

RULES = """rules: cards
title: Cards are turned up to a total
source: {document: cards, place: §1, says: Who makes 3 wins; who makes 4 loses.}
family: general
state: {"left[2]": {most: 2, start: 2}, total: {most: 4}}
moves:
  "{v}": {for: {v: [1, 2]}, do: ["left[v - 1] = left[v - 1] - 1", "total = total + v"]}
  back: {when: WHEN, do: ["left[0] = 2", "left[1] = 2", total = 0]}
outcomes:
  exactly: {when: total == 3, result: previous}
  over: {when: total > 3, result: next}
"""
"""Without ``back``, the plays are 2 2, which X wins, and 1 1 2, 1 2 and 2 1, which O wins."""


def count(folder: pathlib.Path, when: str, said: str) -> ReadingResult:
    """Return the result of a reading with ``count``. ``when`` is the condition of the move ``back``."""
    (folder / "rules.yaml").write_text(RULES.replace("WHEN", when), encoding="utf-8")
    write_claim(folder, "c", f"readings:\n  r: {{expect: proved, {said}}}", "cards")
    (result,) = check(make_plan(folder)).readings
    return result


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("count: {plays: {X: 1, O: 3}}", ""),
        ("count: {plays: {X: 1, O: 2}}", "3 plays won by O, not 2"),
        ("count: {plays: {draw: 1}}", "0 plays drawn, not 1"),
        ("count: {ends: {goes-on: 1000}}, horizon: 1", "2 ends that go on, not 1,000"),
        ("count: {plays: 3}, conclude: ['left[1] < 2']", "4 plays where left[1] < 2, not 3"),
        (
            "count: {plays: {O: 2}}, conclude: ['left[0] < 2', 'total > 0']",
            "3 plays won by O where left[0] < 2 and total > 0, not 2",
        ),
        ("count: {plays: 5}", "4 plays, not 5"),
    ],
)
def test_a_wrong_number_is_named_in_the_words_of_the_spec(said: str, reason: str, tmp_path: pathlib.Path) -> None:
    """The reason says which plays or ends were counted, and has no formula in the kernel's form."""
    result = count(tmp_path, "false", said)
    assert (result.verdict, result.reason) == (Verdict.REFUTED if reason else Verdict.PROVED, reason)


@pytest.mark.parametrize(("what", "is_told"), [("ends", True), ("plays", False)])
def test_counts_of_plays_that_go_on_need_a_horizon(what: str, tmp_path: pathlib.Path, *, is_told: bool) -> None:
    """If ends are counted, the message also says what a horizon adds to them."""
    result = count(tmp_path, "total > 0", f"count: {{{what}: 1}}")
    assert result.verdict is Verdict.UNKNOWN
    assert "give a horizon" in result.reason
    assert ("positions at it count as ends too" in result.reason) is is_told


STRATEGY = """strategy: ones
title: X turns up the ones
source: {document: cards, place: §1, says: Turn up a one.}
rules: cards
player: X
phases: {all: {rules: {one: {when: WHEN, play: {"{v}": [1]}}}}}
"""


@pytest.mark.parametrize(
    ("when", "reason"),
    [
        ("true", "illegal-move: 1 in 02/2 X 2: the rules do not allow this move"),
        ("total > 3", "stuck: a strategy has no move in 22/0 X 0"),
    ],
)
def test_nothing_is_counted_if_a_strategy_breaks_down(when: str, reason: str, tmp_path: pathlib.Path) -> None:
    """If a strategy names an illegal move, or no move, the count is unknown; this is no internal error."""
    (tmp_path / "ones.yaml").write_text(STRATEGY.replace("WHEN", when), encoding="utf-8")
    result = count(tmp_path, "false", "count: {plays: 1}, strategies: {X: ones}")
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, reason)
