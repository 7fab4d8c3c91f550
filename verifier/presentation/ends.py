"""How a play ends, in words."""

from __future__ import annotations

from typing import Any

from verifier.kernel.plays import has_ended
from verifier.kernel.statement import Statement


def describe_end(statement: Statement, position: Any) -> str | None:
    """Return how a play ends in a position: ``X wins``, ``O wins``, ``draw``, ``horizon``; or None.

    Where a win does not end the game, both may have won.
    """
    game = statement.game
    if not has_ended(statement, position):
        return None
    won = [player for player in "XO" if game.compile_atom(f"{player}_wins", ())(position, position)]
    return "horizon" if not game.is_over(position) else " and ".join(f"{player} wins" for player in won) or "draw"
