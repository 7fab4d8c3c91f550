"""Symmetries: one permutation of 0 to 8, applied to the fields and to the spots of every field at once.

Trusted for: that a part of a statement about steps is the image of another one, and then holds if that one does. A
spot and the field that it sends to have the same number, so a permutation takes moves to moves; the eight symmetries
of the square keep every line as well, and so owners and the end of the game.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from typing import Any

from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.nested import ALIGNED_MASKS, ANY, Nested, Position

Permutation = tuple[int, ...]
"""For each field, the one that it becomes."""

IDENTITY: Permutation = tuple(range(9))

_WORDS = frozenset({"X", "O", "free", "full", "active", "won_by_X", "won_by_O", "X_wins", "O_wins", "over"})
_UNORDERED = ("and", "or", "+", "sum", "exactly-one", "iff", "==", "!=")
_ORDERED = ("not", "implies", "old", "-", "<", "<=", ">", ">=", "ply")


def parse_permutation(text: object) -> Permutation:
    """Read nine digits, the new number of each field.

    Raises:
        CertificateError: each of 0 to 8 does not stand once.
    """
    if not isinstance(text, str) or sorted(text) != list("012345678"):
        raise CertificateError("relabelling", f"{str(text)[:20]!r} is no permutation of 012345678")
    return tuple(int(digit) for digit in text)


def relabel_position(permutation: Permutation, position: Position) -> tuple[int, int, int]:
    """Return the two masks of marks and the active field that a position's become."""
    masks = []
    for mask in (position.x_mask, position.o_mask):
        places = (divmod(place, 9) for place in range(81) if mask >> place & 1)
        masks.append(sum(1 << (9 * permutation[f] + permutation[s]) for f, s in places))
    return masks[0], masks[1], ANY if position.active == ANY else permutation[position.active]


class Relabelled:
    """What relabelled formulas, strategies and parts of a statement say: alike where they have the same text.

    They differ then in nothing but the order of what ``and``, ``or``, ``sum``, … join. A formula is a number, the
    same for those that say the same, so that one with a name is read once for each permutation.

    Args:
        entries: the statement's ``formulas``.
    """

    def __init__(self, entries: list[Any]) -> None:
        self._entries = entries
        self._named: dict[tuple[Permutation, int], int] = {}
        self._numbers: dict[tuple[Any, ...], int] = {}

    def part(self, data: Mapping[str, Any], permutation: Permutation) -> str:
        """Return a text of a part of a statement about steps."""

        def formulas(items: Any) -> list[int]:
            return [self.formula(formula, permutation) for _, formula in items]

        strategy, plays = data["strategy"], data["plays"]
        said = [
            [data["step"], data["claimant"], data["turn"]],
            formulas(data["hypotheses"]),
            formulas(data["conclusions"]),
            self.formula(data["unless"], permutation),
            None if plays is None else _move(plays, permutation),
            None if strategy is None else [strategy["player"], self.strategy(strategy, permutation)],
        ]
        return json.dumps(said)

    def formula(self, node: Any, permutation: Permutation) -> int:
        """Return the number of a formula or a term, moved.

        Raises:
            SpecError: something in it is not about fields and spots.
        """
        if not isinstance(node, list):
            return self._number((type(node).__name__, node))
        head, args = str(node[0]), node[1:]
        if head == "use":
            key = (permutation, args[0])
            if key not in self._named:
                self._named[key] = self.formula(self._entries[args[0]], permutation)
            return self._named[key]
        if head in _WORDS:
            return self._number((head, *(index if index == ANY else permutation[index] for index in args)))
        if head not in _UNORDERED + _ORDERED:
            raise SpecError(f"{head!r} has no image under a symmetry")
        parts = [self.formula(arg, permutation) for arg in args]
        return self._number((head, *(sorted(parts) if head in _UNORDERED else parts)))

    def _number(self, key: tuple[Any, ...]) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def strategy(self, data: Any, permutation: Permutation) -> str:
        """Describe a strategy; instances of a phase and choices of a rule are sets, phases and rules have an order."""
        phases = []
        for phase in data["phases"]:
            instances = []
            for instance in phase["instances"]:
                rules = []
                for rule in instance["rules"]:
                    choices = [
                        [self.formula(choice["when"], permutation), _move(choice["play"], permutation)]
                        for choice in rule["choices"]
                    ]
                    rules.append([rule["rule"], sorted(choices)])
                instances.append(json.dumps([self.formula(instance["when"], permutation), rules]))
            phases.append([phase["phase"], sorted(instances)])
        return json.dumps(phases)


def _move(parts: list[int], permutation: Permutation) -> list[int]:
    if not all(0 <= part <= 8 for part in parts):
        raise SpecError(f"{parts} is no move")
    return [permutation[part] for part in parts]


def is_symmetry(permutation: Permutation) -> bool:
    """Say whether a permutation takes every line of three to one: it is a symmetry of the square."""
    images = {sum(1 << permutation[s] for s in range(9) if line >> s & 1) for line in ALIGNED_MASKS}
    return images == set(ALIGNED_MASKS)


def _permutations() -> Iterator[Permutation]:
    """Yield the symmetries: rows, then columns, in either order, and the two exchanged or not."""
    for rows, columns, is_turned in itertools.product((1, -1), (1, -1), (False, True)):
        places = [(r, c) for r in (0, 1, 2)[::rows] for c in (0, 1, 2)[::columns]]
        yield tuple(3 * c + r if is_turned else 3 * r + c for r, c in places)


SYMMETRIES: tuple[Permutation, ...] = tuple(sorted(_permutations()))
"""The eight symmetries of the square."""


def image_of(permutation: Permutation, position: Position) -> Position:
    """Return what a symmetry of the square makes of a position: lines stay lines, so owners move with the fields."""
    x, o, active = relabel_position(permutation, position)
    owners = (position.x_fields_mask, position.o_fields_mask)
    x_fields, o_fields = (sum(1 << permutation[f] for f in range(9) if mask >> f & 1) for mask in owners)
    return Position(x, o, x_fields, o_fields, active)


def check_images(game: Game, statement: Mapping[str, Any], data: object) -> frozenset[int]:
    """Check that parts are images of others under symmetries of the board; return which.

    Args:
        game: the rules; only those on nine fields have these symmetries.
        statement: one about steps, found well formed.
        data: ``[[PART, OF, PERMUTATION], ...]``: a part, the one whose image it is (which is not itself one), and where
            the numbers go.

    Raises:
        CertificateError: ``malformed`` or ``relabelling``.
    """
    if not isinstance(game, Nested):
        raise CertificateError("relabelling", "no part is the image of another under these rules")
    parts = statement["parts"]
    if not isinstance(data, list) or not all(
        isinstance(item, list) and len(item) == 3 and all(type(i) is int and 0 <= i < len(parts) for i in item[:2])
        for item in data
    ):
        raise CertificateError("malformed", "an image is a part, another one, and a permutation")
    images = [index for index, _, _ in data]
    if len(set(images)) != len(images) or set(images) & {of for _, of, _ in data}:
        raise CertificateError("malformed", "an image is shown once, of a part that is itself none")
    said = Relabelled(statement.get("formulas", []))
    for index, of, text in data:
        permutation = parse_permutation(text)
        if not is_symmetry(permutation):
            raise CertificateError("relabelling", f"{text} does not take lines to lines")
        if said.part(parts[of], permutation) != said.part(parts[index], IDENTITY):
            raise CertificateError("relabelling", f"part {parts[index]['part']!r} is not that image of another")
    return frozenset(images)
