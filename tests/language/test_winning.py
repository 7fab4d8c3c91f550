"""Winning sets by formula, by shape and of each player, compared with this test's own programs.

Sets of planes are compared with their definition in ``tests/documents/test_small_games.py``. Invalid ones are in
``tests/corpus/specs/invalid``.
"""

import itertools
from collections.abc import Iterable
from typing import Any

from tests.audit.made import MADE
from tests.rules import load_library
from verifier.presentation.registry import find_presentation

RULES = load_library(MADE / "winning")


def lines_of(name: str) -> Any:
    return RULES.game(name).data["lines"]


def say(name: str) -> str:
    """Return the description of rules."""
    return " ".join(said.text for said in find_presentation(RULES.game(name)).say_rules(RULES.rules_file(name)))


def plain(sets: Iterable[Iterable[int]]) -> list[list[list[int]]]:
    return sorted([sorted(one), []] for one in sets)


def test_repeated_sets_count_once() -> None:
    """Triples that add up to 15, in any order, and one of them listed again: the eight lines of a magic square."""
    found = lines_of("magic")
    assert found == plain(c for c in itertools.combinations(range(9), 3) if sum(c) == 12)
    assert len(found) == 8


def test_each_player_may_have_lines_of_his_own() -> None:
    """They may have any form. If both players have the same lines, it is as if they were given once."""
    found = lines_of("rows-and-columns")
    assert found == {"X": plain([(0, 1, 2), (3, 4, 5), (6, 7, 8)]), "O": plain([(0, 3, 6), (1, 4, 7), (2, 5, 8)])}
    assert lines_of("rows") == found["X"]


def test_rules_in_words_say_whose_lines_they_are() -> None:
    told = say("rows-and-pairs")
    assert "A line of X's is 3 neighbouring spots of a row, with marks of X." in told
    assert "A line of O's is one of 12 sets of spots, the placements of 0.0 0.1 (row.column, from 0)" in told


def test_a_game_may_have_no_lines() -> None:
    """A player who cannot move loses. X marks the middle of three spots in a row and leaves no move."""
    game: Any = RULES.game("moves")
    ends = {s: game.outcome(game.play(game.start, (s,))) for s in range(3)}
    assert ends == {0: None, 1: "X", 2: None}
    assert "if the player to move has no legal move, X has won" in say("moves")
