"""Find places for the nodes and edges of a layered drawing. Only this file loads pygraphviz."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import networkx as nx
import pygraphviz

Point = tuple[float, float]
Size = tuple[float, float]

_POINTS = 72.0
"""Points to an inch. Graphviz takes sizes in inches."""


class Drawing(NamedTuple):
    """A drawing whose top left corner is (0, 0).

    Attributes:
        centres: the centre of each node, layer by layer from left to right.
        routes: for each edge, from border to border, the points of its Bézier curves: a start, then three for each.
        sizes: width and height of each node, as drawn.
        size: width and height of the drawing.
    """

    centres: Mapping[str, Point]
    routes: Mapping[tuple[str, str], tuple[Point, ...]]
    sizes: Mapping[str, Size]
    size: Size


def lay_out(graph: nx.DiGraph[str], sizes: Mapping[str, Size], gaps: tuple[float, float] = (56, 12)) -> Drawing:
    """Lay out a graph in layers, so that most edges lead to the right and few of them cross.

    The same graph, with nodes and edges in the same order, gives the same drawing. Cycles are allowed: Graphviz tries
    to let few edges lead back. All nodes of a layer are as wide as its widest node. ``gaps`` are the distances between
    layers, and between the nodes of a layer.
    """
    if not graph:
        return Drawing({}, {}, {}, (0, 0))
    drawing = _run(graph, sizes, gaps)
    widths: dict[float, float] = {}
    for name, (x, _) in drawing.centres.items():
        widths[x] = max(widths.get(x, 0), sizes[name][0])
    alike = {name: (widths[x], sizes[name][1]) for name, (x, _) in drawing.centres.items()}
    return _run(graph, alike, gaps)


def _run(graph: nx.DiGraph[str], sizes: Mapping[str, Size], gaps: tuple[float, float]) -> Drawing:
    """Return Graphviz's drawing of a graph, without any text."""
    layers, nodes = (gap / _POINTS for gap in gaps)
    built = pygraphviz.AGraph(directed=True, strict=False)
    built.graph_attr.update(rankdir="LR", ranksep=layers, nodesep=nodes)
    built.node_attr.update(shape="box", fixedsize="true", label="")
    built.edge_attr.update(dir="none")
    for name in graph:
        width, height = (side / _POINTS for side in sizes[name])
        built.add_node(name, width=width, height=height)
    built.add_edges_from(graph.edges)
    built.layout(prog="dot")
    width, height = (float(value) for value in built.graph_attr["bb"].split(",")[2:])

    def point(text: str) -> Point:
        x, y = text.split(",")
        return round(float(x), 1), round(height - float(y), 1) + 0.0  # no zero has a sign

    centres = {name: point(built.get_node(name).attr["pos"]) for name in graph}
    routes = {edge: tuple(map(point, built.get_edge(*edge).attr["pos"].split())) for edge in graph.edges}
    ordered = dict(sorted(centres.items(), key=lambda item: (*item[1], item[0])))
    return Drawing(ordered, routes, dict(sizes), (width, height))
