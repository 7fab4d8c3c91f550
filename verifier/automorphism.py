"""Look for symmetries of a game of cells: permutations of the cells that change neither the rules nor the goals.

The search makes a graph of the rules. Its vertices are cells, moves, outcomes, goals, and the parts of formulas. Each
symmetry also permutes the vertices, and keeps labels and edges. Each vertex gets a *colour*, at first its label. Then,
in each round, the colours of a vertex and its neighbours determine its new colour (colour refinement). A symmetry
takes a vertex to a vertex of the same colour. Where several cells share a colour, the search gives one of them a colour
of its own, tries each cell that could be its image, and refines again. The search skips an image if products of the
symmetries found so far take the cell there (as in ``threats.symmetry``). Nothing here is trusted: the kernel checks
every permutation.

A symmetry can also permute the values of cells. Then the values of such a cell are vertices too, joined to the cell.
Only those cells are tried whose values are set, copied and compared for equality, and used in no other way.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.games import MAX_MAPPED_VALUE
from verifier.kernel.relabel import MAX_GENERATORS, UNORDERED, Symmetries
from verifier.kernel.statement import Statement

MAX_COLOURED = 4_000_000
"""Maximum number of vertices that one search colours. A vertex counts again in every round."""

MAX_GROUP = 1_000
"""Maximum number of symmetries that are used. With more, looking for least images takes longer than it saves."""

Generator = tuple[int | tuple[int, ...], ...]
"""A permutation: for each cell, its image; or its image and the images of the cell's values, least value first."""

Colours = list[int]
Colouring = tuple[Colours, Colours]
"""Two lists with the colour of each vertex. A symmetry *fits* them if it takes the vertices of each colour in the first
list to the vertices of this colour in the second list."""


class _TooLongError(Exception):
    """``MAX_COLOURED`` is reached."""


class _Uses:
    """Finds the cells whose values rules and goals only set, copy, and compare for equality."""

    def __init__(self, data: Mapping[str, Any], game: Any) -> None:
        self._game, rules = game, data["rules"]
        self._others, self._links = set[int](), set[tuple[int, int]]()
        self._seen = set[tuple[int, int | None]]()
        for *_, actions in rules["moves"]:
            for guard, changes in actions.values():
                self._read(guard, rules["formulas"])
                for target, new in changes:
                    self._read(new, rules["formulas"], _find_cell(game, target))
        for formula, _ in rules["outcomes"]:
            self._read(formula, rules["formulas"])
        self._seen.clear()
        for objective in data["objectives"]:
            self._read(objective["goal"], data["formulas"])

    def find_mapped(self) -> list[int]:
        """Return the cells whose values a symmetry may permute."""
        ranges = [(kind.least, kind.most, kind.is_number) for kind in self._game.all_cells]
        near = collections.defaultdict[int, set[int]](set)
        waiting = {cell for cell, (_, most, is_number) in enumerate(ranges) if not is_number or most > MAX_MAPPED_VALUE}
        waiting |= self._others
        for one, other in self._links:  # cells that are compared or copied need the same map
            near[one].add(other)
            near[other].add(one)
            waiting |= {one, other} if ranges[one] != ranges[other] else set()
        others = _close(waiting, near.__getitem__)
        return [cell for cell in range(len(ranges)) if cell not in others]

    def _read(self, node: Any, entries: Sequence[Any], cell: int | None = None) -> None:
        """Read a formula or a term. With ``cell``, the rules compare its value with this cell, or put it there."""
        if not isinstance(node, list):
            return
        here = _find_cell(self._game, node)
        if node[0] == "use":
            if (node[1], cell) not in self._seen:
                self._seen.add((node[1], cell))
                self._read(entries[node[1]], entries, cell)
        elif here is not None and cell is None:
            self._others.add(here)
        elif here is not None and cell is not None:
            self._links.add((cell, here))
        else:
            inner = _find_contexts(self._game, node, cell)
            self._others |= {cell} if cell is not None and node[0] != "if" else set()
            for part, own in zip(node[1:], inner, strict=True):
                self._read(part, entries, own)


def _find_cell(game: Any, node: Any) -> int | None:
    """Return the number of the cell if ``node`` is a cell; otherwise None, also for the turn."""
    is_cell = isinstance(node, list) and node[0] in game.cells
    return game.find_cell(node) if is_cell else None


def _find_contexts(game: Any, node: list[Any], cell: int | None) -> list[int | None]:
    """Return, for each part of a formula or a term, the cell with which the part is compared, or None.

    ``cell`` is the cell with which the whole node is compared, or into which its value is put. The value of an ``if``
    is the value of one of its branches. So each branch gets ``cell``.
    """
    if node[0] == "if":
        return [None, cell, cell]
    found = [_find_cell(game, part) for part in node[1:]] if node[0] in ("==", "!=") else []
    return [next((cell for cell in found if cell is not None), None)] * (len(node) - 1)


class _RulesGraph:
    """The vertices, by number. Each has a label, and a list of its neighbours with the kinds of the edges to them.

    Cells come first, then the values of the cells in ``mapped``. These are the *points*.
    """

    def __init__(self, data: Mapping[str, Any], statement: Statement, mapped: Iterable[int] = ()) -> None:
        game: Any = statement.game
        self._game, rules = game, data["rules"]
        self.labels: list[Hashable] = [("cell", cells.least, cells.most, cells.is_number) for cells in game.all_cells]
        self.cells = len(self.labels)
        self.values = dict[tuple[int, int], int]()
        for cell in mapped:
            for value in self._range(cell):
                self.values[cell, value] = len(self.labels)
                self.labels.append("value")
        self.points = len(self.labels)
        self.edges: list[list[tuple[Hashable, int]]] = [[] for _ in self.labels]
        self._mapped = {cell for cell, _ in self.values}
        self._known = dict[Hashable, int]()
        self._linked = set[tuple[int, int]]()
        for (cell, _), vertex in self.values.items():
            self.edges[cell].append(("has value", vertex))
            self.edges[vertex].append(("value of", cell))
        own = _Entries(rules["formulas"])
        for *_, actions in rules["moves"]:
            for player, (guard, changes) in actions.items():
                sets = [
                    self._join("set", [self._read(at, own), self._read(new, own, _find_cell(game, at))])
                    for at, new in changes
                ]
                self._join(f"move {player}", [self._read(guard, own), self._join("all", sets, is_ordered=False)])
        for number, (formula, result) in enumerate(rules["outcomes"]):
            self._join(("outcome", number, result), [self._read(formula, own)])
        entries = _Entries(data["formulas"])
        for number, objective in enumerate(data["objectives"]):
            self._join(("goal", number), [self._read(objective["goal"], entries)])

    def _range(self, cell: int) -> range:
        return range(self._game.all_cells[cell].least, self._game.all_cells[cell].most + 1)

    def write(self, points: Sequence[int]) -> Generator:
        """Return a permutation of points as a ``Generator``: with cells, or tuples of a cell and values."""
        value_of = {vertex: value for (_, value), vertex in self.values.items()}
        found = list[int | tuple[int, ...]]()
        for cell, to in enumerate(points[: self.cells]):
            own = self._range(cell) if cell in self._mapped else ()
            values = tuple(value_of[points[self.values[cell, value]]] for value in own)
            found.append(to if values == tuple(own) else (to, *values))
        return tuple(found)

    def _read(self, node: Any, entries: _Entries, cell: int | None = None) -> int:
        """Return the vertex of a formula or term. With ``cell``, its value is compared with this cell, or put there."""
        cell = cell if cell in self._mapped else None
        if not isinstance(node, list):
            found = None if cell is None or isinstance(node, bool) else self.values.get((cell, node))
            return self._join((type(node).__name__, node), []) if found is None else found
        if node[0] == "use":
            if (node[1], cell) not in entries.known:
                entries.known[node[1], cell] = self._read(entries.formulas[node[1]], entries, cell)
            return entries.known[node[1], cell]
        here = _find_cell(self._game, node)
        if here is not None:
            if cell is not None and here != cell and (cell, here) not in self._linked:
                self._linked |= {(cell, here), (here, cell)}
                for value in self._range(cell):
                    one, other = self.values[cell, value], self.values[here, value]
                    self.edges[one].append(("same", other))
                    self.edges[other].append(("same", one))
            return here
        inner = _find_contexts(self._game, node, cell)
        parts = [self._read(part, entries, own) for part, own in zip(node[1:], inner, strict=True)]
        return self._join(node[0], parts, is_ordered=node[0] not in UNORDERED)

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


class _Entries:
    """The entries of ``formulas``. ``known`` has the vertices that ``_RulesGraph._read`` made for them."""

    def __init__(self, formulas: Sequence[Any]) -> None:
        self.formulas = formulas
        self.known = dict[tuple[int, int | None], int]()


class SymmetryFinder:
    """Looks for symmetries of a statement's rules and goals. They may permute the values of the cells in ``mapped``."""

    def __init__(self, data: Mapping[str, Any], statement: Statement, mapped: Sequence[int] = ()) -> None:
        self._data, self._statement = data, statement
        self._graph = _RulesGraph(data, statement, mapped)
        self._left = MAX_COLOURED
        kinds: dict[Hashable, int] = {}
        numbered = [[(kinds.setdefault(kind, len(kinds)), to) for kind, to in own] for own in self._graph.edges]
        self._edges = [[(kind << 32, to) for kind, to in own] for own in numbered]

    def find(self) -> Symmetries | None:
        """Return a group of at most ``MAX_GROUP`` symmetries; None if no such group was found.

        If all permutations found generate too many symmetries, the last permutations are left out.
        """
        kept = self.find_all() or []
        for count in range(min(len(kept), MAX_GENERATORS), 0, -1):
            try:
                found = Symmetries(self._data, self._statement, write_generators(kept[:count]))
            except CertificateError:  # more symmetries than the kernel allows
                continue
            if len(found.group) <= MAX_GROUP:
                return found
        return None

    def find_all(self) -> list[Generator] | None:
        """Return permutations that generate all symmetries; None if the search reached ``MAX_COLOURED``."""
        try:
            return [*map(self._graph.write, self._find_generators())]
        except _TooLongError:
            return None

    def _find_generators(self) -> list[tuple[int, ...]]:
        """Return permutations of the points that generate all symmetries."""
        labels: dict[Hashable, int] = {}
        first = [labels.setdefault(label, len(labels)) for label in self._graph.labels]
        pair = self._refine((first, first))
        chain, base = list[Colouring](), list[int]()
        while pair is not None and (point := self._choose(pair[0])) is not None:
            chain.append(pair)
            base.append(point)
            pair = self._fix(pair, point, point)
        found = list[tuple[int, ...]]()
        for pair, point in zip(reversed(chain), reversed(base), strict=True):
            orbit = {point}
            for target in range(self._graph.points):
                if target not in orbit and pair[1][target] == pair[0][point]:
                    one = self._extend(pair, point, [target])
                    if one is not None:
                        found.append(one)
                        orbit = _grow(orbit, found)
        return found

    def _choose(self, colours: Colours) -> int | None:
        """Return the first point of the colour with the most points; None if each point has a colour of its own."""
        count = collections.Counter(colours[: self._graph.points])
        best = max(range(self._graph.points), key=lambda point: (count[colours[point]], -point))
        return best if count[colours[best]] > 1 else None

    def _extend(self, pair: Colouring, point: int, targets: Sequence[int]) -> tuple[int, ...] | None:
        """Return a symmetry that fits the colours, and takes a point to one of ``targets``; None if there is none."""
        points = range(self._graph.points)
        for target in targets:
            fixed = self._fix(pair, point, target)
            if fixed is None:
                continue
            following = self._choose(fixed[0])
            if following is None:
                place = {fixed[1][at]: at for at in points}
                one = tuple(place[fixed[0][at]] for at in points)
                if is_symmetry(self._data, self._statement, self._graph.write(one)):
                    return one
            else:
                alike = [at for at in points if fixed[1][at] == fixed[0][following]]
                found = self._extend(fixed, following, alike)
                if found is not None:
                    return found
        return None

    def _fix(self, pair: Colouring, point: int, target: int) -> Colouring | None:
        """Give a point and its image a new colour. Return the refined colouring; None if no symmetry fits it."""
        before, after = [*pair[0]], [*pair[1]]
        before[point] = after[target] = len(before)
        return self._refine((before, after))

    def _refine(self, pair: Colouring) -> Colouring | None:
        """Refine a colouring until the number of colours stays the same. Return the refined colouring.

        Return None if a colour has more vertices in one list than in the other: then no symmetry fits the colours.

        Raises:
            _TooLongError: ``MAX_COLOURED`` is reached.
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


def write_generators(generators: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Return permutations as lists, in the form that certificates have."""
    return [[to if isinstance(to, int) else [*to] for to in one] for one in generators]


def is_symmetry(data: Mapping[str, Any], statement: Statement, permutation: Sequence[Any]) -> bool:
    """Say whether the kernel accepts a permutation of spots or cells as a symmetry of a statement."""
    try:
        Symmetries(data, statement, write_generators([permutation]))
    except CertificateError:
        return False
    return True


def find_automorphisms(data: Mapping[str, Any], statement: Statement) -> Symmetries | None:
    """Return a group of symmetries of a statement; None if no group was found (``SymmetryFinder.find``).

    The symmetries also permute values of cells if this makes the group larger.
    """
    found = SymmetryFinder(data, statement).find()
    mapped = _Uses(data, statement.game).find_mapped()
    more = SymmetryFinder(data, statement, mapped).find() if mapped else None
    sizes = [0 if one is None else len(one.group) for one in (found, more)]
    return more if sizes[1] > sizes[0] else found


def list_automorphisms(data: Mapping[str, Any], statement: Statement) -> list[list[int]] | None:
    """Return generators of all symmetries that permute only cells, not values; None if the search gave up."""
    found = SymmetryFinder(data, statement).find_all()
    return None if found is None else write_generators(found)


def size_group(generators: Sequence[Sequence[Any]]) -> int:
    """Return how many symmetries the generators generate, the identity included."""
    made = [[to if isinstance(to, int) else _shorten(*to) for to in generator] for generator in generators]
    waiting = [tuple[Any, ...](range(len(made[0])))]
    seen = set(waiting)
    for one in waiting:  # the loop adds symmetries
        new = {tuple([_follow(to, generator) for to in one]) for generator in made} - seen
        seen |= new
        waiting += new
    return len(seen)


def _follow(step: Any, generator: Sequence[Any]) -> Any:
    """Return the image of ``step`` under a generator. ``step`` is an image of a cell: a cell, or a cell and values."""
    if isinstance(step, int):
        return generator[step]
    cell, *values = step
    to, *further = [generator[cell]] if isinstance(generator[cell], int) else generator[cell]
    return _shorten(to, *([further[value - min(values)] for value in values] if further else values))


def _shorten(cell: int, *values: int) -> Any:
    """Return a cell and the images of values. Return only the cell if each value is its own image."""
    return cell if [*values] == sorted(values) else (cell, *values)


def _grow(orbit: set[int], known: Sequence[tuple[int, ...]]) -> set[int]:
    """Return all points to which products of the permutations take the points in ``orbit``."""
    return _close(orbit, lambda point: {permutation[point] for permutation in known})


def _close(members: Iterable[int], find_next: Callable[[int], Iterable[int]]) -> set[int]:
    """Return ``members``, and all points that can be reached from them by ``find_next``, once or repeatedly."""
    waiting = [*members]
    found = set(waiting)
    for one in waiting:  # the loop adds members
        new = {*find_next(one)} - found
        found |= new
        waiting += new
    return found
