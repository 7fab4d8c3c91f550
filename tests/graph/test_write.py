from __future__ import annotations

import functools
import io
import json
import re
from collections.abc import Callable
from typing import Any

import networkx as nx
import pygraphviz
import pytest

from tests.graph.conftest import read
from verifier.audit.ledger import Standing
from verifier.cli.graph import GRAPH_FORMATS
from verifier.graph.build import build_claim_graph, build_strategy_graph
from verifier.graph.fold import fold_plays
from verifier.graph.plays import CertificateWalk
from verifier.graph.write import flatten_counts, write_graph
from verifier.language.library import Library

write_once = functools.lru_cache(maxsize=16)(write_graph)
"""Writes a graph in a format, once for all tests that look at what was written."""


@pytest.fixture(scope="module", params=["claims", "ledger", "plays", "folded", "unfolded"])
def graph(request: pytest.FixtureRequest, library: Library) -> nx.DiGraph[str]:
    """Each kind of graph that can be written."""
    if request.param == "claims":
        return build_claim_graph(library)
    if request.param == "ledger":
        return build_claim_graph(library, dict.fromkeys(library.claims, Standing.REPAIRED))
    if request.param == "plays":
        return build_strategy_graph(*read("lemma-3-edge-line"))
    walked = CertificateWalk(*read("lemma-3-edge-line"), None, {})
    return flatten_counts(fold_plays(walked, 20 if request.param == "unfolded" else -1))


def typed(data: dict[str, Any], *without: str) -> dict[str, tuple[type, Any]]:
    return {key: (type(value), value) for key, value in data.items() if key not in without}


def require_same(graph: nx.DiGraph[str], again: Any, without: tuple[str, ...], without_edge: tuple[str, ...]) -> None:
    """Require the same nodes and edges, with the same attributes of the same types. A format may add its own."""
    assert again.is_directed()
    assert not again.is_multigraph()
    assert set(again.nodes) == set(graph.nodes)
    assert set(again.edges) == set(graph.edges)
    for name, data in graph.nodes(data=True):
        assert typed(again.nodes[name], *without) == typed(data)
    for source, target, data in graph.edges(data=True):
        assert typed(again.edges[source, target], *without_edge) == typed(data)


READERS: dict[str, tuple[Callable[[str], Any], tuple[str, ...], tuple[str, ...]]] = {
    "graphml": (nx.parse_graphml, (), ()),
    "gexf": (lambda text: nx.read_gexf(io.BytesIO(text.encode())), (), ("id",)),
    "json": (lambda text: nx.node_link_graph(json.loads(text), edges="edges"), (), ()),
    "cytoscape": (lambda text: nx.cytoscape_graph(json.loads(text)), ("id", "value", "name"), ("source", "target")),
}
"""What reads a format, and the attributes of nodes and of edges that the format adds."""


@pytest.mark.parametrize("form", READERS)
def test_networkx_reads_what_was_written(form: str, graph: nx.DiGraph[str]) -> None:
    """It reads the same graph from each format that it knows, including attributes of the graph."""
    read, *added = READERS[form]
    again = read(write_once(graph, form))
    require_same(graph, again, *added)
    if form in ("graphml", "json"):
        assert {key: again.graph[key] for key in graph.graph} == graph.graph


def test_formats_have_what_other_programs_need(graph: nx.DiGraph[str]) -> None:
    """Cytoscape shows the name of a node, its label. GEXF has its version."""
    elements = json.loads(write_once(graph, "cytoscape"))["elements"]
    labels = {name: data["label"] for name, data in graph.nodes(data=True)}
    assert {node["data"]["id"]: node["data"]["name"] for node in elements["nodes"]} == labels
    assert {(edge["data"]["source"], edge["data"]["target"]) for edge in elements["edges"]} == set(graph.edges)
    assert 'version="1.2"' in write_once(graph, "gexf")


def test_graphviz_reads_what_is_written_as_dot(graph: nx.DiGraph[str]) -> None:
    """Graphviz reads each node and each edge with its attributes, as text. Empty attributes may be missing."""
    again = pygraphviz.AGraph(string=write_once(graph, "dot"))
    nodes: dict[Any, dict[str, str]] = {str(node): dict(node.attr) for node in again.nodes()}
    edges: dict[Any, dict[str, str]] = {tuple(map(str, edge)): dict(edge.attr) for edge in again.edges()}
    for written, real in ((nodes, dict(graph.nodes)), (edges, dict(graph.edges))):
        assert set(written) == set(real)
        for name, data in real.items():
            said = {key: str(value).replace("\n", "\\n") for key, value in data.items() if value != ""}
            assert said.items() <= written[name].items()


def test_dot_quotes_as_graphviz_reads() -> None:
    """Only quotation marks and backslashes are escaped: Graphviz would show other escapes as they stand."""
    graph: nx.DiGraph[str] = nx.DiGraph(kind="claims")
    graph.add_node("a", label='say "4×4" \\ or –')
    assert 'label="say \\"4×4\\" \\\\ or –"' in write_graph(graph, "dot")


def test_the_same_graph_is_the_same_file(graph: nx.DiGraph[str]) -> None:
    for form in GRAPH_FORMATS:
        if form != "svg" or graph.graph["kind"] == "claims":
            text = write_once(graph, form)
            assert text == write_graph(graph.copy(), form)
            assert not re.search(r"\b20\d\d-\d\d-\d\d\b", text)
