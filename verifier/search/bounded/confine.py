"""Can Olivia keep Xavier from winning a race by sending him only to two fields, the *pair*?

A race is a position of the game, made easier: only Xavier can win (``kernel/race/relaxation``). A mark on spot s sends
the other player to field s. So, as in the paper's Lemma 6, Olivia marks spots with the numbers of the pair as long as
she can. This ends when she has to play in a field where both of these spots are taken. It also ends when she sends him
to a full field, because then he chooses a field. If he has few marks left at this end, every reply is searched.
Otherwise the race counts as lost for her.

``notes`` has the decided races of one pair, with two integers for each race. The number of races for which it has
room is a power of two.
"""

from __future__ import annotations

from collections.abc import Callable

from verifier.search.bounded.plain import WAS_CUT, WON, PlainTables, is_lost, wins_within
from verifier.search.bounded.swar import (
    LANE,
    RACE_CODE_VERSION,
    add_needs,
    at_most,
    key,
    lanes_of_x,
    moves_of,
    play,
    race_entry,
)
from verifier.search.bounded.tables import USEFUL_MASK
from verifier.search.jit import Array, compiled, inlined, keep_machine_code

CONFINED_NODES, CONFINED_LIMIT = 3, 4
"""Two entries of ``counts``: the number of races met in which Xavier is to move in a field of the pair; and the maximum
of this number."""

FRONTIER_ENTRY = 5
"""The entry of ``counts`` for the frontier, a number of marks. If Xavier has at most this many left, all replies are
searched."""

PAIR_ENTRY = 6
"""The entry of ``counts`` for the first field of the pair; the next entry is the second field.

Olivia sends Xavier to the first field if she can, so that he fills it before the second field. If she alternated
between the fields, the search would meet about five times as many races.
"""


@compiled
def escapes(tables: PlainTables, notes: Array, fields: Array, active: int, lanes: int, marks: int) -> bool:
    """Return False if the search finds that Olivia stops Xavier, who is to move; True if he wins or may win."""
    rows, counts = tables.rows, tables.counts
    if not at_most(lanes_of_x(rows, fields, active, lanes), marks):
        return False
    if active not in (counts[PAIR_ENTRY], counts[PAIR_ENTRY + 1]):  # also true if he may choose a field
        if marks > counts[FRONTIER_ENTRY] + 1:
            return True
        return wins_within(tables, fields, active, lanes, marks)
    counts[CONFINED_NODES] += 1
    if counts[CONFINED_NODES] > counts[CONFINED_LIMIT]:
        counts[WAS_CUT] = 1
        return True
    first, second = key(rows, fields, active, lanes, marks)
    place = race_entry(notes, first, second)
    if notes[place] & ~WON == first and notes[place + 1] == second:
        return bool(notes[place] != first)
    is_free = False
    number = fields[active]
    for move in moves_of(rows, fields, active):
        rest = lanes - LANE[active] if rows[number, USEFUL_MASK] >> move % 9 & 1 else lanes
        if at_most(rest, 0):
            is_free = True
            break
        if not at_most(rest, marks - 1):
            continue
        to, rest, _ = play(rows, fields, lanes, move, 0)
        is_free = is_loose(tables, notes, fields, to, rest, marks - 1)
        fields[active] = number
        if counts[WAS_CUT]:
            return True
        if is_free:
            break
    notes[place], notes[place + 1] = first | WON if is_free else first, second
    return is_free


@inlined
def find_in_pair(tables: PlainTables, notes: Array, fields: Array, active: int, lanes: int, marks: int) -> int:
    """Return a reply of Olivia's that stops Xavier, on a spot with the number of a field of the pair.

    If no such reply is found, return -1. Try the first field of the pair before the second.
    """
    rows, counts = tables.rows, tables.counts
    for turn in range(2):
        for move in moves_of(rows, fields, active):
            if move % 9 == counts[PAIR_ENTRY + turn]:
                to, rest, number = play(rows, fields, lanes, move, 1)
                is_free = escapes(tables, notes, fields, to, rest, marks)
                fields[move // 9] = number
                if counts[WAS_CUT]:
                    return -1
                if not is_free:
                    return move
    return -1


@inlined
def is_loose(tables: PlainTables, notes: Array, fields: Array, active: int, lanes: int, marks: int) -> bool:
    """Return the same as ``escapes``, but for a race with Olivia to move."""
    counts = tables.counts
    if not at_most(lanes, marks):
        return False
    if find_in_pair(tables, notes, fields, active, lanes, marks) >= 0:
        return False
    if counts[WAS_CUT] or marks > counts[FRONTIER_ENTRY]:
        return True
    return is_lost(tables, fields, active, lanes, marks)


def _make_search(version: int) -> Callable[[PlainTables, Array, Array, int, int, bool], int]:
    def search(tables: PlainTables, notes: Array, fields: Array, active: int, marks: int, wants_reply: bool) -> int:
        lanes = add_needs(tables.rows, fields) if version else 0
        if wants_reply:
            return find_in_pair(tables, notes, fields, active, lanes, marks)
        return int(is_loose(tables, notes, fields, active, lanes, marks))

    return keep_machine_code(search)


confine_race = _make_search(RACE_CODE_VERSION)
"""Returns the result of ``is_loose``, or of ``find_in_pair`` if ``wants_reply``."""
