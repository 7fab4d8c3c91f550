"""The claim graph of a report: the claims that were checked and those that they rest on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from verifier.graph.ledger import build_ledger_graph, fold_families
from verifier.graph.picture import draw_around, draw_claim_graph
from verifier.report.errata.collect import label_of
from verifier.report.registry import Report

if TYPE_CHECKING:
    from verifier.graph.build import Graph


def open_graph(report: Report) -> Graph:
    """Return the graph of a ledger's claims, by their documents' own names."""
    standings = {claim.id: claim.standing for claim in report.ledger.claims}
    labels = {name: label_of(report.library, name) for name in report.library.claims}
    return build_ledger_graph(report.library, standings, labels)


def draw_ledger_graph(report: Report) -> str:
    """Return the graph as SVG, coloured by standing, families folded; claims that are in the report are links."""
    graph = open_graph(report)
    folded = fold_families(graph, {name: report.library.claims[name].document.file for name in graph})
    return draw_claim_graph(_tell_apart(folded), lambda name: _link(graph, name), is_file=False)


def draw_neighbours(graph: Graph, claim: str) -> str:
    """Return a claim with what rests on it and what it rests on, as SVG; empty where it stands alone."""
    return draw_around(_tell_apart(graph), claim, lambda name: _link(graph, name))


def _tell_apart(graph: Graph) -> Graph:
    """Call claims that a document calls the same by their ids; this modifies the given graph."""
    count = Counter((data["document"], data["label"]) for _, data in graph.nodes(data=True))
    for name, data in graph.nodes(data=True):
        if count[data["document"], data["label"]] > 1:
            data["label"] = name
    return graph


def _link(graph: Graph, name: str) -> str | None:
    return f"#claim-{name}" if graph.nodes[name]["link"] else None
