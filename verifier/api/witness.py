"""A witness as boards: a play or position that refutes a reading, or shows that something exists."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from verifier.api.board import Board, Boards
from verifier.kernel.games import Game
from verifier.methods.witness import Counterexample
from verifier.methods.witness import Witness as Found
from verifier.report.printable import make_printable


@dataclass(frozen=True, slots=True)
class Witness:
    """A play, or a position from which a step fails, that the kernel has followed. A notebook draws its boards.

    >>> import verifier
    >>> specs = verifier.load()
    >>> result = specs.check("lowest-spot-keeps-fields")["lowest-spot-keeps-fields/as-stated"]
    >>> specs.witness(result).moves
    ('0.1', '1.0', '0.2', '2.0', '0.0')

    Attributes:
        boards: every position, the first before any move.
        reason: what it shows.
        reachable: whether legal play reaches the position from which a step fails; None if that is open, or if the
            witness is a play.
    """

    boards: tuple[Board, ...]
    reason: str
    reachable: bool | None = None

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves."""
        return tuple(board.last for board in self.boards[1:])

    def __str__(self) -> str:
        return f"{self.reason}: {' '.join(self.moves)}\n{self.boards[-1]}"

    def _repr_html_(self) -> str:
        drawn = Boards(tuple((board.last, board) for board in self.boards))._repr_html_()
        known = f" ({'' if self.reachable else 'no '}legal play reaches this position)"
        said = escape(make_printable(f"{self.reason}{'' if self.reachable is None else known}"))
        return f"<p>{said}</p>{drawn}"


def draw_witness(game: Game, found: Found) -> Witness:
    """Return the boards of a witness of the ledger."""
    start, reachable = (found.position, found.reachable) if isinstance(found, Counterexample) else (found.start, None)
    boards = [Board(game, game.parse_position(start))]
    for move in found.moves:
        boards.append(boards[-1].play(move))
    return Witness(tuple(boards), found.reason, reachable)
