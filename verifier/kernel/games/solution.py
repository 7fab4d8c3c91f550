"""The solution of a small game on one board: all positions in which a player can force a win, found by a search.

This module is trusted for the words ``X_keeps`` and ``O_keeps``. ``positional`` games have them if each mark belongs to
a player, both players have the same lines, and every free spot may be marked. If a symmetry takes lines to lines, it
takes plays to plays with the same end. So a player who can force a win from a position can force it from each image.
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING

from verifier.kernel.errors import CertificateError
from verifier.kernel.games.lines import Images, keeps_lines, symmetries

if TYPE_CHECKING:
    from verifier.kernel.games.positional import BoardPosition, PositionalGame

MAX_VALUES = 400_000
"""Maximum number of positions in a solution. The largest shipped game needs 240,000."""

MAX_SOLUTION_WORK = 100_000_000
"""Maximum number of marks and replies to try, times the rules' weight. Shipped games need up to a quarter of this."""


class Solution:
    """Finds which marks of a player keep a win. After such a mark he has won, or can still force a win.

    ``values`` says, for positions in which play goes on and the player is to move, whether he can force a win. A key
    is a mask of his marks and a mask of the other player's marks.
    """

    def __init__(self, game: PositionalGame, player: str) -> None:
        self.game, self.player = game, player
        self.values: dict[tuple[int, int], bool] = {}
        self._images = Images(p for p in symmetries(game.rows, game.columns) if keeps_lines(p, game.lines))
        self._work = 0
        self._board: int = (1 << game.cells) - 1
        self._kept: dict[tuple[BoardPosition, int], bool] = {}
        cases = itertools.product(range(game.cells + 1), (False, True), (False, True))
        lines = [(ply, mine, theirs) if player == "X" else (ply, theirs, mine) for ply, mine, theirs in cases]
        self._ends = [game.outcome_at(*case) for case in lines]

    def keeps(self, position: BoardPosition, bit: int) -> bool:
        """Say whether the player may mark the spot of ``bit``, and then has won, or can still force a win.

        False if the spot is taken, the other player is to move, or the game is over.
        """
        found = self._kept.get((position, bit))
        if found is None:
            x, o = position
            is_move = not (x | o) & bit and self.game.turn(position) == self.player and not self.game.is_over(position)
            found = is_move and (self._keeps(x, o, bit) if self.player == "X" else self._keeps(o, x, bit))
            if len(self._kept) > MAX_VALUES:
                self._kept.clear()
            self._kept[position, bit] = found
        return found

    def _is_won(self, own: int, other: int) -> bool:
        """Say whether the player, who is to move in a game that goes on, can force a win."""
        values = self.values  # keys are pairs: if both masks were packed in one number, many keys would share a hash
        known = values.get((own, other))
        if known is None:
            least = min(zip(self._images[own], self._images[other], strict=True))
            known = values.get(least)
            if known is None:
                known = any(self._keeps(own, other, bit) for bit in _bits(self._board & ~(own | other)))
                values[least] = known
            values[own, other] = known
            if len(values) > MAX_VALUES:
                text = f"solving the game takes more than {MAX_VALUES:,} positions: use a later start"
                raise CertificateError("limit", text)
        return known

    def _keeps(self, own: int, other: int, bit: int) -> bool:
        """Say whether the player has won, or can force a win, after marking a free spot in a game that goes on."""
        own |= bit
        ends, has_line = self._ends, self.game.has_line[self.player]  # both players have the same lines
        self._work += self.game.weight * (1 + self.game.cells - (own | other).bit_count())
        if self._work > MAX_SOLUTION_WORK:
            text = f"solving the game takes more than {MAX_SOLUTION_WORK:,} steps: use a later start"
            raise CertificateError("limit", text)
        at = (own | other).bit_count() << 2 | has_line(own) << 1
        end = ends[at | has_line(other)]
        if end is not None:
            return end == self.player
        at += 4
        for reply in _bits(self._board & ~(own | other)):
            after = other | reply
            end = ends[at | has_line(after)]
            if end is None:
                if not self._is_won(own, after):
                    return False
            elif end != self.player:
                return False
        return True


@functools.lru_cache(maxsize=64)
def solution_of(game: PositionalGame, player: str) -> Solution:
    """Return the solution of a game for a player, with all values found so far. ``decide`` clears this cache."""
    return Solution(game, player)


@functools.lru_cache(maxsize=1 << 17)
def _bits(mask: int) -> tuple[int, ...]:
    """Return the bits of a mask, the lowest bit first."""
    return tuple(1 << s for s in range(mask.bit_length()) if mask >> s & 1)
