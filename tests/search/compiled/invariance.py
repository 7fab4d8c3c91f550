"""That nothing a statement says can tell a position from its relabelling, where the rules ask for no owner.

A permutation of 0 to 8, of the fields and of the spots of every field at once, takes plays to plays wherever no move
depends on an owner. Three in a line is not preserved, so a formula about owners is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.kernel.games.nested import Nested
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.games.symmetry import Permutation
from verifier.kernel.relabel import Relabelled

IDENTITY: Permutation = tuple(range(10))

GENERATORS: tuple[Permutation, ...] = ((1, 0, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 4, 5, 6, 7, 8, 0, 9))
"""A transposition and a cycle: every permutation is a product of these."""

RULES = Nested(play_on=True)
"""The rules under which neither a move nor the end depends on an owner."""

OWNERS = ("won_by_X", "won_by_O", "X_wins", "O_wins", "over", "old")


def require_invariance(data: Mapping[str, Any]) -> None:
    """Require that a statement about plays, already found well formed, says the same under every relabelling.

    Raises:
        SpecError: the rules, a formula or a strategy can tell a position from its relabelling, or seem to: formulas
            are compared as they are written, but for the order of what ``and``, ``or``, ``sum``, … join.
    """
    if parse_rules(data["rules"]) != RULES:
        raise SpecError("relabelling needs rules that ask for no owner: play goes on after a win, and in won fields")
    texts = json.dumps([data["strategies"], data["objectives"]])
    if any(f'["{word}"' in texts for word in OWNERS):
        raise SpecError("what depends on owners or on a step has no symmetry by relabelling")
    said = Relabelled(RULES.vocabulary, data.get("formulas", []))
    described = [_describe(said, data, permutation) for permutation in (IDENTITY, *GENERATORS)]
    for name, text in described[0].items():
        if any(other[name] != text for other in described):
            raise SpecError(f"{name} is not the same for every numbering of the fields: no symmetry by relabelling")


def _describe(said: Relabelled, data: Mapping[str, Any], permutation: Permutation) -> dict[str, int]:
    """Return a number for each strategy and each objective, relabelled."""
    found = {
        f"the strategy of {player}": said.strategy(value, permutation) for player, value in data["strategies"].items()
    }
    for objective in data["objectives"]:
        formula = objective["holds"] if objective["type"] == "keep" else objective["goal"]
        found[f"objective {len(found)}, {objective['name']!r},"] = said.formula(formula, permutation)
    return found
