"""The symmetries of rules on one board: permutations of spots that change neither lines nor formulas.

They are found, not given: for each spot in turn one permutation for each place where it can go while those before it
stay where they are (Schreier and Sims); all products of these are the group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifier.search.threats.encode import INDEXED

Permutation = tuple[int, ...]
"""Where each spot goes."""

Line = tuple[tuple[int, ...], tuple[int, ...]]
"""The spots that are held, and those that are not."""

MAX_SYMMETRIES = 6_000
"""So many are used at most: with more, positions take longer to be compared than to be searched."""

MAX_STEPS = 20_000
"""So many spots are placed in search of one permutation."""


@dataclass(frozen=True, slots=True)
class Group:
    """Permutations of spots that can be done one after the other, and taken back.

    Attributes:
        members: all of them, the one that moves nothing first.
        generators: some of which all others are products; none where nothing moves.
    """

    members: list[Permutation]
    generators: list[Permutation]


def find_symmetries(
    cells: int,
    lines: Sequence[Line],
    by_spot: Sequence[Any] = (),
    formulas: Sequence[Any] = (),
    theirs: Sequence[Line] | None = None,
) -> Group:
    """Return permutations of the spots under which the rules stay what they are: all, or as many as are used.

    Args:
        cells: the number of spots.
        lines: what counts as a line.
        by_spot: the formula of each spot, which becomes that of its image; empty: there are none.
        formulas: formulas that stay what they are.
        theirs: what counts as a line for the other player; None: the same.
    """
    finder = _Finder(cells, lines, by_spot, formulas, () if theirs is None or theirs == lines else theirs)
    group = Group([tuple(range(cells))], [])
    for place in finder.transversals():
        if len(place) * len(group.members) > MAX_SYMMETRIES:
            break  # those that are left out move a spot that all others leave where it is
        members = [compose(one, other) for one in place for other in group.members]
        group = Group(members, list(finder.known))
    return group


def compose(first: Permutation, second: Permutation) -> Permutation:
    """Return what two permutations do, the second one before the first."""
    return tuple(first[s] for s in second)


def relabel(node: Any, permutation: Permutation) -> Any:
    """Return a formula with other spots, and with parts that may change places in order."""
    if not isinstance(node, list):
        return node
    if node[0] in INDEXED:
        return [node[0], permutation[node[1]]]
    parts = [relabel(part, permutation) for part in node[1:]]
    if node[0] in ("and", "or", "sum", "+", "exactly-one", "iff", "==", "!="):
        parts.sort(key=repr)
    return [node[0], *parts]


def spots_of(node: Any) -> Iterator[int]:
    """Yield the spots that a formula names."""
    if isinstance(node, list) and node[0] in INDEXED:
        yield node[1]
    elif isinstance(node, list):
        for part in node[1:]:
            yield from spots_of(part)


def is_symmetry(permutation: Permutation, lines: set[Line], by_spot: Sequence[Any], formulas: Sequence[Any]) -> bool:
    """Say whether a permutation takes lines to lines, and formulas to formulas; the arguments are as above."""
    if {(_sorted(held, permutation), _sorted(others, permutation)) for held, others in lines} != lines:
        return False
    same = tuple(range(len(permutation)))
    pairs = [(formula, by_spot[permutation[s]]) for s, formula in enumerate(by_spot)]
    pairs += [(formula, formula) for formula in formulas]
    return all(relabel(one, permutation) == relabel(other, same) for one, other in pairs)


def _sorted(spots: Sequence[int], permutation: Permutation) -> tuple[int, ...]:
    return tuple(sorted(permutation[s] for s in spots))


@dataclass(slots=True)
class _Finder:
    """Looks for permutations; spots that nothing names stay where they are."""

    cells: int
    lines: Sequence[Line]
    by_spot: Sequence[Any]
    formulas: Sequence[Any]
    theirs: Sequence[Line]
    order: list[int] = field(init=False)
    near: list[list[tuple[int, ...]]] = field(init=False)
    masks: list[int] = field(init=False)
    steps: int = 0
    known: list[Permutation] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.near = self._count_neighbours()
        self.masks = [sum(1 << s for s in (*held, *others)) for held, others in (*self.lines, *self.theirs)]
        self.order = self._order()

    def _count_neighbours(self) -> list[list[tuple[int, ...]]]:
        """Return for each two spots how often lines of each kind, and formulas, join them."""
        near: list[list[dict[str, int]]] = [[{} for _ in range(self.cells)] for _ in range(self.cells)]

        def note(one: int, other: int, kind: str) -> None:
            near[one][other][kind] = near[one][other].get(kind, 0) + 1

        for number, (held, others) in enumerate((*self.lines, *self.theirs)):
            whose = "" if number < len(self.lines) else " theirs"
            kinds = {s: f"{len(held)} {len(others)} {s in held}{whose}" for s in (*held, *others)}
            for one, kind in kinds.items():
                for other, kind_of_other in kinds.items():
                    note(one, other, f"{kind} {kind_of_other}")
        for s, formula in enumerate(self.by_spot):
            for spot in spots_of(formula):
                note(s, spot, "names")
                note(spot, s, "is named")
        for formula in self.formulas:
            for spot in spots_of(formula):
                note(spot, spot, "named")
        words: dict[str, int] = {}
        return [
            [
                tuple(sorted(words.setdefault(kind, len(words)) * 1000 + number for kind, number in cell.items()))
                for cell in row
            ]
            for row in near
        ]

    def _order(self) -> list[int]:
        """Return the spots that something names, each as near to those before it as any."""
        rest = {s for s in range(self.cells) if any(self.near[s])}
        order: list[int] = []
        while rest:
            order.append(max(rest, key=lambda s: (sum(len(self.near[s][t]) for t in order), len(self.near[s][s]), -s)))
            rest.remove(order[-1])
        return order

    def transversals(self) -> Iterator[list[Permutation]]:
        """Yield for each spot, the last one first, a permutation for each place where it can go."""
        same = tuple(range(self.cells))
        for depth in reversed(range(len(self.order))):
            spot = self.order[depth]
            orbit = {spot: same}
            for target in self.order[depth + 1 :]:
                if target not in orbit:
                    permutation = self._find(depth, target)
                    if permutation is not None:
                        self.known.append(permutation)
                        _grow(orbit, self.known)
            yield list(orbit.values())

    def _find(self, depth: int, target: int) -> Permutation | None:
        """Return a symmetry that moves no spot before one, and takes that one to a target."""
        image = {s: s for s in self.order[:depth]}
        self.steps = MAX_STEPS
        return self._extend(image, depth, [target])

    def _extend(self, image: dict[int, int], depth: int, targets: Sequence[int]) -> Permutation | None:
        if depth == len(self.order):
            permutation = tuple(image.get(s, s) for s in range(self.cells))
            is_kept = is_symmetry(permutation, set(self.lines), self.by_spot, self.formulas)
            return permutation if is_kept and is_symmetry(permutation, set(self.theirs), (), ()) else None
        spot, used = self.order[depth], set(image.values())
        for target in targets:
            self.steps -= 1
            if self.steps < 0:
                return None
            if target not in used and self._fits(image, spot, target):
                found = self._extend({**image, spot: target}, depth + 1, self.order)
                if found is not None:
                    return found
        return None

    def _fits(self, image: dict[int, int], spot: int, target: int) -> bool:
        """Say whether spots that were placed are as near to the target as they are to the spot."""
        if self.near[spot][spot] != self.near[target][target]:
            return False
        if any(self.near[spot][s] != self.near[target][t] for s, t in image.items()):
            return False
        return all(
            self._lies_on_a_line([target, *(t for s, t in image.items() if mask >> s & 1)])
            for mask in self.masks
            if mask >> spot & 1
        )

    def _lies_on_a_line(self, spots: Sequence[int]) -> bool:
        wanted = sum(1 << s for s in spots)
        return any(mask & wanted == wanted for mask in self.masks)


def _grow(orbit: dict[int, Permutation], known: Sequence[Permutation]) -> None:
    """Add to an orbit the places that the permutations that are known lead to."""
    waiting = list(orbit)
    while waiting:
        spot = waiting.pop()
        for permutation in known:
            if permutation[spot] not in orbit:
                orbit[permutation[spot]] = compose(permutation, orbit[spot])
                waiting.append(permutation[spot])
