"""A play by a certificate, followed move by move."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from verifier.api.board import Board
from verifier.graph.playable import NEVER, PlayGraph
from verifier.kernel.errors import UsageError


@dataclass(frozen=True, slots=True)
class Play:
    """A play by a certificate, up to some move. It is immutable; a notebook draws its board.

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
        graph: all plays of the certificate, as the kernel has walked through them.
        number: the number of the position in that graph.
        last: the last move; empty at the start.
    """

    graph: PlayGraph = field(repr=False)
    number: int = 0
    last: str = ""

    @property
    def claimant(self) -> str:
        """The player with the strategy, ``X`` or ``O``."""
        return self.graph.claimant

    @property
    def board(self) -> Board:
        """The position."""
        return Board(self.graph.game, self.graph.positions[self.number], self.last)

    @property
    def moves(self) -> dict[str, str]:
        """The moves that may follow, each with the rule of the strategy that gives it; empty for a reply."""
        return {self.graph.game.format_move(edge.move): edge.rule for edge in self.graph.edges[self.number]}

    @property
    def end(self) -> str:
        """How the play ended: ``X wins``, ``O wins``, ``draw``, ``horizon`` (no claim beyond); else empty."""
        return self.graph.ends[self.number]

    @property
    def shortest(self) -> int | None:
        """The fewest plies to a win of the claimant; None if no play from here ends in one."""
        return self._plies(self.graph.shortest)

    @property
    def longest(self) -> int | None:
        """The most plies to a win of the claimant; None if some play from here does not end in one."""
        return self._plies(self.graph.longest)

    def _plies(self, counts: tuple[int, ...]) -> int | None:
        return None if counts[self.number] == NEVER else counts[self.number]

    def after(self, *moves: str) -> Play:
        """Return the play after some moves.

        Raises:
            NotationError: a text is not a move of this game.
            IllegalMoveError: the rules do not allow one.
            UsageError: no play of the certificate has such a move.
        """
        play = self
        for text in moves:
            move = self.graph.game.parse_move(text)
            play.board.play(text)
            number = None if play.end else self.graph.follow(play.number, move)
            if number is None:
                known = " ".join(play.moves) or "no move, it ends here"
                raise UsageError(f"the certificate says nothing of {text} here; it knows: {known}")
            play = replace(play, number=number, last=text)
        return play

    def __str__(self) -> str:
        return str(self.board)

    def __repr__(self) -> str:
        return f"<Play {self.board.position}>"

    def _repr_svg_(self) -> str:
        return self.board.svg()
