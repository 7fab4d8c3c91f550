"""Choose moves that keep a player from completing any line. The choice keeps the table of these moves short.

A line is *open* if the player can still get it. The table follows a play only until there is a proof that the player
gets no line: by pairs of free spots, or by the weights of the open lines (see ``kernel/breaker``).

Pairs prove this if no two pairs share a spot, and each open line contains a pair.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.breaker import Breaker
from verifier.kernel.errors import CertificateError
from verifier.kernel.statement import Statement


@dataclass(slots=True)
class Holding:
    """Chooses moves, and finds the positions where pairs or weights prove that the claimant can prevent all lines.

    Attributes:
        breaker: says whether the weights prove this, and lists the open lines.
        statement: the claim that the claimant can prevent the lines.
        pairs: the pairs for each position examined; None if no pairs were found.
        settled: the positions in which pairs prove this. The table does not follow plays beyond them.
    """

    breaker: Breaker
    statement: Statement
    pairs: dict[Any, list[Pair] | None] = field(default_factory=dict)
    settled: dict[Any, None] = field(default_factory=dict)

    def followed(self, position: Any) -> list[Any] | None:
        """Return [] (follow no move) if weights or pairs prove the claim from a position on; otherwise None."""
        if self.breaker.is_light(position):
            return []
        if self._find(position) is None:
            return None
        self.settled[position] = None
        return []

    def choose(self, position: Any, is_won: Callable[[Any], bool]) -> list[Any]:
        """Return a move of the claimant.

        Prefer a move that ends the game, or after which weights prove the claim. If there is none, prefer a move after
        which pairs prove the claim. Otherwise return any move after which he can still prevent the lines.

        Args:
            position: a position in which the claimant is to move and can prevent the lines.
            is_won: returns True if the claimant can still prevent the lines in the position after a move.
        """
        game = self.statement.game
        after = {move: game.play(position, move) for move in game.legal_moves(position)}
        order = sorted(after, key=lambda move: (self._weigh(after[move]), move))
        is_goal = self.statement.objectives[0].test
        order = [move for move in order if not is_goal(after[move])] or order
        tests: tuple[Callable[[Any], bool], ...] = (
            lambda position: game.is_over(position) or self.breaker.is_light(position),
            lambda position: self._find(position) is not None,
            is_won,
        )
        return [next((move for test in tests for move in order if test(after[move])), order[0])]

    def table(self) -> dict[str, Any]:
        """Return the entries ``weights`` and ``pairs`` of the table of moves."""
        text = self.statement.game.format_position
        pairs = {text(position): [list(pair) for pair in self.pairs[position] or []] for position in self.settled}
        return {"weights": True, **({"pairs": pairs} if pairs else {})}

    def _weigh(self, position: Any) -> int:
        return sum(1 << 64 - lacks.bit_count() for lacks in self.breaker.open_lines(position))

    def _find(self, position: Any) -> list[Pair] | None:
        if position not in self.pairs:
            self.pairs[position] = find_pairs(list(self.breaker.open_lines(position)))
        return self.pairs[position]


def open_holding(data: Mapping[str, Any], statement: Statement) -> Holding | None:
    """Return a ``Holding`` for a statement; None if pairs and weights cannot be used for the statement."""
    try:
        return Holding(Breaker(data, statement, {"weights": True}), statement)
    except CertificateError:
        return None


Pair = tuple[int, int]

MAX_PAIRS_TRIED = 2_000
"""Maximum number of steps of ``_search``, which is called only if ``_match`` finds no pairs."""


def find_pairs(sets: Sequence[int]) -> list[Pair] | None:
    """Return pairs such that each set contains a pair, and no two pairs share a spot; None if no such pairs are found.

    Args:
        sets: sets of spots, as masks.
    """
    least = [one for one in set(sets) if not any(other != one and other & ~one == 0 for other in sets)]
    return _match(least) or _search(least)


def spots_of(mask: int) -> list[int]:
    """Return the spots of a mask, in ascending order."""
    return [s for s in range(mask.bit_length()) if mask >> s & 1]


def _match(sets: Sequence[int]) -> list[Pair] | None:
    """Choose two spots of each set, and no spot twice. Return these pairs; None if this is impossible."""
    spots = functools.reduce(operator.or_, sets, 0)
    if any(one.bit_count() < 2 for one in sets) or 2 * len(sets) > spots.bit_count():
        return None
    import networkx as nx  # noqa: PLC0415 - loading it takes longer than most commands

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
    """Look for pairs: take the set with the fewest unused spots, and try its pairs. Pairs in the most sets come first.

    Return None if no pairs are found.
    """
    steps = itertools.count(1)

    def extend(open_sets: Sequence[int], used: int) -> list[Pair] | None:
        if not open_sets:
            return []
        free = min((one & ~used for one in open_sets), key=int.bit_count)

        def lacking(pair: Pair) -> list[int]:
            return [one for one in open_sets if (1 << pair[0] | 1 << pair[1]) & ~one]

        pairs = itertools.combinations(spots_of(free), 2)
        for pair in sorted(pairs, key=lambda pair: len(lacking(pair))) if next(steps) < MAX_PAIRS_TRIED else ():
            rest = extend(lacking(pair), used | 1 << pair[0] | 1 << pair[1])
            if rest is not None:
                return [pair, *rest]
        return None

    found = extend(sets, 0)
    return None if found is None else sorted(found)
