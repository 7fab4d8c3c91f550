"""Finds pairs of spots such that each of some sets holds one, and none of two pairs share a spot."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

Pair = tuple[int, int]

MAX_STEPS = 2_000
"""How many pairs are tried where sets share so many spots that a matching does not do."""


def find_pairs(sets: Sequence[int]) -> list[Pair] | None:
    """Return such pairs, or None where none are found.

    Args:
        sets: of spots, as masks.
    """
    least = [one for one in set(sets) if not any(other != one and other & ~one == 0 for other in sets)]
    return _match(least) or _search(least)


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
    pairs = (sorted(found[number, half] for half in range(2)) for number in range(len(sets)))
    return sorted((one, other) for one, other in pairs)


def _search(sets: Sequence[int]) -> list[Pair] | None:
    """Try pairs for the set with the fewest spots left, those first that most sets hold."""
    steps = itertools.count(1)

    def extend(open_sets: Sequence[int], used: int) -> list[Pair] | None:
        if not open_sets:
            return []
        free = min((one & ~used for one in open_sets), key=int.bit_count)

        def lacking(pair: Pair) -> list[int]:
            return [one for one in open_sets if (1 << pair[0] | 1 << pair[1]) & ~one]

        pairs = itertools.combinations(spots_of(free), 2)
        for pair in sorted(pairs, key=lambda pair: len(lacking(pair))) if next(steps) < MAX_STEPS else ():
            rest = extend(lacking(pair), used | 1 << pair[0] | 1 << pair[1])
            if rest is not None:
                return [pair, *rest]
        return None

    found = extend(sets, 0)
    return None if found is None else sorted(found)
