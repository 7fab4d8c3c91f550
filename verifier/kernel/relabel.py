"""Relabelling: one permutation of 0 to 8, applied to the fields and to the spots of every field at once.

Trusted for: that a position is a relabelling of another one, and that nothing a statement says can tell the two apart.
A spot and the field that it sends to have the same number, so a relabelling takes plays to plays wherever no move
depends on an owner. Three in a line is not preserved: owners are not compared, and a formula about them is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.ultimate import ANY, Position

Permutation = tuple[int, ...]
"""For each field, the one that it becomes."""

IDENTITY: Permutation = tuple(range(9))

GENERATORS: tuple[Permutation, ...] = ((1, 0, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6, 7, 8, 0))
"""A transposition and a cycle: every permutation is a product of these."""

RULE_SETS = frozenset({"paper-play-on"})
"""The rule sets in which neither a move nor the end depends on an owner."""

_INDICES = {"X": 2, "O": 2, "free": 2, "full": 1, "active": 1}
_FLAT = ("and", "or", "+")
_UNORDERED = ("and", "or", "+", "sum", "exactly-one", "iff", "==", "!=")
_ORDERED = ("not", "implies", "-", "<", "<=", ">", ">=", "ply")


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


def require_invariance(data: Mapping[str, Any]) -> None:
    """Require that a statement about plays, already found well formed, says the same under every relabelling.

    Raises:
        SpecError: the rules, a formula or a strategy can tell a position from its relabelling, or seem to: formulas
            are compared as they are written, but for the order of what ``and``, ``or``, ``sum``, … join.
    """
    if data["rules"] not in RULE_SETS:
        raise SpecError(f"relabelling needs rules that ask for no owner ({', '.join(RULE_SETS)}), not {data['rules']}")
    described = [_describe(data, permutation) for permutation in (IDENTITY, *GENERATORS)]
    for name, text in described[0].items():
        if any(other[name] != text for other in described):
            raise SpecError(f"{name} is not the same for every numbering of the fields: no symmetry by relabelling")


def _describe(data: Mapping[str, Any], permutation: Permutation) -> dict[str, str]:
    """Return a text for each strategy and each objective, relabelled."""
    texts = {f"the strategy of {player}": _strategy(value, permutation) for player, value in data["strategies"].items()}
    for objective in data["objectives"]:
        formula = objective["holds"] if objective["type"] == "keep" else objective["goal"]
        texts[f"objective {len(texts)}, {objective['name']!r},"] = _formula(formula, permutation)
    return texts


def _formula(node: Any, permutation: Permutation) -> str:
    """Return a text that relabelled formulas share when they differ in nothing but the order of their parts."""
    if not isinstance(node, list):
        return json.dumps(node)
    head, args = str(node[0]), node[1:]
    if head in _INDICES:
        return " ".join([head, *(str(index if index == ANY else permutation[index]) for index in args)])
    if head not in _UNORDERED + _ORDERED:
        raise SpecError(f"{head!r} depends on owners or on a step: no symmetry by relabelling")
    if head in _FLAT:
        args = list(_flatten(head, args))
    texts = [_formula(arg, permutation) for arg in args]
    return f"({head} {', '.join(sorted(texts) if head in _UNORDERED else texts)})"


def _flatten(head: str, args: list[Any]) -> list[Any]:
    flat = []
    for arg in args:
        flat += _flatten(head, arg[1:]) if isinstance(arg, list) and arg[0] == head else [arg]
    return flat


def _strategy(data: Any, permutation: Permutation) -> str:
    """Describe a strategy; instances of a phase and choices of a rule are sets, phases and rules have an order."""
    phases = []
    for phase in data["phases"]:
        instances = []
        for instance in phase["instances"]:
            rules = []
            for rule in instance["rules"]:
                choices = [
                    f"{_formula(choice['when'], permutation)}: {_move(choice['play'], permutation)}"
                    for choice in rule["choices"]
                ]
                rules.append([rule["rule"], sorted(choices)])
            instances.append(json.dumps([_formula(instance["when"], permutation), rules]))
        phases.append([phase["phase"], sorted(instances)])
    return json.dumps(phases)


def _move(parts: list[int], permutation: Permutation) -> list[int]:
    if not all(0 <= part <= 8 for part in parts):
        raise SpecError(f"{parts} is no move")
    return [permutation[part] for part in parts]
