"""Choose Olivia's replies in races with few marks left, so that the kernel has few races to decide.

A race is a position in which only Xavier can win (``kernel/race/relaxation``). Olivia *holds* a race if she can keep
him from winning it. The search with proof numbers (``work.solve``) does not go on to races in which Xavier has few
marks left. In these races Olivia often has several replies that hold the race. The kernel follows each race once, even
if several replies lead to it. So the best reply leads to few *new* races: races to which no earlier reply leads. So
replies have to be chosen in the order in which the kernel asks for them (``record``). A table has no replies for races
with very few marks left (``frontier``): there the kernel tries all moves.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from verifier.kernel.race.relaxation import Fields, format_race
from verifier.search.bounded.plain import (
    LISTS,
    MOVES_WIDTH,
    NODE_LIMIT,
    SCORE,
    PlainTables,
    insert,
    make_tables,
    wins_within,
)
from verifier.search.bounded.swar import (
    RACE_CODE_VERSION,
    TOP,
    add_needs,
    at_most,
    key,
    lanes_of_x,
    moves_of,
    play,
    spread,
)
from verifier.search.bounded.tables import FREE_SPOTS, NEED, Rows
from verifier.search.jit import Array, compiled, integers, keep_machine_code, power_of_two
from verifier.search.resources import DEFAULT_MEMORY_MIB

NEW = 4
"""For each new race, ``weigh`` adds this to the number of races after Olivia's best reply. Trials gave this value."""

ENOUGH = 15
"""At most this many races are counted after a reply."""

PROBED = 256
"""To find a race in the table ``met`` (``choose``), at most this many places are looked at. An empty place ends the
search."""


@compiled
def is_held_now(rows: Rows, fields: Array, active: int, lanes: int, marks: int) -> bool:
    """Do what the kernel's ``is_held_at_once`` does: say whether Olivia, who is to move, clearly holds a race."""
    near = at_most(lanes, marks)
    if not near:
        return True
    if at_most(lanes, marks - 1):
        return False
    for move in moves_of(rows, fields, active):
        f, s = move // 9, move % 9
        if s != f and rows[fields[s], FREE_SPOTS] and not (near & TOP[s] and rows[fields[s], NEED]):
            return True
    return False


@compiled
def place_among(met: Array, first: int, second: int) -> int:
    """Return the place of a race in ``met``. If the race is not there, return a place where it can be written.

    That place is free if a free place is nearby. Otherwise it has another race, which will be overwritten.
    """
    size = len(met) // 2
    place = spread(first, second) & (size - 1)
    for _ in range(PROBED):
        if not met[2 * place] or (met[2 * place] == first and met[2 * place + 1] == second):
            break
        place = (place + 1) & (size - 1)
    return 2 * place


@compiled
def list_open(
    rows: Rows, fields: Array, active: int, lanes: int, marks: int, moves: Array, begin: int, most: int
) -> int:
    """Write to ``moves`` the moves of Xavier after which ``is_held_now`` is False, but at most ``most`` moves.

    The first move is written at ``begin``. Return the index after the last move.
    """
    end = begin
    if at_most(lanes_of_x(rows, fields, active, lanes), marks):
        for move in moves_of(rows, fields, active):
            to, rest, number = play(rows, fields, lanes, move, 0)
            if not is_held_now(rows, fields, to, rest, marks - 1):
                moves[end] = move
                end += 1
            fields[move // 9] = number
            if end - begin == most:
                break
    return end


@compiled
def count_after_best(rows: Rows, fields: Array, active: int, lanes: int, marks: int, moves: Array, begin: int) -> int:
    """Return the least number of moves that ``list_open`` finds after a reply of Olivia's, but at most ``ENOUGH``."""
    fewest = ENOUGH
    for move in moves_of(rows, fields, active):
        to, rest, number = play(rows, fields, lanes, move, 1)
        end = list_open(rows, fields, to, rest, marks, moves, begin, fewest)
        fields[move // 9] = number
        fewest = min(fewest, end - begin)
        if fewest == 0:
            break
    return fewest


@compiled
def weigh(
    rows: Rows, met: Array, fields: Array, active: int, lanes: int, marks: int, moves: Array, is_chosen: bool
) -> int:
    """Estimate the kernel's work in the new races to which Xavier's moves lead: races that were not met before.

    Each new race adds the number of races after Olivia's best reply in it, plus ``NEW``. If ``is_chosen``, Olivia's
    reply that leads here has been chosen: write the new races to ``met``, and return 0.
    """
    work = 0
    end = list_open(rows, fields, active, lanes, marks, moves, LISTS + MOVES_WIDTH, MOVES_WIDTH)
    for i in range(LISTS + MOVES_WIDTH, end):
        to, rest, number = play(rows, fields, lanes, moves[i], 0)
        first, second = key(rows, fields, to, rest, marks - 1)
        place = place_among(met, first, second)
        if not (met[place] == first and met[place + 1] == second):
            if is_chosen:
                met[place], met[place + 1] = first, second
            else:
                work += NEW + count_after_best(rows, fields, to, rest, marks - 1, moves, end)
        fields[moves[i] // 9] = number
    return work


@compiled
def choose(tables: PlainTables, met: Array, fields: Array, active: int, lanes: int, marks: int) -> int:
    """Return the reply that adds the least work among the replies that hold the race; -1 if Xavier wins.

    ``met`` has the keys of the races met so far, with two integers for each. The number of its places is a power of
    two.
    """
    rows, moves = tables.rows, tables.moves
    begin = end = LISTS
    for move in moves_of(rows, fields, active):
        to, rest, number = play(rows, fields, lanes, move, 1)
        work = weigh(rows, met, fields, to, rest, marks, moves, False)
        fields[move // 9] = number
        insert(moves, begin, end, work * SCORE + move)
        end += 1
    for i in range(begin, end):
        move = moves[i] % SCORE
        to, rest, number = play(rows, fields, lanes, move, 1)
        is_won = wins_within(tables, fields, to, rest, marks)
        if not is_won:
            weigh(rows, met, fields, to, rest, marks, moves, True)
        fields[move // 9] = number
        if not is_won:
            return int(move)
    return -1


def _make_choice(version: int) -> Callable[[PlainTables, Array, Array, int, int], int]:
    def search(tables: PlainTables, met: Array, fields: Array, active: int, marks: int) -> int:
        return choose(tables, met, fields, active, add_needs(tables.rows, fields) if version else 0, marks)

    return keep_machine_code(search)


choose_reply = _make_choice(RACE_CODE_VERSION)
"""Returns the result of ``choose``."""


class Deepening:
    """Chooses replies. Each reply depends on the replies that were chosen before."""

    def __init__(self, memory: int = DEFAULT_MEMORY_MIB) -> None:
        self._tables = make_tables(memory)
        self._tables.counts[NODE_LIMIT] = 1 << 62
        self._met = integers(2 * power_of_two(memory << 19, 16))

    def choose(self, fields: Fields, active: int, marks: int) -> tuple[int, int]:
        """Return the field and the spot of a reply of Olivia's that holds the race.

        Raises:
            KeyError: Xavier wins the race.
        """
        laid = np.array(fields, dtype=np.int64)
        reply = choose_reply(self._tables, self._met, laid, active, marks)
        if reply < 0:
            raise KeyError(f"Xavier wins {format_race(fields, active, marks)}")
        return reply // 9, reply % 9
