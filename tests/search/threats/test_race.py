"""What is seen of races by looking at the lines, against trying everything."""

from __future__ import annotations

import functools
import random

import numpy as np

from verifier.search.threats.race import has_pairs

CELLS = 9


def can_fill(lines: list[int], own: int, other: int, left: int) -> bool:
    """Say whether an attacker who is to move fills a line with so many marks, if nothing else counts."""

    @functools.cache
    def can(own: int, other: int, left: int) -> bool:
        free = [1 << s for s in range(CELLS) if not (own | other) >> s & 1]
        if any(line & ~own == 0 for line in lines) or not left or not free:
            return any(line & ~own == 0 for line in lines)
        return any(not saved(own | bit, other, left - 1) for bit in free)

    @functools.cache
    def saved(own: int, other: int, left: int) -> bool:
        free = [1 << s for s in range(CELLS) if not (own | other) >> s & 1]
        if any(line & ~own == 0 for line in lines) or not free:
            return not any(line & ~own == 0 for line in lines)
        return any(not can(own, other | bit, left) for bit in free)

    return can(own, other, left)


def test_pairs_keep_the_attacker_from_every_line() -> None:
    """In random positions in which no line lacks one mark; and where lines are apart, pairs are found."""
    chance, found = random.Random(36), 0
    for _ in range(300):
        lines = [sum(1 << s for s in chance.sample(range(CELLS), chance.choice([2, 3, 3, 4]))) for _ in range(5)]
        marks = chance.sample(range(CELLS), chance.choice([0, 2]))
        own, other = sum(1 << s for s in marks[::2]), sum(1 << s for s in marks[1::2])
        lacks = [(line & ~own).bit_count() for line in lines if not line & other]
        left = chance.randint(2, 5)
        if min(lacks, default=2) > 1 and has_pairs(np.array(lines, dtype=np.int64), own, other, left):
            found += 1
            assert not can_fill(lines, own, other, left), (lines, own, other, left)
    assert found > 30
    assert has_pairs(np.array([0b111, 0b111000, 0b111000000], dtype=np.int64), 0, 0, 5)
    assert not has_pairs(np.array([0b11, 0b110], dtype=np.int64), 0, 0, 5)
