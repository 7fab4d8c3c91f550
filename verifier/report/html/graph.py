"""The claim graph of a report: the claims that were checked and those that they rest on."""

from __future__ import annotations

from verifier.graph.build import build_claim_graph
from verifier.graph.picture import draw_claim_graph
from verifier.report.registry import Report


def draw_ledger_graph(report: Report) -> str:
    """Return the graph of a ledger's claims as SVG, coloured by standing; claims that are in the report are links.

    A claim that was not checked appears where one that was rests on it.
    """
    standings = {claim.id: claim.standing for claim in report.ledger.claims}
    graph = build_claim_graph(report.library, standings)
    needed = {other for claim in standings for other in graph.successors(claim)}
    shown = graph.copy()  # a view of some nodes would have them in the order of a set
    shown.remove_nodes_from([name for name in graph if name not in standings and name not in needed])
    # What was not checked is not a witness for what it rests on itself.
    shown.remove_edges_from([edge for edge in shown.edges if edge[0] not in standings])
    return draw_claim_graph(shown, lambda claim: f"#claim-{claim}" if claim in standings else None, is_file=False)
