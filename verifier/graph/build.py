"""The claim graph, and the strategy graph of a certificate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

from verifier.graph.plays import Walk
from verifier.kernel.statement import Statement
from verifier.kernel.words import describe_rules, name_rules
from verifier.language.library import Library
from verifier.language.outline import joined_claims, needed_claims
from verifier.presentation.family import describe_end

if TYPE_CHECKING:
    Graph: TypeAlias = nx.DiGraph[str]

JOINS, USES = "joins", "uses"
"""The kinds of edges: the verdict rests on a reading of the other claim; or the other claim should be read first."""


def build_claim_graph(library: Library, standings: Mapping[str, str] | None = None) -> nx.DiGraph[str]:
    """Return a graph with an edge from each claim to each claim that it joins or uses.

    Node attributes: ``label``, ``title``, ``document``, ``place``, and ``standing`` if standings by id are given. The
    edge attribute ``because`` is ``joins`` if the verdict on a reading depends on the verdict on a reading of the other
    claim, and ``uses`` if the other claim should only be read first.
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


HELD = "held by pairs or weights"
"""The reason at positions where the table stops because pairs or weights prove the rest (``kernel.breaker``)."""


def build_strategy_graph(statement: Statement, walked: Walk) -> nx.DiGraph[str]:
    """Return the positions of a certificate's plays, with the moves between them.

    Node attributes: ``label``, ``position``, ``ply``, ``mover`` (``claimant``, ``opponent`` or ``end``), ``rule`` and
    ``phase`` (the rules used at the position; if there are none, the rules that led to it), ``reason`` (how a play ends
    there). Edge attributes: ``move``, ``rule``, and ``ply`` and ``position`` after the move. Rules are joined by ``|``.
    """
    game = statement.game
    rules_text = f"{name_rules(game)}, {describe_rules(game)}"
    graph: nx.DiGraph[str] = nx.DiGraph(kind="strategy", claimant=statement.claimant, rules=rules_text)
    number = {node.position: f"n{index}" for index, node in enumerate(walked)}
    rules = _find_rules(walked)
    for node in walked:
        found, ply = rules[node.position], game.ply(node.position)
        reason = describe_end(statement, node.position) or ("" if node.edges else HELD)
        graph.add_node(
            number[node.position],
            label=f"ply {ply}" + (f": {reason}" if reason else ""),
            position=game.format_position(node.position),
            ply=ply,
            mover="end" if not node.edges else "claimant" if node.mover == statement.claimant else "opponent",
            phase="|".join(dict.fromkeys(rule.split(".")[0] for rule in found)),
            rule="|".join(found),
            reason=reason,
        )
    for node in walked:
        moves = {game.play(node.position, move): move for move in game.legal_moves(node.position)}
        labels: dict[Any, list[str]] = {}
        for label, after in node.edges:
            labels.setdefault(after, []).append(label)
        for after, used in labels.items():
            to = graph.nodes[number[after]]
            move, rule = game.format_move(moves[after]), "|".join(sorted(used))
            looks = {"move": move, "rule": rule, "ply": to["ply"], "position": to["position"]}
            graph.add_edge(number[node.position], number[after], **looks)
    return graph


def _find_rules(nodes: Walk) -> dict[Any, list[str]]:
    """Return, for each position, the rules that are used at it; if there are none, the rules that led to it."""
    own = {node.position: sorted({label for label, _ in node.edges if label}) for node in nodes}
    came: dict[Any, set[str]] = {}
    for node in nodes:
        for label, after in node.edges:
            if label:
                came.setdefault(after, set()).add(label)
    return {position: found or sorted(came.get(position, ())) for position, found in own.items()}
