"""Random games of rules as data: ``validate`` reports what never happens in them, and ranges that end too early."""

import pathlib
import random

import pytest

from tests.commands import ROOT, command
from tests.rules import load_library
from verifier.search.general import MAX_TOTAL_MOVES
from verifier.search.registry import find_rules_hints


def test_what_never_happens_in_random_games_is_reported() -> None:
    """One of three move templates, one of two cells, and the only outcome do nothing. Most games do not end.

    Two of the three moves are illegal where they would lead beyond the last of the three spots.
    """
    said = command("validate", ROOT / "tests/specs/hints")
    assert said.code == 0
    hints = [
        line.partition("games, ")[2] for line in said.out.splitlines() if line.startswith("hint: rules odd-rules: ")
    ]
    assert hints == [
        "moves were illegal in 6 positions only because of the 'most' of 'at': '+3' would make it 3 (most: 2); "
        "if this is a rule, say it in 'when'",
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


CARDS = """rules: cards
title: Cards are turned up to a total
source: {document: hints, place: §1, says: Who makes 11 wins; who makes more loses.}
family: general
state: {"left[6]": {most: 2, start: 2}, total: {STATE}}
moves:
  "{v}":
    for: {v: "range(1, 7)"}
    when: WHEN
    do: ["left[v - 1] = left[v - 1] - 1", "total = SUM"]
outcomes:
  exactly: {when: total == 11, result: previous}
  over: {when: total > 11, result: next}
"""


@pytest.mark.parametrize(
    ("state", "when", "total", "said"),
    [
        ("most: 16", "true", "total + v", ""),
        ("most: 13", "true", "total + v", " (most: 13); if this is a rule, say it in 'when'"),
        ("most: 13", "total + v <= 13", "total + v", ""),
        ("most: 13", "left[v - 1] > 0", "v + 8", "'6' would make it 14 (most: 13)"),
        ("most: 12, start: 6", "true", "total + v - 4", ""),
    ],
)
def test_a_number_that_only_becomes_too_large_gets_a_hint(
    state: str, when: str, total: str, said: str, tmp_path: pathlib.Path
) -> None:
    """There is no hint if a move says so in ``when``, or if the number also becomes too small, as on a board.

    The cells ``left`` show that a number which only becomes too small gets no hint.
    """
    text = CARDS.replace("STATE", state).replace("WHEN", when).replace("SUM", total)
    (tmp_path / "cards.yaml").write_text(text, encoding="utf-8")
    library = load_library(tmp_path)
    hints = [hint for hint in find_rules_hints(library.game("cards"), library.rules["cards"]) if "only because" in hint]
    assert len(hints) == bool(said)
    assert all("of the 'most' of 'total': " in hint and said in hint for hint in hints)
