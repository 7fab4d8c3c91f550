"""The model of a reading with the question ``plays``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from verifier.language.reading import (
    Player,
    Reading,
    ReadingObjective,
    Start,
    StrategyName,
    find_only_player,
    find_types,
)
from verifier.language.shape import Expression, Sentence


class PlaysReading(Reading):
    """Something holds in all plays that the strategies allow or, for an objective of type ``some``, in one of them.

    If the reading has an invariant, the kernel decides obligations. Otherwise it walks through the plays.
    """

    question = "plays"
    plays: Literal["all"]
    strategies: dict[Player, StrategyName] = Field(default_factory=dict)
    player: Player | None = Field(
        default=None, description="the claimant; needed unless exactly one player has a strategy"
    )
    start: Start | None = None
    given: Expression | None = Field(
        default=None, description="plays start from every position where this holds; it has to hold at the start"
    )
    symmetric: Literal[True] | None = Field(
        default=None,
        description="the reading claims the same from each image of its start under the square's symmetries",
    )
    objectives: dict[str, ReadingObjective] = Field(min_length=1)
    horizon: int | None = Field(default=None, ge=0, le=1000, description="the ply at which plays end")
    invariant: dict[Literal["X", "O", "both"], list[Expression] | dict[Sentence, Expression]] | None = Field(
        default=None,
        description="conditions that stay true whenever X is to move, whenever O is, or always (both); the kernel then "
        "follows no plays",
    )

    @property
    def claimant(self) -> Player | None:
        """The player that the reading names, or the only player with a strategy."""
        return self.player or find_only_player(self.strategies)

    @property
    def form(self) -> str:
        """The form of its evidence: plays, or obligations if there is an invariant."""
        return "plays" if self.invariant is None else "obligations"

    @property
    def objective_types(self) -> frozenset[str]:
        """The types of its objectives."""
        return find_types(self.objectives)
