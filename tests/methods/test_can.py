"""Method ``force``: what a claimant can do is proved by a table, and what he cannot do is refuted by the opponent's."""

from __future__ import annotations

import pathlib

import pytest

import verifier
from tests.audit.made import check, make_plan
from verifier.methods.result import ReadingResult
from verifier.methods.witness import Line

CLAIM = """claim: c
title: A claim about a small game
source: {document: none, place: here, says: Something can be done.}
rules: RULES
readings:
  r: {can: CLAIMANT, expect: EXPECT, start: START, objectives: {o: OBJECTIVE}}
"""


@pytest.mark.parametrize(
    ("rules", "claimant", "start", "objective", "verdict"),
    [
        ("notakto", "X", "X........", "{reach: X_wins, by: 9}", "refuted"),
        ("notakto", "X", "X...X..X.", "{reach: X_wins, by: 4}", "refuted"),
        ("tictactoe", "X", "XO..X...O", "{reach: X_wins, by: 7}", "proved"),
        ("tictactoe", "X", "XO..X...O", "{reach: X_wins, by: 6}", "refuted"),
        ("tictactoe", "O", "XO..X...O", "{prevent: X_wins, by: 6}", "proved"),
        ("tictactoe", "O", "XO..X...O", "{prevent: X_wins, by: 7}", "refuted"),
        ("misere", "O", "X...O....", "{reach: O_wins, by: 9}", "refuted"),
    ],
)
def test_what_cannot_be_done_is_refuted(
    rules: str, claimant: str, start: str, objective: str, verdict: str, tmp_path: pathlib.Path
) -> None:
    """Of each pair of opposite claims one is proved, and the other refuted by the moves of the opponent."""
    text = CLAIM.replace("RULES", rules).replace("EXPECT", verdict).replace("CLAIMANT", claimant)
    (tmp_path / "c.yaml").write_text(text.replace("START", f"'{start}'").replace("OBJECTIVE", objective))
    (result,) = check(make_plan(tmp_path)).readings
    assert (str(result.verdict), result.trouble) == (verdict, "")
    if verdict == "refuted":
        assert "whatever is played" in result.reason
        if result.witness is None:
            assert "no move is told" in result.notes[0]
        else:
            assert_is_an_example(result, rules, objective)


def assert_is_an_example(result: ReadingResult, rules: str, objective: str) -> None:
    """Require a legal play that ends as the opponent claims: with what was to be prevented, or without what was not."""
    assert isinstance(result.witness, Line)
    board = verifier.load().board(rules, result.witness.start)
    boards = [board := board.play(move) for move in result.witness.moves]
    is_won = [board.winner == objective.split()[1][0] for board in boards]
    if "prevent" in objective:
        assert is_won == [False] * (len(boards) - 1) + [True]
    else:
        bound = int(objective.rstrip("}").split()[-1])
        assert not any(is_won[: bound - boards[0].ply + 1])
        assert boards[-1].is_over or boards[-1].ply == bound


STUCK = """strategy: stuck
title: One move and no more
source: {document: none, place: here, says: One move and no more.}
rules: tictactoe
player: X
phases: {all: {rules: {first: {when: ply == 0, play: [4]}}}}
"""


@pytest.mark.parametrize("objective", ["{prevent: 'X[4]', by: 6}", "{reach: 'X[4]', by: 6}"])
def test_a_strategy_that_ends_after_the_goal_leaves_it_open(objective: str, tmp_path: pathlib.Path) -> None:
    """The opponent's strategy has no move later on: plays are not decided to their end, and no evidence is offered."""
    text = CLAIM.replace("RULES", "tictactoe").replace("EXPECT", "proved").replace("CLAIMANT", "O")
    (tmp_path / "s.yaml").write_text(STUCK)
    (tmp_path / "c.yaml").write_text(
        text.replace("start: START", "strategies: {X: stuck}").replace("OBJECTIVE", objective)
    )
    (result,) = check(make_plan(tmp_path)).readings
    assert (str(result.verdict), result.trouble) == ("unknown", "")
    assert "a strategy has no legal move somewhere" in result.reason


def test_a_claimant_who_chose_a_way_that_ends_leaves_it_open(tmp_path: pathlib.Path) -> None:
    """Another of the moves that the strategy leaves him might have done: that is not a play that refutes it."""
    rules = "{first: {for: {s: '[4, 0]'}, when: ply == 0, play: [s]}}"
    (tmp_path / "s.yaml").write_text(STUCK.replace("{first: {when: ply == 0, play: [4]}}", rules))
    text = CLAIM.replace("RULES", "tictactoe").replace("EXPECT", "proved").replace("CLAIMANT", "X")
    text = text.replace("start: START", "strategies: {X: stuck}").replace("OBJECTIVE", "{reach: 'X[4]', by: 6}")
    (tmp_path / "c.yaml").write_text(text)
    (result,) = check(make_plan(tmp_path)).readings
    assert (str(result.verdict), result.trouble) == ("unknown", "")
