"""The model of a reading with the question ``count``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from verifier.language.reading import Family, Player, Reading, Start, StrategyName
from verifier.language.shape import Expression, MoveList, StrictModel

MAX_COUNT_DIGITS = 1000

Ending = Literal["X", "O", "draw", "goes-on"]
"""The end of a play: a player wins, it is a draw, or the game goes on at the ``horizon`` (where plays end)."""

Number = Annotated[int, Field(ge=0, lt=10**MAX_COUNT_DIGITS)]


def _find_form(value: Any) -> Literal["map", "number"]:
    # Because of this tag, pydantic checks a value against one form only. So it does not report a fault for each form.
    return "map" if isinstance(value, dict | StrictModel) else "number"


Numbers = Annotated[
    Annotated[Number, Tag("number")] | Annotated[dict[Ending, Number], Field(min_length=1), Tag("map")],
    Discriminator(_find_form),
    Field(description="the exact number, or the exact number for each way in which plays end"),
]


class EndCounts(StrictModel):
    """The number of plays, or the number of different positions in which plays end."""

    plays: Numbers | None = None
    ends: Numbers | None = None
    up_to: Literal["symmetry"] | None = Field(
        default=None,
        description="positions that are images of each other count as one: turned and mirrored positions of one board; "
        "with cells, the images under every permutation of cells that keeps the rules",
    )

    @property
    def what(self) -> Literal["plays", "ends"]:
        """What is counted."""
        return "ends" if self.plays is None else "plays"

    @property
    def numbers(self) -> dict[Ending | None, int]:
        """The number of plays or positions for each way in which plays can end. The key None stands for every way."""
        found = self.ends if self.plays is None else self.plays
        return dict(found.items()) if isinstance(found, dict) else {None: found or 0}

    @model_validator(mode="after")
    def _one_kind(self) -> EndCounts:
        if (self.plays is None) == (self.ends is None):
            raise ValueError("'count' is a number of lines, or has either 'plays' or 'ends'")
        if self.plays is not None and self.up_to is not None:
            raise ValueError("'up_to' goes only with 'ends'")
        return self


class CountReading(Reading):
    """The number of legal lines that satisfy ``conclude`` at the end, or the number of plays or final positions.

    There is a line for each choice of values in ``for``. The kernel plays each line. To count plays or final positions,
    it goes from ply to ply.
    """

    question = "count"
    count: Annotated[Annotated[Number, Tag("number")] | Annotated[EndCounts, Tag("map")], Discriminator(_find_form)] = (
        Field(description="the exact number of lines; or a map with the number of 'plays', or of positions: 'ends'")
    )
    for_: Family = Field(
        default_factory=dict, alias="for", description="variables with their values; each choice of values has a line"
    )
    start: Start | None = None
    line: MoveList | None = Field(
        default=None, description="the line for a choice of values; {k} in a move is the value of k"
    )
    strategies: dict[Player, StrategyName] = Field(
        default_factory=dict, description="with 'plays' or 'ends': the strategies that players follow"
    )
    horizon: int | None = Field(
        default=None, ge=0, le=1000, description="with 'plays' or 'ends': the ply at which plays end"
    )
    conclude: list[Expression] = Field(
        default_factory=list, description="what holds at the end; if left out, every legal line or every play counts"
    )

    @model_validator(mode="after")
    def _fits_count(self) -> CountReading:
        if isinstance(self.count, int):
            if not self.for_ or self.line is None:
                raise ValueError(
                    "a count of lines needs 'for' and 'line'; to count all plays, write count: {plays: NUMBER}"
                )
            if self.strategies or self.horizon is not None:
                raise ValueError("'strategies' and 'horizon' go only with count: {plays: …} and count: {ends: …}")
        elif self.for_ or self.line is not None:
            raise ValueError("'for' and 'line' go only with a number of lines; plays begin at 'start'")
        return self
