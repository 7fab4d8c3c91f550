"""Ordinary tic-tac-toe (§2, first paragraph): nine spots, three in a line win.

Trusted for: the same as ``ultimate``, for the small game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from verifier.kernel.errors import NotationError, SpecError
from verifier.kernel.games.single_board import Move, Position, SingleBoard
from verifier.kernel.games.ultimate import HAS_LINE


@dataclass(frozen=True, slots=True)
class TicTacToe(SingleBoard):
    """The rule set; it has no options."""

    spots: ClassVar[int] = 9

    name: str = "tictactoe"

    def is_over(self, position: Position) -> bool:
        """Say whether a player has aligned three, or the board is full."""
        return HAS_LINE[position.x_mask] or HAS_LINE[position.o_mask] or self.ply(position) == 9

    def format_move(self, move: Move) -> str:
        """Write a move as its spot."""
        return str(move[0])

    def parse_move(self, text: str) -> Move:
        """Read a spot.

        Raises:
            NotationError: the text is no spot.
        """
        if len(text) == 1 and text in "012345678":
            return (int(text),)
        raise NotationError(f"{text[:40]!r} is no move: a move is a spot, 0 to 8")

    def format_position(self, position: Position) -> str:
        """Write the nine spots as ``.XO``."""
        return "".join("X" if position.x_mask >> s & 1 else "O" if position.o_mask >> s & 1 else "." for s in range(9))

    def parse_position(self, text: str) -> Position:
        """Read nine spots.

        Raises:
            NotationError: wrong shape, or marks that do not alternate.
        """
        if len(text) != 9 or set(text) - set(".XO"):
            raise NotationError(f"{text[:40]!r} is no position: nine of .XO")
        if text.count("X") - text.count("O") not in (0, 1):
            raise NotationError(f"the marks do not alternate in {text!r}")
        x, o = (sum(1 << s for s, cell in enumerate(text) if cell == mark) for mark in "XO")
        return Position(x, o)

    @property
    def vocabulary(self) -> dict[str, tuple[int, ...]]:
        """The names that formulas may use, each with the number of values of each of its indices."""
        return {"X": (9,), "O": (9,), "free": (9,), "X_wins": (), "O_wins": (), "over": ()}

    def compile_atom(self, name: str, args: tuple[int, ...]) -> Callable[[Position, Position], bool]:
        """Return the test that an atom stands for; indices are in range (``formula`` checks them).

        It looks at the first of its two positions, as every test does that is not about the one before a step.
        """
        if name in ("X", "O", "free"):
            bit = 1 << args[0]
            if name == "X":
                return lambda p, q: p.x_mask & bit != 0
            if name == "O":
                return lambda p, q: p.o_mask & bit != 0
            return lambda p, q: not (p.x_mask | p.o_mask) & bit
        if name == "X_wins":
            return lambda p, q: HAS_LINE[p.x_mask]
        if name == "O_wins":
            return lambda p, q: HAS_LINE[p.o_mask]
        if name == "over":
            return lambda p, q: self.is_over(p)
        raise SpecError(f"{name!r} is no word of the game {self.name!r}")
