"""The formulas of the key ``legal`` as masks, so that one pass over a short list finds all spots that may be marked.

A *clause* belongs to a spot. It says that some spots must be marked, others free, and so on. A free spot may be marked
if one of its clauses holds. Clauses cannot express a formula that counts, or that asks for the ply.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from verifier.search.jit import Array, compiled, signed

SPOT_MASK, IS_MARKED, IS_FREE, HAS_MINE, HAS_THEIRS, LACKS_MINE, LACKS_THEIRS = range(7)
"""The rows of ``clauses``. All of them are masks. The first is the spot to which a clause belongs. The others are the
spots that must be marked; that must be free; that must have the attacker's mark; that must have the defender's mark;
that must not have the attacker's mark; and that must not have the defender's mark."""

MOST_CLAUSES = 256
"""Maximum number of clauses of a board. With more clauses than this, it is as fast to run the formulas."""

SpotClause: TypeAlias = tuple[int, ...]
"""The masks of a clause: the rows from ``IS_MARKED`` on."""

ALWAYS: SpotClause = (0,) * LACKS_THEIRS


class _ManyClausesError(Exception):
    """A formula cannot be written with few clauses."""


def read_clauses(formulas: Sequence[Any], *, is_swapped: bool) -> tuple[Array, int]:
    """Return the clauses of a board, and the number of *plain* clauses: these say only which spots are marked or free.

    The plain clauses come first. There are no clauses if some formula cannot be written with few clauses.

    Args:
        formulas: for each spot, its formula.
        is_swapped: True if O is the attacker.
    """
    found: list[SpotClause] = []
    try:
        for s, formula in enumerate(formulas):
            for clause in _read(formula, is_wanted=True, is_swapped=is_swapped):
                own = _join(clause, _only(IS_FREE, s))
                found += [] if own is None else [(1 << s, *own)]
    except _ManyClausesError:
        found = []
    if len(found) > MOST_CLAUSES:
        found = []
    found.sort(key=lambda clause: any(clause[HAS_MINE:]))
    rows = np.array([[*map(signed, clause)] for clause in found], dtype=np.int64).reshape(-1, 7)
    return np.ascontiguousarray(rows.T), sum(not any(clause[HAS_MINE:]) for clause in found)


def _only(column: int, spot: int) -> SpotClause:
    return tuple(1 << spot if at == column else 0 for at in range(IS_MARKED, LACKS_THEIRS + 1))


def _join(one: SpotClause, other: SpotClause) -> SpotClause | None:
    """Return the clause that says what both clauses say; None if they contradict each other."""
    joined = tuple(a | b for a, b in zip(one, other, strict=True))
    marked, free, mine, theirs, not_mine, not_theirs = joined
    marked |= mine | theirs
    return None if marked & free or mine & (theirs | not_mine) or theirs & not_theirs else joined


def _read(node: Any, *, is_wanted: bool, is_swapped: bool) -> set[SpotClause]:
    """Return clauses of which at least one holds if, and only if, the formula has the value ``is_wanted``.

    Raises:
        _ManyClausesError: the formula has a word that clauses do not have, or there would be too many clauses.
    """
    if not isinstance(node, list):
        return {ALWAYS} if bool(node) == is_wanted else set()
    head, parts = node[0], node[1:]
    if head == "free":
        return {_only(IS_FREE if is_wanted else IS_MARKED, parts[0])}
    if head in ("X", "O", "marked"):
        is_mine = (head == "O") == is_swapped
        column = (HAS_MINE if is_mine else HAS_THEIRS) if is_wanted else (LACKS_MINE if is_mine else LACKS_THEIRS)
        return {_only(column, parts[0])}
    if head == "not":
        return _read(parts[0], is_wanted=not is_wanted, is_swapped=is_swapped)
    if head == "implies":
        head, parts = "or", [["not", parts[0]], parts[1]]
    if head not in ("and", "or"):
        raise _ManyClausesError
    read = [_read(part, is_wanted=is_wanted, is_swapped=is_swapped) for part in parts]
    if (head == "or") == is_wanted:
        return set().union(*read)
    found = {ALWAYS}
    for clauses in read:
        found = {joined for pair in itertools.product(found, clauses) if (joined := _join(*pair)) is not None}
        if len(found) > MOST_CLAUSES:
            raise _ManyClausesError
    return found


def find_orders(clauses: Array, lines: Array) -> Array:
    """Return two orders in which a search can try the 64 spots. An order has a score for each spot.

    A spot *needs* the spots that must be marked before it. The *column* of a spot has this spot, the spots that it
    needs, and the spots that need it. The second order begins with the spots whose columns are on the most lines.
    If columns are on equally many lines, the spots that need the most spots come first. The first order begins with all
    spots that need an odd number of spots, then has the others. Each of these two groups is sorted as in the second.
    """
    # A player who keeps to the spots that need an odd number of spots answers each mark in the same column. Plays with
    # such answers often come to the same positions.
    needs = {s: set[int]() for s in range(64)}
    for bit, marked in ((int(row[SPOT_MASK]), int(row[IS_MARKED])) for row in clauses.T.astype(np.uint64)):
        needs[bit.bit_length() - 1] |= {s for s in range(64) if marked >> s & 1}
    for s in range(64):
        before = set[int]()
        while needs[s] - before:
            before |= needs[s]
            needs[s] = set[int]().union(before, *(needs[t] for t in before))
    through = [int((lines >> s & 1).sum()) for s in range(64)]
    columns = [sum(through[t] for t in range(64) if t == s or t in needs[s] or s in needs[t]) for s in range(64)]
    ranks = [(columns[s], len(needs[s]), -s) for s in range(64)]
    odd_first = [(len(needs[s]) % 2, *ranks[s]) for s in range(64)]
    return np.array([_score(odd_first), _score(ranks)], dtype=np.int64)


def _score(ranks: Sequence[tuple[int, ...]]) -> list[int]:
    """Return even numbers in the order of the ranks, so that there is room between any two of them."""
    places = {rank: 2 * place for place, rank in enumerate(sorted(ranks))}
    return [places[rank] for rank in ranks]


@compiled
def find_by_clauses(clauses: Array, plain: int, mine: int, theirs: int) -> int:
    """Return the spots that may be marked. The first ``plain`` clauses say only what is marked or free."""
    marked, found = mine | theirs, 0
    for i in range(plain):
        found |= 0 if clauses[IS_MARKED, i] & ~marked | clauses[IS_FREE, i] & marked else clauses[SPOT_MASK, i]
    for i in range(plain, clauses.shape[1]):
        missing = clauses[IS_MARKED, i] & ~marked | clauses[HAS_MINE, i] & ~mine | clauses[HAS_THEIRS, i] & ~theirs
        wrong = clauses[IS_FREE, i] & marked | clauses[LACKS_MINE, i] & mine | clauses[LACKS_THEIRS, i] & theirs
        found |= 0 if missing | wrong else clauses[SPOT_MASK, i]
    return found
