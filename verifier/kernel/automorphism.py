"""Symmetries of rules on one board: permutations of spots that take plays to plays, given by some that generate them.

Trusted for: that a claim of what somebody can reach or prevent holds in a position if it holds in the image of it. A
permutation is accepted where it takes lines to lines, the formula of ``legal`` of each spot to that of the image, and
each goal to itself; players keep their marks, so outcomes stay what they are. Nobody may have a strategy. Then it takes
every play to a play, move by move, with the same turns, ends and goals. The start may have other images.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.games.positional import Position, Positional
from verifier.kernel.statement import Statement

Permutation = tuple[int, ...]
"""Where each spot goes."""

MAX_GENERATORS, MAX_SYMMETRIES = 20, 10_000

MAX_KEPT = 4_000_000
"""How many images of masks are remembered: of a mask there are as many as symmetries."""

_UNORDERED = ("and", "or", "+", "sum", "exactly-one", "iff", "==", "!=")


class Symmetries:
    """A group of permutations of the spots of a board, each a symmetry of a statement.

    Attributes:
        generators: those that a certificate lists.
        group: all of them, the one that changes nothing first.
    """

    def __init__(self, data: Mapping[str, Any], statement: Statement, generators: object) -> None:
        """Check the permutations, and multiply them out.

        Args:
            data: the statement, as JSON.
            statement: the same, compiled.
            generators: lists of spots: where each spot goes.

        Raises:
            CertificateError: ``malformed``, or ``not-a-symmetry``: of these plays nothing like that holds.
        """
        game = statement.game
        kinds = {objective.type for objective in statement.objectives}
        if (
            not isinstance(game, Positional)
            or data["strategies"]
            or "given" in data
            or not kinds <= {"reach", "prevent"}
        ):
            raise CertificateError(
                "not-a-symmetry",
                "tables up to symmetry are for one board, without strategies, and for reach and prevent",
            )
        checked = _read(generators, game.cells)
        for permutation in checked:
            fault = _Images(data, game).find_fault(permutation)
            if fault:
                raise CertificateError("not-a-symmetry", f"{list(permutation)}: {fault}")
        self._formulas = statement.formulas
        self.generators = [list(permutation) for permutation in checked]
        self.group = _multiply(checked, game.cells)
        self._bits = [[1 << s for s in permutation] for permutation in self.group]
        self._images: dict[int, tuple[int, ...]] = {0: (0,) * len(self.group)}

    def least(self, position: Position) -> Position:
        """Return the least image of a position: the same for all that a symmetry joins. It counts as work."""
        first, second = position
        self._formulas.work += len(self.group)
        images = self._images_of(first)
        best = min(images)
        return Position(best, min(self._image(g, second) for g, image in enumerate(images) if image == best))

    def _images_of(self, mask: int) -> tuple[int, ...]:
        found = self._images.get(mask)
        if found is None:
            top = mask.bit_length() - 1
            rest = self._images_of(mask ^ 1 << top)
            found = tuple(image | bits[top] for image, bits in zip(rest, self._bits, strict=True))
            if len(self._images) * len(self.group) > MAX_KEPT:
                self._images = {0: self._images[0]}
            self._images[mask] = found
        return found

    def _image(self, g: int, mask: int) -> int:
        bits, image = self._bits[g], 0
        while mask:
            image |= bits[(mask & -mask).bit_length() - 1]
            mask &= mask - 1
        return image


def _read(generators: object, cells: int) -> list[Permutation]:
    """Return the permutations that a certificate lists.

    Raises:
        CertificateError: it lists none, too many, or something else.
    """
    if not isinstance(generators, list) or not 0 < len(generators) <= MAX_GENERATORS:
        raise CertificateError("malformed", f"'symmetries' lists 1 to {MAX_GENERATORS} permutations")
    for spots in generators:
        is_list = isinstance(spots, list) and all(type(s) is int for s in spots)
        if not is_list or sorted(spots) != list(range(cells)):
            raise CertificateError(
                "malformed", f"{str(spots)[:60]} does not say of each of {cells} spots where it goes"
            )
    return [tuple(spots) for spots in generators]


def _multiply(generators: Sequence[Permutation], cells: int) -> list[Permutation]:
    """Return the group that permutations generate.

    Raises:
        CertificateError: ``limit``: it is too large.
    """
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


class _Images:
    """Says what permutations make of the lines and formulas of a statement."""

    def __init__(self, data: Mapping[str, Any], game: Positional) -> None:
        self._game = game
        self._entries = data.get("formulas", [])
        self._kept = [objective["goal"] for objective in data["objectives"]]
        self._same = tuple(range(game.cells))

    def find_fault(self, permutation: Permutation) -> str:
        """Return why a permutation is not a symmetry of the statement; empty: it is one."""
        game = self._game
        for lines in game.lines.values():
            images = {tuple(tuple(sorted(permutation[s] for s in spots)) for spots in line) for line in lines}
            if images != set(lines):
                return "it does not take each line to a line"
        legal = game.formulas or []
        if any(
            self._moved(said, permutation) != self._moved(legal[permutation[s]], self._same)
            for s, said in enumerate(legal)
        ):
            return "what 'legal' says of a spot is not what it says of the image"
        if any(self._moved(said, permutation) != self._moved(said, self._same) for said in self._kept):
            return "a goal is not its own image"
        return ""

    def _moved(self, node: Any, permutation: Permutation) -> Any:
        """Return a formula with its spots moved, and in order what may change places; names are written out."""
        if not isinstance(node, list):
            return type(node).__name__, node
        head, parts = node[0], node[1:]
        if head == "use":
            return self._moved(self._entries[parts[0]], permutation)
        if head in self._game.vocabulary:
            return head, *(permutation[s] for s in parts)
        moved = [self._moved(part, permutation) for part in parts]
        return head, *(sorted(moved, key=repr) if head in _UNORDERED else moved)
