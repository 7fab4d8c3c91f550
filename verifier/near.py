"""Which known names are near to one that is not known: in little time, however many and however long they are."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable

LONGEST = 100
"""No name of more characters is near to another one."""
MOST = 6
"""At most so many names, those that share the most letters, are compared letter by letter."""
ALIKE = 0.7
"""How alike names are that are near, from 0 to 1."""


def find_near(name: str, known: Iterable[str], most: int = 2) -> list[str]:
    """Return the known names that are nearest to a name, at most so many, the nearest first."""
    if len(name) > LONGEST:
        return []
    own, matcher = _letters(name), difflib.SequenceMatcher(b=name, autojunk=False)
    likely = []
    for other in {*known}:
        least, whole = min(len(name), len(other)), len(name) + len(other)
        if 2 * least >= ALIKE * whole and len(other) <= LONGEST:
            shared = min(least, (own & _letters(other)).bit_count())
            if 2 * shared >= ALIKE * whole:
                likely.append((shared / whole, other))
    found = []
    for _, other in sorted(likely, reverse=True)[:MOST]:
        matcher.set_seq1(other)
        found.append((matcher.ratio(), other))
    return [other for ratio, other in sorted(found, reverse=True) if ratio >= ALIKE][:most]


@functools.lru_cache(maxsize=50_000)
def _letters(name: str) -> int:
    """Return a number with a bit for each letter of a name: what two names share are at most the bits of both."""
    bits, counts = 0, [0] * 64
    for kind in (ord(letter) % 64 for letter in name):
        bits |= 1 << kind * LONGEST + counts[kind]
        counts[kind] += 1
    return bits
