"""Positions up to the eight symmetries of the square."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifier.kernel.games import Game
from verifier.kernel.games.tictactoe import TicTacToe
from verifier.kernel.games.ultimate import ANY, Position, Ultimate
from verifier.kernel.relabel import SYMMETRIES, Permutation


def has_symmetry(game: Game) -> bool:
    """Say whether the symmetries of the square take plays of a game to plays."""
    return isinstance(game, Ultimate | TicTacToe)


def find_canonical(game: Game) -> Callable[[Any], Any] | None:
    """Return the function that gives all images of a position the same value; None where a game has no symmetries."""
    if isinstance(game, Ultimate):
        return _canonical_whole
    if isinstance(game, TicTacToe):
        return _canonical_single
    return None


def _table(permutation: Permutation) -> tuple[int, ...]:
    """Return the image of each set of spots (or fields), as masks."""
    return tuple(sum(1 << permutation[s] for s in range(9) if mask >> s & 1) for mask in range(512))


# There are many positions, and each is moved eight times: by tables rather than spot by spot as the kernel does.
_TABLES = tuple((permutation, _table(permutation)) for permutation in SYMMETRIES)


def _canonical_single(position: Any) -> tuple[int, int]:
    return min((table[position.x_mask], table[position.o_mask]) for _, table in _TABLES)


def _canonical_whole(position: Position) -> tuple[int, ...]:
    return min(_image(permutation, table, position) for permutation, table in _TABLES)


def _image(permutation: Permutation, table: tuple[int, ...], position: Position) -> tuple[int, ...]:
    x = o = 0
    for field, place in enumerate(permutation):
        x |= table[position.x_mask >> 9 * field & 511] << 9 * place
        o |= table[position.o_mask >> 9 * field & 511] << 9 * place
    active = position.active if position.active == ANY else permutation[position.active]
    return x, o, table[position.x_fields_mask], table[position.o_fields_mask], active
