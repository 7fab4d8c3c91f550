"""The claim graph as a picture: layers from a claim to what it rests on, document by document."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape
from typing import Any, NamedTuple

import networkx as nx

from verifier.graph.build import JOINS, STATEMENT, USES
from verifier.graph.layout import Point, Size, lay_out
from verifier.graph.svg import attributes, box, edge_path, picture, text
from verifier.kernel.words import counted

STANDINGS = {
    "proved as stated": ("good", "M-4,0L-1,3.5L5,-4"),
    "supported as stated": ("leaning", "M-5,1Q-2.5,-3 0,0T5,-1"),
    "proved after repair": ("repaired", "M-6,0L-3.5,3.5L1,-4M2,3L6,3M4,1L4,5"),
    "supported after repair": ("repaired", "M-6,0Q-4.5,-3 -3,-1T1,-2M2,3L6,3M4,1L4,5"),
    "depends on the reading": ("repaired", "M0,5L0,0M0,0L-4,-4M0,0L4,-4"),
    "refuted": ("bad", "M-4,-4L4,4M-4,4L4,-4"),
    "undetermined": ("open", "M-3,-2.5A3,3 0 1 1 1,0.8L0,2.2M0,5L0,5.1"),
    "not run": ("open", "M-4,0L4,0"),
}
"""For each standing the class of its colours, and its mark."""

BECAUSE = {JOINS: "joins", USES: "uses", STATEMENT: "uses"}
"""The class of the line of each kind of edge."""

_HEIGHT, _GAP, _MARGIN, _HEADING = 34.0, 8.0, 16.0, 34.0
_LEAST_WIDTH = 900.0
_MOST_BETWEEN = 24.0
"""Between layers: a document with many claims has to fit into a window."""


class _Panel(NamedTuple):
    width: float
    height: float
    edges: list[str]
    nodes: list[str]
    heading: str
    document: str


Link = Callable[[str], str | None]
"""What a claim links to, if anything."""


def draw_claim_graph(graph: nx.DiGraph[str], link: Link | None = None, *, is_file: bool = True) -> str:
    """Return the claim graph as SVG: a panel a document, claims without edges in columns below the layers.

    Each node has ``data-claim``, each edge ``data-from`` and ``data-to``; the text of a node's ``title`` says all that
    its looks do. A claim of another document that a document's claim rests on is drawn once more in its panel.

    Args:
        graph: from ``build_claim_graph``.
        link: what claims link to; nothing where it is absent.
        is_file: whether the picture is a file of its own, with its own style sheet.
    """
    documents: dict[str, list[str]] = {}
    for name, data in graph.nodes(data=True):
        documents.setdefault(data["document"], []).append(name)
    ordered = sorted(documents.items(), key=lambda item: (-len(item[1]), item[0]))
    panels = [_panel(graph, document, names, link) for document, names in ordered]
    width = max([_LEAST_WIDTH, *(panel.width for panel in panels)])
    body, legend_height = _legend(graph)
    x, y, row_height = 0.0, legend_height, 0.0
    for panel in panels:
        if x and x + panel.width > width:
            x, y, row_height = 0.0, y + row_height + _MARGIN, 0.0
        middle = (x + panel.width / 2, y + panel.height / 2)
        body += [
            f'<g role="group"{attributes(aria_label=panel.heading, data_document=panel.document)}>',
            box(middle, (panel.width, panel.height), 8, "panel"),
            text((x + _MARGIN, y + _HEADING / 2 + 2), panel.heading, "heading"),
            f'<g transform="translate({x + _MARGIN:g},{y + _HEADING + 4:g})">',
            *panel.edges,
            *panel.nodes,
            "</g></g>",
        ]
        x, row_height = x + panel.width + _MARGIN, max(row_height, panel.height)
    count = sum(len(data.get("members", [name])) for name, data in graph.nodes(data=True) if data["kind"] == "claim")
    description = (
        f"{counted(count, 'claim')} and {counted(graph.number_of_edges(), 'edge')}, from the left to the right: "
        "from each claim to those that it rests on. A solid line: the proof rests on it. A dashed line: "
        "the statement says it."
    )
    return picture(
        (width, y + row_height), "What rests on what", description, body, "picture-of-claims", is_file=is_file
    )


def _panel(graph: nx.DiGraph[str], document: str, names: list[str], link: Link | None) -> _Panel:
    own = set(names)
    inner: nx.DiGraph[str] = nx.DiGraph()
    inner.add_nodes_from(name for name in names if graph.degree(name))
    inner.add_edges_from(edge for edge in graph.edges if edge[0] in own)
    # What only other documents rest on has no edge in this panel.
    inner.remove_nodes_from([name for name in list(inner) if name in own and not inner.degree(name)])
    sizes = {name: (_width(graph.nodes[name]), _HEIGHT) for name in {*names, *inner}}
    edges, nodes, width, height = [], [], 0.0, 0.0
    if inner:
        drawing = lay_out(inner, sizes, (_MOST_BETWEEN, _GAP))
        width, height = drawing.size
        for (source, target), points in drawing.routes.items():
            because = graph.edges[source, target]["because"]
            looks = attributes(
                class_=f"edge {BECAUSE[because]}" + " way" * _is_on_way(graph, source, target),
                data_from=source,
                data_to=target,
                d=edge_path(points),
                marker_end="url(#picture-of-claims-arrow)",
            )
            edges.append(f"<path{looks}><title>{escape(_describe_edge(source, target, because))}</title></path>")
        for name, at in drawing.centres.items():
            size = drawing.sizes[name]
            nodes.append(_node(name, graph.nodes[name], at, size, link, is_guest=name not in own))
    lone = [name for name in names if name not in inner]
    if lone:
        top = height + (_GAP * 2 if inner else 0)
        step = max(sizes[name][0] for name in lone) + _GAP
        columns = max(1, min(len(lone), int((max(width, _LEAST_WIDTH - 2 * _MARGIN) + _GAP) // step)))
        if not inner:
            columns = min(columns, math.ceil(math.sqrt(len(lone))))
        rows = math.ceil(len(lone) / columns)
        for index, name in enumerate(lone):
            column, row = divmod(index, rows)
            at = column * step + (step - _GAP) / 2, top + row * (_HEIGHT + _GAP) + _HEIGHT / 2
            nodes.append(_node(name, graph.nodes[name], at, (step - _GAP, _HEIGHT), link))
        width = max(width, math.ceil(len(lone) / rows) * step - _GAP)
        height = top + rows * (_HEIGHT + _GAP) - _GAP
    claims = sum(
        len(graph.nodes[name].get("members", [name])) for name in names if graph.nodes[name]["kind"] == "claim"
    )
    heading = f"{document}: {counted(claims, 'claim')}"
    width = max(width, 9.0 * len(heading))
    return _Panel(width + 2 * _MARGIN, height + _HEADING + 4 + _MARGIN, edges, nodes, heading, document)


def _is_on_way(graph: nx.DiGraph[str], source: str, target: str) -> bool:
    """Say whether a headline rests on both ends of an edge, and on the one because of the other."""
    is_joined = graph.edges[source, target]["because"] == JOINS
    return is_joined and all(graph.nodes[name].get("way", False) for name in (source, target))


def _width(data: dict[str, Any]) -> float:
    return 7.0 * max(map(len, _lines(data["label"]))) + (29 if "standing" in data else 16)


def _lines(label: str) -> list[str]:
    """Return a label, a long one in two lines: it is divided at the hyphen that is nearest to its middle."""
    cuts = [at + 1 for at, sign in enumerate(label) if sign in "- "]
    cut = min(cuts, key=lambda at: abs(2 * at - len(label)), default=0) if len(label) > 12 else 0
    return [label[:cut], label[cut:]] if cut else [label]


def _describe_edge(source: str, target: str, because: str) -> str:
    if because == JOINS:
        return f"the verdict on {source} rests on {target}"
    return f"{target} should be read before {source}" if because == USES else f"{source} is made of {target}"


def _node(name: str, data: dict[str, Any], at: Point, size: Size, link: Link | None, *, is_guest: bool = False) -> str:
    is_claim = data["kind"] == "claim"
    standing = data.get("standing")
    class_, mark = STANDINGS[standing] if standing else ("", "")
    said = [data["label"] if is_claim else name, data["title"], *([standing] if standing else [])]
    label = f"{' – '.join(said)} ({data['document']}, {data['place']})"
    target = link(name) if link is not None and is_claim else None
    tag = "g" if target is None else "a"
    opened = attributes(
        href=target,
        class_=" ".join(filter(None, ["node", class_, "guest" * is_guest, "way" * data.get("way", False)])),
        data_claim=name,
        data_members=" ".join(data["members"]) if "members" in data else None,
        aria_label=None if target is None else label,
    )
    left = at[0] - size[0] / 2
    shape = box(at, size, 4 if is_claim else 12)
    marked = f'<path class="mark" transform="translate({left + 14:g},{at[1]:g})" d="{mark}"/>' if mark else ""
    lines = _lines(data["label"] + (" …" if is_guest else ""))
    shown = "".join(
        text((left + (24 if mark else 8), at[1] + 14 * index - 7 * (len(lines) - 1)), line)
        for index, line in enumerate(lines)
    )
    return f"<{tag}{opened}><title>{escape(label)}</title>{shape}{marked}{shown}</{tag}>"


def draw_around(graph: nx.DiGraph[str], claim: str, link: Link | None = None) -> str:
    """Return a claim between those that rest on it and those that it rests on, as SVG for a page.

    Empty where there are none.

    Args:
        graph: from ``build_claim_graph``.
        claim: the claim in the middle.
        link: what the others link to.
    """
    sides = [list(graph.predecessors(claim)), [claim], list(graph.successors(claim))]
    if not (sides[0] or sides[2]):
        return ""
    height = max(map(len, sides)) * (_HEIGHT + _GAP) - _GAP
    left, body, places = 1.0, [], dict[str, tuple[Point, float]]()
    for names in filter(None, sides):
        width = max(_width(graph.nodes[name]) for name in names)
        top = (height - len(names) * (_HEIGHT + _GAP) + _GAP) / 2
        for row, name in enumerate(names):
            at = left + width / 2, top + row * (_HEIGHT + _GAP) + _HEIGHT / 2 + 1
            places.setdefault(name, (at, width))
            own = None if name == claim else link
            body.append(_node(name, graph.nodes[name], at, (width, _HEIGHT), own))
        left += width + 2 * _MOST_BETWEEN
    for source, target in [*((name, claim) for name in sides[0]), *((claim, name) for name in sides[2])]:
        (a, wide), (b, other) = places[source], places[target]
        start, end = a[0] + wide / 2, b[0] - other / 2
        middle = (start + end) / 2
        because = graph.edges[source, target]["because"]
        path = edge_path([(start, a[1]), (middle, a[1]), (middle, b[1]), (end, b[1])])
        title = escape(_describe_edge(source, target, because))
        looks = attributes(class_=f"edge {BECAUSE[because]}", d=path, marker_end="url(#around-arrow)")
        body.append(f"<path{looks}><title>{title}</title></path>")
    said = f"{counted(len(sides[0]), 'claim')} on the left rest on it; it rests on {len(sides[2])} on the right."
    size = (left - 2 * _MOST_BETWEEN + 1, height + 2)
    return picture(size, f"What {claim} rests on, and what rests on it", said, body, "around", is_file=False)


def _legend(graph: nx.DiGraph[str]) -> tuple[list[str], float]:
    """Return what the looks mean, and how high that is."""
    body, x = ['<g role="group" aria-label="legend">'], _MARGIN
    used = {data.get("standing") for _, data in graph.nodes(data=True)}
    for standing, (class_, mark) in STANDINGS.items():
        if standing in used:
            body.append(
                f'<g class="{class_}">{box((x + 12, 18), (24, 20), 4)}'
                f'<path class="mark" transform="translate({x + 12:g},18)" d="{mark}"/></g>'
            )
            body.append(text((x + 30, 18), standing))
            x += 50 + 7.2 * len(standing)
    y = 18 if x == _MARGIN else 44
    x = _MARGIN
    lines = {
        JOINS: "the verdict on the left one rests on the right one",
        USES: "read the right one before the left one",
        STATEMENT: "the left one is made of the right one",
    }
    for because, meaning in lines.items():
        if any(data["because"] == because for *_, data in graph.edges(data=True)):
            path = f"M{x:g},{y}L{x + 34:g},{y}"
            body.append(
                f'<path class="edge {BECAUSE[because]}" d="{path}" marker-end="url(#picture-of-claims-arrow)"/>'
            )
            body.append(text((x + 42, y), meaning))
            x += 66 + 7.0 * len(meaning)
    if any(data.get("way") for _, data in graph.nodes(data=True)):
        body.append(f'<g class="way"><path class="edge joins way" d="M{x:g},{y}L{x + 34:g},{y}"/></g>')
        body.append(text((x + 42, y), "a headline rests on it"))
    return [*body, "</g>"], y + 24.0
