"""All fields that a race can have, as one array. Row n is the field that has the number n in the kernel's table."""

from __future__ import annotations

import functools
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from verifier.kernel.race.relaxation import NEVER, field_table

Rows: TypeAlias = npt.NDArray[np.int16]
"""The table: a row of 64 bytes for each field, so that a row is one line of a processor's cache."""

AFTER_X = 0
"""The first of nine columns: the field after Xavier's mark on each spot; -1 if the spot is taken."""
AFTER_O = 9
"""The first of nine columns: the field after Olivia's mark on each spot; -1 if the spot is taken."""
COARSE = 18
"""The first of three columns, for n = 0, 1, 2: the field in which all lines that need more than n marks are blocked."""
FREE_SPOTS = 21
"""The column of the mask of free spots."""
NEED = 22
"""The column of the fewest marks with which Xavier owns the field; ``DEAD`` if he cannot."""
ROOM = 23
"""The column of the number of free spots."""
USEFUL_MASK = 24
"""The column of a mask of spots. A mark of Xavier's on one of these spots lowers the need by one."""
USEFUL = 25
"""The column of the number of spots in ``USEFUL_MASK``."""
COLUMNS = 32

DEAD = 40
"""The need of a field that Xavier cannot own. It is more than ``MOST_MARKS``, and less than 128 when tripled."""

MOST_MARKS = 31
"""Maximum number of marks in a search."""


@functools.cache
def rows() -> Rows:
    """Return the table. It is shared: do not write to it."""
    fields = field_table()
    table = np.zeros((len(fields.need), COLUMNS), dtype=np.int16)
    table[:, AFTER_X : AFTER_X + 9] = fields.after_x
    table[:, AFTER_O : AFTER_O + 9] = fields.after_o
    table[:, COARSE : COARSE + 3] = np.transpose(fields.coarse[:3])
    table[:, FREE_SPOTS] = fields.free
    table[:, NEED] = [DEAD if need == NEVER else need for need in fields.need]
    table[:, ROOM] = [mask.bit_count() for mask in fields.free]
    table[:, USEFUL_MASK] = fields.useful
    table[:, USEFUL] = [mask.bit_count() for mask in fields.useful]
    return table
