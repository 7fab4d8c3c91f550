from __future__ import annotations

import itertools

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st
from verifier.graph.layout import Drawing, Size, lay_out

EDGES = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=40)
SIZES = st.lists(st.tuples(st.integers(10, 300), st.integers(10, 60)), min_size=15, max_size=15)


def make(edges: list[tuple[int, int]], *, is_acyclic: bool) -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(str(node) for node in sorted({node for edge in edges for node in edge} | {0}))
    graph.add_edges_from((str(a), str(b)) for a, b in edges if a < b or not is_acyclic)
    return graph


def boxes(drawing: Drawing) -> dict[str, tuple[float, float, float, float]]:
    found = {}
    for name, (x, y) in drawing.centres.items():
        width, height = drawing.sizes[name]
        found[name] = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    return found


@settings(max_examples=60, deadline=None)
@given(EDGES, SIZES, st.booleans())
def test_nodes_and_edges_are_drawn_apart(edges: list[tuple[int, int]], sizes: list[Size], is_acyclic: bool) -> None:
    """Nodes do not overlap and lie inside; edges without circles lead forward; the same graph is drawn the same."""
    graph = make(edges, is_acyclic=is_acyclic)
    given_sizes = {name: sizes[int(name)] for name in graph}
    drawing = lay_out(graph, given_sizes)
    assert drawing == lay_out(graph.copy(), given_sizes)
    placed = boxes(drawing)
    assert set(placed) == set(graph)
    assert set(drawing.routes) == set(graph.edges)
    for left, top, right, bottom in placed.values():
        assert left >= -0.2
        assert top >= -0.2
        assert right <= drawing.size[0] + 0.2
        assert bottom <= drawing.size[1] + 0.2
    for one, other in itertools.combinations(placed.values(), 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    for source, target in graph.edges:
        if is_acyclic:
            assert placed[source][2] < placed[target][0]
        for name, point in ((source, 0), (target, -1)):
            x, y = drawing.routes[source, target][point]
            left, top, right, bottom = placed[name]
            assert left - 1 <= x <= right + 1
            assert top - 1 <= y <= bottom + 1
    for name in graph:
        assert drawing.sizes[name][1] == given_sizes[name][1]
        assert drawing.sizes[name][0] >= given_sizes[name][0]
    assert list(drawing.centres) == sorted(graph, key=lambda name: (*drawing.centres[name], name))


def test_nothing_is_drawn_as_nothing() -> None:
    assert lay_out(nx.DiGraph(), {}).size == (0, 0)
