"""The rules and the goal of a statement, for a search that ignores how many moves were made so far."""

from __future__ import annotations

from typing import Any, Protocol

from verifier.kernel.statement import Statement
from verifier.search.walk import find_legal

ON_GOAL, IS_OVER, X_MOVES = 1, 2, 4
"""The bits of a number that says what kind of position this is: the goal holds, the game is over, X is to move."""


class Expander(Protocol):
    """The rules and the goal of a statement. Positions are hashable values that do not say how many moves were made."""

    @property
    def bits(self) -> int:
        """The size of a position in bits."""

    def pack(self, position: Any, /) -> Any:
        """Turn a position of the kernel into a position of this search."""

    def expand(self, packed: Any, /) -> tuple[int, list[Any]]:
        """Return the bits that say what kind of position this is, and the positions after all legal moves.

        These positions are in the order of the kernel's moves. If the game is over, there are no positions after it.
        """


def find_playable(statement: Statement, position: Any) -> list[Any]:
    """Return the legal moves that a statement allows in a position, each once; none if a strategy breaks down."""
    return list(dict.fromkeys(move for _, move in find_legal(statement, position)))
