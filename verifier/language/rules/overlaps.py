"""Finds assignments of one move that can give a cell two different values, for the hints of ``validate``."""

from __future__ import annotations

from typing import Any, NamedTuple

from verifier.language.names import Formula, Term
from verifier.language.operators import conjunction, equivalence, negation

Cell = tuple[str | int, ...]
"""The name of a cell, and its indices."""

MAX_OVERLAPS = 2_000
"""Maximum number of overlaps that are collected for one rules file."""


class Overlap(NamedTuple):
    """Two assignments of one move that can give one cell two different values.

    Attributes:
        place: the file and line of the later assignment.
        move, player: the move, as it is written, and the player who makes it.
        cell: the cell, as an expression.
        condition: the formula that is true in the positions in which the values differ.
    """

    place: str
    move: str
    player: str
    cell: str
    condition: Any


class Overlaps:
    """Collects the overlaps of a rules file, move by move.

    Attributes:
        found: the overlaps that were found so far.
    """

    def __init__(self) -> None:
        self.found: list[Overlap] = []
        self._assigned: dict[Cell, list[tuple[Any, Any]]] = {}

    def begin_move(self) -> None:
        """Forget the assignments of the move before."""
        self._assigned.clear()

    def note(self, place: str, move: str, player: str, cell: Cell, condition: Any, value: Any) -> None:
        """Note an assignment that is made if ``condition`` is true. Collect its overlaps with earlier assignments."""
        earlier = self._assigned.setdefault(cell, [])
        shown = f"{cell[0]}{[*cell[1:]]}" if cell[1:] else str(cell[0])
        for before, other in earlier:
            both = conjunction([before, condition, _differ(other, value)])
            if both is not False and len(self.found) < MAX_OVERLAPS:
                self.found.append(Overlap(place, move, player, shown, both))
        earlier.append((condition, value))


def _differ(one: Any, other: Any) -> Any:
    """Return the formula which says that two values of a cell differ."""
    if isinstance(one, Formula):
        return negation(equivalence(one.node, other.node))
    if isinstance(one, int) and isinstance(other, int):
        return one != other
    return ["!=", *(value.node if isinstance(value, Term) else value for value in (one, other))]
