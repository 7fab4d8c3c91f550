from __future__ import annotations

import networkx as nx

from tests.graph.conftest import read
from verifier.graph.build import build_claim_graph, build_strategy_graph
from verifier.kernel.plays import Node
from verifier.language.library import Library


def test_the_claim_graph_tells_joins_from_uses(library: Library, claims: nx.DiGraph[str]) -> None:
    """A verdict rests on joined claims. Used claims should only be read first. There are no other edges."""
    for name in library.claims:
        claim = library.claim(name)
        joined = {text.split("/")[0] for reading in claim.readings.values() for text in reading.joins} - {name}
        edges = claims[name]
        assert {other for other in edges if edges[other]["because"] == "joins"} == joined
        assert {other for other in edges if edges[other]["because"] == "uses"} == set(claim.uses) - joined
        assert set(edges) == joined | set(claim.uses)


def test_the_graph_has_the_given_standings(library: Library) -> None:
    """A claim that was not run has no standing. Without a ledger, no claim has one."""
    name = min(library.claims)
    graph = build_claim_graph(library, {name: "refuted"})
    assert {data["standing"] for other, data in graph.nodes(data=True) if other != name} == {"not checked"}
    assert graph.nodes[name]["standing"] == "refuted"
    assert not any("standing" in data for _, data in build_claim_graph(library).nodes(data=True))


def test_several_rules_for_one_move_are_all_kept() -> None:
    statement, walked = read("careful-first-is-safe")
    first = walked[0]
    label, after = first.edges[0]
    nodes = (Node(first.position, first.mover, ((label, after), ("a.rule", after))), Node(after, "", ()))
    graph = build_strategy_graph(statement, nodes)
    assert graph.edges["n0", "n1"]["rule"] == f"a.rule|{label}"
    assert graph.nodes["n0"]["rule"] == graph.nodes["n1"]["rule"] == f"a.rule|{label}"
