"""Take back moves on nine fields: find the positions from which one move leads to a given position."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.kernel.errors import IllegalMoveError
from verifier.kernel.games.nested import ANY, FULL_FIELD_MASK, HAS_LINE, FieldMove, NestedGame, NestedPosition


def take_back(game: NestedGame, position: NestedPosition) -> Iterator[tuple[NestedPosition, FieldMove]]:
    """Yield each position from which a move leads to ``position``, and this move.

    Yield nothing if ``is_balanced`` shows that no play reaches ``position``.
    """
    return predecessors(game, position) if is_balanced(game, position) else iter(())


def predecessors(game: NestedGame, position: NestedPosition) -> Iterator[tuple[NestedPosition, FieldMove]]:
    """Do what ``take_back`` does, but do not test ``is_balanced``."""
    is_xavier = game.ply(position) % 2 == 1
    own = position.x_mask if is_xavier else position.o_mask
    for f in range(9):
        for s in range(9) if position.active == ANY else (position.active,):
            bit = 1 << 9 * f + s
            x, o = position.x_mask & ~bit, position.o_mask & ~bit
            owners = _owners_before(position, f, x, o) if own & bit else None
            if owners is None:
                continue
            for active in (f, ANY):
                before = NestedPosition(x, o, *owners, active)
                try:
                    if game.play(before, (f, s)) == position:
                        yield before, (f, s)
                except IllegalMoveError:
                    continue


def _owners_before(position: NestedPosition, f: int, x: int, o: int) -> tuple[int, int] | None:
    """Return the fields that X and O owned before the last mark, which is in field f.

    Return None if f already had a line of marks before this mark, but no player with such a line owns f.
    """
    has_line = [HAS_LINE[mask >> 9 * f & FULL_FIELD_MASK] for mask in (x, o)]
    owners = position.x_fields_mask, position.o_fields_mask
    x_fields, o_fields = (own if line else own & ~(1 << f) for own, line in zip(owners, has_line, strict=True))
    return (x_fields, o_fields) if any(has_line) == bool((x_fields | o_fields) >> f & 1) else None


def is_balanced(game: NestedGame, position: NestedPosition) -> bool:
    """Return False if the counts of marks show that no play reaches a position. True shows nothing.

    A field *takes marks* if a mark can still be made in it. A player who is sent to such a field has to play there. So
    he has a mark in the field for each mark with which the other player sent him there. Only the latest mark
    can still be unanswered. For each further mark in the field, he chose the field freely. If every field still
    takes marks, the only free choice was the first move of the game.
    """
    mover, marks = game.turn(position), {"X": position.x_mask, "O": position.o_mask}
    free_choices, is_open = 0, True
    for k in range(9):
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


def _takes_marks(game: NestedGame, position: NestedPosition, f: int) -> bool:
    taken = (position.x_mask | position.o_mask) >> 9 * f & FULL_FIELD_MASK
    is_owned = (position.x_fields_mask | position.o_fields_mask) >> f & 1
    return taken != FULL_FIELD_MASK and not (game.closed and is_owned)
