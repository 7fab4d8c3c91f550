from typing import Any

import pytest

from tests.rules import find_rules
from tests.statements import KEPT, play, rule
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.statement import parse_statement
from verifier.kernel.strategy import compile_strategy

SMALL = find_rules("tictactoe")


def instance(when: Any, *rules: dict[str, Any]) -> dict[str, Any]:
    return {"when": when, "rules": list(rules)}


def phase(name: str, *instances: dict[str, Any]) -> dict[str, Any]:
    return {"phase": name, "instances": list(instances)}


def take(*spots: int, when: Any = True, name: str = "take") -> dict[str, Any]:
    return rule(name, *((when, [spot]) for spot in spots))


START = "." * 9
CHOICES: dict[str, tuple[list[dict[str, Any]], dict[str, list[tuple[str, int]]]]] = {
    "the first phase that holds is the phase": (
        [phase("centre", instance(["free", 4], take(4))), phase("corner", instance(True, take(0)))],
        {START: [("centre.take", 4)], "....X....": [("corner.take", 0)]},
    ),
    "one that holds does not fall through where its rules have no move": (
        [phase("first", instance(True, take(0, when=False))), phase("second", instance(True, take(1)))],
        {START: []},
    ),
    "where none holds there is no move": ([phase("p", instance(False, take(0)))], {START: []}),
    "without a phase there is none": ([], {START: []}),
    "the first rule with a choice is the rule": (
        [phase("p", instance(True, take(0, when=["free", 0], name="a"), take(1, name="b")))],
        {START: [("p.a", 0)], "X........": [("p.b", 1)]},
    ),
    "a rule leaves choices open, in ascending order": (
        [phase("p", instance(True, rule("a", (True, [5]), (["free", 0], [0]), (False, [1]))))],
        {START: [("p.a", 0), ("p.a", 5)]},
    ),
    "each instance that holds gives the choices of its own first rule": (
        [phase("p", instance(True, take(3)), instance(["X", 0], take(2)), instance(["X", 8], take(1)))],
        {"X........": [("p.take", 2), ("p.take", 3)]},
    ),
    "legality is the walk's to decide": ([phase("p", instance(True, take(0)))], {"X........": [("p.take", 0)]}),
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_strategy_plays_what_its_rules_choose(name: str) -> None:
    """In each position it has its moves, each with the label of its rule."""
    phases, found = CHOICES[name]
    chosen = compile_strategy(FormulaCompiler(SMALL), {"player": "X", "phases": phases}, "X")
    for text, choices in found.items():
        assert chosen(SMALL.parse_position(text)) == [(label, (spot,)) for label, spot in choices]


@pytest.mark.parametrize(
    "changed",
    [
        phase("p.q", instance(True, take(0))),
        phase("p", instance(True, take(0, name="a.b"))),
        phase("p" * 201, instance(True, take(0))),
        phase("p", instance(["free", 9], take(0))),
        phase("p", instance(True, rule("a", (True, [])))),
        phase("p", instance(True, rule("a", (True, [True])))),
        phase("p", instance(True, rule("a", (True, [9])))),
        phase("p", instance(True, rule("a", (True, [4, 4])))),
    ],
)
def test_malformed_names_and_moves_of_a_strategy_are_refused(changed: dict[str, Any]) -> None:
    """Names are short and have no full stop. A move is a move of the game, even if it is never played."""
    with pytest.raises(SpecError):
        parse_statement(play("tictactoe", START, KEPT, strategies={"X": {"player": "X", "phases": [changed]}}))
