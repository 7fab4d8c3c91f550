"""The symmetries of rules on one board: permutations of spots that change neither lines nor formulas.

The search puts the spots into an order, and takes them one by one, from the last to the first. For each spot after the
current spot, it looks for a permutation that takes the current spot to this spot. The permutation has to leave all
spots before the current spot where they are. It skips a spot if a product of the permutations found so far takes the
current spot to it (Schreier and Sims). The products of all permutations found form the group. Because of the limits
below, the group may lack some symmetries.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from verifier.kernel.games.lines import LineSpots, Permutation, keeps_lines
from verifier.kernel.relabel import Relabelling
from verifier.search.threats.encode import INDEXED

MAX_USED_SYMMETRIES = 6_000
"""Maximum number of symmetries used. With more of them, comparing positions takes longer than searching them."""

MAX_SPOTS_PLACED = 20_000
"""Maximum number of images that the search for one permutation tries for spots."""


def named_spots(node: Any, entries: Sequence[Any] = ()) -> Iterator[int]:
    """Yield the spots that a formula names."""
    if not isinstance(node, list):
        return
    if node[0] in INDEXED:
        yield node[1]
        return
    for part in [entries[node[1]]] if node[0] == "use" else node[1:]:
        yield from named_spots(part, entries)


class Finder:
    """Looks for permutations. Spots that are in no line and in no formula stay where they are.

    Args:
        cells: the number of spots.
        lines: the lines by player, or one list for both players.
        legal: the formula of each spot, which must become the formula of the spot's image; empty if there are none.
        goals: formulas that must stay the same.
        entries: the formulas to which goals refer by number.
    """

    def __init__(
        self,
        cells: int,
        lines: Mapping[str, Sequence[LineSpots]],
        legal: Sequence[Any] = (),
        goals: Sequence[Any] = (),
        entries: Sequence[Any] = (),
    ) -> None:
        self._same = tuple(range(cells))
        self._lines, self._legal, self._goals, self._entries = lines, legal, goals, entries
        self._said = Relabelling(INDEXED, [*entries])
        self._masks = [sum(1 << s for s in (*held, *others)) for own in lines.values() for held, others in own]
        self._near = self._count_neighbours()
        self._order = self._find_order()
        self._steps = 0

    def _count_neighbours(self) -> list[list[frozenset[tuple[Hashable, int]]]]:
        """Return, for any two spots, how many lines of each kind have the two, and how many formulas connect them."""
        near = [[collections.Counter[Hashable]() for _ in self._same] for _ in self._same]
        for player, own in self._lines.items():
            for held, others in own:
                kinds = [(s, (len(held), len(others), s in held, player)) for s in (*held, *others)]
                for (one, kind), (other, kind_of_other) in itertools.product(kinds, repeat=2):
                    near[one][other][kind, kind_of_other] += 1
        for s, formula in enumerate(self._legal):
            for spot in named_spots(formula):
                near[s][spot]["names"] += 1
                near[spot][s]["is named"] += 1
        for goal in self._goals:
            for spot in named_spots(goal, self._entries):
                near[spot][spot]["named"] += 1
        return [[frozenset(cell.items()) for cell in row] for row in near]

    def _find_order(self) -> list[int]:
        """Return the spots of lines and formulas in order: each spot shares the most with the spots before it."""
        near, order = self._near, list[int]()
        rest = {s for s in self._same if any(near[s])}
        while rest:
            order.append(max(rest, key=lambda s: (sum(len(near[s][t]) for t in order), len(near[s][s]), -s)))
            rest.remove(order[-1])
        return order

    def find(self) -> list[Permutation]:
        """Return permutations of the spots that change neither lines nor formulas. Their products form the group."""
        kept, size = list[Permutation](), 1
        for depth, spot in reversed([*enumerate(self._order)]):
            found, orbit = kept, {spot}  # ``orbit``: where products of ``found`` take the spot
            for target in self._order[depth + 1 :]:
                if target not in orbit:
                    self._steps = MAX_SPOTS_PLACED
                    permutation = self._extend({s: s for s in self._order[:depth]}, depth, [target])
                    if permutation is not None:
                        found = [*found, permutation]
                        orbit = _grow(orbit, found)
            size *= len(orbit)
            if size > MAX_USED_SYMMETRIES:
                break  # leave out the permutations that move this spot or an earlier one
            kept = found
        return kept

    def _extend(self, image: dict[int, int], depth: int, targets: Sequence[int]) -> Permutation | None:
        """Return a symmetry that takes spots to these images, and the next spot to a target; None if not found."""
        if depth == len(self._order):
            permutation = tuple(image.get(s, s) for s in self._same)
            return permutation if self._is_symmetry(permutation) else None
        spot, used = self._order[depth], set(image.values())
        for target in targets:
            self._steps -= 1
            if self._steps < 0:
                return None
            if target not in used and self._fits(image, spot, target):
                found = self._extend({**image, spot: target}, depth + 1, self._order)
                if found is not None:
                    return found
        return None

    def _fits(self, image: dict[int, int], spot: int, target: int) -> bool:
        """Return True if ``target`` can be the image of ``spot``.

        ``target`` must share as much with the image of each earlier spot as ``spot`` shares with that earlier spot.
        """
        near, masks = self._near, self._masks
        if near[spot][spot] != near[target][target]:
            return False
        if any(near[spot][s] != near[target][t] for s, t in image.items()):
            return False
        through = [mask for mask in masks if mask >> spot & 1]
        wanted = [1 << target | sum(1 << t for s, t in image.items() if mask >> s & 1) for mask in through]
        return all(any(mask & spots == spots for mask in masks) for spots in wanted)

    def _is_symmetry(self, permutation: Permutation) -> bool:
        """Return True if a permutation maps lines to lines, and formulas to formulas."""
        if not keeps_lines(permutation, self._lines):
            return False
        pairs = [(formula, self._legal[permutation[s]]) for s, formula in enumerate(self._legal)]
        pairs += [(formula, formula) for formula in self._goals]
        said = self._said.formula
        return all(said(one, permutation) == said(other, self._same) for one, other in pairs)


def _grow(orbit: set[int], known: Sequence[Permutation]) -> set[int]:
    """Return all spots to which products of the permutations take the spots in ``orbit``."""
    waiting = list(orbit)
    for spot in waiting:  # the loop adds spots
        waiting += {permutation[spot] for permutation in known}.difference(waiting)
    return set(waiting)
