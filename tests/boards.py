"""Games on one board: named games for the tests of the search and for the bench, and their lines."""

import functools
import itertools
from collections.abc import Iterable

from tests.audit.made import MADE
from tests.rules import load_library
from verifier.language.library import Library

Lines = frozenset[frozenset[int]]
BOARDS = MADE / "boards"


def shape(spots: Iterable[tuple[int, int]], rows: int, columns: int) -> Lines:
    """Return all placements of a shape, turned and mirrored."""
    images = []
    for down, right, turn in itertools.product((1, -1), (1, -1), (False, True)):
        image = [(down * r, right * c) for r, c in spots]
        images.append([(c, r) for r, c in image] if turn else image)
    found = set()
    for image in images:
        for r, c in itertools.product(range(-rows, 2 * rows), range(-columns, 2 * columns)):
            placed = [(r + a, c + b) for a, b in image]
            if all(0 <= a < rows and 0 <= b < columns for a, b in placed):
                found.add(frozenset(columns * a + b for a, b in placed))
    return frozenset(found)


def in_a_row(length: int, rows: int, columns: int) -> Lines:
    """Return the rows, columns and diagonals of neighbours."""
    straight = shape([(0, i) for i in range(length)], rows, columns)
    return straight | shape([(i, i) for i in range(length)], rows, columns)


@functools.cache
def boards() -> Library:
    """Return a claim about named games of one board: a reading for each known fact."""
    return load_library(BOARDS)
