"""Finds the value of a position with the searches that look for evidence. No verdict rests on this value."""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import Any

from verifier.kernel.games import Game
from verifier.kernel.statement import parse_statement
from verifier.kernel.words import counted


@dataclass(frozen=True, slots=True)
class Value:
    """The result of a position if each player plays as well as possible.

    Attributes:
        result: ``X wins``, ``O wins``, ``draw`` (neither player can force a win), or ``unknown``.
        plies: the number of plies in which the winner can force the win; None if it is not known, or nobody wins.
        reason: why the result or the number of plies is not known; otherwise empty.
    """

    result: str
    plies: int | None = None
    reason: str = ""

    def __str__(self) -> str:
        told = "" if self.plies is None else f" in {counted(self.plies, 'ply', 'plies')}"
        return f"{self.result}{told}{': ' * bool(self.reason)}{self.reason}"

    def __repr__(self) -> str:
        return f"<Value: {self}>"


def find_value(game: Game, position: Any, winner: str, memory_mib: int) -> Value:
    """Return the value of a position. ``winner`` is the player who has already won; empty: nobody has won."""
    from verifier.search.walk import NodeLimitError

    if game.is_over(position):
        return Value(f"{winner} wins", 0) if winner else Value("draw")
    reasons = []
    for player in "XO":
        try:
            found = _find_win(game, position, player, memory_mib)
        except NodeLimitError as error:
            reasons.append(f"can {player} force a win? {error}")
        else:
            if found is not None:
                return found
    return Value("unknown", reason=" ".join(reasons)) if reasons else Value("draw")


def _find_win(game: Game, position: Any, player: str, memory_mib: int) -> Value | None:
    """Return the value of a position from which a player can force a win; None if he cannot.

    Raises:
        NodeLimitError: the search gave up. The message says how far the search came.
    """
    from verifier.questions.can.evidence import decide_start
    from verifier.search.retrograde import RetrogradeSearch
    from verifier.search.walk import NodeLimitError

    def can_win(last: int | None) -> tuple[bool, int | None]:
        """Say whether the player can force a win by ply ``last``, or at all if ``last`` is None.

        Also return the number of plies to the win; None if it is not known.
        """
        goal = {"name": "wins", "type": "reach", "goal": [f"{player}_wins"], "by": last}
        data = {**plays, "objectives": [goal]}
        solver, is_won = decide_start(data, parse_statement(data), memory_mib)
        return is_won, int(solver.distances[0]) if isinstance(solver, RetrogradeSearch) else None

    plays: dict[str, Any] = {
        "kind": "play",
        "rules": game.data,
        "formulas": [],
        "start": game.format_position(position),
    }
    plays |= {"claimant": player, "horizon": None, "strategies": {}}
    first, last = game.ply(position), game.last_ply
    is_won, plies = can_win(last)
    if is_won and last is not None:
        try:
            plies = 1 + bisect.bisect_left(range(first + 1, last), True, key=lambda ply: can_win(ply)[0])
        except NodeLimitError as error:
            return Value(f"{player} wins", None, f"how soon? {error}")
    return Value(f"{player} wins", plies) if is_won else None
