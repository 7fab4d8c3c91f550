"""Put into words a reading with the question ``sum``."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.questions.sum.model import SumReading


def say(reading: SumReading) -> Iterator[str]:
    """Yield a line about the boards, and a line for each of the claims about them."""
    said = reading.sum
    yield f"any number of boards side by side; the player who makes the very last move {said.last}"
    if said.count is not None:
        yield f"the quotient has {said.count} elements"
    if said.relations is not None:
        yield f"its relations: {', '.join(said.relations)}"
    if said.won is not None:
        yield f"the player who has just moved wins the sums of these types, and no others: {', '.join(said.won)}"
    yield from (f"type {word}: {text}" for text, word in said.types.items())
    for text, wins in said.copies.items():
        yield (
            f"1, 2, … times {text}: won by {', '.join(wins)}, and so on in this order "
            "(next: the player to move; previous: the other player)"
        )
