"""The family ``general`` in symbolic form: it says of each position what the kernel decides about it."""

import itertools
import random
from typing import Any

import pytest

from tests.circuits import Values
from tests.kernel.test_general import boxes, chomp, nim, race, random_rules, tictactoe, write_rules
from tests.kernel.test_obligations import (
    fails_concretely,
    random_formula,
    random_part,
    random_position,
    symbolic_words,
    without_old,
)
from tests.rules import find_rules
from tests.statements import part, steps_of
from verifier.kernel.circuit import Circuit
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.games.general import General, GeneralPosition
from verifier.kernel.games.registry import unknown
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import derive, derive_closure
from verifier.kernel.steps import parse_steps
from verifier.kernel.symbolic import Reader
from verifier.solver.inputs import list_counted, measure, name_inputs, read_position

GAMES = {
    "nim": nim(1, 2, 3),
    "chomp": chomp(2, 3),
    "tictactoe": tictactoe(),
    "boxes": boxes(),
    "race": race(),
}


def find_game(name: str) -> General:
    """Return a game by its name; ``random N`` is the Nth set of random rules."""
    if name in GAMES:
        return General(GAMES[name])
    rng = random.Random(name)
    while True:  # rules may be over at the start
        try:
            return General(random_rules(rng))
        except SpecError:
            continue


NAMES = [*GAMES, *(f"random {n}" for n in range(25))]


def evaluate_cells(circuit: Circuit, before: Any, game: General, position: GeneralPosition) -> Values:
    """Return the values of a circuit over an unknown position, given the position."""
    return Values(circuit, inputs_of(before, game, position))


def inputs_of(before: Any, game: General, position: GeneralPosition) -> dict[int, bool]:
    """Return the inputs of an unknown position where it is a certain one."""
    inputs = {before.second: position.turn == 2}
    for literals, cell, value in zip(before.steps, game.all_cells, position.values, strict=True):
        inputs |= {literal: value >= cell.least + 1 + k for k, literal in enumerate(literals)}
    return inputs


def disturbed(game: General, rng: random.Random) -> GeneralPosition:
    """Return a position of a random play, or one with some other values, which perhaps no play reaches."""
    position = random_position(game, rng, 12)
    values = [
        rng.randint(cell.least, cell.most) if rng.random() < 0.2 else value
        for value, cell in zip(position.values, game.all_cells, strict=True)
    ]
    return game.without_number(GeneralPosition(tuple(values), rng.choice([1, 2]), 0))


@pytest.mark.parametrize("name", NAMES)
def test_the_symbolic_form_of_words_and_moves_agrees_with_the_kernel(name: str) -> None:
    """In a position and after each of its moves, words, numbers, legal moves and ends are equal."""
    game, rng, circuit = find_game(name), random.Random(name), Circuit()
    before: Any = unknown(circuit, game)
    moved = {(player, move): before.play(player, move) for player in "XO" for move in before.moves()}
    legal = {move: before.legal(move) for move in before.moves()}
    words = [(w, at) for w in symbolic_words(game) for at in itertools.product(*map(range, game.vocabulary[w]))]
    numbers = [(w, at) for w in game.number_words for at in itertools.product(*map(range, game.vocabulary[w]))]
    ordered, seen = before.invariant()["position.cells"], 0
    for _ in range(30):
        position = disturbed(game, rng)
        moves = game.legal_moves(position)
        checked: list[tuple[Any, Any]] = [(before, position)]
        checked += [(moved[game.turn(position), move], game.play(position, move)) for move in moves]
        said = [(state.word(w, [*at])[0](state), w, at, after) for state, after in checked for w, at in words]
        counts = [(state.word(w, [*at])[0](state), w, at, after) for state, after in checked for w, at in numbers]
        values = evaluate_cells(circuit, before, game, position)
        for literal, word, at, after in said:
            assert values[literal] == game.compile_atom(word, at)(after, after), (word, at)
        for term, word, at, after in counts:
            number = sum(factor for literal, factor in term.items() if values[literal])
            assert number == game.compile_atom(word, at)(after, after), (word, at)
        assert {move for move, literal in legal.items() if values[literal]} == set(moves)
        assert all(values[literal] for literal in ordered)
        assert read_position(before, {n for n in name_inputs(before).values() if values[n]}) == position
        assert measure(before, position) == sum(values[n] for n in list_counted(before))
        seen += len(moves)
    assert seen


@pytest.mark.parametrize("seed", range(60))
def test_obligations_fail_exactly_where_a_step_of_cells_fails(seed: int) -> None:
    """The assumptions hold where the kernel makes a step from a position. What then fails is the same."""
    game, rng = find_game(NAMES[seed % len(NAMES)]), random.Random(seed)
    data = steps_of(game.data, random_part(game, rng))
    statement, obligations = parse_steps(data), derive(data)
    (found,) = obligations.preconditions
    for _ in range(12):
        position = disturbed(game, rng)
        values = evaluate_cells(obligations.circuit, obligations.before, game, position)
        expected = fails_concretely(statement, position)
        is_meant = all(values[literal] for literals in found.assumptions.values() for literal in literals)
        assert is_meant == (expected is not None), game.format_position(position)
        if is_meant:
            assert {fails for fails, breach in found.breaches if values[breach]} == (expected or set())


@pytest.mark.parametrize("seed", range(40))
def test_the_symbolic_form_of_a_formula_of_cells_agrees_with_the_kernel(seed: int) -> None:
    """After a random move, a random formula about the position before and after has the kernel's value."""
    game, rng, circuit = find_game(NAMES[seed % len(NAMES)]), random.Random(seed), Circuit()
    before = unknown(circuit, game)
    entry, formula = ["and", random_formula(game, rng, 2)], random_formula(game, rng)
    formula = ["iff", ["and", formula, ["use", 0]], ["old", ["use", 0]]]
    test = FormulaCompiler(game, [entry]).compile(formula, is_after_step=True)
    reader = Reader(circuit, before, [entry])
    for _ in range(10):
        position = disturbed(game, rng)
        for move in game.legal_moves(position)[:3]:
            literal = reader.read(formula)(before.play(game.turn(position), move))
            values = evaluate_cells(circuit, before, game, position)
            assert values[literal] == test(game.play(position, move), position)


def test_tic_tac_toe_of_cells_has_the_obligations_of_one_board() -> None:
    """In both families, the same step fails from the same positions."""
    cells, board = General(tictactoe()), find_rules("tictactoe")
    rng = random.Random(0)
    for _ in range(25):
        formula = random_formula(board, rng, 2)
        while any(word in str(formula) for word in ("'free'", "line'", "makes'", "'ply'", "keeps'")):
            formula = random_formula(board, rng, 2)
        said = part("move", conclusions=[["c", formula]])
        one, other = derive(steps_of(cells.data, said)), derive(steps_of(board.data, said))
        for _ in range(10):
            at = random_position(board, rng)
            x, o = at.x_mask, at.o_mask
            marks = tuple(mask >> s & 1 for mask in (x, o) for s in range(9))
            position = GeneralPosition(marks, 1 + board.ply(at) % 2, board.ply(at))
            values = evaluate_cells(one.circuit, one.before, cells, position)
            words = name_inputs(other.before)
            inputs = {n: bool(board.compile_atom(w[0], w[1:])(at, at)) for w, n in words.items()}
            found = Values(other.circuit, inputs)
            (own,), (others,) = one.preconditions, other.preconditions
            assert values[own.breaches[0][1]] == found[others.breaches[0][1]]


def test_the_number_of_moves_is_not_a_word_of_steps() -> None:
    """A position of cells does not have the number of moves, so a step cannot depend on it."""
    with pytest.raises(SpecError, match="cannot speak of 'ply'"):
        derive(steps_of(nim(1, 2), part("move", conclusions=[["c", ["==", ["ply"], 1]]])))


def test_two_moves_need_players_who_take_turns() -> None:
    """If a move may set the turn, a round is refused, because the second move need not be the other player's."""
    said = part("round", strategy={"player": "X", "phases": []}, conclusions=[["c", True]])
    with pytest.raises(SpecError, match="players take turns"):
        parse_steps(steps_of(boxes(), said))
    parse_steps(steps_of(race(), said))


def test_values_in_range_stay_in_range() -> None:
    """The obligations of the rules are one for each player, about the cells. No position breaks them."""
    game = General(race())
    derived = derive_closure(game.data)
    assert [[name for name, _ in found.breaches] for found in derived.preconditions] == [["position.cells"]] * 2
    for a, b, turn in itertools.product(range(5), range(5), (1, 2)):
        values = evaluate_cells(derived.circuit, derived.before, game, GeneralPosition((a, b), turn, 0))
        assert not any(values[breach] for found in derived.preconditions for _, breach in found.breaches)


def keep_of(game: General) -> dict[str, Any]:
    """Return a statement about every play of a game, with a formula that is always true."""
    objective = {"name": "k", "type": "keep", "at": ["every"], "holds": True}
    return {
        "kind": "play", "rules": game.data, "start": game.format_position(game.start), "claimant": "X", "horizon": None,
        "strategies": {}, "chooses": False, "objectives": [objective], "formulas": [],
    }  # fmt: skip


def again() -> dict[str, Any]:
    """A game in which X adds one to a number and moves again, up to 3, so O never moves."""
    return write_rules(
        [["n", [], 0, 3, [0]]], [["+", [0], {"X": [True, [[["n"], ["+", ["n"], 1]], [["turn"], 1]]]}]], []
    )


def test_after_an_extra_turn_the_formulas_of_the_same_player_have_to_hold() -> None:
    """X moves to an odd number and is to move again. It does not help that O's formula holds there."""
    game = General(again())
    odd = ["or", ["==", ["n"], 1], ["==", ["n"], 3]]
    derived = derive(derive_steps(keep_of(game), {"invariant": {"X": [["even", ["not", odd]]], "O": [["odd", odd]]}}))
    _, moved = [found for found in derived.preconditions if len(found.breaches) == 2]  # O's moves, then X's
    values = evaluate_cells(derived.circuit, derived.before, game, game.start)
    assert all(values[literal] for literals in moved.assumptions.values() for literal in literals)
    assert [values[breach] for _, breach in moved.breaches] == [True, False]


@pytest.mark.parametrize("seed", range(20))
def test_an_invariant_fails_exactly_where_a_move_breaks_it(seed: int) -> None:
    """If a move may set the turn, the formulas of whoever is next have to hold after it."""
    game, rng = General(boxes()), random.Random(seed)
    said = {player: [[f"{player} {n}", random_formula(game, rng, 2)] for n in range(2)] for player in "XO"}
    said = {player: [[name, without_old(formula)] for name, formula in named] for player, named in said.items()}
    derived = derive(derive_steps(keep_of(game), {"invariant": said}))
    tests = {p: [(n, FormulaCompiler(game).compile(formula)) for n, formula in named] for p, named in said.items()}
    moving = [found for found in derived.preconditions if len(found.breaches) == 4]
    assert len(moving) == 2
    for _ in range(30):
        position = disturbed(game, rng)
        values = evaluate_cells(derived.circuit, derived.before, game, position)
        mover = game.turn(position)
        holds = all(test(position, position) for _, test in tests[mover]) and not game.is_over(position)
        meant = [found for found in moving if all(values[n] for part in found.assumptions.values() for n in part)]
        assert len(meant) == holds
        after = [game.play(position, move) for move in game.legal_moves(position)]
        failing = {name for at in after for name, test in tests[game.turn(at)] if not test(at, at)}
        for found in meant:
            assert {name for name, breach in found.breaches if values[breach]} == failing
