"""Run a program of ``program.py`` on a position."""

from __future__ import annotations

from tests.search.compiled.position import ALIGNED as HAS_LINE
from tests.search.compiled.position import POPCOUNT
from tests.search.compiled.program import (
    ACTIVE,
    ADD,
    ALIGNED,
    ALL,
    ANY_OF,
    CONST,
    COUNT,
    EMIT,
    EQ,
    HALT,
    JUMP_IF_TRUE,
    LE,
    LT,
    MEET,
    NE,
    NOT,
    OVER,
    OWNED,
    PLY,
    SKIP_IF_FALSE,
    SKIP_IF_FOUND,
    STOP_IF_MET,
    SUB,
)
from verifier.search.jit import Array, compiled


@compiled
def run(code: Array, entry: int, p: Array, is_over: int, stack: Array, chosen: Array) -> int:
    """Return the value of a formula in a position; of a strategy, whether it has a move, its moves in ``chosen``.

    Args:
        code: the program.
        entry: where the formula or the strategy begins.
        p: the position.
        is_over: whether the game is over in it.
        stack: room for intermediate values.
        chosen: for each field the mask of the spots that the strategy names; changed by a strategy only.
    """
    at, top = entry, -1
    met, found, some = 0, 0, 0
    while True:
        what, a, b = code[at, 0], code[at, 1], code[at, 2]
        at += 1
        if what <= PLY:
            if what == HALT:
                return stack[top] if top >= 0 else some
            top += 1
            if what == CONST:
                stack[top] = a
            elif what <= COUNT:
                marks = p[a] if a < 18 else 511 & ~(p[a - 18] | p[a - 9])
                if what == ALL:
                    stack[top] = marks & b == b
                elif what == ANY_OF:
                    stack[top] = marks & b != 0
                else:
                    stack[top] = POPCOUNT[marks & b]
            elif what == ACTIVE:
                stack[top] = p[18] == a
            elif what == OWNED:
                stack[top] = p[19 + a] >> b & 1
            elif what == ALIGNED:
                stack[top] = HAS_LINE[p[19 + a]]
            elif what == OVER:
                stack[top] = is_over
            else:
                stack[top] = p[21]
        elif what == NOT:
            stack[top] = 1 - stack[top]
        elif what <= LE:
            top -= 1
            left, right = stack[top], stack[top + 1]
            if what == ADD:
                stack[top] = left + right
            elif what == SUB:
                stack[top] = left - right
            elif what == EQ:
                stack[top] = left == right
            elif what == NE:
                stack[top] = left != right
            elif what == LT:
                stack[top] = left < right
            else:
                stack[top] = left <= right
        elif what <= JUMP_IF_TRUE:
            if (stack[top] != 0) == (what == JUMP_IF_TRUE):
                at = a
            else:
                top -= 1
        elif what == SKIP_IF_FALSE:
            top -= 1
            if not stack[top + 1]:
                at = a
        elif what == MEET:
            met, found = 1, 0
        elif what == EMIT:
            found, some = 1, 1
            chosen[a] |= 1 << b
        elif what == SKIP_IF_FOUND:
            if found:
                at = a
        elif what == STOP_IF_MET and met:
            return some
