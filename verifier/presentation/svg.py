"""Positions as SVG: the one renderer of boards, for what a family says of its board and of what is on it.

The drawing says everything by classes, so that ``report/html/board.js`` turns the same SVG into any other position: a
``<g class="cell …" data-cell="NAME">`` for each spot and, where areas are won or active, a ``<g class="field …" data-
field="NAME">`` for each. A cell has its mark as a class in small letters, and ``last`` where it holds the last move; a
field is ``won-x`` or ``won-o``, and ``active`` where the player to move may play in it. At the end of a game, the
places of the lines that count are ``aligned``, and the path ``line`` runs through those that are straight. A spot holds
what its own position shows there, and no more; ``data-shapes`` and ``data-label`` have what another one may show.
``board.css`` shows what belongs to these classes; nothing is shown by colour alone.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from verifier.kernel.games import Game
from verifier.presentation.family import Area, Board, Look, Names
from verifier.presentation.registry import show

SPOT = 30
"""The side of a spot; a board is drawn in these units and scales with the page."""


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
    is_large: bool = False,
    is_still: bool = False,
    standalone: bool = False,
) -> str:
    """Return a position as an SVG element.

    Args:
        game: the rule set.
        position: the position.
        last: the last move, which is marked.
        title: a name for screen readers; what is on the board is described in any case.
        plies: the ply numbers to write at the marks, by move.
        is_picture: draw the marks alone: nobody is to move.
        is_large: draw heavy lines between the areas.
        is_still: leave out what only another position would show: a third of the size.
        standalone: add what a file of its own needs, the style sheet included.
    """
    shown, numbers = show(game), plies or {}
    board, look = shown.board, shown.look(position)
    look = Look(look.marks, look.owners) if is_picture else look
    last_cell = "" if last is None else game.format_move(tuple(last))
    classes = f"board{'' if look.owners else ' square'}{' numbered' if numbers else ''}"
    shapes = f' data-shapes="{escape(json.dumps(dict(board.shapes)))}"'
    # The page's script draws other positions.
    extra = ' xmlns="http://www.w3.org/2000/svg"' if standalone else "" if is_still else shapes
    style = f"<style>{board_style()}</style>" if standalone else ""
    words = " ".join([f"Last move {last_cell}."] * bool(last_cell) + [*shown.say_marks(position)])
    title, words = escape(title or shown.say_turn(position)), escape(words or "The board is empty.")
    return (
        f'<svg{extra} class="{classes}" viewBox="0 0 {board.width} {board.height}" role="img">'
        f"<title>{title}</title><desc>{words}</desc>"
        f"{style}{_heavy(board) if is_large else ''}{_edge(board)}{_areas(board, look, last_cell, numbers, is_still)}"
        f"{_lines(board, look, is_still)}</svg>"
    )


def _lines(board: Board, look: Look, is_still: bool) -> str:
    path = "".join(_line_path(board, line) for line in look.lines)
    return f'<path class="line" d="{path}"/>' if path or not is_still else ""


def _heavy(board: Board) -> str:
    return f'<path class="heavy" d="{board.heavy}"/>' if board.heavy else ""


def _edge(board: Board) -> str:
    return "".join(f'<text class="name edge" x="{x}" y="{y}">{text}</text>' for x, y, text in board.edge)


def _areas(board: Board, look: Look, last: str, plies: Mapping[str, int], is_still: bool) -> str:
    aligned = {name for line in (*look.lines, look.aligned) for name in line}
    parts, first = [], 0
    for area, owner in zip(board.areas, look.owners or " " * len(board.areas), strict=True):
        marks = look.marks[first : first + len(area.spots)]
        cells = "".join(
            _cell(area, place, mark, board.shapes, last, plies, aligned, is_still) for place, mark in enumerate(marks)
        )
        cells += _labels(area, marks) if is_still else ""
        parts.append(_area(area, owner, cells, look, aligned, is_still))
        first += len(area.spots)
    return "".join(parts)


def _area(area: Area, owner: str, cells: str, look: Look, aligned: set[str], is_still: bool) -> str:
    columns, rows = area.columns, len(area.spots) // area.columns
    width, height = columns * SPOT, rows * SPOT
    is_own = f' data-field="{area.name}"' if area.name and not is_still else ""
    classes = "field" + (f" won-{owner.lower()}" if owner.isalpha() else "")
    classes += (" active" if area.name in look.active else "") + (" aligned" if area.name in aligned else "")
    heading = f'<text class="name" x="0" y="-8">{area.heading}</text>' if area.heading else ""
    over = {
        "won-x": f'<path class="big-x" d="M8 8 {width - 8} {height - 8}M{width - 8} 8 8 {height - 8}"/>',
        "won-o": f'<circle class="big-o" cx="{width // 2}" cy="{height // 2}" r="{width // 2 - 7}"/>',
        "active aligned": f'<rect class="outline" x="-3" y="-3" width="{width + 6}" height="{height + 6}" rx="3"/>',
    }
    used = "".join(part for names, part in over.items() if not is_still or {*names.split()} & {*classes.split()})
    return (
        f'<g class="{classes}"{is_own} transform="translate({area.x} {area.y})">{heading}'
        f'<rect class="ground" width="{width}" height="{height}"/>{cells}'
        f'<path class="grid" d="{_grid(columns, rows)}"/>{used if area.name else ""}</g>'
    )


def _labels(area: Area, marks: str) -> str:
    """Return the labels of the free spots as one text, in which every letter has a place of its own."""
    free = [place for place, mark in enumerate(marks) if mark == "." and len(area.labels[place]) == 1]
    across = " ".join(str(place % area.columns * SPOT + 15) for place in free)
    down = " ".join(str(place // area.columns * SPOT + 19) for place in free)
    text = "".join(area.labels[place] for place in free)
    return f'<text class="spot" x="{across}" y="{down}">{text}</text>' if free else ""


def _cell(
    area: Area,
    place: int,
    mark: str,
    shapes: Mapping[str, str],
    last: str,
    plies: Mapping[str, int],
    aligned: set[str],
    is_still: bool,
) -> str:
    name, label = area.spots[place], area.labels[place]
    if is_still and mark == "." and len(label) < 2 and name != last:
        return ""
    classes = "cell" + (f" {mark.lower()}" if mark.isalpha() else "") + (" last" if name == last else "")
    classes += " aligned" if name in aligned else ""
    number = f'<text class="ply" x="28" y="28">{plies[name]}</text>' if name in plies else ""
    shown = shapes.get(mark, "") + (f'<text class="spot" x="15" y="19">{label}</text>' * (mark == "."))
    ground = '<rect width="30" height="30"/>' if name == last else ""
    at = f"{place % area.columns * SPOT} {place // area.columns * SPOT}"
    kept = f' data-label="{label}"' if mark != "." and label else ""
    known = "" if is_still else f' data-cell="{name}"{kept}'
    return f'<g class="{classes}"{known} transform="translate({at})">{ground}{shown}{number}</g>'


@functools.cache
def _grid(columns: int, rows: int) -> str:
    width, height = columns * SPOT, rows * SPOT
    inner = [f"M{at} 0V{height}" for at in range(SPOT, width, SPOT)] + [
        f"M0 {at}H{width}" for at in range(SPOT, height, SPOT)
    ]
    return "".join(inner) + f"M0 0H{width}V{height}H0Z"


def _line_path(board: Board, line: Names) -> str:
    """Return a path through the middle of a straight line, a little beyond its ends; nothing where it is bent."""
    places, reach = _centres(board)
    centres = [places[name] for name in line]
    (x1, y1), (x2, y2) = centres[0], centres[-1]
    if any((y - y1) * (x2 - x1) != (x - x1) * (y2 - y1) for x, y in centres):
        return ""
    beyond = reach[line[0]]
    dx, dy = (((b > a) - (b < a)) * beyond for a, b in ((x1, x2), (y1, y2)))
    return f"M{x1 - dx} {y1 - dy} {x2 + dx} {y2 + dy}"


def _centres(board: Board) -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
    """Return the middle of each spot and area, and how far beyond it a line goes."""
    centres: dict[str, tuple[int, int]] = {}
    reach: dict[str, int] = {}
    for area in board.areas:
        half = area.columns * SPOT // 2
        if area.name:
            centres[area.name] = area.x + half, area.y + len(area.spots) // area.columns * SPOT // 2
            reach[area.name] = half
        for place, name in enumerate(area.spots):
            row, column = divmod(place, area.columns)
            centres[name] = area.x + column * SPOT + SPOT // 2, area.y + row * SPOT + SPOT // 2
            reach[name] = SPOT // 2 - 3
    return centres, reach
