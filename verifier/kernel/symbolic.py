"""Positions as literals of a circuit: one of which nothing is known, and what moves make of it.

Trusted for: that a word of a game, read in such a position, says what the family's ``compile_atom`` says of each
position that the literals may stand for, and that a move does what ``play`` does. So the literals of a position after
a move are the weakest precondition of the words: what has to hold before the move for each to hold after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from verifier.kernel.circuit import FALSE, KEPT, TRUE, Circuit, Term, add, count
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import OPERATORS
from verifier.kernel.games import Game
from verifier.kernel.games.marks import EVERYTHING, Marks, Move, Said
from verifier.kernel.games.nested_marks import NestedState
from verifier.kernel.games.positional_marks import PositionalState

State: TypeAlias = NestedState | PositionalState

STATES: dict[str, Any] = {"nested": NestedState, "positional": PositionalState}
"""What positions are by the family of their rules; one without steps is not here."""


def unknown(circuit: Circuit, game: Game) -> State:
    """Return a position of which nothing is known, made of new inputs."""
    if game.family not in STATES:
        raise SpecError("steps of these rules have no symbolic form")
    state: State = STATES[game.family].unknown(circuit, game)
    state.legal_spots = state.formulas and [*map(Reader(circuit, state).read, state.formulas)]
    return state


class Reader:
    """Reads formulas, terms and strategies of a statement, all found well formed, for the positions that a step meets.

    What has a name is asked once of each position, and of the position before a move where that move changes nothing
    that it speaks of. ``old`` speaks of the position before the step, or of the one from which play started.
    """

    def __init__(self, circuit: Circuit, before: State, entries: Sequence[Any] = ()) -> None:
        self.circuit, self.before = circuit, before
        self._named: list[tuple[Said, int]] = []
        self._size = self._spoken_of = 0
        for entry in entries:
            self._spoken_of = 0
            self._named.append((self.read(entry), self._spoken_of))

    def read(self, node: Any) -> Said:
        """Return what a node says; each time that it is asked, its nodes are paid for."""
        self._size, spend = 0, self.circuit.spend
        said = self._read(node)
        size = self._size

        def read(state: State) -> Any:
            spend(size)
            return said(state)

        return read

    def _read(self, node: Any) -> Said:
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
            self._spoken_of = spoken_of  # what stood there before stays the same
            return lambda state: said(before)
        if head in OPERATORS:
            return self._join(head, [self._read(arg) for arg in args])
        word, spoken_of = (Marks.ply, EVERYTHING) if head == "ply" else self.before.word(head, args)
        self._spoken_of |= spoken_of
        return word

    def _use(self, number: int) -> Said:
        """Return what a formula or term with a name says."""
        said, spoken_of = self._named[number]
        self._spoken_of |= spoken_of
        spend = self.circuit.spend

        def use(state: Any) -> Any:
            found = state.named.get(number)
            if found is None:
                origin = state.origin
                is_new = origin is None or spoken_of & state.changed
                found = said(state) if is_new else use(origin)
                state.named[number] = found
                spend(0 if isinstance(found, int) else KEPT * len(found))
            return found

        return use

    def _join(self, head: str, parts: list[Said]) -> Said:
        every, some = self.circuit.every, self.circuit.some

        def subtract(state: State) -> Term:
            return self._add([(parts[0](state), 1), (parts[1](state), -1)])

        def total(state: State) -> Term:
            return count([part(state) for part in parts])

        joins: dict[str, Said] = {
            "not": lambda state: -parts[0](state),
            "and": lambda state: every([part(state) for part in parts]),
            "or": lambda state: some([part(state) for part in parts]),
            "implies": lambda state: some([-parts[0](state), parts[1](state)]),
            "iff": lambda state: self._same(parts[0](state), parts[1](state)),
            "exactly-one": lambda state: self._compare("==", add([(total(state), 1), ({TRUE: 1}, -1)])),
            "sum": total,
            "+": lambda state: self._add((part(state), 1) for part in parts),
            "-": subtract,
        }
        return joins.get(head, lambda state: self._compare(head, subtract(state)))

    def _same(self, one: int, other: int) -> int:
        """Say that two literals are both true, or neither is."""
        some = self.circuit.some
        return self.circuit.every([some([-one, other]), some([one, -other])])

    def _add(self, terms: Iterable[tuple[Term, int]]) -> Term:
        kept = [*terms]
        self.circuit.spend(sum([len(term) for term, _ in kept]))
        return add(kept)

    def _compare(self, head: str, difference: Term) -> int:
        """Compare a difference of two terms with 0."""
        least, more = self.circuit.at_least(difference, 0), self.circuit.at_least(difference, 1)
        same = self.circuit.every([least, -more])
        return {">=": least, ">": more, "<": -least, "<=": -more, "==": same, "!=": -same}[head]

    def replies(self, strategy: Any) -> Callable[[State], dict[Move, int]]:
        """Return the moves that a strategy can make in a position, each with a literal: that it may make it there."""
        phases = [[self._instance(instance) for instance in phase["instances"]] for phase in strategy["phases"]]
        every, some = self.circuit.every, self.circuit.some

        def replies(state: State) -> dict[Move, int]:
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

    def _instance(self, data: Any) -> tuple[Said, list[list[tuple[Said, Move]]]]:
        """Return when an instance of a phase is open, and of each of its rules the choices."""
        rules = [[(self.read(c["when"]), tuple(c["play"])) for c in rule["choices"]] for rule in data["rules"]]
        return self.read(data["when"]), rules
