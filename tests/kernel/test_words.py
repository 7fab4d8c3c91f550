from __future__ import annotations

import pytest

from tests.kernel.test_attacks import NINE, SOME, play
from tests.rules import rules_data
from verifier.kernel.words import _short, counted, describe_statement


@pytest.mark.parametrize(
    ("number", "words", "text"),
    [
        (0, ("claim",), "0 claims"),
        (1, ("claim",), "1 claim"),
        (2, ("claim",), "2 claims"),
        (1, ("ply", "plies"), "1 ply"),
        (1234, ("ply", "plies"), "1,234 plies"),
    ],
)
def test_one_is_counted_in_the_singular(number: int, words: tuple[str, ...], text: str) -> None:
    """Every other number in the plural, none included; thousands are parted."""
    assert counted(number, *words) == text


@pytest.mark.parametrize(("count", "rest"), [(4, ""), (5, "; and 1 more")])
def test_four_objectives_are_told(count: int, rest: str) -> None:
    """Of more than four it is said how many there are."""
    objectives = [{**SOME, "name": str(number), "holds": ["X", number]} for number in range(count)]
    words = describe_statement(play("tictactoe", ".........", *objectives))
    assert f"""["X",3] at 'every'{rest}, under""" in words


def test_one_case_is_no_first_one() -> None:
    """A bound of one case tells it, and of two the first."""
    case = {"start": NINE, "first": None}
    data = {"kind": "bound", "rules": rules_data("paper"), "through": 58, "cases": [case]}
    assert "cases" not in describe_statement(data)
    assert ", the first of 2 cases, under" in describe_statement({**data, "cases": [case, case]})


def test_a_text_is_shortened_where_it_is_too_long() -> None:
    """As many letters as there is room for are kept."""
    assert _short("x" * 10, 10) == "x" * 10
    assert _short("x" * 11, 10) == "xxxxx… (11 characters)"


@pytest.mark.parametrize("letter", ["p", "\xe9", "\U0001f600"])
def test_scopes_are_told_whole(letter: str) -> None:
    """A phase and its rule are two scopes, however long their names: what is so of one may not be so of the other."""
    phase = "xavier answers each mark of olivia"
    told = {
        describe_statement(play("tictactoe", ".........", {**SOME, "holds": ["X", 0], "at": [scope]}))
        for scope in (f"after:{phase}", f"after:{phase}.win now", f"before:{letter * 200}.{letter * 200}")
    }
    assert len(told) == 3
    assert any(f"at 'after:{phase}'," in words for words in told)
    assert all("characters)" not in words for words in told)


def test_a_part_is_named_in_quotation_marks() -> None:
    """Whatever a file calls it."""
    part = {"part": 5, "step": "move"}
    words = describe_statement({"kind": "steps", "rules": rules_data("paper"), "parts": [part]})
    assert words.startswith("1 part about single steps, the first '5' by 'move', under")
