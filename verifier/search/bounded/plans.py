"""Plan Olivia's replies: a few replies of any kind, then only replies that send Xavier to two fields (``confine``).

A race is a position of the game, made easier: only Xavier can win (``kernel/race/relaxation``). A *pair* of fields
holds Xavier if Olivia can keep him from winning by sending him only to these two fields. Then few races are met, so the
table of replies is short. The other way to find replies is proof-number search. After a full opening
(``specs/beyond/README.md``), its replies lead to five times as many races, and it takes longer.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from verifier.kernel.games.nested import ANY
from verifier.kernel.race.bound import Race, Reply
from verifier.kernel.race.relaxation import Fields, coarsen, field_table, is_held_at_once, least, least_from, needs_of
from verifier.search.bounded.moves import free_spots_of, play_mark
from verifier.search.walk import NodeLimitError


class PlannedReply(NamedTuple):
    """A reply of Olivia's, and the races after Xavier's answers to it. She has a plan for each of these races."""

    reply: Reply
    later: list[Race]


class Plans:
    """The plans that were found. In each race here Olivia is to move.

    Args:
        confine: says whether the search finds that a pair holds Xavier in a race (``Search.confine``).
    """

    def __init__(self, confine: Callable[[Fields, int, int, tuple[int, int]], bool]) -> None:
        self._confine = confine
        self.found: dict[Race, tuple[int, int] | PlannedReply] = {}
        self._failed: dict[Race, int] = {}  # the largest number of replies with which no plan was found

    def find(self, race: Race, most: int) -> bool:
        """Return True if a plan is found in which a pair holds Xavier after at most ``most`` replies."""
        if race in self.found:
            return True
        if race not in self._failed:
            self._failed[race] = 0
            pair = self._find_pair(race)
            if pair:
                self.found[race] = pair
                return True
        if self._failed[race] < most:
            self._failed[race] = most
            options = sorted(self._list_replies(race), key=lambda option: len(option.later))
            for fewer in range(most):
                for option in options:
                    if all(self.find(other, fewer) for other in option.later):
                        self.found[race] = option
                        return True
        return False

    def _find_pair(self, race: Race) -> tuple[int, int] | None:
        """Return a pair of fields that holds Xavier: the active field, and another field, as full as possible."""
        fields, active, _ = race
        for other in list_others(fields, active) if active != ANY else ():
            with contextlib.suppress(NodeLimitError):
                if self._confine(*race, (active, other)):
                    return active, other
        return None

    def _list_replies(self, race: Race) -> Iterator[PlannedReply]:
        """Yield Olivia's replies after which Xavier cannot win at once."""
        for reply in free_spots_of(*race[:2]):
            later = list(answers(race, reply))
            if all(least(needs_of(fields)) for fields, *_ in later):
                yield PlannedReply(reply, later)


def list_others(fields: Fields, active: int) -> list[int]:
    """Return the fields with free spots, but not the active field; fuller fields come first."""
    free = field_table().free
    return sorted((f for f in range(9) if f != active and free[fields[f]]), key=lambda f: free[fields[f]].bit_count())


def answers(race: Race, reply: Reply) -> Iterator[Race]:
    """Yield the races that can follow Olivia's reply and Xavier's answer to it.

    Leave out a race if it is clear without looking ahead that she can keep him from winning (``is_held_at_once``).
    """
    fields, active = play_mark(race[0], *reply, is_xavier=False)
    marks = race[2] - 1
    if least_from(needs_of(fields), active) <= marks + 1:
        for f, s in free_spots_of(fields, active):
            after, to = play_mark(fields, f, s, is_xavier=True)
            if not is_held_at_once(after, needs_of(after), to, marks):
                yield coarsen(after, marks), to, marks
