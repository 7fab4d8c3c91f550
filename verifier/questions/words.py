"""What a reading asks, in words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verifier.language.reading import Reading
from verifier.questions.registry import find_question

if TYPE_CHECKING:
    from verifier.language.library import Library

MAX_SAID = 600
"""Maximum number of characters of what a reading asks beside a verdict; ``verifier show`` prints all of them."""


def say_reading(reading: Reading) -> Iterator[str]:
    """Yield the lines that say what a reading asks; none for a conjunction, which asks what others ask."""
    yield from find_question(reading.question).say(reading)


def say_whole(library: Library, name: str, room: int = MAX_SAID) -> str:
    """Return what a reading, CLAIM/READING, asks, cut to ``room`` characters. A conjunction asks what its parts ask.

    This is what the reading says, whatever its title or a note claims.
    """
    claim, _, reading = name.partition("/")
    model = library.claim(claim).readings[reading]
    said = "; ".join(say_reading(model))
    for other in model.joins if not said else ():
        said += f"{'; ' * bool(said)}{other}: {say_whole(library, other, room - len(said))}"
        if len(said) > room:
            break
    return said if len(said) <= room else textwrap.shorten(said, max(room, 2), placeholder=" …")
