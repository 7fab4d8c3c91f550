"""Relabelling: positions, and what a statement may say where it is allowed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.images import relabel_position
from tests.search.compiled.invariance import require_invariance
from tests.search.plays import ONE_EACH, random_permutation, random_positions, statement, strategy
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import Formulas, compile_formula
from verifier.kernel.games.nested import Nested, Position
from verifier.kernel.strategy import compile_strategy

pytestmark = pytest.mark.slow

RULES = Nested(play_on=True)


def test_relabelling_takes_plays_to_plays() -> None:
    """The moves from a relabelled position are the relabelled moves, and lead to relabelled positions."""
    chance = random.Random(1)
    for position in random_positions(RULES, 2000, 2):
        permutation = random_permutation(chance)
        other = Position(*relabel_position(permutation, position)[:2], 0, 0, relabel_position(permutation, position)[2])
        moves = RULES.legal_moves(position)
        assert {(permutation[f], permutation[s]) for f, s in moves} == set(RULES.legal_moves(other))
        for f, s in moves[:3]:
            after = RULES.play(other, (permutation[f], permutation[s]))
            found = (after.x_mask, after.o_mask, after.active)
            assert found == relabel_position(permutation, RULES.play(position, (f, s)))


def test_what_is_found_invariant_is() -> None:
    """LBS chooses relabelled moves in a relabelled position, and the formula has the same value."""
    chance = random.Random(3)
    choices = compile_strategy(Formulas(RULES), strategy("lbs"))
    test = compile_formula(RULES, ONE_EACH)
    require_invariance(statement())
    for position in random_positions(RULES, 400, 4):
        p = random_permutation(chance)
        x, o, active = relabel_position(p, position)
        other = Position(x, o, 0, 0, active)
        assert test(position, position) == test(other, other)
        assert {(p[f], p[s]) for _, (f, s) in choices(position)} == {move for _, move in choices(other)}


@pytest.mark.parametrize("name", ["xavier", "olivia-edge-line", "spot-8-or-0"])
def test_a_strategy_that_names_fields_is_refused(name: str) -> None:
    """A strategy that treats some fields otherwise than the rest allows no relabelling."""
    with pytest.raises(SpecError, match="the strategy of"):
        require_invariance(statement(name=name))


def test_a_strategy_with_a_phase_for_every_field_is_accepted() -> None:
    """A family over all fields, or all pairs of fields, is the same for every numbering."""
    for name in ("lbs", "confine"):
        require_invariance(statement(name=name))


@pytest.mark.parametrize(
    "formula",
    [
        ["X", 4, 4],
        ["active", 3],
        ["not", ["full", 8]],
        ["and", *(["free", f, 0] for f in range(9))],
        ["or", *(["X", f, (f + 1) % 9] for f in range(9))],
        ["won_by_X", 0],
        ["and", *(["won_by_O", f] for f in range(9))],
        ["X_wins"],
        ["not", ["over"]],
        ["old", ["active", 9]],
    ],
)
def test_a_formula_that_names_fields_or_owners_is_refused(formula: Any) -> None:
    """A formula that is not the same for every numbering allows no relabelling; the cycle alone does not show it."""
    objective = {"name": "it holds", "type": "keep", "at": ["every"], "holds": formula}
    with pytest.raises(SpecError, match="relabelling"):
        require_invariance(statement(objectives=[objective]))


@pytest.mark.parametrize(
    "formula",
    [
        ["active", 9],
        ["or", ["X", 0, 0], ["X", 8, 8], *(["X", f, f] for f in range(1, 8))],
        ["iff", ["active", 9], ["==", 3, ["sum", *(["full", f] for f in range(8, -1, -1))]]],
        ["<", ["ply"], ["+", 1, ["+", ["ply"], ["sum", *(["free", f, s] for f in range(9) for s in range(9))]]]],
    ],
)
def test_the_order_of_parts_does_not_matter(formula: Any) -> None:
    """Formulas that differ in the order of their parts only are the same."""
    objective = {"name": "it holds", "type": "keep", "at": ["every"], "holds": formula}
    require_invariance(statement(objectives=[objective]))


def test_rules_with_owners_are_refused() -> None:
    """Three in a line is not preserved, so rules that look at it allow no relabelling."""
    with pytest.raises(SpecError, match="owner"):
        require_invariance(statement("paper"))
