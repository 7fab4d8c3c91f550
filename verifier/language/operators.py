"""What the operators of an expression mean: and, or, not, arithmetic, comparisons, membership."""

from __future__ import annotations

import ast
from typing import Any

from verifier.kernel.games.nested import ANY
from verifier.language.code import (
    ARITHMETIC,
    COMPARISONS,
    MAX_EXPONENT,
    Code,
    Kind,
    Run,
    as_term,
    bounded,
    divisor,
    join,
    power,
    require_formula,
)
from verifier.language.connective import conjunction, disjunction
from verifier.language.names import Names
from verifier.language.syntax import error_at


def boolean(node: ast.BoolOp, codes: list[Code]) -> Code:
    """Return the code of ``and`` or ``or`` over formulas."""
    junction, runs = conjunction if isinstance(node.op, ast.And) else disjunction, [code.run for code in codes]
    return join(Kind.FORMULA, lambda env: junction([run(env) for run in runs]), codes)


def unary(node: ast.UnaryOp, code: Code, names: Names) -> Code:
    """Return the code of ``not``, or of a negative integer.

    Raises:
        ExpressionError: the operand has no opposite.
    """
    run, negation = code.run, names.negation
    if isinstance(node.op, ast.Not):
        require_formula(code, node.operand)
        return join(Kind.FORMULA, lambda env: negation(run(env)), [code])
    if code.kind == Kind.INTEGER:
        return join(Kind.INTEGER, lambda env: -run(env), [code])
    raise error_at(node, "only an integer has a negative")


def arithmetic(node: ast.BinOp, left: Code, right: Code) -> Code:
    """Return the code of a sum, product or power.

    Raises:
        ExpressionError: the operands are none of it.
    """
    codes, kinds, first, second = [left, right], {left.kind, right.kind}, left.run, right.run
    if isinstance(node.op, ast.Pow):
        if kinds != {Kind.INTEGER}:
            raise error_at(node, f"a power is one of integers, its exponent 0 to {MAX_EXPONENT}")
        return join(Kind.INTEGER, lambda env: power(first(env), second(env), node), codes)
    if kinds == {Kind.INTEGER}:
        compute = ARITHMETIC[type(node.op)]
        if isinstance(node.op, ast.FloorDiv | ast.Mod):
            return join(Kind.INTEGER, lambda env: bounded(compute(first(env), divisor(second(env), node)), node), codes)
        return join(Kind.INTEGER, lambda env: bounded(compute(first(env), second(env)), node), codes)
    if kinds <= {Kind.INTEGER, Kind.TERM} and isinstance(node.op, ast.Add | ast.Sub):
        head = "+" if isinstance(node.op, ast.Add) else "-"
        before, after = (as_term(code, part) for code, part in zip(codes, (node.left, node.right), strict=True))
        return join(Kind.TERM, lambda env: [head, before(env), after(env)], codes)
    text = "numbers that depend on the position, such as ply, can only be added, subtracted and compared"
    raise error_at(node, f"arithmetic is for integers; {text}")


def comparison(node: ast.Compare, codes: list[Code], names: Names) -> Code:
    """Return the code of a chain of comparisons.

    Raises:
        ExpressionError: two things in it cannot be compared.
    """
    pairs = zip(node.ops, codes, codes[1:], strict=False)
    runs = [_compare(node, op, left, right, names) for op, left, right in pairs]
    if len(runs) == 1:
        return join(Kind.FORMULA, runs[0], codes)
    return join(Kind.FORMULA, lambda env: conjunction([run(env) for run in runs]), codes)


def _compare(node: ast.expr, op: ast.cmpop, left: Code, right: Code, names: Names) -> Run:
    kinds = {left.kind, right.kind}
    if isinstance(op, ast.In | ast.NotIn):
        return _contain(node, left, right, names, is_in=isinstance(op, ast.In))
    if Kind.ACTIVE in kinds:
        return _compare_active(node, op, left, right, names)
    if not kinds <= {Kind.INTEGER, Kind.TERM}:
        raise error_at(node, "only numbers are compared; use iff for two properties")
    symbol, holds = COMPARISONS[type(op)]
    first, second = left.run, right.run
    if kinds == {Kind.INTEGER}:
        return lambda env: holds(first(env), second(env))
    before, after = as_term(left, node), as_term(right, node)
    return lambda env: [symbol, before(env), after(env)]


def _contain(node: ast.expr, left: Code, right: Code, names: Names, *, is_in: bool) -> Run:
    """Return what says whether an integer, or the active field, is in a list."""
    first, second, atom, negation = left.run, right.run, names.atom, names.negation
    if right.kind != Kind.LIST or left.kind not in (Kind.INTEGER, Kind.ACTIVE):
        raise error_at(node, "'in' asks whether an integer, or the active field, is in a list")
    if left.kind == Kind.INTEGER:
        return lambda env: (first(env) in second(env)) == is_in

    def is_active_in(env: dict[str, int]) -> Any:
        fields = second(env)
        if not all(0 <= k <= ANY for k in fields):
            raise error_at(node, "'active' is a field, 0 to 8, or ANY")
        return disjunction([atom("active", k) for k in fields])

    return is_active_in if is_in else lambda env: negation(is_active_in(env))


def _compare_active(node: ast.expr, op: ast.cmpop, left: Code, right: Code, names: Names) -> Run:
    """Return what says whether the active field is one, or is not."""
    refused = "'active' is compared by == or != with a field, 0 to 8, or ANY"
    if {left.kind, right.kind} != {Kind.ACTIVE, Kind.INTEGER} or not isinstance(op, ast.Eq | ast.NotEq):
        raise error_at(node, refused)
    field, atom, negation = (right if left.kind == Kind.ACTIVE else left).run, names.atom, names.negation

    def is_active(env: dict[str, int]) -> Any:
        value = field(env)
        if not 0 <= value <= ANY:
            raise error_at(node, refused)
        return atom("active", value)

    return is_active if isinstance(op, ast.Eq) else lambda env: negation(is_active(env))
