"""Lines of a board: spots that are held and spots that are not; which marks hold one; permutations of the spots.

Trusted for: that marks hold a line just where they are on all of the first spots and on none of the others; which
permutations, each as where every spot goes, take lines to lines, and what they make of masks of spots.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from verifier.kernel.errors import SpecError

Line = tuple[tuple[int, ...], tuple[int, ...]]
"""The spots that are held, and those that are not."""

MAX_LINES = 500

TABLE_CELLS, _KEPT_MASKS = 16, 1024
"""Up to how many spots it is remembered of every mask whether it holds a line; how many masks of a larger board are."""


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
    """Return the function that says of a mask of spots whether it holds a line (1 or 0)."""
    masks = [(sum(1 << s for s in held), sum(1 << s for s in (*held, *others))) for held, others in lines]

    @functools.lru_cache(maxsize=_KEPT_MASKS if cells > TABLE_CELLS else None)
    def has_line(mask: int) -> int:
        for held, spots in masks:
            if mask & spots == held:
                return 1
        return 0

    return has_line


Permutation = tuple[int, ...]

MAX_KEPT = 4_000_000
"""How many images of masks are remembered: of a mask there are as many as permutations."""


def symmetries(rows: int, columns: int) -> Iterator[Permutation]:
    """Yield where each symmetry of a rectangle takes its spots: four, and of a square eight."""
    places = [divmod(s, columns) for s in range(rows * columns)]
    for down, right in itertools.product((False, True), repeat=2):
        turned = [(rows - 1 - r if down else r, columns - 1 - c if right else c) for r, c in places]
        yield tuple(columns * r + c for r, c in turned)
        if rows == columns:
            yield tuple(columns * c + r for r, c in turned)


def keeps_lines(permutation: Permutation, lines: Mapping[str, Collection[Line]]) -> bool:
    """Say whether a permutation takes each line of a player to a line of that player."""
    return all(
        {tuple(tuple(sorted(permutation[s] for s in spots)) for spots in line) for line in own} == set(own)
        for own in lines.values()
    )


class Images(dict[int, tuple[int, ...]]):
    """The images of masks, by permutation, made as they are asked for; no cycle keeps them once nobody needs them."""

    def __init__(self, permutations: Iterable[Permutation]) -> None:
        self._bits = [[1 << s for s in permutation] for permutation in permutations]
        super().__init__({0: (0,) * len(self._bits)})

    def __missing__(self, mask: int) -> tuple[int, ...]:
        top = mask.bit_length() - 1
        found = tuple([image | moved[top] for image, moved in zip(self[mask ^ 1 << top], self._bits, strict=True)])
        if len(self) * len(self._bits) >= MAX_KEPT:
            self.clear()
            self[0] = (0,) * len(self._bits)
        self[mask] = found
        return found
