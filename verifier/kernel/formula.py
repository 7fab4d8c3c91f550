"""Formulas without variables: conditions on a position, in the words of its game (``proofs/README.md``, §4).

This module is trusted for the truth of a formula in a position, and for the value of a term. ``old`` gives the value of
its operand in an earlier position: the position before a step, or the position where the play started
(``FormulaCompiler.has_start``). Anywhere else ``old`` is refused. ``["use", N]`` stands for entry N of ``formulas``.
The limits count each ``use`` as its whole entry, because the entry is evaluated again at each ``use``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games import Game

Test: TypeAlias = Callable[[Any, Any], bool]
"""Takes a position, and the position that ``old`` means. Without ``old``, both arguments can be the same position."""

MAX_DEPTH = 60
MAX_NODES = 200_000
MAX_STATEMENT_NODES = 4_000_000
MAX_ENTRIES = 100_000
MAX_INTEGER = 10**6

MAX_WORK = 3_000_000_000
"""Maximum work for a statement. Each evaluation of a formula adds the number of its nodes. Each move, in a walk or in a
sequence of moves, and each start where play has ended adds ``A_MOVE`` times ``Game.weight``. A sequence of n moves
counts as n + 1 moves. The largest statement in ``proofs/`` needs two thirds of this, and takes two minutes."""

A_MOVE = 3
"""A move counts as much as computing the outcome of a position this many times (``Game.weight``)."""

_HEAVY = {"over", "X_wins", "O_wins", "X_line", "O_line", "line", "X_makes", "O_makes", "makes", "X_keeps", "O_keeps"}
"""Words that take long to test. They are about lines, the end of the game, or a forced win (``X_keeps``, ``O_keeps``).
A node with such a word counts as 1 + ``Game.weight`` nodes. The search for forced wins has a limit of its own."""

_COUNTED = 2
"""Extra nodes for an operator that makes a term, and for ``exactly-one``: adding takes longer than testing."""


def _joined(wanted: bool) -> Callable[..., Test]:
    """Return a function that joins tests into one: all must be true if ``wanted`` is True, otherwise at least one."""

    def make(*tests: Test) -> Test:
        def joined(p: Any, q: Any) -> bool:
            for test in tests:
                if test(p, q) != wanted:
                    return not wanted
            return wanted

        return joined

    return make


class _Operator(NamedTuple):
    """An operator: its parts, and the function that combines them."""

    is_term: bool | None  # True: it makes a term. False: a formula. None: a term if its part is a term
    takes_terms: bool | None  # True: its parts are terms (except the test of ``if``). False: formulas. None: either
    parts: int | None  # number of parts; None: any number
    make: Callable[..., Callable[[Any, Any], Any]]  # makes the operator's function from the functions of its parts


def _comparison(compare: Callable[[int, int], bool]) -> _Operator:
    return _Operator(False, True, 2, lambda left, right: lambda p, q: compare(left(p, q), right(p, q)))


OPERATORS = {
    "not": _Operator(False, False, 1, lambda inner: lambda p, q: not inner(p, q)),
    "and": _Operator(False, False, None, _joined(True)),
    "or": _Operator(False, False, None, _joined(False)),
    "implies": _Operator(False, False, 2, lambda one, other: lambda p, q: not one(p, q) or other(p, q)),
    "iff": _Operator(False, False, 2, lambda one, other: lambda p, q: one(p, q) == other(p, q)),
    "exactly-one": _Operator(False, False, None, lambda *tests: lambda p, q: sum(1 for t in tests if t(p, q)) == 1),
    "sum": _Operator(True, False, None, lambda *tests: lambda p, q: sum(1 for test in tests if test(p, q))),
    "+": _Operator(True, True, None, lambda *terms: lambda p, q: sum(term(p, q) for term in terms)),
    "-": _Operator(True, True, 2, lambda left, right: lambda p, q: left(p, q) - right(p, q)),
    "if": _Operator(True, True, 3, lambda test, one, other: lambda p, q: one(p, q) if test(p, q) else other(p, q)),
    "old": _Operator(None, None, 1, lambda before: lambda p, q: before(q, q)),
    "==": _comparison(operator.eq),
    "!=": _comparison(operator.ne),
    "<": _comparison(operator.lt),
    "<=": _comparison(operator.le),
    ">": _comparison(operator.gt),
    ">=": _comparison(operator.ge),
}
"""The operators and comparisons. All other words, except ``use`` and ``ply``, belong to the game's vocabulary."""


def is_index(args: Sequence[Any], sizes: Sequence[int]) -> bool:
    """Say whether ``args`` has an integer for each size: at least 0, and less than the size."""
    fits = [type(index) is int and 0 <= index < size for index, size in zip(args, sizes, strict=False)]
    return len(args) == len(sizes) and all(fits)


class _Entry(NamedTuple):
    """A formula or a term that was read. ``nodes`` and ``depth`` count each ``use`` as its whole entry."""

    is_term: bool
    value: Callable[[Any, Any], Any]
    nodes: int = 1
    depth: int = 0
    has_old: bool = False


class FormulaCompiler:
    """Compiles the formulas of one statement.

    ``nodes`` is the number of nodes compiled so far, ``work`` the work of all evaluations so far (``MAX_WORK``). If
    ``has_start`` is set, ``old`` means the position where the play started, and can also be used without a step.
    ``has_ply`` and ``has_old`` say whether some formula so far uses ``ply`` or ``old``.
    """

    def __init__(self, game: Game, entries: Sequence[Any] = ()) -> None:
        if len(entries) > MAX_ENTRIES:
            raise SpecError(f"'formulas' is a list of at most {MAX_ENTRIES:,} formulas and terms")
        self.game = game
        self.nodes = self.work = 0
        self.has_start = self.has_ply = self.has_old = False
        self._entries: list[_Entry] = []
        self._used: set[int] = set()
        for entry in entries:
            if not isinstance(entry, list) or entry[:1] == ["use"]:
                raise SpecError(f"{str(entry)[:40]!r} cannot be an entry of 'formulas': expected a list, not 'use'")
            self._entries.append(self._read(entry))

    def compile(self, formula: Any, *, is_after_step: bool = False, is_term: bool = False) -> Callable[[Any, Any], Any]:
        """Turn a formula into a test of positions. If ``is_term``, turn a term into a function that gives its value.

        ``old`` is allowed only with ``is_after_step`` or ``has_start``.
        """
        found = self._read_as(formula, is_term=is_term)
        # Without a step ``old`` would mean the present position, so "nothing has changed" would always be true.
        if found.has_old and not (is_after_step or self.has_start):
            raise SpecError("'old' is about the position before a step: there is no step here")
        self.has_old |= found.has_old
        self.nodes += found.nodes
        if self.nodes > MAX_STATEMENT_NODES:
            raise SpecError(f"the formulas of a statement (each 'use' replaced) exceed {MAX_STATEMENT_NODES:,} nodes")
        return found.value

    def compile_counted(self, formula: Any) -> Callable[[Any], bool]:
        """Turn a formula into a test of one position. ``old`` means the same position. Each test adds to the work."""
        before = self.nodes
        test: Test = self.compile(formula)
        size = self.nodes - before

        def counted(position: Any) -> bool:
            self.work += size
            return test(position, position)

        return counted

    def spend(self, moves: int = 0) -> None:
        """Add the work of ``moves`` moves; raise if all work so far exceeds ``MAX_WORK``."""
        self.work += A_MOVE * self.game.weight * moves
        if self.work > MAX_WORK:
            said = f"evaluating formulas and rules at all positions takes more than {MAX_WORK:,} steps"
            raise CertificateError("limit", f"{said}: use fewer objectives, shorter formulas or an earlier ply")

    def close(self) -> None:
        """Require that every entry is used. Call this after all formulas are compiled."""
        unused = set(range(len(self._entries))) - self._used
        if unused:
            raise SpecError(f"entry {min(unused)} of 'formulas' is never used")

    def _read_as(self, node: Any, *, is_term: bool | None) -> _Entry:
        found = self._read(node)
        if is_term not in (None, found.is_term):
            named = "an integer term" if found.is_term else "a formula"
            raise SpecError(f"{str(node)[:60]} is {named}, which is not allowed here")
        return found

    def _read(self, node: Any) -> _Entry:
        """Read a formula or a term; raise if it is too large."""
        found = self._parse(node)
        if found.depth > MAX_DEPTH or found.nodes > MAX_NODES:
            raise SpecError(f"a formula is deeper than {MAX_DEPTH} or larger than {MAX_NODES:,} nodes")
        return found

    def _parse(self, node: Any) -> _Entry:
        if type(node) is bool or type(node) is int:
            if abs(node) > MAX_INTEGER:
                raise SpecError(f"the integer {str(node)[:20]} is out of range")
            return _Entry(type(node) is int, lambda p, q: node, depth=-1)
        if not isinstance(node, list) or not node or not isinstance(node[0], str):
            raise SpecError(f"{str(node)[:60]!r} is not a formula: it must be true, false, or a list headed by a word")
        head, args = node[0], node[1:]
        if head == "use":
            return self._use(args)
        if head == "ply" and not args:
            ply, self.has_ply = self.game.ply, True
            return _Entry(True, lambda p, q: ply(p))
        operator = OPERATORS.get(head)
        if operator is None:
            return self._atom(head, args)
        if operator.parts not in (None, len(args)):
            raise SpecError(f"{head!r} takes {operator.parts} parts, not {len(args)}")
        takes = [operator.takes_terms] * len(args)
        if head == "if":
            takes[0] = False
        parts = [self._read_as(arg, is_term=is_term) for arg, is_term in zip(args, takes, strict=True)]
        is_term = parts[0].is_term if operator.is_term is None else operator.is_term
        return _Entry(
            is_term,
            operator.make(*[part.value for part in parts]),
            1 + sum([part.nodes for part in parts]) + _COUNTED * (is_term or head == "exactly-one"),
            1 + max([part.depth for part in parts], default=-1),
            head == "old" or any(part.has_old for part in parts),
        )

    def _use(self, args: list[Any]) -> _Entry:
        number = args[0] if len(args) == 1 else None
        if type(number) is not int or not 0 <= number < len(self._entries):
            raise SpecError(f"{str(['use', *args])[:40]} does not refer to an earlier entry of 'formulas'")
        self._used.add(number)
        return self._entries[number]

    def _atom(self, name: str, args: list[Any]) -> _Entry:
        sizes = self.game.vocabulary.get(name)
        if sizes is None:
            raise SpecError(f"{name[:40]!r} is not a word of this game: {', '.join(self.game.vocabulary)}")
        if not is_index(args, sizes):
            raise SpecError(f"{name} must have indices below {[*sizes]}, not {str(args)[:60]}")
        weight = self.game.weight if name in _HEAVY else 0
        return _Entry(name in self.game.number_words, self.game.compile_atom(name, tuple(args)), 1 + weight)
