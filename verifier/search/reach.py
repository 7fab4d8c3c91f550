"""Is a position reached by legal play? A bounded search backwards from it: a line, no line, or an end before either.

Untrusted, and for people: a counterexample to a step refutes that step whether play reaches it or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.errors import IllegalMoveError
from verifier.kernel.games import Game
from verifier.kernel.games.nested import ANY, FULL_FIELD_MASK, HAS_LINE, Move, Nested, Position

LIMIT = 200_000
"""The most positions that a search meets: some ten seconds."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a search found.

    Attributes:
        line: the moves of a play from the start to the position; None where none was found.
        is_decided: a line was found, or there is none; False: the search met its limit before.
    """

    line: tuple[Move, ...] | None
    is_decided: bool


class _LimitMetError(Exception):
    """The search has met as many positions as it may."""


def find_play(game: Game, position: Any, limit: int = LIMIT) -> Reach:
    """Look for a play that reaches a position, taking back moves one by one; of nine fields alone."""
    if not isinstance(game, Nested):
        return Reach(None, is_decided=False)
    search = _Search(game, limit)
    try:
        line = search.find(position)
    except _LimitMetError:
        return Reach(None, is_decided=False)
    return Reach(None if line is None else tuple(line), is_decided=True)


@dataclass(slots=True)
class _Search:
    """A depth-first search with the positions that no play reaches.

    Attributes:
        left: how many positions may still be met.
    """

    game: Nested
    left: int
    unreachable: set[Position] = field(default_factory=set)

    def find(self, position: Position) -> list[Move] | None:
        """Return the moves from the start to a position; None where there are none."""
        if position == self.game.start:
            return []
        if position in self.unreachable:
            return None
        self.left -= 1
        if self.left < 0:
            raise _LimitMetError
        if is_balanced(self.game, position):
            for before, move in predecessors(self.game, position):
                line = self.find(before)
                if line is not None:
                    return [*line, move]
        self.unreachable.add(position)
        return None


def predecessors(game: Nested, position: Position) -> Iterator[tuple[Position, Move]]:
    """Yield every position and move that lead to a position, whether play reaches them or not."""
    is_xavier = game.ply(position) % 2 == 1
    own = position.x_mask if is_xavier else position.o_mask
    for f in range(9):
        for s in range(9) if position.active == ANY else (position.active,):
            bit = 1 << 9 * f + s
            if not own & bit:
                continue
            x = position.x_mask & ~bit if is_xavier else position.x_mask
            o = position.o_mask if is_xavier else position.o_mask & ~bit
            owners = _owners_before(position, f, x, o)
            if owners is None:
                continue
            for active in (f, ANY):
                before = Position(x, o, *owners, active)
                try:
                    if game.play(before, (f, s)) == position:
                        yield before, (f, s)
                except IllegalMoveError:
                    continue


def _owners_before(position: Position, f: int, x: int, o: int) -> tuple[int, int] | None:
    """Return who owned which fields when field f held fewer marks; None where that fits no play."""
    x_fields, o_fields = position.x_fields_mask, position.o_fields_mask
    if x_fields >> f & 1 and not HAS_LINE[x >> 9 * f & FULL_FIELD_MASK]:
        x_fields &= ~(1 << f)
    if o_fields >> f & 1 and not HAS_LINE[o >> 9 * f & FULL_FIELD_MASK]:
        o_fields &= ~(1 << f)
    has_line = HAS_LINE[x >> 9 * f & FULL_FIELD_MASK] or HAS_LINE[o >> 9 * f & FULL_FIELD_MASK]
    is_owned = (x_fields | o_fields) >> f & 1
    return (x_fields, o_fields) if bool(has_line) == bool(is_owned) else None


def is_balanced(game: Nested, position: Position) -> bool:
    """Return False where counting shows that no play reaches a position; True says nothing.

    One who is sent to a field that takes marks plays there. So a player has at least as many marks in such a field as
    the other has marks that send there, the last move aside; he has more by his free choices. Where every field takes
    marks, the first move is the only free choice.
    """
    mover = game.turn(position)
    free_choices = 0
    is_open = True
    for k in range(9):
        marks = {"X": position.x_mask, "O": position.o_mask}
        if not _takes_marks(game, position, k):
            is_open = False
            continue
        for player, other in (("X", "O"), ("O", "X")):
            inside = (marks[player] >> 9 * k & FULL_FIELD_MASK).bit_count()
            sent = sum(marks[other] >> 9 * f + k & 1 for f in range(9))
            free = inside - sent + (position.active == k and player == mover)
            if free < 0:
                return False
            free_choices += free
    return free_choices == 1 if is_open else True


def _takes_marks(game: Nested, position: Position, f: int) -> bool:
    taken = (position.x_mask | position.o_mask) >> 9 * f & FULL_FIELD_MASK
    is_owned = (position.x_fields_mask | position.o_fields_mask) >> f & 1
    return taken != FULL_FIELD_MASK and not (game.closed and is_owned)
