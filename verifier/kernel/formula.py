"""Ground formulas: what a property says about one position, in the kernel's own terms.

Trusted for: the truth of a formula in a position. A formula is JSON: ``true``, ``false`` or a list whose head is an
operator (``not and or implies iff exactly-one old``), a comparison (``== != < <= > >=`` of two integer terms) or a
word of the game's vocabulary followed by its indices. A term is an integer or a list headed by ``ply``, ``sum`` (the
number of formulas that hold), ``+``, ``-`` or ``old``. ``old`` takes the value before the step that a claim is about,
and is refused where there is none.

A statement may list formulas and terms under ``formulas``; then ``["use", n]`` stands for entry n, and an entry uses
those before it alone. Names change nothing but the length of the text: the limits are on what is written out, which is
what evaluating costs, and are counted without writing it out.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game

Formula: TypeAlias = Any
"""A JSON value as described above; ``compile_formula`` refuses anything else."""

Test: TypeAlias = Callable[[Any, Any], bool]
"""Takes the position and the position before the step (the same one where there is no step)."""

MAX_DEPTH = 60
MAX_NODES = 200_000
MAX_STATEMENT_NODES = 4_000_000
MAX_ENTRIES = 100_000
MAX_INTEGER = 10**6

_HEAVY = frozenset(
    {"over", "X_wins", "O_wins", "X_line", "O_line", "line", "X_makes", "O_makes", "makes", "X_keeps", "O_keeps"}
)
"""The words that ask for lines or for the end of the game, or for its solution, which is remembered and has a limit of
its own: a node of theirs counts as many (``Game.weight``)."""

_COUNTED = 2
"""What a term and ``exactly-one`` count beside themselves: to add up takes longer than to join."""

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _every(*tests: Test) -> Test:
    if len(tests) == 2:
        first, second = tests
        return lambda p, q: first(p, q) and second(p, q)

    def every(p: Any, q: Any) -> bool:
        for test in tests:
            if not test(p, q):
                return False
        return True

    return every


def _some(*tests: Test) -> Test:
    if len(tests) == 2:
        first, second = tests
        return lambda p, q: first(p, q) or second(p, q)

    def some(p: Any, q: Any) -> bool:
        for test in tests:
            if test(p, q):
                return True
        return False

    return some


def _comparison(compare: Callable[[int, int], bool]) -> Callable[..., Test]:
    return lambda left, right: lambda p, q: compare(left(p, q), right(p, q))


class _Operator(NamedTuple):
    """What joins parts: whether it makes a term, and of terms; of how many (None: of any number); and what it says."""

    is_term: bool
    takes_terms: bool
    parts: int | None
    make: Callable[..., Callable[[Any, Any], Any]]


OPERATORS = {
    "not": _Operator(False, False, 1, lambda inner: lambda p, q: not inner(p, q)),
    "and": _Operator(False, False, None, _every),
    "or": _Operator(False, False, None, _some),
    "implies": _Operator(False, False, 2, lambda one, other: lambda p, q: not one(p, q) or other(p, q)),
    "iff": _Operator(False, False, 2, lambda one, other: lambda p, q: one(p, q) == other(p, q)),
    "exactly-one": _Operator(False, False, None, lambda *tests: lambda p, q: sum(1 for t in tests if t(p, q)) == 1),
    "sum": _Operator(True, False, None, lambda *tests: lambda p, q: sum(1 for test in tests if test(p, q))),
    "+": _Operator(True, True, None, lambda *terms: lambda p, q: sum(term(p, q) for term in terms)),
    "-": _Operator(True, True, 2, lambda left, right: lambda p, q: left(p, q) - right(p, q)),
    **{name: _Operator(False, True, 2, _comparison(compare)) for name, compare in COMPARISONS.items()},
}
"""What joins formulas and terms; other words are the game's."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A formula or a term that has a name; how large and how deep it is, written out, and whether it uses ``old``."""

    is_term: bool
    value: Callable[[Any, Any], Any]
    nodes: int
    depth: int
    has_old: bool


class Formulas:
    """Compiles the formulas of one statement.

    Attributes:
        has_start: whether ``old`` speaks of where a play started, also where there is no step: once that is known.
        work: how many nodes of formulas were evaluated, of those that count: what there is a limit for (``plays``).
    """

    def __init__(self, game: Game, entries: object = ()) -> None:
        if not isinstance(entries, list | tuple) or len(entries) > MAX_ENTRIES:
            raise SpecError(f"'formulas' is a list of at most {MAX_ENTRIES} formulas and terms")
        self.game = game
        self.nodes = self.work = 0
        self.has_start = False
        self.entries: list[_Entry] = []
        self.used: set[int] = set()
        for entry in entries:
            if not isinstance(entry, list):
                raise SpecError(f"{str(entry)[:40]!r} needs no name: 'formulas' holds lists")
            self.entries.append(_Compiler(self).entry(entry))

    def compile(self, formula: Formula, *, is_after_step: bool = False) -> Test:
        """Turn a formula into a test of positions; after a step there is one before it, which ``old`` speaks of.

        Without one ``old`` would say what stands there now, and that nothing changes would always be true.
        """
        compiler = _Compiler(self)
        test = compiler.read(formula, 0)
        if compiler.has_old and not (is_after_step or self.has_start):
            raise SpecError("'old' speaks of the position before a step: there is none here")
        self.nodes += compiler.nodes
        if self.nodes > MAX_STATEMENT_NODES:
            raise SpecError(f"the formulas of a statement, written out, have more than {MAX_STATEMENT_NODES} nodes")
        return test

    def compile_counted(self, formula: Formula) -> Callable[[Any], bool]:
        """Turn a formula into a test of positions, each its own start, that counts as work whenever it is made."""
        before = self.nodes
        test = self.compile(formula)
        size = self.nodes - before

        def counted(position: Any) -> bool:
            self.work += size
            return test(position, position)

        return counted

    def close(self) -> None:
        """Require that every entry was used; called when all formulas are compiled."""
        for number in range(len(self.entries)):
            if number not in self.used:
                raise SpecError(f"entry {number} of 'formulas' is used nowhere")


def compile_formula(game: Game, formula: Formula, *, is_after_step: bool = False) -> Test:
    """Turn a single formula, which uses no names, into a test of positions; ``Formulas.compile`` says how."""
    return Formulas(game).compile(formula, is_after_step=is_after_step)


class _Compiler:
    """Compiles one formula or entry, and counts its nodes and its depth as if no part had a name."""

    def __init__(self, formulas: Formulas) -> None:
        self.game = formulas.game
        self.entries = formulas.entries
        self.used = formulas.used
        self.nodes = self.deepest = 0
        self.has_old = False

    def entry(self, node: list[Any]) -> _Entry:
        is_term = self.is_term(node)
        value = self.read(node, 0, is_term=is_term)
        return _Entry(is_term, value, self.nodes, self.deepest, self.has_old)

    def is_term(self, node: Any) -> bool:
        while isinstance(node, list) and len(node) == 2 and node[0] == "old":
            node = node[1]
        if not isinstance(node, list) or not node or not isinstance(node[0], str):
            return type(node) is int
        if node[0] == "use":
            return self.use(node, 0).is_term
        return node[0] == "ply" or (node[0] in OPERATORS and OPERATORS[node[0]].is_term)

    def use(self, node: list[Any], depth: int, *, is_term: bool | None = None) -> _Entry:
        """Return the entry that a node names, which has to be a term, a formula, or either; it counts as all of it."""
        number = node[1] if len(node) == 2 else None
        if type(number) is not int or not 0 <= number < len(self.entries):
            raise SpecError(f"{str(node)[:40]} names no entry of 'formulas' before it")
        entry = self.entries[number]
        if is_term is not None and is_term != entry.is_term:
            raise SpecError(f"{node} is {'an integer term' if entry.is_term else 'a formula'}, and cannot stand there")
        self.used.add(number)
        self.count(entry.nodes, depth + entry.depth)
        self.has_old |= entry.has_old
        return entry

    def count(self, nodes: int, depth: int) -> None:
        self.nodes += nodes
        self.deepest = max(self.deepest, depth)
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise SpecError(f"a formula is deeper than {MAX_DEPTH} or larger than {MAX_NODES} nodes")

    def read(self, node: Any, depth: int, *, is_term: bool = False) -> Callable[[Any, Any], Any]:
        """Return what a formula, or a term, says of a position, and of the one before the step."""
        if type(node) is (int if is_term else bool):
            self.count(1, 0)
            if abs(node) > MAX_INTEGER:
                raise SpecError(f"the integer {str(node)[:20]} is out of range")
            return lambda p, q: node
        if isinstance(node, list) and node and node[0] == "use":
            return self.use(node, depth, is_term=is_term).value
        head, args = self.split(node, depth)
        if is_term and head == "ply" and not args:
            ply = self.game.ply
            return lambda p, q: ply(p)
        self.count(_COUNTED if is_term or head == "exactly-one" else 0, 0)
        if head == "old":
            self.has_old = True
            before = self.read(args[0], depth + 1, is_term=is_term)
            return lambda p, q: before(q, q)
        operator = OPERATORS.get(head)
        if operator is not None and operator.is_term == is_term:
            return operator.make(*[self.read(arg, depth + 1, is_term=operator.takes_terms) for arg in args])
        if is_term:
            raise SpecError(f"{head[:40]!r} heads no integer term")
        return self.atom(head, args)

    def atom(self, name: str, args: list[Any]) -> Test:
        sizes = self.game.vocabulary.get(name)
        if sizes is None:
            raise SpecError(f"{name[:40]!r} is not a word of this game: {', '.join(self.game.vocabulary)}")
        if len(args) != len(sizes) or any(
            type(a) is not int or not 0 <= a < n for a, n in zip(args, sizes, strict=True)
        ):
            raise SpecError(f"{name} takes {len(sizes)} indices below {sizes}, not {str(args)[:60]}")
        if name in _HEAVY:
            self.count(self.game.weight, 0)
        return self.game.compile_atom(name, tuple(args))

    def split(self, node: Any, depth: int) -> tuple[str, list[Any]]:
        self.count(1, depth)
        if not isinstance(node, list) or not node or not isinstance(node[0], str):
            raise SpecError(f"{str(node)[:60]!r} is not a formula: a list headed by a word, or true or false")
        head, args = node[0], node[1:]
        parts = 1 if head == "old" else OPERATORS[head].parts if head in OPERATORS else None
        if parts not in (None, len(args)):
            raise SpecError(f"{head!r} takes {parts} parts, not {len(args)}")
        return head, args
