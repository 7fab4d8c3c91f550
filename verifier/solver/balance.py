"""Even out the marks of a position that a solver found: its boolean models know nothing of turns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from verifier.kernel.games.nested import FULL_FIELD_MASK, HAS_LINE, Position

ALL_SPOTS_MASK = (1 << 81) - 1


def even_out(position: Position, turn: str | None, formulas: Iterable[Any]) -> Position | None:
    """Return a position near another one in which it is a player's turn, or None where none was found.

    Only marks that no formula speaks of are added or taken away, so that the formulas stay as they are. A solver that
    counts marks takes a hundred times longer than one that does not; where this finds nothing, it has to count.

    Args:
        position: as the rules allow it, but for the numbers of marks.
        turn: who is to move; None: either player.
        formulas: ground formulas that keep their truth. The owners and the active field are theirs to use.
    """
    wanted = {"X": (0,), "O": (1,), None: (0, 1)}[turn]
    excess = position.x_mask.bit_count() - position.o_mask.bit_count()
    if excess in wanted:
        return position
    spoken = {"X": 0, "O": 0}
    for formula in formulas:
        _collect(formula, spoken)
    for spot in range(81):
        player = "O" if excess > 0 else "X"
        position = _change(position, spot, player, spoken)
        excess = position.x_mask.bit_count() - position.o_mask.bit_count()
        if excess in wanted:
            return position
    return None


def _collect(formula: Any, spoken: dict[str, int]) -> None:
    """Add the marks that a formula speaks of; whether a field is full stays as it is, and needs none."""
    if not isinstance(formula, list):
        return
    head, *args = formula
    if head in ("X", "O", "free"):
        for player in "XO" if head == "free" else head:
            spoken[player] |= 1 << 9 * args[0] + args[1]
    elif head == "ply":
        spoken["X"] = spoken["O"] = ALL_SPOTS_MASK
    else:
        for arg in args:
            _collect(arg, spoken)


def _change(position: Position, spot: int, player: str, spoken: dict[str, int]) -> Position:
    """Give a player a mark, or take one of the other's away, where no line, full field or empty board changes."""
    x, o = position.x_mask, position.o_mask
    mark = 1 << spot
    if (x if player == "O" else o) & mark:
        changes, x, o = ("X", x & ~mark, o) if player == "O" else ("O", x, o & ~mark)
    elif (x | o) & mark:
        return position
    else:
        changes, x, o = ("O", x, o | mark) if player == "O" else ("X", x | mark, o)
    shift = spot - spot % 9
    before = (position.x_mask >> shift & FULL_FIELD_MASK, position.o_mask >> shift & FULL_FIELD_MASK)
    after = (x >> shift & FULL_FIELD_MASK, o >> shift & FULL_FIELD_MASK)
    keeps_lines = all(HAS_LINE[old] == HAS_LINE[new] for old, new in zip(before, after, strict=True))
    keeps_full = (sum(before) == FULL_FIELD_MASK) == (sum(after) == FULL_FIELD_MASK)
    keeps_empty = (position.x_mask | position.o_mask == 0) == (x | o == 0)
    if spoken[changes] & mark or not (keeps_lines and keeps_full and keeps_empty):
        return position
    return position._replace(x_mask=x, o_mask=o)
