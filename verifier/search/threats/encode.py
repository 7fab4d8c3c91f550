"""Turn the formulas of statements into programs for the module ``threats/formulas``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifier.search.jit import signed
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
"""For each word about a spot, its operation."""

WORD_OPERATIONS = {
    "ply": (op.PLY, 0),
    "X_line": (op.X_LINE, 0),
    "O_line": (op.O_LINE, 0),
    "line": (op.X_LINE, 0),
    "X_wins": (op.WINNER, 1),
    "O_wins": (op.WINNER, 2),
    "over": (op.OVER, 0),
}

OPERATIONS = {
    "not": (op.NOT, False, False),
    "and": (op.ALL_OF, False, False),
    "or": (op.ANY_OF, False, False),
    "exactly-one": (op.ONE, False, False),
    "sum": (op.SUM, False, False),
    "+": (op.SUM, False, False),
    "-": (op.MINUS, False, False),
    "==": (op.EQUAL, False, False),
    "iff": (op.EQUAL, False, False),
    "!=": (op.EQUAL, False, True),
    "<": (op.LESS, False, False),
    ">": (op.LESS, True, False),
    "<=": (op.LESS, True, True),
    ">=": (op.LESS, False, True),
}
"""For each operator its operation, whether its parts are reversed, and whether the result is negated."""


class UnknownWordError(Exception):
    """A formula has a word that this search does not know."""


def encode(node: Any, entries: Sequence[Any], code: list[tuple[int, int]]) -> int:
    """Append the program of a formula or a term to ``code``. Return the index of its first operation.

    Args:
        node: the formula.
        entries: the statement's ``formulas``.
        code: the operations so far, two numbers each.

    Raises:
        UnknownWordError: the formula has a word that this search does not know.
    """
    begin = len(code)
    if isinstance(node, int):
        code.append((op.CONSTANT, int(node)))
        return begin
    head, parts = node[0], node[1:]
    if head == "use":
        encode(entries[parts[0]], entries, code)
    elif head in INDEXED:
        code.append((INDEXED[head], signed(1 << parts[0])))
    elif head in WORD_OPERATIONS:
        code.append(WORD_OPERATIONS[head])
    elif head == "implies":
        encode(["or", ["not", parts[0]], parts[1]], entries, code)
    elif head in OPERATIONS:
        operation, is_turned, is_opposite = OPERATIONS[head]
        for part in parts[::-1] if is_turned else parts:
            encode(part, entries, code)
        code.append((operation, len(parts)))
        if is_opposite:
            code.append((op.NOT, 1))
    else:
        raise UnknownWordError(head)
    return begin
