"""The model of a reading with the question ``line``."""

from __future__ import annotations

from pydantic import Field

from verifier.language.reading import Reading, Start
from verifier.language.shape import Expression, MoveList


class LineReading(Reading):
    """A line is legal, and ``conclude`` holds at its end. The reading can have a picture of the line, with numbers."""

    question = "line"
    start: Start | None = None
    line: MoveList
    numbered_rows: list[list[int]] | None = Field(
        default=None,
        description="a picture of the line: for each row of spots, the numbers of the moves in it, from left to right; "
        "moves are numbered from 0",
    )
    conclude: list[Expression] = Field(default_factory=list, description="what holds at the end of the line")

    @property
    def picture_rows(self) -> list[list[int]]:
        """The numbers in each row of the picture of the line; [] if there is no picture."""
        return self.numbered_rows or []
