"""Legal play reaches a position, or a position from which a step fails: the found play is played again."""

import random
from typing import Any

import pytest

from tests.kernel.test_rounds import COUNTER
from tests.rules import find_rules
from tests.statements import part, steps_of
from verifier.kernel.games.nested import NestedGame
from verifier.kernel.steps import check_counterexample, parse_steps
from verifier.kernel.verdict import Verdict
from verifier.search.reach import find_failure_in_games, find_play


def rules(name: str) -> NestedGame:
    game = find_rules(name)
    assert isinstance(game, NestedGame)
    return game


@pytest.mark.parametrize("name", ["paper", "closed-any-spot", "closed-open-fields"])
@pytest.mark.parametrize("plies", [0, 1, 5, 16, 24])
def test_a_position_of_a_game_is_reached(name: str, plies: int) -> None:
    """A play is found to each position of random games, and leads there."""
    game, chance = rules(name), random.Random(plies)
    for _ in range(5):
        position = game.start
        for _ in range(plies):
            moves = game.legal_moves(position)
            position = game.play(position, chance.choice(moves)) if moves else position
        reached, line = find_play(game, position)
        assert reached
        after = game.start
        for f, s in line or ():
            after = game.play(after, (f, s))
        assert after == position


@pytest.mark.parametrize(
    "text",
    [
        "XX......./.....O.../........./........./........./........./........./........./......... ......... 1",
        "........./........./........./........./........./........./........./........./X.......O ......... 8",
    ],
)
def test_no_play_is_found_to_an_impossible_position(text: str) -> None:
    """No mark explains the active field, or a mark is in a field to which nobody was sent. The search ends."""
    game = rules("paper")
    assert find_play(game, game.parse_position(text)) == (False, None)


def test_a_search_that_meets_its_limit_leaves_the_answer_open() -> None:
    """Open means neither yes nor no."""
    game = rules("paper")
    position = game.start
    for _ in range(20):
        position = game.play(position, game.legal_moves(position)[0])
    assert find_play(game, position, limit=3) == find_play(game, position, limit=1) == (None, None)


def statement(step: str, holds: Any, shown: Any) -> dict[str, Any]:
    return steps_of("paper", part(step, hypotheses=[["given", holds]], conclusions=[["shown", shown]]))


def test_a_step_that_fails_is_found_in_a_game() -> None:
    """In some game a field is owned, so "no field is ever owned" fails. The kernel accepts this counterexample."""
    data = statement("move", True, ["not", ["won_by_X", 0]])
    steps = parse_steps(data)
    found = find_failure_in_games(steps, games=50)
    assert found is not None
    assert found.line is not None
    game, position = steps.game, steps.game.start
    for move in found.line:
        position = game.play(position, move)
    assert position == found.position
    moves = [game.format_move(move) for move in found.moves]
    example = {"part": found.part, "position": game.format_position(position), "moves": moves, "fails": found.fails}
    assert check_counterexample(steps, example).verdict is Verdict.REFUTED


def test_a_failing_step_from_an_impossible_position_is_not_found() -> None:
    """The step fails on an empty board with an active field, which is not a position of a game."""
    given = ["and", ["==", ["ply"], 0], ["not", ["active", 9]]]
    assert find_failure_in_games(parse_steps(statement("none", given, False)), games=20) is None


def test_random_games_end_although_play_can_go_on_for_ever() -> None:
    """Without a limit, a step that fails in no game kept the search busy for ever."""
    unmet = steps_of(COUNTER, part("move", hypotheses=[["h", ["==", ["n"], 61]]], conclusions=[["c", False]]))
    assert find_failure_in_games(parse_steps(unmet), games=3) is None
