"""Symmetries: one permutation of 0 to 8, applied to the fields and to the spots of every field at once.

Trusted for: that a part of a statement about steps is the image of another one, and then holds if that one does. A
spot and the field that it sends to have the same number, so a permutation takes moves to moves; the eight symmetries
of the square keep every line as well, and so owners and the end of the game.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.games import Game
from verifier.kernel.games.nested import ANY
from verifier.kernel.games.symmetry import Permutation, symmetries
from verifier.kernel.shape import require_shape

IDENTITY: Permutation = tuple(range(9))

UNORDERED = ("and", "or", "+", "sum", "exactly-one", "iff", "==", "!=")


class Relabelled:
    """What relabelled formulas, strategies and parts of a statement say: a number, which all that say the same share.

    Those differ in nothing but the order of what ``and``, ``or``, ``sum``, … join, of the instances of a phase, and of
    the choices of a rule. A formula with a name is read once for each permutation.
    """

    def __init__(self, words: Container[str], entries: list[Any]) -> None:
        self._words, self._entries = words, entries
        self._named: dict[tuple[Permutation, int], int] = {}
        self._numbers: dict[tuple[Any, ...], int] = {}

    def part(self, data: Mapping[str, Any], permutation: Permutation) -> int:
        """Return the number of a part of a statement about steps on nine fields, moved."""
        permutation = (*permutation, ANY)
        strategy, plays = data["strategy"], data["plays"]
        said = (
            *(tuple(self.formula(said, permutation) for _, said in data[key]) for key in ("hypotheses", "conclusions")),
            self.formula(data["unless"], permutation),
            None if plays is None else _move(plays, permutation),
            None if strategy is None else self.strategy(strategy, permutation),
        )
        return self._number(("part", data["step"], data["claimant"], data["turn"], *said))

    def formula(self, node: Any, permutation: Permutation) -> int:
        """Return the number of a formula or a term, moved."""
        if not isinstance(node, list):
            return self._number((type(node).__name__, node))
        head, args = node[0], node[1:]
        if head == "use":
            key = (permutation, args[0])
            if key not in self._named:
                self._named[key] = self.formula(self._entries[args[0]], permutation)
            return self._named[key]
        if head in self._words:
            return self._number((head, *(permutation[index] for index in args)))
        parts = [self.formula(arg, permutation) for arg in args]
        return self._number((head, *(sorted(parts) if head in UNORDERED else parts)))

    def _number(self, key: tuple[Any, ...]) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def strategy(self, data: Any, permutation: Permutation) -> int:
        """Return the number of a strategy, moved; phases, and the rules of an instance, have an order."""
        phases = []
        for phase in data["phases"]:
            instances = []
            for instance in phase["instances"]:
                said: list[Any] = ["instance", self.formula(instance["when"], permutation)]
                for rule in instance["rules"]:
                    choices = [(choice["when"], choice["play"]) for choice in rule["choices"]]
                    moved = [(self.formula(when, permutation), _move(play, permutation)) for when, play in choices]
                    said.append((rule["rule"], *sorted(moved)))
                instances.append(self._number(tuple(said)))
            phases.append((phase["phase"], *sorted(instances)))
        return self._number(("strategy", data["player"], *phases))


def _move(parts: list[int], permutation: Permutation) -> tuple[int, ...]:
    return tuple(permutation[part] for part in parts)


SYMMETRIES: tuple[Permutation, ...] = tuple(sorted(symmetries(3, 3)))
"""The eight symmetries of the square; no other permutation takes every line of three to one."""


def check_images(game: Game, statement: Mapping[str, Any], data: Any) -> frozenset[int]:
    """Check that parts of a well-formed statement are images of others under symmetries of nine fields; return which.

    It is said as ``[[PART, OF, PERMUTATION], ...]``: a part, the one whose image it is (which is not itself one), and
    where the numbers go, as nine digits.
    """
    if not game.is_square:
        raise CertificateError("relabelling", "no part is the image of another under these rules")
    parts = statement["parts"]
    require_shape(data, [[range(len(parts)), range(len(parts)), object]], "the images")
    images = [index for index, _, _ in data]
    if len(set(images)) != len(images) or set(images) & {of for _, of, _ in data}:
        raise CertificateError("malformed", "an image is shown once, of a part that is itself none")
    said = Relabelled(game.vocabulary, statement.get("formulas", []))
    for index, of, text in data:
        permutation = next((p for p in SYMMETRIES if "".join(map(str, p)) == text), None)
        if permutation is None:
            raise CertificateError("relabelling", f"{str(text)[:20]!r} is not a permutation that takes lines to lines")
        if said.part(parts[of], permutation) != said.part(parts[index], IDENTITY):
            raise CertificateError("relabelling", f"part {parts[index]['part']!r} is not that image of another")
    return frozenset(images)
