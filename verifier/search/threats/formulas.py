"""The rules of a game on one board, and the goal, as short programs for a stack machine.

Functions here run these programs.
"""

from __future__ import annotations

from typing import NamedTuple

from verifier.search.jit import Array, compiled
from verifier.search.threats.legal import find_by_clauses
from verifier.search.threats.masks import count_spots

CONSTANT, PLY, X_MARK, O_MARK, FREE, X_LINE, O_LINE, X_MAKES, O_MAKES, WINNER, OVER = range(11)
"""Operations that push a value. A spot is given by its bit, a winner by 1 (X) or 2 (O)."""

NOT, ALL_OF, ANY_OF, ONE, SUM, MINUS, EQUAL, LESS = range(11, 19)
"""Operations that replace values on the stack by one value.

The number that follows such an operation in ``code`` says how many values it replaces.
"""

GOES_ON, DRAW = 0, 3
"""Outcomes; 1 and 2 are the wins of X and O."""


class Formulas(NamedTuple):
    """The rules of a game, and a goal.

    Attributes:
        board: a mask of all spots.
        is_swapped: True if O is the attacker (who wants to reach the goal) and marks are not shared by the players. The
            argument ``mine`` of the functions below then has O's marks.
        held: for each line, a mask of the spots on which its player must have marks. X's lines come first.
        around: for each line, the mask in ``held``, together with the spots on which the line's player must not have
            marks.
        of_x: the number of X's lines.
        outcomes: the outcome for each index. An index says the ply (bits 2 and up), and whether X (bit 1) and O (bit 0)
            have a line.
        stuck: the same as ``outcomes``, but for positions in which the player to move cannot move.
        code: the operations of all formulas, two numbers each.
        legal: the indices in ``code`` where the spots' formulas begin, and where the last formula ends; empty if
            there are no such formulas.
        clauses: the formulas of the spots as clauses (``legal.read_clauses``); no columns if there are no formulas, or
            if they would need too many clauses, or cannot be written as clauses.
        plain: the number of clauses that say only which spots must be marked or free.
        ends: a table with a row for each ply. It says whether the goal is reached with a line, and without one
            (``ahead.NO_LINE``). Empty if a line need not end play.
        goal: the indices in ``code`` where the goal's formula begins and ends.
        asks_end: True if the goal depends on whether the game is over, or on who has won.
    """

    board: int
    is_swapped: bool
    held: Array
    around: Array
    of_x: int
    outcomes: Array
    stuck: Array
    code: Array
    legal: Array
    clauses: Array
    plain: int
    ends: Array
    goal: tuple[int, int]
    asks_end: bool


@compiled
def has_line(rules: Formulas, mask: int, is_x: bool) -> int:
    """Return 1 if a player with these marks has a line, else 0."""
    for i in range(0 if is_x else rules.of_x, rules.of_x if is_x else rules.held.shape[0]):
        if mask & rules.around[i] == rules.held[i]:
            return 1
    return 0


@compiled
def take(stack: Array, top: int, operation: int, number: int) -> int:
    """Return the result of an operation on the topmost ``number`` values."""
    total = 0
    for i in range(top - number, top):
        total += stack[i]
    if operation == NOT:
        return 1 - total
    if operation == ALL_OF:
        return int(total == number)
    if operation == ANY_OF:
        return int(total > 0)
    if operation == ONE:
        return int(total == 1)
    if operation == SUM:
        return total
    first, second = stack[top - 2], stack[top - 1]
    if operation == MINUS:
        return int(first - second)
    return int(first == second) if operation == EQUAL else int(first < second)


@compiled
def push(rules: Formulas, operation: int, number: int, x: int, o: int, lines: int, outcome: int) -> int:
    """Return the value of an operation that takes no values; ``lines`` has bit 1 for X's line, bit 0 for O's."""
    if operation == CONSTANT:
        return number
    if operation == PLY:
        return count_spots(x | o)
    if operation == X_MARK:
        return int(x & number != 0)
    if operation == O_MARK:
        return int(o & number != 0)
    if operation == FREE:
        return int((x | o) & number == 0)
    if operation == X_LINE:
        return lines >> 1
    if operation == O_LINE:
        return lines & 1
    if operation == X_MAKES:
        return has_line(rules, x | number, True)
    if operation == O_MAKES:
        return has_line(rules, o | number, False)
    return int(outcome == number) if operation == WINNER else int(outcome != GOES_ON)


@compiled
def value_of(rules: Formulas, stack: Array, begin: int, end: int, x: int, o: int, lines: int, outcome: int) -> int:
    """Return the value of a formula in a position. The formula is the code from ``begin`` to ``end``."""
    top = 0
    for at in range(begin, end):
        operation, number = rules.code[at, 0], rules.code[at, 1]
        if operation >= NOT:
            value = take(stack, top, operation, number)
            top -= number
        else:
            value = push(rules, operation, number, x, o, lines, outcome)
        stack[top] = value
        top += 1
    return int(stack[0])


@compiled
def find_allowed(rules: Formulas, stack: Array, mine: int, theirs: int) -> int:
    """Return a mask of the spots that may be marked while the game goes on."""
    free = rules.board & ~(mine | theirs)
    if not rules.legal.shape[0]:
        return free
    if rules.clauses.shape[1]:
        return find_by_clauses(rules.clauses, rules.plain, mine, theirs)
    x, o = (theirs, mine) if rules.is_swapped else (mine, theirs)
    rest, found = free, 0
    while rest:
        bit = rest & -rest
        rest &= rest - 1
        s = count_spots(bit - 1)
        if value_of(rules, stack, rules.legal[s], rules.legal[s + 1], x, o, 0, 0):
            found |= bit
    return found


@compiled
def judge_formulas(rules: Formulas, stack: Array, mine: int, theirs: int, left: int) -> int:
    """Return 1 if the goal is reached in a position, 0 if play ends there without the goal, -1 if play goes on."""
    x, o = (theirs, mine) if rules.is_swapped else (mine, theirs)
    lines = has_line(rules, x, True) << 1 | has_line(rules, o, False)
    at = count_spots(x | o) << 2 | lines
    outcome = rules.outcomes[at]
    if outcome != rules.stuck[at] and rules.asks_end and not find_allowed(rules, stack, mine, theirs):
        outcome = rules.stuck[at]
    begin, end = rules.goal
    if value_of(rules, stack, begin, end, x, o, lines, outcome):
        return 1
    return -1 if outcome == GOES_ON and left else 0
