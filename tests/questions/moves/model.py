"""The model of a reading with ``moves``."""

from __future__ import annotations

from pydantic import Field

from verifier.language.reading import Reading, Start


class Moves(Reading):
    """How many legal moves there are in a position."""

    question = "moves"
    moves: int = Field(ge=0, description="exactly this many")
    start: Start | None = None
