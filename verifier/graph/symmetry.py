"""Positions up to the eight symmetries of the square."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from verifier.kernel.games import Game
from verifier.kernel.games.nested import ANY, Nested, Position
from verifier.kernel.games.positional import Positional
from verifier.kernel.relabel import SYMMETRIES, Permutation


def find_images(game: Game) -> Callable[[Any], Iterator[tuple[int, ...]]] | None:
    """Return the function that yields the images of a position, itself among them; None where a game has no symmetry.

    An image equals the position that it is, as a tuple.
    """
    if isinstance(game, Nested):
        return _images_whole
    return _images_single if isinstance(game, Positional) and _is_square_of_nine(game) else None


def _is_square_of_nine(game: Positional) -> bool:
    """Say whether rules for nine spots in three rows take every symmetry of the square."""

    def moved(permutation: Permutation) -> set[Any]:
        return {tuple(tuple(sorted(permutation[s] for s in spots)) for spots in line) for line in game.lines}

    is_board = game.rows == game.columns == 3 and game.data["legal"] is None
    return is_board and all(moved(permutation) == set(game.lines) for permutation in SYMMETRIES)


def _table(permutation: Permutation) -> tuple[int, ...]:
    """Return the image of each set of spots (or fields), as masks."""
    return tuple(sum(1 << permutation[s] for s in range(9) if mask >> s & 1) for mask in range(512))


# There are many positions, and each is moved eight times: by tables rather than spot by spot as the kernel does.
_TABLES = tuple((permutation, _table(permutation)) for permutation in SYMMETRIES)


def _images_single(position: Any) -> Iterator[tuple[int, ...]]:
    for _, table in _TABLES:
        yield table[position.x_mask], table[position.o_mask]


def _images_whole(position: Position) -> Iterator[tuple[int, ...]]:
    for permutation, table in _TABLES:
        yield _image(permutation, table, position)


def _image(permutation: Permutation, table: tuple[int, ...], position: Position) -> tuple[int, ...]:
    x = o = 0
    for field, place in enumerate(permutation):
        x |= table[position.x_mask >> 9 * field & 511] << 9 * place
        o |= table[position.o_mask >> 9 * field & 511] << 9 * place
    active = position.active if position.active == ANY else permutation[position.active]
    return x, o, table[position.x_fields_mask], table[position.o_fields_mask], active
