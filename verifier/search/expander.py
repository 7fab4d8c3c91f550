"""The rules and the goal of a statement, for a search that ignores how many moves were made so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from verifier.kernel.statement import Statement
from verifier.search.walk import find_legal

ON_GOAL, IS_OVER, X_MOVES = 1, 2, 4
"""The bits of the number that ``expand`` returns for a position: the goal holds, the game is over, X is to move."""


class Expander(Protocol):
    """The rules and the goal of a statement. Positions are hashable values that do not say how many moves were made."""

    @property
    def bits(self) -> int:
        """The size of a position in bits."""

    @property
    def places(self) -> Sequence[tuple[int, int]]:
        """The first bit and the number of bits of each cell; empty if the search cannot use symmetries."""

    def pack(self, position: Any, /) -> Any:
        """Turn a position of the kernel into a position of this search."""

    def unpack(self, packed: Any, /) -> Any:
        """Turn a position of this search into a position of the kernel, with an arbitrary number of moves."""

    def expand(self, packed: Any, /) -> tuple[int, list[Any]]:
        """Return bits such as ``ON_GOAL`` for a position, and the positions after all legal moves.

        The positions are in the order of the kernel's moves. If the game is over, no positions are returned.
        """

    def fold(self, positions: Sequence[Any], /) -> Sequence[Any]:
        """Return, for each position, the position that stands for it. Without symmetries, each stands for itself."""

    def expand_all(self, level: Sequence[Any], /) -> Iterator[tuple[int, Sequence[Any]]]:
        """Do what ``expand`` does, for each position of a list. Also fold the positions after the moves."""


class Unfolded:
    """The members of ``Expander`` that are about symmetries, for a search without symmetries."""

    expand: Any
    places: Sequence[tuple[int, int]] = ()

    def fold(self, positions: Sequence[Any]) -> Sequence[Any]:
        """Return the same positions."""
        return positions

    def expand_all(self, level: Sequence[Any]) -> Iterator[tuple[int, Sequence[Any]]]:
        """Do what ``expand`` does, for each position of a list."""
        return map(self.expand, level)


class StrategyExpander(Unfolded):
    """An expander for a statement in which players have strategies: these players make only moves of their strategies.

    If a strategy breaks down in a position, the claim is lost there. If the claimant has to ``prevent`` a goal, the
    position therefore counts as this goal. If he has to ``reach`` a goal, the position has no moves, so it is lost.
    """

    def __init__(self, expander: Expander, statement: Statement) -> None:
        self._expander, self._statement = expander, statement
        self.bits, self.pack, self.unpack = expander.bits, expander.pack, expander.unpack

    def expand(self, packed: Any) -> tuple[int, list[Any]]:
        """Do what ``Expander.expand`` does, but with the moves of ``find_playable``, and in their order."""
        kind, after = self._expander.expand(packed)
        mover = "X" if kind & X_MOVES else "O"
        if kind & (ON_GOAL | IS_OVER) or mover not in self._statement.strategies:
            return kind, after
        game = self._statement.game
        position = game.without_number(self.unpack(packed))
        by_move = dict(zip(game.legal_moves(position), after, strict=True))
        chosen = [by_move[move] for move in find_playable(self._statement, position)]
        is_lost = not chosen and self._statement.objectives[0].type == "prevent"
        return kind | ON_GOAL * is_lost, chosen


def find_playable(statement: Statement, position: Any) -> list[Any]:
    """Return the legal moves that a statement allows in a position, each once; [] if a strategy breaks down there."""
    return list(dict.fromkeys(move for _, move in find_legal(statement, position)))
