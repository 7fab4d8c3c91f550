"""The rules of the family ``nested`` in a second form: for positions whose marks are literals of a ``circuit``.

This is the family's part of ``symbolic``. It is trusted to give words and moves the same meaning as ``nested``.
"""

from __future__ import annotations

from verifier.kernel.circuit import FALSE, TRUE, Circuit, count_true
from verifier.kernel.games import OTHER, Move
from verifier.kernel.games.nested import ANY, LINES, NestedGame
from verifier.kernel.symbolic import EVERYTHING, Marks, SymbolicValue


class NestedState(Marks):
    """A position of nine fields of nine spots: a literal for each mark, owner and active field."""

    def __init__(
        self, circuit: Circuit, rules: NestedGame, marks: dict[str, list[int]], owners: dict[str, list[int]]
    ) -> None:
        super().__init__(circuit, rules, marks)
        self.owners = owners
        self.active = [FALSE] * (ANY + 1)

    @classmethod
    def unknown(cls, circuit: Circuit, rules: NestedGame) -> NestedState:
        """Return a position whose literals are new inputs of the circuit, so that nothing is known about it."""
        state = cls(circuit, rules, *({p: circuit.variables(size) for p in "XO"} for size in (81, 9)))
        state.active = circuit.variables(ANY + 1)
        return state

    def moves(self) -> list[Move]:
        """Return a move for every field and spot."""
        return [divmod(at, 9) for at in range(81)]

    def full(self, f: int) -> int:
        """Return a literal that is true if the field has no free spot."""
        return self.circuit.every(map(self.taken, range(9 * f, 9 * f + 9)))

    def wins(self, player: str) -> int:
        """Return a literal that is true if the player owns three aligned fields."""
        return self._line(self.owners[player])

    def takes_visitors(self, f: int) -> int:
        """Return a literal that is true if a player who is sent to the field has to play there."""
        shut = [self.owners["X"][f], self.owners["O"][f]] if self.rules.closed else []
        return -self.circuit.some([self._once(self.full, f), *shut])

    def is_chosen(self, f: int) -> int:
        """Return a literal that is true if a player with a free choice of field can choose this one."""
        return -self._once(self.full, f) if self.rules.free_reaches_decided else self.takes_visitors(f)

    def over(self) -> int:
        """Return a literal that is true if the game has ended."""
        stuck = self.circuit.every([self.active[ANY], *(-self._once(self.is_chosen, f) for f in range(9))])
        return self.circuit.some([stuck, *self._won()])

    def legal(self, move: Move) -> int:
        """Return a literal that is true if the move is legal for the player to move."""
        f, s = move
        chosen = self.circuit.every([self.active[ANY], self._once(self.is_chosen, f)])
        reached = self.circuit.some([self.active[f], chosen])
        return self.circuit.every([reached, -self.taken(9 * f + s), *(-won for won in self._won())])

    def play(self, mover: str, move: Move) -> NestedState:
        """Return the position after a legal move."""
        f, s = move
        marks, owners = ({player: list(held) for player, held in of.items()} for of in (self.marks, self.owners))
        marks[mover][9 * f + s] = TRUE
        after = NestedState(self.circuit, self.rules, marks, owners)
        gained = self.circuit.every([after._line(marks[mover][9 * f : 9 * f + 9]), -owners[OTHER[mover]][f]])
        owners[mover][f] = self.circuit.some([owners[mover][f], gained])
        after.active[s] = after.takes_visitors(s)
        after.active[ANY] = -after.active[s]
        after._taken[:] = self._taken
        after._taken[9 * f + s] = TRUE
        after.origin, after.changed = self, 1 << 9 * f + s | 1 << 81 + f | 1 << 90
        return after

    @staticmethod
    def words(args: list[int]) -> dict[str, tuple[SymbolicValue, int]]:
        """Return the words (see ``Marks``). Bits 0–80 stand for spots, 81–89 for owned fields, 90 for ``active``."""
        at = 9 * args[0] + args[1] if len(args) == 2 else sum(args)
        return {
            "X": (lambda p: p.marks["X"][at], 1 << at),
            "O": (lambda p: p.marks["O"][at], 1 << at),
            "free": (lambda p: -p.taken(at), 1 << at),
            "full": (lambda p: p._once(p.full, at), 511 << 9 * at),
            "won_by_X": (lambda p: p.owners["X"][at], 1 << 81 + at),
            "won_by_O": (lambda p: p.owners["O"][at], 1 << 81 + at),
            "active": (lambda p: p.active[at], 1 << 90),
            "X_wins": (lambda p: p._once(p.wins, "X"), 511 << 81),
            "O_wins": (lambda p: p._once(p.wins, "O"), 511 << 81),
            "over": (lambda p: p.over(), EVERYTHING),
        }

    def invariant(self) -> dict[str, list[int]]:
        """Return the conditions of a well-formed position, as literals by name (``Marks.invariant``)."""
        some, marks, owners = self.circuit.some, self.marks, self.owners
        fields = {player: [marks[player][9 * f : 9 * f + 9] for f in range(9)] for player in "XO"}
        owned: list[int] = []
        for f in range(9):
            x, o, x_line, o_line = *(owners[p][f] for p in "XO"), *(self._line(fields[p][f]) for p in "XO")
            pairs = [(-x, -o), (-x, x_line), (-o, o_line), (-x_line, x, o), (-o_line, x, o)]
            if not self.rules.free_reaches_decided:
                pairs += [(-x, -o_line), (-o, -x_line)]
                owned += [self._loses_lines(fields[player][f]) for player in "XO"]
            owned += map(some, pairs)
        exact = count_true(self.active)
        active = [self.circuit.at_least(exact, 1), -self.circuit.at_least(exact, 2), *self._explained("XO")]
        active += [some([-self.active[f], self._once(self.takes_visitors, f)]) for f in range(9)]
        last = [some([self._once(self.turn, player), why]) for player in "XO" for why in self._explained(player)]
        over = []
        if not self.rules.play_on:
            last += [some([-self.wins(player), self.turn(OTHER[player])]) for player in "XO"]
            over = [some([-self.wins("X"), -self.wins("O")]), *(self._loses_lines(owners[p]) for p in "XO")]
        found = {"owners": owned, "active": active, "last": last, "over": over}
        return super().invariant() | {f"position.{name}": literals for name, literals in found.items()}

    def _explained(self, players: str) -> list[int]:
        """Return literals, all true exactly if ``active`` fits an empty board, or a last mark of ``players``."""
        some = self.circuit.some
        sent = [some([self.marks[p][9 * g + f] for p in players for g in range(9)]) for f in range(9)]
        refusing = [self.circuit.every([sent[f], -self._once(self.takes_visitors, f)]) for f in range(9)]
        free = some([-self.active[ANY], -some(self.marks["X"] + self.marks["O"]), *refusing])
        return [*(some([-self.active[f], sent[f]]) for f in range(9)), free]

    def _won(self) -> list[int]:
        return [] if self.rules.play_on else [self._once(self.wins, player) for player in "XO"]

    def _line(self, places: list[int]) -> int:
        return self.circuit.some([self.circuit.every([places[at] for at in line]) for line in LINES])

    def _loses_lines(self, places: list[int]) -> int:
        """Return a literal that is true if these places have no line, or one place is on all their lines."""
        every = self.circuit.every
        lines = [(line, every([places[at] for at in line])) for line in LINES]
        return self.circuit.some([every([-whole for line, whole in lines if at not in line]) for at in range(9)])
