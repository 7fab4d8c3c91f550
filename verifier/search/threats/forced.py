"""Decide whether a claimant can meet his objective on one board. Find his moves, or moves that stop him."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from verifier.kernel.plays import oppose
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import Statement
from verifier.search.jit import integers, power_of_two
from verifier.search.resources import DEFAULT_MEMORY_MIB
from verifier.search.threats.descent import IS_CUT, LIMIT, MAX_FRAMES, NODES, Tables, search_position
from verifier.search.threats.plan import plan_moves
from verifier.search.threats.read import SearchQuestion
from verifier.search.threats.registry import read_question
from verifier.search.walk import ADVICE, Exploration, NodeLimitError

MAX_SEARCHED = 200_000_000
"""Maximum number of positions met, with the default memory; this takes minutes. The limit grows with the memory."""

PARTED_FROM = 100_000
"""If a search has met this many positions, the next (deeper) search divides the moves among the processor's cores."""


FIRST_PLACES = 1 << 10
"""At first, the search uses only this many places of the table of positions (``masks``)."""


@dataclass(frozen=True, slots=True)
class ThreatSearch:
    """A search of one statement.

    Attributes:
        statement: the claim; its claimant is the attacker or the defender.
        question: the game, the attacker and the last ply.
        tables: the results so far.
        symmetries: the group of symmetries of the statement, from the kernel; None if there are none.
    """

    statement: Statement
    question: SearchQuestion
    tables: Tables
    symmetries: Symmetries | None

    def oppose(self) -> ThreatSearch:
        """Return a search for the opponent's claim. It shares the tables of this search."""
        return replace(self, statement=oppose(self.statement, self.statement.objectives[0].name))

    def is_won(self, position: Any) -> bool:
        """Return True if the claimant can meet the objective from a position.

        Play must not have decided the objective before the position.

        Raises:
            NodeLimitError: too many positions were met. The message says how far the search came.
        """
        return self._attacker_wins(position) == (self.statement.objectives[0].type == "reach")

    def _attacker_wins(self, position: Any) -> bool:
        """Return True if the attacker wins. Search deeper and deeper (``_limits``), to find short wins first."""
        statement, question = self.statement, self.question
        ply, is_goal = statement.game.ply(position), statement.objectives[0].test(position)
        left = question.left(ply)
        if is_goal or not left or statement.game.is_over(position):
            return is_goal
        turn = int(statement.game.turn(position) == question.attacker)
        before, begun = 0, self.tables.counts[NODES]
        for few in self._limits(left):
            is_long = self.tables.counts[NODES] >= begun + PARTED_FROM
            is_found = (self._search_parted if is_long else self._search)(position, few, turn)
            if self.tables.counts[IS_CUT]:
                raise NodeLimitError(self._tell(ply, before, few))
            if is_found:
                return True
            before = few
        return False

    def _limits(self, left: int) -> Sequence[int]:
        """Return the numbers of marks or plies within which the search tries to win, one after the other."""
        game = self.question.game
        if game.is_race:
            return range(1, left + 1)
        # If the search looks two plies ahead (``ahead``), going deeper step by step takes more time than it saves. Then
        # a single search of half the plies finds the short wins.
        return range(2 - left % 2, left + 1, 2) if not game.rules.ends.shape[0] else sorted({(left + 1) // 2, left})

    def _search(self, position: Any, left: int, turn: int) -> bool:
        question = self.question
        return bool(search_position(question.game, self.tables, *question.marks(position), left, turn, False))

    def _search_parted(self, position: Any, left: int, turn: int) -> bool:
        """Do what ``_search`` does, but search the moves of a position in as many threads as there are cores.

        The threads share only the table of positions. As soon as one move decides the result, all threads stop. The
        result does not depend on which thread is faster.
        """
        counts, moves = self.tables.counts, self._different_moves(position)
        cores = os.cpu_count() or 1
        share = max(0, (counts[LIMIT] - counts[NODES]) // cores)
        waiting, threads = iter(moves), [self._copy(share) for _ in range(cores)]

        def try_moves(thread: ThreatSearch) -> bool:
            for move in waiting:  # each move goes to the thread that asks for it first
                is_decided = thread._wins_after(position, move, left, turn) == bool(turn)
                if is_decided and not thread.tables.counts[IS_CUT]:
                    for other in threads:
                        other.tables.counts[LIMIT] = 0
                    return True
            return False

        with ThreadPoolExecutor(cores) as executor:
            is_decided = any(list(executor.map(try_moves, threads)))
        counts[NODES] += sum(thread.tables.counts[NODES] for thread in threads)
        counts[IS_CUT] = not is_decided and any(thread.tables.counts[IS_CUT] for thread in threads)
        return is_decided == bool(turn)

    def _different_moves(self, position: Any) -> list[Any]:
        """Return one move of each set of symmetric legal moves. In a race, moves on the most lines come first."""
        game, least = self.statement.game, self.symmetries.least if self.symmetries else lambda after: after
        lines = self.question.game.attack
        moves = {least(game.play(position, move)): move for move in game.legal_moves(position)}
        return sorted(moves.values(), key=lambda move: -int((lines >> move[0] & 1).sum()))

    def _copy(self, limit: int) -> ThreatSearch:
        """Return a search with its own limit of positions. It shares only the table of positions with this search."""
        old, counts = self.tables, integers(3)
        counts[LIMIT] = limit
        own = old._replace(frames=old.frames * 0, scores=old.scores.copy(), stack=old.stack.copy(), counts=counts)
        return replace(self, tables=own)

    def _wins_after(self, position: Any, move: Any, left: int, turn: int) -> bool:
        """Return True if the attacker wins after a move. ``left`` is the number of marks or plies before the move."""
        game = self.statement.game
        after, left = game.play(position, move), left - (turn or not self.question.game.is_race)
        is_goal = self.statement.objectives[0].test(after)
        return is_goal if is_goal or not left or game.is_over(after) else self._search(after, left, 1 - turn)

    def _tell(self, ply: int, before: int, few: int) -> str:
        """Say how far a search came.

        There is no win within ``before`` marks or plies. The search for a win within ``few`` of them gave up.
        """
        attacker, question = self.question.attacker, self.question
        count = f" ({before} marks)" if question.game.is_race else ""
        cannot = f"{attacker} cannot reach the goal by ply {question.ply(ply, before)}{count}; " if before else ""
        positions = f"{self.tables.counts[LIMIT]:,} positions"
        return (
            f"the search gave up after {positions}: {cannot}whether {attacker} can reach the goal by ply "
            f"{question.ply(ply, few)} is not known. {ADVICE}"
        )

    def choose(self, position: Any) -> list[Any]:
        """Return a move after which the claimant can still meet the objective, or else the first legal move.

        Raises:
            NodeLimitError: too many positions were met.
        """
        game, question = self.statement.game, self.question
        moves, left = game.legal_moves(position), question.left(game.ply(position))
        if len(moves) < 2 or not left or self.statement.objectives[0].test(position):
            return list(moves[:1])
        turn = int(self.statement.claimant == question.attacker)
        bit = search_position(question.game, self.tables, *question.marks(position), left, turn, True)
        if self.tables.counts[IS_CUT]:
            raise NodeLimitError(f"the search gave up after {self.tables.counts[LIMIT]:,} positions. {ADVICE}")
        return [((bit & (1 << 64) - 1).bit_length() - 1,)] if bit else list(moves[:1])

    def plan(self, most: int) -> Exploration | None:
        """Return a short table of the claimant's moves: the positions where he moves, with one move each.

        Return None if this search makes no plans for these rules.

        Raises:
            NodeLimitError: too many positions were met, or each table that was tried has more than ``most`` positions.
        """
        statement, question = self.statement, self.question
        game, start, rules = statement.game, statement.start, question.game.rules
        # If there is no plan, the moves of ``choose`` are used. There is none for a board of 64 spots: masks are signed
        # here, so the least image can differ from the kernel's least image.
        if not rules.ends.shape[0] or not rules.clauses.shape[1] or rules.board == -1 or game.is_over(start):
            return None
        ply = game.ply(start)
        turn, side = int(game.turn(start) == question.attacker), int(statement.claimant == question.attacker)
        plies = len(question.orders[0]) if statement.horizon is None else statement.horizon - ply
        rows = plan_moves(
            question.game,
            self.tables,
            question.orders,
            *question.marks(start),
            question.left(ply),
            turn,
            side,
            plies,
            most,
        )
        if self.tables.counts[IS_CUT]:
            raise NodeLimitError(f"the search gave up after {self.tables.counts[LIMIT]:,} positions. {ADVICE}")
        if not len(rows):
            raise NodeLimitError(f"more than {most:,} positions. {ADVICE}")
        found = Exploration(statement)
        for mine, theirs, bit in rows.tolist():
            if bit:
                position, s = question.position(mine, theirs), bit.bit_length() - 1
                found.edges[position] = (("", (s,), None),)
        return found


def open_search(
    data: Mapping[str, Any], statement: Statement, memory_mib: int = DEFAULT_MEMORY_MIB
) -> ThreatSearch | None:
    """Return a search of a statement; None if this search cannot read it.

    Args:
        data: the statement, as JSON.
        statement: the statement, compiled.
        memory_mib: the size of the transposition table in MiB. A small search touches little of it.
    """
    found = read_question(data, statement)
    if found is None:
        return None
    question, symmetries = found
    counts = integers(3)
    counts[LIMIT] = MAX_SEARCHED * memory_mib // DEFAULT_MEMORY_MIB
    memory = integers(power_of_two(memory_mib << 20, 24) + 1, 3)
    memory[-1, 0] = FIRST_PLACES
    tables = Tables(
        memory=memory,
        frames=integers(MAX_FRAMES, 8),
        scores=integers(MAX_FRAMES + 2, 64),
        stack=integers(len(question.game.rules.code) + 1),
        counts=counts,
    )
    return ThreatSearch(statement, question, tables, symmetries)
