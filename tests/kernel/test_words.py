from __future__ import annotations

import functools
import json
from typing import Any

import pytest

from tests.golden import require_golden
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


CASE = {"start": NINE, "first": None}
OBJECTIVES = [{**SOME, "name": str(number), "holds": ["X", number]} for number in range(5)]
CHANGED: list[dict[str, Any]] = [
    {"lines": [[[0, 1], [2]]]},
    {"outcomes": []},
    {"outcomes": [[["X_line"], "O"]] * 6},
    {"legal": [["free", 0]] * 9},
    {"marks": "shared", "outcomes": []},
]
TOLD = [
    *(play("tictactoe", ".........", *OBJECTIVES[:count]) for count in (4, 5)),
    *({"kind": "bound", "rules": rules_data("paper"), "through": 58, "cases": [CASE] * count} for count in (1, 2)),
    steps(step()),
    steps(step(step="move", turn="O")),
    steps(step(step="reply")),
    steps(step(step="round")),
    steps(step(step="reply-first")),
    steps(step(step="move", plays=[0, 1])),
    steps(step(unless=["over"])),
    steps(step(hypotheses=[["he has won", ["X_wins"]], ["so", False]], conclusions=[["a", ["over"]], ["b", True]])),
    steps(step(step="start"), step()),
    steps(step(hypotheses=[["n", ["X", 0, spot]] for spot in range(6)]), step()),
    *(play({**rules_data("tictactoe"), **change}, ".........", SOME) for change in CHANGED),
]


def test_what_statements_say() -> None:
    """Parts by their hypotheses and conclusions, not by what a file calls them; of many things how many there are.

    Rules are told as well: three in a row may win, lose or be nothing at all.
    """
    require_golden("statements.txt", "\n\n".join(map(describe_statement, TOLD)) + "\n")


def test_formulas_with_a_name_are_written_out() -> None:
    """As far as there is room: one that names others, which name others, is cut and not written out."""
    entries = [["X", 0, 0], *(["and", ["use", n], ["use", n]] for n in range(60))]
    words = describe_statement(steps(step(conclusions=[["a", ["use", 1]], ["b", ["use", 60]]]), formulas=entries))
    assert 'that ["and",["X",0,0],["X",0,0]] and ["and",["and",' in words
    assert len(words) < 500


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
