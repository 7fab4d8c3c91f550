"""The model of a reading that has ``joins`` and asks nothing of its own."""

from __future__ import annotations

from pydantic import Field

from verifier.language.reading import Reading
from verifier.language.shape import ReadingName


class JoinsReading(Reading):
    """A reading that says everything that the readings in ``joins`` say, and nothing else."""

    question = "joins"
    is_conjunction = True
    joins: list[ReadingName] = Field(min_length=1, description="the readings that it joins: CLAIM/READING")

    @property
    def form(self) -> str:
        """Empty, because the reading has no evidence of its own."""
        return ""

    @property
    def objective_types(self) -> frozenset[str]:
        """Empty, because the reading asks nothing of its own."""
        return frozenset()
