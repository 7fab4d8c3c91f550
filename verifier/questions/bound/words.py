"""Put into words a reading with the question ``bound``."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.presentation.saying import say_start
from verifier.questions.bound.model import BoundReading


def say(reading: BoundReading) -> Iterator[str]:
    """Yield a line about the bound, and a line for each case."""
    cases = ", in each of these cases:" if reading.cases else ""
    yield f"Xavier cannot force a win by ply {reading.bound}{cases}"
    for name, case in reading.cases.items():
        but = "" if case.but is None else f", without his first moves {' '.join(case.but)}"
        yield f"{name!r}: {say_start(case.start).strip() or 'from the start'}{but}"
