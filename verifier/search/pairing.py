"""Finds pairs of spots such that each of some sets holds one, and none of two pairs share a spot."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

Pair = tuple[int, int]

MAX_STEPS = 2_000
"""How many pairs are tried where sets share so many spots that a matching does not do."""


def find_pairs(sets: Sequence[int]) -> list[Pair] | None:
    """Return such pairs, or None where none are found.

    Args:
        sets: of spots, as masks.
    """
    least = [one for one in set(sets) if not any(other != one and other & ~one == 0 for other in sets)]
    return _match(least) or _Search(least).find()


def spots_of(mask: int) -> list[int]:
    """Return the spots of a mask, in ascending order."""
    return [s for s in range(mask.bit_length()) if mask >> s & 1]


def _match(sets: Sequence[int]) -> list[Pair] | None:
    """Return two spots for each set that no other set has, by a matching of two copies of each set with spots."""
    spots = 0
    for one in sets:
        spots |= one
    if any(one.bit_count() < 2 for one in sets) or 2 * len(sets) > spots.bit_count():
        return None
    import networkx as nx  # noqa: PLC0415 - it takes longer to load than most commands run

    graph: nx.Graph[object] = nx.Graph()
    copies = [(number, half) for number in range(len(sets)) for half in range(2)]
    graph.add_nodes_from(copies)
    graph.add_edges_from((copy, s) for copy in copies for s in spots_of(sets[copy[0]]))
    found = nx.bipartite.hopcroft_karp_matching(graph, copies)
    if any(copy not in found for copy in copies):
        return None
    return sorted(_sorted(found[number, 0], found[number, 1]) for number in range(len(sets)))


def _sorted(one: int, other: int) -> Pair:
    return min(one, other), max(one, other)


class _Search:
    """Tries pairs, those first that most sets hold, for the set with the fewest spots left."""

    def __init__(self, sets: Sequence[int]) -> None:
        self.sets = sets
        self.steps = MAX_STEPS

    def find(self) -> list[Pair] | None:
        """Return pairs, or None."""
        found = self._extend(list(self.sets), 0)
        return None if found is None else sorted(found)

    def _extend(self, open_sets: list[int], used: int) -> list[Pair] | None:
        if not open_sets:
            return []
        self.steps -= 1
        narrow = min(open_sets, key=lambda one: (one & ~used).bit_count())
        for pair in self._candidates(narrow & ~used, open_sets) if self.steps > 0 else ():
            mask = 1 << pair[0] | 1 << pair[1]
            rest = self._extend([one for one in open_sets if mask & ~one], used | mask)
            if rest is not None:
                return [pair, *rest]
        return None

    def _candidates(self, free: int, open_sets: Sequence[int]) -> Iterator[Pair]:
        """Yield the pairs of some spots, those first that most sets hold."""

        def held(pair: Pair) -> int:
            mask = 1 << pair[0] | 1 << pair[1]
            return sum(mask & ~one == 0 for one in open_sets)

        yield from sorted(itertools.combinations(spots_of(free), 2), key=held, reverse=True)
