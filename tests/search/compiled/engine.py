"""Visit the plays of a statement ply by ply: each position once, or one for all relabellings of each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tests.search.compiled.canonical import SCRATCH, canonicalise
from tests.search.compiled.invariance import require_invariance
from tests.search.compiled.level import CHUNK, MOST_MOVES, Level, expand, find_moves
from tests.search.compiled.machine import run
from tests.search.compiled.position import SIZE, WORDS, pack, to_array
from tests.search.compiled.program import STACK, Program
from tests.search.compiled.rules import RULE_SETS, find_legal, play
from tests.unfold import unfold
from verifier.kernel.errors import SpecError
from verifier.kernel.games.nested import PAPER, Position
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.statement import parse_statement
from verifier.search.jit import Array, integers
from verifier.search.walk import NodeLimitError

MAX_POSITIONS = 16_000_000
"""Positions kept at once, about 100 bytes each."""

MAX_EDGES = 1_000_000_000

NO_NAMES = "012345678"
"""The permutation that changes nothing."""


class Engine:
    """The plays of one statement of kind ``play`` with a horizon, whose objectives speak of every position."""

    def __init__(self, data: Mapping[str, Any], *, is_relabelled: bool = False) -> None:
        """Compile a statement.

        Raises:
            SpecError: it is not well formed, of a game, of rules or of words that this engine does not know, or can
                tell a position from its relabelling.
        """
        self.game = parse_rules(data.get("rules"))
        if self.game not in RULE_SETS:
            raise SpecError("the compiled search knows the paper's rules, and those under which play goes on")
        self.statement = parse_statement(data)
        plain = unfold(data)
        if is_relabelled:
            require_invariance(plain)
        self.horizon = int(plain["horizon"])
        self.is_relabelled = is_relabelled
        self.with_owners = not is_relabelled
        program = Program()
        strategies = plain["strategies"]
        entries = [program.add_strategy(strategies[p]) if p in strategies else -1 for p in ("X", "O")]
        entries.append(program.add_formula(["and", *map(_kept, plain["objectives"])]))
        self.code = program.code()
        self.entries: Array = np.array(entries, dtype=np.int64)
        self.ends = int(self.game == PAPER)

    # -- one position ----------------------------------------------------------------------------------------------

    def find_moves(self, p: Array) -> list[tuple[int, int]] | None:
        """Return the moves that may be played, ascending; None where a strategy fails."""
        chosen = integers(9)
        outcome = find_moves(p, self.code, self.entries, self.ends, integers(STACK), integers(9), chosen)
        if outcome < 0:
            return None
        return [(f, s) for f in range(9) for s in range(9) if chosen[f] >> s & 1] if outcome else []

    def play(self, p: Array, move: tuple[int, int]) -> Array:
        """Return the position after a move."""
        q = integers(SIZE)
        play(p, *move, int(self.with_owners), q)
        return q

    def keeps(self, p: Array) -> bool:
        """Say whether a position keeps the objectives."""
        is_over = find_legal(p, self.ends, integers(9)) == 0
        return run(self.code, int(self.entries[2]), p, int(is_over), integers(STACK), integers(9)) != 0

    def represent(self, p: Array) -> tuple[Array, str]:
        """Return the row that stands for a position, and the permutation that takes the position to it."""
        best, places = integers(WORDS), integers(9)
        if self.with_owners:
            pack(p, best)
            return best, NO_NAMES
        colours, order = integers(SCRATCH, 9), integers(SCRATCH, 12)
        canonicalise(p, colours, order, integers(SIZE), integers(WORDS), best, places)
        return best, "".join(str(place) for place in places)

    def to_array(self, position: Position) -> Array:
        """Return the array of a position of the kernel."""
        return to_array(position, with_owners=self.with_owners)

    # -- every play ------------------------------------------------------------------------------------------------

    def enumerate_levels(self) -> Iterator[tuple[Level, Level]]:
        """Yield each level with the one after it; the last one, at the horizon, is tested and not kept.

        The levels end early where no play goes on, and where something fails: ``failure`` says where.

        Raises:
            NodeLimitError: there are more positions or edges than the limits.
        """
        level = Level()
        level.reserve(1)
        level.rows[0], _ = self.represent(self.to_array(self.statement.start))
        level.count = 1
        edges = positions = 0
        self.failure = (-1, -1) if self.keeps(self.to_array(self.statement.start)) else (0, -1)
        if self.failure[0] >= 0:
            return
        for ply in range(self.statement.game.ply(self.statement.start), self.horizon):
            following = Level()
            self._expand(level, following, is_kept=ply + 1 < self.horizon, room=MAX_POSITIONS - positions)
            positions, edges = positions + following.count, edges + level.edges
            if edges > MAX_EDGES:
                raise NodeLimitError(f"more than {MAX_EDGES} edges to ply {ply + 1}")
            yield level, following
            if self.failure[0] >= 0 or not level.edges:
                return
            following.release()
            level = following

    def _expand(self, level: Level, following: Level, *, is_kept: bool, room: int) -> None:
        options: Array = np.array([self.ends, self.is_relabelled, is_kept], dtype=np.int64)
        for begin in range(0, level.count, CHUNK):
            end = min(begin + CHUNK, level.count)
            if is_kept:
                following.reserve((end - begin) * MOST_MOVES)
            following.count, edges, place, move = expand(
                *(level.rows, begin, end, self.code, self.entries, options),
                *(following.rows, following.parents, following.table, following.count),
            )
            level.edges += edges
            if place >= 0:
                self.failure = (place, move)
                return
            if following.count > room:
                raise NodeLimitError(f"more than {MAX_POSITIONS} positions, {following.count} at the last ply met")


def _kept(objective: Mapping[str, Any]) -> Any:
    """Return what every position has to satisfy for an objective."""
    if objective["type"] == "keep":
        return objective["holds"]
    return ["or", ["not", objective["goal"]], [">", ["ply"], objective["through"]]]
