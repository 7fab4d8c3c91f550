"""Symmetries. On nine fields they relate parts of a statement about steps; under other rules they relate positions.

This module is trusted for two things. First, on nine fields: if a part holds, each part that is accepted as its image
holds too. The same permutation of 0 to 8 is applied to the fields and to the spots of every field. A mark on spot n
sends the opponent to field n, so the permutation takes moves to moves. The eight symmetries of the square also take
lines to lines, so they take owned fields to owned fields, and the end of a game to the end of its image.

Second, about a claim that a player can reach or prevent something: if it holds in an image of a position, it holds in
the position. A permutation of the spots of one board, or of cells, is accepted under three conditions. It keeps the
rules (``keeps_rules`` in ``games``). It takes each goal to itself. Neither player has a strategy. Each position and its
image have the same player to move. Then the permutation takes every play to a play, move by move, with the same turns,
ends and goals. The start need not be its own image, and ``given`` need not stay the same (``rounds.find_starts``).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from verifier.kernel.certificate import require_shape
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import Game
from verifier.kernel.games.general import General
from verifier.kernel.games.lines import Permutation, symmetries
from verifier.kernel.games.positional import PositionalGame
from verifier.kernel.statement import Statement

IDENTITY: Permutation = tuple(range(9))

_CellFinder = Callable[[list[Any]], int]

UNORDERED = ("and", "or", "+", "sum", "exactly-one", "iff", "==", "!=")  # operators whose parts may be in any order


class Relabelling:
    """Numbers for the images of formulas, strategies and parts under permutations. Equal numbers mean equal meanings.

    Names of parts, hypotheses, conclusions and formulas are ignored, and also the order of the operands of ``and``,
    ``or``, ``sum``, …, of the instances in a phase, and of the choices in a rule. Things that differ only in such names
    and orders have the same number. An entry of ``formulas`` is read once for each permutation. The indices of a word
    in ``words`` are permuted; with ``find_cell``, a word and its indices name a cell, whose number is permuted instead.
    """

    def __init__(self, words: Container[str], entries: list[Any], find_cell: _CellFinder | None = None) -> None:
        self._words, self._entries, self._find_cell = words, entries, find_cell
        self._memos: dict[Permutation, dict[int, int]] = {}
        self._memo, self._memo_of = dict[int, int](), Permutation()  # the memo used last, and its permutation
        self._numbers: dict[tuple[Any, ...], int] = {}

    def part(self, data: Mapping[str, Any], permutation: Permutation) -> int:
        """Return the number of the image of a part of a statement about steps on nine fields."""
        permutation = (*permutation, len(permutation))  # 9, which stands for a free choice, stays the same
        strategy, plays = data["strategy"], data["plays"]
        said = (
            *(tuple(self.formula(said, permutation) for _, said in data[key]) for key in ("hypotheses", "conclusions")),
            None if plays is None else _move(plays, permutation),
            None if strategy is None else self.strategy(strategy, permutation),
        )
        return self._number(("part", data["step"], data["claimant"], data["turn"], *said))

    def formula(self, node: Any, permutation: Permutation) -> int:
        """Return the number of the image of a formula or a term."""
        if not isinstance(node, list):
            return self._number((type(node).__name__, node))
        head, args = node[0], node[1:]
        if head == "use":
            if permutation is not self._memo_of:  # a permutation of many cells takes long to look up
                self._memo, self._memo_of = self._memos.setdefault(permutation, {}), permutation
            if args[0] not in self._memo:
                self._memo[args[0]] = self.formula(self._entries[args[0]], permutation)
            return self._memo[args[0]]
        if head in self._words:
            head, *args = node if self._find_cell is None else ("", self._find_cell(node))
            return self._number((head, *(permutation[index] for index in args)))
        parts = [self.formula(arg, permutation) for arg in args]
        return self._number((head, *(sorted(parts) if head in UNORDERED else parts)))

    def _number(self, key: tuple[Any, ...]) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def strategy(self, data: Any, permutation: Permutation) -> int:
        """Return the number of the image of a strategy, or of a part of it. The order of phases and rules matters."""
        said: dict[str, Any] = dict(data)
        for key, value in data.items():
            if key == "when":
                said[key] = self.formula(value, permutation)
            elif key == "play":
                said[key] = _move(value, permutation)
            elif isinstance(value, list):
                parts = [self.strategy(part, permutation) for part in value]
                said[key] = tuple(sorted(parts) if key in ("instances", "choices") else parts)
        return self._number(("strategy", *sorted(said.items())))


def _move(parts: list[int], permutation: Permutation) -> tuple[int, ...]:
    return tuple(permutation[part] for part in parts)


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
        raise CertificateError("malformed", "an image must be listed once, and be of a part that is not listed")
    said = Relabelling(game.vocabulary, statement["formulas"])
    for index, of, text in data:
        if said.part(parts[of], _NAMED[text]) != said.part(parts[index], IDENTITY):
            raise CertificateError("relabelling", f"part {index} is not the image of part {of} under {text}")
    return frozenset(images)


MAX_GENERATORS, MAX_SYMMETRIES = 20, 10_000

AN_IMAGE = 4
"""The work of computing one image of a position, in nodes of a formula. Each mark on a board, or each cell, adds 1."""


class Symmetries:
    """A group of symmetries of a statement, which permute spots or cells. A few *generators* generate it."""

    def __init__(self, data: Mapping[str, Any], statement: Statement, generators: Any) -> None:
        """Check the generators, and compute the group. A generator lists, for every spot or cell, its image."""
        game, kinds = statement.game, {objective.type for objective in statement.objectives}
        if not isinstance(game, PositionalGame | General) or data["strategies"] or kinds - {"reach", "prevent"}:
            text = "'symmetries' need one board or cells, only objectives 'reach' and 'prevent', and no strategies"
            raise CertificateError("not-a-symmetry", text)
        require_shape(generators, [[int]], "the symmetries")
        if not 0 < len(generators) <= MAX_GENERATORS:
            raise CertificateError("malformed", f"'symmetries' must list 1 to {MAX_GENERATORS} permutations")
        find_cell = game.find_cell if isinstance(game, General) else None
        words = game.vocabulary if find_cell is None else game.cells
        said, identity = Relabelling(words, data["formulas"], find_cell), tuple(range(game.places))
        goals, of_rules = [objective["goal"] for objective in data["objectives"]], game.data.get("formulas", [])
        for permutation in map(tuple, generators):
            if sorted(permutation) != [*identity]:
                raise CertificateError("malformed", f"{str(permutation)[:60]} does not permute {game.places} places")
            is_same = [said.formula(goal, permutation) for goal in goals] == [said.formula(g, identity) for g in goals]
            if not is_same or not game.keeps_rules(permutation, Relabelling(words, of_rules, find_cell).formula):
                raise CertificateError("not-a-symmetry", f"{permutation} changes what the rules say, or a goal")
        self._formulas = statement.formulas
        self.generators: list[list[int]] = generators
        self.group = _multiply(generators, game.places)
        self._find_least = game.least_images(self.group)

    def least(self, position: Any) -> Any:
        """Return the least image of a position; it is the same for all images of the position."""
        found, size = self._find_least(position)
        self._formulas.work += len(self.group) * (AN_IMAGE + size)
        return found


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
