"""Positions as literals of a circuit, in what all families have in common: marks, whose turn it is, and what is kept.

Trusted for: what ``symbolic`` is, of which this is a part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from verifier.kernel.circuit import Circuit, Term, add, count
from verifier.kernel.errors import SpecError

OTHER = {"X": "O", "O": "X"}

Move = tuple[int, ...]

Said: TypeAlias = Callable[[Any], Any]
"""What a formula (a literal) or a term (a ``Term``) says of a position."""

EVERYTHING = -1
"""All bits: a word that may speak of anything in a position."""


class Marks:
    """What positions of all games have: a literal for each mark, by player and spot.

    ``named`` is what formulas with a name say of it; ``origin`` the position before the last move, which may have
    ``changed`` what these bits stand for; ``words`` returns what ``word`` says, of all words with the same indices.
    ``formulas`` are those under which moves are legal, where the rules have some, and ``legal_spots`` what they say.
    """

    words: Any
    formulas: Sequence[Any] | None = None
    legal_spots: Sequence[Said] | None = None

    def __init__(self, circuit: Circuit, rules: Any, marks: dict[str, list[int]]) -> None:
        self.circuit, self.rules, self.marks = circuit, rules, marks
        self.named: dict[int, Any] = {}
        self.origin: Any = None
        self.changed = 0
        self._taken: list[int] = [0] * len(marks["X"])
        self._known: dict[tuple[str, object], int] = {}

    def word(self, name: str, args: list[int]) -> tuple[Said, int]:
        """Return what a word of the game says, and what it speaks of, as bits."""
        found: tuple[Said, int] | None = self.words(args).get(name)
        if found is None:
            raise SpecError(f"{name!r} has no symbolic form: the kernel solves the game from one position at a time")
        return found

    def taken(self, at: int) -> int:
        """Say that a spot holds a mark."""
        found = self._taken[at]
        if not found:
            found = self._taken[at] = self.circuit.some([self.marks["X"][at], self.marks["O"][at]])
        return found

    def ply(self) -> Term:
        """Return the number of marks."""
        return count(map(self.taken, range(len(self.marks["X"]))))

    def turn(self, player: str) -> int:
        """Say that a player is to move: Olivia where Xavier has more marks."""
        more = self.circuit.at_least(self._more(), 1)
        return more if player == "O" else -more

    def invariant(self) -> dict[str, list[int]]:
        """Return what makes a position well formed, by name: together, that ``find_fault`` of its game finds nothing.

        ``marks``, ``sums``: no spot holds two; ``turn``: the marks alternate; ``last``: the last mark was the other
        player's, and before it the game went on; ``owners``: of fields; ``over``: one mark won; ``active``: one active
        field, which a mark explains.
        """
        at_least, marks = self.circuit.at_least, self.marks
        doubled = add([(count(marks["X"] + marks["O"]), 1), (self.ply(), -1)])
        return {
            "position.marks": [-self.circuit.every(pair) for pair in zip(marks["X"], marks["O"], strict=True)],
            "position.sums": [at_least(doubled, 0), -at_least(doubled, 1)],
            "position.turn": [at_least(self._more(), 0), -at_least(self._more(), 2)],
        }

    def _once(self, said: Callable[[Any], int], about: object) -> int:
        """Return what a method says about something, and keep it: it is asked for often."""
        key = (said.__name__, about)
        if key not in self._known:
            self._known[key] = said(about)
        return self._known[key]

    def _more(self) -> Term:
        return add([(count(self.marks["X"]), 1), (count(self.marks["O"]), -1)])
