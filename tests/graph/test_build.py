from __future__ import annotations

import pathlib

import networkx as nx

from tests.audit.made import edit, write_specs
from tests.graph.conftest import Plays
from verifier.graph.build import build_claim_graph, build_strategy_graph
from verifier.kernel.plays import Node
from verifier.language.folder import load_library
from verifier.language.library import Library


def test_the_claim_graph_tells_joins_from_uses(library: Library, claims: nx.DiGraph[str]) -> None:
    """A claim's verdict rests on what it joins; what it uses is to be read before; there are no other edges."""
    for name in library.claims:
        claim = library.claim(name)
        joined = {text.split("/")[0] for reading in claim.readings.values() for text in reading.joins} - {name}
        edges = claims[name]
        assert {other for other in edges if edges[other]["because"] == "joins"} == joined
        assert {other for other in edges if edges[other]["because"] == "uses"} == set(claim.uses) - joined
        assert set(edges) == joined | set(claim.uses)


def test_standings_are_those_given(library: Library) -> None:
    """A claim without a standing is one that was not run; without a ledger, nothing is said."""
    name = min(library.claims)
    graph = build_claim_graph(library, {name: "refuted"})
    assert {data["standing"] for other, data in graph.nodes(data=True) if other != name} == {"not run"}
    assert graph.nodes[name]["standing"] == "refuted"
    assert not any("standing" in data for _, data in build_claim_graph(library).nodes(data=True))


def test_definitions_are_what_statements_mention(library: Library, claims: nx.DiGraph[str]) -> None:
    """With definitions, every shared file is a node, and the claims and their edges stay as they are."""
    graph = build_claim_graph(library, definitions=True)
    assert nx.is_directed_acyclic_graph(graph)
    assert graph.subgraph(library.claims).edges == claims.edges
    assert len(graph) == len(library.claims) + len(library.definitions) + len(library.strategies)
    added = [edge for edge in graph.edges if edge not in claims.edges]
    assert all(graph.edges[edge]["because"] == "statement" for edge in added)
    for name in library.claims:
        mentioned = {f"definitions {other}" for other in library.claim(name).includes}
        assert mentioned == {other for other in graph[name] if other.startswith("definitions ")}
    assert any(other.startswith("strategy ") for name in library.claims for other in graph[name])


def test_a_phase_of_a_strategy_is_of_that_strategy(tmp_path: pathlib.Path) -> None:
    """What is said of 'careful-first#all' rests on the strategy: there is no other node for it."""
    folder = write_specs(tmp_path / "specs")
    edit(
        folder / "careful-first-is-safe.yaml", "strategies: {X: careful-first}", 'strategies: {X: "careful-first#all"}'
    )
    graph = build_claim_graph(load_library(folder), definitions=True)
    assert "strategy careful-first" in graph["careful-first-is-safe"]
    assert all("document" in data for _, data in graph.nodes(data=True))


def test_several_rules_for_one_move_are_all_kept(careful: Plays) -> None:
    statement, walked = careful
    first = walked[0]
    label, after = first.edges[0]
    nodes = (Node(first.position, first.mover, ((label, after), ("a.rule", after))), Node(after, "", ()))
    graph = build_strategy_graph(statement, nodes)
    assert graph.edges["n0", "n1"]["rule"] == f"a.rule|{label}"
    assert graph.nodes["n0"]["rule"] == graph.nodes["n1"]["rule"] == f"a.rule|{label}"
