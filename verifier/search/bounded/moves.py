"""Make single moves in a race, and decide races with few marks left, as the kernel does.

The docstring of the package says what a *race* is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.kernel.games.nested import ANY
from verifier.kernel.race.endgame import Endgames
from verifier.kernel.race.relaxation import FIELDS, SPOTS_OF_MASK, Fields, field_table, least_from, needs_of


def free_spots_of(fields: Sequence[int], active: int) -> Iterator[tuple[int, int]]:
    """Yield the legal moves, each as a field and a spot, in ascending order."""
    free = field_table().free
    for f in FIELDS[active]:
        for s in SPOTS_OF_MASK[free[fields[f]]]:
            yield f, s


def play_mark(fields: Fields, f: int, s: int, *, is_xavier: bool) -> tuple[Fields, int]:
    """Return the fields and the active field after a mark on a free spot."""
    table = field_table()
    number = (table.after_x if is_xavier else table.after_o)[fields[f]][s]
    after = (*fields[:f], number, *fields[f + 1 :])
    return after, s if table.free[after[s]] else ANY


def wins_race(endgames: Endgames, fields: Fields, active: int, marks: int) -> bool:
    """Return True if Xavier, who is to move, wins a race within a number of marks."""
    needs = needs_of(fields)
    return least_from(needs, active) <= marks and endgames.is_won(list(fields), needs, active, marks)
