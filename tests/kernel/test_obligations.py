"""Obligations and concrete play: what is derived says of each position what the kernel decides about it."""

import itertools
import random
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.circuits import Values, evaluate
from tests.rules import find_rules
from tests.statements import steps_of
from verifier.kernel.circuit import FALSE, TRUE, Circuit, add_terms, count_true
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.games import Game
from verifier.kernel.games.nested import NestedGame, NestedPosition
from verifier.kernel.games.registry import parse_rules, unknown
from verifier.kernel.obligations import STEP, derive
from verifier.kernel.steps import StepsStatement, find_failures, parse_steps
from verifier.kernel.symbolic import Reader
from verifier.search.reach import steps_from

NESTED = ("paper", "paper-play-on", "closed-open-fields", "closed-any-spot")
POSITIONAL = ("tictactoe", "threesome4x4")
SMALL: dict[str, Any] = {
    "family": "positional", "rows": 2, "columns": 3, "notation": "spots", "marks": "own",
    "lines": [[[0, 1], []], [[2, 4], [3]], [[3, 5], []]], "legal": None,
    "outcomes": [[["X_line"], "O"], [["and", ["O_line"], ["X_turn"]], "X"], [["==", ["ply"], 5], "draw"]],
}  # fmt: skip
SHARED = {**SMALL, "marks": "shared", "outcomes": [[["and", ["line"], ["O_turn"]], "O"], [["line"], "X"]]}
FALLING = {
    **SMALL,
    "legal": [["or", ["X", 3], ["O", 3]], ["not", ["free", 4]], ["not", ["free", 5]], True, True, ["<", ["ply"], 4]],
}
STUCK = {
    **FALLING,
    "lines": {"X": [[[0, 1], []], [[2, 4], [3]]], "O": [[[3, 5], []]]},
    "outcomes": [[["and", ["stuck"], ["X_turn"]], "O"], [["X_line"], "X"], [["stuck"], "X"], [["O_line"], "O"]],
}
OWN = {"small": SMALL, "shared": SHARED, "falling": FALLING, "stuck": STUCK}
GAMES: dict[str, Game] = {
    **{name: find_rules(name) for name in (*NESTED, *POSITIONAL)},
    **{name: parse_rules(data) for name, data in OWN.items()},
}


def names_without(*slow: str, among: Iterable[str] = tuple(GAMES)) -> list[Any]:
    """Return names of games; those in the argument are marked as slow."""
    return [pytest.param(name, marks=pytest.mark.slow) if name in slow else name for name in among]


def random_position(game: Game, rng: random.Random, plies: int = 81) -> Any:
    """Return a position of a random game, rarely one in which the game is over."""
    position = game.start
    for _ in range(rng.randrange(plies)):
        moves = game.legal_moves(position)
        after = game.play(position, rng.choice(moves)) if moves else position
        if not moves or (game.is_over(after) and rng.random() < 0.8):
            break
        position = after
    return position


def random_term(game: Game, rng: random.Random, depth: int) -> Any:
    head = rng.choice(["ply", "sum", "+", "-", "if", "old", "integer"]) if depth else "integer"
    if head == "integer":
        return rng.randrange(-2, 8)
    if head == "sum":
        return ["sum", *(random_formula(game, rng, depth - 1) for _ in range(rng.randrange(4)))]
    if head == "ply" and game.number_words:
        name = rng.choice(sorted(game.number_words))
        return [name, *(rng.randrange(size) for size in game.vocabulary[name])]
    if head == "ply":
        return ["ply"]
    test = [random_formula(game, rng, depth - 1)] if head == "if" else []
    return [head, *test, *(random_term(game, rng, depth - 1) for _ in range(1 if head == "old" else 2))]


def symbolic_words(game: Game) -> list[str]:
    """Return the conditions that have a symbolic form: all words except those that need the solution."""
    return sorted(w for w in game.vocabulary if not w.endswith("_keeps") and w not in game.number_words)


def random_formula(game: Game, rng: random.Random, depth: int = 3) -> Any:
    """Return a formula with any operators and words."""
    if not depth or rng.random() < 0.2:
        name = rng.choice(symbolic_words(game))
        return rng.choice([True, False, *[[name, *(rng.randrange(size) for size in game.vocabulary[name])]] * 8])
    sizes = {"not": 1, "old": 1, "implies": 2, "iff": 2}
    joined = ["and", "or", "exactly-one"]
    head = rng.choice([*sizes, *joined, *joined, "==", "!=", "<", "<=", ">", ">="])
    if head in sizes or head in joined:
        return [head, *(random_formula(game, rng, depth - 1) for _ in range(sizes.get(head, rng.randrange(5))))]
    return [head, random_term(game, rng, depth - 1), random_term(game, rng, depth - 1)]


def without_old(node: Any) -> Any:
    """Return a formula or a term about one position."""
    if not isinstance(node, list):
        return node
    return without_old(node[1]) if node[0] == "old" else [node[0], *map(without_old, node[1:])]


def random_strategy(game: Game, player: str, rng: random.Random) -> dict[str, Any]:
    """Return a strategy of two phases. Some of its moves are illegal, and sometimes it has none."""
    moves = [list(move) for move in unknown(Circuit(), game).moves()]

    def when(chance: float) -> Any:
        return True if rng.random() < chance else without_old(random_formula(game, rng, 2))

    def rule(name: str) -> dict[str, Any]:
        choices = [{"when": when(0.3), "play": rng.choice(moves)} for _ in range(rng.randrange(3))]
        if rng.random() < 0.7 and "free" in game.vocabulary:
            choices += [{"when": ["free", *move], "play": move} for move in rng.sample(moves, min(len(moves), 12))]
        return {"rule": name, "choices": choices}

    def instance() -> dict[str, Any]:
        return {"when": when(0.5), "rules": [rule(name) for name in "ab"[: rng.randrange(1, 3)]]}

    phases = [{"phase": name, "instances": [instance() for _ in range(rng.randrange(1, 3))]} for name in "pq"]
    return {"player": player, "phases": phases}


def random_part(game: Game, rng: random.Random) -> dict[str, Any]:
    """Return a part with any kind of step."""
    steps = ["none", "move", "reply", *["round", "reply-first"] * game.alternates]
    step, claimant = rng.choice(steps), rng.choice("XO")
    moves = unknown(Circuit(), game).moves()
    has_reply = step in ("reply", "round", "reply-first")
    after: Callable[[Any], Any] = (lambda formula: formula) if step != "none" else without_old
    return {
        "part": "part",
        "step": step,
        "claimant": claimant,
        "turn": rng.choice([None, "X", "O"]) if not has_reply else None,
        "hypotheses": [["given", without_old(random_formula(game, rng, 1))]] if rng.random() < 0.3 else [],
        "conclusions": [[f"then {n}", after(random_formula(game, rng))] for n in range(rng.randrange(1, 4))],
        "unless": False,
        "plays": list(rng.choice(moves)) if step not in ("none", "reply") and rng.random() < 0.3 else None,
        "strategy": random_strategy(game, claimant, rng) if has_reply else None,
    }


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-5, 5).filter(bool)), max_size=7), st.integers(-8, 8))
@settings(max_examples=60, deadline=None)
def test_a_gate_has_its_truth_table(terms: list[tuple[int, int]], bound: int) -> None:
    """It is true exactly if its true literals weigh enough. So are its negation and the constants."""
    circuit = Circuit()
    inputs = circuit.variables(5)
    literals = [inputs[abs(literal) - 1] * (1 if literal > 0 else -1) for _, literal in terms]
    term = add_terms((count_true([literal]), factor) for literal, (factor, _) in zip(literals, terms, strict=True))
    gates = circuit.at_least(term, bound), circuit.every(literals), circuit.some(literals)
    opposite = circuit.at_least(add_terms([(term, -1)]), 1 - bound)
    assert opposite == -gates[0], "the same constraint is the same variable"
    for values in itertools.product((False, True), repeat=5):
        found = Values(circuit, dict(zip(inputs, values, strict=True)))
        true = [found[literal] for literal in literals]
        weight = sum(factor for (factor, _), is_true in zip(terms, true, strict=True) if is_true)
        assert [found[gate] for gate in gates] == [weight >= bound, all(true), any(true)]


def test_constants_are_folded() -> None:
    """Something that is true, or false, in every position is a constant and needs no gate."""
    circuit = Circuit()
    a, b = circuit.variables(2)
    assert circuit.every([a, TRUE, a]) == a
    assert circuit.every([a, -a, b]) == circuit.some([FALSE]) == circuit.every([b, FALSE]) == FALSE
    assert circuit.every([]) == circuit.some([b, -b]) == circuit.at_least(count_true([a, -a]), 1) == TRUE
    assert (circuit.at_least(count_true([a]), 1), circuit.at_least(count_true([-b]), 1)) == (a, -b)
    assert circuit.at_least(count_true([a, b]), 3) == FALSE
    assert len(circuit.gates) == 4


def late_plays(game: Game, rng: random.Random) -> list[tuple[Any, Any]]:
    """Return the last positions of a play with two moves each, preferably into owned fields, and its end."""
    play = [game.start]
    while moves := game.legal_moves(play[-1]):
        play.append(game.play(play[-1], rng.choice(moves)))
    found: list[tuple[Any, Any]] = [(play[-1], None)]
    for position in play[-6:-1]:
        owned = position.x_fields_mask | position.o_fields_mask if isinstance(game, NestedGame) else 0
        mixed = rng.sample(game.legal_moves(position), len(game.legal_moves(position)))
        found += [(position, move) for move in sorted(mixed, key=lambda move: not owned >> move[0] & 1)[:2]]
    return found


@pytest.mark.parametrize("count", [1, pytest.param(25, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", GAMES)
def test_the_symbolic_form_of_each_word_agrees_with_the_kernel(name: str, count: int) -> None:
    """In a position and after its moves, each word, also by a name, has the kernel's value. So have ply and turn.

    This includes late positions, in which fields are full, or owned, or owned by one player while the other has a line
    in it, and nobody can move.
    """
    game, rng = GAMES[name], random.Random(name)
    circuit = Circuit()
    before = unknown(circuit, game)
    words = [
        (word, at) for word in symbolic_words(game) for at in itertools.product(*map(range, game.vocabulary[word]))
    ]
    samples = [sample for _ in range(count) for sample in late_plays(game, rng)]
    for _ in range(count):
        position = random_position(game, rng)
        moves = game.legal_moves(position)
        samples += [(position, move) for move in (None, *rng.sample(moves, min(2, len(moves))))]
    moved = {(game.turn(position), move) for position, move in samples if move is not None}
    states = {(None, None): before} | {key: before.play(*key) for key in moved}
    said = {key: {word: state.word(word[0], [*word[1]])[0](state) for word in words} for key, state in states.items()}
    named = Reader(circuit, before, [[word, *indices] for word, indices in words])
    for key, state in states.items():
        assert [named.read(["use", n])(state) for n in range(len(words))] == [*said[key].values()]
    plies = {key: [circuit.at_least(state.ply(), k) for k in range(82)] for key, state in states.items()}
    legal = {move: before.legal(move) for move in before.moves()}
    turn, over = before.turn("O"), before.over()
    invariant = [literal for literals in before.invariant().values() for literal in literals]
    for position, move in samples:
        key, after = (None, None), position
        if move is not None:
            key, after = (game.turn(position), move), game.play(position, move)
        values = evaluate(circuit, before, game, position)
        for (word, indices), literal in said[key].items():
            assert values[literal] == game.compile_atom(word, indices)(after, after), (word, indices)
        assert sum(values[literal] for literal in plies[key]) == 1 + game.ply(after)
        assert {at for at, literal in legal.items() if values[literal]} == set(game.legal_moves(position))
        assert (values[turn], values[over]) == (game.turn(position) == "O", game.is_over(position))
        assert all(values[literal] for literal in invariant)


def disturb(game: Any, position: Any, rng: random.Random) -> Any:
    """Return a position that differs in a few marks or owners, or in the active field. No spot has two marks."""
    values = list(position)
    for _ in range(rng.randrange(3)):
        mask = rng.randrange(len(values))
        if isinstance(game, NestedGame) and mask == 4:
            values[4] = rng.randrange(10)
        else:
            values[mask] ^= 1 << rng.randrange(
                game.cells if not isinstance(game, NestedGame) else 81 if mask < 2 else 9
            )
    if isinstance(game, NestedGame):
        return NestedPosition(values[0], values[1] & ~values[0], values[2], values[3] & ~values[2], values[4])
    return position._replace(x_mask=values[0], o_mask=0 if game.is_shared else values[1] & ~values[0])


@pytest.mark.parametrize("name", names_without("threesome4x4"))
def test_the_invariant_is_what_makes_a_position_well_formed(name: str) -> None:
    """Its literals are all true exactly where the kernel finds no fault, in positions of games and in others."""
    game: Any = GAMES[name]
    rng = random.Random(name)
    circuit = Circuit()
    before = unknown(circuit, game)
    invariant = before.invariant()
    literals = [literal for literals in invariant.values() for literal in literals]
    faults = 0
    count = 100 if isinstance(game, NestedGame) else 400
    for _ in range(count):
        position = disturb(game, random_position(game, rng), rng)
        values = evaluate(circuit, before, game, position)
        fault = game.find_fault(position)
        assert all(values[literal] for literal in literals) == (not fault), (fault, game.format_position(position))
        faults += bool(fault)
    assert 0 < faults < count
    assert all(name.startswith("position.") for name in invariant)


@given(st.sampled_from(sorted(GAMES)), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_the_symbolic_form_of_a_formula_agrees_with_the_kernel(name: str, seed: int) -> None:
    """After a random move, a random formula about the position before and after has the kernel's value."""
    game, rng = GAMES[name], random.Random(seed)
    position = random_position(game, rng)
    circuit = Circuit()
    before = unknown(circuit, game)
    entry, formula = random_formula(game, rng, 2), random_formula(game, rng)
    formula = ["or", ["and", formula, ["use", 0]], ["and", ["not", formula], ["old", ["use", 0]]]]
    entry = entry if isinstance(entry, list) else ["and", entry]
    test = FormulaCompiler(game, [entry]).compile(formula, is_after_step=True)
    moves = game.legal_moves(position)
    after, state = position, before
    if moves:
        move = rng.choice(moves)
        after, state = game.play(position, move), before.play(game.turn(position), move)
    literal = Reader(circuit, before, [entry]).read(formula)(state)
    assert evaluate(circuit, before, game, position)[literal] == test(after, position)


def fails_concretely(statement: StepsStatement, position: Any) -> set[str] | None:
    """Return what fails after some step from a position; None if the part is not about the position."""
    (part,), game = statement.parts, statement.game
    try:
        find_failures(game, part, position, [])
    except CertificateError as error:
        if error.reason in ("wrong-turn", "hypothesis", "over"):
            return None
        if error.reason != "malformed":  # that a move is missing
            raise
    conclusions = {name for name, _ in part.conclusions}
    failing: set[str] = set()
    for moves in steps_from(game, part, position):
        _, failed = find_failures(game, part, position, moves)
        failing |= {name if name in conclusions else STEP for name in failed}
    return failing


SMALL_GAMES = ("tictactoe", "small", "shared", "falling")
SEEDS = [(name, seed) for name in GAMES for seed in range(15 if name in SMALL_GAMES else 8)]


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        pytest.param(name, seed, marks=[pytest.mark.slow] * (seed > 1 or name not in ("paper", *SMALL_GAMES)))
        for name, seed in SEEDS
    ],
)
def test_obligations_fail_exactly_where_a_step_fails(name: str, seed: int) -> None:
    """The assumptions hold where the kernel makes a step from a position. What then fails is the same."""
    game, rng = GAMES[name], random.Random(seed)
    data = steps_of(game.data, random_part(game, rng))
    statement, obligations = parse_steps(data), derive(data)
    (part,) = obligations.preconditions
    conclusions = [conclusion for conclusion, _ in statement.parts[0].conclusions]
    assert [fails for fails, _ in part.breaches if fails != STEP] == conclusions
    for _ in range(4):
        position = random_position(game, rng)
        values = evaluate(obligations.circuit, obligations.before, game, position)
        expected = fails_concretely(statement, position)
        is_meant = all(values[literal] for literals in part.assumptions.values() for literal in literals)
        assert is_meant == (expected is not None), game.format_position(position)
        if is_meant:
            assert {fails for fails, breach in part.breaches if values[breach]} == (expected or set())


def test_rules_and_words_without_a_symbolic_form_are_refused() -> None:
    """Rules of no family, and words of no game, get their own errors."""
    circuit: Any = Circuit()
    with pytest.raises(SpecError, match="statements about steps cannot be checked under these rules"):
        unknown(circuit, SimpleNamespace(family="heaps"))
    for name in ("paper", "tictactoe"):
        with pytest.raises(SpecError, match="'colour' cannot be used in a statement about every position"):
            unknown(circuit, GAMES[name]).word("colour", [0])
