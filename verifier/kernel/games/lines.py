"""Lines of a board, such as three spots in a row, and permutations of the spots.

A line has spots to hold and, rarely, spots not to hold. Marks *hold* the line if they are on all spots of the first
kind and on none of the second. A mask is a set of spots: bit s is spot s. A permutation lists, for each spot, the spot
that it goes to. This module is trusted for three answers: whether a mask holds a line, whether a permutation takes
lines to lines, and what the image of a mask is.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from verifier.kernel.errors import SpecError

LineSpots = tuple[tuple[int, ...], tuple[int, ...]]
"""The spots to hold, and the spots not to hold."""

MAX_LINES = 500

TABLE_CELLS, _KEPT_MASKS = 16, 1024
"""``line_test`` caches all answers for a board of up to ``TABLE_CELLS`` spots, ``_KEPT_MASKS`` answers for others."""


def parse_lines(data: list[list[list[int]]], cells: int) -> tuple[LineSpots, ...]:
    """Read lines from data whose shape was checked."""
    for line in data:
        if any(spots != sorted(set(spots)) or max(spots, default=0) >= cells for spots in line):
            raise SpecError(f"{str(line)[:60]}: a line must have spots below {cells}, in ascending order")
        if not line[0] or set(line[0]) & set(line[1]):
            raise SpecError(f"{str(line)[:60]}: a line needs a spot to hold, and its two lists may not share a spot")
    lines = tuple((tuple(held), tuple(not_held)) for held, not_held in data)
    if len(lines) > MAX_LINES or list(lines) != sorted(set(lines)):
        raise SpecError(f"there must be at most {MAX_LINES} lines, in ascending order, each once")
    return lines


def line_test(lines: tuple[LineSpots, ...], cells: int) -> Callable[[int], int]:
    """Return a function of a mask: it returns 1 if the mask holds a line, and 0 if not."""
    masks = [(sum(1 << s for s in held), sum(1 << s for s in (*held, *others))) for held, others in lines]

    @functools.lru_cache(maxsize=_KEPT_MASKS if cells > TABLE_CELLS else None)
    def has_line(mask: int) -> int:
        for held, spots in masks:
            if mask & spots == held:
                return 1
        return 0

    return has_line


Permutation = tuple[int, ...]

MAX_KEPT_IMAGES = 4_000_000
"""Maximum number of cached images of masks; a mask has one image for each permutation."""


def symmetries(rows: int, columns: int) -> Iterator[Permutation]:
    """Yield the symmetries of a rectangle as permutations of its spots: eight if it is a square, otherwise four."""
    places = [divmod(s, columns) for s in range(rows * columns)]
    for down, right in itertools.product((False, True), repeat=2):
        turned = [(rows - 1 - r if down else r, columns - 1 - c if right else c) for r, c in places]
        yield tuple(columns * r + c for r, c in turned)
        if rows == columns:
            yield tuple(columns * c + r for r, c in turned)


def keeps_lines(permutation: Permutation, lines: Mapping[str, Collection[LineSpots]]) -> bool:
    """Say whether a permutation takes each line of a player to a line of that player."""
    return all(
        {tuple(tuple(sorted(permutation[s] for s in spots)) for spots in line) for line in own} == set(own)
        for own in lines.values()
    )


class Images(dict[int, tuple[int, ...]]):
    """The images of masks: for each mask, an image for each permutation, computed when the mask is first looked up."""

    # There is no reference cycle, so the images are freed with the last reference to this object.

    def __init__(self, permutations: Iterable[Permutation]) -> None:
        moved = enumerate(zip(*permutations, strict=True))
        self._single = {1 << s: tuple([1 << to for to in images]) for s, images in moved}
        self._single[0] = (0,) * len(self._single[1])
        super().__init__(self._single)

    def __missing__(self, mask: int) -> tuple[int, ...]:
        top = mask.bit_length() - 1
        part = mask >> (top & -16) << (top & -16)  # the marks in one group of 16 spots: many masks share them
        part = 1 << top if part == mask else part
        found = tuple(map(operator.or_, self[mask ^ part], self[part]))
        if len(self) * len(found) >= MAX_KEPT_IMAGES:
            self.clear()
            self.update(self._single)
        self[mask] = found
        return found
