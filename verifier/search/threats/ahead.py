"""Look two plies ahead in games in which a line ends play: take a win, block a win, and give no win away.

Such a game need not be a race: marks may harm their player, and some free spots may be forbidden.
"""

from __future__ import annotations

from verifier.search.jit import Array, compiled
from verifier.search.threats.formulas import Formulas, find_allowed, has_line
from verifier.search.threats.masks import count_spots

NO_LINE, NO_MOVE, LINE = range(3)
"""The columns of ``Formulas.ends``, a table with a row for each ply. They have what ``judge_formulas`` returns in three
cases: nobody has a line, and the player to move can move; nobody has a line, and he cannot move; the player who moved
last has a line."""


@compiled
def find_completing(rules: Formulas, mask: int, is_x: bool) -> int:
    """Return the spots on which a mark completes a line of a player. He has the marks ``mask``, and no line yet."""
    held, around = (
        (rules.held[: rules.of_x], rules.around[: rules.of_x])
        if is_x
        else (rules.held[rules.of_x :], rules.around[rules.of_x :])
    )
    found = 0
    for i in range(held.shape[0]):
        rest = around[i] & (mask ^ held[i])
        found |= 0 if rest & (rest - 1) | mask & rest else rest
    return found


@compiled
def judge_ends(rules: Formulas, stack: Array, mine: int, theirs: int, left: int) -> int:
    """Do what ``judge_formulas`` does. Call this only if nobody had a line before the last move."""
    ply = count_spots(mine | theirs)
    is_x = ply & 1 == 1
    if has_line(rules, theirs if is_x == rules.is_swapped else mine, is_x):
        return int(rules.ends[ply, LINE])
    value = rules.ends[ply, NO_LINE]
    if value < 0 and not find_allowed(rules, stack, mine, theirs):
        value = rules.ends[ply, NO_MOVE]
    return int(value) if value >= 0 or left else 0


@compiled
def look_ahead(rules: Formulas, stack: Array, mine: int, theirs: int, left: int, turn: int) -> tuple[int, int]:
    """Return 1 if the attacker wins, 0 if he does not, -1 if looking two plies ahead does not decide this.

    Also return the spots where a mark does not lose within two plies; 0 if the position is decided.
    """
    own, other = (mine, theirs) if turn else (theirs, mine)
    is_x = bool(turn) != rules.is_swapped
    after, later = rules.ends[count_spots(mine | theirs) + 1], rules.ends[count_spots(mine | theirs) + 2]
    rest, spots = find_allowed(rules, stack, mine, theirs), 0
    if not rest:
        return 0, 0
    completing = rest & find_completing(rules, own, is_x)
    if completing and after[LINE] == turn:
        return turn, 0
    rest &= ~completing
    losing = find_completing(rules, other, not is_x) if left > 1 and later[LINE] != turn else 0
    while rest:
        bit = rest & -rest
        rest &= rest - 1
        value = after[NO_LINE]
        if value < 0:
            allowed = (
                find_allowed(rules, stack, mine | bit, theirs)
                if turn
                else find_allowed(rules, stack, mine, theirs | bit)
            )
            if not allowed:
                value = after[NO_MOVE]
            elif left == 1:
                value = 0
            elif allowed & losing:
                value = 1 - turn
        if value == turn:
            return turn, 0
        if value < 0:
            spots |= bit
    return (-1 if spots else 1 - turn), spots
