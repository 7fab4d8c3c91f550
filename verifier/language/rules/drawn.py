"""The clause ``drawn`` of rules: a board of points and lines, for pictures. Statements do not contain it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field

from verifier.language.rules.file import Clause

Coordinate = Annotated[int, Field(ge=0, le=40)]
PlaceName = Annotated[str, Field(pattern=r"^[!-~]{1,8}$")]


class DrawnClause(Clause):
    """A board of points, at [column, row], and of lines between points. The players mark points, or named lines."""

    points: dict[PlaceName, Annotated[list[Coordinate], Field(min_length=2, max_length=2)]] = Field(
        min_length=2, max_length=100, description="the column and the row of each point, from the upper left corner"
    )
    lines: dict[PlaceName, Annotated[list[PlaceName], Field(min_length=2, max_length=2)]] = Field(
        default_factory=dict, max_length=100, description="lines that can be marked, each with its two points"
    )
    joined: list[Annotated[list[PlaceName], Field(min_length=2)]] = Field(
        default_factory=list, description="lines that are always there, each through its points"
    )
    marks: dict[Annotated[str, Field(pattern="^[A-Za-z]$")], str] = Field(
        default_factory=dict,
        max_length=20,
        description="family general: for each letter, the entry of 'state' that says where it is",
    )

    def find_unknown(self) -> Iterator[str]:
        """Yield each name in ``lines`` and ``joined`` that is not a point."""
        for ends in (*self.lines.values(), *self.joined):
            yield from (name for name in ends if name not in self.points)

    @property
    def spots(self) -> list[str]:
        """The spots of a game in which each move marks a spot: the named lines or, without any, the points."""
        return [*(self.lines or self.points)]

    def places_of(self, count: int) -> list[str]:
        """Return the places that ``count`` cells stand for; empty if there are not as many points or lines."""
        return next(([*places] for places in (self.lines, self.points) if len(places) == count), [])


def find_drawing_faults(
    drawn: DrawnClause, entries: Mapping[str, int] | None, spots: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield the faults of a clause, each with the key that has the fault.

    Args:
        drawn: the clause.
        entries: for the family ``general``, how many places each entry of ``state`` can stand for; otherwise None.
        spots: for other families, the number of spots.
    """
    for name in dict.fromkeys(drawn.find_unknown()):
        yield "points", f"{name!r} is not one of the points"
    for name in filter(drawn.points.__contains__, drawn.lines):
        yield "lines", f"{name!r} is the name of a point and of a line"
    if entries is None:
        if drawn.marks:
            yield "marks", "is only for the family general: here every move marks a spot"
        if len(drawn.spots) != spots:
            yield "lines" if drawn.lines else "points", f"the board has {spots} spots, not {len(drawn.spots)}"
        return
    if not drawn.marks:
        yield "marks", "say for each letter which entry of 'state' shows where it is, such as {X: hound}"
    for letter, entry in drawn.marks.items():
        if entry not in entries:
            yield "marks", f"{letter}: {entry[:40]!r} is not an entry of 'state'"
        elif not drawn.places_of(entries[entry]):
            text = f"{len(drawn.points)} points and {len(drawn.lines)} lines"
            yield "marks", f"{letter}: {entry!r} has {entries[entry]} cells or values, and there are {text}"
