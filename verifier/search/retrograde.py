"""Find a claimant's moves by retrograde analysis. All positions must fit into memory.

Positions that differ only in the number of moves made so far count as one. The *attacker* wants the goal: he is the
claimant of ``reach``, or the opponent of the claimant of ``prevent``. The other player is the *defender*. First the
search lists the positions ply by ply, beginning with the positions where plays start. For each position, it also lists
the positions after the moves (``PositionGraph``). Then it goes backwards from the goal, and finds the positions from
which the attacker can force the goal, the nearest first. If the attacker is to move, a position is won as soon as one
position after it is won; if the defender is to move, as soon as all positions after it are won. So the search also
finds how many plies the attacker needs if each player plays as well as possible.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.kernel.errors import CertificateError
from verifier.kernel.games import OTHER
from verifier.kernel.plays import oppose
from verifier.kernel.relabel import Symmetries
from verifier.kernel.rounds import find_starts
from verifier.kernel.statement import Statement
from verifier.kernel.words import counted
from verifier.pool import Pool
from verifier.presentation.family import IMAGES_ONCE
from verifier.search.expander import IS_OVER, ON_GOAL, X_MOVES, Expander, StrategyExpander, find_playable
from verifier.search.folded import fold_by
from verifier.search.parted import PartedExpander
from verifier.search.registry import find_symmetries, open_expander
from verifier.search.resources import DEFAULT_MEMORY_MIB
from verifier.search.walk import ADVICE, NodeLimitError

MAX_LISTED, MAX_FOLLOWING = 1_000_000, 20_000_000
"""Maximum number of positions, and of moves from them, with the default memory. Both limits grow in proportion to the
memory. At these limits, positions and moves take less than 1 GiB together. If positions have many cells, the maximum
number of positions is lower (``ALL_BYTES``)."""

FEW_LISTED = 300_000
"""If there are more positions than this, the search looks for symmetries, and lists positions up to symmetry. If there
are fewer, it lists them all, because people can read a table of all positions without knowing the symmetries."""

FEW_FIRST = 10_000
"""The search also looks for symmetries if there are more positions than this at the first ply where the claimant is to
move. A table has an entry for each of these positions, whatever he plays."""

POSITION_BYTES, ALL_BYTES = 200, 500_000_000
"""The bytes that a position takes besides its cells; and the limit for the bytes of all positions (default memory)."""

UNFORCED = -1
"""The distance of a position from which the attacker cannot force the goal."""

Distances = npt.NDArray[np.int32]


class PositionGraph:
    """All positions that play can reach from some starts, each once, with the positions after its moves.

    No moves are listed for a position if the goal holds in it, if the game is over, or if it is first met at the last
    ply.

    Attributes:
        numbers: for each position, its number, in the order in which positions were found.
        kinds: for each number, bits that say whether the goal holds in the position, whether the game is over, and
            whether X is to move (``expander``).
        levels: for each ply after the starts (0, 1, …), how many positions are first met at this ply.
        is_whole: False if there are too many positions or moves, so that the last level is not complete.
    """

    def __init__(
        self, expander: Expander, starts: Iterable[Any], plies: float, memory_mib: int, most: float = math.inf
    ) -> None:
        """List the positions.

        Args:
            expander: the rules and the goal.
            starts: the first positions, packed.
            plies: positions are listed up to this many plies after the starts; can be infinite.
            memory_mib: the memory in MiB. The limits grow in proportion to it.
            most: another limit for the number of positions.
        """
        fits = min(MAX_LISTED, ALL_BYTES // (POSITION_BYTES + expander.bits // 7)) * memory_mib // DEFAULT_MEMORY_MIB
        self.most, self.most_following = min(most, fits), MAX_FOLLOWING * memory_mib // DEFAULT_MEMORY_MIB
        first = dict.fromkeys(expander.fold([*starts]))
        self.numbers: dict[Any, int] = {start: number for number, start in enumerate(first)}
        self.kinds = bytearray()
        self.levels: list[int] = []
        self.is_whole = True
        self._following, self._ends = array("i"), array("q", [0])
        level = [*self.numbers]
        while level and self.is_whole:
            self.levels.append(len(level))
            level = self._list_level(expander, level, is_last=len(self.levels) - 1 == plies)

    def _list_level(self, expander: Expander, level: list[Any], *, is_last: bool) -> list[Any]:
        """Record the kinds of the positions of a ply (see ``kinds``), and the positions after their moves.

        Return the positions after the moves, without positions that were found before.
        """
        numbers, following = self.numbers, self._following
        fresh: list[Any] = []
        for kind, after in expander.expand_all(level):
            self.kinds.append(kind)
            if not kind & (ON_GOAL | IS_OVER) and not is_last:
                for one in after:
                    number = numbers.get(one)
                    if number is None:
                        number = numbers[one] = len(numbers)
                        fresh.append(one)
                    following.append(number)
            self._ends.append(len(following))
            if len(numbers) > self.most or len(following) > self.most_following:
                self.is_whole = False
                break
        return fresh

    def count_first(self, player: str) -> int:
        """Count the positions in which a player is to move, at the first ply that has such positions.

        Return 0 if no ply has them.
        """
        first, is_x = 0, player == "X"
        for size in self.levels:
            kinds = self.kinds[first : first + size]
            found = sum(((kind & X_MOVES) != 0) == is_x for kind in kinds)
            if found:
                return found
            first += size
        return 0

    def count_following(self, number: int) -> int:
        """Return the number of moves that are listed for the position with this number."""
        return self._ends[number + 1] - self._ends[number] if number + 1 < len(self._ends) else 0

    def solve(self, attacker: str) -> Distances:
        """Return for each position the number of plies in which the attacker forces the goal, or ``UNFORCED``.

        A position for which no moves are listed counts as won exactly if the goal holds in it.
        """
        count = len(self.numbers)
        kinds = np.zeros(count, dtype=np.uint8)
        kinds[: len(self.kinds)] = np.frombuffer(self.kinds, dtype=np.uint8)
        ends = np.full(count + 1, len(self._following), dtype=np.int64)
        ends[: len(self._ends)] = np.frombuffer(self._ends, dtype=np.int64)
        after = np.frombuffer(self._following, dtype=np.int32)
        open_moves = np.diff(ends).astype(np.int32)
        before = np.repeat(np.arange(count, dtype=np.int32), open_moves)[np.argsort(after, kind="stable")]
        begins = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(after, minlength=count), out=begins[1:])
        attacks = ((kinds & X_MOVES) != 0) == (attacker == "X")
        distance = np.full(count, UNFORCED, dtype=np.int32)
        won = np.flatnonzero(kinds & ON_GOAL)
        plies = 0
        while len(won):
            distance[won] = plies
            plies += 1
            sizes = begins[won + 1] - begins[won]
            offsets = np.repeat(begins[won] - np.cumsum(sizes) + sizes, sizes)
            sources = before[offsets + np.arange(len(offsets))]
            sources = sources[distance[sources] == UNFORCED]
            of_defender, times = np.unique(sources[~attacks[sources]], return_counts=True)
            open_moves[of_defender] -= times.astype(np.int32)
            won = np.concatenate([np.unique(sources[attacks[sources]]), of_defender[open_moves[of_defender] == 0]])
        return distance


@dataclass(frozen=True, slots=True)
class RetrogradeSearch:
    """A search of one statement with one objective, by the distances of all positions from the goal.

    Attributes:
        statement: the claim. Its claimant is the attacker or the defender.
        expander: the rules and the goal.
        starts: the positions where plays start.
        graph: the positions.
        distances: for each position, the number of plies in which the attacker forces the goal, or ``UNFORCED``.
        symmetries: if not None, a position of the graph stands for all its images under these symmetries.
        led: the positions to which the moves chosen so far lead. Each comes with the number of plies that were left
            before the move.
    """

    statement: Statement
    expander: Expander
    starts: Sequence[Any]
    graph: PositionGraph
    distances: Distances
    symmetries: Symmetries | None = None
    led: set[Any] = field(default_factory=set)

    def decide(self) -> tuple[RetrogradeSearch, bool]:
        """Return a finished search, and whether the claimant can force what the statement says.

        If he can force it from every start, the search is ``self``. Otherwise it is a search of the opponent's claim
        from one start. This start is chosen to show people at once why the claim is false. For ``prevent``, the goal
        comes soonest from this start. For ``reach``, the game is over at this start, if there is such a start.

        Raises:
            NodeLimitError: there are too many positions.
        """
        lost, reason = list[tuple[int, int]](), None
        for at, start in enumerate(self.starts):
            try:
                if not self.is_won(start):
                    number = self.graph.numbers[self._pack(start)]
                    lost.append((int(self.distances[number]) - (self.graph.kinds[number] & IS_OVER), at))
            except NodeLimitError as error:
                reason = reason or error
        if lost:
            start = self.starts[min(lost)[1]]
            opposed = oppose(self.statement, self.statement.objectives[0].name)
            return replace(self, statement=replace(opposed, start=start, given=None), starts=[start], led=set()), False
        if reason:
            raise reason
        return self, True

    def _pack(self, position: Any) -> Any:
        return self.expander.fold([self.expander.pack(position)])[0]

    @property
    def _attacks(self) -> bool:
        return self.statement.objectives[0].type == "reach"

    def _left(self, position: Any) -> float:
        """Return how many plies are left to reach the goal in time; infinity if the objective names no ply."""
        return self.statement.objectives[0].bound - self.statement.game.ply(position)

    def is_won(self, position: Any) -> bool:
        """Return True if the claimant can meet the objective from a position. Play must not have met the goal before.

        Raises:
            NodeLimitError: there are too many positions, and the listed positions do not decide the question. The
                message says how far the search came.
        """
        number = self.graph.numbers.get(self._pack(position))
        distance = UNFORCED if number is None else int(self.distances[number])
        if 0 <= distance <= self._left(position):
            return self._attacks
        if not self.graph.is_whole:
            raise NodeLimitError(self._tell(position))
        return not self._attacks

    def _tell(self, start: Any) -> str:
        """Say how far the search came from a start, what is not known, and what may help."""
        levels, statement = self.graph.levels, self.statement
        attacker = statement.claimant if self._attacks else OTHER[statement.claimant]
        first = statement.game.ply(statement.start) if statement.has_number else 0
        plies = [first + len(levels) - n for n in (2, 1)]
        whole, part = (f"by ply {n}" if statement.has_number else f"within {counted(n, 'ply', 'plies')}" for n in plies)
        cannot = f"{attacker} cannot reach the goal {whole}; " if len(levels) > 1 else ""
        where = "" if statement.given is None else f"from {statement.game.format_position(start)}, "
        new = ", ".join(f"{size:,}" for size in levels[-3:])
        once = "" if self.symmetries is None else IMAGES_ONCE
        return (
            f"the search listed {len(self.graph.numbers):,} positions{once}, and the last plies had {new} new ones: "
            f"{where}{cannot}whether {attacker} can reach the goal {part} is not known. {ADVICE} "
            "With more memory (--memory) the search lists more positions."
        )

    def choose(self, position: Any) -> list[Any]:
        """Return one move, in a list. After it the claimant can still meet the objective, if any move allows this.

        The attacker's move is on a shortest way to the goal. Among equally good moves, prefer a move that leads to the
        same position as an earlier choice, because this keeps the number of plays small. If moves are still
        equally good, the defender prefers a move after which there are the fewest replies.
        """
        left, numbers = self._left(position), self.graph.numbers
        moves = find_playable(self.statement, position)
        kind, after = self.expander.expand(self.expander.pack(position))
        if len(moves) < 2 or left < 1 or kind & ON_GOAL:
            return moves[:1]
        after = [*self.expander.fold(after)]
        ranked: list[tuple[int, ...]] = []
        for one in after:
            number = numbers.get(one)
            distance = UNFORCED if number is None else int(self.distances[number])
            is_fast = 0 <= distance < left
            is_led = (one, left) in self.led
            if self._attacks:
                ranked.append((not is_fast, distance if is_fast else 0, not is_led))
            else:
                replies = 0 if number is None else self.graph.count_following(number)
                ranked.append((is_fast, not is_led, replies))
        at = min(range(len(moves)), key=ranked.__getitem__)
        self.led.add((after[at], left))
        return [moves[at]]


def open_retrograde(
    data: Mapping[str, Any], statement: Statement, memory_mib: int = DEFAULT_MEMORY_MIB, *, may_part: bool = False
) -> RetrogradeSearch | None:
    """List the positions of a statement, and return a search of it; None if this search cannot read the statement.

    Args:
        data: the statement, as JSON.
        statement: the statement, compiled.
        memory_mib: the memory in MiB. The limits grow in proportion to it.
        may_part: whether another process may expand half of the positions.

    Raises:
        NodeLimitError: plays start from too many positions.
    """
    objective = statement.objectives[0]
    # This search does not look beyond the goal. But if the statement counts moves, a strategy that breaks down after
    # the goal (it has no move, or an illegal one) can refute the claim.
    if statement.strategies and statement.has_number:
        return None
    if statement.given is None and statement.game.is_over(statement.start):
        return None
    expander = open_expander(data, statement.game)
    if expander is None:
        return None
    if statement.strategies:
        expander = StrategyExpander(expander, statement)
    try:
        starts = find_starts(statement)
    except CertificateError as error:
        raise NodeLimitError(str(error)) from None
    plies = max(0, objective.bound - statement.game.ply(statement.start))  # may be infinite
    symmetries, packed = None, [*map(expander.pack, starts)]
    pool = Pool(1) if may_part and not statement.strategies else None  # the process starts when it gets work
    try:
        graph = PositionGraph(_part(expander, pool, data), packed, plies, memory_mib, FEW_LISTED)
        if not graph.is_whole or graph.count_first(statement.claimant) > FEW_FIRST:
            symmetries = None if statement.strategies else find_symmetries(data, statement)
            folded = None if symmetries is None else fold_by(expander, symmetries)
            expander, symmetries = (expander, None) if folded is None else (folded, symmetries)
            if folded is not None or not graph.is_whole:
                graph = PositionGraph(_part(expander, pool, data, symmetries), packed, plies, memory_mib)
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
    attacker = statement.claimant if objective.type == "reach" else OTHER[statement.claimant]
    return RetrogradeSearch(statement, expander, starts, graph, graph.solve(attacker), symmetries)


def _part(
    expander: Expander, pool: Pool | None, data: Mapping[str, Any], symmetries: Symmetries | None = None
) -> Expander:
    """Return an expander that uses the process of a pool; without a pool, return ``expander``."""
    return expander if pool is None else PartedExpander(expander, pool, data, symmetries)
