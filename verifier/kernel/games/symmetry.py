"""Permutations of the spots of a board, each as where every spot goes.

Trusted for: which of them take lines to lines, and what they make of masks of spots.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from verifier.kernel.games.lines import Line

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
    images = {
        player: {tuple(tuple(sorted(permutation[s] for s in spots)) for spots in line) for line in own}
        for player, own in lines.items()
    }
    return all(images[player] == set(own) for player, own in lines.items())


class _Images(dict[int, tuple[int, ...]]):
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


def find_images(permutations: Iterable[Permutation]) -> Callable[[int], tuple[int, ...]]:
    """Return the function that gives the images of a mask, by permutation."""
    return _Images(permutations).__getitem__
