"""Keeps a player from every line with as few moves written down as possible: where pairs or weights do, no more are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.breaker import Breaker
from verifier.kernel.errors import CertificateError
from verifier.kernel.statement import Statement
from verifier.search.pairing import Pair, find_pairs


@dataclass(slots=True)
class Holding:
    """What ends plays in which the claimant prevents the other player's line.

    Attributes:
        breaker: says what weights show.
        pairs: those that were found, by position; None: there are none.
        settled: the positions that pairs are needed for.
    """

    breaker: Breaker
    statement: Statement
    pairs: dict[Any, list[Pair] | None] = field(default_factory=dict)
    settled: dict[Any, None] = field(default_factory=dict)

    def settles(self, position: Any) -> bool:
        """Say whether weights or pairs show that no line comes; pairs are kept."""
        if self.breaker.is_light(position):
            return True
        is_paired = self._find(position) is not None
        if is_paired:
            self.settled[position] = None
        return is_paired

    def choose(self, position: Any, is_won: Callable[[Any], bool]) -> list[Any]:
        """Return a move of the claimant's after which weights or pairs show the rest, or else the best that keeps it.

        Args:
            position: one in which the claimant is to move and can prevent what he claims to.
            is_won: says whether he can after a move.
        """
        game = self.statement.game
        after = {move: game.play(position, move) for move in game.legal_moves(position)}
        order = sorted(after, key=lambda move: (self._weigh(after[move]), move))
        is_goal = self.statement.objectives[0].test
        order = [move for move in order if not is_goal(after[move])] or order
        tests: tuple[Callable[[Any], bool], ...] = (
            lambda position: game.is_over(position) or self.breaker.is_light(position),
            lambda position: self._find(position) is not None,
            is_won,
        )
        return [next((move for test in tests for move in order if test(after[move])), order[0])]

    def table(self) -> dict[str, Any]:
        """Return what a table says of them."""
        text = self.statement.game.format_position
        pairs = {text(position): [list(pair) for pair in self.pairs[position] or []] for position in self.settled}
        return {"weights": True, **({"pairs": pairs} if pairs else {})}

    def _weigh(self, position: Any) -> int:
        return sum(1 << 64 - lacks.bit_count() for lacks in self.breaker.open_lines(position))

    def _find(self, position: Any) -> list[Pair] | None:
        if position not in self.pairs:
            self.pairs[position] = find_pairs(list(self.breaker.open_lines(position)))
        return self.pairs[position]


def open_holding(data: Mapping[str, Any], statement: Statement) -> Holding | None:
    """Return what pairs and weights can do for a statement; None: they say nothing of it."""
    try:
        return Holding(Breaker(data, statement, {"weights": True}), statement)
    except CertificateError:
        return None
