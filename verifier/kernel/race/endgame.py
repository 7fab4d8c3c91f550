"""Decide races with few marks left by trying everything.

Trusted for: that Olivia keeps Xavier from winning a race (``relaxation``) within the marks left to him, where he has
not won it already. Nothing is cut off but what ``least``, ``least_from`` and ``is_held_at_once`` tell, each with its
proof there, and moves of his:

- After a mark that no shortest way needs (one that is not *useful*) he needs as many marks as before it, with one less
  left; it is tried only if that is enough. Useful marks of one field all leave him the same number.
- A useful mark in the last field of a line that needs one mark wins at once.

Inside, the nine fields are a list, in which a mark is made and taken back, and their needs go with them.
The order of her replies only decides how long it takes. What is looked into is bounded by ``limit``, which the caller
raises as it follows a table (``replies``), and what is remembered by ``MOST_REMEMBERED``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import getitem

from verifier.kernel.errors import CertificateError
from verifier.kernel.games.nested import ANY
from verifier.kernel.race.relaxation import (
    FIELDS,
    SPOTS,
    Fields,
    Needs,
    columns,
    field_table,
    is_held_at_once,
    totals,
)

MOST_REMEMBERED = 1 << 20
"""Races that are remembered; when there are more all are forgotten, which changes no answer."""

FEW = 3
"""Up to this number of marks nothing is remembered: it would take longer than doing it again."""


class Endgames:
    """A search that remembers what it has decided, and has looked into as many races as ``visited``, up to a limit."""

    def __init__(self, limit: float = math.inf) -> None:
        self.table = field_table()
        self.visited = 0
        self.limit = limit
        self._wins: dict[tuple[Fields, int, int], bool] = {}

    def is_held(self, fields: list[int], needs: Needs, active: int, marks: int) -> bool:
        """Say whether Olivia, to move, keeps him from winning within so many marks; the list is as before on return."""
        return is_held_at_once(fields, needs, active, marks) or self._is_held(fields, needs, active, marks)

    def _is_held(self, fields: list[int], needs: Needs, active: int, marks: int) -> bool:
        """Say the same where it is not seen at once."""
        self._count()
        replies = self._weigh(fields, needs, active, marks)
        # The least one leaves him least time to lose.
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
        """Return her replies, the number 9f + s and 81 times a score each, the best first.

        A reply after which he needs too many marks (``least_from``) has a negative score. Else the score is about the
        marks that he may lose, and about the moves that do not lose too many; it is worst where he may choose a field.
        """
        table = self.table
        free, useful = table.free, table.useful
        here = totals(needs)
        replies = []
        for f in FIELDS[active]:
            number = fields[f]
            rise, after = table.rise[number], table.after_o[number]
            for s in SPOTS[free[number]]:
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
        """Say whether Xavier, to move, wins, where he does not need too many marks (``least_from``)."""
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
            raise CertificateError("limit", f"more than {self.limit} races below the replies")


def has_win(
    fields: list[int], needs: Needs, active: int, marks: int, is_held: Callable[[list[int], Needs, int, int], bool]
) -> bool:
    """Say whether Xavier, to move, wins at once, or has a move after which she is not said to hold.

    Every move is made and taken back, but for those after which he needs too many marks. What is asked is asked of
    races alone in which Olivia is not seen to hold at once.
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
        for s in SPOTS[free[number] if idle <= left else useful]:
            fields[f] = after[s]
            to = s if free[fields[s]] else ANY
            now, fewest = (rest, busy) if useful >> s & 1 else (needs, idle)
            held = (fewest == left and is_held_at_once(fields, now, to, left)) or is_held(fields, now, to, left)
            fields[f] = number
            if not held:
                return True
    return False
