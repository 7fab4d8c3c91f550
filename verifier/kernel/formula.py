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
from typing import Any, TypeAlias

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

_PARTS = {"not": 1, "old": 1, "implies": 2, "iff": 2, "-": 2, **dict.fromkeys(COMPARISONS, 2)}
"""How many parts an operator takes; any other takes as many as are given."""


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

    Args:
        game: gives the vocabulary.
        entries: the statement's ``formulas``.
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
        """Turn a formula into a test of positions.

        Args:
            formula: what is to hold.
            is_after_step: whether there is a position before this one, which ``old`` speaks of. Without one ``old``
                would say what stands there now, and that nothing changes would always be true.
        """
        compiler = _Compiler(self)
        test = compiler.formula(formula, 0)
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
        value = self.term(node, 0) if is_term else self.formula(node, 0)
        return _Entry(is_term, value, self.nodes, self.deepest, self.has_old)

    def is_term(self, node: Any) -> bool:
        while isinstance(node, list) and len(node) == 2 and node[0] == "old":
            node = node[1]
        if isinstance(node, list) and node and node[0] == "use":
            return self.use(node, 0).is_term
        return type(node) is int or (isinstance(node, list) and bool(node) and node[0] in ("ply", "sum", "+", "-"))

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

    def formula(self, node: Formula, depth: int) -> Test:
        if isinstance(node, bool):
            self.count(1, 0)
            return (lambda p, q: True) if node else (lambda p, q: False)
        if isinstance(node, list) and node and node[0] == "use":
            return self.use(node, depth, is_term=False).value
        head, args = self.split(node, depth)
        self.count(_COUNTED if head == "exactly-one" else 0, 0)
        if head == "not":
            inner = self.formula(args[0], depth + 1)
            return lambda p, q: not inner(p, q)
        if head in ("and", "or", "exactly-one"):
            return _connective(head, [self.formula(arg, depth + 1) for arg in args])
        if head in ("implies", "iff"):
            first, second = (self.formula(arg, depth + 1) for arg in args)
            if head == "implies":
                return lambda p, q: not first(p, q) or second(p, q)
            return lambda p, q: first(p, q) == second(p, q)
        if head == "old":
            self.has_old = True
            before = self.formula(args[0], depth + 1)
            return lambda p, q: before(q, q)
        if head in COMPARISONS:
            compare = COMPARISONS[head]
            left, right = (self.term(arg, depth + 1) for arg in args)
            return lambda p, q: compare(left(p, q), right(p, q))
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

    def term(self, node: Any, depth: int) -> Callable[[Any, Any], int]:
        if type(node) is int:
            if abs(node) > MAX_INTEGER:
                raise SpecError(f"the integer {str(node)[:20]} is out of range")
            self.count(1, 0)
            return lambda p, q: node
        if isinstance(node, list) and node and node[0] == "use":
            return self.use(node, depth, is_term=True).value
        head, args = self.split(node, depth)
        if head == "ply" and not args:
            ply = self.game.ply
            return lambda p, q: ply(p)
        self.count(_COUNTED, 0)
        if head == "sum":
            tests = [self.formula(arg, depth + 1) for arg in args]
            return lambda p, q: sum(1 for test in tests if test(p, q))
        if head == "+":
            terms = [self.term(arg, depth + 1) for arg in args]
            return lambda p, q: sum(term(p, q) for term in terms)
        if head == "-":
            left, right = (self.term(arg, depth + 1) for arg in args)
            return lambda p, q: left(p, q) - right(p, q)
        if head == "old":
            self.has_old = True
            before = self.term(args[0], depth + 1)
            return lambda p, q: before(q, q)
        raise SpecError(f"{head[:40]!r} heads no integer term")

    def split(self, node: Any, depth: int) -> tuple[str, list[Any]]:
        self.count(1, depth)
        if not isinstance(node, list) or not node or not isinstance(node[0], str):
            raise SpecError(f"{str(node)[:60]!r} is not a formula: a list headed by a word, or true or false")
        head, args = node[0], node[1:]
        if len(args) != _PARTS.get(head, len(args)):
            raise SpecError(f"{head!r} takes {_PARTS[head]} parts, not {len(args)}")
        return head, args


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
