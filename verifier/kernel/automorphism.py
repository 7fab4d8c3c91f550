"""Symmetries of rules on one board: permutations of spots that take plays to plays, given by some that generate them.

Trusted for: that a claim of what somebody can reach or prevent holds in a position if it holds in the image of it. A
permutation is accepted where it takes lines to lines, the formula of ``legal`` of each spot to that of the image, and
each goal to itself; players keep their marks, so outcomes stay what they are. Nobody may have a strategy. Then it takes
every play to a play, move by move, with the same turns, ends and goals. The start may have other images.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.games.positional import Position, Positional
from verifier.kernel.games.symmetry import MAX_KEPT, Permutation, find_images, keeps_lines
from verifier.kernel.relabel import Relabelled
from verifier.kernel.shape import require_shape
from verifier.kernel.statement import Statement

MAX_GENERATORS, MAX_SYMMETRIES = 20, 10_000

A_MASK = 4
"""What an image costs beside the marks that are moved, in nodes."""


class Symmetries:
    """A group of permutations of the spots of a board, each a symmetry of a statement.

    Attributes:
        generators: those that a certificate lists.
        group: all of them, the one that changes nothing first.
    """

    def __init__(self, data: Mapping[str, Any], statement: Statement, generators: Any) -> None:
        """Check the permutations, lists of where each spot goes, and multiply them out."""
        game, kinds = statement.game, {objective.type for objective in statement.objectives}
        if not isinstance(game, Positional) or data["strategies"] or kinds - {"reach", "prevent"}:
            raise CertificateError(
                "not-a-symmetry", "tables up to symmetry are for one board, without strategies: reach and prevent"
            )
        require_shape(generators, [[int]], "the symmetries")
        if not 0 < len(generators) <= MAX_GENERATORS:
            raise CertificateError("malformed", f"'symmetries' lists 1 to {MAX_GENERATORS} permutations")
        said = Relabelled(game.vocabulary, data.get("formulas", []))
        for permutation in generators:
            if sorted(permutation) != list(range(game.cells)):
                raise CertificateError("malformed", f"{str(permutation)[:60]} does not take {game.cells} spots to such")
            fault = _find_fault(permutation, said, game, [objective["goal"] for objective in data["objectives"]])
            if fault:
                raise CertificateError("not-a-symmetry", f"{permutation}: {fault}")
        self._formulas = statement.formulas
        self.generators: list[list[int]] = generators
        self.group = _multiply(generators, game.cells)
        self._images = find_images(self.group)
        self._least = functools.lru_cache(maxsize=MAX_KEPT // len(self.group))(self._find_least)

    def least(self, position: Position) -> Position:
        """Return the least image of a position: the same for all that a symmetry joins.

        Pairs are compared by their first parts first: so those permutations alone matter that lead X's marks to their
        least image, and mostly there is one.
        """
        self._formulas.work += len(self.group) * (A_MASK + (position.x_mask | position.o_mask).bit_count())
        least, reached = self._least(position.x_mask)
        others = self._images(position.o_mask)
        return Position(least, others[reached[0]] if len(reached) == 1 else min([others[n] for n in reached]))

    def _find_least(self, mask: int) -> tuple[int, list[int]]:
        """Return the least image of a mask, and the numbers of the permutations that lead to it."""
        images = self._images(mask)
        least = min(images)
        return least, [number for number, image in enumerate(images) if image == least]


def _multiply(generators: Sequence[Sequence[int]], cells: int) -> list[Permutation]:
    """Return the group that permutations generate."""
    found = {tuple(range(cells)): None}
    waiting = list(found)
    while waiting:
        permutation = waiting.pop()
        for generator in generators:
            product = tuple(generator[s] for s in permutation)
            if product not in found:
                found[product] = None
                waiting.append(product)
        if len(found) > MAX_SYMMETRIES:
            raise CertificateError("limit", f"the permutations generate more than {MAX_SYMMETRIES} symmetries")
    return list(found)


def _find_fault(generator: list[int], said: Relabelled, game: Positional, goals: Sequence[Any]) -> str:
    """Return why a permutation is not a symmetry of a statement; empty: it is one."""
    permutation, same, legal = tuple(generator), tuple(range(game.cells)), game.formulas or []
    if not keeps_lines(permutation, game.lines):
        return "it does not take each line to a line"
    if any(
        said.formula(formula, permutation) != said.formula(legal[permutation[s]], same)
        for s, formula in enumerate(legal)
    ):
        return "what 'legal' says of a spot is not what it says of the image"
    if any(said.formula(goal, permutation) != said.formula(goal, same) for goal in goals):
        return "a goal is not its own image"
    return ""
