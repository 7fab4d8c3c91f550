"""Reasons why a table need not follow a play to its end: pairs of spots, weights of lines, wins at once.

Trusted for two things. After each reply that is left out, the claimant of ``reach`` completes his line at once
(``Finisher``). And where pairs or weights end a play, the claimant of ``prevent`` can keep the other player, the
*maker*, from every line up to the objective's ply (``Breaker``). Here nobody has a strategy, each player has marks of
his own, every free spot may be marked, and the maker needs all spots of a line. So a mark of the claimant's never harms
the claimant. A line *counts* if it has no mark of the claimant's, and lacks no more marks than the maker has left by
that ply. Pairs are enough, and so are weights, whichever player is to move:

- Pairs: there are pairs of free spots. No two pairs share a spot, and each line that counts contains a pair. If the
  maker marks a spot of a pair, the claimant marks the other spot; after any other mark he marks any spot. So each of
  these lines gets a mark of his in time.
- Weights: a line that counts and lacks n marks weighs 1 over 2 to the n. Together these lines weigh less than 1; less
  than 1/2 if the maker is to move, because the maker's mark at most doubles the weight. The claimant marks the spot
  that takes away the most weight. The maker's next mark adds no more than that. So the lines weigh less than 1 before
  each move of the claimant's, and no line is full: a full line weighs 1 (Erdős and Selfridge).
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
"""The weight of a line that lacks no mark."""


class _Lines:
    """The lines that a statement is about, as masks.

    ``player`` wants one of the lines in ``own`` by ply ``last``; ``others`` are the lines of the other player.
    """

    def __init__(self, data: Mapping[str, Any], statement: Statement, player: str, kind: str) -> None:
        """Require a plain board, no strategy, and one objective (``kind``): ``player`` has a line, or wins with one."""
        game, objective = statement.game, statement.objectives[0]
        if not isinstance(game, PositionalGame) or game.is_shared or game.formulas or not _are_held(game):
            text = "marks are shared, 'legal' forbids spots, or lines have spots that are not held"
            raise CertificateError("not-a-breaker", text)
        if statement.strategies or len(statement.objectives) != 1 or objective.type != kind:
            text = f"pairs, weights and wins show one objective, to {kind} something, where nobody has a strategy"
            raise CertificateError("not-a-breaker", text)
        self.statement, self.game, self.player, self.last = statement, game, player, objective.bound
        self.own, self.others = (
            [sum(1 << s for s in held) for held, _ in game.lines[one]] for one in (player, OTHER[player])
        )
        goal = next(said["goal"] for said in data["objectives"] if said["name"] == objective.name)
        if isinstance(goal, list) and goal[0] == "use":
            goal = data["formulas"][goal[1]]
        cases = itertools.product(range(game.cells + 1), (False,), (False, True))
        wins = player in itertools.starmap(self.outcome, cases)  # without a line of his own
        if goal != [f"{player}_line"] and (goal != [f"{player}_wins"] or wins):
            text = f"the goal is not that {player} has a line, or wins, as nobody does without one"
            raise CertificateError("not-a-breaker", text)

    def outcome(self, ply: int, own: bool, other: bool) -> str | None:
        """Return how the game stands at a ply; ``own``, ``other``: whether the player, or the other one, has a line."""
        return self.game.outcome_at(ply, *self.ordered((own, other)))

    def ordered(self, pair: tuple[Any, Any]) -> tuple[Any, Any]:
        """Turn a pair for X and O into a pair for the player and the other one, or back."""
        return pair if self.player == "X" else pair[::-1]


def _are_held(game: PositionalGame) -> bool:
    return not any(others for lines in game.lines.values() for _, others in lines)


def _lacking(lines: list[int], own: int, other: int) -> Iterator[int]:
    """Yield, for each line without a mark of the other player's, the spots that it lacks, as a mask."""
    return (line & ~own for line in lines if not line & other)


class Breaker(_Lines):
    """Ends the plays of a table where pairs or weights show the rest. ``player`` is the maker."""

    def __init__(self, data: Mapping[str, Any], statement: Statement, table: Mapping[str, Any]) -> None:
        """Require that pairs and weights can show a statement, which may be what an opponent claims (``oppose``)."""
        super().__init__(data, statement, OTHER[statement.claimant], "prevent")
        self._pairs, self._has_weights, self._met = table.get("pairs", {}), "weights" in table, set[str]()
        require_shape(self._pairs, {"*": [[range(MAX_CELLS)] * 2]}, "the pairs")

    def followed(self, position: BoardPosition) -> list[Move] | None:
        """Return no moves if pairs or weights show the claim from a position on; None: all moves. It counts as work."""
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
        """Require that play met each position with pairs."""
        if len(self._met) != len(self._pairs):
            raise CertificateError("unreachable-entry", "no play reaches a position for which the table has pairs")

    def is_light(self, position: BoardPosition) -> bool:
        """Say whether the lines that count weigh so little that the claimant can stop them all."""
        weight = sum(WHOLE >> lacks.bit_count() for lacks in self.open_lines(position))
        return weight < (WHOLE >> 1 if self.game.turn(position) == self.player else WHOLE)

    def open_lines(self, position: BoardPosition) -> Iterator[int]:
        """Yield, for each line that counts, the spots that the maker lacks, as a mask."""
        is_first = self.player == "X"
        left = (self.last + is_first) // 2 - (self.game.ply(position) + is_first) // 2
        return (lacks for lacks in _lacking(self.own, *self.ordered(position)) if lacks.bit_count() <= left)

    def _require_pairs(self, position: BoardPosition, pairs: list[list[int]], name: str) -> None:
        taken = position.x_mask | position.o_mask | -1 << self.game.cells
        for s in itertools.chain(*pairs):
            if taken >> s & 1:
                raise CertificateError("not-paired", f"{name}: {s} is not a free spot, or stands there twice")
            taken |= 1 << s
        for lacks in self.open_lines(position):
            if not any(lacks >> one & lacks >> other & 1 for one, other in pairs):
                spots = [s for s in range(self.game.cells) if lacks >> s & 1]
                text = f"{name}: none is among {spots}, which {self.player} may still get"
                raise CertificateError("not-paired", text)


class Finisher(_Lines):
    """Leaves out replies after which the claimant wins by completing a line at once. ``player`` is the claimant."""

    def __init__(self, data: Mapping[str, Any], statement: Statement) -> None:
        """Require that the claimant's goal is a line, or a win with one. He may be an opponent (``oppose``)."""
        super().__init__(data, statement, statement.claimant, "reach")
        cases = itertools.product(range(self.game.cells + 1), (False, True))
        if all(self.outcome(ply, own, False) == self.outcome(ply, own, True) for ply, own in cases):
            self.others = []  # a line of the opponent's changes nothing

    def followed(self, position: BoardPosition) -> list[Move] | None:
        """Return the replies that have to be followed, or None: every move. It counts as work.

        Replies are left out only if the opponent is to move, nobody has a line yet that changes anything, and some
        spots (``wins``) complete a line of the claimant's. Also, one more mark without a line must not end the game,
        and the claimant's line after that mark has to win, in time. Then these replies are followed: marks that
        complete a line of the opponent's that changes something (``losses``); and, if there is only one spot in
        ``wins``, the mark on that spot.
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
