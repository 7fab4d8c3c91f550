"""Packed positions up to symmetry: for each position, the least of its images stands for all of them.

An image is looked up byte by byte, for many positions at once. Nothing here is trusted: the kernel computes images
itself, and may let another image stand for all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from verifier.kernel.games.lines import Permutation
from verifier.search.expander import Expander

MAX_BITS = 63
"""Maximum number of bits of a packed position: it has to fit into a signed integer of 64 bits."""

MAX_LOOKED_UP = 4_000_000
"""Maximum number of bytes of images that are looked up at once."""


_AT_ONCE = 4096
"""This many positions are expanded at a time. Then all positions after their moves are folded together."""


class PackedImages:
    """Finds least images of packed positions."""

    def __init__(self, places: Sequence[tuple[int, int]], group: Sequence[Permutation]) -> None:
        """Make the tables.

        Args:
            places: for each cell, its first bit and its number of bits. All other bits stay where they are.
            group: the permutations of the cells. A permutation lists, for every cell, where the cell goes.
        """
        bits = 1 + max(at + size for at, size in places)
        self._bytes = np.arange((bits + 7) // 8)
        self._tables = np.zeros((len(group), len(self._bytes), 256), dtype=np.int64)
        values = np.arange(256, dtype=np.int64)
        for table, one in zip(self._tables, group, strict=True):
            goes = {
                places[cell][0] + n: places[to][0] + n for cell, to in enumerate(one) for n in range(places[cell][1])
            }
            for bit in range(bits):
                byte, n = divmod(bit, 8)
                table[byte] |= (values >> n & 1) << goes.get(bit, bit)
        self._most = max(1, MAX_LOOKED_UP // (len(group) * len(self._bytes)))

    def fold(self, positions: Sequence[int]) -> list[int]:
        """Return the least image of each position."""
        found: list[int] = []
        for at in range(0, len(positions), self._most):
            packed = np.array(positions[at : at + self._most], dtype=np.int64)
            unique, inverse = np.unique(packed, return_inverse=True)
            values = unique >> 8 * self._bytes[:, None] & 255
            images = self._tables[:, self._bytes[:, None], values].sum(axis=1)
            found += images.min(axis=0)[inverse].tolist()
        return found


class FoldedExpander:
    """An expander in which the least image of a position stands for all images.

    But ``pack`` does not replace a position by its least image.
    """

    def __init__(self, expander: Expander, images: PackedImages) -> None:
        self.bits, self.pack, self.unpack, self.expand = expander.bits, expander.pack, expander.unpack, expander.expand
        self.fold, self.places = images.fold, expander.places

    def expand_all(self, level: Sequence[int]) -> Iterator[tuple[int, Sequence[int]]]:
        """Do what ``Expander.expand_all`` does. If several moves lead to the same least image, list it only once."""
        for at in range(0, len(level), _AT_ONCE):
            rows = [self.expand(packed) for packed in level[at : at + _AT_ONCE]]
            folded = iter(self.fold([one for _, after in rows for one in after]))
            for kind, after in rows:
                yield kind, [*dict.fromkeys(itertools.islice(folded, len(after)))]


def fold_by(expander: Expander, group: Sequence[Permutation]) -> FoldedExpander | None:
    """Return an expander that folds positions by a group of permutations.

    Return None if ``expander`` has no ``places``, or if its positions have more than ``MAX_BITS`` bits.
    """
    if not expander.places or expander.bits > MAX_BITS:
        return None
    return FoldedExpander(expander, PackedImages(expander.places, group))
