"""The clause ``drawn`` of rules: a board of points and lines, for pictures. Statements do not contain it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field

from verifier.language.rules.file import Clause

Coordinate = Annotated[int, Field(ge=0, le=40)]
PlaceName = Annotated[str, Field(pattern=r"^[!-~]{1,8}$")]
LineEnds = Annotated[list[PlaceName], Field(min_length=2, max_length=2)]


class DrawnClause(Clause):
    """A board of points and lines. The players mark points or, if the lines have names, lines."""

    spots: dict[PlaceName, Annotated[list[Coordinate], Field(min_length=2, max_length=2)]] = Field(
        min_length=2, max_length=100, description="the points, each with its column and row, from the upper left corner"
    )
    lines: dict[PlaceName, LineEnds] | list[Annotated[list[PlaceName], Field(min_length=2)]] = Field(
        default_factory=dict,
        max_length=100,
        description="a map: lines that can be marked, by name, each with its two points; a list: lines that are only "
        "drawn, each with its points",
    )
    marks: dict[Annotated[str, Field(pattern="^[A-Za-z]$")], str] = Field(
        default_factory=dict,
        max_length=20,
        description="family general: for each letter, the entry of 'state' that says where the letter is",
    )

    @property
    def named_lines(self) -> dict[str, list[str]]:
        """The lines that can be marked, each with its two points."""
        return self.lines if isinstance(self.lines, dict) else {}

    @property
    def paths(self) -> list[list[str]]:
        """The lines that are drawn in every position, each as its points."""
        return self.lines if isinstance(self.lines, list) else []

    def find_unknown(self) -> Iterator[str]:
        """Yield each name in ``lines`` that is not a point."""
        for ends in (*self.named_lines.values(), *self.paths):
            yield from (name for name in ends if name not in self.spots)

    @property
    def places(self) -> list[str]:
        """The places for marks, if each move makes a mark: the named lines or, if no line has a name, the points."""
        return [*(self.named_lines or self.spots)]

    def places_of(self, count: int) -> list[str]:
        """Return the named lines if their number is ``count``, else the points if that is their number, else []."""
        return next(([*places] for places in (self.named_lines, self.spots) if len(places) == count), [])


def find_drawing_faults(
    drawn: DrawnClause, entries: Mapping[str, int] | None, spots: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield the faults of a clause, each with the key that has the fault.

    Args:
        drawn: the clause.
        entries: for the family ``general``, the number of cells of each entry of ``state``. For an entry that is a
            single cell with a number, how many values the cell can have. For other families, None.
        spots: for other families, the number of spots.
    """
    for name in dict.fromkeys(drawn.find_unknown()):
        yield "lines", f"{name!r} is not one of the points"
    for name in filter(drawn.spots.__contains__, drawn.named_lines):
        yield "lines", f"{name!r} is the name of a point and of a line"
    if entries is None:
        if drawn.marks:
            yield "marks", "is only for the family general: here every move marks a spot"
        if len(drawn.places) != spots:
            yield "lines" if drawn.named_lines else "spots", f"the board has {spots} spots, not {len(drawn.places)}"
        return
    if not drawn.marks:
        yield "marks", "say for each letter which entry of 'state' shows where it is, such as {X: hound}"
    for letter, entry in drawn.marks.items():
        if entry not in entries:
            yield "marks", f"{letter}: {entry[:40]!r} is not an entry of 'state'"
        elif not drawn.places_of(entries[entry]):
            text = f"{len(drawn.spots)} points and {len(drawn.named_lines)} named lines"
            yield "marks", f"{letter}: {entry!r} has {entries[entry]} cells or values, and there are {text}"
