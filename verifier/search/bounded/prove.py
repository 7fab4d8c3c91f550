"""Find Olivia's replies that keep Xavier from winning the race within some marks of his."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from verifier.kernel.games.nested import ANY
from verifier.kernel.race.relaxation import Fields, coarsen, format_race, least, least_from, moves_of, needs_of, play
from verifier.search.bounded import proof_numbers
from verifier.search.bounded.confine import CONFINED_LIMIT, CONFINED_NODES, FRONTIER, KEPT, find_in_pair, is_loose
from verifier.search.bounded.plain import IS_CUT, LIMIT, NODES, WIDTH, Tables, is_lost, wins
from verifier.search.bounded.proof_numbers import OF_OLIVIA, REPLY, SETTLED, STEPS, SURE, find_reply
from verifier.search.bounded.swar import add_needs, key
from verifier.search.bounded.tables import MOST_MARKS, rows
from verifier.search.jit import Array, integers, power_of_two
from verifier.search.resources import DEFAULT_MEMORY_MIB
from verifier.search.walk import NodeLimitError

PLAIN_LIMIT = 4_000_000_000
"""Nodes of the plain search."""

CONFINED_NODES_EACH = 300_000
PLAIN_NODES_EACH = 2_000_000
"""Nodes that may be met while one pair of fields is tried, of either kind."""

CONFINED_FROM = 14
"""Fewer marks than these leave Xavier so few plays that proof numbers are quicker than confinement."""

CONFINED_TO = 4
"""With fewer marks than the frontier has a reply in the pair is named as well, down to so many: it leads to fewer races
than other replies do."""

NOTES = 1 << 19
"""Positions of a confinement that are remembered."""


@dataclass
class Proof:
    """Why Olivia holds.

    Attributes:
        replies: her reply in each race that is met, "f.s".
        nodes: how many nodes were met, by kind.
    """

    replies: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, int] = field(default_factory=dict)


class Search:
    """The tables and counters of one search."""

    def __init__(self, memory: int = DEFAULT_MEMORY_MIB, frontier: int = 0) -> None:
        """Reserve the tables, which stay empty until they are used.

        Args:
            memory: MiB for them.
            frontier: the most marks left to Xavier with which every reply is searched.
        """
        memory_of_races = integers(2 * power_of_two(memory << 19, 16))
        moves = integers(2 * (MOST_MARKS + 1) * WIDTH)
        self.tables = Tables(rows(), memory_of_races, moves, integers(16))
        self.counts = self.tables.counts
        self.numbers = integers(3 * power_of_two(memory << 19, 24))
        self.notes = integers(0)
        self.lists = integers(2 * (MOST_MARKS + 1) * WIDTH, 5)
        self.counts[FRONTIER] = frontier

    def _lay(self, fields: Sequence[int], marks: int) -> tuple[Array, int]:
        if not 0 <= marks <= MOST_MARKS:
            raise ValueError(f"the search looks ahead from 0 to {MOST_MARKS} marks, not {marks}")
        laid = np.array(fields, dtype=np.int64)
        return laid, add_needs(self.tables.rows, laid)

    def _allow(self, nodes: int) -> None:
        self.counts[IS_CUT] = 0
        self.counts[LIMIT] = self.counts[NODES] + nodes

    def settle(self, fields: Fields, active: int, marks: int, *, is_xavier: bool, limit: int) -> bool:
        """Tell whether Olivia holds, by the plain search.

        Raises:
            NodeLimitError: more nodes than the limit were met.
        """
        if least(needs_of(fields)) == 0:
            return False
        laid, lanes = self._lay(fields, marks)
        self._allow(limit)
        search = wins if is_xavier else is_lost
        is_won = search(self.tables, laid, active, lanes, marks)
        if self.counts[IS_CUT]:
            raise NodeLimitError(f"more than {limit} nodes")
        return not is_won

    def confine(
        self, fields: Fields, active: int, marks: int, pair: tuple[int, int], *, limits: tuple[int, int]
    ) -> bool:
        """Tell whether replies that send Xavier to the pair hold, Olivia to move.

        Args:
            fields: the nine fields.
            active: the active field.
            marks: the marks left to him.
            pair: the two fields.
            limits: the most nodes in which the pair decides, and the most of the plain search.

        Raises:
            NodeLimitError: one of the limits was met.
        """
        if least(needs_of(fields)) == 0:
            return False
        self.counts[KEPT], self.counts[KEPT + 1] = pair
        if len(self.notes):
            self.notes.fill(0)
        else:
            self.notes = integers(2 * NOTES)
        return not self._confine(is_loose, fields, active, marks, limits)

    def reply_in_pair(self, fields: Fields, active: int, marks: int, *, limits: tuple[int, int]) -> int:
        """Return a reply that goes on as ``confine``, asked last, found that she can: the number 9f + s.

        It is -1 where the pair does not hold and no more marks are left than the frontier has: another reply does.

        Raises:
            NodeLimitError: one of the limits was met, or there is none on a spot of the pair.
        """
        reply = int(self._confine(find_in_pair, fields, active, marks, limits))
        if reply < 0 and marks > self.counts[FRONTIER]:
            raise NodeLimitError("no spot of the pair is left, with many marks to go")
        return reply

    def _confine(
        self, search: Callable[..., int], fields: Fields, active: int, marks: int, limits: tuple[int, int]
    ) -> int:
        laid, lanes = self._lay(fields, marks)
        self._allow(limits[1])
        self.counts[CONFINED_LIMIT] = self.counts[CONFINED_NODES] + limits[0]
        found = search(self.tables, self.notes, laid, active, lanes, marks)
        if self.counts[IS_CUT]:
            raise NodeLimitError(f"more than {limits[0]} nodes or {limits[1]} plain ones")
        return found

    def prove(self, fields: Fields, active: int, marks: int, *, limit: int) -> int:
        """Return a reply of Olivia's that holds, as the number 9f + s; -1 if Xavier wins.

        Raises:
            NodeLimitError: the plain search met more nodes than the limit.
        """
        laid, lanes = self._lay(fields, marks)
        self._allow(limit)
        first, second = key(self.tables.rows, laid, active, lanes, marks)
        place = active, lanes, marks, 1, first | OF_OLIVIA, second
        yes, _ = proof_numbers.prove(self.tables, self.numbers, self.lists, laid, *place, SURE, SURE)
        if self.counts[IS_CUT]:
            raise NodeLimitError(f"more than {limit} nodes")
        return int(self.counts[REPLY]) if yes == 0 else -1

    def reply(self, fields: Fields, active: int, marks: int, *, limit: int) -> int:
        """Return the same where it is known that she holds, from the table if it still has it."""
        laid, lanes = self._lay(fields, marks)
        found = int(find_reply(self.tables.rows, self.numbers, laid, active, lanes, marks))
        return found if found >= 0 else self.prove(fields, active, marks, limit=limit)

    def nodes(self) -> dict[str, int]:
        """Return the counters."""
        names = {"plain": NODES, "confined": CONFINED_NODES, "expanded": STEPS, "settled": SETTLED}
        return {name: int(self.counts[entry]) for name, entry in names.items()}


def prove(
    fields: Fields,
    active: int,
    marks: int,
    *,
    home: int | None = None,
    frontier: int,
    memory: int = DEFAULT_MEMORY_MIB,
    limit: int = PLAIN_LIMIT,
) -> Proof | None:
    """Return Olivia's replies that keep Xavier from winning within the marks, None if he can win; she is to move.

    Args:
        fields: the nine fields.
        active: the active field.
        marks: the marks left to Xavier.
        home: the field beside the active one that is tried as the second to which she sends him; None: every field.
        frontier: the most marks left to him with which the proof names no reply.
        memory: MiB for the tables.
        limit: the most nodes of the plain search.

    Raises:
        NodeLimitError: the limit was met: the question stays open.
    """
    search = Search(memory, frontier)
    fields = coarsen(fields, marks)
    fewest = least(needs_of(fields))
    if fewest == 0:
        return None
    if fewest > marks:
        return Proof({}, search.nodes())
    if marks <= frontier:
        holds = search.settle(fields, active, marks, is_xavier=False, limit=limit)
        return Proof({}, search.nodes()) if holds else None
    if active != ANY and marks >= CONFINED_FROM:
        for other in range(9) if home is None else [home]:
            if other != active:
                replies = _confine(search, fields, active, marks, (active, other))
                if replies:
                    return Proof(replies, search.nodes())
    if search.prove(fields, active, marks, limit=limit) < 0:
        return None
    choose = functools.partial(search.reply, limit=limit)
    return Proof(_collect(choose, fields, active, marks, frontier), search.nodes())


def _confine(search: Search, fields: Fields, active: int, marks: int, pair: tuple[int, int]) -> dict[str, str]:
    """Return replies that send Xavier to two fields; none where such replies are not found to hold."""
    limits = CONFINED_NODES_EACH, PLAIN_NODES_EACH
    try:
        if search.confine(fields, active, marks, pair, limits=limits):
            choose = functools.partial(search.reply_in_pair, limits=limits)
            return _collect(choose, fields, active, marks, min(CONFINED_TO, int(search.counts[FRONTIER])))
    except NodeLimitError:
        pass
    return {}


def _collect(
    choose: Callable[[Fields, int, int], int], fields: Fields, active: int, marks: int, frontier: int
) -> dict[str, str]:
    """Walk through every play of a proof and write down her replies.

    Args:
        choose: returns her reply in a race, the number 9f + s; -1 where none is to be written down.
        fields: the race.
        active: the active field.
        marks: the marks left to Xavier.
        frontier: the most marks left to him with which no reply is written down.
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
        fields, active = play(fields, f, s, is_xavier=False)
        needs = needs_of(fields)
        if least_from(needs, active) > marks:
            continue
        marks -= 1
        if marks <= frontier:
            continue
        for g, t in moves_of(fields, active):
            after, to = play(fields, g, t, is_xavier=True)
            if least(needs_of(after)) <= marks:
                race = coarsen(after, marks), to, marks
                if race not in seen:
                    seen.add(race)
                    open_races.append(race)
    return replies
