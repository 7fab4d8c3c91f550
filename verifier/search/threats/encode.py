"""Formulas, as statements carry them, become programs for ``formulas``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifier.search.threats import formulas as op

INDEXED = {
    "X": op.X_MARK,
    "O": op.O_MARK,
    "marked": op.X_MARK,
    "free": op.FREE,
    "X_makes": op.X_MAKES,
    "O_makes": op.O_MAKES,
    "makes": op.X_MAKES,
}
"""Words about a spot."""

PLAIN = {
    "ply": (op.PLY, 0),
    "X_line": (op.X_LINE, 0),
    "O_line": (op.O_LINE, 0),
    "line": (op.X_LINE, 0),
    "X_wins": (op.WINNER, 1),
    "O_wins": (op.WINNER, 2),
    "over": (op.OVER, 0),
}

COUNTED = {"not": op.NOT, "and": op.ALL, "or": op.ANY, "exactly-one": op.ONE, "sum": op.SUM, "+": op.SUM}
"""Operators whose parts are taken as they come."""

ORDERED = {
    "-": (op.MINUS, False, False),
    "==": (op.EQUAL, False, False),
    "iff": (op.EQUAL, False, False),
    "!=": (op.EQUAL, False, True),
    "<": (op.LESS, False, False),
    ">": (op.LESS, True, False),
    "<=": (op.LESS, True, True),
    ">=": (op.LESS, False, True),
}
"""Operators of two parts: the operation, whether it takes them in the other order, whether its opposite is meant."""


class UnknownWordError(Exception):
    """A formula has a word that this search does not know."""


def bit_of(spot: int) -> int:
    """Return the mask of a spot, as a signed word."""
    return 1 << spot if spot < 63 else -(1 << 63)


class Encoder:
    """Writes programs one after the other.

    Attributes:
        code: the operations so far, two numbers each.
    """

    def __init__(self, entries: Sequence[Any]) -> None:
        """Begin without a program.

        Args:
            entries: the statement's ``formulas``.
        """
        self._entries = entries
        self.code: list[tuple[int, int]] = []

    def add(self, node: Any) -> int:
        """Write the program of a formula or a term; return where it begins.

        Raises:
            UnknownWordError: it has a word that is not known here.
        """
        begin = len(self.code)
        self._write(node)
        return begin

    def _write(self, node: Any) -> None:
        if isinstance(node, int):
            self.code.append((op.CONSTANT, int(node)))
            return
        head, parts = node[0], node[1:]
        if head == "use":
            self._write(self._entries[parts[0]])
        elif head in INDEXED:
            self.code.append((INDEXED[head], bit_of(parts[0])))
        elif head in PLAIN:
            self.code.append(PLAIN[head])
        elif head in COUNTED:
            self._write_all(parts)
            self.code.append((COUNTED[head], len(parts)))
        elif head in ORDERED:
            self._write_pair(*ORDERED[head], parts)
        elif head == "implies":
            self._write(["or", ["not", parts[0]], parts[1]])
        else:
            raise UnknownWordError(head)

    def _write_all(self, parts: Sequence[Any]) -> None:
        for part in parts:
            self._write(part)

    def _write_pair(self, operation: int, is_turned: bool, is_opposite: bool, parts: Sequence[Any]) -> None:
        self._write_all(parts[::-1] if is_turned else parts)
        self.code.append((operation, 2))
        if is_opposite:
            self.code.append((op.NOT, 1))
