"""Positions of ultimate tic-tac-toe as arrays and as rows of three words.

An array has 22 places: the fields' marks of Xavier (0 to 8) and of Olivia (9 to 17) as masks of nine bits, the active
field, the masks of the fields that each of them owns, and the ply.
"""

from __future__ import annotations

import numpy as np

from verifier.kernel.games.nested import ALIGNED_MASKS, FULL_FIELD_MASK, HAS_LINE, Position
from verifier.search.jit import Array, compiled, integers

SIZE = 22
ACTIVE = 18
X_FIELDS = 19
O_FIELDS = 20
PLY = 21

WORDS = 3
"""The length of a row: fields 0 to 6 of Xavier, those of Olivia, and the rest."""

POPCOUNT: Array = np.array([mask.bit_count() for mask in range(512)], dtype=np.int64)
ALIGNED: Array = np.array([any(mask & line == line for line in ALIGNED_MASKS) for mask in range(512)], dtype=np.int64)


@compiled
def pack(p: Array, row: Array) -> None:
    """Write a position into a row."""
    x, o = 0, 0
    for f in range(7):
        x |= p[f] << (9 * f)
        o |= p[9 + f] << (9 * f)
    row[0] = x
    row[1] = o
    row[2] = p[7] | p[8] << 9 | p[16] << 18 | p[17] << 27 | p[18] << 36 | p[19] << 40 | p[20] << 49


@compiled
def unpack(row: Array, p: Array) -> None:
    """Read a position from a row."""
    for f in range(7):
        p[f] = row[0] >> (9 * f) & 511
        p[9 + f] = row[1] >> (9 * f) & 511
    rest = row[2]
    p[7] = rest & 511
    p[8] = rest >> 9 & 511
    p[16] = rest >> 18 & 511
    p[17] = rest >> 27 & 511
    p[18] = rest >> 36 & 15
    p[19] = rest >> 40 & 511
    p[20] = rest >> 49 & 511
    count = 0
    for f in range(18):
        count += POPCOUNT[p[f]]
    p[21] = count


def to_array(position: Position, *, with_owners: bool) -> Array:
    """Return the array of a position of the kernel; without owners it has none."""
    p = integers(SIZE)
    for f in range(9):
        p[f] = position.x_mask >> 9 * f & FULL_FIELD_MASK
        p[9 + f] = position.o_mask >> 9 * f & FULL_FIELD_MASK
    p[ACTIVE] = position.active
    if with_owners:
        p[X_FIELDS], p[O_FIELDS] = position.x_fields_mask, position.o_fields_mask
    p[PLY] = (position.x_mask | position.o_mask).bit_count()
    return p


def to_position(p: Array, *, with_owners: bool) -> Position:
    """Return the kernel's position of an array; without owners, with some that its marks allow."""
    cells = [int(value) for value in p]
    x = sum(cells[f] << 9 * f for f in range(9))
    o = sum(cells[9 + f] << 9 * f for f in range(9))
    if with_owners:
        return Position(x, o, cells[X_FIELDS], cells[O_FIELDS], cells[ACTIVE])
    x_fields = sum(1 << f for f in range(9) if HAS_LINE[cells[f]])
    o_fields = sum(1 << f for f in range(9) if HAS_LINE[cells[9 + f]]) & ~x_fields
    return Position(x, o, x_fields, o_fields, cells[ACTIVE])
