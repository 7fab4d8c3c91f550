"""Races: games on one board in which a mark never harms its player, so that the lines alone decide many positions.

The attacker wants a line. In some races, play ends without the goal when the defender has a line; in all others, his
lines have no effect. So a mark is useful only on a line that can still be filled in time. A line is *open* for a player
if the other player has no mark on it. An open line that lacks one mark is a *threat*. The search takes a win, answers a
threat, and knows that two threats win.

A line that lacks n marks weighs 1/2^n. Take the lines that the attacker can still fill in time. If they weigh less than
1 together before the defender moves, or less than 1/2 before the attacker moves, the defender can stop them all (Erdős
and Selfridge). He can also stop them if each of them contains a pair of free spots, and no two pairs share a spot. Then
he answers a mark on one spot of a pair with a mark on the other spot.
"""

from __future__ import annotations

import numpy as np

from verifier.search.jit import Array, compiled
from verifier.search.threats.masks import count_spots

FULL_LINE = 1 << 40
"""The weight of a full line. It is halved for each missing mark. Nobody has 40 marks left, so it stays an integer."""

PAIRED, MAX_PAIRS = 5, 32
"""The search tries pairs if the lines weigh less than ``PAIRED`` times ``FULL_LINE``. A board has at most 64 spots,
so it has at most ``MAX_PAIRS`` pairs."""


@compiled
def rate(lines: Array, own: int, other: int, left: int, whole: int, scores: Array) -> None:
    """Add to the score of each free spot: more if it is on more open lines, and if these lines are nearly full."""
    for line in lines:
        if not line & other:
            rest = line & ~own
            need = count_spots(rest)
            if need <= left:
                while rest:
                    scores[count_spots((rest & -rest) - 1)] += whole >> 2 * need
                    rest &= rest - 1


@compiled
def has_fork(lines: Array, own: int, other: int, within: int) -> int:
    """Return 1 if a mark on some spot of the mask ``within`` makes two threats at once, else 0."""
    while within:
        bit = within & -within
        within &= within - 1
        wins = 0
        for line in lines:
            if line & bit and not line & other:
                rest = line & ~(own | bit)
                if not rest & (rest - 1):
                    wins |= rest
        if wins & (wins - 1):
            return 1
    return 0


@compiled
def has_pairs(lines: Array, own: int, other: int, left: int) -> bool:
    """Look for pairs of free spots: each open line that lacks 2 to ``left`` marks has to contain a pair.

    Return True if such pairs are found. No two pairs share a spot. Lines that lack the fewest marks come first. If
    there are several pairs within a line, the pair in the most open lines is chosen.
    """
    pairs, found, used = np.empty(MAX_PAIRS, dtype=np.int64), 0, 0
    for size in range(2, left + 1):
        for line in lines:
            rest = line & ~own
            if line & other or count_spots(rest) != size or is_held(pairs, found, rest):
                continue
            pair = best_pair(lines, own, other, rest & ~used)
            if not pair or found == MAX_PAIRS:
                return False
            pairs[found] = pair
            found += 1
            used |= pair
    return True


@compiled
def is_held(pairs: Array, found: int, spots: int) -> bool:
    """Return True if ``spots`` contains one of the pairs found so far."""
    for i in range(found):
        if pairs[i] & ~spots == 0:
            return True
    return False


@compiled
def best_pair(lines: Array, own: int, other: int, spots: int) -> int:
    """Return a mask of the two spots in ``spots`` that share the most open lines; 0 if no two share an open line."""
    best, most = 0, 0
    while spots:
        one = spots & -spots
        spots &= spots - 1
        rest = spots
        while rest:
            pair = one | (rest & -rest)
            rest &= rest - 1
            held = 0
            for line in lines:
                held += not line & other and not pair & ~(line & ~own)
            if held > most:
                best, most = pair, held
    return best


@compiled
def look_at_lines(
    attack: Array, defend: Array, mine: int, theirs: int, left: int, turn: int
) -> tuple[int, int, int, int]:
    """Look at the lines in a position of a race in which no line of ``attack`` or ``defend`` is full.

    Returns:
        Four numbers. The first is 1 if the attacker wins, 0 if the defender stops him, -1 if the lines do not decide.
        The second is the mask of the spots that are worth a mark. The others are the key of the position: for each
        player, the spots on open lines that he has or can get.
    """
    wins = needed = open_attack = open_defend = losses = guarded = weight = 0
    for line in attack:
        if not line & theirs:
            rest = line & ~mine
            need = count_spots(rest)
            open_attack |= line
            if need <= left:
                needed |= rest
                weight += FULL_LINE >> need
                if need == 1:
                    wins |= rest
    if turn and wins:
        return 1, 0, 0, 0
    if weight < FULL_LINE >> turn:
        return 0, 0, 0, 0
    if turn and left > 3 and weight < PAIRED * FULL_LINE and has_pairs(attack, mine, theirs, left):
        return 0, 0, 0, 0
    for line in defend:
        if not line & mine:
            rest = line & ~theirs
            need = count_spots(rest)
            open_defend |= line
            if need <= left - turn:
                guarded |= rest
                if need == 1:
                    losses |= rest
    if turn:
        if left == 1 or losses & (losses - 1):
            return 0, 0, 0, 0
        if left == 2:
            return has_fork(attack, mine, theirs, losses if losses else needed), 0, 0, 0
    elif losses:
        return 0, 0, 0, 0
    elif wins & (wins - 1):
        return 1, 0, 0, 0
    forced = losses if turn else wins
    free = (open_attack | open_defend) & ~(mine | theirs)
    return -1, forced if forced else needed | guarded, mine & open_attack | free, theirs & open_defend | free


@compiled
def judge_race(attack: Array, defend: Array, mine: int, theirs: int, left: int) -> int:
    """Return 1 if the attacker has a line, 0 if the defender has a line or no marks are left, -1 if play goes on."""
    for line in attack:
        if line & ~mine == 0:
            return 1
    for line in defend:
        if line & ~theirs == 0:
            return 0
    return -1 if left else 0
