"""Walk over the packed positions of a statement about a game of cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifier.search.expander import IS_OVER, ON_GOAL, X_MOVES, Unfolded
from verifier.search.packed import PackedRules, UnreadableWordError


class PackedExpander(Unfolded):
    """The compiled rules and goal of a statement, with the members of ``Expander``."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Compile the rules and the goal of the first objective.

        Raises:
            UnreadableWordError: the goal has ``ply`` or ``old``.
        """
        rules = PackedRules(data["rules"])
        self._rules, self._goal = rules, rules.compile_goal(data["objectives"][0]["goal"], data["formulas"])
        self.bits, self.pack, self.unpack, self.places = rules.bits, rules.pack, rules.unpack, rules.places

    def expand(self, packed: int) -> tuple[int, list[int]]:
        """Return the bits that say what kind of position this is, and the positions after all legal moves."""
        outcome, after = self._rules.expand(packed)
        kind = IS_OVER if outcome else 0
        if self._goal(packed, outcome):
            kind |= ON_GOAL
        return kind if packed & 1 else kind | X_MOVES, after


def open_packed(data: Mapping[str, Any]) -> PackedExpander | None:
    """Return the rules and the goal of a statement; None if the goal depends on the number of moves."""
    try:
        return PackedExpander(data)
    except UnreadableWordError:
        return None
