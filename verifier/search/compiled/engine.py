"""Enumerate the plays of a statement level by level, and write down a sample for the kernel to check again."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games import parse_rules
from verifier.kernel.games.nested import PAPER, Position
from verifier.kernel.sample import draw, find_broken, parse_enumeration
from verifier.search.compiled.canonical import SCRATCH, canonicalise
from verifier.search.compiled.level import CHUNK, MOST_MOVES, Level, expand, find_moves
from verifier.search.compiled.machine import run
from verifier.search.compiled.position import SIZE, WORDS, pack, to_array, to_position, unpack
from verifier.search.compiled.program import STACK, Program
from verifier.search.compiled.rules import RULE_SETS, find_legal, play
from verifier.search.jit import Array, integers
from verifier.search.walk import NodeLimitError

MAX_POSITIONS = 16_000_000
"""Positions kept at once, about 100 bytes each."""

MAX_EDGES = 1_000_000_000

NO_NAMES = "012345678"
"""The permutation that changes nothing."""


@dataclass
class Enumerated:
    """What an enumeration met.

    Attributes:
        levels: the evidence for each ply, as ``kernel/sample.py`` describes it.
        start: the permutation that takes the start to the position that stands for it.
        objective: the name of an objective that fails; None where none does.
        line: a play from the start after which it fails.
    """

    levels: list[dict[str, Any]] = field(default_factory=list)
    start: str = NO_NAMES
    objective: str | None = None
    line: list[Any] = field(default_factory=list)


class Engine:
    """The plays of one statement of kind ``enumeration``."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Compile a statement.

        Raises:
            SpecError: it is not well formed, or of a game, of rules or of words that this engine does not know.
        """
        if parse_rules(data.get("rules")) not in RULE_SETS:
            raise SpecError("a compiled enumeration knows the paper's rules, with and without play after a win")
        self.plan = parse_enumeration(data)
        self.statement = self.plan.statement
        self.with_owners = not self.plan.is_relabelled
        program = Program()
        strategies = data["strategies"]
        entries = [program.add_strategy(strategies[p]) if p in strategies else -1 for p in ("X", "O")]
        entries.append(program.add_formula(["and", *map(_kept, data["objectives"])]))
        self.code = program.code()
        self.entries: Array = np.array(entries, dtype=np.int64)
        self.ends = int(self.statement.game == PAPER)

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

    def _text(self, row: Array) -> str:
        p = integers(SIZE)
        unpack(row, p)
        return self.statement.game.format_position(to_position(p, with_owners=self.with_owners))

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
        self.failure = (-1, -1)
        for ply in range(self.statement.game.ply(self.statement.start), self.plan.horizon):
            following = Level()
            self._expand(level, following, is_kept=ply + 1 < self.plan.horizon, room=MAX_POSITIONS - positions)
            positions, edges = positions + following.count, edges + level.edges
            if edges > MAX_EDGES:
                raise NodeLimitError(f"more than {MAX_EDGES} edges to ply {ply + 1}")
            yield level, following
            if self.failure[0] >= 0 or not level.edges:
                return
            following.release()
            level = following

    def _expand(self, level: Level, following: Level, *, is_kept: bool, room: int) -> None:
        options: Array = np.array([self.ends, self.plan.is_relabelled, is_kept], dtype=np.int64)
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

    def enumerate(self) -> Enumerated:
        """Visit every play; stop at the first ply at which something fails.

        Raises:
            NodeLimitError: there are more positions or edges than the limits.
        """
        found = Enumerated()
        statement = self.statement
        found.objective = find_broken(statement, statement.start)
        if found.objective is not None:
            return found
        found.start = self.represent(self.to_array(statement.start))[1]
        levels = []
        for ply, (level, following) in enumerate(self.enumerate_levels(), statement.game.ply(statement.start)):
            levels.append(level)
            if self.failure[0] >= 0:
                found.line = self._line(levels)
                found.objective = find_broken(statement, self._end(found.line)) or statement.objectives[0].name
                return found
            sample = [
                self._describe(level, index, following)
                for index in draw(self.plan.seed, ply, level.count, self.plan.size)
            ]
            found.levels.append({"positions": level.count, "edges": level.edges, "sample": sample})
        return found

    def _describe(self, level: Level, index: int, following: Level) -> list[Any]:
        """Return a position of a level as the sample has it, with what follows it."""
        p = integers(SIZE)
        unpack(level.rows[index], p)
        steps = []
        for move in self.find_moves(p) or []:
            row, permutation = self.represent(self.play(p, move))
            place = following.find(row) if following.count else None
            steps.append([self.statement.game.format_move(move), permutation, place, self._text(row)])
        return [index, self._text(level.rows[index]), steps]

    def _end(self, line: list[Any]) -> Any:
        position = self.statement.start
        for move in line:
            position = self.statement.game.play(position, move)
        return position

    def _line(self, levels: list[Level]) -> list[Any]:
        """Return a play from the start to where something fails, by the kernel's moves.

        Raises:
            CertificateError: these moves lead to no such position.
        """
        place, move = self.failure
        chain = []
        for level in reversed(levels):
            chain.append(level.rows[place])
            place = int(level.parents[place])
        game, position = self.statement.game, self.statement.start
        line = []
        for row in chain[-2::-1]:
            step = self._first(position, functools.partial(self._is_row, row))
            line.append(step)
            position = game.play(position, step)
        if move >= 0:
            line.append(self._first(position, lambda after: find_broken(self.statement, after) is not None))
        return line

    def _first(self, position: Any, is_wanted: Callable[[Any], bool]) -> Any:
        """Return the first move that may be played in a position and leads to a position that is wanted."""
        game = self.statement.game
        legal = game.legal_moves(position)
        strategy = self.statement.strategies.get(game.turn(position))
        for move in legal if strategy is None else [choice for _, choice in strategy(position)]:
            if move in legal and is_wanted(game.play(position, move)):
                return move
        text = game.format_position(position)
        raise CertificateError("engines-disagree", f"the compiled search goes on from {text}, the kernel does not")

    def _is_row(self, row: Array, position: Any) -> bool:
        return bool((self.represent(self.to_array(position))[0] == row).all())


def _kept(objective: Mapping[str, Any]) -> Any:
    """Return what every position has to satisfy for an objective."""
    if objective["type"] == "keep":
        return objective["holds"]
    return ["or", ["not", objective["goal"]], [">", ["ply"], objective["through"]]]
