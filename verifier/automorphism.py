"""Look for symmetries of a game of cells: permutations of the cells that change neither the rules nor a goal.

The search makes a graph of the rules. Its vertices are cells, moves, outcomes, goals, and the parts of formulas. Each
symmetry also permutes the vertices, and keeps labels and edges. Each vertex gets a *colour*, at first its label. Round
by round, the old colours of the vertex and of its neighbours determine its new colour (colour refinement). A symmetry
takes a vertex to a vertex of the same colour. Where several cells share a colour, the search gives one of them a colour
of its own, tries each cell that could be its image, and refines again. The search skips an image if products of the
symmetries found so far take the cell there (as in ``threats.symmetry``). Nothing here is trusted: the kernel checks
every permutation.
"""

from __future__ import annotations

import collections
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.relabel import MAX_GENERATORS, UNORDERED, Symmetries
from verifier.kernel.statement import Statement

MAX_COLOURED = 4_000_000
"""Maximum number of vertices that one search colours. A vertex counts again in every round."""

MAX_GROUP = 1_000
"""Maximum number of symmetries that are used. With more, looking for least images takes longer than it saves."""

Colours = list[int]
Colouring = tuple[Colours, Colours]
"""Two lists with the colour of each vertex. A symmetry *fits* them if it takes the vertices of each colour in the first
list to the vertices of this colour in the second list."""


class _TooLongError(Exception):
    """``MAX_COLOURED`` is reached."""


class _RulesGraph:
    """A graph of the rules. Vertices have numbers, cells first.

    ``labels`` has the label of each vertex. ``edges`` has the neighbours of each vertex, with the kinds of the edges.
    """

    def __init__(self, data: Mapping[str, Any], statement: Statement) -> None:
        game: Any = statement.game
        self._game, rules = game, data["rules"]
        self.labels: list[Hashable] = [("cell", cells.least, cells.most, cells.is_number) for cells in game.all_cells]
        self.cells = len(self.labels)
        self.edges: list[list[tuple[Hashable, int]]] = [[] for _ in self.labels]
        self._known: dict[Hashable, int] = {}
        own = self._read_entries(rules["formulas"])
        for *_, actions in rules["moves"]:
            for player, (guard, changes) in actions.items():
                sets = [self._join("set", [self._cell(at), self._read(new, own)]) for at, new in changes]
                self._join(f"move {player}", [self._read(guard, own), self._join("all", sets, is_ordered=False)])
        for number, (formula, result) in enumerate(rules["outcomes"]):
            self._join(("outcome", number, result), [self._read(formula, own)])
        entries = self._read_entries(data["formulas"])
        for number, objective in enumerate(data["objectives"]):
            self._join(("goal", number), [self._read(objective["goal"], entries)])

    def _read_entries(self, entries: Sequence[Any]) -> list[int]:
        found: list[int] = []
        for entry in entries:
            found.append(self._read(entry, found))
        return found

    def _cell(self, node: list[Any]) -> int:
        at: int = self._game.find_cell(node)
        return at if at >= 0 else self._join("turn", [])

    def _read(self, node: Any, entries: Sequence[int]) -> int:
        if not isinstance(node, list):
            return self._join((type(node).__name__, node), [])
        if node[0] == "use":
            return entries[node[1]]
        if node[0] in self._game.cells:
            return self._cell(node)
        return self._join(
            node[0], [self._read(part, entries) for part in node[1:]], is_ordered=node[0] not in UNORDERED
        )

    def _join(self, label: Hashable, parts: list[int], *, is_ordered: bool = True) -> int:
        """Return the vertex with this label and these parts. Make it if it does not exist yet."""
        key = (label, tuple(parts if is_ordered else sorted(parts)))
        if key not in self._known:
            number = self._known[key] = len(self.labels)
            self.labels.append(("part", label))
            self.edges.append([])
            for place, part in enumerate(parts):
                kind = place if is_ordered else -1
                self.edges[number].append((("has", kind), part))
                self.edges[part].append((("is in", kind), number))
        return self._known[key]


class SymmetryFinder:
    """Looks for symmetries of the rules and the goals of a statement."""

    def __init__(self, data: Mapping[str, Any], statement: Statement) -> None:
        self._data, self._statement = data, statement
        self._graph = _RulesGraph(data, statement)
        self._left = MAX_COLOURED
        kinds: dict[Hashable, int] = {}
        numbered = [[(kinds.setdefault(kind, len(kinds)), to) for kind, to in own] for own in self._graph.edges]
        self._edges = [[(kind << 32, to) for kind, to in own] for own in numbered]

    def find(self) -> Symmetries | None:
        """Return a group of at most ``MAX_GROUP`` symmetries; None if only the identity was found."""
        kept = self.find_all() or []
        for count in range(min(len(kept), MAX_GENERATORS), 0, -1):
            try:
                found = Symmetries(self._data, self._statement, [[*one] for one in kept[:count]])
            except CertificateError:  # more symmetries than the kernel allows
                continue
            if len(found.group) <= MAX_GROUP:
                return found
        return None

    def find_all(self) -> list[tuple[int, ...]] | None:
        """Return permutations that generate all symmetries; None if there are too many vertices to look at."""
        try:
            return self._find_generators()
        except _TooLongError:
            return None

    def _find_generators(self) -> list[tuple[int, ...]]:
        labels: dict[Hashable, int] = {}
        first = [labels.setdefault(label, len(labels)) for label in self._graph.labels]
        pair = self._refine((first, first))
        chain, base = list[Colouring](), list[int]()
        while pair is not None and (cell := self._choose(pair[0])) is not None:
            chain.append(pair)
            base.append(cell)
            pair = self._fix(pair, cell, cell)
        found = list[tuple[int, ...]]()
        for pair, cell in zip(reversed(chain), reversed(base), strict=True):
            orbit = {cell}
            for target in range(self._graph.cells):
                if target not in orbit and pair[1][target] == pair[0][cell]:
                    one = self._extend(pair, cell, [target])
                    if one is not None:
                        found.append(one)
                        orbit = _grow(orbit, found)
        return found

    def _choose(self, colours: Colours) -> int | None:
        """Return the first cell of the colour with the most cells; None if each cell has a colour of its own."""
        count = collections.Counter(colours[: self._graph.cells])
        best = max(range(self._graph.cells), key=lambda cell: (count[colours[cell]], -cell))
        return best if count[colours[best]] > 1 else None

    def _extend(self, pair: Colouring, cell: int, targets: Sequence[int]) -> tuple[int, ...] | None:
        """Return a symmetry that fits the colours, and takes a cell to one of ``targets``; None if there is none."""
        for target in targets:
            fixed = self._fix(pair, cell, target)
            if fixed is None:
                continue
            following = self._choose(fixed[0])
            if following is None:
                place = {colour: at for at, colour in enumerate(fixed[1][: self._graph.cells])}
                one = tuple(place[colour] for colour in fixed[0][: self._graph.cells])
                if is_symmetry(self._data, self._statement, one):
                    return one
            else:
                alike = [at for at in range(self._graph.cells) if fixed[1][at] == fixed[0][following]]
                found = self._extend(fixed, following, alike)
                if found is not None:
                    return found
        return None

    def _fix(self, pair: Colouring, cell: int, target: int) -> Colouring | None:
        """Give a new colour to a cell, and to its image ``target`` in the second list. Then refine (``_refine``)."""
        before, after = [*pair[0]], [*pair[1]]
        before[cell] = after[target] = len(before)
        return self._refine((before, after))

    def _refine(self, pair: Colouring) -> Colouring | None:
        """Refine until the number of colours stays the same.

        Return None if a colour has more vertices in one list than in the other: then no symmetry fits the colours.
        """
        number = 0
        while True:
            self._left -= len(pair[0])
            if self._left < 0:
                raise _TooLongError
            names: dict[Hashable, int] = {}
            made = []
            for colours in (pair[0],) if pair[0] is pair[1] else pair:
                keys = [
                    (colour, *sorted([kind | colours[to] for kind, to in own]))
                    for colour, own in zip(colours, self._edges, strict=True)
                ]
                made.append([names.setdefault(key, len(names)) for key in keys])
            if len(made) == 2 and collections.Counter(made[0]) != collections.Counter(made[1]):
                return None
            pair = made[0], made[-1]
            if len(names) == number:
                return pair
            number = len(names)


def is_symmetry(data: Mapping[str, Any], statement: Statement, permutation: Sequence[int]) -> bool:
    """Say whether the kernel accepts a permutation of spots or cells as a symmetry of a statement."""
    try:
        Symmetries(data, statement, [[*permutation]])
    except CertificateError:
        return False
    return True


def find_automorphisms(data: Mapping[str, Any], statement: Statement) -> Symmetries | None:
    """Return a group of symmetries of a statement; None if only the identity was found."""
    return SymmetryFinder(data, statement).find()


def list_automorphisms(data: Mapping[str, Any], statement: Statement) -> list[tuple[int, ...]] | None:
    """Return permutations that generate all symmetries of a statement; None if the search gave up."""
    return SymmetryFinder(data, statement).find_all()


def size_group(generators: Sequence[Sequence[int]]) -> int:
    """Return how many permutations the generators generate, the identity included."""
    waiting = [tuple(range(len(generators[0])))]
    seen = set(waiting)
    for one in waiting:  # the loop adds permutations
        new = {tuple(generator[s] for s in one) for generator in generators} - seen
        seen |= new
        waiting += new
    return len(seen)


def _grow(orbit: set[int], known: Sequence[tuple[int, ...]]) -> set[int]:
    """Return all cells to which products of the permutations take the cells in ``orbit``."""
    waiting = list(orbit)
    for cell in waiting:  # the loop adds cells
        waiting += {permutation[cell] for permutation in known}.difference(waiting)
    return set(waiting)
