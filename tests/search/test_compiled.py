"""The engine's machine code agrees with the kernel on random positions, and its canonical form is one."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.images import relabel_position
from tests.search.compiled.engine import Engine
from tests.search.compiled.level import find_moves
from tests.search.compiled.machine import run
from tests.search.compiled.position import SIZE, WORDS, pack, to_array, to_position, unpack
from tests.search.compiled.program import STACK, Program
from tests.search.compiled.rules import find_legal, play
from tests.search.plays import random_formula, random_permutation, random_positions, statement, strategy
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import Formulas, compile_formula
from verifier.kernel.games.nested import Nested, Position
from verifier.kernel.strategy import compile_strategy
from verifier.search.jit import Array, integers

pytestmark = pytest.mark.slow

RULES = {"paper": Nested(), "paper-play-on": Nested(play_on=True)}
COUNT = 10_000
"""So many random positions are asked about."""


@pytest.mark.parametrize("name", RULES)
def test_moves_and_positions_are_the_kernels(name: str) -> None:
    """Legal moves, and the position after each move, are those of the kernel, owners included."""
    rules = RULES[name]
    legal, q, row, back = integers(9), integers(SIZE), integers(WORDS), integers(SIZE)
    for position in random_positions(rules, COUNT, 1):
        p = to_array(position, with_owners=True)
        is_open = find_legal(p, int(name == "paper"), legal)
        moves = tuple((f, s) for f in range(9) for s in range(9) if legal[f] >> s & 1)
        assert moves == rules.legal_moves(position)
        assert bool(is_open) != rules.is_over(position)
        for f, s in moves[:4]:
            play(p, f, s, 1, q)
            pack(q, row)
            unpack(row, back)
            assert (q == back).all()
            assert to_position(back, with_owners=True) == rules.play(position, (f, s))


def evaluate(code: Array, entry: int, p: Array, is_over: bool) -> int:
    return run(code, entry, p, int(is_over), integers(STACK), integers(9))


@pytest.mark.parametrize("name", RULES)
def test_formulas_have_the_kernels_value(name: str) -> None:
    """Random formulas of every kind have the same value in the machine as in the kernel."""
    rules, chance = RULES[name], random.Random(2)
    positions = list(random_positions(rules, COUNT, 3))
    values = set()
    for _ in range(COUNT // 20):
        formula = random_formula(chance, chance.randrange(1, 6))
        program = Program()
        program.add_formula(True)  # an entry that is not the first instruction
        entry = program.add_formula(formula)
        code, test = program.code(), compile_formula(rules, formula)
        for position in chance.sample(positions, 40):
            value = evaluate(code, entry, to_array(position, with_owners=True), rules.is_over(position))
            assert value == test(position, position), formula
            values.add(value)
    assert values == {0, 1}


@pytest.mark.parametrize("name", ["lbs", "xavier", "confine", "confine-after-one", "olivia-edge-line", "spot-8-or-0"])
def test_strategies_have_the_kernels_moves(name: str) -> None:
    """A strategy names the same moves in the machine as in the kernel; where it fails, the machine says so."""
    rules = RULES["paper-play-on"]
    data = strategy(name)
    choices = compile_strategy(Formulas(rules), data)
    program = Program()
    entries = integers(3)
    entries["XO".index(data["player"])], entries["OX".index(data["player"])] = program.add_strategy(data), -1
    code = program.code()
    outcomes = set()
    for position in random_positions(rules, COUNT // 4, 4):
        if rules.turn(position) != data["player"] or rules.is_over(position):
            continue
        moves = {move for _, move in choices(position)}
        chosen = integers(9)
        p = to_array(position, with_owners=True)
        outcome = find_moves(p, code, entries, 0, integers(STACK), integers(9), chosen)
        assert (outcome == 1) == (bool(moves) and moves <= set(rules.legal_moves(position)))
        if moves:
            assert {(f, s) for f in range(9) for s in range(9) if chosen[f] >> s & 1} == moves
        outcomes.add(outcome)
    assert 1 in outcomes


@pytest.mark.parametrize("formula", [["old", ["X", 0, 0]], ["==", ["old", ["ply"]], 1], ["sees", 1]])
def test_what_the_machine_does_not_know_is_refused(formula: Any) -> None:
    """A word without an instruction is an error, not false."""
    with pytest.raises(SpecError):
        Program().add_formula(formula)


# -- relabelling -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(statement(), is_relabelled=True)


def relabelled(position: Position, permutation: tuple[int, ...]) -> Position:
    x, o, active = relabel_position(permutation, position)
    return Position(x, o, 0, 0, active)


def require_canonical(engine: Engine, position: Position, chance: random.Random) -> None:
    row, text = engine.represent(engine.to_array(position))
    p = integers(SIZE)
    unpack(row, p)
    found = to_position(p, with_owners=False)
    assert (found.x_mask, found.o_mask, found.active) == relabel_position(tuple(map(int, text)), position)
    other = relabelled(position, random_permutation(chance))
    assert (engine.represent(engine.to_array(other))[0] == row).all()


def test_canonical_form_of_random_positions(engine: Engine) -> None:
    """It is a relabelling by the permutation that comes with it, and the same for every relabelling."""
    chance = random.Random(5)
    for position in random_positions(RULES["paper-play-on"], COUNT, 6):
        require_canonical(engine, position, chance)


def test_canonical_form_of_positions_with_many_symmetries(engine: Engine) -> None:
    """The same holds where colours tell little: cycles of marks, blocks of fields, all fields alike."""
    chance = random.Random(8)
    for _ in range(400):
        x = o = 0
        cycles = random_permutation(chance)
        block = chance.choice([2, 3, 4, 9])
        for f in range(9):
            if chance.random() < 0.95:
                x |= 1 << (9 * f + cycles[f])
            if block < 9:
                s = f // block * block + (f + 1) % block
                o |= 1 << (9 * f + min(s, 8))
        require_canonical(engine, Position(x, o & ~x, 0, 0, chance.choice([9, 9, 3])), chance)


def test_different_orbits_have_different_forms(engine: Engine) -> None:
    """Two positions that no permutation joins have different forms: found by closing orbits under two generators."""
    rules = RULES["paper-play-on"]
    first = (1, 0, 2, 3, 4, 5, 6, 7, 8)
    cycle = (1, 2, 3, 4, 5, 6, 7, 8, 0)
    level = {rules.start}
    for _ in range(3):
        level = {rules.play(p, move) for p in level for move in rules.legal_moves(p)}
    pending = {Position(p.x_mask, p.o_mask, 0, 0, p.active) for p in level}
    forms: list[tuple[int, ...]] = []
    while pending:
        orbit, fresh = set(), [pending.pop()]
        while fresh:
            position = fresh.pop()
            if position not in orbit:
                orbit.add(position)
                fresh += [relabelled(position, first), relabelled(position, cycle)]
        pending -= orbit
        rows = {tuple(int(w) for w in engine.represent(engine.to_array(position))[0]) for position in orbit}
        assert len(rows) == 1
        forms += rows
    assert len(forms) == len(set(forms)) > 5
