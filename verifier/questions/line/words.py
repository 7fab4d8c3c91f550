"""Put into words a reading with the question ``line``."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.presentation.saying import one_line, say_start
from verifier.questions.line.model import LineReading


def say(reading: LineReading) -> Iterator[str]:
    """Yield a sentence with the moves, and one for each conclusion."""
    yield f"line{say_start(reading.start)}: {' '.join(reading.line) or 'no move'}"
    for expression in reading.conclude:
        yield f"at its end: {one_line(expression)}"
