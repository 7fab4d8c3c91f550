"""Put into words a reading with the question ``count``."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.presentation.family import IMAGES_ONCE
from verifier.presentation.saying import one_line, say_start
from verifier.questions.count.model import CountReading, EndCounts

_WAYS = {None: "in all", "X": "won by X", "O": "won by O", "draw": "drawn", "goes-on": "that go on"}
"""How plays end, in words."""


def say(reading: CountReading) -> Iterator[str]:
    """Yield a sentence with the numbers that a reading claims: of lines, of plays, or of positions where plays end."""
    end = " and ".join(map(one_line, reading.conclude))
    if isinstance(reading.count, EndCounts):
        yield _say_ends(reading, reading.count, end)
        return
    members = ", ".join(f"{name} in {one_line(values)}" for name, values in reading.for_.items())
    line, where = " ".join(reading.line or ()) or "no move", f" and end where {end}" if end else ""
    yield f"exactly {reading.count:,} of the lines {line}{say_start(reading.start)} are legal{where}: {members}"


def say_counted(reading: CountReading) -> str:
    """Say in half a sentence what is counted."""
    if isinstance(reading.count, EndCounts):
        return "how many plays there are" if reading.count.what == "plays" else "in how many positions plays end"
    return "how many lines can be played and end as described"


def say_counted_ends(reading: CountReading, ending: str | None) -> str:
    """Return words to put after *plays* or *ends*: which of them a number of the reading counts."""
    end = " and ".join(map(one_line, reading.conclude))
    return f"{f' {_WAYS[ending]}' if ending else ''}{f' where {end}' if end else ''}"


def _say_ends(reading: CountReading, count: EndCounts, end: str) -> str:
    who = " and ".join(f"{player}'s strategy {name}" for player, name in reading.strategies.items())
    until = "" if reading.horizon is None else f" up to ply {reading.horizon}"
    plays = f"plays{f' by {who}' if who else ''}{say_start(reading.start)}{until}"
    what = plays if count.what == "plays" else f"different positions in which {plays} end"
    images = IMAGES_ONCE if count.up_to else ""
    numbers = ", ".join(f"{number:,} {_WAYS[ending]}" for ending, number in count.numbers.items())
    return f"the exact number of {what}{images}{f', counting those where {end}' if end else ''}: {numbers}"
