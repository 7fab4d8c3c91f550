"""The paper's rules, with and without play after a win, on arrays: which moves are legal, and what a move does."""

from __future__ import annotations

from tests.search.compiled.position import ALIGNED
from verifier.kernel.games.nested import PAPER, Nested
from verifier.search.jit import Array, compiled

RULE_SETS = (PAPER, Nested(play_on=True))
"""The rule sets that this engine plays; three aligned fields end the game in the first."""


@compiled
def find_legal(p: Array, ends_by_win: int, legal: Array) -> int:
    """Write the free spots that may be played on, a mask a field; return 0 where the game is over."""
    for f in range(9):
        legal[f] = 0
    if ends_by_win and (ALIGNED[p[19]] or ALIGNED[p[20]]):
        return 0
    active = p[18]
    if active < 9:
        legal[active] = 511 & ~(p[active] | p[9 + active])
        return 1
    some = 0
    for f in range(9):
        legal[f] = 511 & ~(p[f] | p[9 + f])
        some |= legal[f]
    return int(some != 0)


@compiled
def play(p: Array, f: int, s: int, with_owners: int, q: Array) -> None:
    """Write the position after a legal move."""
    for i in range(22):
        q[i] = p[i]
    side = 9 * (p[21] & 1)
    q[side + f] |= 1 << s
    if with_owners and not (p[19] | p[20]) >> f & 1 and ALIGNED[q[side + f]]:
        q[20 if side else 19] |= 1 << f
    q[18] = 9 if (q[s] | q[9 + s]) == 511 else s
    q[21] = p[21] + 1
