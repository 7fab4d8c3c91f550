"""The positions of one ply, once each, and the step from one level to the next."""

from __future__ import annotations

import numpy as np

from tests.search.compiled.canonical import SCRATCH, canonicalise, mix
from tests.search.compiled.machine import run
from tests.search.compiled.position import SIZE, WORDS, pack, unpack
from tests.search.compiled.program import STACK
from tests.search.compiled.rules import find_legal, play
from verifier.search.jit import Array, compiled, integers

CHUNK = 4096
"""Positions that one call of ``expand`` takes."""

MOST_MOVES = 81


class Level:
    """The positions of one ply, with the place of one they were reached from; grows by whole chunks.

    Attributes:
        rows: the packed positions, in the order in which they were met; only the first ``count`` are in use.
        parents: the place of a position's parent in the level before.
        table: a hash table of places in ``rows``, open addressing, -1 where free; its length is a power of two.
        edges: the moves made from these positions.
    """

    def __init__(self) -> None:
        self.count = 0
        self.edges = 0
        self.rows = integers(0, WORDS)
        self.parents = integers(0)
        self.table: Array = np.full(2, -1, dtype=np.int64)

    def reserve(self, more: int) -> None:
        """Make room for more positions."""
        if self.count + more <= len(self.rows):
            return
        size = max(2 * len(self.rows), self.count + more)
        rows, parents = integers(size, WORDS), integers(size)
        rows[: self.count], parents[: self.count] = self.rows[: self.count], self.parents[: self.count]
        self.rows, self.parents = rows, parents
        self.table = np.full(1 << (2 * size - 1).bit_length(), -1, dtype=np.int64)
        fill(self.rows, self.count, self.table)

    def find(self, row: Array) -> int:
        """Return the place of a packed position, -1 where it is not in this level."""
        return int(self.table[find_slot(self.rows, self.table, row)])

    def release(self) -> None:
        """Drop the hash table and the room that is not in use."""
        self.rows, self.parents = self.rows[: self.count].copy(), self.parents[: self.count].copy()
        self.table = np.full(2, -1, dtype=np.int64)


@compiled
def find_slot(rows: Array, table: Array, row: Array) -> int:
    """Return where a position stands in the table, or would stand."""
    last = len(table) - 1
    slot = mix(mix(mix(row[0] + 1) ^ row[1]) ^ row[2]) & last
    while table[slot] >= 0:
        place = table[slot]
        if rows[place, 0] == row[0] and rows[place, 1] == row[1] and rows[place, 2] == row[2]:
            return slot
        slot = (slot + 1) & last
    return slot


@compiled
def fill(rows: Array, count: int, table: Array) -> None:
    """Enter the first positions in an empty table."""
    for place in range(count):
        table[find_slot(rows, table, rows[place])] = place


@compiled
def find_moves(p: Array, code: Array, entries: Array, ends: int, stack: Array, legal: Array, chosen: Array) -> int:
    """Write the moves that may be played in a position, a mask a field.

    Args:
        p: the position.
        code: the program.
        entries: where the strategies of X and of O begin in it; -1 for a player who makes every legal move.
        ends: whether three aligned fields end the game.
        stack: scratch.
        legal: scratch.
        chosen: the moves found.

    Returns:
        1; 0 where the game is over; -1 where a strategy is stuck or names an illegal move.
    """
    is_open = find_legal(p, ends, legal)
    if not is_open:
        return 0
    entry = entries[p[21] & 1]
    if entry < 0:
        for f in range(9):
            chosen[f] = legal[f]
        return 1
    for f in range(9):
        chosen[f] = 0
    if not run(code, entry, p, 0, stack, chosen):
        return -1
    for f in range(9):
        if chosen[f] & ~legal[f]:
            return -1
    return 1


@compiled
def expand(
    here: Array,
    begin: int,
    end: int,
    code: Array,
    entries: Array,
    options: Array,
    rows: Array,
    parents: Array,
    table: Array,
    count: int,
) -> tuple[int, int, int, int]:
    """Play every move from some positions of a level, test where it leads, and enter that in the next level.

    Args:
        here: the rows of this level.
        begin: the first position that is taken.
        end: the first one that is not.
        code: the program.
        entries: where the strategies and the objectives begin in it: X, O, objectives; -1 for no strategy.
        options: whether three aligned fields end the game, whether positions are relabelled, whether they are kept.
        rows: those of the next level.
        parents: those of the next level.
        table: that of the next level.
        count: the positions in the next level so far.

    Returns:
        The positions in the next level, the edges, and the place of a position from which something fails (-1:
        nowhere) with the move after which an objective fails, as ``9 * f + s`` (-1: the strategy itself fails).
    """
    ends, is_relabelled, is_kept = options[0], options[1], options[2]
    p, q, scratch = integers_of(SIZE), integers_of(SIZE), integers_of(SIZE)
    stack, legal, chosen = integers_of(STACK), integers_of(9), integers_of(9)
    colours, order = integers_of(9 * SCRATCH).reshape(SCRATCH, 9), integers_of(12 * SCRATCH).reshape(SCRATCH, 12)
    row, best, places, spare = integers_of(WORDS), integers_of(WORDS), integers_of(9), integers_of(9)
    edges = 0
    for i in range(begin, end):
        unpack(here[i], p)
        outcome = find_moves(p, code, entries, ends, stack, legal, chosen)
        if outcome < 0:
            return count, edges, i, -1
        if outcome == 0:
            continue
        for f in range(9):
            for s in range(9):
                if not chosen[f] >> s & 1:
                    continue
                play(p, f, s, 1 - is_relabelled, q)
                edges += 1
                is_over = find_legal(q, ends, legal) == 0
                if not run(code, entries[2], q, is_over, stack, spare):
                    return count, edges, i, 9 * f + s
                if not is_kept:
                    continue
                if is_relabelled:
                    canonicalise(q, colours, order, scratch, row, best, places)
                else:
                    pack(q, best)
                slot = find_slot(rows, table, best)
                if table[slot] < 0:
                    table[slot] = count
                    for w in range(WORDS):
                        rows[count, w] = best[w]
                    parents[count] = i
                    count += 1
    return count, edges, -1, -1


@compiled
def integers_of(size: int) -> Array:
    """Return an array of zeros."""
    return np.zeros(size, dtype=np.int64)
