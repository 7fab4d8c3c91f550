"""Boards of points and lines, from the clause ``drawn`` of rules files.

The kernel's games do not have this clause, because no verdict depends on it. So code that draws a game is given the
clauses of all rules files (``Drawings``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from verifier.kernel.games import Game
from verifier.presentation.family import Area, PlacedSpots, Point

if TYPE_CHECKING:
    from verifier.language.rules.drawn import DrawnClause

Drawings: TypeAlias = "Mapping[Game, DrawnClause]"
"""The clause ``drawn`` of each game whose rules have one."""

_UNIT, _EDGE = 30, 20
"""The distance between neighbouring coordinates, and the margin around the board."""

_ALONG = 0.5, 0.4, 0.6, 0.3, 0.7
"""The places on a line where its name can be, as parts of the line's length."""
_APART, _CLEAR = 20, 9
"""The distances that the name of a line should keep: from other names, and from other lines."""


def place_points(drawn: DrawnClause, spots: Sequence[str], x: int, y: int, *, is_labelled: bool = True) -> Area:
    """Return the area with the board. Its spots are points or named lines.

    Their names are also their labels, unless ``is_labelled`` is False.
    """
    at = {name: (_EDGE + _UNIT * column, _EDGE + _UNIT * row) for name, (column, row) in drawn.spots.items()}
    strokes = {name: (at[start], at[end]) for name, (start, end) in drawn.named_lines.items()}
    middles = _place_names([strokes[name] for name in spots if name in strokes])
    places = {**at, **dict(zip([name for name in spots if name in strokes], middles, strict=True))}
    names = tuple(spots)
    layout = PlacedSpots(
        width=max(x for x, _ in at.values()) + _EDGE,
        height=max(y for _, y in at.values()) + _EDGE,
        places=tuple(places[name] for name in names),
        strokes=tuple(strokes.get(name) for name in names),
        joined=tuple(tuple(at[name] for name in line) for line in drawn.paths),
        points=tuple(point for name, point in at.items() if name not in names),
    )
    return Area(x, y, len(names), names, names if is_labelled else ("",) * len(names), layout=layout)


def _place_names(lines: Sequence[tuple[Point, Point]]) -> list[Point]:
    """Return a place for the name of each line: the place that is least crowded by other names and lines."""
    found = list[Point]()
    for line in lines:
        (x1, y1), (x2, y2) = line
        places = [(round(x1 + (x2 - x1) * part), round(y1 + (y2 - y1) * part)) for part in _ALONG]

        def crowding(place: Point, line: tuple[Point, Point] = line) -> float:
            names = sum(max(0.0, _APART - _distance(place, (other, other))) for other in found)
            return names + sum(max(0.0, _CLEAR - _distance(place, other)) for other in lines if other != line)

        found.append(min(places, key=crowding))
    return found


def _distance(place: Point, line: tuple[Point, Point]) -> float:
    """Return how far a place is from a line between two points."""
    (x, y), ((x1, y1), (x2, y2)) = place, line
    dx, dy = x2 - x1, y2 - y1
    part = min(1.0, max(0.0, ((x - x1) * dx + (y - y1) * dy) / ((dx * dx + dy * dy) or 1)))
    return float(((x - x1 - part * dx) ** 2 + (y - y1 - part * dy) ** 2) ** 0.5)
