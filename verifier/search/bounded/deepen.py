"""Olivia's replies in races with few marks left, chosen so that few races are left to be decided.

Where the search by proof numbers ends many replies hold. The kernel follows every race that replies lead to once, and
tries everything below the last ones, so the best reply is one that leads to few races that no other led to before. The
replies depend on the order in which they are asked for: that of a table (``record``).
"""

from __future__ import annotations

import numpy as np

from verifier.kernel.games.nested import ANY
from verifier.kernel.race.relaxation import Fields, format_race
from verifier.search.bounded.plain import LIMIT, SCORE, WIDTH, Tables, insert, wins
from verifier.search.bounded.swar import TOP, add_needs, at_most, key, lanes_of_x, play, spread
from verifier.search.bounded.tables import FREE, MOST_MARKS, NEED, Rows, rows
from verifier.search.jit import Array, compiled, integers, power_of_two
from verifier.search.resources import DEFAULT_MEMORY_MIB

LISTS = 2 * (MOST_MARKS + 1) * WIDTH
"""Where three lists begin, above those of the plain search: her replies, his moves, his moves two plies later."""

NEW = 4
"""What a new race counts beside the races that her best reply there leads to: found by trying."""

ENOUGH = 15
"""Beyond this number, races after a reply are not distinguished."""


@compiled
def is_held_at_once(rows: Rows, fields: Array, active: int, lanes: int, marks: int) -> bool:
    """Tell what the kernel's function of this name tells of a race in which Olivia is to move."""
    near = at_most(lanes, marks)
    if not near:
        return True
    if at_most(lanes, marks - 1):
        return False
    lo, hi = (0, 9) if active == ANY else (active, active + 1)
    for f in range(lo, hi):
        free = rows[fields[f], FREE]
        for s in range(9):
            if free >> s & 1 and s != f and rows[fields[s], FREE] and not (near & TOP[s] and rows[fields[s], NEED]):
                return True
    return False


@compiled
def place_of(met: Array, first: int, second: int) -> int:
    """Return where a race stands among those that were met, or else where it may be written."""
    size = len(met) // 2
    place = spread(first, second) & (size - 1)
    while met[2 * place] and not (met[2 * place] == first and met[2 * place + 1] == second):
        place = (place + 1) & (size - 1)
    return 2 * place


@compiled
def move_over(old: Array, new: Array) -> None:
    """Write the races of one table into another that is larger."""
    for i in range(0, len(old), 2):
        if old[i]:
            place = place_of(new, old[i], old[i + 1])
            new[place], new[place + 1] = old[i], old[i + 1]


@compiled
def list_open(
    rows: Rows, fields: Array, active: int, lanes: int, marks: int, moves: Array, begin: int, most: int
) -> int:
    """Write down Xavier's moves after which Olivia is not seen to hold, up to a number of them.

    Args:
        rows: the table of fields.
        fields: the nine fields; on return what they were.
        active: the active field; Xavier is to move.
        lanes: their lanes.
        marks: the marks left to him.
        moves: room for the moves.
        begin: where the moves begin.
        most: how many moves are enough.

    Returns:
        Where the moves end.
    """
    end = begin
    if not at_most(lanes_of_x(rows, fields, active, lanes), marks):
        return end
    lo, hi = (0, 9) if active == ANY else (active, active + 1)
    for f in range(lo, hi):
        for s in range(9):
            if rows[fields[f], FREE] >> s & 1:
                to, rest, number = play(rows, fields, lanes, 9 * f + s, 0)
                if not is_held_at_once(rows, fields, to, rest, marks - 1):
                    moves[end] = 9 * f + s
                    end += 1
                fields[f] = number
                if end - begin == most:
                    return end
    return end


@compiled
def count_after_best(rows: Rows, fields: Array, active: int, lanes: int, marks: int, moves: Array, begin: int) -> int:
    """Return to how many races the reply of hers leads that leads to the fewest, at most ``ENOUGH``."""
    fewest = ENOUGH
    lo, hi = (0, 9) if active == ANY else (active, active + 1)
    for f in range(lo, hi):
        for s in range(9):
            if rows[fields[f], FREE] >> s & 1:
                to, rest, number = play(rows, fields, lanes, 9 * f + s, 1)
                end = list_open(rows, fields, to, rest, marks, moves, begin, fewest)
                fields[f] = number
                fewest = min(fewest, end - begin)
                if fewest == 0:
                    return 0
    return fewest


@compiled
def weigh(
    rows: Rows, met: Array, fields: Array, active: int, lanes: int, marks: int, moves: Array, is_chosen: bool
) -> int:
    """Return the work that races add to which Xavier's moves lead: those that were not met before.

    Each counts ``NEW``, and the races that her best reply leads to. If the reply before was chosen, they are met now.
    """
    work = 0
    end = list_open(rows, fields, active, lanes, marks, moves, LISTS + WIDTH, WIDTH)
    for i in range(LISTS + WIDTH, end):
        to, rest, number = play(rows, fields, lanes, moves[i], 0)
        first, second = key(rows, fields, to, rest, marks - 1)
        place = place_of(met, first, second)
        if not met[place]:
            if is_chosen:
                met[place], met[place + 1] = first, second
            else:
                work += NEW + count_after_best(rows, fields, to, rest, marks - 1, moves, end)
        fields[moves[i] // 9] = number
    return work


@compiled
def choose(tables: Tables, met: Array, fields: Array, active: int, lanes: int, marks: int) -> int:
    """Return the reply that holds and adds the least work, as the number 9f + s; -1 if Xavier wins.

    Args:
        tables: what the plain search reads and writes, with room for three lists more of moves.
        met: the races that were met, by key, two words each, a power of two of them, some of them free.
        fields: the nine fields; on return what they were.
        active: the active field; Olivia is to move.
        lanes: their lanes.
        marks: the marks left to Xavier.
    """
    rows, moves = tables.rows, tables.moves
    begin = end = LISTS
    lo, hi = (0, 9) if active == ANY else (active, active + 1)
    for f in range(lo, hi):
        for s in range(9):
            if rows[fields[f], FREE] >> s & 1:
                to, rest, number = play(rows, fields, lanes, 9 * f + s, 1)
                work = weigh(rows, met, fields, to, rest, marks, moves, False)
                fields[f] = number
                insert(moves, begin, end, work * SCORE + 9 * f + s)
                end += 1
    for i in range(begin, end):
        move = moves[i] % SCORE
        to, rest, number = play(rows, fields, lanes, move, 1)
        is_won = wins(tables, fields, to, rest, marks)
        if not is_won:
            weigh(rows, met, fields, to, rest, marks, moves, True)
        fields[move // 9] = number
        if not is_won:
            return int(move)
    return -1


class Deepening:
    """Chooses replies in the order in which it is asked for them."""

    def __init__(self, memory: int = DEFAULT_MEMORY_MIB) -> None:
        """Reserve the tables.

        Args:
            memory: MiB for what the plain search remembers.
        """
        memory_of_races = integers(2 * power_of_two(memory << 19, 16))
        self._tables = Tables(rows(), memory_of_races, integers(LISTS + 3 * WIDTH), integers(16))
        self._tables.counts[LIMIT] = 1 << 62
        self._met = integers(1 << 12)
        self._most = 0

    def choose(self, fields: Fields, active: int, marks: int) -> tuple[int, int]:
        """Return the field and the spot of a reply that holds.

        Raises:
            KeyError: Xavier wins the race.
        """
        self._make_room()
        laid = np.array(fields, dtype=np.int64)
        reply = choose(self._tables, self._met, laid, active, add_needs(self._tables.rows, laid), marks)
        if reply < 0:
            raise KeyError(f"Xavier wins {format_race(fields, active, marks)}")
        f, s = divmod(int(reply), 9)
        return f, s

    def _make_room(self) -> None:
        """Keep the table of races that were met at most half full; a reply leads to 81 of them or fewer."""
        self._most += WIDTH
        if 4 * self._most > len(self._met):
            self._most = int(np.count_nonzero(self._met[::2])) + WIDTH
            if 8 * self._most > len(self._met):
                met, self._met = self._met, integers(2 * len(self._met))
                move_over(met, self._met)
