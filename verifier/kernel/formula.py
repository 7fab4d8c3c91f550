"""Ground formulas: what a property says about one position, in the kernel's own terms.

Trusted for: the truth of a formula in a position. A formula is JSON: ``true``, ``false`` or a list whose head is an
operator (``not and or implies iff exactly-one old``), a comparison (``== != < <= > >=`` of two integer terms) or a
word of the game's vocabulary followed by its indices. A term is an integer or a list headed by ``ply``, ``sum`` (the
number of formulas that hold), ``+``, ``-`` or ``old``. ``old`` takes the value before the step that a claim is about.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable
from typing import Any, TypeAlias

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game

Formula: TypeAlias = Any
"""A JSON value as described above; ``compile_formula`` refuses anything else."""

Test: TypeAlias = Callable[[Any, Any], bool]
"""Takes the position and the position before the step (the same one where there is no step)."""

MAX_DEPTH = 60
MAX_NODES = 200_000
MAX_INTEGER = 10**6

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Formulas:
    """Compiles the formulas of one statement; ``nodes`` counts what they cost, one that comes again each time."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.nodes = 0
        self._tests: dict[str, tuple[Test, int]] = {}

    def compile(self, formula: Formula) -> Test:
        """Turn a formula into a test of positions, as ``compile_formula`` does.

        Raises:
            SpecError: the formula is not well formed, too deep or too large.
        """
        try:
            text = json.dumps(formula)
        except (RecursionError, TypeError, ValueError):
            return compile_formula(self.game, formula)
        if text not in self._tests:
            compiler = _Compiler(self.game)
            self._tests[text] = compiler.formula(formula, 0), compiler.nodes
        self.nodes += self._tests[text][1]
        return self._tests[text][0]


def compile_formula(game: Game, formula: Formula) -> Test:
    """Turn a formula into a test of positions.

    Args:
        game: gives the vocabulary.
        formula: JSON as the module describes it.

    Raises:
        SpecError: the formula is not well formed, too deep or too large.
    """
    return _Compiler(game).formula(formula, 0)


class _Compiler:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.nodes = 0

    def formula(self, node: Formula, depth: int) -> Test:
        if isinstance(node, bool):
            self.nodes += 1
            return (lambda p, q: True) if node else (lambda p, q: False)
        head, args = self.split(node, depth)
        if head == "not":
            inner = self.formula(self.single(args, head), depth + 1)
            return lambda p, q: not inner(p, q)
        if head in ("and", "or", "exactly-one"):
            return _connective(head, [self.formula(arg, depth + 1) for arg in args])
        if head in ("implies", "iff"):
            first, second = (self.formula(arg, depth + 1) for arg in self.pair(args, head))
            if head == "implies":
                return lambda p, q: not first(p, q) or second(p, q)
            return lambda p, q: first(p, q) == second(p, q)
        if head == "old":
            before = self.formula(self.single(args, head), depth + 1)
            return lambda p, q: before(q, q)
        if head in COMPARISONS:
            compare = COMPARISONS[head]
            left, right = (self.term(arg, depth + 1) for arg in self.pair(args, head))
            return lambda p, q: compare(left(p, q), right(p, q))
        return self.atom(head, args)

    def atom(self, name: str, args: list[Any]) -> Test:
        sizes = self.game.vocabulary.get(name)
        if sizes is None:
            raise SpecError(f"{name[:40]!r} is no word of the game {self.game.name!r}")
        if len(args) != len(sizes) or any(
            type(a) is not int or not 0 <= a < n for a, n in zip(args, sizes, strict=True)
        ):
            raise SpecError(f"{name} takes {len(sizes)} indices below {sizes}, not {str(args)[:60]}")
        return self.game.compile_atom(name, tuple(args))

    def term(self, node: Any, depth: int) -> Callable[[Any, Any], int]:
        if type(node) is int:
            if abs(node) > MAX_INTEGER:
                raise SpecError(f"the integer {str(node)[:20]} is out of range")
            self.nodes += 1
            return lambda p, q: node
        head, args = self.split(node, depth)
        if head == "ply" and not args:
            ply = self.game.ply
            return lambda p, q: ply(p)
        if head == "sum":
            tests = [self.formula(arg, depth + 1) for arg in args]
            return lambda p, q: sum(1 for test in tests if test(p, q))
        if head == "+":
            terms = [self.term(arg, depth + 1) for arg in args]
            return lambda p, q: sum(term(p, q) for term in terms)
        if head == "-":
            left, right = (self.term(arg, depth + 1) for arg in self.pair(args, head))
            return lambda p, q: left(p, q) - right(p, q)
        if head == "old":
            before = self.term(self.single(args, head), depth + 1)
            return lambda p, q: before(q, q)
        raise SpecError(f"{head[:40]!r} heads no integer term")

    def split(self, node: Any, depth: int) -> tuple[str, list[Any]]:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise SpecError(f"a formula is deeper than {MAX_DEPTH} or larger than {MAX_NODES} nodes")
        if not isinstance(node, list) or not node or not isinstance(node[0], str):
            raise SpecError(f"{str(node)[:60]!r} is no formula: a list headed by a word, or true or false")
        return node[0], node[1:]

    def single(self, args: list[Any], head: str) -> Any:
        if len(args) != 1:
            raise SpecError(f"{head!r} takes one argument, not {len(args)}")
        return args[0]

    def pair(self, args: list[Any], head: str) -> list[Any]:
        if len(args) != 2:
            raise SpecError(f"{head!r} takes two arguments, not {len(args)}")
        return args


def _connective(head: str, tests: list[Test]) -> Test:
    if len(tests) == 2 and head != "exactly-one":
        first, second = tests
        if head == "and":
            return lambda p, q: first(p, q) and second(p, q)
        return lambda p, q: first(p, q) or second(p, q)
    if head == "and":

        def every(p: Any, q: Any) -> bool:
            for test in tests:
                if not test(p, q):
                    return False
            return True

        return every
    if head == "or":

        def some(p: Any, q: Any) -> bool:
            for test in tests:
                if test(p, q):
                    return True
            return False

        return some
    return lambda p, q: sum(1 for test in tests if test(p, q)) == 1
