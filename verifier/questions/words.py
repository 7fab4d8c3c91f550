"""Put into words what a reading (one way to understand a claim) asks. Each question has words of its own."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from verifier.language.outline import AnyLibrary, AnyReading, ReadingOutline

MAX_SAID = 600
"""Maximum length of the text that says, beside a verdict, what a reading asks. A longer text is cut.

``verifier show`` prints the lines of ``say_reading`` uncut."""


def say_reading(reading: AnyReading) -> Iterator[str]:
    """Yield the lines that say what a reading asks. A reading that only joins others has no such lines."""
    if isinstance(reading, ReadingOutline):
        yield from reading.said
        return
    from verifier.questions.registry import find_question

    yield from find_question(reading.question).say(reading)


def find_trust(question: str) -> Mapping[str, str]:
    """Return a question's texts about what the kernel did (``Question.trust``).

    Each key is the name of a count in a result's ``stats``. An empty key is for all other cases.
    """
    from verifier.questions.registry import find_question

    return find_question(question).trust


def say_whole(library: AnyLibrary, name: str, room: int = MAX_SAID) -> str:
    """Say what a reading asks, in at most ``room`` characters. If it only joins others, say what the others ask.

    Args:
        library: the specs.
        name: CLAIM/READING.
        room: the maximum number of characters.
    """
    # This uses only the formal part of the spec, because a title or a note may say something else.
    claim, _, reading = name.partition("/")
    model = library.claim(claim).readings[reading]
    said = "; ".join(say_reading(model))
    for other in model.joins if not said else ():
        said += f"{'; ' * bool(said)}{other}: {say_whole(library, other, room - len(said))}"
        if len(said) > room:
            break
    return said if len(said) <= room else textwrap.shorten(said, max(room, 2), placeholder=" …")
