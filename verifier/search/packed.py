"""Compile the rules of games of cells to functions of packed positions.

A *packed* position is one integer. It does not say how many moves were made. Bit 0 is 1 if O is to move. Then the cells
follow, each with as many bits as its largest value needs. The functions are built as syntax trees (``ast``) from the
same data that the kernel reads. Nothing here is trusted: tests compare the functions with the kernel's ``play``,
``legal_moves`` and formulas, and the kernel checks all evidence by its own rules.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from verifier.kernel.games.general import GeneralPosition

PLAYERS = "XO"

_GOES_ON, _OPEN = 0, -1
_DRAWN = 3
"""Outcomes; 1 and 2 are the wins of X and O. ``_OPEN``: the outcome depends on whether there is a legal move."""

_COMPARED: dict[str, tuple[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    "==": (ast.Eq, operator.eq),
    "!=": (ast.NotEq, operator.ne),
    "<": (ast.Lt, operator.lt),
    "<=": (ast.LtE, operator.le),
    ">": (ast.Gt, operator.gt),
    ">=": (ast.GtE, operator.ge),
}

_RESULTS = {"X": 1, "O": 2, "draw": _DRAWN, "goes-on": _GOES_ON}


class UnreadableWordError(Exception):
    """A formula has a word, such as ``ply`` or ``old``, whose value a packed position does not have."""


class PackedRules:
    """The compiled rules of a game of cells.

    Attributes:
        bits: the number of bits of a position.
        places: the first bit and the number of bits of each cell.
        moves: for each player, a function that takes a position, and returns the positions after his legal moves, in
            the order of the kernel's ``legal_moves``. The function does not test whether the game is over.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Compile the rules that a statement carries."""
        self._cells: dict[tuple[Any, ...], tuple[int, int, bool]] = {}  # first bit, mask of the value, is_number
        self._ranges: dict[tuple[Any, ...], tuple[int, int]] = {}
        at = 1
        for name, sizes, least, most, _ in data["state"]:
            top = 1 if most is None else most
            for index in range(math.prod(sizes)):
                cell = (name, *_unflatten(index, sizes))
                self._cells[cell] = at, (1 << top.bit_length()) - 1, most is not None
                self._ranges[cell] = least, top
                at += top.bit_length()
        self.bits = at
        self._shifts = [shift for shift, _, _ in self._cells.values()]
        self.places = [(shift, mask.bit_length()) for shift, mask, _ in self._cells.values()]
        self.moves: dict[str, Callable[[int], list[int]]] = {}
        self._early: dict[str, Callable[[int, int], int]] = {}
        self._late: dict[str, Callable[[int, int], int]] = {}
        clauses = [(formula, result) for formula, result in data["outcomes"]]
        stuck = next((n for n, (formula, _) in enumerate(clauses) if _names(formula, "stuck")), len(clauses))
        for player in PLAYERS:
            self.moves[player] = self._compile_moves(data, player)
            self._early[player] = self._compile_outcome(data, player, clauses[:stuck], stuck < len(clauses))
            self._late[player] = self._compile_outcome(data, player, clauses[stuck:], False)

    def pack(self, position: Any) -> int:
        """Turn a position of the kernel into an integer. Leave out how many moves were made."""
        packed: int = position.turn - 1
        for value, shift in zip(position.values, self._shifts, strict=True):
            packed |= value << shift
        return packed

    def unpack(self, packed: int) -> GeneralPosition:
        """Turn an integer into a position of the kernel, as if no move had been made."""
        values = tuple(packed >> shift & mask for shift, mask, _ in self._cells.values())
        return GeneralPosition(values, 1 + (packed & 1), 0)

    def expand(self, packed: int) -> tuple[int, list[int]]:
        """Return the outcome, and the positions after the legal moves; no positions if the game is over."""
        player = PLAYERS[packed & 1]
        outcome = self._early[player](packed, 0)
        if outcome > 0:
            return outcome, []
        after = self.moves[player](packed)
        if outcome == _OPEN:
            outcome = self._late[player](packed, not after)
        if outcome > 0:
            return outcome, []
        return (_GOES_ON, after) if after else (_DRAWN, after)

    def compile_goal(self, formula: Any, entries: Sequence[Any]) -> Callable[[int, int], bool]:
        """Return a function that tests a formula of a statement, given a position and its outcome.

        Raises:
            UnreadableWordError: the formula has ``ply`` or ``old``.
        """
        tests = {}
        for player in PLAYERS:
            writer = _Writer(self._cells, entries, player)
            result = ast.Return(writer.flag(formula))
            tests[player] = _build([*writer.prepare([formula]), result])
        x, o = tests["X"], tests["O"]
        return lambda packed, outcome: bool(o(packed, outcome) if packed & 1 else x(packed, outcome))

    def _compile_moves(self, data: Mapping[str, Any], player: str) -> Callable[[int], list[int]]:
        writer = _Writer(self._cells, data["formulas"], player)
        actions = [
            actions[player]
            for _, _, actions in sorted(data["moves"], key=lambda move: move[1])  # in the order of the kernel
            if player in actions
        ]
        body: list[ast.stmt] = [ast.Assign([_name("found", store=True)], ast.List([], ast.Load()))]
        body += writer.prepare([part for guard, changes in actions for part in (guard, *(new for _, new in changes))])
        for guard, changes in actions:
            body += self._write_action(writer, guard, changes)
        function: Callable[[int, int], list[int]] = _build([*body, ast.Return(_name("found"))])
        return lambda packed: function(packed, 0)

    def _write_action(self, writer: _Writer, guard: Any, changes: list[Any]) -> list[ast.stmt]:
        """Return Python statements that add the position after a move to the list ``found``, if the move is legal."""
        turn = writer.turn
        kept, constant, parts = -1, 0, list[ast.expr]()
        tests, given = list[ast.expr](), list[ast.stmt]()
        new_turn: ast.expr = ast.Constant(2 - turn)  # the bit of the other player
        for target, value in changes:
            if target == ["turn"]:
                shift, mask, least, most, is_number = 0, 1, 1, 2, True
            else:
                (shift, mask, is_number), (least, most) = self._cells[tuple(target)], self._ranges[tuple(target)]
            new = writer.term(value) if is_number else writer.flag(value)
            if isinstance(new, ast.Constant):
                number = int(new.value)  # type: ignore[arg-type]
                if not least <= number <= most:
                    return []  # the move is never legal
                if target == ["turn"]:
                    new_turn = ast.Constant(number - 1)
                else:
                    kept &= ~(mask << shift)
                    constant |= number << shift
                continue
            if is_number:
                local = f"v{len(given)}"
                given.append(ast.Assign([_name(local, store=True)], new))
                tests.append(
                    ast.Compare(ast.Constant(least), [ast.LtE(), ast.LtE()], [_name(local), ast.Constant(most)])
                )
                new = _name(local)
            if target == ["turn"]:
                new_turn = ast.BinOp(new, ast.Sub(), ast.Constant(1))
            else:
                kept &= ~(mask << shift)
                parts.append(ast.BinOp(new, ast.LShift(), ast.Constant(shift)))
        kept &= ~1
        if isinstance(new_turn, ast.Constant):
            constant |= int(new_turn.value)  # type: ignore[arg-type]
        else:
            parts.append(new_turn)
        # ``kept`` can be negative, and Python's ``&`` is slower for a negative number. So use only the bits of ``kept``
        # that a position has.
        after: ast.expr = ast.BinOp(_name("p"), ast.BitAnd(), ast.Constant(kept & (1 << self.bits) - 1))
        for part in ([ast.Constant(constant)] if constant else []) + parts:
            after = ast.BinOp(after, ast.BitOr(), part)
        append = ast.Attribute(_name("found"), "append", ast.Load())
        body: list[ast.stmt] = [ast.Expr(ast.Call(append, [after], []))]
        if tests:
            body = [*given, ast.If(_both(tests), body, [])]
        test = writer.test(guard)
        if isinstance(test, ast.Constant):
            return body if test.value else []
        return [ast.If(test, body, [])]

    def _compile_outcome(
        self, data: Mapping[str, Any], player: str, clauses: list[Any], is_open: bool
    ) -> Callable[[int, int], int]:
        """Return a function that returns the outcome, given a position and whether the player to move is stuck."""
        writer = _Writer(self._cells, data["formulas"], player)
        body = writer.prepare([formula for formula, _ in clauses])
        results = {**_RESULTS, "next": writer.turn, "previous": 3 - writer.turn}
        for formula, result in clauses:
            body.append(ast.If(writer.test(formula), [ast.Return(ast.Constant(results[result]))], []))
        function: Callable[[int, int], int] = _build([*body, ast.Return(ast.Constant(_OPEN if is_open else _GOES_ON))])
        return function


class _Writer:
    """Writes formulas as Python expressions, for positions in which ``player`` is to move.

    In an expression, ``p`` is the position. In a goal, ``told`` is the outcome. In the test of an outcome, ``told``
    says whether the player to move is stuck (has no legal move).
    """

    def __init__(self, cells: Mapping[tuple[Any, ...], tuple[int, int, bool]], entries: Sequence[Any], player: str):
        self._cells, self._entries = cells, entries
        self.turn = PLAYERS.index(player) + 1

    def prepare(self, formulas: Iterable[Any]) -> list[ast.stmt]:
        """Return Python assignments, so that an entry to which formulas refer by ``use`` is computed only once.

        Entries that only test bits (``_literal``) get no assignment.
        """
        used: set[int] = set()
        pending = [*formulas]
        while pending:
            for number in _names(pending.pop(), "use"):
                if number not in used:
                    used.add(number)
                    pending.append(self._entries[number])
        found: list[ast.stmt] = []
        for number in sorted(used):
            entry = self._entries[number]
            if self._literal(entry) is None:
                value = self.term(entry) if self._is_term(entry) else self.test(entry)
                found.append(ast.Assign([_name(f"u{number}", store=True)], value))
        return found

    def _is_term(self, node: Any) -> bool:
        if not isinstance(node, list):
            return type(node) is int
        if node[0] == "use":
            return self._is_term(self._entries[node[1]])
        cell = self._find_cell(node)
        return node[0] in ("+", "-", "sum", "if", "turn") if cell is None else cell[2]

    def _find_cell(self, node: list[Any]) -> tuple[int, int, bool] | None:
        """If ``node`` is a cell, return its first bit, the mask of its value, and whether it is a number; else None."""
        return self._cells.get(tuple(node)) if all(isinstance(part, str | int) for part in node) else None

    def _literal(self, node: Any) -> tuple[int, int] | None:
        """If a formula says that some bits have given values, return masks of the bits and of the values; else None."""
        if not isinstance(node, list):
            return None
        if node[0] == "use":
            return self._literal(self._entries[node[1]])
        cell = self._find_cell(node)
        if cell is not None and not cell[2]:
            return 1 << cell[0], 1 << cell[0]
        if node[0] == "not":
            inner = self._literal(node[1])
            return (inner[0], inner[0] ^ inner[1]) if inner is not None and _is_bit(inner[0]) else None
        if node[0] == "==":
            one, other = node[1:] if type(node[2]) is int else node[:0:-1]
            cell = self._find_cell(one) if isinstance(one, list) else None
            if cell is not None and type(other) is int and 0 <= other <= cell[1]:
                return cell[1] << cell[0], other << cell[0]
        return None

    def test(self, node: Any) -> ast.expr:
        """Return an expression. Its value is 0 or False if the formula is false, otherwise another integer or True."""
        if type(node) is bool:
            return ast.Constant(node)
        literal = self._literal(node)
        if literal is not None:
            return _check_bits(*literal)
        head, args = node[0], node[1:]
        if head == "use":
            return _name(f"u{args[0]}")
        if head in ("and", "or"):
            return self._write_joined(args, is_all=head == "and")
        if head == "not":
            return _negate(self.test(args[0]))
        if head == "implies":
            return self._write_joined([["not", args[0]], args[1]], is_all=False)
        if head == "iff":
            return ast.Compare(self.flag(args[0]), [ast.Eq()], [self.flag(args[1])])
        if head == "exactly-one":
            return ast.Compare(self._add(map(self.flag, args)), [ast.Eq()], [ast.Constant(1)])
        if head in _COMPARED:
            sign, compare = _COMPARED[head]
            left, right = map(self.term, args)
            if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
                return ast.Constant(compare(left.value, right.value))
            return ast.Compare(left, [sign()], [right])
        if head == "over":
            return ast.Compare(_name("told"), [ast.NotEq()], [ast.Constant(_GOES_ON)])
        if head in ("X_wins", "O_wins"):
            return ast.Compare(_name("told"), [ast.Eq()], [ast.Constant(_RESULTS[head[0]])])
        if head == "stuck":
            return _name("told")
        raise UnreadableWordError(head)

    def flag(self, node: Any) -> ast.expr:
        """Return an expression for a formula. Its value is 1 or True if the formula is true, else 0 or False."""
        literal = self._literal(node)
        if literal is not None and literal[0] == literal[1] and _is_bit(literal[0]):
            shift = literal[0].bit_length() - 1
            return ast.BinOp(ast.BinOp(_name("p"), ast.RShift(), ast.Constant(shift)), ast.BitAnd(), ast.Constant(1))
        test = self.test(node)
        if isinstance(test, ast.Constant | ast.Compare):
            return test
        return ast.IfExp(test, ast.Constant(1), ast.Constant(0))

    def term(self, node: Any) -> ast.expr:
        """Return an expression for the value of a term."""
        if type(node) is int:
            return ast.Constant(node)
        head, args = node[0], node[1:]
        if head == "use":
            return _name(f"u{args[0]}") if self._literal(node) is None else self.term(self._entries[args[0]])
        if head == "turn":
            return ast.Constant(self.turn)
        if head == "sum":
            return self._add(map(self.flag, args))
        if head == "+":
            return self._add(map(self.term, args))
        if head == "-":
            return ast.BinOp(self.term(args[0]), ast.Sub(), self.term(args[1]))
        if head == "if":
            test = self.test(args[0])
            if isinstance(test, ast.Constant):
                return self.term(args[1] if test.value else args[2])
            return ast.IfExp(test, self.term(args[1]), self.term(args[2]))
        cell = self._find_cell(node)
        if cell is not None:
            shift, mask, _ = cell
            return ast.BinOp(ast.BinOp(_name("p"), ast.RShift(), ast.Constant(shift)), ast.BitAnd(), ast.Constant(mask))
        raise UnreadableWordError(head)

    def _write_joined(self, args: list[Any], *, is_all: bool) -> ast.expr:
        """Return the expression for ``and`` or ``or``. Formulas that test bits (``_literal``) are tested together."""
        masks: dict[int, int] = {}  # for "and": masks of some bits, each with the value of these bits
        held = lacking = 0
        others: list[ast.expr] = []
        for arg in _flatten_joined(args, "and" if is_all else "or"):
            literal = self._literal(arg)
            if literal is not None and is_all:
                mask, value = literal
                if masks.setdefault(mask, value) != value:
                    return ast.Constant(False)
            elif literal is not None and _is_bit(literal[0]):
                held, lacking = held | literal[1], lacking | literal[0] & ~literal[1]
            else:
                test = self.test(arg)
                if not isinstance(test, ast.Constant):
                    others.append(test)
                elif bool(test.value) != is_all:
                    return ast.Constant(not is_all)
        first: list[ast.expr] = []
        if masks:
            joined = functools.reduce(operator.or_, masks), functools.reduce(operator.or_, masks.values())
            first.append(_check_bits(*joined))
        if held:
            first.append(ast.BinOp(_name("p"), ast.BitAnd(), ast.Constant(held)))
        if lacking:
            masked = ast.BinOp(_name("p"), ast.BitAnd(), ast.Constant(lacking))
            first.append(ast.Compare(masked, [ast.NotEq()], [ast.Constant(lacking)]))
        tests = [*first, *others]
        if len(tests) < 2:
            return tests[0] if tests else ast.Constant(is_all)
        return ast.BoolOp(ast.And() if is_all else ast.Or(), tests)

    @staticmethod
    def _add(terms: Iterable[ast.expr]) -> ast.expr:
        parts = [*terms]
        if len(parts) < 2:  # a single flag can be True or False: adding 0 makes it a number
            return ast.BinOp(parts[0], ast.Add(), ast.Constant(0)) if parts else ast.Constant(0)
        while len(parts) > 1:  # in pairs, so that the tree is not deep
            pairs = [ast.BinOp(a, ast.Add(), b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
            parts = pairs + parts[len(pairs) * 2 :]
        return parts[0]


def _is_bit(mask: int) -> bool:
    return not mask & mask - 1


def _check_bits(mask: int, value: int) -> ast.expr:
    """Return an expression that tests whether the bits of a mask have this value."""
    masked = ast.BinOp(_name("p"), ast.BitAnd(), ast.Constant(mask))
    if _is_bit(mask):
        return masked if value else ast.UnaryOp(ast.Not(), masked)
    return ast.Compare(masked, [ast.Eq()], [ast.Constant(value)])


def _negate(test: ast.expr) -> ast.expr:
    return ast.Constant(not test.value) if isinstance(test, ast.Constant) else ast.UnaryOp(ast.Not(), test)


def _both(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _flatten_joined(args: Iterable[Any], head: str) -> Iterator[Any]:
    for arg in args:
        if isinstance(arg, list) and arg[0] == head:
            yield from _flatten_joined(arg[1:], head)
        else:
            yield arg


def _names(node: Any, word: str) -> list[Any]:
    """For each place where a formula has a word, return what follows the word: for example, the number after ``use``.

    Return None for a place where nothing follows the word.
    """
    if not isinstance(node, list):
        return []
    if node[0] == word:
        return [node[1] if len(node) > 1 else None]
    return [found for part in node[1:] for found in _names(part, word)]


def _unflatten(index: int, sizes: Sequence[int]) -> tuple[int, ...]:
    found: tuple[int, ...] = ()
    for size in reversed(sizes):
        index, part = divmod(index, size)
        found = (part, *found)
    return found


def _name(name: str, *, store: bool = False) -> ast.Name:
    return ast.Name(name, ast.Store() if store else ast.Load())


def _build(body: list[ast.stmt]) -> Callable[[int, int], Any]:
    """Compile a function of ``p`` and ``told`` with this body."""
    args = ast.arguments([], [ast.arg("p"), ast.arg("told")], None, [], [], None, [])
    function = ast.FunctionDef("function", args, body, [], None, None)
    tree = ast.fix_missing_locations(ast.Module([function], []))
    space: dict[str, Any] = {}
    exec(compile(tree, "<rules>", "exec"), space)  # noqa: S102 - a tree that this module built, never text
    built: Callable[[int, int], Any] = space["function"]
    return built
