"""Draw positions as SVG. A family of games gives the plan of a board (``BoardPlan``) and its contents (``Look``).

CSS classes say everything that the drawing shows, so that ``report/html/board.js`` can turn the SVG into any other
position. Each spot is a ``<g class="cell …" data-cell="NAME">``. Each area is a ``<g class="field …">``, with
``data-field="NAME"`` if areas can be owned or active. A cell has its mark as a class (``x``), and the class ``last`` if
the last move was made there. A field has the class ``won-x`` or ``won-o`` if a player owns it, and ``active`` if the
player to move may play in it. At the end of a game, the path of class ``line`` runs through the complete lines
(``Look.lines``). Their spots or fields, and the spots of ``Look.aligned``, have the class ``aligned``. A spot contains
only what is drawn in this position. The script draws other positions from ``data-shapes`` and ``data-label``.
``board.css`` gives the classes their looks. Nothing is shown by colour alone.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from verifier.kernel.games import Game
from verifier.presentation.drawn import Drawings
from verifier.presentation.family import SPOT, Area, BoardPlan, Look, PlacedSpots, Point
from verifier.presentation.registry import NO_DRAWINGS, find_presentation

_NARROWEST, _WIDEST = 180, 360
"""The least and the greatest width of a board in a file of its own, in pixels."""

_SQUARE = 224
"""The width of a small board on the page (``square`` in ``board.css``). A wider board is not shrunk to this width,
because the names on it would be too small."""

_PLACE, _POINT = 13, 4
"""The radius of a point that can be marked, and of other points."""

_BEND = 24
"""How far the control point of a bent stroke is from the middle between the stroke's ends. This is the distance along x
or the distance along y: the greater of the two. The curve itself goes half as far."""


@functools.cache
def board_style() -> str:
    """Return the style sheet of boards."""
    return (pathlib.Path(__file__).parent / "board.css").read_text(encoding="utf-8")


def draw_svg(
    game: Game,
    position: Any,
    last: Sequence[int] | None = None,
    *,
    title: str = "",
    plies: Mapping[str, int] | None = None,
    asked: Collection[str] = (),
    is_picture: bool = False,
    is_still: bool = False,
    standalone: bool = False,
    drawings: Drawings = NO_DRAWINGS,
) -> str:
    """Return a position as an SVG element.

    Args:
        game: the rules.
        position: the position.
        last: the last move, to be marked in the drawing.
        title: a name for screen readers; the default says who is to move. A description of the board is always added.
        plies: the ply numbers to write at the marks, by move.
        asked: spots to frame, because something is said about them.
        is_picture: draw only marks, and nothing about the player to move.
        is_still: leave out what the page's script needs to draw other positions. This saves two thirds of the size.
        standalone: add what a separate file needs, such as the style sheet.
        drawings: for each game with a board of points and lines, the clause ``drawn`` of its rules, which says how to
            draw it.
    """
    shown = find_presentation(game, drawings)
    board, look = shown.board, shown.look(position)
    look = Look(look.marks, look.owners) if is_picture else look
    last_cell = "" if last is None else game.format_move(tuple(last))
    drawing = _Drawing(board, look, last_cell, plies or {}, is_still)
    is_wide = board.width > _SQUARE and any(area.layout is not None for area in board.areas)
    classes = f"board{'' if look.owners or is_wide else ' square'}{' numbered' if plies else ''}"
    shapes = f' data-shapes="{escape(json.dumps(dict(board.shapes)))}"'
    # Only the page's script needs ``data-shapes``, to draw other positions.
    # A notebook shows the file as an image. Without a size, the image would fill the notebook.
    wide = min(max(board.width, _NARROWEST), _WIDEST)
    size = f' width="{wide}" height="{round(wide * board.height / board.width)}"'
    extra = f' xmlns="http://www.w3.org/2000/svg"{size}' if standalone else "" if is_still else shapes
    frames = drawing.frames(asked)
    style = f"<style>{board_style()}</style>" if standalone else ""
    heavy = f'<path class="heavy" d="{board.heavy}"/>' if board.heavy and not is_still else ""
    edge = "".join(f'<text class="name edge" x="{x}" y="{y}">{text}</text>' for x, y, text in board.edge)
    words = " ".join([f"Last move {last_cell}."] * bool(last_cell) + [*shown.say_marks(position)])
    title, words = escape(title or shown.say_turn(position)), escape(words or "The board is empty.")
    return (
        f'<svg{extra} class="{classes}" viewBox="0 0 {board.width} {board.height}" role="img">'
        f"<title>{title}</title><desc>{words}</desc>{style}{heavy}{edge}{drawing.areas()}{drawing.lines()}{frames}{drawing.numbers()}</svg>"
    )


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Draws a board, its marks, the last move and the numbers at the marks."""

    board: BoardPlan
    look: Look
    last: str
    plies: Mapping[str, int]
    is_still: bool

    def areas(self) -> str:
        aligned = {name for line in (*self.look.lines, self.look.aligned) for name in line}
        parts, first = [], 0
        for area, owner in zip(self.board.areas, self.look.owners or " " * len(self.board.areas), strict=True):
            marks = self.look.marks[first : first + len(area.spots)]
            cells = "".join(self.cell(area, place, mark, aligned) for place, mark in enumerate(marks))
            cells += _labels(area, marks) if self.is_still and area.layout is None else ""
            parts.append(self.area(area, owner, cells, aligned))
            first += len(area.spots)
        return "".join(parts)

    def area(self, area: Area, owner: str, cells: str, aligned: set[str]) -> str:
        width, height = area.size
        grid = f'<path class="grid" d="{_grid(width, height)}"/>' if area.layout is None else ""
        is_own = f' data-field="{area.name}"' if area.name and not self.is_still else ""
        classes = "field" + (f" won-{owner.lower()}" if owner.isalpha() else "")
        classes += (" active" if area.name in self.look.active else "") + (" aligned" if area.name in aligned else "")
        heading = f'<text class="name" x="0" y="-6">{area.heading}</text>' if area.heading else ""
        # The owner's sign is behind the marks, and the frame is above everything.
        parts = {
            "won-x": f'<path class="big-x" d="M8 8 {width - 8} {height - 8}M{width - 8} 8 8 {height - 8}"/>',
            "won-o": f'<circle class="big-o" cx="{width // 2}" cy="{height // 2}" r="{width // 2 - 7}"/>',
            "active aligned": f'<rect class="outline" x="-3" y="-3" width="{width + 6}" height="{height + 6}" rx="3"/>',
        }
        known = {*classes.split()}
        x_sign, o_sign, frame = (
            part if area.name and (not self.is_still or {*names.split()} & known) else ""
            for names, part in parts.items()
        )
        return (
            f'<g class="{classes}"{is_own} transform="translate({area.x} {area.y})">{heading}'
            f'<rect class="ground" width="{width}" height="{height}"/>{x_sign}{o_sign}'
            f"{_draw_places(area.layout)}{cells}{_draw_points(area.layout)}{grid}{frame}</g>"
        )

    def cell(self, area: Area, place: int, mark: str, aligned: set[str]) -> str:
        name, label = area.spots[place], area.labels[place]
        stroke = area.layout.strokes[place] if area.layout else None
        # On a board of points, a move can be named by two points, joined by '-'.
        is_last = name in (self.last.split("-") if area.layout else [self.last])
        if self.is_still and area.layout is None and mark == "." and len(label) < 2 and not is_last:
            return ""
        classes = "cell" + (f" {mark.lower()}" if mark.isalpha() else "") + (" last" if is_last else "")
        classes += " aligned" if name in aligned else ""
        (x, y), path = area.place(place), ""
        if stroke is not None:
            (x1, y1), (x2, y2) = ((a - x + SPOT // 2, b - y + SPOT // 2) for a, b in stroke)
            path, classes = f"M{x1} {y1} {x2} {y2}", classes + " between" + " taken" * (mark != ".")
        shown = self.board.shapes.get(mark, "") + (f'<text class="spot" x="15" y="19">{label}</text>' * (mark == "."))
        ground = '<rect width="30" height="30"/>' if is_last else ""
        if path:
            label_text = shown if mark == "." else ""
            ground, shown = f'<path class="glow" d="{path}"/>', f'<path class="stroke" d="{path}"/>{label_text}'
        at = f"{x - SPOT // 2} {y - SPOT // 2}"
        kept = f' data-label="{label}"' if mark != "." and label else ""
        known = "" if self.is_still else f' data-cell="{name}"{kept}' + f' data-stroke="{path}"' * bool(path)
        return f'<g class="{classes}"{known} transform="translate({at})">{ground}{shown}</g>'

    def lines(self) -> str:
        """Return a path that runs through each line.

        If the spots of a line are themselves lines between points, these are drawn. If the spots are on a straight
        line, one stroke runs through them and a little beyond its ends. Otherwise strokes join the nearest spots.
        """
        centres, reach = self.places()
        strokes, path = self.strokes(), ""
        for line in self.look.lines:
            if all(name in strokes for name in line):
                path += "".join(strokes[name] for name in line)
                continue
            places = [centres[name] for name in line]
            (x1, y1), (x2, y2) = places[0], places[-1]
            if all((y - y1) * (x2 - x1) == (x - x1) * (y2 - y1) for x, y in places):
                dx, dy = (((b > a) - (b < a)) * reach[line[0]] for a, b in ((x1, x2), (y1, y2)))
                path += f"M{x1 - dx} {y1 - dy} {x2 + dx} {y2 + dy}"
            else:
                path += "".join(_stroke(*ends, centres.values()) for ends in _join(places))
        return f'<path class="line" d="{path}"/>' if path or not self.is_still else ""

    def strokes(self) -> dict[str, str]:
        """Return the path of each spot that is a line between two points."""
        found = dict[str, str]()
        for area in self.board.areas:
            for name, ends in zip(area.spots, area.layout.strokes if area.layout else (), strict=False):
                if ends is not None:
                    (x1, y1), (x2, y2) = ((area.x + x, area.y + y) for x, y in ends)
                    found[name] = f"M{x1} {y1} {x2} {y2}"
        return found

    def numbers(self) -> str:
        """Return the numbers at the marks. They are above the lines, so that no line hides them."""
        centres, _ = self.places()
        texts = [
            f'<text class="ply" data-ply="{name}" x="{centres[name][0]}" y="{centres[name][1] + 4}">{ply}</text>'
            for name, ply in self.plies.items()
            if name in centres
        ]
        return f'<g class="plies">{"".join(texts)}</g>' if texts else ""

    def frames(self, names: Collection[str]) -> str:
        """Return a path with a frame around each of some spots."""
        side, (centres, _) = SPOT - 4, self.places()
        starts = ((x - side // 2, y - side // 2) for name, (x, y) in centres.items() if name in names)
        path = "".join(f"M{x} {y}h{side}v{side}h-{side}z" for x, y in starts)
        return f'<path class="asked" d="{path}"/>' if path else ""

    def places(self) -> tuple[dict[str, Point], dict[str, int]]:
        """Return the middle of each spot and of each named area, and how far a line goes beyond this point."""
        centres: dict[str, Point] = {}
        reach: dict[str, int] = {}
        for area in self.board.areas:
            width, height = area.size
            if area.name:
                centres[area.name] = area.x + width // 2, area.y + height // 2
                reach[area.name] = width // 2
            for place, name in enumerate(area.spots):
                x, y = area.place(place)
                centres[name] = area.x + x, area.y + y
                reach[name] = SPOT // 2 - 3
        return centres, reach


def _join(places: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """Yield the ends of strokes that join all places: always the shortest stroke to a new place (Prim's algorithm)."""
    joined, left = [places[0]], [*places[1:]]
    while left:
        pairs = ((start, end) for end in left for start in joined)
        start, end = min(pairs, key=lambda pair: (pair[0][0] - pair[1][0]) ** 2 + (pair[0][1] - pair[1][1]) ** 2)
        yield start, end
        joined.append(end)
        left.remove(end)


def _stroke(start: Point, end: Point, centres: Iterable[Point]) -> str:
    """Return the path of a stroke between two spots. If another spot lies between them, the stroke bends around it."""
    (x1, y1), (x2, y2) = start, end
    dx, dy = x2 - x1, y2 - y1
    if not any(
        (y - y1) * dx == (x - x1) * dy and 0 < (x - x1) * dx + (y - y1) * dy < dx * dx + dy * dy for x, y in centres
    ):
        return f"M{x1} {y1} {x2} {y2}"
    longer = max(abs(dx), abs(dy))
    x, y = (x1 + x2) // 2 - dy * _BEND // longer, (y1 + y2) // 2 + dx * _BEND // longer
    return f"M{x1} {y1}Q{x} {y} {x2} {y2}"


def _labels(area: Area, marks: str) -> str:
    """Return the labels of the free spots as one text element, with the coordinates of each letter."""
    free = [place for place, mark in enumerate(marks) if mark == "." and len(area.labels[place]) == 1]
    across = " ".join(str(place % area.columns * SPOT + 15) for place in free)
    down = " ".join(str(place // area.columns * SPOT + 19) for place in free)
    text = "".join(area.labels[place] for place in free)
    return f'<text class="spot" x="{across}" y="{down}">{text}</text>' if free else ""


def _draw_places(layout: PlacedSpots | None) -> str:
    """Return the lines that are drawn in every position, and the points that can be marked. Marks are drawn on them."""
    if layout is None:
        return ""
    paths = "".join("M" + " ".join(f"{x} {y}" for x, y in line) for line in layout.joined)
    circles = (f'<circle class="place" cx="{x}" cy="{y}" r="{_PLACE}"/>' for x, y in layout.places_of_points())
    return (f'<path class="grid" d="{paths}"/>' if paths else "") + "".join(circles)


def _draw_points(layout: PlacedSpots | None) -> str:
    """Return the points that cannot be marked. They are drawn above the lines, and so stay visible."""
    points = layout.points if layout else ()
    return "".join(f'<circle class="point" cx="{x}" cy="{y}" r="{_POINT}"/>' for x, y in points)


@functools.cache
def _grid(width: int, height: int) -> str:
    upright = "".join(f"M{at} 0V{height}" for at in range(SPOT, width, SPOT))
    return f"{upright}{''.join(f'M0 {at}H{width}' for at in range(SPOT, height, SPOT))}M0 0H{width}V{height}H0Z"
