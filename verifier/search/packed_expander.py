"""The expander for games of cells: it goes from packed positions (``packed``) to the positions after a move."""

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
        """Return bits such as ``ON_GOAL`` for a position, and the positions after all legal moves."""
        outcome, after = self._rules.expand(packed)
        kind = IS_OVER if outcome else 0
        if self._goal(packed, outcome):
            kind |= ON_GOAL
        return kind if packed & 1 else kind | X_MOVES, after


def open_packed(data: Mapping[str, Any]) -> PackedExpander | None:
    """Return an expander for a statement; None if its goal has ``ply`` or ``old``."""
    try:
        return PackedExpander(data)
    except UnreadableWordError:
        return None
