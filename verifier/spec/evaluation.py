"""The value of an expression: a walk over its syntax, with loops and definitions expanded."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from verifier.kernel.formula import MAX_INTEGER as KERNEL_MAX_INTEGER
from verifier.kernel.games.nested import ANY
from verifier.spec.connective import conjunction, disjunction, equivalence, implication, negation
from verifier.spec.names import ACTIVE, WORDS, Active, Formula, Given, Names, Term, Value
from verifier.spec.syntax import ExpressionError, error_at

MAX_STEPS = 400_000
MAX_NESTING = 120
MAX_EXPONENT = 32
MAX_INTEGER = 2**32


def evaluate(tree: ast.expr, env: Mapping[str, int], names: Names, *, is_after_step: bool) -> Value:
    """Return the value of an expression.

    Args:
        tree: the expression.
        env: values of its variables.
        names: what its names mean.
        is_after_step: whether there is a position before this one, which ``old`` speaks of.

    Raises:
        ExpressionError: it means nothing.
    """
    for name in env:
        if names.is_reserved(name):
            raise error_at(tree, f"the variable {name!r} has a meaning already")
    return _Evaluation(names, is_after_step).value(tree, dict(env))


class _Evaluation:
    """The evaluation of one expression.

    ``horizon`` is how many definitions may be used: inside one, those before it. ``steps`` counts the parts that were
    expanded so far, and ``nesting`` how deep the walk is.
    """

    def __init__(self, names: Names, is_after_step: bool) -> None:
        self.names = names
        self.is_after_step = is_after_step
        self.horizon = len(names.definitions)
        self.steps = self.nesting = 0

    def count(self, steps: int, node: ast.expr) -> None:
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise error_at(node, f"an expression that expands to more than {MAX_STEPS} parts")

    def value(self, node: ast.expr, env: dict[str, int]) -> Value:
        self.steps += 1
        self.nesting += 1
        if self.steps > MAX_STEPS or self.nesting > MAX_NESTING:
            self.count(0, node)
            raise error_at(node, f"an expression that is nested deeper than {MAX_NESTING}, definitions included")
        method = _METHODS.get(type(node))
        if method is None:
            raise error_at(node, f"{type(node).__name__} means nothing here")
        result = method(self, node, env)
        self.nesting -= 1
        return result

    def on_constant(self, node: ast.Constant, env: dict[str, int]) -> Value:
        if isinstance(node.value, bool):
            return Formula(node.value)
        if isinstance(node.value, int) and abs(node.value) <= MAX_INTEGER:
            return node.value
        raise error_at(node, f"{str(node.value)[:30]!r} is no integer up to 2**32")

    def on_name(self, node: ast.Name, env: dict[str, int]) -> Value:
        name = node.id
        if name in env:
            return env[name]
        if name in self.names.constants:
            return self.names.constants[name]
        vocabulary = self.names.vocabulary
        if name == "active" and "active" in vocabulary:
            return ACTIVE
        if name == "ply":
            return Term(["ply"])
        if vocabulary.get(name) == ():
            return Formula([name])
        if name in self.names.definitions:
            return self.defined(node, name, [])
        if name in vocabulary:
            raise error_at(
                node, f"{name} needs its indices, such as {name}[{', '.join('0' for _ in vocabulary[name])}]"
            )
        raise error_at(node, f"{name!r} is not defined")

    def defined(self, node: ast.expr, name: str, args: list[int]) -> Value:
        rank, definition = self.names.definitions[name]
        if rank >= self.horizon:
            raise error_at(node, f"{name!r} is defined only later: a definition sees those before it")
        if isinstance(definition, Given):
            if args:
                raise error_at(node, f"{name} takes 0 arguments, not {len(args)}")
            return definition.formula
        if len(args) != len(definition.parameters):
            raise error_at(node, f"{name} takes {len(definition.parameters)} arguments, not {len(args)}")
        key = (self.is_after_step, tuple(args))
        known = definition.meanings.get(key)
        if known is not None:
            self.count(known[1], node)
            return known[0]
        before, horizon = self.steps, self.horizon
        self.horizon = rank
        try:
            value = self.value(definition.body, dict(zip(definition.parameters, args, strict=True)))
        except ExpressionError as error:
            if "in the definition of" in str(error):
                raise
            raise error_at(node, f"{error} (in the definition of {name})") from None
        finally:
            self.horizon = horizon
        definition.meanings[key] = (value, self.steps - before)
        return value

    def on_subscript(self, node: ast.Subscript, env: dict[str, int]) -> Value:
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        sizes = self.names.vocabulary.get(name)
        if not sizes or name == "active":
            raise error_at(node, "only the words of the game take indices")
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(parts) != len(sizes):
            raise error_at(node, f"{name} takes {len(sizes)} indices, not {len(parts)}")
        values = [self.value(part, env) for part in parts]
        integers = [value for value in values if isinstance(value, int)]
        known = self.names.atoms.get((name, *integers)) if len(integers) == len(values) else None
        if known is not None:
            return known
        if values and isinstance(values[0], Active):
            rest = [
                self.index(value, size, part)
                for value, size, part in zip(values, sizes, parts, strict=True)
                if value is not ACTIVE
            ]
            if len(rest) != len(values) - 1:
                raise error_at(node, "only a field may be 'active'")
            return Formula(["or", *(["and", ["active", k], [name, k, *rest]] for k in range(9))])
        indices = [self.index(v, n, p) for v, n, p in zip(values, sizes, parts, strict=True)]
        return self.names.atoms.setdefault((name, *indices), Formula([name, *indices]))

    def index(self, value: Value, size: int, node: ast.expr) -> int:
        if not isinstance(value, int) or not 0 <= value < size:
            shown = value if isinstance(value, int) else "this"
            raise error_at(node, f"{shown} is no index from 0 to {size - 1}")
        return value

    def on_boolop(self, node: ast.BoolOp, env: dict[str, int]) -> Value:
        parts = [formula_of(self.value(part, env), part) for part in node.values]
        return Formula(conjunction(parts) if isinstance(node.op, ast.And) else disjunction(parts))

    def on_unaryop(self, node: ast.UnaryOp, env: dict[str, int]) -> Value:
        value = self.value(node.operand, env)
        if isinstance(node.op, ast.Not):
            return Formula(negation(formula_of(value, node.operand)))
        if isinstance(value, int):
            return -value
        raise error_at(node, "only an integer has a negative")

    def on_binop(self, node: ast.BinOp, env: dict[str, int]) -> Value:
        left, right = self.value(node.left, env), self.value(node.right, env)
        if isinstance(node.op, ast.Pow):
            if not isinstance(left, int) or not isinstance(right, int) or not 0 <= right <= MAX_EXPONENT:
                raise error_at(node, f"a power is one of integers, its exponent 0 to {MAX_EXPONENT}")
            return self.bounded(int(left**right), node)
        if isinstance(left, int) and isinstance(right, int):
            return (
                self.bounded(_ARITHMETIC[type(node.op)](left, right), node)
                if right or not isinstance(node.op, ast.FloorDiv | ast.Mod)
                else self.fail(node, "a division by zero")
            )
        if isinstance(left, int | Term) and isinstance(right, int | Term) and isinstance(node.op, ast.Add | ast.Sub):
            head = "+" if isinstance(node.op, ast.Add) else "-"
            return Term([head, _term(left, node.left), _term(right, node.right)])
        raise error_at(
            node, "arithmetic is for integers; numbers that depend on the position can be added and subtracted"
        )

    def fail(self, node: ast.expr, message: str) -> int:
        raise error_at(node, message)

    def bounded(self, value: int, node: ast.expr) -> int:
        return value if abs(value) <= MAX_INTEGER else self.fail(node, "an integer above 2**32")

    def on_compare(self, node: ast.Compare, env: dict[str, int]) -> Value:
        parts = []
        left = self.value(node.left, env)
        for op, operand in zip(node.ops, node.comparators, strict=True):
            right = self.value(operand, env)
            parts.append(self.compare(node, op, left, right))
            left = right
        return Formula(conjunction(parts))

    def compare(self, node: ast.expr, op: ast.cmpop, left: Value, right: Value) -> Any:
        if isinstance(op, ast.In | ast.NotIn):
            if not isinstance(right, list) or not isinstance(left, int | Active):
                raise error_at(node, "'in' asks whether an integer, or the active field, is in a list")
            if isinstance(left, Active) and not all(0 <= k <= ANY for k in right):
                raise error_at(node, "'active' is a field, 0 to 8, or ANY")
            found = left in right if isinstance(left, int) else disjunction([["active", k] for k in right])
            return found if isinstance(op, ast.In) else negation(found)
        if isinstance(left, Active) or isinstance(right, Active):
            field = right if isinstance(left, Active) else left
            if not isinstance(field, int) or not isinstance(op, ast.Eq | ast.NotEq) or not 0 <= field <= ANY:
                raise error_at(node, "'active' is compared by == or != with a field, 0 to 8, or ANY")
            return ["active", field] if isinstance(op, ast.Eq) else ["not", ["active", field]]
        if not isinstance(left, int | Term) or not isinstance(right, int | Term):
            raise error_at(node, "only numbers are compared; use iff for two properties")
        symbol = _SYMBOLS[type(op)]
        if isinstance(left, int) and isinstance(right, int):
            return bool(_COMPARE[symbol](left, right))
        return [symbol, _term(left, node), _term(right, node)]

    def on_list(self, node: ast.List, env: dict[str, int]) -> Value:
        return [self.plain(part, env) for part in node.elts]

    def on_listcomp(self, node: ast.ListComp, env: dict[str, int]) -> Value:
        return [
            self.plain(node.elt, inner)
            for inner, guard in self.loops(node.generators, env)
            if self.constant(guard, node)
        ]

    def plain(self, node: ast.expr, env: dict[str, int]) -> int:
        value = self.value(node, env)
        if isinstance(value, int):
            return value
        raise error_at(node, "a list holds integers")

    def constant(self, guard: Any, node: ast.expr) -> bool:
        if isinstance(guard, bool):
            return guard
        raise error_at(node, "the condition of a list may not depend on the position")

    def loops(self, generators: list[ast.comprehension], env: dict[str, int]) -> Iterator[tuple[dict[str, int], Any]]:
        first, rest = generators[0], generators[1:]
        if not isinstance(first.target, ast.Name) or first.is_async:
            raise error_at(first.target, "a loop has one variable")
        name = first.target.id
        if name in env or self.names.is_reserved(name, self.horizon):
            raise error_at(first.target, f"the variable {name!r} has a meaning already")
        values = self.value(first.iter, env)
        if not isinstance(values, list):
            raise error_at(first.iter, "a loop runs over a list of integers")
        for value in values:
            inner = {**env, name: value}
            guard = conjunction([formula_of(self.value(part, inner), part) for part in first.ifs])
            if guard is False:
                continue
            if not rest:
                yield inner, guard
            else:
                for innermost, more in self.loops(rest, inner):
                    yield innermost, conjunction([guard, more])

    def on_call(self, node: ast.Call, env: dict[str, int]) -> Value:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if node.keywords:
            raise error_at(node, "arguments have no names")
        if name in ("all", "any", "sum", "exactly_one"):
            return self.quantifier(name, node, env)
        if name in ("implies", "iff"):
            first, second = (formula_of(self.value(arg, env), arg) for arg in self.arguments(node, name, 2))
            return Formula(implication(first, second) if name == "implies" else equivalence(first, second))
        if name == "old":
            (arg,) = self.arguments(node, name, 1)
            value = self.value(arg, env)
            if not self.is_after_step:
                raise error_at(node, "'old' speaks of the position before a step: there is none here")
            if isinstance(value, Formula | Term):
                return type(value)(["old", value.node])
            raise error_at(node, "only what depends on the position has an old value")
        if name == "len":
            (arg,) = self.arguments(node, name, 1)
            value = self.value(arg, env)
            return len(value) if isinstance(value, list) else self.fail(node, "len counts a list of integers")
        if name in self.names.definitions:
            return self.defined(node, name, [self.plain(arg, env) for arg in node.args])
        raise error_at(
            node, f"{name or 'this'!r} is no function of the language: {', '.join(WORDS)}, or one you defined"
        )

    def arguments(self, node: ast.Call, name: str, count: int) -> list[ast.expr]:
        if len(node.args) != count or any(isinstance(arg, ast.GeneratorExp) for arg in node.args):
            raise error_at(node, f"{name} takes {count} argument{'s' if count > 1 else ''}")
        return node.args

    def quantifier(self, name: str, node: ast.Call, env: dict[str, int]) -> Value:
        if len(node.args) != 1 or not isinstance(node.args[0], ast.GeneratorExp):
            raise error_at(node, f"{name} takes a loop: {name}(… for i in …)")
        loop = node.args[0]
        found: list[Any] = []
        for inner, guard in self.loops(loop.generators, env):
            body = formula_of(self.value(loop.elt, inner), loop.elt)
            found.append(implication(guard, body) if name == "all" else conjunction([guard, body]))
        if name == "all":
            return Formula(conjunction(found))
        if name == "any":
            return Formula(disjunction(found))
        found = [part for part in found if part is not False]
        return Term(["sum", *found]) if name == "sum" else Formula(["exactly-one", *found])


_METHODS: dict[type[ast.expr], Callable[[_Evaluation, Any, dict[str, int]], Value]] = {
    ast.Constant: _Evaluation.on_constant,
    ast.Name: _Evaluation.on_name,
    ast.Subscript: _Evaluation.on_subscript,
    ast.BoolOp: _Evaluation.on_boolop,
    ast.UnaryOp: _Evaluation.on_unaryop,
    ast.BinOp: _Evaluation.on_binop,
    ast.Compare: _Evaluation.on_compare,
    ast.List: _Evaluation.on_list,
    ast.ListComp: _Evaluation.on_listcomp,
    ast.Call: _Evaluation.on_call,
}

_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
}
_SYMBOLS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def formula_of(value: Value, node: ast.expr) -> Any:
    """Return the kernel's formula of a value that is true or false.

    Raises:
        ExpressionError: it is a number or a list.
    """
    if isinstance(value, Formula):
        return value.node
    raise error_at(node, "something that is true or false is wanted here")


def _term(value: int | Term, node: ast.expr) -> Any:
    """Return the kernel's term of a number; the kernel reads smaller integers than lists and codes may have."""
    if isinstance(value, int) and abs(value) > KERNEL_MAX_INTEGER:
        raise error_at(node, f"beside what depends on the position, an integer is at most {KERNEL_MAX_INTEGER}")
    return value if isinstance(value, int) else value.node
