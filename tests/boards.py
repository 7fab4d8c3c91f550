"""Games of one board: named ones, for the search's tests and for the bench, and lines that are made here."""

import functools
import itertools
import pathlib
from collections.abc import Iterable

from tests.audit.made import MADE
from verifier.language.folder import load_library
from verifier.language.library import Library

Lines = frozenset[frozenset[int]]
BOARDS = MADE / "boards"

RULES = """rules: {name}
title: The board {name}
source: {{document: none, place: here, says: The player who first has a line wins.}}
family: positional
board: {{rows: {rows}, columns: {columns}}}
lines: {lines}
outcomes: {{X has a line: {{when: X_line, result: X}}, O has a line: {{when: O_line, result: O}}}}
"""
CLAIM = """claim: {name}
title: The claim {name}
source: {{document: none, place: here, says: Something can be done.}}
rules: {board}
readings:
  as-stated: {{can: {claimant}, expect: {verdict}, objectives: {{goal: {objective}}}}}
"""


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
    """Return a claim that says of named games of one board what is known, a reading of each."""
    return load_library(BOARDS)


def write_rules(folder: pathlib.Path, name: str, size: tuple[int, int], lines: str) -> None:
    """Write rules by which the player who first has a line wins."""
    text = RULES.format(name=name, rows=size[0], columns=size[1], lines=lines)
    (folder / "rules").mkdir(exist_ok=True)
    (folder / "rules" / f"{name}.yaml").write_text(text)
