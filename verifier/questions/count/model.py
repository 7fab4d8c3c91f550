"""The model of a reading with ``count``."""

from __future__ import annotations

from pydantic import Field

from verifier.language.reading import Family, Reading, Start
from verifier.language.shape import Expression, MoveList


class CountReading(Reading):
    """How many lines of a family are legal and end as described. The kernel plays and counts them."""

    question = "count"
    count: int = Field(ge=0, description="exactly this many")
    for_: Family = Field(alias="for", min_length=1)
    start: Start | None = None
    line: MoveList = Field(description="the line of a member: {k} in a move is the value of a variable")
    conclude: list[Expression] = Field(
        default_factory=list, description="what holds at its end; if left out, every legal line counts"
    )
