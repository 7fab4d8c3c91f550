"""Why a player gets a line, or none, without a table of all that follows: pairs of spots, weights of lines, wins.

Trusted for: that the claimant of ``reach`` gets his line at once after each reply that is left out (``Finisher``). And
that the claimant of ``prevent`` holds the other player, the maker, from every line by the objective's ply, from a
position on. Where marks are one's own, every free spot may be marked, and the maker needs a whole line, a mark of the
claimant's never does harm. A line counts here if it has none of them and lacks no more marks than the maker has left by
that ply. Each of these is enough, the player to move:

- Pairs of free spots, no two of which share one; each line that counts holds a pair. The claimant answers a mark on one
  of a pair by one on the other, and any other mark anywhere: so each of these lines gets a mark of his in time.
- A line that lacks n marks weighs 1 over 2 to the n; together those that count weigh less than 1, or less than 1/2
  where the maker is to move, whose mark doubles it at most. The claimant marks the spot that most is lost by. That is
  no less than what the maker's next mark adds, so that they weigh less than 1 before each move of the claimant's, and
  no line is full (Erdős and Selfridge).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from verifier.kernel.certificate import require_shape
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import OTHER, Move
from verifier.kernel.games.positional import MAX_CELLS, Position, Positional
from verifier.kernel.statement import Statement

WHOLE = 1 << MAX_CELLS
"""What a line weighs that lacks no mark."""


class Breaker:
    """Ends the plays of a table where pairs, or weights, show the rest."""

    def __init__(self, data: Mapping[str, Any], statement: Statement, table: Mapping[str, Any]) -> None:
        """Require that the pairs and weights of a table mean something for a statement, or what its opponent claims."""
        self._statement, self._maker, self._met = statement, OTHER[statement.claimant], set[str]()
        self._pairs, self._has_weights = table.get("pairs", {}), "weights" in table
        require_shape(self._pairs, {"*": [[range(MAX_CELLS)] * 2]}, "the pairs")
        self._game = _require_game(data, statement, self._maker, "prevent")
        self._lines = _masks(self._game, self._maker)

    def settles(self, position: Position) -> bool:
        """Say whether pairs or weights show the claim from a position on, at which play goes on. It counts as work."""
        self._statement.formulas.work += len(self._lines)
        if self._has_weights and self.is_light(position):
            return True
        text = self._game.format_position(position)
        if text in self._pairs:
            self._met.add(text)
            self._require_pairs(position, self._pairs[text], f"the pairs of {text}")
        return text in self._pairs

    def require_met(self) -> None:
        """Require that play met each position with pairs."""
        if len(self._met) != len(self._pairs):
            raise CertificateError("unreachable-entry", "met by no play: a position to which the table gives pairs")

    def is_light(self, position: Position) -> bool:
        """Say whether the lines that count weigh so little that the claimant holds them all."""
        weight = sum(WHOLE >> lacks.bit_count() for lacks in self.open_lines(position))
        return weight < (WHOLE >> 1 if self._game.turn(position) == self._maker else WHOLE)

    def open_lines(self, position: Position) -> Iterator[int]:
        """Yield of each line that counts the spots that the maker lacks, as a mask."""
        is_first, last = self._maker == "X", self._statement.objectives[0].bound
        own, other = position if is_first else reversed(position)
        left = (last + is_first) // 2 - (self._game.ply(position) + is_first) // 2
        for line in self._lines:
            if not line & other and (line & ~own).bit_count() <= left:
                yield line & ~own

    def _require_pairs(self, position: Position, pairs: list[list[int]], name: str) -> None:
        taken = position.x_mask | position.o_mask | -1 << self._game.cells
        for s in itertools.chain(*pairs):
            if taken >> s & 1:
                raise CertificateError("not-paired", f"{name}: {s} is not a free spot, or stands there twice")
            taken |= 1 << s
        for lacks in self.open_lines(position):
            if not any(lacks >> one & lacks >> other & 1 for one, other in pairs):
                spots = [s for s in range(self._game.cells) if lacks >> s & 1]
                raise CertificateError(
                    "not-paired", f"{name}: none is among {spots}, which {self._maker} may still get"
                )


class Finisher:
    """Leaves out replies after which the claimant has a line by his next mark, or wins by it."""

    def __init__(self, data: Mapping[str, Any], statement: Statement) -> None:
        """Require that the goal of a statement, or of what its opponent claims, is the claimant's line."""
        self._statement = statement
        self._game = _require_game(data, statement, statement.claimant, "reach")
        self._own, self._others = (_masks(self._game, p) for p in (statement.claimant, OTHER[statement.claimant]))
        cases = [(ply, own) for ply in range(self._game.cells + 1) for own in (False, True)]
        if all(self._outcome(ply, own, False) == self._outcome(ply, own, True) for ply, own in cases):
            self._others = []  # a line of the opponent's changes nothing

    def _outcome(self, ply: int, own: bool, other: bool) -> str | None:
        return self._game.outcome_at(ply, *((own, other) if self._statement.claimant == "X" else (other, own)))

    def replies(self, position: Position) -> list[Move]:
        """Return the replies that have to be followed, the opponent to move. It counts as work.

        Where nobody has a line yet that changes anything, some spots complete one of the claimant's, one more mark
        without a line does not end the game, and his line after it is what he claims and comes in time, these are: the
        replies that complete such a line of the opponent's, and where there is but one such spot, the mark on it.
        """
        claimant, ply, moves = self._statement.claimant, self._game.ply(position), self._game.legal_moves(position)
        self._statement.formulas.work += len(self._own) + len(self._others)
        own, other = position if claimant == "X" else reversed(position)
        wins, losses = _last_spots(self._own, own, other), _last_spots(self._others, other, own)
        if wins <= 0 or losses < 0 or ply + 2 > min(self._statement.objectives[0].bound, self._game.cells):
            return list(moves)
        if self._outcome(ply + 1, False, False) is not None or self._outcome(ply + 2, True, False) != claimant:
            return list(moves)
        followed = losses | (0 if wins & wins - 1 else wins)
        return [move for move in moves if followed >> move[0] & 1]


def _masks(game: Positional, player: str) -> list[int]:
    return [sum(1 << s for s in held) for held, _ in game.lines[player]]


def _are_held(game: Positional) -> bool:
    return not any(others for player in "XO" for _, others in game.lines[player])


def _last_spots(lines: list[int], own: int, other: int) -> int:
    """Return the spots, as a mask, each of which alone is missing in a line of a player's; -1: one is whole."""
    spots = 0
    for line in lines:
        if not line & other:
            lacks = line & ~own
            if not lacks & lacks - 1:
                if not lacks:
                    return -1
                spots |= lacks
    return spots


def _require_game(data: Mapping[str, Any], statement: Statement, maker: str, kind: str) -> Positional:
    """Return the board of a statement of which pairs, weights or wins may say something."""
    game, objective = statement.game, statement.objectives[0]
    if not isinstance(game, Positional) or game.is_shared or game.formulas or not _are_held(game):
        text = "marks are not one's own, 'legal' forbids spots, or lines have spots that are not held"
        raise CertificateError("not-a-breaker", text)
    if statement.strategies or len(statement.objectives) != 1 or objective.type != kind:
        text = f"pairs, weights and wins show one objective, to {kind} something, where nobody has a strategy"
        raise CertificateError("not-a-breaker", text)
    goal = next(said["goal"] for said in data["objectives"] if said["name"] == objective.name)
    while isinstance(goal, list) and goal[0] == "use":
        goal = data["formulas"][goal[1]]
    cases = ((ply, other) for ply in range(game.cells + 1) for other in (False, True))
    wins = any(game.outcome_at(ply, *((False, o) if maker == "X" else (o, False))) == maker for ply, o in cases)
    if goal != [f"{maker}_line"] and (goal != [f"{maker}_wins"] or wins):
        text = f"the goal is not that {maker} has a line, or wins, as nobody does without one"
        raise CertificateError("not-a-breaker", text)
    return game
