"""Positions as boards of text, fields and spots as the paper numbers them (figure 1)."""

from __future__ import annotations

from typing import Any

from verifier.kernel.games import Game
from verifier.kernel.games.ultimate import ANY, Position


def draw_board(game: Game, position: Any, last: tuple[int, ...] | None = None) -> str:
    """Return a position as lines of text; the last move is marked by brackets."""
    if not isinstance(position, Position):
        return _draw_square(game, position, last)
    lines = []
    for row in range(9):
        if row in (3, 6):
            lines.append("---------+---------+---------")
        cells = ""
        for column in range(9):
            f, s = row // 3 * 3 + column // 3, row % 3 * 3 + column % 3
            bit = 1 << (9 * f + s)
            mark = "X" if position.x_mask & bit else "O" if position.o_mask & bit else "."
            cells += ("|" if column in (3, 6) else "") + (f"[{mark}]" if (f, s) == last else f" {mark} ")
        lines.append(cells.rstrip())
    owned = [f"{f}: {_owner(position, f)}" for f in range(9) if _owner(position, f)]
    active = "any" if position.active == ANY else str(position.active)
    lines.append(f"fields won: {', '.join(owned) or 'none'}; active field: {active}; to move: {game.turn(position)}")
    return "\n".join(lines)


def _draw_square(game: Game, position: Any, last: tuple[int, ...] | None) -> str:
    cells = game.format_position(position).replace("/", "")
    side = 3 if len(cells) == 9 else 4
    drawn = [f"[{cell}]" if last == (spot,) else f" {cell} " for spot, cell in enumerate(cells)]
    return "\n".join("".join(drawn[row : row + side]).rstrip() for row in range(0, len(cells), side))


def _owner(position: Position, f: int) -> str:
    return "X" if position.x_fields_mask >> f & 1 else "O" if position.o_fields_mask >> f & 1 else ""
