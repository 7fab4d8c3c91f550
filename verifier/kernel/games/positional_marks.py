"""The rules of the family ``positional`` again, for positions whose marks are literals of a ``circuit``.

This is the family's part of ``symbolic``. It is trusted to give words and moves the same meaning as ``positional``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from verifier.kernel.circuit import FALSE, TRUE, Circuit
from verifier.kernel.games import Move
from verifier.kernel.games.positional import PositionalGame
from verifier.kernel.symbolic import EVERYTHING, Marks, Reader, SymbolicValue


class PositionalState(Marks):
    """A position of one board, as literals. If marks are shared, all marks are X's."""

    legal_spots: Sequence[SymbolicValue] | None = None  # the formula of each spot in ``legal``; None if all are allowed

    @classmethod
    def unknown(cls, circuit: Circuit, rules: PositionalGame) -> PositionalState:
        """Return a position whose literals are new inputs of the circuit, so that nothing is known about it."""
        other = [FALSE] * rules.cells if rules.is_shared else circuit.variables(rules.cells)
        state = cls(circuit, rules, {"X": circuit.variables(rules.cells), "O": other})
        state.legal_spots = rules.formulas and [*map(Reader(circuit, state).read, rules.formulas)]
        return state

    def moves(self) -> list[Move]:
        """Return every spot."""
        return [(s,) for s in range(self.rules.cells)]

    def turn(self, player: str) -> int:
        """Return a literal that is true if the player is to move. If marks are shared, O is to move at odd plies."""
        return self._ply_is(lambda ply: ply % 2 == (player == "O")) if self.rules.is_shared else super().turn(player)

    def line(self, player: str) -> int:
        """Return a literal that is true if the player has a line."""
        of = self.marks[player]
        lines = ([*(of[s] for s in held), *(-of[s] for s in others)] for held, others in self.rules.lines[player])
        return self.circuit.some(map(self.circuit.every, lines))

    def ends(self, result: str) -> int:
        """Return a literal that is true if the clauses end the game with the result ``X``, ``O`` or ``draw``.

        If the rules have ``legal``, the literal of ``draw`` ignores whether free spots are allowed. This does no harm:
        only ``over`` uses this literal, and ``over`` is also true if no free spot is allowed.
        """
        cases, at = [], self.rules.outcome_at
        lines = [self._once(self.line, player) for player in "XO"]
        for x, o in itertools.product((True, False), repeat=2):
            here = [lines[0] if x else -lines[0], lines[1] if o else -lines[1]]
            plies, of_stuck = (
                {ply for ply in range(self.rules.cells + 1) if at(ply, x, o, is_stuck=is_stuck) == result}
                for is_stuck in (False, True)
            )
            if self.legal_spots is None or result == "draw" or plies == of_stuck:
                cases.append([*here, self._ply_is(plies.__contains__)])
            else:
                cases.append([*here, self._ply_is(plies.__contains__), -self.stuck()])
                cases.append([*here, self._ply_is(of_stuck.__contains__), self.stuck()])
        return self.circuit.some(map(self.circuit.every, cases))

    def stuck(self) -> int:
        """Return a literal that is true if no spot is free and allowed."""
        return -self.circuit.some(map(self._open, range(self.rules.cells)))

    def over(self) -> int:
        """Return a literal that is true if the game has ended."""
        stuck = [] if self.legal_spots is None else [self.stuck()]
        return self.circuit.some([*map(self.ends, ("X", "O", "draw")), *stuck])

    def legal(self, move: Move) -> int:
        """Return a literal that is true if the move is legal for the player to move."""
        return self.circuit.every([self._open(move[0]), -self.over()])

    def play(self, mover: str, move: Move) -> PositionalState:
        """Return the position after a legal move."""
        after = self._with("X" if self.rules.is_shared else mover, move[0], TRUE)
        after.origin, after.changed = self, 1 << move[0]
        return after

    @staticmethod
    def words(args: list[int]) -> dict[str, tuple[SymbolicValue, int]]:
        """Return what each word means for these indices, and bits for the spots on which it depends (``Marks``)."""
        s = sum(args)
        words: dict[str, tuple[SymbolicValue, int]] = {
            "X": (lambda p: p.marks["X"][s], 1 << s),
            "O": (lambda p: p.marks["O"][s], 1 << s),
            "free": (lambda p: -p.taken(s), 1 << s),
            "X_line": (lambda p: p.line("X"), EVERYTHING),
            "O_line": (lambda p: p.line("O"), EVERYTHING),
            "X_makes": (lambda p: p._with("X", s, TRUE).line("X"), EVERYTHING),
            "O_makes": (lambda p: p._with("O", s, TRUE).line("O"), EVERYTHING),
            "X_wins": (lambda p: p.ends("X"), EVERYTHING),
            "O_wins": (lambda p: p.ends("O"), EVERYTHING),
            "over": (lambda p: p.over(), EVERYTHING),
        }
        return words | {"marked": words["X"], "line": words["X_line"], "makes": words["X_makes"]}

    def invariant(self) -> dict[str, list[int]]:
        """Return the conditions of a well-formed position, as literals by name (``Marks.invariant``)."""
        empty = -self.circuit.some(self.marks["X"] + self.marks["O"])
        if self.rules.is_shared:
            return {"position.last": [self.circuit.some([empty, *self._last("X")])]}
        last = [self.circuit.some([empty, self.turn(player), *self._last(player)]) for player in "XO"]
        return super().invariant() | {"position.last": last}

    def _last(self, player: str) -> list[int]:
        """Return, for each spot, a literal that is true if the player has a mark there that can be the last mark."""
        found = []
        for s, mark in enumerate(self.marks[player]):
            before = self._with("X", s, FALSE)._with("O", s, FALSE)
            found.append(self.circuit.every([mark, before._open(s), -before.over()]))
        return found

    def _with(self, player: str, s: int, literal: int) -> PositionalState:
        marks = {**self.marks, player: [*self.marks[player][:s], literal, *self.marks[player][s + 1 :]]}
        found = PositionalState(self.circuit, self.rules, marks)
        found.legal_spots = self.legal_spots
        return found

    def _open(self, s: int) -> int:
        """Return a literal that is true if the spot is free, and the rules allow it."""
        allowed = TRUE if self.legal_spots is None else self.legal_spots[s](self)
        return self.circuit.every([-self.taken(s), allowed])

    def _ply_is(self, wanted: Callable[[int], bool]) -> int:
        """Return a literal that is true if ``wanted`` is true of the ply."""
        ply, every, at_least = self.ply(), self.circuit.every, self.circuit.at_least
        plies = range(self.rules.cells + 1)
        if all(map(wanted, plies)):
            return TRUE
        return self.circuit.some([every([at_least(ply, k), -at_least(ply, k + 1)]) for k in plies if wanted(k)])
