"""Positions as SVG, fields and spots as the paper numbers them (figure 1): the one renderer of boards.

The drawing says everything by classes, so that ``html/board.js`` turns the same SVG into any other position: a ``<g
class="field …" data-field="F">`` for each field and a ``<g class="cell …" data-cell="F.S">`` for each spot. A cell is
``x`` or ``o`` where it has a mark, and ``last`` where it holds the last move; a field is ``won-x`` or ``won-o``, and
``active`` where the player to move may play in it. At the end of a game, the fields of the line and the spots that won
them are ``aligned``, on a single board the spots of every line on it, no matter who wins; and the path
``line`` runs through those that are straight. A spot holds what its own position shows there, and no more: the script
fills in the rest before it shows another. ``board.css`` shows what belongs to these classes; nothing is told by colour
alone.
"""

from __future__ import annotations

import functools
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from verifier.kernel.games import Game
from verifier.kernel.games.nested import LINES, Nested, Position
from verifier.kernel.games.positional import Positional

SPOT = 30
"""The side of a spot; a board is drawn in these units and scales with the page."""

_GAP = 25
"""Between two fields: room for the frame of one, the number of the other, and that one's frame."""

_MARGIN = 18

Lines = Sequence[tuple[int, ...]]
"""Lines of fields or of spots, each by their numbers."""

_PLAYERS = {"X": "x", "O": "o"}


@functools.cache
def board_style() -> str:
    """Return the style sheet of boards: it draws what their classes say, in the colours of the page."""
    return (pathlib.Path(__file__).parent / "board.css").read_text(encoding="utf-8")


def draw_svg(
    game: Game,
    position: Any,
    last: Sequence[int] | None = None,
    *,
    title: str = "",
    plies: Mapping[str, int] | None = None,
    is_picture: bool = False,
    standalone: bool = False,
) -> str:
    """Return a position as an SVG element.

    Args:
        game: the rule set.
        position: the position.
        last: the last move, which is marked.
        title: a name for screen readers; what is on the board is told in any case.
        plies: the ply numbers to write at the marks, by move.
        is_picture: draw the marks alone: nobody is to move.
        standalone: add what a file of its own needs, the style sheet included.
    """
    last_cell = "" if last is None else game.format_move(tuple(last))
    numbers = plies or {}
    if isinstance(position, Position):
        width = height = 9 * SPOT + 2 * _GAP + 2 * _MARGIN
        won = [] if is_picture else won_lines(game, position)
        active = "" if is_picture else active_fields(game, position)
        body = _draw_fields(position, active, last_cell, numbers, won)
    elif isinstance(game, Positional):
        width, height = (count * SPOT + 2 * _MARGIN for count in (game.columns, game.rows))
        won = [] if is_picture else won_lines(game, position)
        body = _draw_square(game, position, last_cell, numbers, won)
    else:
        raise TypeError(f"no drawing is known for {type(game).__name__}")
    classes = f"board{'' if isinstance(position, Position) else ' square'}{' numbered' if numbers else ''}"
    extra = ' xmlns="http://www.w3.org/2000/svg"' if standalone else ""
    style = f"<style>{board_style()}</style>" if standalone else ""
    heading = escape(title or describe_turn(game, position))
    return (
        f'<svg{extra} class="{classes}" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{heading}</title><desc>{escape(describe(game, position, last))}</desc>{style}{body}</svg>"
    )


def active_fields(game: Game, position: Position) -> str:
    """Return the digits of the fields in which the player to move may play; none where the game is over."""
    return "".join(str(f) for f in sorted({move[0] for move in game.legal_moves(position)}))


def won_lines(game: Game, position: Any) -> list[tuple[int, ...]]:
    """Return the lines on the board at the end of a game: of the winner's fields, or of spots, no matter who wins."""
    if not game.is_over(position):
        return []
    if isinstance(game, Nested):
        return _aligned(_owners(position), game.winner(position) or "")
    masks = (position.x_mask, position.o_mask)
    return (
        [
            held
            for player, mask in zip(("X", "O"), masks, strict=True)
            for held, others in game.lines[player]
            if all(mask >> s & 1 for s in held) and not any(mask >> s & 1 for s in others)
        ]
        if isinstance(game, Positional)
        else []
    )


def _aligned(marks: str, player: str) -> list[tuple[int, ...]]:
    """Return the lines of three marks of a player."""
    return [line for line in LINES if all(marks[at] == player for at in line)]


def is_straight(line: Sequence[int], columns: int) -> bool:
    """Say whether the spots of a line stand on one straight line of a board."""
    places = [divmod(spot, columns) for spot in line]
    (top, left), (bottom, right) = places[0], places[-1]
    return all((r - top) * (right - left) == (c - left) * (bottom - top) for r, c in places)


def _owners(position: Position) -> str:
    masks = (position.x_fields_mask, position.o_fields_mask)
    return "".join("X" if masks[0] >> f & 1 else "O" if masks[1] >> f & 1 else "." for f in range(9))


def _line_path(lines: Iterable[tuple[int, ...]], columns: int, step: int, centre: int, reach: int) -> str:
    """Return a path through the middle of the straight ones of some lines, a little beyond the first and last place."""
    parts = []
    for line in lines:
        if is_straight(line, columns):
            ends = (line[0], line[-1])
            (x1, y1), (x2, y2) = ((place % columns * step + centre, place // columns * step + centre) for place in ends)
            dx, dy = ((b > a) - (b < a) for a, b in ((x1, x2), (y1, y2)))
            parts.append(f"M{x1 - dx * reach} {y1 - dy * reach} {x2 + dx * reach} {y2 + dy * reach}")
    return f'<path class="line" d="{"".join(parts)}"/>'


def _draw_fields(position: Position, active: str, last: str, plies: Mapping[str, int], won: Lines) -> str:
    aligned = {f for line in won for f in line}
    fields = []
    owners = _owners(position)
    for f in range(9):
        owner = _PLAYERS.get(owners[f], "")
        classes = "field" + (f" won-{owner}" if owner else "") + (" active" if str(f) in active else "")
        classes += " aligned" if f in aligned else ""
        x, y = (_MARGIN + place * (3 * SPOT + _GAP) for place in (f % 3, f // 3))
        marks = [_mark(position, 9 * f + s) for s in range(9)]
        names = [f"{f}.{s}" for s in range(9)]
        own = _aligned("".join(marks), owners[f]) if f in aligned else []
        line = {names[s] for spots in own for s in spots}
        cells = _cells(marks, 3, names, [str(s) for s in range(9)], last, plies, line)
        side = 3 * SPOT
        fields.append(
            f'<g class="{classes}" data-field="{f}" transform="translate({x} {y})">'
            f'<text class="name" x="0" y="-8">{f}</text><rect class="ground" width="{side}" height="{side}"/>{cells}'
            f'<path class="grid" d="{_grid(3, 3)}"/><path class="big-x" d="M8 8 82 82M82 8 8 82"/>'
            f'<circle class="big-o" cx="45" cy="45" r="38"/>'
            f'<rect class="outline" x="-3" y="-3" width="{side + 6}" height="{side + 6}" rx="3"/></g>'
        )
    step = 3 * SPOT + _GAP
    return "".join(fields) + _line_path(won, 3, step, _MARGIN + 3 * SPOT // 2, 3 * SPOT // 2)


def _draw_square(game: Positional, position: Any, last: str, plies: Mapping[str, int], won: Lines) -> str:
    marks = game.format_position(position).replace("/", "")
    names = [game.format_move((spot,)) for spot in range(len(marks))]
    labels, edge = names, ""
    if game.data["notation"] == "rows":  # rows and columns are numbered at the edges, as moves are written
        labels = ["" for _ in names]
        middle = _MARGIN + SPOT // 2
        edge = "".join(
            f'<text class="name edge" x="{middle + SPOT * i}" y="14">{i + 1}</text>' for i in range(game.columns)
        ) + "".join(
            f'<text class="name edge" x="10" y="{middle + SPOT * i + 4}">{i + 1}</text>' for i in range(game.rows)
        )
    aligned = {names[spot] for line in won for spot in line}
    cells = _cells(list(marks), game.columns, names, labels, last, plies, aligned)
    line = _line_path(won, game.columns, SPOT, SPOT // 2, SPOT // 2 - 3)
    return (
        f'{edge}<g class="field" transform="translate({_MARGIN} {_MARGIN})">'
        f'<rect class="ground" width="{game.columns * SPOT}" height="{game.rows * SPOT}"/>{cells}'
        f'<path class="grid" d="{_grid(game.columns, game.rows)}"/>{line}</g>'
    )


def _cells(
    marks: list[str],
    width: int,
    names: list[str],
    labels: list[str],
    last: str,
    plies: Mapping[str, int],
    aligned: set[str],
) -> str:
    parts = []
    for spot, (mark, name, label) in enumerate(zip(marks, names, labels, strict=True)):
        classes = "cell" + (f" {_PLAYERS[mark]}" if mark in _PLAYERS else "") + (" last" if name == last else "")
        classes += " aligned" if name in aligned else ""
        x, y = spot % width * SPOT, spot // width * SPOT
        number = f'<text class="ply" x="28" y="28">{plies[name]}</text>' if name in plies else ""
        shown = _SHAPES.get(mark, f'<text class="spot" x="15" y="19">{label}</text>')
        ground = '<rect width="30" height="30"/>' if name == last else ""
        parts.append(
            f'<g class="{classes}" data-cell="{name}" transform="translate({x} {y})">{ground}{shown}{number}</g>'
        )
    return "".join(parts)


_SHAPES = {"X": '<path d="M8 8 22 22M22 8 8 22"/>', "O": '<circle cx="15" cy="15" r="8"/>'}
"""A mark in its spot."""


@functools.cache
def _grid(columns: int, rows: int) -> str:
    width, height = columns * SPOT, rows * SPOT
    inner = [f"M{at} 0V{height}" for at in range(SPOT, width, SPOT)] + [
        f"M0 {at}H{width}" for at in range(SPOT, height, SPOT)
    ]
    return "".join(inner) + f"M0 0H{width}V{height}H0Z"


def _mark(position: Position, index: int) -> str:
    bit = 1 << index
    return "X" if position.x_mask & bit else "O" if position.o_mask & bit else "."


# -- in words, for those who do not see the board --------------------------------------------------------------------


def describe_turn(game: Game, position: Any) -> str:
    """Say how many marks there are and who is to move where."""
    ply = game.ply(position)
    marks = f"{ply} mark{'' if ply == 1 else 's'}"
    if game.is_over(position):
        return f"{marks}, the game is over{_won_by(game, position)}"
    if not isinstance(position, Position):
        return f"{marks}, {game.turn(position)} to move"
    active = active_fields(game, position)
    if len(active) == 9:
        return f"{marks}, {game.turn(position)} to move in any field"
    where = f"field {active}" if len(active) == 1 else f"any of the fields {_join(active)}"
    return f"{marks}, {game.turn(position)} to move in {where}"


def _won_by(game: Game, position: Any) -> str:
    """Say who has which places in line, and who has won where that does not say so."""
    lines = won_lines(game, position)
    if isinstance(game, Nested):
        won = sorted({f for line in lines for f in line})
        return f": {_owners(position)[won[0]]} has the fields {_join(map(str, won))} in line" if won else ""
    if not isinstance(game, Positional):
        return ""
    marks = game.format_position(position).replace("/", "")
    separator = " " if game.data["notation"] == "rows" else ", "
    found: dict[str, str] = {}
    for player in "XO":
        spots = sorted({spot for line in lines if marks[line[0]] == player for spot in line})
        if spots:
            names = separator.join(game.format_move((spot,)) for spot in spots)
            found[player] = (
                f"the spots {names} are in line" if game.is_shared else f"{player} has the spots {names} in line"
            )
    winner = game.outcome(position)
    is_said = winner not in ("X", "O") or (not game.is_shared and list(found) == [winner])
    return ("" if is_said else f", {winner} has won") + (f": {'; '.join(found.values())}" if found else "")


def describe(game: Game, position: Any, last: Sequence[int] | None = None) -> str:
    """Say what is on the board: the last move, the fields won, and the marks of each field."""
    sentences = [] if last is None else [f"Last move {game.format_move(tuple(last))}."]
    if not isinstance(position, Position):
        cells = game.format_position(position).replace("/", "")
        names = [game.format_move((spot,)) for spot in range(len(cells))]
        return " ".join([*sentences, *_marks("", cells, names)])
    for player, mask in (("X", position.x_fields_mask), ("O", position.o_fields_mask)):
        if mask:
            sentences.append(f"{player} owns {_join(str(f) for f in range(9) if mask >> f & 1)}.")
    for f in range(9):
        marks = "".join(_mark(position, 9 * f + s) for s in range(9))
        sentences += _marks(f"Field {f}: ", marks, [str(s) for s in range(9)])
    return " ".join(sentences) or "The board is empty."


def _marks(start: str, marks: str, names: list[str]) -> list[str]:
    found = []
    for player in "XO":
        spots = [name for name, mark in zip(names, marks, strict=True) if mark == player]
        if spots:
            found.append(f"{player} on {', '.join(spots)}")
    return [f"{start}{'; '.join(found)}."] if found else []


def _join(names: Iterable[str]) -> str:
    return ", ".join(names)
