"""Scopes: the positions that an objective is about. For example, ``end`` has the positions where the game is over.

This module is trusted to find the scopes of a position, as ``proofs/README.md`` describes them in §6. A scope such as
``after:LABEL`` depends on how plays come to a position. So this module first looks at all moves that lead there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from typing import TYPE_CHECKING, Any

from verifier.kernel.errors import CertificateError
from verifier.kernel.statement import SCOPES, Objective, Statement

if TYPE_CHECKING:
    from verifier.kernel.plays import Node


def require_met(objective: Objective, met: Set[str]) -> None:
    """Require that plays met each scope of an objective. It would say nothing about a scope without positions."""
    missing = sorted(objective.scopes - met)
    if missing:
        raise CertificateError("vacuous-scope", f"{objective.name!r}: no play has a position in scope {missing[0]!r}")


def with_scopes(statement: Statement, nodes: Iterable[Node]) -> Iterator[tuple[Node, int, Set[str]]]:
    """Yield the positions of a walk or a line, with the ply and the scopes of each.

    If ``has_number`` is True, the nodes must be sorted by ply. If it is False, a later move can lead to an earlier
    position. So all nodes are collected first if an objective names a scope with a label.
    """
    has_labels = any(scope not in SCOPES for objective in statement.objectives for scope in objective.scopes)
    at, came, coming = -1, defaultdict[Any, set[str]](set), defaultdict[Any, set[str]](set)
    if has_labels and not statement.has_number:
        nodes = [*nodes]
        for label, after in (edge for node in nodes for edge in node.edges):
            came[after] |= {f"after:{name}" for name in _names_of(label)}
    for node in nodes:
        ply = statement.game.ply(node.position)
        scopes = {"every", "start"} if node.position == statement.start else {"every"}
        if node.mover:
            scopes.add("claimant" if node.mover == statement.claimant else "opponent")
        elif statement.game.is_over(node.position):
            scopes.add("end")
        if has_labels:
            if ply != at and statement.has_number:
                at, came, coming = ply, coming, defaultdict(set)
            for label, after in node.edges:
                scopes |= {f"before:{name}" for name in _names_of(label)}
                coming[after] |= {f"after:{name}" for name in _names_of(label)}
            scopes |= came[node.position]
        yield node, ply, scopes


def _names_of(label: str) -> Set[str]:
    """Return the names that scopes can use for a rule with this label: ``phase.rule`` and ``phase``."""
    return {label, label.split(".", maxsplit=1)[0]} if label else set()
