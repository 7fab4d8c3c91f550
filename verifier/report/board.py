"""Positions as boards of text, fields and spots as the paper numbers them (figure 1)."""

from __future__ import annotations

from typing import Any

from verifier.kernel.games import Game
from verifier.kernel.games.nested import ANY, Position
from verifier.kernel.games.positional import Positional

_MARKS = {"X": "36", "O": "35"}
_OWNED, _LAST = "7", "1"


def draw_board(
    game: Game, position: Any, last: tuple[int, ...] | None = None, *, colour: bool = False, is_numbered: bool = False
) -> str:
    """Return a position as lines of text; the last move is marked by brackets.

    In colours, X and O have one each, the last move is bold, and a won field is inverted, in the colour of its owner.
    With numbers, each of nine fields has its own above it, and the active field's is in brackets.
    """
    if not isinstance(position, Position):
        return _draw_square(game, position, last, colour=colour)
    lines = []
    for row in range(9):
        if is_numbered and row % 3 == 0:
            heads = (f"[{f}]" if f == position.active else f" {f} " for f in range(row, row + 3))
            lines.append("+".join(head.center(9, "-") for head in heads))
        elif row in (3, 6):
            lines.append("---------+---------+---------")
        cells = ""
        for column in range(9):
            f, s = row // 3 * 3 + column // 3, row % 3 * 3 + column % 3
            bit = 1 << (9 * f + s)
            mark = "X" if position.x_mask & bit else "O" if position.o_mask & bit else "."
            cell = _cell(mark, is_last=(f, s) == last, owner=_owner(position, f), colour=colour)
            cells += ("|" if column in (3, 6) else "") + cell
        lines.append(cells.rstrip())
    owned = [f"{f}: {_owner(position, f)}" for f in range(9) if _owner(position, f)]
    active = "any" if position.active == ANY else str(position.active)
    lines.append(f"fields won: {', '.join(owned) or 'none'}; active field: {active}; to move: {game.turn(position)}")
    return "\n".join(lines)


def _draw_square(game: Game, position: Any, last: tuple[int, ...] | None, *, colour: bool) -> str:
    cells = game.format_position(position).replace("/", "")
    side = game.columns if isinstance(game, Positional) else 3
    drawn = [_cell(cell, is_last=last == (spot,), owner="", colour=colour) for spot, cell in enumerate(cells)]
    return "\n".join("".join(drawn[row : row + side]).rstrip() for row in range(0, len(cells), side))


def _cell(mark: str, *, is_last: bool, owner: str, colour: bool) -> str:
    """Draw a spot, three characters wide."""
    text = f"[{mark}]" if is_last else f" {mark} "
    # In a won field every spot has the owner's colour: the brackets and the letter still tell the marks apart.
    codes = [_LAST] if is_last else []
    codes += [_OWNED, _MARKS[owner]] if owner else [_MARKS[mark]] if mark in _MARKS else []
    return f"\033[{';'.join(codes)}m{text}\033[0m" if colour and codes else text


def _owner(position: Position, f: int) -> str:
    return "X" if position.x_fields_mask >> f & 1 else "O" if position.o_fields_mask >> f & 1 else ""
