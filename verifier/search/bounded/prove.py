"""Find Olivia's replies that keep Xavier from winning the race within a number of marks.

A race is a position of the game, made easier: only Xavier can win (``kernel/race/relaxation``). Olivia *holds* a race
if she can keep him from winning it. The *pair* is two fields to which she tries to send him (``confine``). The
*frontier* is a number of marks: if Xavier has at most this many left, every reply is searched.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

import numpy as np

from verifier.kernel.games.nested import ANY
from verifier.kernel.race.relaxation import Fields, coarsen, format_race, least, least_from, needs_of
from verifier.search.bounded import proof_numbers
from verifier.search.bounded.confine import (
    CONFINED_LIMIT,
    CONFINED_NODES,
    FRONTIER_ENTRY,
    PAIR_ENTRY,
    find_in_pair,
    is_loose,
)
from verifier.search.bounded.moves import free_spots_of, play_mark
from verifier.search.bounded.plain import LISTS, NODE_LIMIT, NODES_MET, WAS_CUT, make_tables
from verifier.search.bounded.proof_numbers import OF_OLIVIA, REPLY, SURE, find_reply
from verifier.search.bounded.swar import add_needs, key
from verifier.search.bounded.tables import MOST_MARKS
from verifier.search.jit import Array, integers, power_of_two
from verifier.search.resources import DEFAULT_MEMORY_MIB
from verifier.search.walk import NodeLimitError

PLAIN_LIMIT = 4_000_000_000
"""Maximum number of nodes, which are races met by the plain search (``plain``), for each call of ``Search.prove``."""

CONFINED_NODES_EACH = 300_000
PLAIN_NODES_EACH = 20_000_000
"""Two limits for each call of ``Search._confine``: the number of races met in which Xavier is to move in a field of the
pair, and the number of races met by the plain search."""

CONFINED_FROM = 14
"""With at least this many marks, a pair of fields is tried first. With fewer marks, proof numbers are faster."""

CONFINED_TO = 4
"""Used if Olivia holds by sending Xavier to a pair of fields, and the frontier is higher than this. Then her replies on
spots with the numbers of the pair are returned while more marks than this are left. They lead to fewer races than other
replies."""

LATER = 2
"""Maximum number of marks by which the frontier is raised. If the search with a pair of fields fails at the given
frontier, it is tried again with higher ones."""

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
        self.counts[FRONTIER_ENTRY] = frontier

    def _lay(self, fields: Sequence[int], marks: int, nodes: int) -> tuple[Array, int]:
        """Prepare a search of at most ``nodes`` nodes.

        Return the fields as an array, and the marks that Xavier needs for each line of fields, in one word (``swar``).
        """
        if not 0 <= marks <= MOST_MARKS:
            raise ValueError(f"the search looks ahead from 0 to {MOST_MARKS} marks, not {marks}")
        self.counts[WAS_CUT] = 0
        self.counts[NODE_LIMIT] = self.counts[NODES_MET] + nodes
        laid = np.array(fields, dtype=np.int64)
        return laid, add_needs(self.tables.rows, laid)

    def _require_whole(self, nodes: int) -> None:
        if self.counts[WAS_CUT]:
            raise NodeLimitError(f"more than {nodes:,} nodes; more --memory may help")

    def confine(self, fields: Fields, active: int, marks: int, pair: tuple[int, int]) -> bool:
        """Return True if the search finds that Olivia, to move, holds the race by sending Xavier to a pair of fields.

        Raises:
            NodeLimitError: too many nodes were met.
        """
        self.counts[PAIR_ENTRY], self.counts[PAIR_ENTRY + 1] = pair
        self.notes = integers(2 * NOTES)
        return not self._confine(is_loose, fields, active, marks)

    def reply_in_pair(self, fields: Fields, active: int, marks: int) -> int:
        """Return a reply with which Olivia holds, on a spot that has the number of a field of the pair.

        The reply is returned as the number 9f + s. Call ``confine`` first. If no such reply is found, and no
        more marks than the frontier are left, return -1. Then she holds by a reply on another spot.

        Raises:
            NodeLimitError: too many nodes were met; or no such reply is found, with more marks left than the frontier.
        """
        reply = int(self._confine(find_in_pair, fields, active, marks))
        if reply < 0 and marks > self.counts[FRONTIER_ENTRY]:
            text = "no reply on a spot with the number of a field of the pair was found, with many marks to go"
            raise NodeLimitError(text)
        return reply

    def _confine(self, search: Callable[..., int], fields: Fields, active: int, marks: int) -> int:
        laid, lanes = self._lay(fields, marks, PLAIN_NODES_EACH)
        self.counts[CONFINED_LIMIT] = self.counts[CONFINED_NODES] + CONFINED_NODES_EACH
        found = search(self.tables, self.notes, laid, active, lanes, marks)
        self._require_whole(PLAIN_NODES_EACH)
        return found

    def prove(self, fields: Fields, active: int, marks: int) -> int:
        """Return a reply with which Olivia holds, as the number 9f + s; -1 if Xavier wins.

        Raises:
            NodeLimitError: the plain search met too many nodes.
        """
        laid, lanes = self._lay(fields, marks, PLAIN_LIMIT)
        first, second = key(self.tables.rows, laid, active, lanes, marks)
        place = active, lanes, marks, 1, first | OF_OLIVIA, second
        yes, _ = proof_numbers.search_proof_numbers(self.tables, self.numbers, self.lists, laid, *place, SURE, SURE)
        self._require_whole(PLAIN_LIMIT)
        return int(self.counts[REPLY]) if yes == 0 else -1

    def reply(self, fields: Fields, active: int, marks: int) -> int:
        """Return Olivia's reply in a race that she is known to hold. Take it from the table if it is still there."""
        laid, lanes = self._lay(fields, marks, PLAIN_LIMIT)
        found = int(find_reply(self.tables.rows, self.numbers, laid, active, lanes, marks))
        return found if found >= 0 else self.prove(fields, active, marks)


def prove(
    fields: Fields, active: int, marks: int, *, home: int, frontier: int, memory: int = DEFAULT_MEMORY_MIB
) -> dict[str, str] | None:
    """Find Olivia's replies that keep Xavier from winning within the marks left; she is to move.

    Args:
        fields: the nine fields.
        active: the active field.
        marks: the marks left to Xavier.
        home: the second field of the pair to try; the first field is the active one.
        frontier: with at most this many marks left, no reply is returned, except for a pair (``CONFINED_TO``).
        memory: MiB for the tables.

    Returns:
        Her reply in each race, as ``f.s``; None if Xavier can win.

    Raises:
        NodeLimitError: too many nodes were met. It is not known whether Xavier can win.
    """
    search = Search(memory, frontier)
    fields = coarsen(fields, marks)
    fewest = least(needs_of(fields))
    if fewest == 0:
        return None
    if fewest > marks:
        return {}
    if marks <= frontier:
        return None if search.prove(fields, active, marks) < 0 else {}
    if active != ANY and marks >= CONFINED_FROM:
        for last in range(frontier, frontier + LATER + 1):
            search.counts[FRONTIER_ENTRY] = last
            with contextlib.suppress(NodeLimitError):  # this frontier was not enough
                if search.confine(fields, active, marks, (active, home)):
                    return _collect(search.reply_in_pair, fields, active, marks, min(CONFINED_TO, frontier))
        search.counts[FRONTIER_ENTRY] = frontier
    if search.prove(fields, active, marks) < 0:
        return None
    return _collect(search.reply, fields, active, marks, frontier)


def _collect(
    choose: Callable[[Fields, int, int], int], fields: Fields, active: int, marks: int, frontier: int
) -> dict[str, str]:
    """Return Olivia's replies in every play of a proof, while more marks than the frontier are left.

    ``choose`` returns her reply in a race, as the number 9f + s; or -1 if play after this race is not to be followed.
    """
    replies: dict[str, str] = {}
    seen = {(fields, active, marks)}
    open_races = [(fields, active, marks)]
    while open_races:
        fields, active, marks = open_races.pop()
        reply = choose(fields, active, marks)
        if reply < 0:
            continue
        f, s = divmod(reply, 9)
        replies[format_race(fields, active, marks)] = f"{f}.{s}"
        fields, active = play_mark(fields, f, s, is_xavier=False)
        marks -= 1
        if least_from(needs_of(fields), active) > marks + 1 or marks <= frontier:
            continue
        for g, t in free_spots_of(fields, active):
            after, to = play_mark(fields, g, t, is_xavier=True)
            if least(needs_of(after)) <= marks:
                race = coarsen(after, marks), to, marks
                if race not in seen:
                    seen.add(race)
                    open_races.append(race)
    return replies
