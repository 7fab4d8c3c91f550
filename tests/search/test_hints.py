"""Random games of rules as data: ``validate`` reports what never happens in them."""

import random

import pytest

from tests.commands import ROOT, command
from tests.rules import load_library
from verifier.search.general import MAX_TOTAL_MOVES
from verifier.search.registry import find_rules_hints


def test_what_never_happens_in_random_games_is_reported() -> None:
    """One of three move templates, one of two cells, and the only outcome do nothing. Most games do not end."""
    said = command("validate", ROOT / "tests/specs/hints")
    assert said.code == 0
    hints = [
        line.partition("games, ")[2] for line in said.out.splitlines() if line.startswith("hint: rules odd-rules: ")
    ]
    assert hints == [
        "no move 'jump{k}' was ever legal: check its 'when', and the ranges of cells",
        "'lap' never changed",
        "the outcome 'home again' was never met",
        "19 had not ended after 500 moves: can play go on for ever?",
    ]


@pytest.mark.parametrize(
    "folder",
    [
        "specs/chomp",
        "specs/dots",
        "specs/wild",
        *(
            pytest.param(folder, marks=pytest.mark.slow)
            for folder in ("specs/bouton", "specs/chaos", "specs/domineering", "specs/othello", "tests/specs/general")
        ),
    ],
)
def test_rules_in_which_everything_happens_get_no_hint(folder: str) -> None:
    """In Nim, Chomp, Dots and Boxes, Morris and a race, every move, cell and outcome occurs, and games end."""
    said = command("validate", ROOT / folder)
    assert (said.code, "hint" in said.out) == (0, False)


@pytest.mark.parametrize(("folder", "is_whole"), [("specs/chomp", False), ("tests/specs/hints", True)])
def test_games_are_played_as_long_as_something_is_left_to_see(
    folder: str, monkeypatch: pytest.MonkeyPatch, *, is_whole: bool
) -> None:
    """In the rules of the second folder, a move is never legal, and many games do not end."""
    moves = list[float]()

    class Chance(random.Random):
        def random(self) -> float:
            moves.append(super().random())
            return moves[-1]

    library = load_library(ROOT / folder)
    monkeypatch.setattr("verifier.search.general.random.Random", Chance)
    for name, file in library.rules.items():
        moves.clear()
        find_rules_hints(library.game(name), file)
        assert (len(moves) == MAX_TOTAL_MOVES) is is_whole
