"""Expressions of the claim language: a whitelisted subset of Python's syntax, grounded to the kernel's formulas.

One parse, two meanings: the ground formula that comes out is evaluated on positions by ``kernel.formula`` and turned
into a solver's term by ``symbolic``. ``specs/README.md`` is the reference.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from verifier.kernel.formula import MAX_DEPTH
from verifier.kernel.games import Game
from verifier.kernel.games.ultimate import ANY
from verifier.spec.connective import conjunction, disjunction, equivalence, implication, negation
from verifier.spec.syntax import ExpressionError, error_at

MAX_STEPS = 400_000
MAX_NESTING = 120
MAX_EXPONENT = 32
MAX_INTEGER = 2**32


@dataclass(frozen=True, slots=True)
class Formula:
    """A ground formula, as the kernel takes it."""

    node: Any


@dataclass(frozen=True, slots=True)
class Term:
    """An integer that depends on the position, as the kernel takes it."""

    node: Any


class _Active:
    """The value of ``active``: the field that the player to move has to play in, or ``ANY``."""


ACTIVE = _Active()

T = TypeVar("T")

Value: TypeAlias = "int | list[int] | Formula | Term | _Active"

WORDS = ("all", "any", "sum", "exactly_one", "implies", "iff", "old", "len")
"""The functions of the language."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A named expression: a constant, a list, a property, or any of these with integer parameters."""

    name: str
    parameters: tuple[str, ...]
    body: ast.expr


@dataclass(frozen=True, slots=True)
class Given:
    """A named ground formula that no expression stands for: a diagram."""

    formula: Formula


class Grounder:
    """Grounds expressions over one game's vocabulary and a list of definitions.

    A definition sees only those before it, so none can refer to itself.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.constants: dict[str, Value] = {"SPOTS": list(range(game.vocabulary["free"][-1]))}
        if "active" in game.vocabulary:
            self.constants |= {"FIELDS": list(range(9)), "ANY": ANY}
        self.definitions: dict[str, tuple[int, Definition | Given]] = {}
        self.steps = 0
        self.nesting = 0
        self.is_after_step = False
        self.known: dict[tuple[Any, ...], tuple[Value, int]] = {}

    def count(self, steps: int, node: ast.expr) -> None:
        """Count the parts that an expression expands to.

        Raises:
            ExpressionError: there are more than ``MAX_STEPS``.
        """
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise error_at(node, f"an expression that expands to more than {MAX_STEPS} parts")

    def reserved(self, name: str) -> bool:
        """Say whether a name has a meaning already."""
        words = {*WORDS, *self.constants, *self.definitions, *self.game.vocabulary, "active", "ply"}
        return name in words

    def define(self, definition: Definition) -> None:
        """Add a definition.

        Raises:
            ExpressionError: its name or one of its parameters has a meaning already.
        """
        for name in (definition.name, *definition.parameters):
            if keyword.iskeyword(name):
                raise ExpressionError(f"{name!r} is a word of the syntax: no expression could name it")
            if self.reserved(name):
                raise ExpressionError(f"{name!r} has a meaning already: a definition may not shadow it")
        self.definitions[definition.name] = (len(self.definitions), definition)

    def define_formula(self, name: str, formula: Formula) -> None:
        """Add a named ground formula.

        Raises:
            ExpressionError: the name has a meaning already.
        """
        if not name.isidentifier() or keyword.iskeyword(name):
            raise ExpressionError(f"{name!r} is no name that an expression could use")
        if self.reserved(name):
            raise ExpressionError(f"{name!r} has a meaning already: a definition may not shadow it")
        self.definitions[name] = (len(self.definitions), Given(formula))

    def formula(self, tree: ast.expr, env: Mapping[str, int], *, is_after_step: bool = False) -> Any:
        """Ground an expression that is true or false; return the kernel's formula.

        Args:
            tree: the expression.
            env: values of its variables.
            is_after_step: whether there is a position before this one, which ``old`` speaks of.

        Raises:
            ExpressionError: it means nothing, or a number, or is nested deeper than the kernel reads.
        """
        self.is_after_step = is_after_step
        try:
            node = _formula(self.value(tree, env), tree)
        finally:
            self.is_after_step = False
        if _depth(node) > MAX_DEPTH:
            raise error_at(tree, f"an expression that is nested deeper than {MAX_DEPTH}")
        return node

    def integer(self, tree: ast.expr, env: Mapping[str, int]) -> int:
        """Ground an expression to an integer.

        Raises:
            ExpressionError: it is none.
        """
        return self._of_type(int, "an integer", tree, env)

    def integers(self, tree: ast.expr, env: Mapping[str, int]) -> list[int]:
        """Ground an expression to a list of integers.

        Raises:
            ExpressionError: it is none.
        """
        return self._of_type(list, "a list of integers", tree, env)

    def _of_type(self, wanted: type[T], name: str, tree: ast.expr, env: Mapping[str, int]) -> T:
        value = self.value(tree, env)
        if isinstance(value, wanted):
            return value
        raise error_at(tree, f"{name} is wanted here")

    def value(self, tree: ast.expr, env: Mapping[str, int]) -> Value:
        """Ground an expression to whatever it is.

        Raises:
            ExpressionError: it means nothing.
        """
        self.steps = self.nesting = 0
        for name in env:
            if self.reserved(name):
                raise error_at(tree, f"the variable {name!r} has a meaning already")
        return _Evaluation(self, len(self.definitions)).value(tree, dict(env))


class _Evaluation:
    """One grounding; ``horizon`` is how many definitions may be used."""

    def __init__(self, grounder: Grounder, horizon: int) -> None:
        self.grounder = grounder
        self.horizon = horizon

    def value(self, node: ast.expr, env: dict[str, int]) -> Value:
        self.grounder.count(1, node)
        method = getattr(self, f"on_{type(node).__name__.lower()}", None)
        if method is None:
            raise error_at(node, f"{type(node).__name__} means nothing here")
        self.grounder.nesting += 1
        if self.grounder.nesting > MAX_NESTING:
            raise error_at(node, f"an expression that is nested deeper than {MAX_NESTING}, definitions included")
        result: Value = method(node, env)
        self.grounder.nesting -= 1
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
        if name in self.grounder.constants:
            return self.grounder.constants[name]
        vocabulary = self.grounder.game.vocabulary
        if name == "active" and "active" in vocabulary:
            return ACTIVE
        if name == "ply":
            return Term(["ply"])
        if vocabulary.get(name) == ():
            return Formula([name])
        if name in self.grounder.definitions:
            return self.defined(node, name, [])
        if name in vocabulary:
            raise error_at(
                node, f"{name} needs its indices, such as {name}[{', '.join('0' for _ in vocabulary[name])}]"
            )
        raise error_at(node, f"{name!r} is not defined")

    def defined(self, node: ast.expr, name: str, args: list[int]) -> Value:
        rank, definition = self.grounder.definitions[name]
        if rank >= self.horizon:
            raise error_at(node, f"{name!r} is defined only later: a definition sees those before it")
        if isinstance(definition, Given):
            if args:
                raise error_at(node, f"{name} takes 0 arguments, not {len(args)}")
            return definition.formula
        if len(args) != len(definition.parameters):
            raise error_at(node, f"{name} takes {len(definition.parameters)} arguments, not {len(args)}")
        env = dict(zip(definition.parameters, args, strict=True))
        key = (self.grounder.is_after_step, name, *args)
        known = self.grounder.known.get(key)
        if known is not None:
            self.grounder.count(known[1], node)
            return known[0]
        before = self.grounder.steps
        try:
            value = _Evaluation(self.grounder, rank).value(definition.body, env)
            self.grounder.known[key] = (value, self.grounder.steps - before)
            return value
        except ExpressionError as error:
            if "in the definition of" in str(error):
                raise
            raise error_at(node, f"{error} (in the definition of {name})") from None

    def on_subscript(self, node: ast.Subscript, env: dict[str, int]) -> Value:
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        sizes = self.grounder.game.vocabulary.get(name)
        if not sizes or name == "active":
            raise error_at(node, "only the words of the game take indices")
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(parts) != len(sizes):
            raise error_at(node, f"{name} takes {len(sizes)} indices, not {len(parts)}")
        values = [self.value(part, env) for part in parts]
        if values and isinstance(values[0], _Active):
            rest = [
                self.index(value, size, part)
                for value, size, part in zip(values, sizes, parts, strict=True)
                if value is not ACTIVE
            ]
            if len(rest) != len(values) - 1:
                raise error_at(node, "only a field may be 'active'")
            return Formula(["or", *(["and", ["active", k], [name, k, *rest]] for k in range(9))])
        return Formula([name, *(self.index(v, n, p) for v, n, p in zip(values, sizes, parts, strict=True))])

    def index(self, value: Value, size: int, node: ast.expr) -> int:
        if not isinstance(value, int) or not 0 <= value < size:
            shown = value if isinstance(value, int) else "this"
            raise error_at(node, f"{shown} is no index from 0 to {size - 1}")
        return value

    def on_boolop(self, node: ast.BoolOp, env: dict[str, int]) -> Value:
        parts = [_formula(self.value(part, env), part) for part in node.values]
        return Formula(conjunction(parts) if isinstance(node.op, ast.And) else disjunction(parts))

    def on_unaryop(self, node: ast.UnaryOp, env: dict[str, int]) -> Value:
        value = self.value(node.operand, env)
        if isinstance(node.op, ast.Not):
            return Formula(negation(_formula(value, node.operand)))
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
            return Term([head, _term(left), _term(right)])
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
            if not isinstance(right, list) or not isinstance(left, int | _Active):
                raise error_at(node, "'in' asks whether an integer, or the active field, is in a list")
            if isinstance(left, _Active) and not all(0 <= k <= ANY for k in right):
                raise error_at(node, "'active' is a field, 0 to 8, or ANY")
            found = left in right if isinstance(left, int) else disjunction([["active", k] for k in right])
            return found if isinstance(op, ast.In) else negation(found)
        if isinstance(left, _Active) or isinstance(right, _Active):
            field = right if isinstance(left, _Active) else left
            if not isinstance(field, int) or not isinstance(op, ast.Eq | ast.NotEq) or not 0 <= field <= ANY:
                raise error_at(node, "'active' is compared by == or != with a field, 0 to 8, or ANY")
            return ["active", field] if isinstance(op, ast.Eq) else ["not", ["active", field]]
        if not isinstance(left, int | Term) or not isinstance(right, int | Term):
            raise error_at(node, "only numbers are compared; use iff for two properties")
        symbol = _SYMBOLS[type(op)]
        if isinstance(left, int) and isinstance(right, int):
            return bool(_COMPARE[symbol](left, right))
        return [symbol, _term(left), _term(right)]

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
        if name in env or self.grounder.reserved(name):
            raise error_at(first.target, f"the variable {name!r} has a meaning already")
        values = self.value(first.iter, env)
        if not isinstance(values, list):
            raise error_at(first.iter, "a loop runs over a list of integers")
        for value in values:
            inner = {**env, name: value}
            guard = conjunction([_formula(self.value(part, inner), part) for part in first.ifs])
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
            first, second = (_formula(self.value(arg, env), arg) for arg in self.arguments(node, name, 2))
            return Formula(implication(first, second) if name == "implies" else equivalence(first, second))
        if name == "old":
            (arg,) = self.arguments(node, name, 1)
            value = self.value(arg, env)
            if not self.grounder.is_after_step:
                raise error_at(node, "'old' speaks of the position before a step: there is none here")
            if isinstance(value, Formula | Term):
                return type(value)(["old", value.node])
            raise error_at(node, "only what depends on the position has an old value")
        if name == "len":
            (arg,) = self.arguments(node, name, 1)
            value = self.value(arg, env)
            return len(value) if isinstance(value, list) else self.fail(node, "len counts a list of integers")
        if name in self.grounder.definitions:
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
            body = _formula(self.value(loop.elt, inner), loop.elt)
            found.append(implication(guard, body) if name == "all" else conjunction([guard, body]))
        if name == "all":
            return Formula(conjunction(found))
        if name == "any":
            return Formula(disjunction(found))
        found = [part for part in found if part is not False]
        return Term(["sum", *found]) if name == "sum" else Formula(["exactly-one", *found])


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


def _formula(value: Value, node: ast.expr) -> Any:
    if isinstance(value, Formula):
        return value.node
    raise error_at(node, "something that is true or false is wanted here")


def _depth(node: Any) -> int:
    """Return how deeply a ground formula is nested, as the kernel counts; parts met before count once."""
    level, depth = [node], 0
    while level:
        inner = {id(part): part for part in level if isinstance(part, list)}
        level = [arg for part in inner.values() for arg in part[1:] if isinstance(arg, list)]
        if level:
            depth += 1
        if depth > MAX_DEPTH:
            break
    return depth


def _term(value: int | Term) -> Any:
    return value if isinstance(value, int) else value.node
