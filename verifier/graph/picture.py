"""The claim graph as a picture: layers from a claim to what it rests on, document by document."""

from __future__ import annotations

import math
import pathlib
from collections.abc import Iterable, Sequence
from html import escape
from string import Template
from typing import Any, NamedTuple

import networkx as nx

from verifier.graph.build import JOINS, USES
from verifier.graph.layout import Point, Size, lay_out
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

EDGES = {
    JOINS: ("joins", "the verdict on {} rests on {}", "the verdict on the left one rests on the right one"),
    USES: ("uses", "{1} should be read before {0}", "read the right one before the left one"),
}
"""For each kind of edge the class of its line, what an edge says, and what the legend says."""

_COLOURS = {
    "ink": ("#1f2328", "#f0f6fc"),
    "paper": ("#ffffff", "#16191d"),
    "line": ("#59636e", "#9198a1"),
    "panel": ("#f3f5f7", "#1e2329"),
    "plain": ("#ddf4ff", "#0c2d4d"),
    "good": ("#116329", "#56d364"),
    "goodfill": ("#dafbe1", "#12261e"),
    "leaning": ("#0a5570", "#6cc7e8"),
    "leaningfill": ("#ddf1fa", "#10242d"),
    "repaired": ("#7d4e00", "#e3b341"),
    "repairedfill": ("#fff8c5", "#2c2413"),
    "bad": ("#a40e26", "#ff7b72"),
    "badfill": ("#ffebe9", "#35181b"),
    "way": ("#1f4e79", "#9cc4ea"),
    "open": ("#424a53", "#c9d1d9"),
    "openfill": ("#eaeef2", "#2b323a"),
}
"""Each colour on light and on dark ground. Its meaning is also shown in another way: by a mark or a kind of line."""

_RULES = Template((pathlib.Path(__file__).parent / "picture.css").read_text(encoding="utf-8"))
"""The style sheet, with names in place of the colours."""

_HEIGHT, _GAP, _MARGIN, _HEADING = 34.0, 8.0, 16.0, 34.0
_LEAST_WIDTH = 900.0
_ID = "picture-of-claims"
_MOST_BETWEEN = 24.0
"""The gap between layers: small, since a document with many claims has to fit into a window."""


class _Panel(NamedTuple):
    document: str
    heading: str
    width: float
    height: float
    body: list[str]


def draw_claim_graph(graph: nx.DiGraph[str], *, is_file: bool = True) -> str:
    """Return the claim graph as SVG: a panel for each document, with claims without edges in columns below the layers.

    Each node has ``data-claim``, each edge ``data-from`` and ``data-to``. A node's ``title`` says in words all that its
    looks show. If a claim rests on a claim of another document, its panel shows the other claim as well. A separate
    file has its own style sheet. In the picture of a page, claims are links to their places in the page.
    """
    documents: dict[str, list[str]] = {}
    for name, data in graph.nodes(data=True):
        documents.setdefault(data["document"], []).append(name)
    ordered = sorted(documents.items(), key=lambda item: (-len(item[1]), item[0]))
    panels = [_panel(graph, document, names, is_file=is_file) for document, names in ordered]
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
            *panel.body,
            "</g></g>",
        ]
        x, row_height = x + panel.width + _MARGIN, max(row_height, panel.height)
    description = (
        f"{_count(graph, graph)} and {counted(graph.number_of_edges(), 'edge')}. Edges go from left to right, "
        "from each claim to those that it rests on. A solid line: the proof rests on it. A dashed line: "
        "it should be read first."
    )
    return _picture((width, y + row_height), description, body, is_file=is_file)


def _count(graph: nx.DiGraph[str], names: Iterable[str]) -> str:
    """Say how many claims some nodes stand for."""
    return counted(sum(len(graph.nodes[name].get("members", [name])) for name in names), "claim")


def _panel(graph: nx.DiGraph[str], document: str, names: list[str], *, is_file: bool) -> _Panel:
    own = set(names)
    inner: nx.DiGraph[str] = nx.DiGraph()
    inner.add_nodes_from(name for name in names if graph.degree(name))
    inner.add_edges_from(edge for edge in graph.edges if edge[0] in own)
    # A claim that only other documents rest on has no edge in this panel.
    inner.remove_nodes_from([name for name in list(inner) if name in own and not inner.degree(name)])
    sizes = {}
    for name in {*names, *inner}:
        data = graph.nodes[name]
        sizes[name] = 7.0 * max(map(len, _lines(data["label"]))) + (29 if "standing" in data else 16), _HEIGHT
    body, width, height = [], 0.0, 0.0
    if inner:
        drawing = lay_out(inner, sizes, (_MOST_BETWEEN, _GAP))
        width, height = drawing.size
        body += [_edge(graph, edge, points) for edge, points in drawing.routes.items()]
        for name, at in drawing.centres.items():
            size = drawing.sizes[name]
            body.append(_node(name, graph.nodes[name], at, size, is_file=is_file, is_guest=name not in own))
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
            body.append(_node(name, graph.nodes[name], at, (step - _GAP, _HEIGHT), is_file=is_file))
        width = max(width, math.ceil(len(lone) / rows) * step - _GAP)
        height = top + rows * (_HEIGHT + _GAP) - _GAP
    heading = f"{document}: {_count(graph, names)}"
    width = max(width, 9.0 * len(heading)) + 2 * _MARGIN
    return _Panel(document, heading, width, height + _HEADING + 4 + _MARGIN, body)


def _edge(graph: nx.DiGraph[str], edge: tuple[str, str], points: Sequence[Point]) -> str:
    """Draw an edge as Bézier curves. It names its ends, and shows whether a headline rests on them."""
    because = graph.edges[edge]["because"]
    class_, said, _ = EDGES[because]
    is_way = because == JOINS and all(graph.nodes[name].get("way") for name in edge)
    start, *rest = (f"{number(float(x))},{number(float(y))}" for x, y in points)
    looks = attributes(
        class_=f"edge {class_}" + " way" * is_way,
        data_from=edge[0],
        data_to=edge[1],
        d=f"M{start}C{' '.join(rest)}",
        marker_end=f"url(#{_ID}-arrow)",
    )
    return f"<path{looks}><title>{escape(said.format(*edge))}</title></path>"


def _lines(label: str) -> list[str]:
    """Return the lines of a label. A long label is divided at the hyphen or space nearest to its middle."""
    cuts = [at + 1 for at, sign in enumerate(label) if sign in "- "]
    cut = min(cuts, key=lambda at: abs(2 * at - len(label)), default=0) if len(label) > 12 else 0
    return [label[:cut], label[cut:]] if cut else [label]


def _node(name: str, data: dict[str, Any], at: Point, size: Size, *, is_file: bool, is_guest: bool = False) -> str:
    standing = data.get("standing")
    class_, mark = STANDINGS[standing] if standing else ("", "")
    said = [data["label"], data["title"], *([standing] if standing else [])]
    label = f"{' – '.join(said)} ({data['document']}, {data['place']})"
    target = None if is_file or not data.get("link", True) else f"#claim-{name}"
    tag = "g" if target is None else "a"
    opened = attributes(
        href=target,
        class_=" ".join(filter(None, ["node", class_, "guest" * is_guest, "way" * data.get("way", False)])),
        data_claim=name,
        data_members=" ".join(data["members"]) if "members" in data else None,
        aria_label=None if target is None else label,
    )
    left = at[0] - size[0] / 2
    shape = box(at, size, 4)
    marked = f'<path class="mark" transform="translate({left + 14:g},{at[1]:g})" d="{mark}"/>' if mark else ""
    lines = _lines(data["label"] + (" …" if is_guest else ""))
    shown = "".join(
        text((left + (24 if mark else 8), at[1] + 14 * index - 7 * (len(lines) - 1)), line)
        for index, line in enumerate(lines)
    )
    return f"<{tag}{opened}><title>{escape(label)}</title>{shape}{marked}{shown}</{tag}>"


def _legend(graph: nx.DiGraph[str]) -> tuple[list[str], float]:
    """Return the legend, and its height."""
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
    kinds = {data["because"] for *_, data in graph.edges(data=True)}
    for because, (class_, _, meaning) in EDGES.items():
        if because in kinds:
            path = f"M{x:g},{y}L{x + 34:g},{y}"
            body.append(f'<path class="edge {class_}" d="{path}" marker-end="url(#{_ID}-arrow)"/>')
            body.append(text((x + 42, y), meaning))
            x += 66 + 7.0 * len(meaning)
    if any(data.get("way") for _, data in graph.nodes(data=True)):
        body.append(f'<g class="way"><path class="edge joins way" d="M{x:g},{y}L{x + 34:g},{y}"/></g>')
        body.append(text((x + 42, y), "a headline rests on it"))
    return [*body, "</g>"], y + 24.0


# -- pieces of SVG ----------------------------------------------------------------------------------------------------


def page_style() -> str:
    """Return the style sheet of pictures in a page. The page says whether its ground is light or dark."""
    return _RULES.substitute({name: f"light-dark({light}, {dark})" for name, (light, dark) in _COLOURS.items()})


def attributes(**values: object) -> str:
    """Write attributes; ``class_`` becomes ``class``, ``_`` becomes ``-``."""
    pairs = ((name.rstrip("_").replace("_", "-"), value) for name, value in values.items())
    return "".join(f' {name}="{escape(number(value))}"' for name, value in pairs if value is not None)


def number(value: object) -> str:
    """Write a number as short as it can be; anything else as text."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def text(at: Point, content: str, class_: str | None = None) -> str:
    """Write a line of text that starts at a point."""
    return f"<text{attributes(x=at[0], y=at[1], class_=class_)}>{escape(content)}</text>"


def box(centre: Point, size: Size, radius: float, class_: str = "box") -> str:
    """Write a box around a point."""
    (x, y), (width, height) = centre, size
    left, top = x - width / 2, y - height / 2
    return f"<rect{attributes(class_=class_, x=left, y=top, width=width, height=height, rx=radius)}/>"


def _picture(size: Size, description: str, body: list[str], *, is_file: bool) -> str:
    """Return a whole picture: a separate file, or part of a page that has ``page_style``."""
    width, height = (number(float(value)) for value in size)
    # Old programs know this as well, unlike ``light-dark``.
    light, dark = (_RULES.substitute({name: pair[at] for name, pair in _COLOURS.items()}) for at in (0, 1))
    style = f"<style>\n{light}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n</style>"
    namespace = ' xmlns="http://www.w3.org/2000/svg"' if is_file else ""  # HTML knows what svg is
    return "\n".join(
        [
            f'<svg{namespace} class="graph-picture" role="group" width="{width}" '
            f'height="{height}" viewBox="0 0 {width} {height}" aria-labelledby="{_ID}-title" '
            f'aria-describedby="{_ID}-description">',
            f'<title id="{_ID}-title">What rests on what</title>',
            f'<desc id="{_ID}-description">{escape(description)}</desc>',
            *[style] * is_file,
            f'<defs><marker id="{_ID}-arrow" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" '
            'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
            '<path class="head" d="M0,0.5L8,4L0,7.5z"/></marker></defs>',
            *body,
            "</svg>",
            "",
        ]
    )
