"""Late positions for tests of what Xavier can force, and tables of moves and replies for them."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from tests.oracle import MarkOracle
from tests.rules import find_rules
from verifier.kernel.games.nested import ANY, HAS_LINE, FieldMove, NestedPosition
from verifier.kernel.race.endgame import Endgames
from verifier.kernel.race.relaxation import Fields, coarsen, format_race, least, least_from, needs_of
from verifier.search.bounded.moves import free_spots_of, play_mark, wins_race

PAPER: Any = find_rules("paper")


def late_positions(count: int) -> list[NestedPosition]:
    """Return positions of random plays that nobody has won. Xavier takes what he can, in some plays Olivia too.

    Each position is one to seven plies before the end of its play, or before Xavier's win. All callers get the same
    positions.
    """
    _FOUND.extend(itertools.islice(_STREAM, max(0, count - len(_FOUND))))
    return _FOUND[:count]


def _positions() -> Iterator[NestedPosition]:
    chance = random.Random(9)
    while True:
        played = [PAPER.start]
        greedy = chance.choice(("X", "X", "XO"))
        while not PAPER.is_over(played[-1]):
            moves = PAPER.legal_moves(played[-1])
            if PAPER.turn(played[-1]) in greedy and chance.random() < 0.9:
                moves = [move for move in moves if _makes_line(played[-1], move)] or moves
            played.append(PAPER.play(played[-1], chance.choice(moves)))
        if PAPER.winner(played[-1]) != "O":
            yield played[-1 - chance.randrange(1, 8)]


_FOUND: list[NestedPosition] = []
_STREAM = _positions()


def _makes_line(position: NestedPosition, move: FieldMove) -> bool:
    f, s = move
    own = position.x_mask if PAPER.turn(position) == "X" else position.o_mask
    mine = own >> 9 * f & 511
    return HAS_LINE[mine | 1 << s] and not HAS_LINE[mine]


def on_marks(position: NestedPosition) -> MarkOracle:
    """Return a position in the form of the plain search on marks."""
    return MarkOracle(*position[:4], None if position.active == ANY else position.active)


def is_held(fields: Fields, active: int, marks: int, endgames: Endgames | None = None) -> bool:
    """Return whether Olivia, to move, keeps Xavier from winning a race, by earlier results or by a new search."""
    return (endgames or Endgames()).is_held(list(fields), needs_of(fields), active, marks)


def find_replies(
    fields: Fields, active: int, marks: int, frontier: int, endgames: Endgames, replies: dict[str, Any]
) -> None:
    """Add the replies with which Olivia, to move, holds a race down to a frontier: in each race the first that does."""
    fields = coarsen(fields, marks)
    name = format_race(fields, active, marks)
    moves = list(free_spots_of(fields, active))
    if least(needs_of(fields)) > marks or marks <= frontier or not moves or name in replies:
        return
    for move in moves:
        after, field = play_mark(fields, *move, is_xavier=False)
        if not wins_race(endgames, after, field, marks):
            break
    else:
        raise ValueError(f"Xavier wins {name}")
    replies[name] = f"{move[0]}.{move[1]}"
    if least_from(needs_of(after), field) <= marks:
        for f, s in free_spots_of(after, field):
            find_replies(*play_mark(after, f, s, is_xavier=True), marks - 1, frontier, endgames, replies)
