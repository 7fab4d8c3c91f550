"""The families of games that this search can read, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import Statement
from verifier.search.threats.read import SearchQuestion, read_board

READERS: dict[str, Callable[[Mapping[str, Any], Statement], tuple[SearchQuestion, Symmetries | None] | None]] = {
    "positional": read_board
}
"""For each family, the function that reads a statement about a game of this family."""


def read_question(data: Mapping[str, Any], statement: Statement) -> tuple[SearchQuestion, Symmetries | None] | None:
    """Return the question of a statement with one objective, and the statement's symmetries.

    Return None if this search cannot read the statement. Symmetries are permutations of spots that change nothing;
    None in their place if only the identity was found.

    Args:
        data: the statement, as JSON.
        statement: the statement, compiled.
    """
    read = READERS.get(statement.game.family)
    return None if read is None else read(data, statement)
