"""Find a claimant's moves in a small game: a depth-first search with a table of decided positions.

This search is for statements that the searches ``threats`` and ``retrograde`` cannot read. Some are about nine fields.
Some have strategies, and depend on the number of moves. Some use words that those searches do not know. This search is
also tried if ``retrograde`` gives up.
"""

from __future__ import annotations

from typing import Any

from verifier.kernel.plays import has_ended, oppose
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import Statement
from verifier.search.expander import find_playable
from verifier.search.walk import ADVICE, NodeLimitError

MAX_SOLVED = 1_000_000


class Solver:
    """Decides whether the claimant can meet a ``reach`` or ``prevent`` objective, by searching the whole game."""

    symmetries: Symmetries | None = None
    """This search does not look for symmetries."""

    def __init__(self, statement: Statement, limit: int | None = None) -> None:
        self.statement, self.limit = statement, limit or MAX_SOLVED
        self.objective = statement.objectives[0]
        self.decided: dict[tuple[Any, bool], bool] = {}

    def oppose(self) -> Solver:
        """Return a search for the opponent's claim."""
        return Solver(oppose(self.statement, self.objective.name))

    def is_won(self, position: Any, is_met: bool = False) -> bool:
        """Return True if the claimant can meet the objective from a position.

        Args:
            position: a position that some play reaches.
            is_met: True if that play reached the goal before the position.

        Raises:
            NodeLimitError: more positions than ``limit`` were met.
        """
        known = self.decided.get((position, is_met))
        if known is None:
            if len(self.decided) >= self.limit:
                raise NodeLimitError(f"more than {self.limit:,} positions. {ADVICE}")
            known = self.decided[position, is_met] = self._decide(position, is_met)
        return known

    def _decide(self, position: Any, is_met: bool) -> bool:
        statement, game, is_goal = self.statement, self.statement.game, self.objective.type == "reach"
        is_met = is_met or self._is_met_at(position)
        if is_met and not self._plays_on:
            return is_goal
        if has_ended(statement, position) or (not statement.strategies and game.ply(position) >= self.objective.bound):
            return is_met == is_goal
        moves = find_playable(statement, position)
        if not moves:
            return statement.is_opposed
        outcomes = (self.is_won(game.play(position, move), is_met) for move in moves)
        return any(outcomes) if game.turn(position) == statement.claimant else all(outcomes)

    @property
    def _plays_on(self) -> bool:
        """True if the search follows plays beyond the goal, because a breakdown there refutes the claim, too."""
        return bool(self.statement.strategies) and (self.objective.type == "reach") != self.statement.is_opposed

    def _is_met_at(self, position: Any) -> bool:
        return self.statement.game.ply(position) <= self.objective.bound and self.objective.test(position)

    def choose(self, position: Any) -> list[Any]:
        """Return the first move after which the claimant can still meet the objective, or else the first of all moves.

        A position does not say whether play has met the goal before. So the same move is returned in both cases.
        """
        game, moves, is_met = self.statement.game, find_playable(self.statement, position), self._is_met_at(position)
        cases = [is_met]
        if self._plays_on:
            cases = [True, is_met] if self.statement.is_opposed else [is_met, True]
        after = {move: game.play(position, move) for move in moves}
        for case in cases:
            found = next((move for move in moves if self.is_won(after[move], case)), None)
            if found is not None:
                return [found]
        return moves[:1]
