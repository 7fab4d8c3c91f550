"""Choose the claimant's moves in games in which a line ends play, so that a table of these moves is short.

A *plan* is an order of the spots. By a plan, the claimant makes a move that meets his objective at once. If there is
none, he makes a move to a position that the table has already. If there is none either, he makes the first *good* move
in the order: a move after which he can still meet his objective. Plays that follow one order often come to the same
positions, so few positions are in the table. If a plan is *forcing*, moves that leave the opponent fewer replies are
tried first, and the order decides only between moves that leave equally many. Several plans are tried, and then small
changes of the best plan. The shortest table is used.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from verifier.search.jit import Array, compiled, keep_machine_code
from verifier.search.threats.ahead import look_ahead
from verifier.search.threats.descent import BOARD_CODE_VERSION, IS_CUT, Game, Tables, judge_position, mark, wins
from verifier.search.threats.formulas import GOES_ON, Formulas, find_allowed, has_line, judge_formulas
from verifier.search.threats.masks import best_spot, count_spots, least_image

MAX_FOLLOWED = 150_000
"""When this many positions of plans have been followed, no further change of an order is tried."""

FEWER = 1 << 10
"""If the plan is forcing, the score of a move grows by this number for each spot that is no good reply: the opponent
may not mark it, or he loses within two plies if he does. The number exceeds all scores of orders."""

FIRST_ROWS = 1 << 10
"""At first there is room for this many rows."""


@compiled
def ends_here(rules: Formulas, stack: Array, mine: int, theirs: int) -> bool:
    """Return True if the game is over."""
    x, o = (theirs, mine) if rules.is_swapped else (mine, theirs)
    lines = has_line(rules, x, True) << 1 | has_line(rules, o, False)
    return bool(
        rules.outcomes[count_spots(x | o) << 2 | lines] != GOES_ON or not find_allowed(rules, stack, mine, theirs)
    )


@compiled
def find_row(places: Array, found: Array, mine: int, theirs: int) -> int:
    """Return the index in ``places``, a hash table, at which the number of a position's row stands.

    Rows of ``found`` are numbered from 1. If the position has no row yet, the number at this index is 0.
    """
    mixed = (mine ^ (theirs * 0x2545F4914F6CDD1D)) * 0x1E3779B97F4A7C15
    at = (mixed >> 24 ^ mixed) & (places.shape[0] - 1)
    while places[at] and (found[places[at] - 1, 0] != mine or found[places[at] - 1, 1] != theirs):
        at = (at + 1) & (places.shape[0] - 1)
    return int(at)


@compiled
def double_room(found: Array, count: int) -> tuple[Array, Array]:
    """Return ``found`` with its first ``count`` rows and with twice as much room, and ``places`` to match."""
    larger = np.zeros((2 * found.shape[0], 3), dtype=np.int64)
    larger[:count] = found[:count]
    places = np.zeros(4 * larger.shape[0], dtype=np.int64)
    for i in range(count):
        places[find_row(places, larger, larger[i, 0], larger[i, 1])] = i + 1
    return larger, places


@compiled
def follow_plan(
    game: Game,
    tables: Tables,
    order: Array,
    is_forcing: bool,
    mine: int,
    theirs: int,
    left: int,
    turn: int,
    side: int,
    plies: int,
    most: int,
) -> Array:
    """Return a row for each position of the plays in which the claimant keeps to the plan.

    A row has the marks of both players, and the claimant's move as a bit; 0 if he does not move there. Of positions
    that are symmetric to each other, only the least has a row; X's marks are compared first. No rows are returned if
    there would be more than ``most``, or if the search gave up.

    Args:
        game: the game.
        tables: the tables of the search.
        order: a score for each spot, from 0 to ``FEWER``. The plan begins with the spot of the highest score.
        is_forcing: True if moves that leave the opponent fewer replies come first.
        mine: the attacker's marks in the first position.
        theirs: the defender's marks there.
        left: the number of plies that are left there to reach the goal.
        turn: 1 if the attacker is to move there, else 0.
        side: 1 if the claimant is the attacker, else 0.
        plies: the number of plies to follow.
        most: the maximum number of positions.
    """
    found, places = double_room(np.zeros((FIRST_ROWS, 3), dtype=np.int64), 0)
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
                choose_short(game, tables, order, is_forcing, places, found, mine, theirs, to_go, side)
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
                if count >= most:
                    return found[:0]
                found[count, 0], found[count, 1] = first, second
                count += 1
                places[row] = count
                if count == found.shape[0]:
                    found, places = double_room(found, count)
        at += 1
    return found[:0] if tables.counts[IS_CUT] else found[:count]


@compiled
def stand_for(game: Game, mine: int, theirs: int) -> tuple[int, int]:
    """Return the least image of a position. Images are compared by X's marks first, and then by O's."""
    if not game.rules.is_swapped:
        return least_image(game.images, mine, theirs)
    theirs, mine = least_image(game.images, theirs, mine)
    return mine, theirs


@compiled
def choose_short(
    game: Game,
    tables: Tables,
    order: Array,
    is_forcing: bool,
    places: Array,
    found: Array,
    mine: int,
    theirs: int,
    left: int,
    side: int,
) -> int:
    """Return the bit of the claimant's move by the plan; 0 if no move is good."""
    spots = waiting = find_allowed(game.rules, tables.stack, mine, theirs)
    known = 0
    if is_forcing:
        order = order.copy()
        rest = spots
        while rest:
            bit = rest & -rest
            rest &= rest - 1
            first, second, to_go = mark(game, mine, theirs, left, side, bit)
            if to_go and judge_position(game, tables.stack, first, second, to_go) < 0:
                replies = look_ahead(game.rules, tables.stack, first, second, to_go, 1 - side)[1]
                order[count_spots(bit - 1)] += FEWER * (64 - count_spots(replies))
    while spots:
        bit = best_spot(order, spots)
        spots ^= bit
        first, second, rest = mark(game, mine, theirs, left, side, bit)
        value = judge_position(game, tables.stack, first, second, rest)
        if value == side:
            return bit
        if value >= 0:
            waiting ^= bit
        elif not known and places[find_row(places, found, *stand_for(game, first, second))]:
            known = bit
    while waiting and not known and not tables.counts[IS_CUT]:
        bit = best_spot(order, waiting)
        waiting ^= bit
        if wins(game, tables, *mark(game, mine, theirs, left, side, bit), 1 - side) == side:
            known = bit
    return known


@compiled
def plan_rows(
    game: Game,
    tables: Tables,
    orders: Array,
    mine: int,
    theirs: int,
    left: int,
    turn: int,
    side: int,
    plies: int,
    most: int,
) -> Array:
    """Return the rows of the plan with the fewest rows (see ``follow_plan``). A row of ``orders`` is an order."""
    rows, followed, best, is_forcing = np.zeros((0, 3), dtype=np.int64), 0, orders[0], False
    cells, number, tried = count_spots(game.rules.board), 1, 0
    # Forcing plans are tried only to reach a goal. Plans to prevent a goal have longer tables if they are forcing.
    begun = orders.shape[0] * (1 + side)
    while tried < begun or (len(rows) and followed < MAX_FOLLOWED):
        order, forces = orders[tried % orders.shape[0]], tried >= orders.shape[0]
        if tried >= begun:
            # Move a spot to another place in the order. Lehmer's generator gives every run the same numbers.
            number = number * 48271 % 0x7FFFFFFF
            spot, other = number % cells, number // cells % cells
            order, forces = best.copy(), is_forcing
            order[spot] = order[other] + (1 if order[spot] < order[other] else -1)
            order = 2 * np.argsort(np.argsort(order))
        found = follow_plan(game, tables, order, forces, mine, theirs, left, turn, side, plies, most)
        if tables.counts[IS_CUT]:
            return found[:0]
        followed += len(found) if len(found) else most
        tried += 1
        if len(found):
            best, is_forcing, rows, most = order, forces, found, len(found)
    return rows


def _make_plan(version: int) -> Callable[[Game, Tables, Array, int, int, int, int, int, int, int], Array]:
    def search(
        game: Game,
        tables: Tables,
        orders: Array,
        mine: int,
        theirs: int,
        left: int,
        turn: int,
        side: int,
        plies: int,
        most: int,
    ) -> Array:
        return plan_rows(game, tables, orders, mine, theirs, left, turn, side, plies, most if version else 0)

    return keep_machine_code(search)


plan_moves = _make_plan(BOARD_CODE_VERSION)
"""Returns the result of ``plan_rows``. It uses the number ``BOARD_CODE_VERSION``, so that each version of the code has
its own machine code in Numba's cache (``keep_machine_code``)."""
