"""Find Olivia's replies that keep Xavier from winning the race within a number of marks.

A race is a position of the game, made easier: only Xavier can win (``kernel/race/relaxation``). Olivia *holds* a race
if she can keep him from winning it. The *pair* is two fields to which she tries to send him (``confine``). If many
marks are left, one pair is tried first. If few are left, plans are tried first: a few replies, and then a pair
(``plans``). With pairs, few races are met. In all other cases, and if pairs fail, proof numbers guide the search. The
*frontier* is a number of marks: if Xavier has at most this many left, every reply is searched.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

import numpy as np

from verifier.kernel.games.nested import ANY
from verifier.kernel.race.bound import Race
from verifier.kernel.race.relaxation import Fields, coarsen, format_race, is_held_at_once, least, needs_of
from verifier.search.bounded.confine import CONFINED_LIMIT, CONFINED_NODES, FRONTIER_ENTRY, PAIR_ENTRY, confine_race
from verifier.search.bounded.plain import LISTS, NODE_LIMIT, NODES_MET, WAS_CUT, make_tables
from verifier.search.bounded.plans import PlannedReply, Plans, answers, list_others
from verifier.search.bounded.proof_numbers import prove_race
from verifier.search.bounded.tables import MOST_MARKS
from verifier.search.jit import Array, integers, power_of_two
from verifier.search.resources import DEFAULT_MEMORY_MIB
from verifier.search.walk import NodeLimitError

PLAIN_LIMIT = 4_000_000_000
"""Maximum number of nodes (races that the plain search meets, see ``plain``) for each call of ``Search.prove``."""

CONFINED_NODES_EACH = 300_000
PLAIN_NODES_EACH = 20_000_000
"""Two limits for each call of ``Search._confine``: the number of races met in which Xavier is to move in a field of
the pair, and the number of races that the plain search meets."""

CONFINED_TO = 4
"""If Olivia holds a race by a pair, replies are returned as long as Xavier has more marks left than this number, even
at the frontier and below it. The reason: replies that send him to the pair lead to fewer races than other replies."""

CONFINED_FROM = 14
"""With at least this many marks, one pair of fields is tried first: the active field and the fullest other field."""

LATER = 2
"""Maximum number of marks by which the frontier is raised. If the search with one pair (``CONFINED_FROM``) fails at the
given frontier, it is tried again at higher frontiers."""

PLANNED_TO = 12
"""If at most this many marks are left, a plan is tried first (``plans``). With one mark more, plans lead to more races
than proof numbers do, in the tables of the claim ``beyond-replies``."""

MOST_REPLIES, PLANNED_NODES = 3, 100_000_000
"""Two limits for the search for a plan (``plans``): the number of replies before a pair of fields holds Xavier, and the
number of races met. To find the plans against a win by ply 41, the search met up to 4,600,000 races."""

NOTES = 1 << 19
"""Number of places in ``notes`` for decided races of a pair (``confine``)."""


class Search:
    """The tables and counters of one search.

    Args:
        memory: MiB for the tables.
        frontier: with at most this many marks left to Xavier, every reply is searched.
    """

    def __init__(self, memory: int = DEFAULT_MEMORY_MIB, frontier: int = 0) -> None:
        self.tables = make_tables(memory)
        self.counts = self.tables.counts
        self.numbers = integers(3 * power_of_two(memory << 19, 24))
        self.notes = integers(2)
        self.lists = integers(LISTS, 5)
        self._frontier = self.counts[FRONTIER_ENTRY] = frontier

    @property
    def nodes_met(self) -> int:
        """The number of races met so far, by the plain search or in fields of a pair."""
        return int(self.counts[NODES_MET] + self.counts[CONFINED_NODES])

    def _lay(self, fields: Sequence[int], marks: int, nodes: int) -> Array:
        """Prepare a search, and set its limit to ``nodes``. Return the fields as an array."""
        if not 0 <= marks <= MOST_MARKS:
            raise ValueError(f"the search looks ahead from 0 to {MOST_MARKS} marks, not {marks}")
        self.counts[WAS_CUT] = 0
        self.counts[NODE_LIMIT] = self.counts[NODES_MET] + nodes
        return np.array(fields, dtype=np.int64)

    def _require_whole(self, nodes: int) -> None:
        if self.counts[WAS_CUT]:
            raise NodeLimitError(f"more than {nodes:,} races were met; a larger --memory may help")

    def confine(self, fields: Fields, active: int, marks: int, pair: tuple[int, int], later: int = 0) -> bool:
        """Return True if the search finds that Olivia, to move, holds the race by sending Xavier to a pair of fields.

        The frontier is raised by ``later`` marks.

        Raises:
            NodeLimitError: too many nodes were met.
        """
        self.counts[PAIR_ENTRY], self.counts[PAIR_ENTRY + 1] = pair
        self.counts[FRONTIER_ENTRY] = self._frontier + later
        self.notes = integers(2 * NOTES)
        return not self._confine(fields, active, marks, wants_reply=False)

    def reply_in_pair(self, fields: Fields, active: int, marks: int) -> int:
        """Return a reply that holds the race, on a spot that sends Xavier to a field of the pair.

        The reply is returned as the number 9f + s. Call ``confine`` first. At the frontier or below, return -1 if there
        is no such reply: then a reply on another spot holds the race.

        Raises:
            NodeLimitError: too many nodes were met; or above the frontier, no such reply was found.
        """
        reply = self._confine(fields, active, marks, wants_reply=True)
        if reply < 0 and marks > self.counts[FRONTIER_ENTRY]:
            text = "no reply was found that sends Xavier to a field of the pair"
            raise NodeLimitError(text)
        return reply

    def _confine(self, fields: Fields, active: int, marks: int, *, wants_reply: bool) -> int:
        laid = self._lay(fields, marks, PLAIN_NODES_EACH)
        self.counts[CONFINED_LIMIT] = self.counts[CONFINED_NODES] + CONFINED_NODES_EACH
        found = confine_race(self.tables, self.notes, laid, active, marks, wants_reply)
        self._require_whole(PLAIN_NODES_EACH)
        return found

    def prove(self, fields: Fields, active: int, marks: int) -> int:
        """Return a reply of Olivia's that holds the race, as the number 9f + s; -1 if Xavier wins.

        Raises:
            NodeLimitError: the plain search met too many nodes.
        """
        self.counts[FRONTIER_ENTRY] = self._frontier
        laid = self._lay(fields, marks, PLAIN_LIMIT)
        found = prove_race(self.tables, self.numbers, self.lists, laid, active, marks, False)
        self._require_whole(PLAIN_LIMIT)
        return found

    def reply(self, fields: Fields, active: int, marks: int) -> int:
        """Return Olivia's reply in a race that she is known to hold. Take it from the table if it is still there."""
        laid = self._lay(fields, marks, PLAIN_LIMIT)
        found = prove_race(self.tables, self.numbers, self.lists, laid, active, marks, True)
        return found if found >= 0 else self.prove(fields, active, marks)


def prove(
    fields: Fields, active: int, marks: int, *, frontier: int, memory: int = DEFAULT_MEMORY_MIB
) -> dict[str, str] | None:
    """Find Olivia's replies that keep Xavier from winning within the marks left; she is to move.

    Args:
        fields: the nine fields.
        active: the active field.
        marks: the marks left to Xavier.
        frontier: with at most this many marks left, no reply is returned, except for a pair (``CONFINED_TO``).
        memory: MiB for the tables.

    Returns:
        Her reply in each race, as ``f.s``; None if Xavier can win.

    Raises:
        NodeLimitError: too many nodes were met. It is not known whether Xavier can win.
    """
    search = Search(memory, frontier)
    fields = coarsen(fields, marks)
    needs = needs_of(fields)
    if least(needs) == 0:
        return None
    if is_held_at_once(fields, needs, active, marks):
        return {}
    race = fields, active, marks
    if marks <= frontier:
        return None if search.prove(*race) < 0 else {}
    replies: dict[str, str] = {}
    if active != ANY and marks >= CONFINED_FROM:
        for later in range(LATER + 1):
            with contextlib.suppress(NodeLimitError):  # too many nodes: try the next frontier
                if search.confine(*race, (active, (list_others(fields, active) or [active])[0]), later):
                    _collect(search.reply_in_pair, race, min(CONFINED_TO, frontier), replies)
                    return replies
            replies.clear()
    plans = Plans(lambda *asked: search.nodes_met <= PLANNED_NODES and search.confine(*asked))
    # A plan must end before the frontier, where every reply is searched anyway.
    most_replies = min(MOST_REPLIES, marks - frontier - 1) if marks <= PLANNED_TO else -1
    if any(plans.find(race, most) for most in range(most_replies + 1)):
        waiting = [race]
        while waiting:
            race = waiting.pop()
            plan = plans.found[race]
            if isinstance(plan, PlannedReply):
                replies.setdefault(format_race(*race), f"{plan.reply[0]}.{plan.reply[1]}")
                waiting += plan.later
            else:
                search.confine(*race, plan)
                _collect(search.reply_in_pair, race, min(CONFINED_TO, frontier), replies)
        return replies
    if search.prove(*race) < 0:
        return None
    _collect(search.reply, race, frontier, replies)
    return replies


def _collect(choose: Callable[[Fields, int, int], int], race: Race, frontier: int, replies: dict[str, str]) -> None:
    """Add to ``replies`` Olivia's replies in every play from a race, while more marks than the frontier are left.

    ``choose`` returns her reply in a race, as the number 9f + s; or -1 if play after this race is not to be followed.
    If a race is in ``replies`` already, play after this race is not followed again.
    """
    seen = {race}
    waiting = [race]
    while waiting:
        race = waiting.pop()
        name = format_race(*race)
        reply = choose(*race) if name not in replies else -1
        if reply < 0:
            continue
        f, s = divmod(reply, 9)
        replies[name] = f"{f}.{s}"
        if race[2] - 1 > frontier:
            new = [other for other in answers(race, (f, s)) if other not in seen]
            seen.update(new)
            waiting += new
