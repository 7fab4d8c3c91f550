"""Decides races (``relaxation``) in which Xavier has few marks left, by trying all moves.

This module is trusted for one answer: if ``is_held`` returns True for a race that Xavier has not won, Olivia can keep
him from winning within the marks left to him. There are two exceptions to trying all moves. ``least``, ``least_from``
and ``is_held_at_once`` decide some races; their docstrings have the proofs. And some moves of Xavier's are left out:

- A mark is *useful* if it lowers the *need* of its field: the fewest marks with which he can own the field. After any
  other mark he needs as many marks as before, but has one fewer to place. So other marks are tried only if he can spare
  a mark. All useful marks in one field have the same effect on the needs.
- If a useful mark completes a line of fields, Xavier wins at once, so the search need not make the mark.

The search keeps the nine fields in a list, makes marks in the list and takes them back. Calls pass on this list and
the needs of the fields. The order of Olivia's replies affects only the time. ``limit`` is the maximum number of races
examined; a caller that follows a table (``bound``) increases this limit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import getitem

from verifier.kernel.errors import CertificateError
from verifier.kernel.games.nested import ANY
from verifier.kernel.race.relaxation import (
    FIELDS,
    SPOTS_OF_MASK,
    Fields,
    Needs,
    columns,
    field_table,
    is_held_at_once,
    totals,
)

MOST_REMEMBERED = 1 << 20
"""Maximum number of races remembered. If there are more, the search forgets them all; the answers stay the same."""

FEW = 3
"""Races with at most this many marks left are not remembered: a look-up would take longer than deciding them again."""


class Endgames:
    """A search that remembers its results. ``visited`` is the number of races examined, at most ``limit``."""

    def __init__(self, limit: float = math.inf) -> None:
        self.table = field_table()
        self.visited = 0
        self.limit = limit
        self._wins: dict[tuple[Fields, int, int], bool] = {}

    def is_held(self, fields: list[int], needs: Needs, active: int, marks: int) -> bool:
        """Say whether Olivia, to move, can keep Xavier from winning with ``marks`` marks. ``fields`` stays the same."""
        return is_held_at_once(fields, needs, active, marks) or self._is_held(fields, needs, active, marks)

    def _is_held(self, fields: list[int], needs: Needs, active: int, marks: int) -> bool:
        """Do what ``is_held`` does, without calling ``is_held_at_once`` first."""
        self._count()
        replies = self._weigh(fields, needs, active, marks)
        # If the score is negative, Xavier has too few marks left. Without a reply, no spot is free: the race is over.
        if not replies or replies[0] < 0:
            return True
        table = self.table
        for reply in replies:
            f, s = divmod(reply % 81, 9)
            number = fields[f]
            fields[f] = table.after_o[number][s]
            to = s if table.free[fields[s]] else ANY
            is_won = self.is_won(fields, needs + (table.rise[number][s] << 3 * f), to, marks)
            fields[f] = number
            if not is_won:
                return True
        return False

    def _weigh(self, fields: list[int], needs: Needs, active: int, marks: int) -> list[int]:
        """Return Olivia's replies, the best first, as numbers: 81 times a score, plus 9f + s for spot s of field f.

        The best reply has the least score. After a reply with a negative score, Xavier needs too many marks
        (``least_from``). Otherwise the score is higher if he can spare more marks or has a free choice. Without a free
        choice, it grows a little with each move of his that may leave him enough marks.
        """
        table = self.table
        free, useful = table.free, table.useful
        here = totals(needs)
        replies = []
        for f in FIELDS[active]:
            number = fields[f]
            rise, after = table.rise[number], table.after_o[number]
            for s in SPOTS_OF_MASK[free[number]]:
                fewest, through, idle_mask = totals(needs + (rise[s] << 3 * f)) if rise[s] else here
                sent = after[s] if s == f else fields[s]
                score = 1000 * (marks - fewest)
                if not free[sent]:
                    score += 500
                else:
                    score -= 1000 * (idle_mask >> s & 1)
                    if fewest < marks:
                        score += 10 * free[sent].bit_count()
                    elif through[s] <= marks:
                        score += 10 * useful[sent].bit_count()
                replies.append(score * 81 + 9 * f + s)
        replies.sort()
        return replies

    def is_won(self, fields: list[int], needs: Needs, active: int, marks: int) -> bool:
        """Say whether Xavier, to move, can win. Callers make sure that ``least_from`` is at most ``marks``."""
        self._count()
        if marks <= FEW:
            return has_win(fields, needs, active, marks, self._is_held)
        key = (tuple(map(getitem, columns(needs, marks), fields)), active, marks)
        found = self._wins.get(key)
        if found is None:
            if len(self._wins) >= MOST_REMEMBERED:
                self._wins.clear()
            found = self._wins[key] = has_win(fields, needs, active, marks, self._is_held)
        return found

    def _count(self) -> None:
        self.visited += 1
        if self.visited > self.limit:
            raise CertificateError("limit", f"beyond the table, the search examines more than {self.limit} races")


def has_win(
    fields: list[int], needs: Needs, active: int, marks: int, is_held: Callable[[list[int], Needs, int, int], bool]
) -> bool:
    """Say whether Xavier, to move, wins at once, or has a move after which ``is_held`` is False.

    Moves after which he needs too many marks are skipped. Every other move is made in ``fields``, and taken back.
    ``is_held`` is called only for races in which ``is_held_at_once`` is False.
    """
    table, left = field_table(), marks - 1
    free = table.free
    idle = totals(needs).fewest
    for f in FIELDS[active]:
        number = fields[f]
        useful, after = table.useful[number], table.after_x[number]
        rest = needs - (1 << 3 * f) if useful else needs
        busy = totals(rest).fewest
        if busy == 0:
            return True
        if busy > left:
            continue
        for s in SPOTS_OF_MASK[free[number] if idle <= left else useful]:
            fields[f] = after[s]
            to = s if free[fields[s]] else ANY
            now, fewest = (rest, busy) if useful >> s & 1 else (needs, idle)
            held = (fewest == left and is_held_at_once(fields, now, to, left)) or is_held(fields, now, to, left)
            fields[f] = number
            if not held:
                return True
    return False
