import contextlib
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.test_obligations import random_position
from tests.rules import find_rules
from verifier.kernel.formula import FormulaCompiler
from verifier.language.evaluator import OldPosition
from verifier.language.expressions import Grounder
from verifier.language.syntax import ExpressionError, parse_expression

PAPER: Any = find_rules("paper")
CONFIGURATION = settings(derandomize=True, deadline=None, max_examples=150)


def ground(text: str) -> Any:
    return Grounder(PAPER).formula(parse_expression(text), {}, old=OldPosition.LAST)


def python_value(text: str, notation: str) -> bool:
    """Evaluate an expression with Python itself in a written position."""
    cells, owners, active = notation.split(" ")
    fields = cells.split("/")
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    k = 9 if active == "*" else int(active)

    def grid(test: Any) -> dict[tuple[int, int], bool]:
        return {(f, s): test(fields[f][s]) for f in range(9) for s in range(9)} | {(9, s): False for s in range(9)}

    wins = {p: any(all(owners[f] == p for f in line) for line in lines) for p in "XO"}
    names: dict[str, Any] = {
        "X": grid(lambda c: c == "X"), "O": grid(lambda c: c == "O"), "free": grid(lambda c: c == "."),
        "full": {f: "." not in fields[f] for f in range(9)} | {9: False},
        "won_by_X": [o == "X" for o in owners], "won_by_O": [o == "O" for o in owners],
        "active": k, "ANY": 9, "FIELDS": range(9), "SPOTS": range(9), "ply": 81 - cells.count("."),
        "X_wins": wins["X"], "O_wins": wins["O"], "over": wins["X"] or wins["O"] or "." not in cells,
        "implies": lambda a, b: not a or b, "old": lambda a: a,
        "iff": lambda a, b: a == b, "exactly_one": lambda loop: sum(loop) == 1,
    }  # fmt: skip
    builtins = {"all": all, "any": any, "sum": sum, "len": len}
    return bool(eval(text, {"__builtins__": builtins, **names}))  # noqa: S307 - our own texts


POSITIONS = [random_position(PAPER, random.Random(seed)) for seed in range(40)]


def indices(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    numbers = st.integers(0, 8).map(str)
    if not names:
        return numbers
    own = st.sampled_from(names)
    return st.one_of(numbers, own, own.map(lambda name: f"8 - {name}"), own.map(lambda name: f"({name} * 2 + 1) % 9"))


@st.composite
def terms(draw: st.DrawFn, names: tuple[str, ...], depth: int) -> str:
    kind = draw(st.sampled_from(["number", "ply", "sum", "plus", "minus", "old"] if depth else ["number", "ply"]))
    if kind == "number":
        return str(draw(st.integers(0, 81)))
    if kind == "ply":
        return "ply"
    if kind == "sum":
        return draw(loops("sum", names, depth - 1))
    first, second = draw(terms(names, depth - 1)), draw(terms(names, depth - 1))
    if kind == "old":
        return f"old({first.replace('old(', '(')} + ply)"
    return f"({first} {'+' if kind == 'plus' else '-'} {second})"


@st.composite
def loops(draw: st.DrawFn, head: str, names: tuple[str, ...], depth: int) -> str:
    name = "ijk"[len(names)]
    inner = (*names, name)
    over = draw(st.sampled_from(["FIELDS", "SPOTS", "[0, 4, 8]", "[]", "[f + 1 for f in FIELDS if f < 8]"]))
    guard = draw(st.sampled_from(["", f" if {name} != 4", f" if {name} in [1, 2, 3]", f" if {name} > 2 if {name} < 7"]))
    return f"{head}({draw(formulas(inner, depth))} for {name} in {over}{guard})"


@st.composite
def formulas(draw: st.DrawFn, names: tuple[str, ...] = (), depth: int = 3) -> str:
    leaves = ["mark", "field", "active", "active in", "whole game", "constant", "active mark"]
    inner = ["not", "and", "or", "implies", "iff", "comparison", "chain", "old"]
    quantifiers = ["all", "any", "exactly_one"] if len(names) < 2 else []
    kind = draw(st.sampled_from(leaves + (inner + quantifiers if depth else [])))
    index = indices(names)
    match kind:
        case "mark":
            return f"{draw(st.sampled_from(['X', 'O', 'free']))}[{draw(index)}, {draw(index)}]"
        case "field":
            return f"{draw(st.sampled_from(['full', 'won_by_X', 'won_by_O']))}[{draw(index)}]"
        case "active":
            return f"active {draw(st.sampled_from(['==', '!=']))} {draw(st.one_of(index, st.just('ANY')))}"
        case "active in":
            return f"active {draw(st.sampled_from(['in', 'not in']))} [{draw(index)}, {draw(index)}, ANY]"
        case "active mark":
            return f"{draw(st.sampled_from(['X', 'O', 'free']))}[active, {draw(index)}]"
        case "whole game":
            return draw(st.sampled_from(["X_wins", "O_wins", "over"]))
        case "constant":
            return draw(st.sampled_from(["True", "False", "1 < 2", "3 in [1, 2]", "len(FIELDS) == 9"]))
        case "all" | "any" | "exactly_one":
            return draw(loops(kind, names, depth - 1))
        case "comparison" | "chain":
            parts = [draw(terms(names, depth - 1)) for _ in range(2 if kind == "comparison" else 3)]
            signs = [draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="])) for _ in parts[1:]]
            return (
                "("
                + " ".join([parts[0], *(f"{sign} {part}" for sign, part in zip(signs, parts[1:], strict=True))])
                + ")"
            )
    first = draw(formulas(names, depth - 1))
    if kind in ("not", "old"):
        return f"(not {first})" if kind == "not" else f"old({first.replace('old(', '(')} or X_wins)"
    second = draw(formulas(names, depth - 1))
    return f"({first} {kind} {second})" if kind in ("and", "or") else f"{kind}({first}, {second})"


EXAMPLES = [
    "exactly_one(False for i in [])",
    "all(implies(X[i, 4], free[4, i]) for i in FIELDS if i != 4)",
    "exactly_one(active == f for f in FIELDS)",
    "sum(X[f, s] for f in FIELDS for s in SPOTS) - sum(O[f, s] for f in FIELDS for s in SPOTS) <= 1",
    "ply - 3 >= sum(free[4, s] for s in SPOTS)",
    "iff(full[4], active == ANY) or any(won_by_X[f] or won_by_O[f] for f in FIELDS)",
    "free[active, 4] and not full[active]",
]


@settings(CONFIGURATION, max_examples=300)
@given(st.sampled_from(EXAMPLES) | formulas(), st.sampled_from(POSITIONS))
def test_an_expression_means_what_python_means(text: str, position: Any) -> None:
    """This is about the kernel's value. Formulas about an unknown position are tested with obligations."""
    expected = python_value(text, PAPER.format_position(position))
    assert FormulaCompiler(PAPER).compile(ground(text), is_after_step=True)(position, position) == expected


@CONFIGURATION
@given(st.text(alphabet="XOfreactivpysum0189[](),.:=<>!+-*/% \n'\"\\andortifl", max_size=60))
def test_any_text_is_an_expression_or_one_clear_error(text: str) -> None:
    """Any text has a meaning, or gives an ``ExpressionError`` and nothing else."""
    with contextlib.suppress(ExpressionError):
        Grounder(PAPER).value(parse_expression(text), {"i": 3})


@CONFIGURATION
@given(st.sampled_from(["and", "+", "<", ",", "for f in", "if", "(", ")", "]"]), formulas(depth=2), formulas(depth=2))
def test_pieces_of_expressions_are_expressions_or_one_clear_error(joint: str, first: str, second: str) -> None:
    with contextlib.suppress(ExpressionError):
        ground(f"{first} {joint} {second}")


def test_expressions_that_python_warns_of_are_refused() -> None:
    """A number that runs into a word is a mistake. Nothing else is printed beside the error."""
    with pytest.raises(ExpressionError, match="invalid expression: invalid decimal literal"):
        parse_expression("1or 2 == 2")
