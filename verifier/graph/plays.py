"""The plays of a statement, as the kernel walks through them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.kernel.automorphism import Symmetries
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


def unfold(statement: Statement, walk: Walk, symmetries: Symmetries, limit: int) -> Walk | None:
    """Return the plays of a walk up to symmetry, position by position; None where there are more than so many.

    Of moves that a symmetry of the position joins the claimant makes the first one.

    Args:
        statement: whose plays they are.
        walk: the kernel's.
        symmetries: those that it was folded by.
        limit: the most positions.
    """
    told = {node.position: node for node in walk.nodes}
    level, nodes = {statement.start: told[statement.start]}, list[Node]()
    while level and len(nodes) <= limit:
        following: dict[Any, Node] = {}
        for position, node in level.items():
            moves = statement.game.legal_moves(position) if node.mover else ()
            after = {
                reached: symmetries.least(reached) for reached in (statement.game.play(position, m) for m in moves)
            }
            chosen = {least for _, least in node.edges}
            edges = [reached for reached, least in after.items() if least in chosen]
            edges = edges[:1] if node.mover == statement.claimant else edges
            nodes.append(Node(position, node.mover, tuple(("", reached) for reached in edges)))
            following.update((reached, told[after[reached]]) for reached in edges)
        level = following
    return None if level else Walk(tuple(nodes))


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
