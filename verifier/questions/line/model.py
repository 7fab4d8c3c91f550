"""The model of a reading with ``line``."""

from __future__ import annotations

from pydantic import Field

from verifier.language.reading import Reading, Start
from verifier.language.shape import Expression, MoveList


class LineReading(Reading):
    """A line is legal and ends as described. The source may print it as a picture with numbered marks."""

    question = "line"
    start: Start | None = None
    line: MoveList
    numbered_rows: list[list[int]] | None = Field(
        default=None,
        description="a picture that the line fits: the plies in each row of the board, left to right",
    )
    conclude: list[Expression] = Field(default_factory=list, description="what holds at the end of the line")

    @property
    def picture_rows(self) -> list[list[int]]:
        """The numbers in each row of the picture that the line fits."""
        return self.numbered_rows or []
