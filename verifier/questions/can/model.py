"""The model of a reading with the question ``can``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from verifier.language.reading import Player, Reading, ReadingObjective, Start, StrategyName, find_types
from verifier.language.shape import Expression, MoveText


class CanReading(Reading):
    """A player can force something. A search finds the moves, and the kernel follows them against every reply."""

    question = "can"
    can: Player = Field(
        description="the player whose moves a search chooses, among the moves of his strategy, or among all legal "
        "moves if he has no strategy"
    )
    strategies: dict[Player, StrategyName] = Field(
        default_factory=dict, description="the strategies that players have to follow"
    )
    start: Start | None = None
    given: Expression | None = Field(
        default=None,
        description="the player can force the objective from every position in which this condition holds; the start "
        "must be one of these positions",
    )
    objectives: dict[str, ReadingObjective] = Field(min_length=1, max_length=1)
    pairing: list[Annotated[list[MoveText], Field(min_length=2, max_length=2)]] | None = Field(
        default=None,
        description="evidence: pairs of spots; the player answers a mark on one spot of a pair by a mark on the other, "
        "so that the opponent gets no line",
    )

    @property
    def claimant(self) -> Player:
        """The player who can force something."""
        return self.can

    @property
    def objective_types(self) -> frozenset[str]:
        """The type of its only objective."""
        return find_types(self.objectives)

    @model_validator(mode="after")
    def _fits_objective(self) -> CanReading:
        if self.pairing and (self.strategies or any(o.prevent is None for o in self.objectives.values())):
            raise ValueError("'pairing' goes only with 'prevent', and not with 'strategies'")
        return self
