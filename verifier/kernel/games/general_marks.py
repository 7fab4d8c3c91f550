"""A second form of the rules of the family ``general``: for positions whose cells are literals of a ``circuit``.

This is the family's part of ``symbolic``. It is trusted to give words and moves the same meaning as ``general``.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NoReturn

from verifier.kernel.circuit import FALSE, TRUE, Circuit, LinearTerm, add_terms, count_true
from verifier.kernel.errors import SpecError
from verifier.kernel.games import OTHER, Move
from verifier.kernel.games.general import TURN_CELL, General
from verifier.kernel.symbolic import EVERYTHING, Reader, SymbolicPosition, SymbolicValue

_Action = tuple[SymbolicValue, list[tuple[int, SymbolicValue]]]
"""The guard of a move; and the numbers of the cells that it changes, each with the new value."""


class GeneralState(SymbolicPosition):
    """A position whose cells are literals.

    ``steps`` has the literals of each cell. A cell that is true or false has one literal. A number has a literal
    for each value above its least value: true if the number is at least this value. ``second`` is true if O is to move.
    """

    rules: General

    def __init__(self, circuit: Circuit, rules: General, steps: Sequence[Sequence[int]], second: int) -> None:
        super().__init__(circuit, rules)
        self.steps, self.second = steps, second
        self.actions: dict[str, dict[Move, _Action]] = {"X": {}, "O": {}}
        self.clauses: list[tuple[SymbolicValue, str]] = []
        self._firsts: list[tuple[int, str]] = []

    @classmethod
    def unknown(cls, circuit: Circuit, rules: General) -> GeneralState:
        """Return a position whose literals are new inputs of the circuit, so that nothing is known about it."""
        steps = [circuit.variables(cell.most - cell.least) for cell in rules.all_cells]
        state, data = cls(circuit, rules, steps, circuit.variables(1)[0]), rules.data
        read = Reader(circuit, state, data["formulas"]).read
        for _, numbers, actions in data["moves"]:
            for player, (guard, changes) in actions.items():
                new = [(rules.find_cell(target), read(value)) for target, value in changes]
                state.actions[player][tuple(numbers)] = read(guard), new
        state.clauses = [(read(formula), result) for formula, result in data["outcomes"]]
        return state

    def moves(self) -> list[Move]:
        """Return the moves of both players, in ascending order."""
        return sorted({*self.actions["X"], *self.actions["O"]})

    def turn(self, player: str) -> int:
        """Return a literal that is true if the player is to move."""
        return self.second if player == "O" else -self.second

    def value(self, at: int) -> LinearTerm:
        """Return the number in a cell."""
        return add_terms([(count_true(self.steps[at]), 1), ({TRUE: self.rules.all_cells[at].least}, 1)])

    def applies(self, made: tuple[str, Move]) -> int:
        """Return a literal that is true if the guard of a player's action holds, and new values are in range."""
        player, move = made
        if move not in self.actions[player]:
            return FALSE
        guard, changes = self.actions[player][move]
        literals, at_least = [guard(self)], self.circuit.at_least
        for at, value in changes:
            cell = self.rules.ranges[at]
            if cell.is_number:
                term = value(self)
                literals += [at_least(term, cell.least), -at_least(term, cell.most + 1)]
        return self.circuit.every(literals)

    def legal(self, move: Move) -> int:
        """Return a literal that is true if the move is legal for the player to move."""
        every = self.circuit.every
        own = [every([self.turn(player), self._once(self.applies, (player, move))]) for player in "XO"]
        return every([self.circuit.some(own), -self.over()])

    def stuck(self) -> int:
        """Return a literal that is true if the player to move has no legal move, whether or not the game is over."""
        every, some = self.circuit.every, self.circuit.some
        able = [(p, some([self._once(self.applies, (p, move)) for move in self.actions[p]])) for p in "XO"]
        return -some([every([self.turn(player), is_able]) for player, is_able in able])

    def wins(self, player: str) -> int:
        """Return a literal that is true if the player has won."""
        is_whose = {player: TRUE, "next": self.turn(player), "previous": self.turn(OTHER[player])}
        cases = [(first, is_whose[result]) for first, result in self._deciding() if result in is_whose]
        return self.circuit.some(map(self.circuit.every, cases))

    def over(self) -> int:
        """Return a literal that is true if the game has ended."""
        return self.circuit.some([*(first for first, result in self._deciding() if result != "goes-on"), self.stuck()])

    def _deciding(self) -> list[tuple[int, str]]:
        """Return (literal, result) for each clause: the literal is true if this clause is the first that holds."""
        if not self._firsts:
            earlier: list[int] = []
            for holds, result in self.clauses:
                literal = holds(self)
                self._firsts.append((self.circuit.every([literal, *earlier]), result))
                earlier.append(-literal)
        return self._firsts

    def play(self, mover: str, move: Move) -> GeneralState:
        """Return the position after a legal move. If the mover has no action for the move, return this position."""
        if move not in self.actions[mover]:
            return self
        steps, second, changed = [*self.steps], TRUE if mover == "X" else FALSE, 1 << len(self.steps)
        for at, find_value in self.actions[mover][move][1]:
            value = find_value(self)
            cell, changed = self.rules.ranges[at], changed | 1 << (len(steps) if at == TURN_CELL else at)
            new = [value]
            if cell.is_number:
                new = [self.circuit.at_least(value, least) for least in range(cell.least + 1, cell.most + 1)]
            if at == TURN_CELL:
                second = new[0]
            else:
                steps[at] = new
        after = GeneralState(self.circuit, self.rules, steps, second)
        after.actions, after.clauses, after.origin, after.changed = self.actions, self.clauses, self, changed
        return after

    def invariant(self) -> dict[str, list[int]]:
        """Return the condition of a well-formed position: a number that is at least n + 1 is also at least n."""
        pairs = [pair for steps in self.steps for pair in itertools.pairwise(steps)]
        return {"position.cells": [self.circuit.some([more_rarely, -more]) for more_rarely, more in pairs]}

    def word(self, name: str, args: list[int]) -> tuple[SymbolicValue, int]:
        """Return the meaning of a word, and bits for the cells on which it depends (see ``SymbolicPosition``)."""
        if name in self.rules.cells:
            at = self.rules.find_cell([name, *args])
            is_number = self.rules.ranges[at].is_number
            return (lambda p: p.value(at)) if is_number else (lambda p: p.steps[at][0]), 1 << at
        words: dict[str, tuple[SymbolicValue, int]] = {
            "turn": (lambda p: add_terms([(count_true([p.second]), 1), ({TRUE: 1}, 1)]), 1 << len(self.steps)),
            "stuck": (lambda p: p.stuck(), EVERYTHING),
            "X_wins": (lambda p: p.wins("X"), EVERYTHING),
            "O_wins": (lambda p: p.wins("O"), EVERYTHING),
            "over": (lambda p: p.over(), EVERYTHING),
        }
        return words[name]

    def ply(self) -> NoReturn:
        """Refuse: these positions do not say how many moves were made."""
        raise SpecError("under these rules, claims about steps and invariants cannot speak of 'ply'")
