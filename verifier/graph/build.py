"""Builds the claim graph (which claim rests on which) and the strategy graph (the plays of a certificate)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

from verifier.describing import describe_rules, name_rules
from verifier.graph.plays import CertificateWalk, Walk, find_plies
from verifier.kernel.plays import Node
from verifier.kernel.statement import Statement
from verifier.language.library import Library
from verifier.language.outline import joined_claims, needed_claims
from verifier.presentation.family import describe_end

if TYPE_CHECKING:
    Graph: TypeAlias = nx.DiGraph[str]

JOINS, USES = "joins", "uses"
"""The kinds of edges from one claim to another.

``JOINS``: the verdict on the first claim rests on a reading of the second.
``USES``: people should read the second claim before the first, but no verdict depends on it.
"""


def build_claim_graph(library: Library, standings: Mapping[str, str] | None = None) -> nx.DiGraph[str]:
    """Return a graph with an edge from each claim to each claim that it joins or uses.

    Node attributes: ``label``, ``title``, ``document``, ``place``, and ``standing`` if standings by id are given. The
    edge attribute ``because`` is ``joins`` if the verdict on a reading of the first claim depends on the verdict on a
    reading of the second. It is ``uses`` if the second claim should be read first, but no verdict depends on that
    claim.
    """
    graph: nx.DiGraph[str] = nx.DiGraph(kind="claims")
    for name in sorted(library.claims):
        claim = library.claim(name)
        graph.add_node(name, label=name, title=claim.title, document=claim.source.document, place=claim.source.place)
        if standings is not None:
            graph.nodes[name]["standing"] = str(standings.get(name, "not checked"))
    for name in sorted(library.claims):
        claim = library.claim(name)
        joined = set(joined_claims(claim))
        for other in needed_claims(claim):
            graph.add_edge(name, other, because=JOINS if other in joined else USES)
    return graph


HELD = "pairs or weights prevent every line"
"""Says how a play ends that a table does not follow further: pairs of spots, or weights of lines, show that the
claimant can keep the other player from completing a line in time (``kernel.breaker``)."""


def build_strategy_graph(statement: Statement, walked: Walk) -> nx.DiGraph[str]:
    """Return the graph of the positions of a certificate's plays, with the moves between them.

    Node attributes: ``label``, ``position``, ``ply``, ``mover`` (``claimant``, ``opponent`` or ``end``), ``rule``,
    ``phase``, and ``reason`` (how a play ends there). ``rule`` and ``phase`` are about the rules that are used at the
    position. If no rule is used there, ``rule`` and ``phase`` are about the rules that led to the position. Edge
    attributes: ``move``, ``rule``, and ``ply`` and ``position`` after the move. Rules are joined by ``|``.
    """
    game, plies = statement.game, find_plies(statement, walked)
    whole = CertificateWalk(statement, walked, None, {})
    graph = start_graph(statement, kind="strategy")
    number = {node.position: f"n{index}" for index, node in enumerate(walked)}
    rules = find_rules(walked)
    for node in walked:
        position = node.position
        graph.add_node(number[position], **describe_position(statement, node, plies[position], rules[position]))
    for node in walked:
        moves = whole.find_moves(node)
        for after, used in label_edges(node).items():
            to = graph.nodes[number[after]]
            looks = {"ply": to["ply"], "position": to["position"]}
            move, rule = game.format_move(moves[after]), "|".join(used)
            graph.add_edge(number[node.position], number[after], move=move, rule=rule, **looks)
    return graph


def start_graph(statement: Statement, kind: str) -> nx.DiGraph[str]:
    """Return an empty graph of plays. Its attributes name the claimant and the rules."""
    rules = f"{name_rules(statement.game)}, {describe_rules(statement.game)}"
    return nx.DiGraph(kind=kind, claimant=statement.claimant, rules=rules)


def describe_position(statement: Statement, node: Node, ply: int, rules: Iterable[str]) -> dict[str, Any]:
    """Return the attributes of a position in a graph of plays."""
    reason = describe_end(statement, node.position) or ("" if node.edges else HELD)
    return {
        "label": f"ply {ply}" + (f": {reason}" if reason else ""),
        "position": statement.game.format_position(node.position),
        "ply": ply,
        "mover": "end" if not node.edges else "claimant" if node.mover == statement.claimant else "opponent",
        "phase": "|".join(dict.fromkeys(rule.split(".")[0] for rule in rules)),
        "rule": "|".join(rules),
        "reason": reason,
    }


def label_edges(node: Node) -> dict[Any, list[str]]:
    """Return the positions to which the moves of a node lead, each with the rules that make these moves."""
    labels: dict[Any, list[str]] = {}
    for label, after in node.edges:
        labels.setdefault(after, []).append(label)
    return {after: sorted(used) for after, used in labels.items()}


def find_rules(nodes: Walk) -> dict[Any, list[str]]:
    """Return, for each position, the rules that are used at it; if there are none, the rules that led to it."""
    own = {node.position: sorted({label for label, _ in node.edges if label}) for node in nodes}
    came: dict[Any, set[str]] = {}
    for node in nodes:
        for label, after in node.edges:
            if label:
                came.setdefault(after, set()).add(label)
    return {position: found or sorted(came.get(position, ())) for position, found in own.items()}
