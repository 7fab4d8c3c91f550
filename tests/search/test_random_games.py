"""Steps that fail in random games: what is found is a legal game, and the kernel replays the step."""

from __future__ import annotations

from typing import Any

from tests.statements import part, steps_of
from verifier.kernel.steps import check_counterexample, parse_steps
from verifier.kernel.verdict import Verdict
from verifier.search.random_games import find_failure


def statement(step: str, holds: Any, shown: Any) -> dict[str, Any]:
    return steps_of("paper", part(step, hypotheses=[["given", holds]], conclusions=[["shown", shown]]))


def test_a_step_that_fails_is_found_in_a_game() -> None:
    """That no field is ever owned fails in some game; the kernel accepts the step as a counterexample."""
    data = statement("move", True, ["not", ["won_by_X", 0]])
    steps = parse_steps(data)
    found = find_failure(steps, games=50)
    assert found is not None
    game, position = steps.game, steps.game.start
    for move in found.line:
        position = game.play(position, move)
    assert position == found.position
    moves = [game.format_move(move) for move in found.moves]
    example = {"part": found.part, "position": game.format_position(position), "moves": moves, "fails": found.fails}
    assert check_counterexample(steps, example).verdict is Verdict.REFUTED


def test_what_no_game_fails_is_not_found() -> None:
    """An empty board with an active field fails this, and is not a position of a game."""
    given = ["and", ["==", ["ply"], 0], ["not", ["active", 9]]]
    assert find_failure(parse_steps(statement("none", given, False)), games=20) is None
