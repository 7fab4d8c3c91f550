"""The position that stands for all relabellings of one: colours are refined, ties are tried, the least row wins.

Two positions get the same row exactly when one is a relabelling of the other: nothing here looks at a number of a
field except to tell fields apart, and among the numberings that are left the least row decides.
"""

from __future__ import annotations

from tests.search.compiled.position import POPCOUNT, pack
from verifier.search.jit import Array, compiled

SCRATCH = 12
"""Rows of nine that ``canonicalise`` needs for colours, and as many for the fields in the order of colours."""


@compiled
def mix(value: int) -> int:
    """Scramble a word."""
    value ^= value >> 31 & 0x1FFFFFFFF
    value *= 0x1E3779B97F4A7C15
    value ^= value >> 29 & 0x7FFFFFFFF
    value *= 0x3F58476D1CE4E5B9
    return value ^ (value >> 32 & 0xFFFFFFFF)


@compiled
def count_colours(colours: Array) -> int:
    """Return how many of nine colours differ."""
    count = 0
    for f in range(9):
        is_new = 1
        for g in range(f):
            if colours[g] == colours[f]:
                is_new = 0
                break
        count += is_new
    return count


@compiled
def refine(p: Array, colours: Array, fresh: Array) -> None:
    """Let the colour of each field tell what marks it has, and in which fields others have marks on its spot."""
    count = count_colours(colours)
    while count < 9:
        for f in range(9):
            fresh[f] = mix(colours[f] + 1)
        for f in range(9):
            x, o = p[f], p[9 + f]
            if not x | o:
                continue
            inner, x_outer, o_outer = 0, mix(colours[f] ^ 0x2222), mix(colours[f] ^ 0x4444)
            for s in range(9):
                if x >> s & 1:
                    inner += mix(colours[s] ^ 0x1111)
                    fresh[s] += x_outer
                elif o >> s & 1:
                    inner += mix(colours[s] ^ 0x3333)
                    fresh[s] += o_outer
            fresh[f] += inner
        for f in range(9):
            colours[f] = fresh[f]
        after = count_colours(colours)
        if after <= count:
            return
        count = after


@compiled
def order_fields(colours: Array, order: Array) -> int:
    """Sort the fields by colour; return the first place where two neighbours tie, or 9."""
    for i in range(9):
        j = i
        while j > 0 and colours[order[j - 1]] > colours[i]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    for i in range(8):
        if colours[order[i]] == colours[order[i + 1]]:
            return i
    return 9


@compiled
def are_twins(p: Array, u: int, v: int) -> bool:
    """Say whether exchanging two fields, and the two spots of every field, changes nothing."""
    if p[18] == u or p[18] == v:
        return False
    for side in range(0, 18, 9):
        for f in range(9):
            mask = p[side + f]
            other = v if f == u else u if f == v else f
            difference = (mask >> u ^ mask >> v) & 1
            if p[side + other] != mask ^ (difference << u | difference << v):
                return False
    return True


@compiled
def relabel(p: Array, places: Array, q: Array) -> None:
    """Write a relabelling of a position, without owners; ``places`` has the new number of each field."""
    for f in range(9):
        for side in range(0, 18, 9):
            mask, after = p[side + f], 0
            for s in range(9):
                after |= (mask >> s & 1) << places[s]
            q[side + places[f]] = after
    q[18] = 9 if p[18] == 9 else places[p[18]]
    q[19] = 0
    q[20] = 0
    q[21] = p[21]


@compiled
def canonicalise(p: Array, colours: Array, order: Array, q: Array, row: Array, best: Array, places: Array) -> None:
    """Write the least row among some relabellings of a position that are the same for all its relabellings.

    Args:
        p: the position; its owners do not count.
        colours: scratch of ``SCRATCH`` rows of nine.
        order: scratch of ``SCRATCH`` rows of twelve: the fields by colour, then begin, end and next of the tie.
        q: scratch for a position.
        row: scratch for a row.
        best: the row found.
        places: what each field becomes in it.
    """
    for f in range(9):
        loops = (p[f] >> f & 1) | (p[9 + f] >> f & 1) << 1 | (p[18] == f) << 2
        colours[0, f] = loops | POPCOUNT[p[f]] << 3 | POPCOUNT[p[9 + f]] << 7
    best[0] = -1
    depth, is_new = 0, True
    while depth >= 0:
        if is_new:
            refine(p, colours[depth], colours[SCRATCH - 1])
            begin = order_fields(colours[depth], order[depth])
            if begin == 9:
                use_order(p, order[depth], order[SCRATCH - 1], q, row, best, places)
                depth, is_new = depth - 1, False
                continue
            end = begin + 1
            while end < 9 and colours[depth, order[depth, end]] == colours[depth, order[depth, begin]]:
                end += 1
            order[depth, 9], order[depth, 10], order[depth, 11] = begin, end, begin
        begin, end, k = order[depth, 9], order[depth, 10], order[depth, 11]
        if k == end:
            depth, is_new = depth - 1, False
            continue
        order[depth, 11] = k + 1
        is_new = True
        for j in range(begin, k):
            if are_twins(p, order[depth, j], order[depth, k]):
                is_new = False
                break
        if is_new:
            for f in range(9):
                colours[depth + 1, f] = colours[depth, f]
            colours[depth + 1, order[depth, k]] = mix(colours[depth, order[depth, k]] ^ 0xABCDEF)
            depth += 1


@compiled
def use_order(p: Array, order: Array, numbers: Array, q: Array, row: Array, best: Array, places: Array) -> None:
    """Number the fields in an order, and keep the row where it is the least so far."""
    for i in range(9):
        numbers[order[i]] = i
    relabel(p, numbers, q)
    pack(q, row)
    for i in range(3):
        if best[0] >= 0 and row[i] > best[i]:
            return
        if best[0] < 0 or row[i] < best[i]:
            break
        if i == 2:
            return
    for i in range(3):
        best[i] = row[i]
    for f in range(9):
        places[f] = numbers[f]
