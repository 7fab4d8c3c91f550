from __future__ import annotations

import itertools

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.graph.layout import Drawing, Size, lay_out, order_layers

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
@given(EDGES, SIZES, st.booleans(), st.booleans())
def test_a_drawing(edges: list[tuple[int, int]], sizes: list[Size], downwards: bool, is_acyclic: bool) -> None:
    """Nodes do not overlap and lie inside; edges without circles lead forward; the same graph is drawn the same."""
    graph = make(edges, is_acyclic=is_acyclic)
    given_sizes = {name: sizes[int(name)] for name in graph}
    drawing = lay_out(graph, given_sizes, downwards=downwards)
    assert drawing == lay_out(graph.copy(), given_sizes, downwards=downwards)
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
    axis = 1 if downwards else 0
    for source, target in graph.edges:
        if is_acyclic:
            assert placed[source][axis + 2] < placed[target][axis]
        for name, point in ((source, 0), (target, -1)):
            x, y = drawing.routes[source, target][point]
            left, top, right, bottom = placed[name]
            assert left - 1 <= x <= right + 1
            assert top - 1 <= y <= bottom + 1
    for name in graph:
        assert drawing.sizes[name][1] == given_sizes[name][1]
        assert drawing.sizes[name][0] >= given_sizes[name][0]
    assert sorted(order_layers(graph, drawing, downwards=downwards)) == sorted(graph)


def test_labels_have_places() -> None:
    """An edge that has a label is told where it goes, also one that leads back to its own node."""
    graph: nx.DiGraph[str] = nx.DiGraph([("a", "b"), ("b", "a"), ("b", "b")])
    labels = dict.fromkeys(graph.edges, (40.0, 14.0))
    drawing = lay_out(graph, {"a": (50, 20), "b": (50, 20)}, labels, downwards=True)
    assert set(drawing.labels) == set(graph.edges)
    assert all(len(points) % 3 == 1 for points in drawing.routes.values())


def test_nothing_is_drawn_as_nothing() -> None:
    """A graph without nodes has an empty drawing."""
    assert lay_out(nx.DiGraph(), {}, downwards=True).size == (0, 0)
