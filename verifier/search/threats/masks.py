"""Sets of spots as masks, and the transposition table, which has the decided positions, up to symmetry.

A place in the table, ``memory``, has three integers of 64 bits (*words*). The first two words are the key. The third
says whose turn it is, and has two numbers: the fewest marks or plies with which the attacker is known to win, and the
most with which he is known not to win. Several threads write into the table at once. So the key is combined with the
third word. Then an entry whose words come from two threads matches no position (Hyatt and Mann).

At first only a few places are used, so that a small search touches little memory. When half of them are full, twice as
many are used. The last row of the table is not a place. Its first word is the number of places in use, always a power
of two. Its second word is the number of entries.
"""

from __future__ import annotations

from verifier.search.jit import Array, compiled

TOO_MANY = 255
"""A number greater than the marks or plies of any game."""

SEAL = 0x1E3779B97F4A7C15
"""The last word of an entry, times this number, is combined with the other two words by exclusive or."""


@compiled
def count_spots(mask: int) -> int:
    """Return the number of spots of a mask."""
    mask = mask - ((mask >> 1) & 0x5555555555555555)
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (mask * 0x0101010101010101) >> 56


@compiled
def best_spot(scores: Array, mask: int) -> int:
    """Return the bit of the spot with the highest score. If several spots have it, return the first."""
    best, most = 0, -1
    while mask:
        bit = mask & -mask
        mask &= mask - 1
        score = scores[count_spots(bit - 1)]
        if score > most:
            best, most = bit, score
    return best


@compiled
def image_of(images: Array, g: int, mask: int) -> int:
    """Return the image of a mask under symmetry g."""
    image = 0
    while mask:
        image |= images[g, count_spots((mask & -mask) - 1)]
        mask &= mask - 1
    return image


@compiled
def least_image(images: Array, first: int, second: int) -> tuple[int, int]:
    """Return the images of two masks under the symmetry that makes this pair least. Symmetry 0 changes nothing."""
    best_first, best_second = first, second
    for g in range(1, images.shape[0]):
        image = image_of(images, g, first)
        if image <= best_first:
            other = image_of(images, g, second)
            if image < best_first or other < best_second:
                best_first, best_second = image, other
    return best_first, best_second


@compiled
def entry_of(memory: Array, first: int, second: int, turn: int) -> int:
    """Return the place of a position in the table. If it has no place, return a place where it can be written."""
    mixed = (first ^ (second * 0x2545F4914F6CDD1D) ^ (turn + 1)) * 0x1E3779B97F4A7C15
    mixed = (mixed ^ ((mixed >> 29) & 0x7FFFFFFFF)) * 0x3F58476D1CE4E5B9
    last = memory[-1, 0] - 1
    place = int(mixed >> 20 & last)
    for step in range(8):
        at = int(place + step & last)
        if not memory[at, 2] or entry_word(memory, at, first, second, turn):
            return at
    return place


@compiled
def entry_word(memory: Array, at: int, first: int, second: int, turn: int) -> int:
    """Return the last word of an entry if it is the entry of the given position, otherwise 0."""
    word = memory[at, 2]
    seal = word * SEAL
    return word if memory[at, 0] ^ seal == first and memory[at, 1] ^ seal == second and word >> 17 == turn else 0


@compiled
def settle(memory: Array, first: int, second: int, turn: int, left: int, is_won: int) -> None:
    """Store whether the attacker wins within ``left`` marks or plies."""
    at = entry_of(memory, first, second, turn)
    won, lost = TOO_MANY, 0
    word = entry_word(memory, at, first, second, turn)
    if word:
        won, lost = word & 255, word >> 8 & 255
    if is_won:
        won = min(won, left)
    else:
        lost = max(lost, left)
    store(memory, at, first, second, turn << 17 | 1 << 16 | lost << 8 | won)


@compiled
def store(memory: Array, at: int, first: int, second: int, word: int) -> None:
    """Write an entry at its place, which ``entry_of`` has returned. If the place is full, replace its entry."""
    if not memory[at, 2]:
        memory[-1, 1] += 1
        if memory[-1, 1] > memory[-1, 0] >> 1 and memory[-1, 0] << 1 < memory.shape[0]:
            grow_memory(memory)
            at = entry_of(memory, first, second, word >> 17)
    memory[at, 0], memory[at, 1], memory[at, 2] = first ^ word * SEAL, second ^ word * SEAL, word


@compiled
def grow_memory(memory: Array) -> None:
    """Use twice as many places, and move each entry to its new place."""
    # If other threads write at the same time, some entries may be lost, and have to be searched again.
    size = memory[-1, 0]
    memory[-1, 0] = 2 * size
    for old in range(size):
        word = memory[old, 2]
        if word:
            first, second = memory[old, 0] ^ word * SEAL, memory[old, 1] ^ word * SEAL
            memory[old, 2] = 0
            at = entry_of(memory, first, second, word >> 17)
            memory[at, 0], memory[at, 1], memory[at, 2] = first ^ word * SEAL, second ^ word * SEAL, word


@compiled
def recall(memory: Array, first: int, second: int, turn: int, left: int) -> int:
    """Return 1 if the attacker is known to win within ``left`` marks or plies, 0 if he is known not to win, else -1."""
    word = entry_word(memory, entry_of(memory, first, second, turn), first, second, turn)
    if word:
        if word & 255 <= left:
            return 1
        if word >> 8 & 255 >= left:
            return 0
    return -1
