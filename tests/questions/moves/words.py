"""Say what a reading with ``moves`` asks."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.questions.moves.model import Moves

from verifier.presentation.saying import say_start


def say(reading: Moves) -> Iterator[str]:
    """Yield the number of moves."""
    yield f"exactly {reading.moves} moves are legal{say_start(reading.start)}"
