"""The marks that Xavier needs for each of the eight lines of fields, in one integer of 64 bits (a *word*).

The *need* of a field is the fewest marks with which Xavier can own it; 40 (``tables.DEAD``) if he cannot. Each line has
a byte of the word, its *lane*. A lane is the sum of the needs of the three fields of its line. The sum is at most three
times 40, so it is below 128. This leaves the top bit of a lane for the result of a comparison. So one operation on a
word works on all eight lines (SWAR: SIMD within a register).
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import numpy as np

from verifier.kernel.games import nested
from verifier.kernel.games.nested import ANY, LINES
from verifier.search.bounded.tables import AFTER_O, AFTER_X, COARSE, FREE_SPOTS, NEED, ROOM, USEFUL, Rows
from verifier.search.jit import Array, compiled, find_version

RACE_CODE_VERSION = find_version(pathlib.Path(__file__).parent, pathlib.Path(nested.__file__))
"""The version of machine code that is kept on disk (``jit.keep_machine_code``)."""

ONES = 0x0101010101010101
TOPS = -0x7F7F7F7F7F7F7F80
"""The top bit of each lane, as a signed word."""

LANE = np.array([sum(1 << 8 * n for n, line in enumerate(LINES) if f in line) for f in range(9)], dtype=np.int64)
"""For each field, a word with 1 in the lane of each line through the field."""

TOP = LANE << 7
"""For each field, a word with the top bit of the lane of each line through the field."""


@compiled
def add_needs(rows: Rows, fields: Array) -> int:
    """Return the word with the lanes of nine fields."""
    lanes = 0
    for f in range(9):
        lanes += LANE[f] * rows[fields[f], NEED]
    return lanes


@compiled
def lowest(lanes: int) -> int:
    """Return the least lane: the fewest marks that complete a line of fields."""
    x, y = lanes & 0xFFFFFFFF, lanes >> 32
    chosen = ((((x | 0x80808080) - y) & 0x80808080) >> 7) * 0xFF
    x = (y & chosen) | (x & ~chosen)
    x, y = x & 0xFFFF, x >> 16
    chosen = ((((x | 0x8080) - y) & 0x8080) >> 7) * 0xFF
    x = (y & chosen) | (x & ~chosen)
    return min(x & 0xFF, x >> 8)


@compiled
def at_most(lanes: int, marks: int) -> int:
    """Return a word with the top bit of each lane that is at most ``marks``. ``marks`` can be as low as -1."""
    return ((marks + 128) * ONES - lanes) & TOPS


@compiled
def lanes_from(lanes: int, active: int, need: int) -> int:
    """Return a word with the marks that Xavier needs for each line, if he is to move in a field with this ``need``.

    If the field is not on a line, or is his already, his next mark does not help the line: add 1 to the line's lane.
    """
    if active == ANY:
        return lanes
    return lanes + ONES - (LANE[active] if need > 0 else 0)


@compiled
def lanes_of_x(rows: Rows, fields: Array, active: int, lanes: int) -> int:
    """Return ``lanes_from`` with the need of the active field of a race."""
    return lanes_from(lanes, active, rows[fields[min(active, 8)], NEED])


@compiled
def count_helpful(rows: Rows, fields: Array, active: int, lanes: int, marks: int) -> int:
    """Return the number of Xavier's moves after which he has enough marks left for some line of fields.

    ``marks`` is the number of marks that he has left, this move included.
    """
    if active != ANY:
        row = fields[active]
        if at_most(lanes, marks - 1):
            return int(rows[row, ROOM])
        return int(rows[row, USEFUL]) if at_most(lanes, marks) & TOP[active] else 0
    total = 0
    if at_most(lanes, marks - 1):
        for f in range(9):
            total += rows[fields[f], ROOM]
        return total
    near = at_most(lanes, marks)
    for f in range(9):
        if near & TOP[f]:
            total += rows[fields[f], USEFUL]
    return total


@compiled
def target(rows: Rows, fields: Array, f: int, s: int, after: int) -> int:
    """Return the active field after a mark on spot s of field f. The mark turns the field into ``after``."""
    return s if rows[after if s == f else fields[s], FREE_SPOTS] else ANY


@compiled
def moves_of(rows: Rows, fields: Array, active: int) -> Iterator[int]:
    """Yield the legal moves, in ascending order."""
    lo, hi = (0, 9) if active == ANY else (active, active + 1)
    for f in range(lo, hi):
        free = rows[fields[f], FREE_SPOTS]
        for s in range(9):
            if free >> s & 1:
                yield 9 * f + s


@compiled
def play(rows: Rows, fields: Array, lanes: int, move: int, side: int) -> tuple[int, int, int]:
    """Play a move in ``fields``, by Olivia if ``side`` is 1. Return the active field, the lanes, and the old field."""
    f, s = move // 9, move % 9
    number = fields[f]
    after = rows[number, (AFTER_O if side else AFTER_X) + s]
    to = target(rows, fields, f, s, after)
    fields[f] = after
    return to, lanes + LANE[f] * (rows[after, NEED] - rows[number, NEED]), number


@compiled
def coarse_number(rows: Rows, number: int, top: int, near: int, nearer: int) -> int:
    """Return the coarse form of a field, in which lines of spots that cannot matter are blocked.

    ``top`` has the top bits of the lanes of all lines through the field. ``near`` has the top bits of the lanes that
    are at most the number of marks that Xavier has left. ``nearer`` has the top bits of the lanes below this number.
    """
    spare = 0
    if near & top:
        # If Xavier can spend three marks in the field, no line of spots is blocked. The form for two marks is the same
        # field: it blocks only lines that need three marks. This changes nothing, as Xavier has no marks on such lines.
        spare = min(2, rows[number, NEED] + (1 if nearer & top else 0))
    return int(rows[number, COARSE + spare])


@compiled
def key(rows: Rows, fields: Array, active: int, lanes: int, marks: int) -> tuple[int, int]:
    """Return the coarsened race in two words. The first has at most 62 bits, and is not 0 if any marks are left."""
    near, nearer = at_most(lanes, marks), at_most(lanes, marks - 1)
    last = coarse_number(rows, fields[8], TOP[8], near, nearer)
    first, second = marks << 5 | last & 31, active << 8 | last >> 5
    for f in range(4):
        first = first << 13 | coarse_number(rows, fields[f], TOP[f], near, nearer)
        second = second << 13 | coarse_number(rows, fields[f + 4], TOP[f + 4], near, nearer)
    return first, second


@compiled
def spread(first: int, second: int) -> int:
    """Return a hash of a key."""
    h = first * -0x61C8864680B583EB ^ (second + 0x7F4A7C15) * -0x3D4D51C2D82B14B1
    h ^= (h >> 29) & 0x7FFFFFFFF
    h *= -0x40A7B892E31B1A47
    return h ^ ((h >> 32) & 0xFFFFFFFF)


@compiled
def race_entry(memory: Array, first: int, second: int) -> int:
    """Return the place of a race in a table with two words for each race."""
    return int((spread(first, second) & (len(memory) // 2 - 1)) * 2)
