"""Find a claimant's moves in a small game: depth-first, with a table of decided positions.

It is for what ``threats`` cannot read: nine fields, players who are bound to strategies, words that solve the game.
"""

from __future__ import annotations

from typing import Any

from verifier.kernel.plays import oppose
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import Statement
from verifier.search.walk import HELP, NodeLimitError

MAX_POSITIONS = 1_000_000


class Solver:
    """Decides whether the claimant can meet one ``reach`` or ``prevent`` objective, by searching the whole game."""

    symmetries: Symmetries | None = None
    """This search does not look for symmetries."""

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.objective = statement.objectives[0]
        self.decided: dict[Any, bool] = {}

    def oppose(self) -> Solver:
        """Return a search for what the opponent claims."""
        return Solver(oppose(self.statement, self.objective.name))

    def is_won(self, position: Any) -> bool:
        """Say whether the claimant meets the objective from a position where it is still open.

        Raises:
            NodeLimitError: more than ``MAX_POSITIONS`` positions were met.
        """
        known = self.decided.get(position)
        if known is None:
            if len(self.decided) >= MAX_POSITIONS:
                raise NodeLimitError(f"more than {MAX_POSITIONS:,} positions. {HELP}")
            known = self.decided[position] = self._decide(position)
        return known

    def _decide(self, position: Any) -> bool:
        game, objective = self.statement.game, self.objective
        is_goal, ply = objective.test(position), game.ply(position)
        if is_goal or ply >= objective.bound:
            return is_goal and ply <= objective.bound if objective.type == "reach" else not is_goal
        moves = self.moves(position)
        if not moves:
            return objective.type == "prevent" and game.is_over(position)
        outcomes = (self.is_won(game.play(position, move)) for move in moves)
        return any(outcomes) if game.turn(position) == self.statement.claimant else all(outcomes)

    def moves(self, position: Any) -> list[Any]:
        """Return the legal moves that the mover's strategy allows; without a strategy, all legal moves."""
        game = self.statement.game
        legal = game.legal_moves(position)
        strategy = self.statement.strategies.get(game.turn(position))
        if strategy is None:
            return list(legal)
        return [move for move in dict.fromkeys(move for _, move in strategy(position)) if move in legal]

    def choose(self, position: Any) -> list[Any]:
        """Return the claimant's first move that keeps the objective, or his first move if no move keeps it."""
        game = self.statement.game
        moves = self.moves(position)
        return [next((m for m in moves if self.is_won(game.play(position, m))), moves[0])] if moves else []
