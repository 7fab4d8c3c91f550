"""What the games on a single board share: two players put their marks on free spots in turn, X first.

Trusted for: which moves are legal and what a move does, in ``tictactoe`` and ``threesome4x4``, which say when a game is
over.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

from verifier.kernel.errors import IllegalMoveError

Move = tuple[int]
"""A spot, from 0 on, row by row."""


class Position(NamedTuple):
    """The marks of both players; bit s is spot s."""

    x_mask: int
    o_mask: int


class SingleBoard(ABC):
    """A game on one board; ``spots`` is how many spots it has."""

    __slots__ = ()

    spots: ClassVar[int]

    @property
    def start(self) -> Position:
        """The empty board."""
        return Position(0, 0)

    def ply(self, position: Position) -> int:
        """Return the number of marks on the board."""
        return (position.x_mask | position.o_mask).bit_count()

    def turn(self, position: Position) -> str:
        """Return ``X`` at even plies and ``O`` at odd ones."""
        return "O" if self.ply(position) % 2 else "X"

    @abstractmethod
    def is_over(self, position: Position) -> bool:
        """Say whether the game has ended."""

    @abstractmethod
    def format_move(self, move: Move) -> str:
        """Write a move."""

    @abstractmethod
    def format_position(self, position: Position) -> str:
        """Write a position."""

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Return the free spots, in ascending order; none when the game is over."""
        if self.is_over(position):
            return ()
        taken = position.x_mask | position.o_mask
        return tuple((s,) for s in range(self.spots) if not taken >> s & 1)

    def play(self, position: Position, move: Move) -> Position:
        """Return the position after a move.

        Raises:
            IllegalMoveError: with reason ``over``, ``off-board`` or ``taken``.
        """
        (s,) = move
        if not 0 <= s < self.spots:
            raise IllegalMoveError("off-board", f"{s} is no spot of the board")
        text = self.format_move(move)
        if self.is_over(position):
            raise IllegalMoveError("over", f"{text}: the game is over in {self.format_position(position)}")
        if (position.x_mask | position.o_mask) >> s & 1:
            raise IllegalMoveError("taken", f"{text}: the spot is taken in {self.format_position(position)}")
        if self.turn(position) == "X":
            return Position(position.x_mask | 1 << s, position.o_mask)
        return Position(position.x_mask, position.o_mask | 1 << s)
