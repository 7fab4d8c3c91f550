"""One of the plays that a certificate covers. You follow it move by move."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from verifier.api.board import Board, MoveValue
from verifier.graph.plays import NO_WIN, Guide
from verifier.kernel.errors import UsageError


@dataclass(frozen=True, slots=True)
class Play:
    """A play of a certificate, up to some move. It is immutable; a notebook draws its board.

    >>> import verifier
    >>> play = verifier.load().certificate("careful-first-is-safe").strategy()
    >>> play.claimant, play.moves
    ('X', {'4': 'all.centre'})
    >>> play = play.after("4", "0")
    >>> play.moves
    {'2': 'all.corner', '6': 'all.corner', '8': 'all.corner'}
    >>> print(play)
    [O] .  .
     .  X  .
     .  .  .
    >>> play.after("2", "8").shortest
    1

    Attributes:
        guide: all plays of the certificate, as the kernel has walked through them.
        board: the position after the last move.
    """

    guide: Guide = field(repr=False)
    board: Board

    @property
    def claimant(self) -> str:
        """The player with the strategy, ``X`` or ``O``."""
        return self.guide.statement.claimant

    @property
    def moves(self) -> dict[str, str]:
        """The moves that the certificate has here, each with its rule. Without a strategy, the rule is empty.

        If symmetries map several moves of the claimant to each other, only the first of these moves is listed.
        """
        moves = self.guide.moves(self.board.state)
        return {self.board.game.format_move(move): rule for move, (rule, _) in moves.items()}

    @property
    def end(self) -> str:
        """How the play ends: ``X wins``, ``O wins``, ``draw``, ``horizon``, or how a strategy breaks down.

        Empty if the play goes on. ``horizon``: the game goes on, but the claim says nothing about what follows.
        """
        number = self.guide.find(self.board.state)
        return "" if number is None else self.guide.ends[number]

    @property
    def shortest(self) -> int | None:
        """The least number of plies from here to a win of the claimant; None if he wins no play from here."""
        return self._plies(self.guide.shortest)

    @property
    def longest(self) -> int | None:
        """The largest number of plies from here to a win of the claimant; None if he does not win every play."""
        return self._plies(self.guide.longest)

    def _plies(self, counts: tuple[int, ...]) -> int | None:
        number = self.guide.find(self.board.state)
        return None if number is None or counts[number] == NO_WIN else counts[number]

    def after(self, *moves: MoveValue) -> Play:
        """Return the play after some moves. ``Board.play`` says how a move can be given.

        Raises:
            NotationError: a text is not a move of this game, or the given integers fit several moves.
            IllegalMoveError: the rules do not allow a move.
            UsageError: the rules allow a move, but the certificate does not have it.
        """
        play = self
        for given in moves:
            board = play.board.play(given)
            move = board.game.parse_move(board.last)
            if play.end or move not in play.guide.moves(play.board.state):
                known = " ".join(play.moves) or "none, as play ends here"
                raise UsageError(f"the certificate does not have the move {board.last} here; its moves: {known}")
            play = replace(play, board=board)
        return play

    def __str__(self) -> str:
        return str(self.board)

    def __repr__(self) -> str:
        return f"<Play {self.board.position}>"

    def _repr_svg_(self) -> str:
        return self.board.svg()
