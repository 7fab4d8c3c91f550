"""Pydantic models of the keys that all readings have, and of parts that several questions share.

A *question* is what a reading asks, e.g. ``plays`` or ``can``. Each question has a model of its own in
``verifier/questions``. This package does not import these models, but gets them as arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field, WrapValidator, model_validator

from verifier.language.shape import Expression, MoveText, StrictModel, VerdictKeys, keep_scope

Player = Literal["X", "O"]
Start = Annotated[
    str | list[MoveText],
    Field(description="a position, or the list of the moves to it; if left out, the start of the game"),
]
StrategyName = Annotated[
    str,
    WrapValidator(keep_scope),
    Field(
        description="a strategy, or a phase of it: name#phase; the phase's variables get their values from this reading"
    ),
]
Family = Annotated[
    dict[str, Expression], Field(description="variables, each with a list of values; a list can use earlier variables")
]
Definitions = Annotated[
    dict[str, Expression], Field(description="a name, or a name with parameters such as P1(f), and its meaning")
]


OBJECTIVES = ("reach", "prevent", "keep", "some")
"""The types of objectives."""


class ReadingObjective(StrictModel):
    """A statement about the plays: exactly one of reach, prevent, keep and some."""

    reach: Expression | None = None
    by: int | None = Field(
        default=None,
        ge=0,
        le=1000,
        description="the last ply; 'reach' and 'prevent' without 'by' are about all plies",
    )
    exactly: int | None = Field(default=None, ge=1, le=1000, description="with 'reach': by this ply, and not sooner")
    prevent: Expression | None = None
    keep: Expression | None = None
    some: Expression | None = None
    at: str | list[str] | None = None
    for_: Family = Field(default_factory=dict, alias="for", description="an objective for each choice of values")

    @property
    def scopes(self) -> list[str]:
        """The scopes: the positions in which 'keep' or 'some' is tested."""
        return [self.at] if isinstance(self.at, str) else self.at or []

    @model_validator(mode="after")
    def _one_kind(self) -> ReadingObjective:
        given = [name for name in OBJECTIVES if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("an objective is exactly one of reach, prevent, keep and some")
        if self.exactly is not None:
            # ``likeness`` has already replaced each 'exactly' that is allowed. So an 'exactly' found here is a fault.
            where = "in a reading with 'can', without 'joins', and with 'expect: proved' or 'expect: refuted'"
            raise ValueError(f"'exactly' can be used only with 'reach', in place of 'by', {where}")
        if given[0] in ("reach", "prevent"):
            if self.at is not None:
                raise ValueError(f"{given[0]!r} cannot have 'at'")
        elif self.at is None or self.by is not None:
            raise ValueError(f"{given[0]!r} needs 'at', and cannot have 'by'")
        if self.for_ and self.some is None:
            raise ValueError("'for' goes only with 'some'; with 'keep' write all(… for …)")
        return self


class Reading(VerdictKeys):
    """The keys and properties that every reading has, whatever it asks.

    Attributes:
        question: the key that says what the reading asks.
        is_conjunction: whether the reading only joins other readings, and asks nothing itself.
    """

    question: ClassVar[str]
    is_conjunction: ClassVar[bool] = False
    rules: str | None = Field(default=None, description="the rules; if left out, the rules of the claim")

    @property
    def claimant(self) -> Player | None:
        """The player that the reading is about, or the only player with a strategy; None if there is neither."""
        return None

    @property
    def form(self) -> str:
        """The form of the reading's evidence, e.g. ``plays``; empty if the reading has no evidence.

        Readings with the same form can share evidence.
        """
        return "plays"

    @property
    def objective_types(self) -> frozenset[str]:
        """The types of objectives that the reading asks about."""
        return frozenset({"keep"})

    @property
    def picture_rows(self) -> list[list[int]]:
        """The document's diagram of the play: for each row of spots, the numbers of the moves made there.

        Empty if there is no diagram.
        """
        return []


def find_types(objectives: Mapping[str, ReadingObjective]) -> frozenset[str]:
    """Return the types of the given objectives."""
    return frozenset(name for name in OBJECTIVES for item in objectives.values() if getattr(item, name) is not None)


def find_only_player(strategies: Mapping[Player, str]) -> Player | None:
    """Return the only player with a strategy; None if no player or both players have a strategy."""
    return next(iter(strategies)) if len(strategies) == 1 else None
