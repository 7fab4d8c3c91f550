from __future__ import annotations

from typing import Any

import pytest

from tests.rules import find_rules
from tests.statements import rule
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import Formulas
from verifier.kernel.shape import require_shape
from verifier.kernel.strategy import STRATEGY, Strategy, compile_strategy

SMALL = find_rules("tictactoe")


def parse(data: Any) -> Strategy:
    require_shape(data, STRATEGY, "a strategy", is_statement=True)
    return compile_strategy(Formulas(SMALL), data)


def instance(when: Any, *rules: dict[str, Any]) -> dict[str, Any]:
    return {"when": when, "rules": list(rules)}


def phase(name: str, *instances: dict[str, Any]) -> dict[str, Any]:
    return {"phase": name, "instances": list(instances)}


def choices(position: str, *phases: dict[str, Any]) -> list[tuple[str, tuple[int, ...]]]:
    strategy = parse({"player": "X", "phases": list(phases)})
    return strategy(SMALL.parse_position(position))


def test_first_phase_that_holds_is_the_phase() -> None:
    """A later phase says nothing where an earlier one holds."""
    phases = (
        phase("centre", instance(["free", 4], rule("take", (True, [4])))),
        phase("corner", instance(True, rule("take", (True, [0])))),
    )
    assert choices(".........", *phases) == [("centre.take", (4,))]
    assert choices("....X....", *phases) == [("corner.take", (0,))]


def test_first_rule_with_a_choice_is_the_rule() -> None:
    """A later rule says nothing where an earlier one has a choice."""
    only = phase("p", instance(True, rule("a", (["free", 0], [0])), rule("b", (True, [1]))))
    assert choices(".........", only) == [("p.a", (0,))]
    assert choices("X........", only) == [("p.b", (1,))]


def test_choices_of_a_rule_are_all_moves() -> None:
    """A rule may leave a choice open; the choices come in ascending order."""
    only = phase("p", instance(True, rule("a", (True, [5]), (["free", 0], [0]), (False, [1]))))
    assert choices(".........", only) == [("p.a", (0,)), ("p.a", (5,))]


def test_instances_of_a_phase_add_up() -> None:
    """Each instance whose condition holds gives the choices of its own first rule."""
    only = phase(
        "p",
        instance(True, rule("a", (True, [3]))),
        instance(["X", 0], rule("a", (True, [2]))),
        instance(["X", 8], rule("a", (True, [1]))),
    )
    assert choices("X........", only) == [("p.a", (2,)), ("p.a", (3,))]


def test_phase_without_a_move_is_stuck() -> None:
    """A phase that holds while its rules give no move does not fall through to the next one."""
    phases = (
        phase("first", instance(True, rule("a", (False, [0])))),
        phase("second", instance(True, rule("a", (True, [1])))),
    )
    assert choices(".........", *phases) == []


def test_no_phase_is_stuck() -> None:
    """A strategy none of whose phases holds has no move."""
    assert choices(".........") == []
    assert choices(".........", phase("p", instance(False, rule("a", (True, [0]))))) == []


def test_strategy_may_name_illegal_moves() -> None:
    """Legality is not the strategy's to decide: the walk plays the move and refuses it."""
    assert choices("X........", phase("p", instance(True, rule("a", (True, [0]))))) == [("p.a", (0,))]


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"phases": None},
        {"phases": {}},
        {"phases": [None]},
        {"phases": [{"instances": []}]},
        {"phases": [{"phase": "p"}]},
        {"phases": [phase("p.q", instance(True, rule("a", (True, [0]))))]},
        {"phases": [phase("p", instance(True, rule("a.b", (True, [0]))))]},
        {"phases": [phase("p", instance(True, {"choices": []}))]},
        {"phases": [{"phase": "p", "instances": [None]}]},
        {"phases": [{"phase": "p", "instances": [{"rules": []}]}]},
        {"phases": [phase("p", instance("True"))]},
        {"phases": [phase("p", instance(["free", 9]))]},
        {"phases": [phase("p", {"when": True, "rules": [None]})]},
        {"phases": [phase("p", {"when": True, "rules": [{"rule": "a"}]})]},
        {"phases": [phase("p", {"when": True, "rules": [{"rule": "a", "choices": [None]}]})]},
        {"phases": [phase("p", instance(True, {"rule": "a", "choices": [{"play": [0]}]}))]},
        {"phases": [phase("p", instance(True, rule("a", (True, []))))]},
        {"phases": [phase("p", instance(True, rule("a", (True, [True]))))]},
        {"phases": [phase("p", instance(True, rule("a", (True, [0.0]))))]},
        {"phases": [phase("p", instance(True, rule("a", (True, ["0"]))))]},
        {"phases": [phase("p", instance(True, {"rule": "a", "choices": [{"when": True, "play": 0}]}))]},
    ],
)
def test_ill_formed_strategy_is_refused(data: Any) -> None:
    """What is not a strategy is refused before any position is looked at."""
    with pytest.raises(SpecError):
        parse(data)
