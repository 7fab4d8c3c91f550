"""The plays of a statement, as the kernel walks through them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.kernel.objective import scopes_of_label, standing_scopes
from verifier.kernel.plays import Node, walk
from verifier.kernel.statement import Statement


@dataclass(frozen=True, slots=True)
class Walk:
    """Every position of a statement's plays, ply by ply."""

    nodes: tuple[Node, ...]


def walk_through(statement: Statement) -> Walk:
    """Return every play of a statement whose strategies leave the claimant no choice."""
    return Walk(tuple(walk(statement, None)))


def group_scopes(statement: Statement, nodes: Iterable[Node]) -> Mapping[str, Mapping[Any, None]]:
    """Return the positions of each scope."""
    found: dict[str, dict[Any, None]] = {}
    for node in nodes:
        for scope in standing_scopes(statement, node):
            found.setdefault(scope, {})[node.position] = None
        for label, after in node.edges:
            for scope in scopes_of_label("after", label):
                found.setdefault(scope, {})[after] = None
    return found
