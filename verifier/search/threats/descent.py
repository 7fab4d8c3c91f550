"""Depth-first search: can the attacker reach the goal within a number of marks (in a ``race``) or plies (elsewhere)?

The machine code is kept on disk, under a version number that depends on all files of this folder. Numba alone would not
notice that another file has changed. No two functions here call each other: Numba cannot keep the machine code of such
functions (``jit.inlined``).
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from verifier.search.jit import Array, compiled, find_version, keep_machine_code
from verifier.search.threats.ahead import judge_ends, look_ahead
from verifier.search.threats.formulas import Formulas, find_allowed, judge_formulas
from verifier.search.threats.masks import best_spot, count_spots, least_image, recall, settle
from verifier.search.threats.race import FULL_LINE, judge_race, look_at_lines, rate

NODES, LIMIT, IS_CUT = range(3)
"""The entries of ``counts``: the number of positions met; the maximum of this number; 1 if the maximum was exceeded."""

FEW_IMAGES, FEW_MARKS = 16, 3
"""If there are more symmetries than ``FEW_IMAGES``, they are not used for positions with few marks or plies left: at
most ``FEW_MARKS`` marks in a race, or twice as many plies in other games."""

MINE, THEIRS, LEFT, TURN, SPOTS, FIRST, SECOND, TRIED = range(8)
"""The entries of a *frame*. The search has a frame for each depth, with a position, the spots still to be tried, the
position's key in the transposition table, and the spot tried last."""

MAX_FRAMES = 66


class Game(NamedTuple):
    """A game to search.

    Attributes:
        is_race: True if the lines alone decide (``race``); False if formulas decide.
        is_shared: True if marks belong to both players.
        attack, defend: in a race, the lines of the attacker and of the defender, as masks.
        images: for each symmetry, the images of the spots as masks; the first symmetry is the identity.
        rules: the formulas.
    """

    is_race: bool
    is_shared: bool
    attack: Array
    defend: Array
    images: Array
    rules: Formulas


class Tables(NamedTuple):
    """The data that a search reads and writes.

    Attributes:
        memory: the transposition table (``masks``).
        frames: a frame for each position of the current line of play.
        scores: first, for each depth, a row with a score for each spot. Then, for each ``turn``, a row with a number
            for each spot. This number grows when a mark on the spot decides a position.
        stack: room to evaluate a formula.
        counts: the counters and settings.
    """

    memory: Array
    frames: Array
    scores: Array
    stack: Array
    counts: Array


@compiled
def judge_position(game: Game, stack: Array, mine: int, theirs: int, left: int) -> int:
    """Return 1 if the goal is reached in a position, 0 if it can no longer be reached, -1 if play goes on."""
    if game.is_race:
        return judge_race(game.attack, game.defend, mine, theirs, left)
    if game.rules.ends.shape[0]:
        return judge_ends(game.rules, stack, mine, theirs, left)
    return judge_formulas(game.rules, stack, mine, theirs, left)


@compiled
def mark(game: Game, mine: int, theirs: int, left: int, turn: int, bit: int) -> tuple[int, int, int]:
    """Return the marks after a move, and the number of marks or plies left."""
    if turn or not game.is_race:
        left -= 1
    if turn or game.is_shared:
        return mine | bit, theirs, left
    return mine, theirs | bit, left


@compiled
def sift(game: Game, tables: Tables, mine: int, theirs: int, left: int, turn: int) -> tuple[int, int]:
    """Return 1 if the attacker wins, 0 if he does not, -1 if looking one ply ahead does not decide this.

    Also return the spots where a mark does not lose at once; 0 if the position is decided.
    """
    rest, spots = find_allowed(game.rules, tables.stack, mine, theirs), 0
    if not rest:
        return 0, 0
    while rest:
        bit = rest & -rest
        rest &= rest - 1
        after = judge_position(game, tables.stack, *mark(game, mine, theirs, left, turn, bit))
        if after == turn:
            return after, 0
        if after < 0:
            spots |= bit
    return (-1 if spots else 1 - turn), spots


@compiled
def enter(game: Game, tables: Tables, depth: int, mine: int, theirs: int, left: int, turn: int) -> int:
    """Decide a position without a deeper search, if possible. Return 1 if the attacker wins, 0 if he does not.

    Otherwise fill a frame for the position, and return -1.
    """
    tables.counts[NODES] += 1
    tables.counts[IS_CUT] = tables.counts[NODES] > tables.counts[LIMIT]
    seen, spots, first, second = -1, 0, mine, theirs
    if game.is_race:
        seen, spots, first, second = look_at_lines(game.attack, game.defend, mine, theirs, left, turn)
    elif game.rules.ends.shape[0]:
        seen, spots = look_ahead(game.rules, tables.stack, mine, theirs, left, turn)
    if seen >= 0:
        return seen
    if game.images.shape[0] <= FEW_IMAGES or left > (FEW_MARKS if game.is_race else 2 * FEW_MARKS):
        first, second = least_image(game.images, first, second)
    seen = recall(tables.memory, first, second, turn, left)
    if seen >= 0:
        return seen
    if not spots:
        seen, spots = sift(game, tables, mine, theirs, left, turn)
        if seen >= 0:
            settle(tables.memory, first, second, turn, left, seen)
            return seen
    score(game, tables, mine, theirs, left, turn, tables.scores[depth])
    frame = tables.frames[depth]
    frame[MINE], frame[THEIRS], frame[LEFT], frame[TURN] = mine, theirs, left, turn
    frame[SPOTS], frame[FIRST], frame[SECOND] = spots, first, second
    return -1


@compiled
def score(game: Game, tables: Tables, mine: int, theirs: int, left: int, turn: int, scores: Array) -> None:
    """Write a score for each spot: higher if the spot is more promising."""
    if game.is_race:
        scores[:] = 0
        rate(game.attack, mine, theirs, left, FULL_LINE, scores)
        rate(game.defend, theirs, mine, left, FULL_LINE >> 1, scores)
    else:
        scores[:] = tables.scores[MAX_FRAMES + turn]


@compiled
def close(game: Game, tables: Tables, depth: int, value: int, bit: int) -> None:
    """Store the value of a frame's position. Except in a race, raise the score of the spot that decided the value."""
    frame = tables.frames[depth]
    settle(tables.memory, frame[FIRST], frame[SECOND], frame[TURN], frame[LEFT], value)
    if not game.is_race and value == frame[TURN]:
        tables.scores[MAX_FRAMES + value, count_spots(bit - 1)] += frame[LEFT] * frame[LEFT]


@compiled
def wins(game: Game, tables: Tables, mine: int, theirs: int, left: int, turn: int) -> int:
    """Return 1 if the attacker can reach the goal; 0 if he cannot, or if there were too many positions (``IS_CUT``).

    The goal must not be reached yet, and ``left`` must be at least 1.
    """
    depth, bit = 0, 0
    value = enter(game, tables, depth, mine, theirs, left, turn)
    if value >= 0:
        return value
    while not tables.counts[IS_CUT]:
        frame = tables.frames[depth]
        if value == frame[TURN] or not frame[SPOTS]:
            value = value if value == frame[TURN] else 1 - frame[TURN]
            close(game, tables, depth, value, frame[TRIED])
            if not depth:
                return int(value)
            depth -= 1
            continue
        bit = best_spot(tables.scores[depth], frame[SPOTS])
        frame[SPOTS] ^= bit
        frame[TRIED] = bit
        after = mark(game, frame[MINE], frame[THEIRS], frame[LEFT], frame[TURN], bit)
        value = enter(game, tables, depth + 1, *after, 1 - frame[TURN])
        depth += value < 0
    return 0


@compiled
def reply(game: Game, tables: Tables, mine: int, theirs: int, left: int, turn: int) -> int:
    """Return the bit of a move with which the player to move succeeds; 0 if there is no such move.

    A move that decides at once comes first. After that, the attacker in a race tries the most promising moves first. In
    all other cases, the order of spots is the same in all positions. For the defender in a race, this order begins with
    the spots on the most lines.
    """
    # These orders keep tables of moves small: plays are short, and many plays lead to one position. If spots are
    # equally good, later spots come first: the least image of a position has its marks on the first spots.
    scores = np.arange(64)
    if game.is_race and turn:
        score(game, tables, mine, theirs, left, turn, scores)
    else:
        rate(game.attack, 0, 0, MAX_FRAMES, FULL_LINE, scores)
    return find_good(game, tables, scores, mine, theirs, left, turn)


@compiled
def find_good(game: Game, tables: Tables, scores: Array, mine: int, theirs: int, left: int, turn: int) -> int:
    """Return the bit of a move with which the player to move succeeds; 0 if there is no such move.

    A move that decides at once comes first. After that, the moves are tried from the highest score down.
    """
    spots = waiting = find_allowed(game.rules, tables.stack, mine, theirs)
    while spots:
        bit = best_spot(scores, spots)
        spots ^= bit
        value = judge_position(game, tables.stack, *mark(game, mine, theirs, left, turn, bit))
        if value == turn:
            return bit
        if value >= 0:
            waiting ^= bit
    while waiting and not tables.counts[IS_CUT]:
        bit = best_spot(scores, waiting)
        waiting ^= bit
        if wins(game, tables, *mark(game, mine, theirs, left, turn, bit), 1 - turn) == turn:
            return bit
    return 0


@compiled
def fewest_marks(game: Game, tables: Tables, mine: int, theirs: int, left: int, turn: int) -> int:
    """Return the fewest marks with which the attacker wins a race; 0 if he does not win with ``left`` marks."""
    for few in range(1, left + 1):
        if wins(game, tables, mine, theirs, few, turn):
            return few
    return 0


def _make_search(version: int) -> Callable[[Game, Tables, int, int, int, int, bool], int]:
    def search(game: Game, tables: Tables, mine: int, theirs: int, left: int, turn: int, wants_move: bool) -> int:
        if not wants_move:
            return wins(game, tables, mine, theirs, left, turn) if version else 0
        if turn and game.is_race:
            left = fewest_marks(game, tables, mine, theirs, left, turn)
        return reply(game, tables, mine, theirs, left, turn) if left else 0

    return keep_machine_code(search)


BOARD_CODE_VERSION = find_version(pathlib.Path(__file__).parent)

search_position = _make_search(BOARD_CODE_VERSION)
"""Returns the result of ``wins``, or of ``reply`` if ``wants_move``.

In a race, the attacker's reply is a move that wins with the fewest marks.
"""
