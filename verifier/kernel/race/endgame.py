"""Decide races with few marks left by trying everything.

Trusted for: that Olivia keeps Xavier from winning a race (``relaxation``) within the marks left to him, where he has
not won it already. Nothing is cut off but what ``least``, ``least_from`` and ``is_held_at_once`` tell, each with its
proof there, and moves of his:

- After a mark that no shortest way needs (one that is not *useful*) he needs as many marks as before it, with one less
  left; it is tried only if that is enough. Useful marks of one field all leave him the same number.
- A useful mark in the last field of a line that needs one mark wins at once.

The order of her replies only decides how long it takes. What is looked into is bounded by ``limit``, which the caller
raises as it follows a table (``replies``), and what is remembered by ``MOST_REMEMBERED``.
"""

from __future__ import annotations

import math

from verifier.kernel.errors import CertificateError
from verifier.kernel.games.nested import ANY
from verifier.kernel.race.relaxation import (
    Fields,
    coarsen,
    field_table,
    is_held_at_once,
    least,
    least_from,
    moves_of,
    needs_of,
    play,
    totals,
)

MOST_REMEMBERED = 1 << 20
"""Races that are remembered; when there are more all are forgotten, which changes no answer."""

CONFINED_MARKS = 8
"""With so many marks left, or one more before his mark, every move is tried also where Olivia confines Xavier."""

FEWER_MARKS = 6
"""The same, tried first: most confinements hold so, and tries of hers that fail are seen to fail much sooner."""

FEW = 3
"""Up to this number of marks nothing is remembered: it would take longer than doing it again."""


class Endgames:
    """A search that remembers what it has decided.

    Attributes:
        table: the table of fields.
        visited: how many races it has looked into.
        limit: the number after which it gives up: a ``CertificateError`` with reason ``too-long``.
    """

    def __init__(self, limit: float = math.inf) -> None:
        self.table = field_table()
        self.visited = 0
        self.limit = limit
        self._wins: dict[tuple[Fields, int, int], bool] = {}
        self._confined: dict[tuple[Fields, int, int, int, int, int], bool] = {}

    def holds(self, fields: Fields, active: int, marks: int) -> bool:
        """Say whether Olivia, to move, keeps Xavier from winning within so many marks of his."""
        table = self.table
        need = needs_of(fields)
        if is_held_at_once(fields, need, active, marks):
            return True
        self._count()
        replies: list[tuple[int, Fields, int]] = []
        for f, s in moves_of(fields, active):
            number = table.after_o[fields[f]][s]
            lacks = table.need[number]
            rest = need if lacks == need[f] else (*need[:f], lacks, *need[f + 1 :])
            to = s if table.free[number if s == f else fields[s]] else ANY
            slack = marks - least_from(rest, to)
            if slack < 0:
                return True
            after = (*fields[:f], number, *fields[f + 1 :])
            # Few moves that lose no time, and little time to lose, are what Xavier has to be given.
            score = 1000 * slack + 10 * self._count_moves(after, rest, to, marks) + (500 if to == ANY else 0)
            replies.append((score, after, to))
        replies.sort()
        return not replies or any(not self.wins(after, to, marks) for _, after, to in replies)

    def _count_moves(self, fields: Fields, need: tuple[int, ...], active: int, marks: int) -> int:
        """Count Xavier's moves after which he can still win in time, if he may choose the fields."""
        shortest, through, _ = totals(need)
        masks = self.table.free if shortest < marks else self.table.useful
        return sum(
            masks[fields[f]].bit_count()
            for f in (range(9) if active == ANY else (active,))
            if shortest < marks or through[f] <= marks
        )

    def wins(self, fields: Fields, active: int, marks: int) -> bool:
        """Say whether Xavier, to move, wins within so many marks."""
        need = needs_of(fields)
        if least_from(need, active) > marks:
            return False
        self._count()
        if marks <= FEW:
            return self._has_win(fields, need, active, marks)
        key = (coarsen(fields, marks), active, marks)
        found = self._wins.get(key)
        if found is None:
            if len(self._wins) >= MOST_REMEMBERED:
                self._wins.clear()
            found = self._wins[key] = self._has_win(fields, need, active, marks)
        return found

    def _has_win(self, fields: Fields, need: tuple[int, ...], active: int, marks: int) -> bool:
        table = self.table
        for f in range(9) if active == ANY else (active,):
            number = fields[f]
            useful = table.useful[number]
            idle = least(need)
            busy = least((*need[:f], need[f] - 1, *need[f + 1 :])) if useful else idle
            if busy == 0:
                return True
            if busy >= marks:
                continue
            for s in range(9):
                bit = 1 << s
                is_in_time = useful & bit or (table.free[number] & bit and idle < marks)
                if is_in_time and not self.holds(*play(fields, f, s, is_xavier=True), marks - 1):
                    return True
        return False

    def _count(self) -> None:
        self.visited += 1
        if self.visited > self.limit:
            raise CertificateError("too-long", f"more than {self.limit} races below the replies")

    def holds_confined(self, fields: Fields, active: int, marks: int, pair: tuple[int, int], came_from: int) -> bool:
        """Say whether Olivia, to move, holds by playing on the two spots of a pair as long as she can (§4.3, Lemma 6).

        Then Xavier is sent to the pair's two fields alone. When neither spot is left to her, or he is sent elsewhere,
        or neither spot does, every move is tried, if few marks are left; with more it counts as lost. To count races as
        lost can only make her lose: with fewer marks as with more, what holds is held.

        Args:
            fields: the race.
            active: the active field.
            marks: the marks left to Xavier.
            pair: the two spots.
            came_from: the field of Xavier's last mark. From a field of the pair she first tries to send him to the
                other one, from elsewhere to the first one.
        """
        return any(
            self._holds_confined(fields, active, marks, pair, came_from, end) for end in (FEWER_MARKS, CONFINED_MARKS)
        )

    def _holds_confined(
        self, fields: Fields, active: int, marks: int, pair: tuple[int, int], came_from: int, end: int
    ) -> bool:
        if least(needs_of(fields)) > marks:
            return True
        first, second = (pair[1], pair[0]) if came_from == pair[0] else pair
        open_fields = range(9) if active == ANY else (active,)
        is_stuck = True
        for s in (first, second):
            for f in open_fields:
                if self.table.free[fields[f]] >> s & 1:
                    is_stuck = False
                    if not self.wins_confined(*play(fields, f, s, is_xavier=False), marks, pair, end):
                        return True
        if is_stuck and not any(self.table.free[fields[f]] for f in open_fields):
            return True
        return marks <= end and self.holds(fields, active, marks)

    def wins_confined(
        self, fields: Fields, active: int, marks: int, pair: tuple[int, int], end: int = CONFINED_MARKS
    ) -> bool:
        """Say whether Xavier, to move, wins within so many marks where Olivia goes on as ``holds_confined`` says."""
        if least_from(needs_of(fields), active) > marks:
            return False
        if active not in pair:
            return marks > end + 1 or self.wins(fields, active, marks)
        self._count()
        key = (coarsen(fields, marks), active, marks, *pair, end)
        found = self._confined.get(key)
        if found is None:
            found = any(not self._follow(fields, active, s, marks, pair, end) for _, s in moves_of(fields, active))
            if len(self._confined) >= MOST_REMEMBERED:
                self._confined.clear()
            self._confined[key] = found
        return found

    def _follow(self, fields: Fields, f: int, s: int, marks: int, pair: tuple[int, int], end: int) -> bool:
        """Say whether Olivia holds after Xavier's mark inside a confinement."""
        after, field = play(fields, f, s, is_xavier=True)
        rest = least(needs_of(after))
        if rest == 0:
            return False
        return rest >= marks or self._holds_confined(after, field, marks - 1, pair, f, end)
