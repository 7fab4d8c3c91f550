"""A folded strategy graph as a picture: from the start downwards, with counts."""

from __future__ import annotations

import math
from html import escape
from typing import Any

import networkx as nx

from verifier.graph.fold import lines_of, title_of
from verifier.graph.layout import Point, lay_out, order_layers
from verifier.graph.svg import attributes, box, edge_path, picture, text
from verifier.kernel.errors import UsageError
from verifier.kernel.words import counted

MAX_NODES = 250
"""More nodes than this nobody can read."""

_LINE, _MARGIN, _TOP = 15.0, 20.0, 40.0


def draw_folded_graph(graph: nx.DiGraph[str]) -> str:
    """Return a folded strategy graph as SVG.

    A box with corners: the claimant is to move; a round one: the opponent is; a double one: the play has ended. Edges
    are as wide as they have many moves.

    Raises:
        UsageError: it has too many nodes to be read.
    """
    if len(graph) > MAX_NODES:
        raise UsageError(
            f"{len(graph):,} nodes are too many for a picture (at most {MAX_NODES}): fold by less, as in --fold rule"
        )
    texts = {name: [title_of(data), *lines_of(data)] for name, data in graph.nodes(data=True)}
    sizes = {
        name: (max(6.8 * len(line) for line in lines) + 28, _LINE * len(lines) + 16) for name, lines in texts.items()
    }
    labels = {(source, target): (7.0 * len(data["label"]) + 6, 14.0) for source, target, data in graph.edges(data=True)}
    drawing = lay_out(graph, sizes, labels, downwards=True, gaps=(52, 34))
    lines = []
    for (source, target), points in drawing.routes.items():
        data = graph.edges[source, target]
        path = edge_path(points)
        width = 1 + math.log10(data["moves"])
        lines.append(
            f"<path{attributes(class_='edge', data_from=source, data_to=target, d=path)} "
            f'style="stroke-width: {width:.1f}" marker-end="url(#picture-of-plays-arrow)">'
            f"<title>{escape(_describe_edge(texts[source][0], texts[target][0], data))}</title></path>"
        )
    lines += [text(point, graph.edges[edge]["label"], "label small middle") for edge, point in drawing.labels.items()]
    nodes = [
        _node(name, graph.nodes[name], drawing.centres[name], sizes[name], texts[name])
        for name in order_layers(graph, drawing, downwards=True)
    ]
    positions = sum(data["positions"] for _, data in graph.nodes(data=True))
    moves = sum(data["moves"] for *_, data in graph.edges(data=True))
    keys = graph.graph["fold"].replace(",", " and ")
    reading = graph.graph.get("reading", "")
    counts = f"{counted(positions, 'position')} and {counted(moves, 'move')}"
    title = f"{reading}{': ' if reading else ''}{counts}, folded by {keys}"
    description = (
        f"{counted(len(graph), 'node')} and {counted(graph.number_of_edges(), 'edge')}; the claimant is "
        f"{graph.graph['claimant']}. A box with corners: the claimant is to move. A round one: the opponent. "
        "A double one: the play has ended."
    )
    width, height = drawing.size
    body = [
        text((_MARGIN, 20), title, "heading"),
        f'<g transform="translate({_MARGIN:g},{_TOP:g})">',
        *lines,
        *nodes,
        "</g>",
    ]
    size = max(width + 2 * _MARGIN, 9.0 * len(title)), height + _TOP + _MARGIN
    return picture(size, title, description, body, "picture-of-plays")


def _describe_edge(source: str, target: str, data: dict[str, Any]) -> str:
    return f"{counted(data['moves'], 'move')}{' by ' + data['rule'] if data['rule'] else ''}: {source} → {target}"


def _node(name: str, data: dict[str, Any], at: Point, size: tuple[float, float], lines: list[str]) -> str:
    mover = data["mover"]
    shapes = box(at, size, {"claimant": 3, "opponent": size[1] / 2, "end": 6}[mover])
    if mover == "end":
        shapes += box(at, (size[0] - 7, size[1] - 7), 4)
    first = at[1] - (len(lines) - 1) * _LINE / 2
    shown = "".join(
        text((at[0], first + index * _LINE), line, "middle" if index else "middle name")
        for index, line in enumerate(lines)
    )
    plies = data["plies"].replace(" ", ", ")
    title = f"{'; '.join(lines)} (positions by ply: {plies})"
    return f'<g class="node {mover}" data-node="{name}"><title>{escape(title)}</title>{shapes}{shown}</g>'
