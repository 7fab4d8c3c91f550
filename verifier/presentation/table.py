"""Rules as a table that is followed without knowing them: how the browser plays on from any position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from verifier.kernel.errors import SpecError


class Group(NamedTuple):
    """Spots in one of which the next mark is made: where that is, in words, and the spots by their numbers."""

    where: str
    spots: Sequence[int]


class Table(NamedTuple):
    """How a mark changes a state of play: a letter for each spot of the board, each area, and last for the game itself.

    A mark takes the place of its spot. Then ``sets`` are gone through in order: who holds all places of one takes the
    place that it is for, if nobody has. Who holds the game has won, or has lost it. While nobody does, the next mark
    goes to a free spot of the group that the last one sends to or, where that has none, of the last group.

    Attributes:
        spots: what a spot is called by those who do not see the board.
        sets: a place, and the places that it is taken by.
        groups: where the next mark may be.
        sends: for each spot, the number of the group that a mark on it sends to.
        in_line: what is said of who holds the game and the places of a set by which he does, with two dots for these.
        loses: whether he has lost it.
    """

    spots: Sequence[str]
    sets: Sequence[Sequence[int]]
    groups: Sequence[Group]
    sends: Sequence[int]
    in_line: str
    loses: bool = False

    def start(self, shown: Any, position: Any) -> dict[str, Any]:
        """Return a position in which play goes on as a state, with the number of its group.

        Args:
            shown: what shows the game.
            position: the position.

        Raises:
            SpecError: no group has the spots that may be marked there.
        """
        look, game = shown.look(position), shown.game
        open_spots = {game.format_move(move) for move in game.legal_moves(position)}
        names = [name for area in shown.board.areas for name in area.spots]
        for number, group in enumerate(self.groups):
            if {names[spot] for spot in group.spots if look.marks[spot] == "."} == open_spots:
                return {"places": f"{look.marks}{look.owners}.", "group": number, "ply": game.ply(position)}
        raise SpecError(f"no group of the table has the spots of {game.format_position(position)!r}")
