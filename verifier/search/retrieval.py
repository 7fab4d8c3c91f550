"""Olivia's replies in races as a function that a browser can evaluate. A reply takes about five bits.

A *race* is a position of the game in which only Xavier can win (``kernel/race``). Races are not stored. A race has
eight images, and each image has two hashes. Only the image with the least pair of hashes is used. This pair selects
three cells of a list, one in each third, and the exclusive or of the three cells is the reply in this image. The list
is filled so that the result is right for every race that has a reply. For any other race the result is meaningless.
``explorer-race.js`` evaluates the function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.kernel.games.lines import Images
from verifier.kernel.games.nested import ANY
from verifier.kernel.race.bound import Race, Reply
from verifier.kernel.race.relaxation import field_table
from verifier.kernel.relabel import SYMMETRIES

Uints = NDArray[np.uint32]
HASH_SEEDS = (0x2545F491, 0x6C8E9CF5)


Cells = tuple[int, bytes]
"""A list of cells: the number of cells in a third of the list, and the cells themselves, two in each byte."""


def pack_replies(replies: Mapping[Race, Reply]) -> tuple[Cells, Cells]:
    """Return two lists of cells: one for the spots of all replies, one for the fields that some replies choose."""
    fields = np.array([race[0] for race in replies], dtype=np.int32).reshape(-1, 9)
    active, marks = (np.array([race[at] for race in replies], dtype=np.uint32) for at in (1, 2))
    moves = np.array(list(replies.values()), dtype=np.int64).reshape(-1, 2)
    hashes, images = _least_hashes(fields, active, marks)
    turned = np.take_along_axis(np.array(SYMMETRIES)[images], moves, axis=1)
    _, first = np.unique(hashes[0].astype(np.uint64) << np.uint64(32) | hashes[1], return_index=True)
    free = first[active[first] == ANY]
    return _fill(hashes[:, first], turned[first, 1]), _fill(hashes[:, free], turned[free, 0])


def _least_hashes(fields: NDArray[np.int32], active: Uints, marks: Uints) -> tuple[Uints, NDArray[np.int64]]:
    """For each race, find the image with the least pair of hashes.

    Return the two hashes of this image, and the index of the symmetry that leads to it.
    """
    found = []
    for permutation, codes in zip(SYMMETRIES, _codes(), strict=True):
        columns = codes[fields][:, np.argsort(permutation)]
        to = np.array([*permutation, ANY], dtype=np.uint32)[active]
        found.append([_hash([*columns.T, to, marks], seed) for seed in HASH_SEEDS])
    hashes = np.array(found, dtype=np.uint32)
    order = np.argmin(hashes[:, 0].astype(np.uint64) << np.uint64(32) | hashes[:, 1], axis=0)
    return hashes[order, :, np.arange(len(order))].T, order


def _codes() -> list[Uints]:
    """Return, for each symmetry, a code of the image of each field.

    The code has Xavier's marks, the other taken spots, and whether he owns the field.
    """
    images, (mine, others, owned) = Images(SYMMETRIES), zip(*field_table().shape, strict=True)
    x, o = (np.array([images[mask] for mask in masks], dtype=np.uint32) for masks in (mine, others))
    return [*np.ascontiguousarray((x | o << 9 | np.array(owned, dtype=np.uint32)[:, None] << 18).T)]


def _hash(columns: list[Any], seed: int) -> Uints:
    """Return a hash for each row of some columns. The columns have numbers of 32 bits."""
    value = np.full(len(columns[0]), seed, dtype=np.uint32)
    for column in columns:
        value = (value ^ column) * np.uint32(0x9E3779B1)
        value ^= value >> np.uint32(15)
    value = (value ^ value >> np.uint32(16)) * np.uint32(0x85EBCA6B)
    return (value ^ value >> np.uint32(13)).astype(np.uint32)


def _fill(hashes: Uints, values: NDArray[np.int64]) -> Cells:
    """Return filled cells. A key is a pair of hashes. It selects three cells, whose exclusive or is the key's value.

    Raises:
        ValueError: the cells cannot be filled in any of 100 sizes. With about 1.23 cells for each key, this hardly ever
            happens.
    """
    least = hashes.shape[1] * 41 // 100 + 50
    for third in range(least, least + 100):
        cells, rounds = _order_keys(hashes, third)
        if rounds is not None:
            break
    else:
        raise ValueError("the cells for the replies cannot be filled")
    table = np.zeros(3 * third + third % 2, dtype=np.uint8)
    for keys, own in reversed(rounds):
        others = table[cells[keys, (own + 1) % 3]] ^ table[cells[keys, (own + 2) % 3]]
        table[cells[keys, own]] = values[keys].astype(np.uint8) ^ others
    return third, bytes(table[0::2] | table[1::2] << 4)


def _order_keys(
    hashes: Uints, third: int
) -> tuple[NDArray[np.int64], list[tuple[NDArray[np.int64], NDArray[np.int64]]] | None]:
    """Return the three cells of each key, and the keys in rounds.

    A round lists some keys, and for each key the index of one of its three cells. No other key of the same round or of
    a later round has this cell. If such rounds cannot list all keys, return None in place of the rounds.
    """
    mixed = (hashes[0] ^ hashes[1] * np.uint32(0x9E3779B1)) % np.uint32(third)
    cells = np.stack([hashes[0] % third, third + hashes[1] % third, 2 * third + mixed], axis=1).astype(np.int64)
    rounds, left = [], np.arange(hashes.shape[1])
    while left.size:
        degree = np.bincount(cells[left].ravel(), minlength=3 * third)
        alone = degree[cells[left]] == 1
        is_free = alone.any(axis=1)
        if not is_free.any():
            return cells, None
        rounds.append((left[is_free], alone[is_free].argmax(axis=1)))
        left = left[~is_free]
    return cells, rounds
