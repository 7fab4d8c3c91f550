"""Packed positions up to symmetry: for each position, the least of its images stands for all of them.

An image is looked up a few cells at a time, for many positions at once. Nothing here is trusted: the kernel computes
its own images, and need not choose the same image to stand for the others.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from verifier.kernel.games import CellImage
from verifier.kernel.games.lines import Permutation
from verifier.kernel.relabel import Symmetries
from verifier.search.expander import Expander

MAX_BITS = 63
"""Maximum number of bits of a packed position: it has to fit into a signed integer of 64 bits."""

MAX_LOOKED_UP = 4_000_000
"""Maximum number of parts of images that are looked up at once. A part is one entry of a table."""


_AT_ONCE = 4096
"""This many positions are expanded at a time. Then all positions after their moves are folded together."""


MAX_CHUNK = 8
"""Maximum number of bits that are looked up together, unless a single cell has more."""


class PackedImages:
    """Finds least images of packed positions."""

    def __init__(
        self, places: Sequence[tuple[int, int]], group: Sequence[Permutation], cell_images: Sequence[CellImage] = ()
    ) -> None:
        """Make the tables, one for each few neighbouring cells.

        A table has, for each permutation and each choice of values of its cells, the bits that these values become.

        Args:
            places: for each cell, its first bit and its number of bits. All other bits stay where they are.
            group: the permutations of the cells. Each lists, for every cell, where the cell goes.
            cell_images: if values are permuted too, what the numbers in ``group`` mean (``Symmetries.cell_images``).
        """
        starts = [0]
        for at, size in places:
            if at > starts[-1] and at + size > starts[-1] + MAX_CHUNK:
                starts.append(at)
        ends = [*starts[1:], max(at + size for at, size in places)]
        self._chunks = [(start, (1 << end - start) - 1) for start, end in zip(starts, ends, strict=True)]
        self._tables = [
            _find_images(places, group, cell_images, start, end) for start, end in zip(starts, ends, strict=True)
        ]
        self._most = max(1, MAX_LOOKED_UP // (len(group) * len(self._chunks)))

    def fold(self, positions: Sequence[int]) -> list[int]:
        """Return the least image of each position."""
        found: list[int] = []
        for at in range(0, len(positions), self._most):
            packed = np.array(positions[at : at + self._most], dtype=np.int64)
            unique, inverse = np.unique(packed, return_inverse=True)
            pairs = zip(self._chunks, self._tables, strict=True)
            images = sum(table[:, unique >> start & mask] for (start, mask), table in pairs)
            found += np.min(images, axis=0)[inverse].tolist()
        return found


def _find_images(
    places: Sequence[tuple[int, int]],
    group: Sequence[Permutation],
    cell_images: Sequence[CellImage],
    start: int,
    end: int,
) -> npt.NDArray[np.int64]:
    """Make the table of the cells in the bits from ``start`` to ``end``.

    Return, for each permutation and each number in these bits, the bits of the image that the number becomes.
    """
    values = np.arange(1 << end - start, dtype=np.int64)
    inside = [cell for cell, (at, _) in enumerate(places) if start <= at < end]
    others = ~sum((1 << size) - 1 << at - start for at, size in map(places.__getitem__, inside))
    found = np.zeros((len(group), len(values)), dtype=np.int64)
    for number, one in enumerate(group):
        found[number] += (values & others) << start
        for cell in inside:
            at, size = places[cell]
            to, pairs = (one[cell], ()) if one[cell] < len(places) else cell_images[one[cell]]
            goes = np.arange(1 << size, dtype=np.int64)
            for value, image in pairs:
                goes[value] = image
            found[number] += goes[values >> at - start & (1 << size) - 1] << places[to][0]
    return found


class FoldedExpander:
    """An expander in which the least image of a position stands for all images.

    But ``pack`` and ``expand`` do not replace positions by their least images.
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


def fold_by(expander: Expander, symmetries: Symmetries) -> FoldedExpander | None:
    """Return an expander for the same rules, up to symmetry; None if there are no ``places``, or too many bits."""
    if not expander.places or expander.bits > MAX_BITS:
        return None
    return FoldedExpander(expander, PackedImages(expander.places, symmetries.group, symmetries.cell_images))
