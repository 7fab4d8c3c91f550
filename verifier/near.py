"""Finds the known names that are most similar to a mistyped name. The search is quick even with many or long names."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable

LONGEST = 100
"""Maximum length of a name. A longer name is not similar to any other name."""
MOST = 6
"""Maximum number of known names that are compared in full: those that share most letters with the mistyped name."""
ALIKE = 0.7
"""Minimum similarity, from 0 to 1."""


def find_near(name: str, known: Iterable[str], most: int = 2) -> list[str]:
    """Return at most ``most`` known names that are similar to a name, the most similar first."""
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
    """Return a number with a bit for each letter. Two names with n letters in common have n bits in common, or more."""
    bits, counts = 0, [0] * 64
    for kind in (ord(letter) % 64 for letter in name):
        bits |= 1 << kind * LONGEST + counts[kind]
        counts[kind] += 1
    return bits
