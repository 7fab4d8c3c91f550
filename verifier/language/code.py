"""What an expression is read to: a function of the values of its variables, and what is known before it runs."""

from __future__ import annotations

import ast
import enum
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from verifier.kernel.formula import MAX_INTEGER as KERNEL_MAX_INTEGER
from verifier.language.syntax import error_at

MAX_STEPS = 400_000
MAX_EXPONENT = 32
MAX_RANGE = 1000
MAX_INTEGER = 2**32


class Kind(enum.Enum):
    """What kind of value an expression has."""

    INTEGER = enum.auto()
    LIST = enum.auto()
    """A list of integers."""
    TABLE = enum.auto()
    """A list of such lists."""
    FORMULA = enum.auto()
    """True or false, depending on the position: a ground formula, as the kernel takes it."""
    TERM = enum.auto()
    """An integer that depends on the position, as the kernel takes it."""
    ACTIVE = enum.auto()
    """``active``: the field that the player to move has to play in."""


Run: TypeAlias = Callable[[dict[str, int]], Any]
"""Takes the values of variables, and returns that of an expression. Loops set their variables in it as they go."""


@dataclass(frozen=True, slots=True)
class Code:
    """An expression that was read.

    Attributes:
        kind: of its value.
        run: finds the value.
        size: how many parts it has, but for those that stand inside loops and definitions: these are counted when they
            run.
        depth: how deep it is, the definitions that it uses included.
        has_old: it speaks of the position before a step.
        meanings: of a definition's body, by its arguments, and of a whole expression, by its variables: values that
            were found, and how many parts that took. Who uses a definition with the same values gets the same object.
    """

    kind: Kind
    run: Run
    size: int = 1
    depth: int = 0
    has_old: bool = False
    meanings: dict[tuple[int, ...], tuple[Any, int]] = field(default_factory=dict)


@dataclass(slots=True)
class Meter:
    """Counts the parts that one expression expands to."""

    steps: int = 0

    def spend(self, steps: int, node: ast.expr) -> None:
        """Count parts, and refuse to go on past the limit."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise error_at(node, f"an expression that expands to more than {MAX_STEPS} parts")


def constant(kind: Kind, value: Any) -> Code:
    """Return what always has one value."""
    return Code(kind, lambda env: value)


def join(kind: Kind, run: Run, parts: Iterable[Code], *, has_old: bool = False) -> Code:
    """Return the code of a whole with these parts."""
    parts = list(parts)
    return Code(
        kind,
        run,
        1 + sum(part.size for part in parts),
        1 + max((part.depth for part in parts), default=0),
        has_old or any(part.has_old for part in parts),
    )


def repeated(code: Code) -> Code:
    """Return a part as one whose parts are counted when they run."""
    return Code(code.kind, code.run, 0, code.depth, code.has_old)


# -- requirements ------------------------------------------------------------------------------------------------------


def require_formula(code: Code, node: ast.expr) -> Code:
    """Return the code of something that is true or false; refuse a number and a list."""
    if code.kind != Kind.FORMULA:
        raise error_at(node, "something that is true or false is wanted here")
    return code


def require_plain(code: Code, node: ast.expr, *, is_list: bool = False) -> Code:
    """Return the code of an integer that a list may hold, or of a list where it holds lists; refuse anything else."""
    if code.kind != (Kind.LIST if is_list else Kind.INTEGER):
        raise error_at(node, "a list of lists holds lists of integers alone" if is_list else "a list holds integers")
    return code


def require_index(code: Code, size: int, node: ast.expr) -> Run:
    """Return a function that finds an index, and refuses one that is out of range."""
    if code.kind != Kind.INTEGER:
        raise error_at(node, f"this is not an index from 0 to {size - 1}")
    run = code.run

    def index(env: dict[str, int]) -> int:
        value: int = run(env)
        if not 0 <= value < size:
            raise error_at(node, f"{value} is not an index from 0 to {size - 1}")
        return value

    return index


# -- arithmetic --------------------------------------------------------------------------------------------------------

ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[int, int], bool]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}


def count_up(start: int, end: int, node: ast.expr) -> list[int]:
    """Return the integers from one to the one before another.

    Raises:
        ExpressionError: they are too many.
    """
    if end - start > MAX_RANGE:
        raise error_at(node, f"a range of more than {MAX_RANGE} integers")
    return list(range(start, end))


def power(base: int, exponent: int, node: ast.expr) -> int:
    """Return a power of integers."""
    if not 0 <= exponent <= MAX_EXPONENT:
        raise error_at(node, f"a power is one of integers, its exponent 0 to {MAX_EXPONENT}")
    return bounded(int(base**exponent), node)


def divisor(value: int, node: ast.expr) -> int:
    """Return what something is divided by."""
    if not value:
        raise error_at(node, "a division by zero")
    return value


def bounded(value: int, node: ast.expr) -> int:
    """Return an integer that is not too large."""
    if abs(value) > MAX_INTEGER:
        raise error_at(node, "an integer above 2**32")
    return value


def as_term(code: Code, node: ast.expr) -> Run:
    """Return a function that finds the kernel's term of a number.

    The kernel reads smaller integers than lists and codes may have.
    """
    run = code.run
    if code.kind == Kind.TERM:
        return run

    def term(env: dict[str, int]) -> int:
        value: int = run(env)
        if abs(value) > KERNEL_MAX_INTEGER:
            raise error_at(node, f"beside what depends on the position, an integer is at most {KERNEL_MAX_INTEGER}")
        return value

    return term
