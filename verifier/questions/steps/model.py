"""The model of a reading with the question ``steps``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from verifier.language.reading import Family, Player, Reading, StrategyName, find_only_player
from verifier.language.shape import Expression, PlayedMove, StrictModel

Step = Literal["none", "start", "move", "reply", "round"]


class StepsEntry(StrictModel):
    """An entry of ``steps``: hypotheses, a step, and conclusions."""

    for_: Family = Field(default_factory=dict, alias="for")
    given: list[Expression] = Field(default_factory=list)
    cites: list[Expression] | None = Field(default=None, description="the hypotheses that the source names here")
    play: PlayedMove | None = Field(default=None, description="the free move, which no strategy makes")
    step: Step | None = Field(default=None, description="the step of this entry, if it differs from the reading's step")
    conclude: list[Expression] = Field(min_length=1)
    turn: Player | None = None


class StepsReading(Reading):
    """Conclusions hold in every position that satisfies the hypotheses, or after a step from it."""

    question = "steps"
    for_: Family = Field(default_factory=dict, alias="for")
    given: list[Expression] = Field(default_factory=list, description="hypotheses of every entry")
    steps: dict[str, StepsEntry] = Field(min_length=1)
    step: Step = Field(default="none", description="the step of every entry that names no step")
    strategies: dict[Player, StrategyName] = Field(
        default_factory=dict,
        max_length=1,
        description="the player whose strategy replies, with the strategy's name; name#phase is one phase of it",
    )

    @property
    def strategy(self) -> str | None:
        """The strategy that replies, if there is one."""
        return next(iter(self.strategies.values()), None)

    @property
    def claimant(self) -> Player | None:
        """The player with the strategy, if there is one."""
        return find_only_player(self.strategies)

    @property
    def side(self) -> Player:
        """The player with the strategy; X if there is none."""
        return self.claimant or "X"

    @property
    def form(self) -> str:
        """The form of its evidence: obligations."""
        return "obligations"

    def step_of(self, part: StepsEntry) -> Step:
        """Return an entry's step: its own, or the reading's. ``none``: conclusions are about the position itself."""
        return part.step or self.step
