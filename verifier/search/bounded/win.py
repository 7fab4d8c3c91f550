"""Find Xavier's moves that win in time, in the game itself; the race says which of them may.

Whoever loses the race within some marks cannot win the game within them, so that most of the tree is left out. Where
Olivia's own wins decide, the search goes on: the moves that it finds win in the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verifier.kernel.games.nested import Move, Position
from verifier.kernel.race.bound import marks_left
from verifier.kernel.race.relaxation import coarsen, least, needs_of, race_of
from verifier.kernel.statement import Statement
from verifier.search.bounded.prove import Search
from verifier.search.walk import NodeLimitError

FEW = 5
"""The marks up to which plain search is quicker than proof numbers."""

MAX_MARKS = 12
"""The marks left to Xavier with which the search begins at most: with one more it takes ten times as long."""

MAX_NODES = 100_000_000
"""Nodes of races that are looked into for one statement: some minutes."""

MAX_POSITIONS = 100_000


class RaceSolver:
    """Decides whether Xavier can win by a ply; of his moves, those that win the race soonest are tried first.

    Attributes:
        statement: that he can, as ``derive_win`` states it.
    """

    def __init__(self, statement: Statement, memory_mib: int) -> None:
        self.statement = statement
        self._game: Any = statement.game
        self._ply = statement.objectives[0].bound
        self._search = Search(memory_mib)
        self._decided: dict[Position, bool] = {}

    def is_won(self, position: Position) -> bool:
        """Say whether he can win in time from a position.

        Raises:
            NodeLimitError: a limit is met.
        """
        marks = marks_left(self._game, position, self._ply)
        if marks > MAX_MARKS:
            raise NodeLimitError(f"{marks} marks are left to Xavier, of at most {MAX_MARKS}")
        if position not in self._decided:
            if len(self._decided) >= MAX_POSITIONS:
                raise NodeLimitError(f"more than {MAX_POSITIONS:,} positions")
            self._decided[position] = self._decide(position)
        return self._decided[position]

    def _decide(self, position: Position) -> bool:
        game = self._game
        if game.is_over(position) or game.ply(position) >= self._ply:
            return bool(game.winner(position) == "X")
        if game.turn(position) == "X":
            return any(self.is_won(after) for _, after in self._moves(position))
        left = marks_left(game, position, self._ply)
        moves = game.legal_moves(position)
        return self._wins_race(position, left) and all(self.is_won(game.play(position, move)) for move in moves)

    def choose(self, position: Position) -> list[Move]:
        """Return his move that wins, in a position from which he can win."""
        return [next(move for move, after in self._moves(position) if self.is_won(after))]

    def _moves(self, position: Position) -> Iterator[tuple[Move, Position]]:
        """Yield his moves that win the race, with what they lead to, the quickest first."""
        game = self._game
        after = {move: game.play(position, move) for move in game.legal_moves(position)}
        for marks in range(marks_left(game, position, self._ply)):
            for move in list(after):
                if self._wins_race(after[move], marks):
                    yield move, after.pop(move)

    def _wins_race(self, position: Position, marks: int) -> bool:
        """Say whether he wins the race within some marks, Olivia to move."""
        game, (fields, active) = self._game, race_of(position)
        fewest = least(needs_of(fields))
        if not fewest or fewest > marks or game.is_over(position):
            return bool(not fewest and game.winner(position) == "X")
        left = MAX_NODES - sum(self._search.nodes().values())
        if left <= 0:
            raise NodeLimitError(f"more than {MAX_NODES:,} nodes of races")
        coarse = coarsen(fields, marks)
        if marks <= FEW:
            return not self._search.settle(coarse, active, marks, is_xavier=False, limit=left)
        return self._search.prove(coarse, active, marks, limit=left) < 0
