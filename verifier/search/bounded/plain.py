"""Can Xavier win the race within a number of further marks? A depth-first search, with a table of decided races.

A race is a position of the game, made easier: only Xavier can win (``kernel/race/relaxation``).
"""

from __future__ import annotations

from typing import NamedTuple

from verifier.kernel.games.nested import ANY
from verifier.search.bounded.swar import (
    LANE,
    at_most,
    count_helpful,
    key,
    lanes_from,
    lanes_of_x,
    lowest,
    play,
    race_entry,
    target,
)
from verifier.search.bounded.tables import AFTER_O, FREE_SPOTS, MOST_MARKS, NEED, USEFUL_MASK, Rows, rows
from verifier.search.jit import Array, compiled, inlined, integers, power_of_two

NODES_MET, NODE_LIMIT, WAS_CUT = 0, 1, 2
"""The entries of ``counts``: the number of races met; the maximum of this number; 1 if the maximum was exceeded."""

WON = 1 << 62
"""The bit of a stored key that is set if Xavier wins."""

MOVES_WIDTH = 81
"""The length of a list of moves."""

SCORE = 128
"""An entry of a list is the score of a move, times this number, plus the move."""

LISTS = 2 * (MOST_MARKS + 1) * MOVES_WIDTH
"""The length of all lists of this search together: two lists for each number of marks. After them there is room for
three lists of ``deepen``."""

REMEMBERED = 4
"""A race is remembered if at least this many marks are left."""


class PlainTables(NamedTuple):
    """The data that every search reads and writes.

    Attributes:
        rows: the table of fields.
        memory: the decided races, with two integers for each. The number of places is a power of two.
        moves: the lists of moves.
        counts: the counters and settings.
    """

    rows: Rows
    memory: Array
    moves: Array
    counts: Array


def make_tables(memory: int) -> PlainTables:
    """Reserve tables, with half of ``memory`` MiB for decided races. They take up memory only as they fill."""
    return PlainTables(
        rows(), integers(2 * power_of_two(memory << 19, 16)), integers(LISTS + 3 * MOVES_WIDTH), integers(16)
    )


@compiled
def insert(moves: Array, begin: int, end: int, entry: int) -> None:
    """Insert an entry into an ascending part of the list."""
    i = end
    while i > begin and moves[i - 1] > entry:
        moves[i] = moves[i - 1]
        i -= 1
    moves[i] = entry


@compiled
def wins_within(tables: PlainTables, fields: Array, active: int, lanes: int, marks: int) -> bool:
    """Return True if Xavier, who is to move, wins with at most ``marks`` more marks.

    If the search was cut off (``WAS_CUT``), the result is meaningless.
    """
    rows, memory, moves, counts = tables
    if not at_most(lanes_of_x(rows, fields, active, lanes), marks):
        return False
    counts[NODES_MET] += 1
    first = second = place = 0
    if marks >= REMEMBERED:
        first, second = key(rows, fields, active, lanes, marks)
        place = race_entry(memory, first, second)
        if memory[place] & ~WON == first and memory[place + 1] == second:
            return bool(memory[place] != first)
    is_won = False
    begin = end = 2 * marks * MOVES_WIDTH
    lo, hi = (0, 9) if active == ANY else (active, active + 1)
    idle = lowest(lanes)
    for f in range(lo, hi):
        number = fields[f]
        free, useful = rows[number, FREE_SPOTS], rows[number, USEFUL_MASK]
        busy = lowest(lanes - LANE[f]) if useful else idle
        if busy == 0:
            is_won = True
            break
        for s in range(9):
            if free >> s & 1:
                need = busy if useful >> s & 1 else idle
                if need < marks:
                    insert(moves, begin, end, need * SCORE + 9 * f + s)
                    end += 1
    if not is_won:
        for i in range(begin, end):
            move = moves[i] % SCORE
            to, rest, number = play(rows, fields, lanes, move, 0)
            is_won = is_lost(tables, fields, to, rest, marks - 1)
            fields[move // 9] = number
            if counts[WAS_CUT]:
                return True
            if is_won:
                break
    if marks >= REMEMBERED:
        memory[place], memory[place + 1] = first | WON if is_won else first, second
    return is_won


@inlined
def is_lost(tables: PlainTables, fields: Array, active: int, lanes: int, marks: int) -> bool:
    """Return True if Xavier wins with at most ``marks`` more marks, whatever Olivia, who is to move, replies.

    First try the replies after which he can spare the fewest marks and has the fewest helpful moves
    (``count_helpful``). If the search was cut off, the result is meaningless.
    """
    rows, _, moves, counts = tables
    if not at_most(lanes, marks):
        return False
    counts[NODES_MET] += 1
    if counts[NODES_MET] > counts[NODE_LIMIT]:
        counts[WAS_CUT] = 1
        return True
    begin = end = (2 * marks + 1) * MOVES_WIDTH
    lo, hi = (0, 9) if active == ANY else (active, active + 1)
    for f in range(lo, hi):
        number = fields[f]
        free, need = rows[number, FREE_SPOTS], rows[number, NEED]
        for s in range(9):
            if free >> s & 1:
                after = rows[number, AFTER_O + s]
                to = target(rows, fields, f, s, after)
                rest = lanes + LANE[f] * (rows[after, NEED] - need)
                next_need = rows[after if to == f else fields[min(to, 8)], NEED]
                least = lowest(lanes_from(rest, to, next_need))
                if least > marks:
                    return False
                score = -10 * least
                if marks > 1:
                    fields[f] = after
                    score = 1000 * (marks - least) + 10 * count_helpful(rows, fields, to, rest, marks)
                    score += 500 if to == ANY else 0
                    fields[f] = number
                insert(moves, begin, end, score * SCORE + 9 * f + s)
                end += 1
    for i in range(begin, end):
        move = moves[i] % SCORE
        to, rest, number = play(rows, fields, lanes, move, 1)
        is_won = wins_within(tables, fields, to, rest, marks)
        fields[move // 9] = number
        if counts[WAS_CUT]:
            return True
        if not is_won:
            return False
    return True  # she had at least one reply, because a spot that Xavier still needs is free
