"""Symmetries. On nine fields they relate parts of a statement about steps; under other rules they relate positions.

This module is trusted for two things. First, on nine fields: if a part holds, each part that is accepted as its image
holds too. The same permutation of 0 to 8 is applied to the fields and to the spots of every field. A mark on spot n
sends the opponent to field n, so the permutation takes moves to moves. The eight symmetries of the square also take
lines to lines, so they take owned fields to owned fields, and the end of a game to the end of its image.

Second, about a claim that a player can reach or prevent something: if it holds in an image of a position, it holds in
the position. A permutation of the spots of one board, or of cells, is accepted under three conditions: it keeps the
rules (``keeps_rules`` in ``games``); it takes each goal to itself; neither player has a strategy. Whose turn it is
does not change. So a permutation takes every play to a play, move by move, with the same turns, ends and goals. The
start need not be its own image, and ``given`` need not stay the same (``rounds.find_starts``).

A permutation that moves a cell can also permute the cell's values. This *map* takes all other integers to themselves,
so a new value is in range exactly if its image is. In the image of a formula, a cell becomes its image, and the value
of the image goes through the inverse of the map. Maps cancel in the new value that a move gives to a cell. They also
cancel in an equation: a map takes different integers to different integers, so it can be applied to both sides.
Elsewhere maps stay, so the formula never gets the number of a formula without maps (``Relabelling``).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from verifier.kernel.certificate import require_shape
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import CellImage, Game, ValueMap, compose
from verifier.kernel.games.general import General
from verifier.kernel.games.lines import Permutation, symmetries
from verifier.kernel.games.positional import PositionalGame
from verifier.kernel.statement import Statement

IDENTITY: Permutation = tuple(range(9))

UNORDERED = ("and", "or", "+", "sum", "exactly-one", "iff", "==", "!=")  # their parts may be in any order


class Relabelling:
    """Numbers for the images of formulas, strategies and parts under permutations. Equal numbers mean equal meanings.

    Names of parts, hypotheses, conclusions and formulas are ignored, and also the order of the operands of ``and``,
    ``or``, ``sum``, …, of the instances in a phase, and of the choices in a rule. Things that differ only in such names
    and orders have the same number. An entry of ``formulas`` is read once for each permutation. The indices of a word
    in ``words`` are permuted; with ``find_cell``, a word and its indices name a cell, whose number is permuted instead.
    """

    def __init__(self, words: Container[str], entries: list[Any], find_cell: Any = None) -> None:
        self._words, self._entries, self._find_cell = words, entries, find_cell
        self._memos: dict[tuple[Any, ...], dict[Any, int]] = {}
        self._memo, self._memo_of = dict[Any, int](), tuple[Any, ...]()  # the memo used last, and its permutation
        self._numbers: dict[tuple[Any, ...], int] = {}

    def part(self, data: Mapping[str, Any], permutation: Permutation) -> int:
        """Return the number of the image of a part on nine fields, or of its strategy. The order of rules matters."""
        permutation = (*permutation[:9], 9)  # 9, which stands for a free choice, stays the same
        said: dict[str, Any] = {key: value for key, value in data.items() if key != "part"}
        for key, value in said.items():
            if key == "when":
                said[key] = self.formula(value, permutation)
            elif key in ("hypotheses", "conclusions"):
                said[key] = tuple(self.formula(formula, permutation) for _, formula in value)
            elif key in ("play", "plays"):
                said[key] = value and tuple(permutation[number] for number in value)
            elif key == "strategy":
                said[key] = value and self.part(value, permutation)
            elif isinstance(value, list):
                parts = [self.part(part, permutation) for part in value]
                said[key] = tuple(sorted(parts) if key in ("instances", "choices") else parts)
        return self._number(("part", *sorted(said.items())))

    def formula(self, node: Any, permutation: tuple[Any, ...], then: ValueMap = ()) -> int:
        """Return the number of the image of a formula or a term. For a term, the map ``then`` changes its value."""
        if not isinstance(node, list):
            return self._number((type(node).__name__, dict(then).get(node, node)))
        head, args = node[0], node[1:]
        if head == "use":
            if permutation is not self._memo_of:  # a permutation of many cells takes long to look up
                self._memo, self._memo_of = self._memos.setdefault(permutation, {}), permutation
            if (args[0], then) not in self._memo:
                self._memo[args[0], then] = self.formula(self._entries[args[0]], permutation, then)
            return self._memo[args[0], then]
        if head in self._words and self._find_cell is not None:
            to, values = permutation[self._find_cell(node)]  # the image: cell ``to``, then the inverse of ``values``
            return self._number(("", to) if values == then else ("", to, values, then))
        if head in self._words:
            return self._number((head, *(permutation[index] for index in args)))
        inner = [(), then, then] if head == "if" else [()] * len(args)
        cells = [arg for arg in args if isinstance(arg, list) and arg[0] in self._words]
        if head in ("==", "!=", "=") and cells and self._find_cell is not None:
            inner = [permutation[self._find_cell(cells[0])][1]] * 2  # "=" is the change of a cell by a move
        parts = [self.formula(arg, permutation, one) for arg, one in zip(args, inner, strict=True)]
        found = self._number((head, *(sorted(parts) if head in UNORDERED else parts)))
        return self._number(("changed", found, then)) if then and head != "if" else found

    def _number(self, key: tuple[Any, ...]) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


SYMMETRIES: tuple[Permutation, ...] = tuple(sorted(symmetries(3, 3)))
"""The eight symmetries of the square. No other permutation takes every line of three to a line of three."""

_NAMED = {"".join(map(str, permutation)): permutation for permutation in SYMMETRIES}


def check_images(game: Game, statement: Mapping[str, Any], data: Any) -> frozenset[int]:
    """Check that each listed part is the image of another part. Return the indices of the listed parts."""
    if not game.is_square:
        raise CertificateError("relabelling", "under these rules a part cannot be the image of another")
    parts = statement["parts"]
    require_shape(data, [[range(len(parts)), range(len(parts)), frozenset(_NAMED)]], "the images")
    images = [index for index, _, _ in data]
    if len(set(images)) != len(images) or set(images) & {of for _, of, _ in data}:
        raise CertificateError("malformed", "a part can be listed once, as the image of a part that is not listed")
    said = Relabelling(game.vocabulary, statement["formulas"])
    for index, of, text in data:
        if said.part(parts[of], _NAMED[text]) != said.part(parts[index], IDENTITY):
            raise CertificateError("relabelling", f"part {index} is not the image of part {of} under {text}")
    return frozenset(images)


MAX_GENERATORS, MAX_SYMMETRIES, MAX_CELL_IMAGES = 20, 10_000, 10_000

AN_IMAGE = 4
"""The work of computing one image of a position, in nodes of a formula. Each mark on a board, or each cell, adds 1."""


class Symmetries:
    """A group of symmetries of a statement, which permute spots or cells. A few *generators* generate it.

    A permutation lists for each spot or cell the number of its image, an index of ``cell_images``. In ``cell_images``,
    the spots or cells themselves come first, and then cells with maps of values.
    """

    def __init__(self, data: Mapping[str, Any], statement: Statement, generators: Any) -> None:
        """Check the generators, and compute the group. A generator lists, for every spot or cell, its image."""
        game, kinds = statement.game, {objective.type for objective in statement.objectives}
        if not isinstance(game, PositionalGame | General) or data["strategies"] or kinds - {"reach", "prevent"}:
            text = "'symmetries' need one board or cells, only objectives 'reach' and 'prevent', and no strategies"
            raise CertificateError("not-a-symmetry", text)
        find_cell = game.find_cell if isinstance(game, General) else None
        require_shape(generators, [[(int, [int]) if find_cell else int]], "the symmetries")
        if not 0 < len(generators) <= MAX_GENERATORS:
            raise CertificateError("malformed", f"'symmetries' must list 1 to {MAX_GENERATORS} permutations")
        words = game.vocabulary if find_cell is None else game.cells
        said, identity = Relabelling(words, data["formulas"], find_cell), _read_images(game, range(game.places))
        goals, of_rules = [objective["goal"] for objective in data["objectives"]], game.data.get("formulas", [])
        permutations = [_read_images(game, generator) for generator in generators]
        for permutation in permutations:
            is_same = [said.formula(goal, permutation) for goal in goals] == [said.formula(g, identity) for g in goals]
            if not is_same or not game.keeps_rules(permutation, Relabelling(words, of_rules, find_cell).formula):
                raise CertificateError("not-a-symmetry", f"{permutation} changes what the rules say, or a goal")
        self._formulas = statement.formulas
        self.generators: list[list[Any]] = generators
        self.cell_images, numbered = _number_images(permutations)
        self.group = _multiply(numbered, game.places)
        self._find_least = game.least_images(self.group, self.cell_images)

    def least(self, position: Any) -> Any:
        """Return the least image of a position; it is the same for all images of the position."""
        found, work = self._find_least(position)
        self._formulas.work += len(self.group) * AN_IMAGE + work
        return found


def _read_images(game: Any, generator: Iterable[Any]) -> tuple[CellImage, ...]:
    """Read a permutation: for each spot or cell, its image; or a list of its image and the images of its own values."""
    rows = [[to] if type(to) is int else to for to in generator]
    if sorted(row[:1] for row in rows) != [[to] for to in range(game.places)]:
        raise CertificateError("malformed", f"{str(generator)[:60]} does not permute {game.places} places")
    pairs = enumerate(zip(generator, rows, strict=True))
    return tuple([(row[0], () if type(to) is int else game.read_map(at, row[1:])) for at, (to, row) in pairs])


def _number_images(permutations: list[tuple[CellImage, ...]]) -> tuple[list[CellImage], list[list[int]]]:
    """Return all images of cells under products of permutations; and, by permutation, the numbers of their images."""
    found: list[CellImage] = [(cell, ()) for cell in range(len(permutations[0]))]
    numbers, numbered = {image: number for number, image in enumerate(found)}, [list[int]() for _ in permutations]
    for cell, values in found:  # grows while it is read
        for made, permutation in zip(numbered, permutations, strict=True):
            image = permutation[cell][0], compose(values, permutation[cell][1])
            made.append(numbers.setdefault(image, len(found)))
            found += [image] * (len(numbers) - len(found))
        if len(found) > MAX_CELL_IMAGES:
            raise CertificateError("limit", f"more than {MAX_CELL_IMAGES:,} images of single cells: use fewer maps")
    return found, numbered


def _multiply(generators: Sequence[Sequence[int]], cells: int) -> list[Permutation]:
    """Return the group that permutations generate; the identity comes first."""
    found = [tuple(range(cells))]
    seen = set(found)
    for permutation in found:  # grows while it is read
        products = {tuple(generator[s] for s in permutation) for generator in generators} - seen
        found += sorted(products)
        seen |= products
        if len(found) > MAX_SYMMETRIES:
            raise CertificateError("limit", f"more than {MAX_SYMMETRIES:,} symmetries: give fewer permutations")
    return found
