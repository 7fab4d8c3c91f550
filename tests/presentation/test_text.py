from __future__ import annotations

import re
from typing import Any

import pytest

from tests.rules import find_rules
from verifier.presentation.registry import show

COLOUR = re.compile(r"\x1b\[([0-9;]*)m([^\x1b]*)\x1b\[0m")


def played(rules: str, *moves: str) -> tuple[Any, Any, tuple[int, ...]]:
    game = find_rules(rules)
    position, last = game.start, None
    for text in moves:
        last = game.parse_move(text)
        position = game.play(position, last)
    assert last is not None
    return game, position, last


WON = ("0.0", "0.4", "4.0", "0.5", "5.0", "0.3")
"""Olivia wins field 0 with its middle row; Xavier has its first spot."""


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("paper", WON),
        ("tictactoe", ("4", "0")),
        ("threesome4x4", ("1,1", "2,3")),
        ("gravity", ("4,1", "3,1")),
        ("notakto", ("4", "0")),
    ],
)
def test_colours_change_nothing_else(rules: str, moves: tuple[str, ...]) -> None:
    """Without its colours a coloured board is the plain one, which has none."""
    game, position, last = played(rules, *moves)
    plain = show(game).draw_text(position, last)
    coloured = show(game).draw_text(position, last, colour=True)
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert "\x1b" not in plain
    assert "\x1b" in coloured
    assert [line.rstrip() for line in stripped.split("\n")] == plain.split("\n")


def test_marks_last_move_and_won_fields_have_their_colours() -> None:
    """X and O differ, the last move is bold, and all nine spots of a won field are inverted in its owner's colour."""
    game, position, last = played("paper", *WON)
    cells = COLOUR.findall(show(game).draw_text(position, last, colour=True))
    assert [text for codes, text in cells if codes == "36"] == [" X ", " X "]
    owned = [(codes, text) for codes, text in cells if "7" in codes.split(";")]
    assert len(owned) == 9
    assert {codes for codes, _ in owned} == {"7;35", "1;7;35"}
    assert [text for codes, text in owned if codes.startswith("1;")] == ["[O]"]
    assert ("7;35", " X ") in owned


def test_boards_of_other_games_are_drawn_row_by_row() -> None:
    """A board has as many rows and columns as its rules say, and shared marks are all alike."""
    game, position, last = played("gravity", "4,1", "3,1", "4,2")
    assert show(game).draw_text(position, last).split("\n") == [
        " .  .  .  .",
        " .  .  .  .",
        " O  .  .  .",
        " X [X] .  .",
    ]
    game, position, last = played("notakto", "4", "0")
    assert show(game).draw_text(position, last).split("\n") == ["[X] .  .", " .  X  .", " .  .  ."]
