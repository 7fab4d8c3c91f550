"""Ground formulas and strategies of the kernel as programs of a small machine (``machine.py`` runs them).

An instruction is a row of three integers: what to do, and two operands. A mark, or several of one field that are
joined by ``and``, ``or`` or ``sum``, is one test of a mask.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from verifier.kernel.errors import SpecError
from verifier.kernel.formula import MAX_INTEGER
from verifier.search.jit import Array

(HALT, CONST, ALL, ANY_OF, COUNT, ACTIVE, OWNED, ALIGNED, OVER, PLY, NOT, ADD, SUB) = range(13)
(EQ, NE, LT, LE) = range(13, 17)
(JUMP_IF_FALSE, JUMP_IF_TRUE, SKIP_IF_FALSE, SKIP_IF_FOUND, STOP_IF_MET, MEET, EMIT) = range(17, 24)

STACK = 256
"""Places on the machine's stack; a formula as deep as the kernel allows needs fewer."""

_PLANES = {"X": 0, "O": 9, "free": 18}
"""Where the masks of a word begin: those of free spots, from 18 on, are computed."""

_COMPARISONS = {"==": EQ, "!=": NE, "<": LT, "<=": LE, ">": LT, ">=": LE}


class Program:
    """Instructions for the formulas and strategies of one statement."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int]] = []

    def code(self) -> Array:
        """Return the instructions as an array."""
        return np.array(self.rows, dtype=np.int64).reshape(len(self.rows), 3)

    def add_formula(self, formula: Any) -> int:
        """Add a formula; return where its instructions begin.

        Raises:
            SpecError: it holds something that the machine has no instruction for.
        """
        entry = len(self.rows)
        self._formula(formula)
        self._put(HALT)
        return entry

    def add_strategy(self, data: Any) -> int:
        """Add a strategy; return where its instructions begin.

        Raises:
            SpecError: it holds something that the machine has no instruction for.
        """
        entry = len(self.rows)
        for phase in data["phases"]:
            for instance in phase["instances"]:
                self._formula(instance["when"])
                unless = self._put(SKIP_IF_FALSE)
                self._put(MEET)
                found = [self._rule(rule) for rule in instance["rules"]]
                for place in [unless, *found]:
                    self._aim(place)
            self._put(STOP_IF_MET)
        self._put(HALT)
        return entry

    def _rule(self, rule: Any) -> int:
        for choice in rule["choices"]:
            move = choice["play"]
            if len(move) != 2 or not all(0 <= part <= 8 for part in move):
                raise SpecError(f"the engine knows no move {move}")
            self._formula(choice["when"])
            unless = self._put(SKIP_IF_FALSE)
            self._put(EMIT, *move)
            self._aim(unless)
        return self._put(SKIP_IF_FOUND)

    def _put(self, what: int, a: int = 0, b: int = 0) -> int:
        self.rows.append((what, a, b))
        return len(self.rows) - 1

    def _aim(self, place: int) -> None:
        """Let a jump lead to the next instruction."""
        what, _, b = self.rows[place]
        self.rows[place] = (what, len(self.rows), b)

    def _formula(self, node: Any) -> None:
        if isinstance(node, bool):
            self._put(CONST, int(node))
            return
        head, args = node[0], node[1:]
        if head in _PLANES:
            self._put(ALL, _PLANES[head] + args[0], 1 << args[1])
        elif head == "full":
            self._put(ANY_OF, _PLANES["free"] + args[0], 511)
            self._put(NOT)
        elif head == "active":
            self._put(ACTIVE, args[0])
        elif head in ("won_by_X", "won_by_O"):
            self._put(OWNED, "XO".index(head[-1]), args[0])
        elif head in ("X_wins", "O_wins"):
            self._put(ALIGNED, "XO".index(head[0]))
        elif head == "over":
            self._put(OVER)
        elif head == "not":
            self._formula(args[0])
            self._put(NOT)
        elif head in ("and", "or"):
            self._junction(head, args)
        elif head == "implies":
            self._junction("or", [["not", args[0]], args[1]])
        elif head == "exactly-one":
            self._formula(["==", ["sum", *args], 1])
        elif head == "iff":
            self._formula(args[0])
            self._formula(args[1])
            self._put(EQ)
        elif head in _COMPARISONS:
            for term in args if head not in (">", ">=") else args[::-1]:
                self._term(term)
            self._put(_COMPARISONS[head])
        else:
            raise SpecError(f"the engine has no instruction for {str(head)[:40]!r}")

    def _junction(self, head: str, args: list[Any]) -> None:
        """Leave the value of a conjunction or disjunction, looking no further than it needs."""
        masks, others = _gather(args)
        jumps = []
        what, jump = (ALL, JUMP_IF_FALSE) if head == "and" else (ANY_OF, JUMP_IF_TRUE)
        for place, mask in masks:
            self._put(what, place, mask)
            jumps.append(self._put(jump))
        for arg in others:
            self._formula(arg)
            jumps.append(self._put(jump))
        self._put(CONST, int(head == "and"))
        for place in jumps:
            self._aim(place)

    def _term(self, node: Any) -> None:
        if type(node) is int and abs(node) <= MAX_INTEGER:
            self._put(CONST, node)
            return
        head, args = (node[0], node[1:]) if isinstance(node, list) else (str(node), [])
        if head == "ply":
            self._put(PLY)
        elif head == "-":
            self._term(args[0])
            self._term(args[1])
            self._put(SUB)
        elif head in ("sum", "+"):
            self._sum(*(_gather(args) if head == "sum" else ([], args)), self._formula if head == "sum" else self._term)
        else:
            raise SpecError(f"the engine has no instruction for {head[:40]!r}")

    def _sum(self, masks: list[tuple[int, int]], others: list[Any], put: Callable[[Any], None]) -> None:
        for number, (place, mask) in enumerate(masks):
            self._put(COUNT, place, mask)
            if number:
                self._put(ADD)
        if not masks:
            self._put(CONST, 0)
        for arg in others:
            put(arg)
            self._put(ADD)


def _gather(args: list[Any]) -> tuple[list[tuple[int, int]], list[Any]]:
    """Join the marks among some formulas to a mask a field; one that stands twice is counted twice."""
    masks: dict[int, int] = {}
    others = []
    for arg in args:
        if isinstance(arg, list) and arg[0] in _PLANES:
            place, bit = _PLANES[arg[0]] + arg[1], 1 << arg[2]
            if not masks.get(place, 0) & bit:
                masks[place] = masks.get(place, 0) | bit
                continue
        others.append(arg)
    return list(masks.items()), others
