"""Positions up to the symmetries of the board, as far as the rules take them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
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
    found = find_symmetries(game) if isinstance(game, Positional) else []
    return functools.partial(_images_single, found) if len(found) > 1 else None


def find_symmetries(game: Positional) -> list[Permutation]:
    """Return the permutations of spots, by a symmetry of the board, that leave the rules as they are.

    They take lines to lines, and the condition under which a spot may be marked to that of its image. Who has won asks
    for lines and counts alone, which are the same for all of these.
    """
    lines, legal = set(game.lines), game.data["legal"]

    def is_kept(permutation: Permutation) -> bool:
        moved = {tuple(tuple(sorted(permutation[s] for s in spots)) for spots in line) for line in lines}
        if moved != lines:
            return False
        return legal is None or all(
            _move_formula(formula, permutation) == legal[permutation[s]] for s, formula in enumerate(legal)
        )

    return [permutation for permutation in _board_symmetries(game.rows, game.columns) if is_kept(permutation)]


def _board_symmetries(rows: int, columns: int) -> Iterator[Permutation]:
    """Yield the symmetries of a board: four of a rectangle, eight of a square, the identity first."""
    for turned, down, right in itertools.product((False, True) if rows == columns else (False,), (1, -1), (1, -1)):
        spots = []
        for r, c in itertools.product(range(rows), range(columns)):
            row, column = (c, r) if turned else (r, c)
            spots.append(
                (row if down == 1 else rows - 1 - row) * columns + (column if right == 1 else columns - 1 - column)
            )
        yield tuple(spots)


def _move_formula(formula: Any, permutation: Permutation) -> Any:
    """Return a formula about spots with each of them moved."""
    if isinstance(formula, list) and len(formula) == 2 and formula[0] in ("X", "O", "marked", "free"):
        return [formula[0], permutation[formula[1]]]
    return [_move_formula(part, permutation) for part in formula] if isinstance(formula, list) else formula


def _table(permutation: Permutation) -> tuple[int, ...]:
    """Return the image of each set of spots (or fields), as masks."""
    return tuple(sum(1 << permutation[s] for s in range(9) if mask >> s & 1) for mask in range(512))


# There are many positions, and each is moved eight times: by tables rather than spot by spot as the kernel does.
_TABLES = tuple((permutation, _table(permutation)) for permutation in SYMMETRIES)


def _images_single(permutations: Sequence[Permutation], position: Any) -> Iterator[tuple[int, ...]]:
    for permutation in permutations:
        yield _move_mask(position.x_mask, permutation), _move_mask(position.o_mask, permutation)


def _move_mask(mask: int, permutation: Permutation) -> int:
    moved = 0
    while mask:
        low = mask & -mask
        moved |= 1 << permutation[low.bit_length() - 1]
        mask ^= low
    return moved


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
