"""Lines of a board: spots that are held and spots that are not, and which marks hold one.

Trusted for: that marks hold a line just where they are on all of the first spots and on none of the others.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from verifier.kernel.errors import SpecError

Line = tuple[tuple[int, ...], tuple[int, ...]]
"""The spots that are held, and those that are not."""

MAX_LINES = 500

TABLE_CELLS, _PART, _KEPT_MASKS = 16, 8, 1024
"""Up to how many spots it is remembered of every mask whether it holds a line; how many spots are looked at together;
and how many masks of a larger board are remembered."""


def parse_lines(data: list[list[list[int]]], cells: int) -> tuple[Line, ...]:
    """Return lines, which have their shape already."""
    for line in data:
        if any(spots != sorted(set(spots)) or max(spots, default=0) >= cells for spots in line):
            raise SpecError(f"{str(line)[:60]}: a line is spots below {cells} in ascending order")
        if not line[0] or set(line[0]) & set(line[1]):
            raise SpecError(f"{str(line)[:60]}: a line has a spot that is held, and none that is also not held")
    lines = tuple((tuple(held), tuple(not_held)) for held, not_held in data)
    if len(lines) > MAX_LINES or list(lines) != sorted(set(lines)):
        raise SpecError(f"there are at most {MAX_LINES} lines, in ascending order, each once")
    return lines


def line_test(lines: tuple[Line, ...], cells: int) -> Callable[[int], int]:
    """Return the function that says of a mask of spots whether it holds a line (1 or 0).

    A table of a part of the board says which lines nothing in that part speaks against, a bit for each line. A mask
    holds a line where nothing in any part speaks against it.
    """

    @functools.cache
    def parts() -> list[tuple[int, list[int]]]:
        """Return the tables, which are made when they are first asked: most rules are read and not played."""
        found = []
        for first in range(0, cells, _PART):
            table = [(1 << len(lines)) - 1]
            for s in range(first, min(first + _PART, cells)):
                free = sum(1 << number for number, (held, _) in enumerate(lines) if s not in held)
                marked = sum(1 << number for number, (_, others) in enumerate(lines) if s not in others)
                table = [left & free for left in table] + [left & marked for left in table]
            found.append((first, table))
        return found

    @functools.lru_cache(maxsize=_KEPT_MASKS if cells > TABLE_CELLS else None)
    def has_line(mask: int) -> int:
        left = -1
        for first, table in parts():
            left &= table[mask >> first & (1 << _PART) - 1]
        return int(left != 0)

    return has_line
