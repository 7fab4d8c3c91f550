"""In which order readings are checked, and which of them share their work."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.language.library import Library
from verifier.methods.registry import find_method

Reference = tuple[str, str]
"""A claim's id and a reading's id."""

LONG_SECONDS = 8
"""A reading that takes longer by guess comes after every shorter one."""


def plan_order(library: Library, wanted: Iterable[Reference]) -> list[Reference]:
    """Return readings in the order in which they begin.

    The claims of the documents come first, then our own; the long ones last, the longest of them first, so that no
    process is left with one alone. What shares a lane with a reading follows it at once.
    """

    def rank(item: tuple[int, Reference]) -> tuple[bool, int, bool, int]:
        number, reference = item
        seconds = guess_seconds(library, reference)
        is_long = seconds > LONG_SECONDS
        return is_long, -seconds if is_long else 0, library.is_ours(library.claim(reference[0]).source), number

    lanes: dict[object, list[Reference]] = {}
    for number, reference in sorted(enumerate(wanted), key=rank):
        lanes.setdefault(find_lane(library, reference) or number, []).append(reference)
    return [reference for lane in lanes.values() for reference in lane]


def find_lane(library: Library, reference: Reference) -> str:
    """Return what readings have in common that are best checked by one process, one after the other; empty: nothing."""
    claim, name = reference
    model = library.claim(claim)
    return find_method(model.readings[name].question).find_lane(model.readings[name], model.rules_of(name))


def is_shared_out(library: Library, reference: Reference) -> bool:
    """Say whether the search for a reading's evidence parts its own work among processes."""
    return find_method(library.claim(reference[0]).readings[reference[1]].question).parts_its_work


def guess_seconds(library: Library, reference: Reference) -> int:
    """Guess how long the kernel takes for a reading on shipped evidence, in seconds of one process."""
    reading = library.claim(reference[0]).readings[reference[1]]
    return find_method(reading.question).seconds if reading.long is None else 60 * reading.long
