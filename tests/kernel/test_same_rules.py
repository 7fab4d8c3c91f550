"""The family ``general`` can say the rules of the other families: the same positions, moves, ends and obligations."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.circuits import evaluate
from tests.kernel.test_general import LINES, Rules, tictactoe, write_rules
from tests.kernel.test_general_marks import evaluate_cells
from tests.rules import find_rules
from tests.statements import part, steps_of
from verifier.kernel.games.general import General
from verifier.kernel.obligations import derive


def taken(s: int) -> Any:
    return ["or", ["X", s], ["O", s]]


def gravity(data: Rules) -> Rules:
    """Write rules of one board, in which a mark may need others below it, as rules of cells."""
    spots = range(data["rows"] * data["columns"])
    fallen = [s + data["columns"] for s in spots]
    guards = [["and", ["not", taken(s)], taken(t) if t in spots else True] for s, t in zip(spots, fallen, strict=True)]
    moves = [[str(s), [s], {p: [guards[s], [[[p, s], True]]] for p in "XO"}] for s in spots]
    won = {p: ["or", *(["and", *([p, s] for s in line)] for line, _ in data["lines"])] for p in "XO"}
    state = [[p, [len(spots)], 0, None, [0] * len(spots)] for p in "XO"]
    return write_rules(state, moves, [[won["X"], "X"], [won["O"], "O"]])


def nine_fields() -> Rules:
    """Write the rules of the paper as rules of cells: ``sent`` is the field of the next mark, or 9 if any may be."""
    moves = []
    for f in range(9):
        for s in range(9):
            spot, own = 9 * f + s, [line for line in LINES if s in line]
            actions = {}
            for p, q in (("X", "O"), ("O", "X")):
                line = ["or", *(["and", *([p, 9 * f + t] for t in line if t != s)] for line in own)]
                is_full = ["and", *(taken(9 * s + t) for t in range(9) if 9 * s + t != spot)]
                changes = [
                    [[p, spot], True],
                    [[f"{p}_field", f], ["or", [f"{p}_field", f], ["and", ["not", [f"{q}_field", f]], line]]],
                    [["sent"], ["if", is_full, 9, s]],
                ]
                may = ["or", ["==", ["sent"], 9], ["==", ["sent"], f]]
                actions[p] = [["and", ["not", taken(spot)], may], changes]
            moves.append([f"{f}.{s}", [f, s], actions])
    won = {p: ["or", *(["and", *([f"{p}_field", f] for f in line)] for line in LINES)] for p in "XO"}
    state = [[n, [size], 0, None, [0] * size] for n, size in (("X", 81), ("O", 81), ("X_field", 9), ("O_field", 9))]
    return write_rules([*state, ["sent", [], 0, 9, [9]]], moves, [[won["X"], "X"], [won["O"], "O"]])


GAMES = [("tictactoe", lambda _: tictactoe()), ("gravity", gravity), ("paper", lambda _: nine_fields())]
BOTH = pytest.mark.parametrize(("name", "write"), GAMES, ids=[name for name, _ in GAMES])


def several(few: int, many: int) -> pytest.MarkDecorator:
    """Take few samples in the quick tests, and many in the slow tests; the many begin with the few."""
    return pytest.mark.parametrize("count", [few, pytest.param(many, marks=pytest.mark.slow)])


def play_both(ours: General, theirs: Any, rng: random.Random) -> Iterator[tuple[Any, Any]]:
    """Yield the positions of a random play, each in both families."""
    one, other = ours.start, theirs.start
    yield one, other
    while moves := theirs.legal_moves(other):
        move = rng.choice(moves)
        one, other = ours.play(one, move), theirs.play(other, move)
        yield one, other


@BOTH
@several(800, 5_000)
def test_random_plays_are_the_same_in_both_families(name: str, write: Any, count: int) -> None:
    """In each position: whose turn it is, the legal moves, whether play is over, and who has won."""
    theirs: Any = find_rules(name)
    ours, rng, seen = General(write(theirs.data)), random.Random(name), 0
    while seen < count:
        for one, other in play_both(ours, theirs, rng):
            assert [*ours.legal_moves(one)] == [*theirs.legal_moves(other)]
            assert (ours.turn(one), ours.ply(one)) == (theirs.turn(other), theirs.ply(other))
            assert ours.is_over(one) == theirs.is_over(other)
            for word in ("X_wins", "O_wins"):
                assert ours.compile_atom(word, ())(one, one) == theirs.compile_atom(word, ())(other, other)
            seen += 1


def random_marks(rng: random.Random, spots: int, depth: int = 3) -> Any:
    """Return a formula about marks, by the numbers of their spots."""
    if not depth or rng.random() < 0.2:
        return [rng.choice("XO"), rng.randrange(spots)]
    head = rng.choice(["and", "or", "exactly-one", "not", "iff", ">="])
    count = {"not": 1, "iff": 2}.get(head, rng.randrange(1, 5))
    parts = [random_marks(rng, spots, depth - 1) for _ in range(count)]
    return [">=", ["sum", *parts], rng.randrange(4)] if head == ">=" else [head, *parts]


def by_field(node: Any) -> Any:
    """Return a formula in which a spot is a field and a spot of the field."""
    if not isinstance(node, list):
        return node
    return [node[0], *divmod(node[1], 9)] if node[0] in ("X", "O") else [node[0], *map(by_field, node[1:])]


@BOTH
@several(3, 12)
def test_the_same_step_fails_from_the_same_positions(name: str, write: Any, count: int) -> None:
    """Of random formulas about marks: their truth now implies their truth after the next move."""
    theirs: Any = find_rules(name)
    ours, rng, failed = General(write(theirs.data)), random.Random(name), 0
    spots = len(ours.start.values) // 2 if name != "paper" else 81
    for _ in range(count):
        before, after = random_marks(rng, spots), random_marks(rng, spots)
        one, other = (
            derive(steps_of(game.data, part("move", hypotheses=[["b", given]], conclusions=[["a", told]])))
            for game, given, told in (
                (ours, before, after),
                (theirs, *map(by_field if name == "paper" else lambda same: same, (before, after))),
            )
        )
        for here, there in rng.sample([*play_both(ours, theirs, rng)], 5):
            values = evaluate_cells(one.circuit, one.before, ours, here)
            others = evaluate(other.circuit, other.before, theirs, there)
            told = [
                {fails: found[literal] for fails, literal in breaches}
                for found, breaches in (
                    (values, one.preconditions[0].breaches),
                    (others, other.preconditions[0].breaches),
                )
            ]
            assert told[0] == told[1]
            failed += any(told[0].values())
    assert failed
