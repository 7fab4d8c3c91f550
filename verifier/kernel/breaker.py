"""Reasons why the kernel need not follow each play to its end: pairs of spots, weights of lines, wins at once.

This module is trusted for two things. First, ``Finisher`` leaves out a reply only if the claimant of a ``reach``
objective can then complete a line with his next move, and so reach the goal in time. Second, ``Breaker`` stops the
check of a play only in a position from which the claimant of a ``prevent`` objective can keep the other player (the
*maker*) from completing a line by the objective's ply. Both classes need four facts. Nobody has a strategy. Each player
has his own marks. Every free spot may be marked. A player has a line exactly if his marks are on all spots of the line.
So an extra mark never harms the claimant.

A line of the maker's *counts* in a position if the claimant has no mark on it, and the maker has enough moves left to
complete it by the objective's ply. Pairs alone are enough, and so are weights alone:

- Pairs: no two pairs share a spot, all their spots are free, and each line that counts has both spots of some pair. If
  the maker marks a spot of a pair, the claimant marks the other spot. At any other time, the claimant marks any free
  spot. So each line that counts gets a mark of the claimant's in time.
- Weights: a line that counts weighs 1/2^n if it still lacks n marks. Together, these lines must weigh less than 1. If
  the maker is to move, they must weigh less than 1/2, because his mark at most doubles their weight. The claimant marks
  the spot whose lines weigh most; these lines no longer count. The maker's next mark adds at most the weight that the
  claimant's mark took away. So the lines weigh less than 1 before each move of the claimant's. A full line would weigh
  1, so no line gets full (Erdős and Selfridge).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from verifier.kernel.certificate import require_shape
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import OTHER, Move
from verifier.kernel.games.positional import MAX_CELLS, BoardPosition, PositionalGame
from verifier.kernel.statement import Statement

WHOLE = 1 << MAX_CELLS
"""The weight of a full line, which stands for 1: weights are multiplied by 2^``MAX_CELLS``, so they are integers."""


class _Lines:
    """The lines that a statement is about, as bit masks of spots.

    ``player`` tries to complete a line in ``own`` by ply ``last``. ``others`` has the lines of the other player.
    """

    def __init__(self, data: Mapping[str, Any], statement: Statement, player: str, kind: str) -> None:
        """Require what both classes need (the module's docstring says what), and one objective, of type ``kind``.

        The goal of the objective has to be that ``player`` has a line, or that he wins and cannot win without a line.
        """
        game, objective = statement.game, statement.objectives[0]
        if not isinstance(game, PositionalGame) or game.is_shared or game.formulas or not _are_held(game):
            text = "pairs, weights and wins need one board, marks 'own', no 'legal', and no line that a mark can spoil"
            raise CertificateError("not-a-breaker", text)
        if statement.strategies or len(statement.objectives) != 1 or objective.type != kind:
            text = f"pairs, weights and wins need one objective, here of type {kind!r}, and no strategies"
            raise CertificateError("not-a-breaker", text)
        self.statement, self.game, self.player, self.last = statement, game, player, objective.bound
        self.own, self.others = (
            [sum(1 << s for s in held) for held, _ in game.lines[one]] for one in (player, OTHER[player])
        )
        goal = next(said["goal"] for said in data["objectives"] if said["name"] == objective.name)
        if isinstance(goal, list) and goal[0] == "use":
            goal = data["formulas"][goal[1]]
        cases = itertools.product(range(game.cells + 1), (False,), (False, True))
        wins = player in itertools.starmap(self.outcome, cases)  # he can win without a line of his own
        if goal != [f"{player}_line"] and (goal != [f"{player}_wins"] or wins):
            text = f"the goal must be that {player} has a line, or that {player} wins and cannot win without a line"
            raise CertificateError("not-a-breaker", text)

    def outcome(self, ply: int, own: bool, other: bool) -> str | None:
        """Return the outcome at a ply; ``own`` and ``other`` say whether ``player`` and the other player have lines."""
        return self.game.outcome_at(ply, *self.ordered((own, other)))

    def ordered(self, pair: tuple[Any, Any]) -> tuple[Any, Any]:
        """Turn a pair for (X, O) into a pair for (``player``, the other player), or the other way round."""
        return pair if self.player == "X" else pair[::-1]


def _are_held(game: PositionalGame) -> bool:
    return not any(others for lines in game.lines.values() for _, others in lines)


def _lacking(lines: list[int], own: int, other: int) -> Iterator[int]:
    """For each line that has no spot in the mask ``other``, yield the mask of its spots that are not in ``own``."""
    return (line & ~own for line in lines if not line & other)


class Breaker(_Lines):
    """Stops the check of a play in a position where pairs or weights prove the claim. ``player`` is the maker."""

    def __init__(self, data: Mapping[str, Any], statement: Statement, table: Mapping[str, Any]) -> None:
        """Require a statement that pairs and weights can prove. It can be the opponent's claim (``plays.oppose``)."""
        super().__init__(data, statement, OTHER[statement.claimant], "prevent")
        self._pairs, self._has_weights, self._met = table.get("pairs", {}), "weights" in table, set[str]()
        require_shape(self._pairs, {"*": [[range(MAX_CELLS)] * 2]}, "the pairs")

    def followed(self, position: BoardPosition) -> list[Move] | None:
        """Return [] (follow no move) if pairs or weights prove the claim in a position, else None (follow all)."""
        self.statement.formulas.work += len(self.own)
        if self._has_weights and self.is_light(position):
            return []
        text = self.game.format_position(position)
        if text not in self._pairs:
            return None
        self._met.add(text)
        self._require_pairs(position, self._pairs[text], f"the pairs of {text}")
        return []

    def require_met(self) -> None:
        """Require that the plays reached every position for which the table has pairs."""
        if len(self._met) != len(self._pairs):
            raise CertificateError("unreachable-entry", "the table has pairs for a position that no play reaches")

    def is_light(self, position: BoardPosition) -> bool:
        """Say whether the lines that count weigh so little that the claimant can stop them all."""
        weight = sum(WHOLE >> lacks.bit_count() for lacks in self.open_lines(position))
        return weight < (WHOLE >> 1 if self.game.turn(position) == self.player else WHOLE)

    def open_lines(self, position: BoardPosition) -> Iterator[int]:
        """For each line that counts, yield the mask of its spots that the maker has not marked."""
        is_first = self.player == "X"
        left = (self.last + is_first) // 2 - (self.game.ply(position) + is_first) // 2
        return (lacks for lacks in _lacking(self.own, *self.ordered(position)) if lacks.bit_count() <= left)

    def _require_pairs(self, position: BoardPosition, pairs: list[list[int]], name: str) -> None:
        taken = position.x_mask | position.o_mask | -1 << self.game.cells
        for s in itertools.chain(*pairs):
            if taken >> s & 1:
                raise CertificateError("not-paired", f"{name}: {s} is not a free spot, or occurs twice")
            taken |= 1 << s
        for lacks in self.open_lines(position):
            if not any(lacks >> one & lacks >> other & 1 for one, other in pairs):
                spots = [s for s in range(self.game.cells) if lacks >> s & 1]
                text = f"{name}: no pair is within {spots}, on which {self.player} can still complete a line"
                raise CertificateError("not-paired", text)


class Finisher(_Lines):
    """Leaves out replies after which the claimant can win with his next move. ``player`` is the claimant."""

    def __init__(self, data: Mapping[str, Any], statement: Statement) -> None:
        """Require that the goal is a line, or a win by a line. It can be the opponent's goal (``plays.oppose``)."""
        super().__init__(data, statement, statement.claimant, "reach")
        cases = itertools.product(range(self.game.cells + 1), (False, True))
        if all(self.outcome(ply, own, False) == self.outcome(ply, own, True) for ply, own in cases):
            self.others = []  # a line of the opponent's never changes the outcome

    def followed(self, position: BoardPosition) -> list[Move] | None:
        """Return the replies that have to be followed; None if every move has to be followed.

        Replies are left out only if all of this is true. The opponent is to move, and nobody has a line yet. (The
        opponent's lines are ignored if they never change the outcome.) Some spot completes a line of the claimant's
        (``wins``). The game goes on after a reply that completes no line. If the claimant then completes a line, he
        wins by the objective's ply. In this case, only these replies are followed: marks that complete a line of the
        opponent's (``losses``) and, if ``wins`` has only one spot, the mark on this spot.
        """
        ply = self.game.ply(position)
        if self.game.turn(position) == self.player:
            return None
        self.statement.formulas.work += len(self.own) + len(self.others)
        own, other = self.ordered(position)
        wins = {lacks for lacks in _lacking(self.own, own, other) if not lacks & lacks - 1}
        losses = {lacks for lacks in _lacking(self.others, other, own) if not lacks & lacks - 1}
        if not wins or 0 in wins | losses or ply + 2 > min(self.last, self.game.cells):
            return None
        if self.outcome(ply + 1, False, False) is not None or self.outcome(ply + 2, True, False) != self.player:
            return None
        followed = losses | wins if len(wins) == 1 else losses
        return [move for move in self.game.legal_moves(position) if 1 << move[0] in followed]
