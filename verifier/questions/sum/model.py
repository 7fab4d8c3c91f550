"""The model of a reading with the question ``sum``.

``kernel/sum.py`` explains what quotients, elements and types are.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from verifier.language.reading import Reading
from verifier.language.shape import StrictModel

SumWord = Annotated[str, Field(pattern=r"^(1|[a-z]{1,12})$", description="a product of letters; 1: the empty product")]


class SumClaims(StrictModel):
    """Claims about any number of boards side by side."""

    last: Literal["loses", "wins"] = Field(description="the player who makes the very last move loses, or wins")
    count: int | None = Field(default=None, ge=1, le=100, description="the number of elements of the quotient")
    relations: (
        list[Annotated[str, Field(pattern=r"^ *(1|[a-z]{1,12}) *= *(1|[a-z]{1,12}) *$", description="bbb = b")]] | None
    ) = Field(
        default=None,
        description="equations between products of letters: the letters generate the quotient, and all other "
        "equations that are true in it follow from these",
    )
    won: list[SumWord] | None = Field(
        default=None,
        description="the types of the sums that are won by the player who has just moved: these types, and no others",
    )
    types: dict[str, SumWord] = Field(default_factory=dict, description="the types of positions of one board")
    copies: dict[str, Annotated[list[Literal["next", "previous"]], Field(min_length=1, max_length=100)]] = Field(
        default_factory=dict,
        description="who wins 1, 2, … boards in this position: the player to move (next) or the other player "
        "(previous); after its last entry, the list begins again",
    )

    @model_validator(mode="after")
    def _says_something(self) -> SumClaims:
        if self.count is None and self.relations is None and self.won is None and not self.types | self.copies:
            raise ValueError("'sum' needs at least one of the keys count, relations, won, types and copies")
        return self


class SumReading(Reading):
    """A reading on who wins any number of boards side by side. The kernel checks the quotient that a search finds."""

    question = "sum"
    sum: SumClaims

    @property
    def form(self) -> str:
        """The form of its evidence: an algebra, the quotient."""
        return "algebra"
