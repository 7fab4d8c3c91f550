import itertools
import random
from typing import Any

import pytest

from tests.golden import require_golden
from tests.kernel.asking import refusals
from tests.oracle import ThreesomeOracle, UltimateOracle, has_three
from tests.rules import find_rules, rule_sets
from verifier.kernel.errors import IllegalMoveError, NotationError
from verifier.kernel.games.nested import ANY

ULTIMATE = ("paper", "paper-play-on", "closed-open-fields", "closed-any-spot")
EMPTY = "/".join(["." * 9] * 9)
WON_FIELD_0 = "XXX....../OO......./O......../" + "/".join(["." * 9] * 6)
WON_GAME = "XXX....../XXX....../X...X...X/" + "/".join(["OO......."] * 4 + ["." * 9] * 2)


def count_leaves(rules: Any, position: Any, plies: int) -> int:
    moves = rules.legal_moves(position)
    if plies == 1:
        return len(moves)
    return sum(count_leaves(rules, rules.play(position, move), plies - 1) for move in moves)


PERFT: list[tuple[str, list[int]]] = [
    ("paper", [81, 720, 6336, 55080, 473256, 4017888]),
    ("paper-play-on", [81, 720, 6336, 55080, 473256]),
    ("closed-open-fields", [81, 720, 6336, 55080, 473256, 4020960]),
    ("closed-any-spot", [81, 720, 6336, 55080, 473256, 4021248]),
    ("threesome4x4", [16, 240, 3360, 43680]),
]


@pytest.mark.parametrize(
    ("name", "plies", "leaves"),
    [
        pytest.param(name, plies, leaves, marks=[pytest.mark.slow] * (leaves > 50_000))
        for name, counts in PERFT
        for plies, leaves in enumerate(counts, 1)
    ],
)
def test_the_numbers_of_plays_of_the_first_plies_are_the_known_ones(name: str, plies: int, leaves: int) -> None:
    """No field is owned before ply 5. From ply 6 a player can be sent to an owned field, so the rules differ."""
    rules = find_rules(name)
    assert count_leaves(rules, rules.start, plies) == leaves


def assert_words_agree(rules: Any, position: Any, oracle: UltimateOracle) -> None:
    """Require that every word of the vocabulary means what the oracle's lists say."""

    def said(name: str) -> list[bool]:
        indices = itertools.product(*map(range, rules.vocabulary[name]))
        return [rules.compile_atom(name, at)(position, position) for at in indices]

    for player in "XO":
        assert said(player) == [mark == player for field in oracle.board for mark in field]
        assert said(f"won_by_{player}") == [owner == player for owner in oracle.owners]
        assert said(f"{player}_wins") == [has_three(oracle.owners, player)]
    assert said("free") == [mark == "." for field in oracle.board for mark in field]
    assert said("full") == ["." not in field for field in oracle.board]
    assert said("active") == [oracle.active() == f for f in (*range(9), None)]
    assert said("over") == [oracle.is_over()]


@pytest.mark.parametrize("name", ULTIMATE)
@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 8))])
def test_ultimate_agrees_with_the_oracle(name: str, seed: int) -> None:
    """Random games agree with the oracle in everything that a position says, after every move.

    ``play`` raises an error for every spot that is not a legal move.
    """
    rules: Any = find_rules(name)
    generator = random.Random(seed)
    oracle, position = UltimateOracle(name), rules.start
    while True:
        active = oracle.active()
        assert rules.format_position(position) == oracle.text()
        assert list(rules.legal_moves(position)) == oracle.legal_moves()
        assert position.active == (ANY if active is None else active)
        assert (rules.ply(position), rules.turn(position)) == (oracle.ply(), oracle.turn())
        assert rules.is_over(position) == oracle.is_over()
        assert rules.winner(position) == oracle.winner()
        assert_words_agree(rules, position, oracle)
        for illegal in {*itertools.product(range(9), repeat=2)} - {*oracle.legal_moves()} if seed == 0 else ():
            with pytest.raises(IllegalMoveError):
                rules.play(position, illegal)
        if oracle.is_over():
            return
        move = generator.choice(oracle.legal_moves())
        position = rules.play(position, move)
        oracle.play(move)


THREESOME = tuple(name for name in rule_sets() if name.startswith("threesome4x4"))


@pytest.mark.parametrize("count", [2, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", THREESOME)
def test_threesome_agrees_with_the_oracle(name: str, count: int) -> None:
    """Random games of each rule set agree with the oracle, which decides each move as it is played."""
    rules: Any = find_rules(name)
    generator = random.Random(name)
    for _ in range(count):
        oracle, position = ThreesomeOracle(name), rules.start
        while True:
            assert rules.format_position(position) == oracle.text()
            assert list(rules.legal_moves(position)) == oracle.legal_moves()
            assert rules.outcome(position) == oracle.result
            for player in "XO":
                is_won = rules.compile_atom(f"{player}_wins", ())(position, position)
                assert is_won == (oracle.result == player)
                has_three = rules.compile_atom(f"{player}_line", ())(position, position)
                assert has_three == oracle.has_threesome(player)
            if oracle.result is not None:
                break
            move = generator.choice(oracle.legal_moves())
            position = rules.play(position, move)
            oracle.play(move)


@pytest.mark.parametrize(
    ("name", "text", "move", "reason"),
    [
        ("paper", f"{EMPTY} ......... *", (9, 0), "off-board"),
        ("paper", f"{EMPTY} ......... *", (0, -1), "off-board"),
        ("paper", f"{WON_FIELD_0} X........ 0", (1, 2), "wrong-field"),
        ("paper", f"{WON_FIELD_0} X........ 0", (0, 2), "taken"),
        ("paper", f"{WON_GAME} XXX...... 8", (8, 0), "over"),
        ("closed-open-fields", f"{WON_FIELD_0} X........ *", (0, 3), "closed"),
        ("closed-any-spot", f"{WON_FIELD_0} X........ *", (0, 0), "taken"),
        ("tictactoe", "X........", (9,), "off-board"),
        ("tictactoe", "X........", (0,), "taken"),
        ("tictactoe", "XXXOO....", (8,), "over"),
        ("threesome4x4", "X.../..../..../....", (16,), "off-board"),
        ("threesome4x4", "X.../..../..../....", (0,), "taken"),
        ("threesome4x4", "XXX./OO../..../....", (8,), "over"),
    ],
)
def test_illegal_move_names_the_rule(name: str, text: str, move: tuple[int, ...], reason: str) -> None:
    """The refusal of a move names the rule that it breaks."""
    rules = find_rules(name)
    with pytest.raises(IllegalMoveError) as caught:
        rules.play(rules.parse_position(text), move)
    assert caught.value.reason == reason


NO_POSITIONS = [
    *("", f"{EMPTY} .........", f"{EMPTY} ......... * ", f"{EMPTY}/......... ......... *", f"{EMPTY[:-1]} ......... *"),
    *(f"{EMPTY[:-1]}x ......... *", f"{EMPTY} ......../ *", f"{EMPTY} ........ *", f"{EMPTY} ......... 9"),
    *(f"{EMPTY} ......... -1", f"{EMPTY} ......... \u0663", f"XX......./{EMPTY[10:]} ......... 0"),
    *(f"O......../{EMPTY[10:]} ......... 0", f"X......../{EMPTY[10:]} X........ 0", f"{WON_FIELD_0} O........ 0"),
    *(f"{WON_FIELD_0} ......... 0", f"XOXXOOOXX/O......../{EMPTY[20:]} ......... 0"),
    *(f"X......../{EMPTY[10:]} ......... *", f"{WON_FIELD_0} X........ *"),
]


def test_a_text_that_is_not_a_position_of_the_paper_is_refused() -> None:
    """The message says what is wrong with the position."""
    require_golden("refused-positions.txt", refusals(find_rules("paper").parse_position, NO_POSITIONS))


def test_a_closed_field_is_never_active() -> None:
    """If owned fields are closed, no player has to go to one or gets a line in one, and one explains a free choice."""
    rules = find_rules("closed-any-spot")
    with pytest.raises(NotationError, match="takes no marks"):
        rules.parse_position(f"{WON_FIELD_0} X........ 0")
    with pytest.raises(NotationError, match="has marks that were made after it was decided"):
        find_rules("closed-open-fields").parse_position(f"XXXOOO.../{EMPTY[10:]} X........ 3")
    assert rules.parse_position(f"{WON_FIELD_0} X........ *").active == ANY


NO_MOVES = {
    "paper": ["", "4", "44", "4.", "4.9", "9.4", "4,4", "4.44", " 4.4", "4.4\n", "\u0664.4", "-1.4"],
    "tictactoe": ["", "9", "00", " 0", "\u0660", "-1"],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in NO_MOVES.items() for text in texts])
def test_a_text_that_is_not_a_move_is_refused(name: str, text: str) -> None:
    """A move is a field, a point and a spot, or a spot alone, in ASCII digits."""
    with pytest.raises(NotationError):
        find_rules(name).parse_move(text)
