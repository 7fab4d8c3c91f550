"""Choose the claimant's moves in games in which a line ends play, so that a table of these moves is short.

First there is a simple plan: a move that decides at once, else the first good move in a fixed order. A move is *good*
if the claimant still meets his objective after it. The *size* of a position is the number of plays from it, and of
their beginnings, if the claimant keeps to the simple plan from there on. The chosen move leads to a position that the
table has already, or else to the position of least size.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from verifier.search.jit import Array, compiled, keep_machine_code
from verifier.search.threats.descent import (
    FIRST,
    IS_CUT,
    LEFT,
    MAX_FRAMES,
    MINE,
    SECOND,
    SPOTS,
    THEIRS,
    TURN,
    Game,
    Tables,
    find_good,
    find_version,
    judge_position,
    mark,
    wins,
)
from verifier.search.threats.formulas import GOES_ON, Formulas, find_allowed, has_line, judge_formulas
from verifier.search.threats.masks import best_spot, count_spots, entry_of, entry_word, least_image, store

MAX_OPENED = 100_000
"""Maximum number of positions that are opened to measure one position."""

OF_SIZE, PARTS = 2, 500
"""Sizes are in the table of positions, as if they belonged to a third player. An entry has the logarithm of a size, in
``PARTS`` parts of one unit."""


@compiled
def ends_here(rules: Formulas, stack: Array, mine: int, theirs: int) -> bool:
    """Return True if the game is over."""
    x, o = (theirs, mine) if rules.is_swapped else (mine, theirs)
    lines = has_line(rules, x, True) << 1 | has_line(rules, o, False)
    return bool(
        rules.outcomes[count_spots(x | o) << 2 | lines] != GOES_ON or not find_allowed(rules, stack, mine, theirs)
    )


@compiled
def open_frame(
    game: Game, tables: Tables, order: Array, frame: Array, mine: int, theirs: int, left: int, turn: int, side: int
) -> float:
    """Return the size of a position if it is known. Otherwise fill a frame with the moves to follow, and return 0."""
    if judge_position(game, tables.stack, mine, theirs, left) >= 0:
        return 1
    first, second = least_image(game.images, mine, theirs)
    word = entry_word(tables.memory, entry_of(tables.memory, first, second, OF_SIZE), first, second, OF_SIZE)
    if word:
        return math.exp((word & 0xFFFF) / PARTS)
    if turn == side:
        frame[SPOTS] = find_good(game, tables, order, mine, theirs, left, turn)
    else:
        frame[SPOTS] = find_allowed(game.rules, tables.stack, mine, theirs)
    frame[MINE], frame[THEIRS], frame[LEFT], frame[TURN], frame[FIRST], frame[SECOND] = (
        mine,
        theirs,
        left,
        turn,
        first,
        second,
    )
    return 0


@compiled
def measure_plays(
    game: Game, tables: Tables, order: Array, frames: Array, mine: int, theirs: int, left: int, turn: int, side: int
) -> float:
    """Return the size of a position, rounded; infinity if more than ``MAX_OPENED`` positions would be opened.

    The number means nothing if the search gave up (``IS_CUT``).
    """
    sizes, depth, opened = np.ones(MAX_FRAMES), 0, 0
    size = open_frame(game, tables, order, frames[0], mine, theirs, left, turn, side)
    if size > 0:
        return size
    while not tables.counts[IS_CUT]:
        frame = frames[depth]
        if frame[SPOTS]:
            bit = frame[SPOTS] & -frame[SPOTS]
            frame[SPOTS] ^= bit
            after = mark(game, frame[MINE], frame[THEIRS], frame[LEFT], frame[TURN], bit)
            size = open_frame(game, tables, order, frames[depth + 1], *after, 1 - frame[TURN], side)
            if size > 0:
                sizes[depth] += size
            else:
                depth += 1
                sizes[depth] = 1
                opened += 1
                if opened > MAX_OPENED:
                    return math.inf
            continue
        at = entry_of(tables.memory, frame[FIRST], frame[SECOND], OF_SIZE)
        parts = min(int(math.log(sizes[depth]) * PARTS), 0xFFFF)
        store(tables.memory, at, frame[FIRST], frame[SECOND], OF_SIZE << 17 | 1 << 16 | parts)
        if not depth:
            break
        depth -= 1
        sizes[depth] += sizes[depth + 1]
    return float(sizes[0])


@compiled
def find_row(places: Array, found: Array, mine: int, theirs: int) -> int:
    """Return the place of a position in ``places``, where the number of its row stands, or will stand."""
    mixed = (mine ^ (theirs * 0x2545F4914F6CDD1D)) * 0x1E3779B97F4A7C15
    at = (mixed >> 24 ^ mixed) & (places.shape[0] - 1)
    while places[at] and (found[places[at] - 1, 0] != mine or found[places[at] - 1, 1] != theirs):
        at = (at + 1) & (places.shape[0] - 1)
    return int(at)


@compiled
def plan_rows(
    game: Game,
    tables: Tables,
    order: Array,
    mine: int,
    theirs: int,
    left: int,
    turn: int,
    side: int,
    plies: int,
    most: int,
) -> Array:
    """Return the positions of all plays in which the claimant keeps to the plan.

    A row has the marks of both players, and the claimant's move as a bit; 0 if he does not move there. Of symmetric
    positions, there is one: the least if X's marks are compared first. No rows are returned if there would be more than
    ``most``, or if the search gave up.

    Args:
        game: the game.
        tables: the tables of the search.
        order: a score for each spot; the simple plan begins with the highest.
        mine: the attacker's marks in the first position.
        theirs: the defender's marks there.
        left: the number of plies that are left there to reach the goal.
        turn: 1 if the attacker is to move there, else 0.
        side: 1 if the claimant is the attacker, else 0.
        plies: the number of plies to follow.
        most: the maximum number of positions.
    """
    frames, found = np.zeros((MAX_FRAMES, 8), dtype=np.int64), np.zeros((most, 3), dtype=np.int64)
    places = np.zeros(1 << 2 + int(math.log2(most)), dtype=np.int64)
    begin, count, at = count_spots(mine | theirs), 1, 0
    found[0, 0], found[0, 1] = mine, theirs
    while at < count and not tables.counts[IS_CUT]:
        mine, theirs = found[at, 0], found[at, 1]
        made = count_spots(mine | theirs) - begin
        mover, to_go = turn ^ made & 1, max(0, left - made)
        spots = 0
        if made < plies and not ends_here(game.rules, tables.stack, mine, theirs):
            spots = find_allowed(game.rules, tables.stack, mine, theirs)
        if mover == side and spots:
            is_open = judge_formulas(game.rules, tables.stack, mine, theirs, to_go) < 0
            spots = (
                choose_short(game, tables, order, frames, places, found, mine, theirs, to_go, side)
                if is_open
                else spots & -spots
            )
            found[at, 2] = spots
        while spots:
            bit = spots & -spots
            spots ^= bit
            first, second, _ = mark(game, mine, theirs, to_go, mover, bit)
            first, second = stand_for(game, first, second)
            row = find_row(places, found, first, second)
            if not places[row]:
                if count == most:
                    return found[:0]
                found[count, 0], found[count, 1] = first, second
                count += 1
                places[row] = count
        at += 1
    return found[:0] if tables.counts[IS_CUT] else found[:count]


@compiled
def stand_for(game: Game, mine: int, theirs: int) -> tuple[int, int]:
    """Return the least image of a position if X's marks are compared first."""
    if not game.rules.is_swapped:
        return least_image(game.images, mine, theirs)
    theirs, mine = least_image(game.images, theirs, mine)
    return mine, theirs


@compiled
def choose_short(
    game: Game,
    tables: Tables,
    order: Array,
    frames: Array,
    places: Array,
    found: Array,
    mine: int,
    theirs: int,
    left: int,
    side: int,
) -> int:
    """Return the bit of the claimant's move; 0 if no move is good."""
    rest, good = find_allowed(game.rules, tables.stack, mine, theirs), 0
    while rest:
        bit = rest & -rest
        rest &= rest - 1
        after = mark(game, mine, theirs, left, side, bit)
        value = judge_position(game, tables.stack, *after)
        if value == side:
            return bit
        if value < 0 and wins(game, tables, *after, 1 - side) == side:
            if places[find_row(places, found, *stand_for(game, after[0], after[1]))]:
                return bit
            good |= bit
    best, least = good & -good, math.inf
    while good and good != best:
        bit = best_spot(order, good)
        good ^= bit
        size = measure_plays(game, tables, order, frames, *mark(game, mine, theirs, left, side, bit), 1 - side, side)
        if size < least:
            best, least = bit, size
    return best


def _make_plan(version: int) -> Callable[[Game, Tables, Array, int, int, int, int, int, int, int], Array]:
    def search(
        game: Game,
        tables: Tables,
        order: Array,
        mine: int,
        theirs: int,
        left: int,
        turn: int,
        side: int,
        plies: int,
        most: int,
    ) -> Array:
        return plan_rows(game, tables, order, mine, theirs, left, turn, side, plies, most if version else 0)

    return keep_machine_code(search)


plan_moves = _make_plan(find_version())
"""Returns the result of ``plan_rows``."""
