"""What the search reads off one word is what the kernel says of the nine fields."""

from __future__ import annotations

import numpy as np

from tests.search.bounded.races import boards
from verifier.kernel.games.nested import ANY
from verifier.kernel.race.relaxation import NEVER, coarsen, least, least_from, needs_of
from verifier.search.bounded.swar import add_needs, at_most, key, lanes_of_x, lowest
from verifier.search.bounded.tables import DEAD, rows

MARKS = range(1, 20)


def test_the_fewest_marks_are_the_kernels() -> None:
    """The least lane is ``least``, with the next mark's field ``least_from``; a comparison finds the lanes below."""
    for board, _ in boards(300):
        needs = needs_of(board.fields)
        laid = np.array(board.fields, dtype=np.int64)
        lanes = add_needs(rows(), laid)
        for active in (board.active, ANY):
            found = lowest(lanes_of_x(rows(), laid, active, lanes))
            assert found == least_from(needs, active) or (found >= DEAD and least_from(needs, active) >= NEVER)
        for marks in MARKS:
            assert bool(at_most(lanes, marks)) == (least(needs) <= marks)


def test_a_key_is_the_coarsened_race() -> None:
    """A key holds the numbers of the fields as the kernel coarsens them, the active field and the marks."""
    for board, _ in boards(300):
        laid = np.array(board.fields, dtype=np.int64)
        for marks in MARKS:
            first, second = key(rows(), laid, board.active, add_needs(rows(), laid), marks)
            numbers = [first >> 13 * (3 - f) & 8191 for f in range(4)] + [
                second >> 13 * (3 - f) & 8191 for f in range(4)
            ]
            last = (second >> 52 & 255) << 5 | first >> 52 & 31
            assert (*numbers, last) == coarsen(board.fields, marks)
            assert (second >> 60 & 15, first >> 57) == (board.active, marks)
