"""The operators of expressions: arithmetic, comparisons, ``in``, and logical ones such as ``and``.

Operations on constants are computed at once. An operator raises ``ExpressionError`` for values that it does not accept.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from verifier.kernel.formula import MAX_INTEGER
from verifier.language.names import ACTIVE, Meaning, Names, Term, is_list
from verifier.language.syntax import error_at

MAX_EXPONENT = 32
MAX_VALUE = 2**32
MAX_EXAMPLE = 80
"""Maximum length of an expression that a message gives as an example."""

_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[int, int], bool]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}


def arithmetic(node: ast.BinOp, left: Meaning, right: Meaning) -> Meaning:
    """Return the value of an arithmetic operation."""
    op = node.op
    if isinstance(op, ast.Pow) and not (
        isinstance(left, int) and isinstance(right, int) and 0 <= right <= MAX_EXPONENT
    ):
        raise error_at(node, f"a power takes integers, with an exponent between 0 and {MAX_EXPONENT}")
    if isinstance(left, int) and isinstance(right, int):
        if isinstance(op, ast.FloorDiv | ast.Mod) and not right:
            raise error_at(node, "division by zero")
        value = _ARITHMETIC[type(op)](left, right)
        if abs(value) > MAX_VALUE:
            raise error_at(node, "the result is larger than 2**32")
        return value
    if isinstance(left, int | Term) and isinstance(right, int | Term) and isinstance(op, ast.Add | ast.Sub):
        return Term(
            ["+" if isinstance(op, ast.Add) else "-", write_term(left, node.left), write_term(right, node.right)]
        )
    text = "numbers that depend on the position, such as ply, can only be added, subtracted and compared"
    hint = _say_list(node, isinstance(left, Term)) if isinstance(left, Term) != isinstance(right, Term) else ""
    raise error_at(node, f"arithmetic takes integers; {text}{hint}")


def _say_list(node: ast.BinOp, is_left: bool) -> str:
    """Return a hint that the result of an operation can be looked up in a list.

    One side of the operation depends on the position: the left side if ``is_left``, otherwise the right side.
    """
    k: ast.expr = ast.Name("k")
    operation = ast.BinOp(k, node.op, node.right) if is_left else ast.BinOp(node.left, node.op, k)
    number = ast.unparse(node.left if is_left else node.right)
    shown = f"[{ast.unparse(operation)} for k in range(0, 10)][{number}]"
    # If the number is not an index of the list, the result is 0. So the list has to be long enough.
    example = f", such as {shown} for {number} up to 9" if len(shown) <= MAX_EXAMPLE else ""
    return f". Look the result up in a list that has an item for each value{example}"


def compare(node: ast.Compare, op: ast.cmpop, left: Meaning, right: Meaning, names: Names) -> Any:
    """Return the formula of a comparison; True or False if the result does not depend on the position."""
    if isinstance(op, ast.In | ast.NotIn):
        found = _contain(node, left, right, names)
        return found if isinstance(op, ast.In) else negation(found)
    if left is ACTIVE or right is ACTIVE:
        value = right if left is ACTIVE else left
        if not isinstance(value, int) or not isinstance(op, ast.Eq | ast.NotEq) or not is_pointed(value, names):
            raise error_at(node, f"{names.pointer!r} can be compared only by == or !=, with {_say_pointed(names)}")
        atom = names.atom(names.pointer, value)
        return atom if isinstance(op, ast.Eq) else negation(atom)
    if not isinstance(left, int | Term) or not isinstance(right, int | Term):
        raise error_at(node, "only numbers can be compared; for two conditions, use iff")
    symbol, holds = _COMPARISONS[type(op)]
    if isinstance(left, int) and isinstance(right, int):
        return holds(left, right)
    return [symbol, write_term(left, node), write_term(right, node)]


def _contain(node: ast.expr, left: Meaning, right: Meaning, names: Names) -> Any:
    """Return the formula which says that a list contains an integer, or the index of the pointer (``PointerValue``)."""
    if not is_list(right) or not (isinstance(left, int | Term) or left is ACTIVE):
        what = f"a number or {names.pointer!r}" if names.pointer else "a number"
        raise error_at(node, f"'in' takes {what} on the left, and a list of integers on the right")
    if isinstance(left, int):
        return left in right
    if isinstance(left, Term):
        return disjunction([["==", left.node, write_term(k, node)] for k in right])
    if not all(is_pointed(k, names) for k in right):
        raise error_at(node, f"{names.pointer!r} is {_say_pointed(names)}, so the list can hold only such integers")
    return disjunction([names.atom(names.pointer, k) for k in right])


def is_pointed(value: int, names: Names) -> bool:
    """True if ``value`` is an index at which the game's pointer can be true."""
    return 0 <= value < names.vocabulary[names.pointer][0]


def _say_pointed(names: Names) -> str:
    return f"an integer between 0 and {names.vocabulary[names.pointer][0] - 1}"


def write_term(value: int | Term, node: ast.expr) -> Any:
    """Return the kernel's term of a number. Raise an error for an integer that is too large for the kernel."""
    if isinstance(value, Term):
        return value.node
    if abs(value) > MAX_INTEGER:
        limit = f"an integer can be at most {MAX_INTEGER:,}"
        raise error_at(node, f"in an expression whose value depends on the position, {limit}")
    return value


def conjunction(parts: list[Any]) -> Any:
    """Return the kernel's formula for the conjunction of the parts, simplified if a part is constant."""
    return _junction("and", parts, neutral=True)


def disjunction(parts: list[Any]) -> Any:
    """Return the kernel's formula for the disjunction of the parts, simplified if a part is constant."""
    return _junction("or", parts, neutral=False)


def _junction(head: str, parts: list[Any], *, neutral: bool) -> Any:
    # A conjunction inside a conjunction stays one part. It may be the value of a definition that many formulas share.
    kept = []
    for part in parts:
        if part is (not neutral):
            return not neutral
        if part is not neutral:
            kept.append(part)
    if not kept:
        return neutral
    return kept[0] if len(kept) == 1 else [head, *kept]


def negation(part: Any) -> Any:
    """Return the kernel's formula for the negation of ``part``, simplified if ``part`` is constant or a negation."""
    if isinstance(part, bool):
        return not part
    return part[1] if part[0] == "not" else ["not", part]


def implication(first: Any, second: Any) -> Any:
    """Return the kernel's formula for *if ``first``, then ``second``*.

    The formula is simplified if a part is constant, or if both parts are equal.
    """
    if isinstance(first, bool):
        return second if first else True
    if isinstance(second, bool):
        return True if second else negation(first)
    return True if first == second else ["implies", first, second]


def equivalence(first: Any, second: Any) -> Any:
    """Return the kernel's formula for *``first`` if and only if ``second``*.

    The formula is simplified if a part is constant, or if both parts are equal.
    """
    if isinstance(first, bool):
        return second if first else negation(second)
    if isinstance(second, bool):
        return first if second else negation(first)
    return True if first == second else ["iff", first, second]
