"""Say what a reading with ``count`` asks."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.presentation.saying import one_line, say_start
from verifier.questions.count.model import CountReading


def say(reading: CountReading) -> Iterator[str]:
    """Yield the number of lines that are legal and end as described."""
    members = ", ".join(f"{name} in {one_line(values)}" for name, values in reading.for_.items())
    end = f" and end where {' and '.join(map(one_line, reading.conclude))}" if reading.conclude else ""
    line = " ".join(reading.line) or "no move"
    yield f"exactly {reading.count:,} of the lines {line}{say_start(reading.start)} are legal{end}: {members}"
