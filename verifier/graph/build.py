"""The claim graph, and the strategy graph of a certificate."""

from __future__ import annotations

import networkx as nx

from verifier.kernel.plays import Walk, describe_end
from verifier.kernel.statement import Statement
from verifier.spec.library import Library, needed_claims


def build_claim_graph(library: Library) -> nx.DiGraph[str]:
    """Return a graph with an edge from each claim to each claim it rests on."""
    graph: nx.DiGraph[str] = nx.DiGraph(kind="claims")
    for name in sorted(library.claims):
        model = library.claim(name)
        graph.add_node(name, title=model.title, document=model.source.document, place=model.source.place)
    for name in sorted(library.claims):
        graph.add_edges_from((name, other) for other in needed_claims(library.claim(name)))
    return graph


def build_strategy_graph(statement: Statement, walked: Walk) -> nx.DiGraph[str]:
    """Return the positions of a certificate's plays, with the moves between them.

    Node attributes: ``position``, ``ply``, ``mover`` (``claimant``, ``opponent`` or ``end``), ``phase`` (of the rule
    the claimant uses there, or came by), ``reason`` (how a play ends there). Edge attributes: ``move`` and ``rule``.
    """
    game, nodes = statement.game, walked.nodes
    graph: nx.DiGraph[str] = nx.DiGraph(kind="strategy", claimant=statement.claimant, rules=game.name)
    number = {node.position: f"n{index}" for index, node in enumerate(nodes)}
    phases = {after: label.split(".")[0] for node in nodes for label, after in node.edges if label}
    for node in nodes:
        own = next((label.split(".")[0] for label, _ in node.edges if label), "")
        graph.add_node(
            number[node.position],
            position=game.format_position(node.position),
            ply=game.ply(node.position),
            mover="end" if not node.mover else "claimant" if node.mover == statement.claimant else "opponent",
            phase=own or phases.get(node.position, ""),
            reason=describe_end(statement, node.position) or "",
        )
    for node in nodes:
        played = (
            {game.play(node.position, move): move for move in game.legal_moves(node.position)} if node.edges else {}
        )
        for label, after in node.edges:
            graph.add_edge(number[node.position], number[after], move=game.format_move(played[after]), rule=label)
    return graph
