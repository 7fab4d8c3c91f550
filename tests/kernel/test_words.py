from __future__ import annotations

import functools
import json
from typing import Any

import pytest

from tests.kernel.test_corpus import CORPUS
from tests.rules import rules_data
from tests.statements import NINE, SOME, part, play, steps_of
from verifier.kernel.certificate import hash_value
from verifier.kernel.short import short
from verifier.kernel.words import counted, describe_statement, write_out


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
    assert short("x" * 10, 10) == "x" * 10
    assert short("x" * 11, 10) == "xxxxx… (11 characters)"


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


def step(**changes: Any) -> dict[str, Any]:
    """Return a part of a statement about steps, named so that it seems to say more."""
    return part(**{"part": "Xavier wins every game", "conclusions": [["he wins", True]], **changes})


def steps(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a statement about steps."""
    return steps_of("paper", *parts, **more)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, ", it holds there that true, under"),
        ({"step": "move", "turn": "O"}, " where 'O' to move, each move leads to true, under"),
        ({"step": "reply"}, ", each move of the strategy of 'X' leads to true, under"),
        ({"step": "round"}, ", each move of the other player and reply by the strategy of 'X' lead to true, under"),
        ({"step": "reply-first"}, ", each move of the strategy of 'X' and answer to it lead to true, under"),
        ({"step": "move", "plays": [0, 1]}, ", each move leads to (the free one is [0,1]) true, under"),
        ({"unless": ["over"]}, ', it holds there that true, unless ["over"], under'),
        (
            {"hypotheses": [["he has won", ["X_wins"]], ["so", False]], "conclusions": [["a", ["over"]], ["b", True]]},
            ' where ["X_wins"] and false, it holds there that ["over"] and true, under',
        ),
    ],
)
def test_a_part_is_told_by_what_it_says(changes: dict[str, Any], words: str) -> None:
    """Its hypotheses and conclusions are told, and not what a file calls it or them."""
    assert describe_statement(steps(step(**changes))).startswith(f"from each well-formed position{words}")


def test_a_part_about_the_start_speaks_of_no_other_position() -> None:
    """It is not told as if it spoke of each position."""
    words = describe_statement(steps(step(step="start"), step()))
    assert words.startswith("at the start of the game, it holds there that true; and 1 more part, under")


def test_of_many_parts_and_formulas_some_are_told() -> None:
    """Of the rest it is said how many there are."""
    many = [["n", ["X", 0, spot]] for spot in range(6)]
    words = describe_statement(steps(step(hypotheses=many), step()))
    assert 'where ["X",0,0] and ["X",0,1] and ["X",0,2] and ["X",0,3] and 2 more, it holds' in words
    assert "that true; and 1 more part, under" in words


def test_formulas_with_a_name_are_written_out() -> None:
    """As far as there is room: one that names others, which name others, is cut and not written out."""
    entries = [["X", 0, 0], *(["and", ["use", n], ["use", n]] for n in range(60))]
    words = describe_statement(steps(step(conclusions=[["a", ["use", 1]], ["b", ["use", 60]]]), formulas=entries))
    assert 'that ["and",["X",0,0],["X",0,0]] and ["and",["and",' in words
    assert len(words) < 500


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, "3 by 3, marks 'own', 8 lines 0.1.2 0.3.6 0.4.8 1.4.7 2.4.6 2.5.8 3.4.5 6.7.8; outcomes "),
        ({}, """; outcomes 'X' where ["X_line"]; 'O' where ["O_line"]; legal any free spot"""),
        ({"lines": [[[0, 1], [2]]]}, "1 line 0.1!2; outcomes"),
        ({"outcomes": []}, "; outcomes none; legal"),
        ({"outcomes": [[["X_line"], "O"]] * 6}, """'O' where ["X_line"]; and 2 more; legal"""),
        ({"legal": [["free", 0]] * 9}, '; legal a free spot by its formula of [["free",0],["free",0]'),
        ({"marks": "shared", "outcomes": []}, "marks 'shared'"),
    ],
)
def test_rules_are_told(change: dict[str, Any], words: str) -> None:
    """Lines, outcomes, what is legal and whose the marks are: three in a row may win, lose or be nothing at all."""
    assert words in describe_statement(play({**rules_data("tictactoe"), **change}, ".........", SOME))


def test_rules_of_nine_fields_are_told() -> None:
    """What a free choice reaches is a rule as well."""
    words = describe_statement(steps(step()))
    assert words.endswith("'nested', closed 'full', free_choice 'free-spots', after_win 'over'")


def test_a_whole_statement_is_written_out() -> None:
    """The text is JSON that has the statement's hash, and no line of it is long."""
    for path in sorted((CORPUS / "valid").glob("*.json")):
        statement = json.loads(path.read_text())["certificate"]["statement"]
        text = write_out(statement)
        assert text.isascii()
        assert hash_value(json.loads(text)) == hash_value(statement)
        assert all(len(line.lstrip()) <= 150 for line in text.split("\n"))


def test_what_is_nested_deeply_is_written_out_once() -> None:
    """Each level would be written once more, and indented: 283 kB were 2.8 GB of spaces, and took minutes."""
    numbers: Any = list(range(1000))
    statement: Any = {"kind": functools.reduce(lambda inner, _: [inner], range(300), numbers)}
    text = write_out(statement)
    assert hash_value(json.loads(text)) == hash_value(statement)
    assert len(text) < 10_000
