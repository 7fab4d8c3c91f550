"""The model of a reading with the question ``bound``."""

from __future__ import annotations

from pydantic import Field, model_validator

from verifier.language.reading import Reading, Start
from verifier.language.shape import MoveText, StrictModel


class Case(StrictModel):
    """A starting position. The reading says that Xavier cannot force a win from it by the ply in ``bound``."""

    start: Start | None = None
    but: list[MoveText] | None = Field(default=None, description="first moves of Xavier that are left out")


class BoundReading(Reading):
    """Xavier cannot force a win by some ply. A search finds Olivia's replies, and the kernel follows them."""

    question = "bound"
    bound: int = Field(ge=0, le=81, description="Xavier cannot force a win by this ply, in any of the cases")
    cases: dict[str, Case] = Field(
        default_factory=dict, description="the starting positions; if left out, the start of the game"
    )

    @property
    def form(self) -> str:
        """The form of its evidence: Olivia's replies."""
        return "replies"

    @property
    def objective_types(self) -> frozenset[str]:
        """Only ``prevent``: a bound says that Olivia can prevent a win."""
        return frozenset({"prevent"})

    @model_validator(mode="after")
    def _expects_a_proof(self) -> BoundReading:
        if self.expect != "proved":
            raise ValueError("a bound needs 'expect: proved'; to ask whether Xavier wins, use 'can: X'")
        return self
