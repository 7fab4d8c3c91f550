import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.golden import require_golden
from tests.kernel.asking import refusals
from tests.kernel.test_obligations import random_position
from tests.rules import find_rules
from tests.statements import NINE, keep, play
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import MAX_DEPTH, MAX_INTEGER, FormulaCompiler
from verifier.kernel.statement import parse_statement

PAPER: Any = find_rules("paper")


def holds(formula: Any, position: Any, before: Any = None) -> bool:
    test = FormulaCompiler(PAPER).compile(formula, is_after_step=True)
    return bool(test(position, position if before is None else before))


@pytest.mark.parametrize(
    ("formula", "meaning"),
    [
        (["and"], lambda a, b, c: True),
        (["or"], lambda a, b, c: False),
        (["exactly-one"], lambda a, b, c: False),
        (["not", "a"], lambda a, b, c: not a),
        (["and", "a", "b", "c"], lambda a, b, c: a and b and c),
        (["or", "a", "b", "c"], lambda a, b, c: a or b or c),
        (["implies", "a", "b"], lambda a, b, c: b or not a),
        (["iff", "a", "b"], lambda a, b, c: a == b),
        (["exactly-one", "a", "b"], lambda a, b, c: a + b == 1),
        (["exactly-one", ["or", "a", "c"], ["or", "a", "b"]], lambda a, b, c: (a or c) + (a or b) == 1),
        (["exactly-one", "a", "b", "c"], lambda a, b, c: a + b + c == 1),
        (["==", ["sum", "a", "b", "c"], 2], lambda a, b, c: a + b + c == 2),
        (["!=", ["sum", "a"], ["sum", "b"]], lambda a, b, c: a != b),
        (["<", ["sum", "a", "b"], 1], lambda a, b, c: a + b < 1),
        (["<=", ["+", ["sum", "a"], ["sum", "b"], 1], 2], lambda a, b, c: a + b + 1 <= 2),
        ([">", ["-", ["sum", "a"], ["sum", "b"]], 0], lambda a, b, c: a - b > 0),
        ([">=", ["-", 0, ["sum", "c"]], -1], lambda a, b, c: -c >= -1),
        (["==", ["if", ["or", "a", "b"], ["sum", "c"], 2], 1], lambda a, b, c: (a or b) and c),
        (["==", ["+"], 0], lambda a, b, c: True),
    ],
)
def test_connectives_mean_what_python_says(formula: Any, meaning: Callable[[bool, bool, bool], bool]) -> None:
    """Each operator has its truth table, for all values of three atoms."""
    atoms = {"a": ["X", 0, 0], "b": ["O", 4, 4], "c": ["active", 0]}

    def fill(node: Any) -> Any:
        if isinstance(node, list):
            return [node[0], *(fill(arg) for arg in node[1:])]
        return atoms.get(node, node)

    test, rng = FormulaCompiler(PAPER).compile(fill(formula)), random.Random(5)
    for _ in range(40):
        position = random_position(PAPER, rng)
        a, b, c = (holds(atom, position) for atom in atoms.values())
        assert test(position, position) == meaning(a, b, c)


def test_old_takes_the_position_before_the_step() -> None:
    """In formulas and terms, ``old`` reads the position before. Everything else reads the position after."""
    before, after = PAPER.start, PAPER.play(PAPER.start, (4, 4))
    assert holds(["and", ["X", 4, 4], ["old", ["free", 4, 4]]], after, before)
    assert holds(["==", ["ply"], ["+", ["old", ["ply"]], 1]], after, before)
    assert holds(["old", ["old", ["free", 4, 4]]], after, before)
    assert not holds(["old", ["X", 4, 4]], after, before)


NO_WORDS: list[Any] = [
    *(None, 0, 1, "X", {}, [], [[]], [["X", 0, 0]], [True], ["x", 0, 0], ["X"], ["X", 0], ["X", 0, 0, 0], ["X", 0, 9]),
    *(["X", -1, 0], ["X", True, 0], ["X", 0, False], ["X", 0.0, 0], ["X", "0", 0], ["X", [0], 0], ["active", 10]),
    *(["full", 9], ["X_wins", 0], ["over", True], ["not"], ["not", True, True], ["implies", True], ["ply"], ["old"]),
    *(["iff", True, True, True], ["sum", True], ["and", True, 1], ["__class__"], ["Z" * 100_000]),
]
NO_TERMS = [True, ["X", 0, 0], ["ply", 1], None, 1.0, ["sum", 1], ["-", 1], ["old", 1, 1], MAX_INTEGER + 1, -(10**100)]


@pytest.mark.parametrize(
    "formula", [*NO_WORDS, ["==", 1], ["==", 1, 2, 3], *(["==", 1, term] for term in NO_TERMS)], ids=range(46)
)
def test_ill_formed_formula_is_refused(formula: Any) -> None:
    """It is refused before any position is read, by a message that quotes little of it."""
    with pytest.raises(SpecError) as caught:
        FormulaCompiler(PAPER).compile(formula)
    assert len(str(caught.value)) < 200


DEEP = [["X", 0, 0], *(["not", ["use", n]] for n in range(MAX_DEPTH + 1))]


def nested(head: str, inner: Any, times: int) -> Any:
    return inner if not times else [head, nested(head, inner, times - 1)]


@pytest.mark.parametrize(
    ("fits", "deeper"),
    [
        (nested("not", True, MAX_DEPTH + 1), nested("not", True, MAX_DEPTH + 2)),
        ([">", nested("+", ["ply"], MAX_DEPTH - 1), 0], [">", nested("+", ["ply"], MAX_DEPTH), 0]),
    ],
)
def test_depth_is_bounded(fits: Any, deeper: Any) -> None:
    """Formulas and terms have at most sixty nested operators, even if some of them have names."""
    FormulaCompiler(PAPER).compile(fits)
    FormulaCompiler(PAPER, DEEP[:-1]).compile(["use", MAX_DEPTH])
    for refused in (lambda: FormulaCompiler(PAPER).compile(deeper), lambda: FormulaCompiler(PAPER, DEEP)):
        with pytest.raises(SpecError, match="deeper"):
            refused()


MARK = ["X", 0, 0]
BAD_NAMES: list[tuple[Any, Any]] = [
    *(([7], ["==", ["use", 0], 7]), ([True], ["use", 0]), ([MARK], True), ([["not", ["use", 0]]], ["use", 0])),
    *(([MARK], ["and", ["use", 0], ["use", 1]]), ([MARK], ["use", -1]), ([MARK, ["X", 0, 1]], ["use", True])),
    *(([MARK, ["use", 0]], ["use", 1]), ([MARK], ["use", 0, 0])),
    *(([["ply"]], ["use", 0]), ([MARK], ["==", ["use", 0], 1]), ([["Z", 0]], ["use", 0])),
]


def test_a_bad_list_of_names_is_refused() -> None:
    """The message says what is wrong with the named formulas."""
    found = refusals(lambda bad: parse_statement(play("paper", NINE, keep(bad[1]), formulas=bad[0])), BAD_NAMES)
    require_golden("refused-names.txt", found)


def test_a_name_means_what_it_stands_for() -> None:
    """Named formulas, terms and old values have the same values as when they are written out."""
    entries = [["X", 0, 0], ["sum", ["use", 0], ["X", 0, 1]], ["old", ["use", 1]], ["not", ["use", 0]]]
    formulas = FormulaCompiler(PAPER, entries)
    test = formulas.compile(
        ["and", ["use", 3], ["==", ["use", 1], 1], ["==", ["use", 2], 0], ["old", ["use", 3]]], is_after_step=True
    )
    formulas.close()
    start = PAPER.start
    played = PAPER.play(start, (0, 1))
    assert test(played, start)
    assert not test(played, played)
    assert not test(PAPER.play(start, (0, 0)), start)


def test_named_formulas_count_as_if_written_out() -> None:
    """A formula whose names double its size is refused at once because of its size. A smaller one as deep is not."""

    def doublings(count: int) -> FormulaCompiler:
        return FormulaCompiler(PAPER, [["X", 0, 0], *(["or", ["use", n], ["use", n]] for n in range(count))])

    assert doublings(15).compile(["use", 15])(PAPER.start, PAPER.start) is False
    for count in (20, 58, 10_000):
        with pytest.raises(SpecError, match="larger than"):
            doublings(count)
