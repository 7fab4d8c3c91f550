"""Where the nodes and edges of a layered drawing go; the only place that loads graphlay."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import graphlay
import networkx as nx

Point = tuple[float, float]
Size = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing whose top left corner is (0, 0).

    Attributes:
        centres: where each node's middle is.
        routes: the points of each edge, from border to border.
        loops: which edges lead back to their own node.
        labels: where the middle of each edge's label is.
        sizes: width and height of each node, as drawn.
        size: width and height of the whole.
    """

    centres: Mapping[str, Point]
    routes: Mapping[tuple[str, str], tuple[Point, ...]]
    loops: frozenset[tuple[str, str]]
    labels: Mapping[tuple[str, str], Point]
    sizes: Mapping[str, Size]
    size: Size


def lay_out(
    graph: nx.DiGraph[str],
    sizes: Mapping[str, Size],
    labels: Mapping[tuple[str, str], Size] | None = None,
    *,
    downwards: bool,
    gaps: tuple[float, float] = (56, 12),
) -> Drawing:
    """Lay out a graph in layers, so that most edges lead downwards (or to the right) and few of them cross.

    The same graph, with nodes and edges in the same order, gives the same drawing. Circles are allowed: as few edges as
    can be found lead back. From left to right, the nodes of a layer are all as wide as the widest of them, so that no
    edge has to turn around one, and what the library leaves between layers beyond the gap is taken out again.

    Args:
        graph: the graph.
        sizes: width and height of each node.
        labels: width and height of the labels of edges.
        downwards: from the top to the bottom rather than from left to right.
        gaps: between layers, and between the nodes of a layer.
    """
    raw = _run(graph, sizes, labels or {}, downwards, gaps)
    if not downwards:
        ranks = {name: node["rank"] for name, node in zip(graph, raw["nodes"], strict=True)}
        widths: dict[int, float] = {}
        for name, rank in ranks.items():
            widths[rank] = max(widths.get(rank, 0), sizes[name][0])
        sizes = {name: (widths[rank], sizes[name][1]) for name, rank in ranks.items()}
        raw = _run(graph, sizes, labels or {}, downwards, gaps)
    edges = list(graph.edges)
    left, top = raw["bounds"]["min"]["x"], raw["bounds"]["min"]["y"]
    middles = [(node["center"]["x"] - left, sizes[name][0] / 2) for name, node in zip(graph, raw["nodes"], strict=True)]
    between: list[Point] = []
    end = math.inf if downwards else 0.0
    for start, other in sorted((x - half, x + half) for x, half in middles):
        if start > end:
            between.append((end, start))
        end = max(end, other)

    def nearer(x: float) -> float:
        """Return a place after the gaps to its left were made no wider than they have to be."""
        shares = ((start, end, min(max((x - start) / (end - start), 0), 1)) for start, end in between)
        return x - float(sum(max(end - start - gaps[0], 0) * share for start, end, share in shares))

    def point(value: Mapping[str, Any]) -> Point:
        # Adding nothing makes a zero of a negative one, which would be written with its sign.
        return round(nearer(value["x"] - left), 1) + 0.0, round(value["y"] - top, 1) + 0.0

    return Drawing(
        {name: point(node["center"]) for name, node in zip(graph, raw["nodes"], strict=True)},
        {edge: tuple(map(point, drawn["points"])) for edge, drawn in zip(edges, raw["edges"], strict=True)},
        frozenset((source, target) for source, target in edges if source == target),
        {
            edge: point(drawn["label_anchor"])
            for edge, drawn in zip(edges, raw["edges"], strict=True)
            if drawn["label_anchor"] is not None
        },
        dict(sizes),
        point(raw["bounds"]["max"]),
    )


def _run(
    graph: nx.DiGraph[str],
    sizes: Mapping[str, Size],
    labels: Mapping[tuple[str, str], Size],
    downwards: bool,
    gaps: tuple[float, float],
) -> dict[str, Any]:
    """Return what the library makes of a graph."""
    built = graphlay.Graph()
    for name in graph:
        width, height = sizes[name]
        built.node(name, width=width, height=height)
    for edge in graph.edges:
        size = labels.get(edge)
        fields: dict[str, Any] = {} if size is None else {"label_size": {"width": size[0], "height": size[1]}}
        built.edge(*edge, **fields)
    between_layers, between_nodes = gaps
    options = {
        "direction": "topbottom" if downwards else "leftright",
        "routing": {"style": "diagonal", "port_sides": "facing_only"},
        "spacing": {"layer_gap": between_layers, "node_gap": between_nodes, "dummy_gap": between_nodes},
    }
    return graphlay.layout(built, options=options).raw


def order_layers(graph: nx.DiGraph[str], drawing: Drawing, *, downwards: bool) -> list[str]:
    """Return the nodes as a reader goes through the drawing: layer by layer."""
    axis = 1 if downwards else 0
    return sorted(graph, key=lambda name: (drawing.centres[name][axis], drawing.centres[name][1 - axis], name))
