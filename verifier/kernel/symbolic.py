"""Positions whose marks or cells are literals of a circuit, and the meaning of formulas in them.

This module serves all families of games. Each family adds a module of its own, such as ``games.nested_marks``. A
``SymbolicPosition`` stands for many positions at once; in each of them, a literal is true or false. This module is
trusted for two things. In each of these positions, a word of a formula means the same as in the family's
``compile_atom``, and a move does the same as in ``play``. So the literals of a position after a move are weakest
preconditions: each says what has to hold before the move so that a word holds after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from verifier.kernel.circuit import FALSE, KEPT_LITERAL, TRUE, Circuit, LinearTerm, add_terms, count_true
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import OPERATORS
from verifier.kernel.games import Move

SymbolicValue: TypeAlias = Callable[[Any], Any]
"""Takes a position; returns the literal of a formula, or the ``LinearTerm`` of a term."""

EVERYTHING = -1
"""The bits of all parts of a position (see ``SymbolicPosition``). A word with these bits can depend on any part."""


class SymbolicPosition:
    """A position of any game, as literals.

    ``named`` caches what each entry of ``formulas`` means in this position. A key is a reader and the number of an
    entry. ``origin`` is the position before the last move, and the bits of ``changed`` stand for the parts that the
    move may have changed. ``word`` returns what a word of the game means, and bits for the parts on which it depends.
    """

    word: Any
    ply: Any

    def __init__(self, circuit: Circuit, rules: Any) -> None:
        self.circuit, self.rules = circuit, rules
        self.named: dict[tuple[Reader, int], Any] = {}
        self.origin: Any = None
        self.changed = 0
        self._known: dict[tuple[str, object], int] = {}

    def _once(self, said: Callable[[Any], int], about: object) -> int:
        """Return the value of a method for an argument; cached, because the same value is needed often."""
        key = (said.__name__, about)
        if key not in self._known:
            self._known[key] = said(about)
        return self._known[key]


class Marks(SymbolicPosition):
    """A position with marks: a literal for each mark, by player and spot.

    ``words`` takes indices and returns a dictionary: for each name, the pair that ``word(name, indices)`` returns.
    """

    words: Any

    def __init__(self, circuit: Circuit, rules: Any, marks: dict[str, list[int]]) -> None:
        super().__init__(circuit, rules)
        self.marks = marks
        self._taken: list[int] = [0] * len(marks["X"])

    def word(self, name: str, args: list[int]) -> tuple[SymbolicValue, int]:
        """Return the meaning of a word of the game, and bits for the parts of a position on which it depends."""
        found: tuple[SymbolicValue, int] | None = self.words(args).get(name)
        if found is None:
            said = f"{name!r} cannot be used in a statement about every position"
            raise SpecError(f"{said}: the kernel can compute it only from one given position")
        return found

    def taken(self, at: int) -> int:
        """Return a literal that is true if the spot has a mark."""
        found = self._taken[at]
        if not found:
            found = self._taken[at] = self.circuit.some([self.marks["X"][at], self.marks["O"][at]])
        return found

    def ply(self) -> LinearTerm:
        """Return the number of marks."""
        return count_true(map(self.taken, range(len(self.marks["X"]))))

    def turn(self, player: str) -> int:
        """Return a literal that is true if the player is to move. It is O's turn if X has more marks."""
        more = self.circuit.at_least(self._more(), 1)
        return more if player == "O" else -more

    def invariant(self) -> dict[str, list[int]]:
        """Return the conditions of a well-formed position, as literals by name.

        All of them are true exactly if ``find_fault`` finds no fault. ``position.marks`` and ``position.sums`` both say
        that no spot has two marks. ``position.turn`` says that X has as many marks as O, or one more. Families add
        others: ``position.last`` is about the last mark, ``position.owners`` about the owners of fields,
        ``position.over`` about lines of three fields, and ``position.active`` about the active field.
        """
        at_least, marks = self.circuit.at_least, self.marks
        doubled = add_terms([(count_true(marks["X"] + marks["O"]), 1), (self.ply(), -1)])
        return {
            "position.marks": [-self.circuit.every(pair) for pair in zip(marks["X"], marks["O"], strict=True)],
            "position.sums": [at_least(doubled, 0), -at_least(doubled, 1)],
            "position.turn": [at_least(self._more(), 0), -at_least(self._more(), 2)],
        }

    def _more(self) -> LinearTerm:
        return add_terms([(count_true(self.marks["X"]), 1), (count_true(self.marks["O"]), -1)])


class Reader:
    """Turns formulas, terms and strategies of a well-formed statement into functions of symbolic positions.

    An entry of ``formulas`` is evaluated once in each position. If a move changes nothing on which the entry depends,
    the value before the move is used again. ``old`` means the position before the step, or the start of the play.
    """

    def __init__(self, circuit: Circuit, before: SymbolicPosition, entries: Sequence[Any] = ()) -> None:
        self.circuit, self.before = circuit, before
        self._named: list[tuple[SymbolicValue, int]] = []
        self._size = self._spoken_of = 0
        for entry in entries:
            self._spoken_of = 0
            self._named.append((self.read(entry), self._spoken_of))

    def read(self, node: Any) -> SymbolicValue:
        """Return the meaning of a formula or term. Each evaluation adds the number of its nodes to the work."""
        self._size, spend = 0, self.circuit.spend
        said = self._read(node)
        size = self._size

        def read(state: SymbolicPosition) -> Any:
            spend(size)
            return said(state)

        return read

    def _read(self, node: Any) -> SymbolicValue:
        self._size += 1
        if isinstance(node, bool):
            literal = TRUE if node else FALSE
            return lambda state: literal
        if isinstance(node, int):
            return lambda state: {TRUE: node}
        head, args = node[0], node[1:]
        self._size += len(args)
        if head == "use":
            return self._use(args[0])
        if head == "old":
            spoken_of, said, before = self._spoken_of, self._read(args[0]), self.before
            self._spoken_of = spoken_of  # no move changes the position that ``old`` means
            return lambda state: said(before)
        if head in OPERATORS:
            return self._join(head, [self._read(arg) for arg in args])
        word: SymbolicValue
        word, spoken_of = (type(self.before).ply, EVERYTHING) if head == "ply" else self.before.word(head, args)
        self._spoken_of |= spoken_of
        return word

    def _use(self, number: int) -> SymbolicValue:
        """Return the meaning of an entry of ``formulas``."""
        said, spoken_of = self._named[number]
        self._spoken_of |= spoken_of
        spend = self.circuit.spend

        def use(state: Any) -> Any:
            found = state.named.get((self, number))
            if found is None:
                origin = state.origin
                is_new = origin is None or spoken_of & state.changed
                found = said(state) if is_new else use(origin)
                state.named[self, number] = found
                spend(0 if isinstance(found, int) else KEPT_LITERAL * len(found))
            return found

        return use

    def _join(self, head: str, parts: list[SymbolicValue]) -> SymbolicValue:
        every, some = self.circuit.every, self.circuit.some

        def same(state: SymbolicPosition) -> int:
            one, other = parts[0](state), parts[1](state)
            return every([some([-one, other]), some([one, -other])])

        def subtract(state: SymbolicPosition) -> LinearTerm:
            return self._add([(parts[0](state), 1), (parts[1](state), -1)])

        def total(state: SymbolicPosition) -> LinearTerm:
            return count_true([part(state) for part in parts])

        def choose(state: SymbolicPosition) -> LinearTerm:
            test = parts[0](state)
            cases = ((test, parts[1](state)), (-test, parts[2](state)))
            pairs = [(case, literal, times) for case, term in cases for literal, times in term.items()]
            return self._add((count_true([every([case, literal])]), times) for case, literal, times in pairs)

        joins: dict[str, SymbolicValue] = {
            "not": lambda state: -parts[0](state),
            "and": lambda state: every([part(state) for part in parts]),
            "or": lambda state: some([part(state) for part in parts]),
            "implies": lambda state: some([-parts[0](state), parts[1](state)]),
            "iff": same,
            "exactly-one": lambda state: self._compare("==", add_terms([(total(state), 1), ({TRUE: 1}, -1)])),
            "sum": total,
            "+": lambda state: self._add((part(state), 1) for part in parts),
            "-": subtract,
            "if": choose,
        }
        return joins.get(head, lambda state: self._compare(head, subtract(state)))

    def _add(self, terms: Iterable[tuple[LinearTerm, int]]) -> LinearTerm:
        kept = [*terms]
        self.circuit.spend(sum([len(term) for term, _ in kept]))
        return add_terms(kept)

    def _compare(self, head: str, difference: LinearTerm) -> int:
        """Return the literal of a comparison of ``difference`` with 0; ``head`` is its sign, such as ``<=``."""
        least, more = self.circuit.at_least(difference, 0), self.circuit.at_least(difference, 1)
        same = self.circuit.every([least, -more])
        return {">=": least, ">": more, "<": -least, "<=": -more, "==": same, "!=": -same}[head]

    def replies(self, strategy: Any) -> Callable[[SymbolicPosition], dict[Move, int]]:
        """Return a function from a position to moves, each with a literal that is true if the strategy allows it."""
        phases = [[self._instance(instance) for instance in phase["instances"]] for phase in strategy["phases"]]
        every, some = self.circuit.every, self.circuit.some

        def replies(state: SymbolicPosition) -> dict[Move, int]:
            found: dict[Move, list[int]] = {}
            earlier: list[int] = []
            for instances in phases:
                opened = [when(state) for when, _ in instances]
                for is_open, (_, rules) in zip(opened, instances, strict=True):
                    self.circuit.spend(len(earlier))
                    passed = [-literal for literal in earlier]
                    for choices in rules if is_open != FALSE else ():
                        whens = [(move, when(state)) for when, move in choices]
                        for move, when in whens:
                            found.setdefault(move, []).append(every([is_open, when, *passed]))
                        passed += [-when for _, when in whens]
                earlier += opened
            replies = {move: some(literals) for move, literals in found.items()}
            return {move: literal for move, literal in replies.items() if literal != FALSE}

        return replies

    def _instance(self, data: Any) -> tuple[SymbolicValue, list[list[tuple[SymbolicValue, Move]]]]:
        """Return the condition of an instance of a phase, and the choices of each of its rules."""
        rules = [[(self.read(c["when"]), tuple(c["play"])) for c in rule["choices"]] for rule in data["rules"]]
        return self.read(data["when"]), rules
