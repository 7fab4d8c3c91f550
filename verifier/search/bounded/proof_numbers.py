"""Search with proof numbers (df-pn), best first, for replies that keep Xavier from winning the race.

A race is a position of the game, made easier: only Xavier can win (``kernel/race/relaxation``).

Both players are treated alike: Xavier succeeds if he wins, Olivia if she keeps him from winning. ``yes`` estimates the
work left to prove that the player to move succeeds, and ``no`` the work left to prove that the opponent succeeds. If
one of the two is proved, its number is 0 and the other number is ``SURE``. After a move the opponent is to move. So
``yes`` is the least ``no`` of the positions after a move, and ``no`` is the sum of ``yes`` of all these positions. The
table ``numbers`` has three integers for each position. ``side`` is 1 if Olivia is to move, else 0.
"""

from __future__ import annotations

from collections.abc import Callable

from verifier.kernel.games.nested import ANY
from verifier.search.bounded.confine import FRONTIER_ENTRY
from verifier.search.bounded.plain import MOVES_WIDTH, WAS_CUT, PlainTables, is_lost
from verifier.search.bounded.swar import (
    RACE_CODE_VERSION,
    add_needs,
    at_most,
    count_helpful,
    key,
    lanes_of_x,
    lowest,
    moves_of,
    play,
    spread,
)
from verifier.search.bounded.tables import ROOM, Rows
from verifier.search.jit import Array, compiled, keep_machine_code

SURE = 1_000_000_000
"""More than every estimate of work, and below 2**30."""

REPLY = 8
"""The entry of ``counts`` for the successful move that was found last."""

OF_OLIVIA = 1 << 62
"""The bit of a key that is set if Olivia is to move."""

BUCKET = 4
"""A position can be stored in any of this many neighbouring entries of the table."""

MOVE, FIRST_KEY, SECOND_KEY, YES, NO = range(5)
"""The columns of the list of moves: the move, and the key, ``yes`` and ``no`` of the position after it."""


@compiled
def find(numbers: Array, first: int, second: int) -> int:
    """Return the place of a position in the table; -1 if the position is not in the table."""
    size = len(numbers) // 3
    h = spread(first, second)
    for i in range(BUCKET):
        place = (h + i & size - 1) * 3
        if numbers[place] == first and numbers[place + 1] == second:
            return place
    return -1


@compiled
def keep(numbers: Array, first: int, second: int, yes: int, no: int) -> None:
    """Write the numbers of a position into the table.

    If no place is free, overwrite the entry whose two numbers have the least sum.
    """
    size = len(numbers) // 3
    h = spread(first, second)
    best, least = 0, 4 * SURE
    for i in range(BUCKET):
        place = (h + i & size - 1) * 3
        if numbers[place] == 0 or (numbers[place] == first and numbers[place + 1] == second):
            best = place
            break
        worth = (numbers[place + 2] >> 30) + (numbers[place + 2] & (1 << 30) - 1)
        if worth < least:
            best, least = place, worth
    numbers[best], numbers[best + 1], numbers[best + 2] = first, second, yes << 30 | no


@compiled
def estimate(
    tables: PlainTables, numbers: Array, fields: Array, active: int, lanes: int, marks: int, side: int
) -> tuple[int, int, int, int]:
    """Return the key and the numbers of a position.

    If counting marks decides the position, the key is returned as 0, 0. Otherwise, if the table has the position, the
    numbers come from the table. If not, there are two cases. If Olivia is to move, and Xavier has at most as many marks
    left as the *frontier* says, a search of all replies finds the numbers. In all other cases the numbers are guessed.
    """
    rows, counts = tables.rows, tables.counts
    least = lowest(lanes if side else lanes_of_x(rows, fields, active, lanes))
    if least > marks:
        return 0, 0, 0 if side else SURE, SURE if side else 0
    if least == 0 and side:
        return 0, 0, SURE, 0
    first, second = key(rows, fields, active, lanes, marks)
    if side:
        first |= OF_OLIVIA
    place = find(numbers, first, second)
    if place >= 0:
        return first, second, numbers[place + 2] >> 30, numbers[place + 2] & (1 << 30) - 1
    if side and marks <= counts[FRONTIER_ENTRY]:
        is_won = is_lost(tables, fields, active, lanes, marks)
        yes, no = (SURE, 0) if is_won else (0, SURE)
        if not counts[WAS_CUT]:
            keep(numbers, first, second, yes, no)
        return first, second, yes, no
    slack = 1 << min(marks - least, 20)
    if side:
        return first, second, slack, 1 + (9 if active == ANY else rows[fields[active], ROOM])
    return first, second, 2, 1 + count_helpful(rows, fields, active, lanes, marks) * slack // 2


@compiled
def search_proof_numbers(
    tables: PlainTables,
    numbers: Array,
    lists: Array,
    fields: Array,
    active: int,
    lanes: int,
    marks: int,
    side: int,
    first: int,
    second: int,
    most_yes: int,
    most_no: int,
) -> tuple[int, int]:
    """Search a position until ``yes`` reaches ``most_yes`` or ``no`` reaches ``most_no``. Return both numbers.

    The key of the position is ``first, second``. ``lists`` has room for the lists of moves.
    """
    rows, counts = tables.rows, tables.counts
    begin = end = (2 * marks + side) * MOVES_WIDTH
    rest_marks = marks if side else marks - 1
    for move in moves_of(rows, fields, active):
        to, rest, number = play(rows, fields, lanes, move, side)
        one, two, yes, no = estimate(tables, numbers, fields, to, rest, rest_marks, 1 - side)
        fields[move // 9] = number
        if counts[WAS_CUT]:
            return 1, 1
        if no == 0:
            counts[REPLY] = move
            keep(numbers, first, second, 0, SURE)
            return 0, SURE
        if yes > 0:
            lists[end, MOVE], lists[end, FIRST_KEY], lists[end, SECOND_KEY] = move, one, two
            lists[end, YES], lists[end, NO] = yes, no
            end += 1
    yes, no = SURE, 0
    while end > begin:
        no, yes, other, best = 0, SURE, SURE, begin
        for i in range(begin, end):
            no += lists[i, YES]
            if lists[i, NO] < yes:
                other, yes, best = yes, lists[i, NO], i
            elif lists[i, NO] < other:
                other = lists[i, NO]
        no = min(no, SURE - 1)
        if yes == 0:
            counts[REPLY] = lists[best, MOVE]
            no = SURE
            break
        if yes >= most_yes or no >= most_no:
            break
        move = lists[best, MOVE]
        to, rest, number = play(rows, fields, lanes, move, side)
        place = to, rest, rest_marks, 1 - side, lists[best, FIRST_KEY], lists[best, SECOND_KEY]
        most = most_no - no + lists[best, YES], min(most_yes, other + 1 + other // 4 if other < SURE else SURE)
        lists[best, YES], lists[best, NO] = search_proof_numbers(tables, numbers, lists, fields, *place, *most)
        fields[move // 9] = number
        if counts[WAS_CUT]:
            return 1, 1
        if lists[best, YES] == 0:
            end -= 1
            for column in range(5):
                lists[best, column] = lists[end, column]
            yes, no = SURE, 0
    keep(numbers, first, second, yes, no)
    return yes, no


@compiled
def find_reply(rows: Rows, numbers: Array, fields: Array, active: int, lanes: int, marks: int) -> int:
    """Return a reply that is proved to keep Xavier from winning; -1 if the table shows no such reply.

    Prefer a reply after which it is clear without a search that he has too few marks left.
    """
    found = -1
    for move in moves_of(rows, fields, active):
        to, rest, number = play(rows, fields, lanes, move, 1)
        is_over = not at_most(lanes_of_x(rows, fields, to, rest), marks)
        first, second = key(rows, fields, to, rest, marks)
        fields[move // 9] = number
        if is_over:
            return move
        if found < 0:
            place = find(numbers, first, second)
            if place >= 0 and numbers[place + 2] & (1 << 30) - 1 == 0:
                found = move
    return found


def _make_search(version: int) -> Callable[[PlainTables, Array, Array, Array, int, int, bool], int]:
    def search(
        tables: PlainTables, numbers: Array, lists: Array, fields: Array, active: int, marks: int, is_held: bool
    ) -> int:
        rows = tables.rows
        lanes = add_needs(rows, fields) if version else 0
        if is_held:
            return find_reply(rows, numbers, fields, active, lanes, marks)
        first, second = key(rows, fields, active, lanes, marks)
        place = active, lanes, marks, 1, first | OF_OLIVIA, second
        yes, _ = search_proof_numbers(tables, numbers, lists, fields, *place, SURE, SURE)
        return int(tables.counts[REPLY]) if yes == 0 else -1

    return keep_machine_code(search)


prove_race = _make_search(RACE_CODE_VERSION)
"""Returns a reply of Olivia's that keeps Xavier from winning; -1 if he wins, or if the search was cut off.

If ``is_held``, returns the result of ``find_reply``: Olivia is known to hold the race.
"""
