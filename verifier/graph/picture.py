"""The claim graph as a picture, drawn by Graphviz. Arrows lead from each claim to the claims that it rests on.

Only this module and ``graph/tree.py`` load pygraphviz. Graphviz places and draws boxes and arrows. This module adds the
names of claims, a sign for each standing, a panel for each document, a legend, and words for screen readers. It also
adds ids, with which a page finds the claims that a claim rests on.
"""

from __future__ import annotations

import math
import pathlib
import re
from collections import Counter
from collections.abc import Callable, Iterable
from html import escape
from itertools import pairwise
from string import Template
from typing import NamedTuple
from xml.etree import ElementTree

import networkx as nx
import pygraphviz

from verifier.graph.build import JOINS, USES
from verifier.kernel.words import counted

STANDINGS = {
    "proved as stated": ("good", "✓"),
    "supported as stated": ("leaning", "≈"),
    "proved after repair": ("repaired", "✓*"),
    "supported after repair": ("repaired", "≈*"),
    "depends on the reading": ("repaired", "◐"),
    "refuted": ("bad", "✗"),
    "undetermined": ("open", "?"),
    "not checked": ("open", "–"),
}
"""For each standing, the CSS class of its colours, and its sign. The report has the same signs."""

EDGES = {
    JOINS: ("the verdict on {} rests on {}", "the left claim's verdict rests on the right claim"),
    USES: ("{1} should be read before {0}", "read the right claim before the left claim"),
}
"""For each kind of edge, the title of an edge, and the words of the legend. The kind is also the line's CSS class."""

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
"""Each colour for a light and for a dark background. Signs and kinds of lines say the same without colours."""

_RULES = Template((pathlib.Path(__file__).parent / "picture.css").read_text(encoding="utf-8"))
"""The style sheet, with names in place of the colours."""

_GAP, _MARGIN, _HEADING = 8.0, 16.0, 38.0
_BETWEEN = 24.0
"""The gap between layers: small, since a document with many claims has to fit into a window."""
_WIDTH = 900.0
"""Minimum width of the picture. Also the maximum width of a row of claims without edges, if the row is below claims
with edges."""
_ID = "picture-of-claims"
INCH = 72.0
"""Graphviz takes sizes in inches, and draws in points. A point is a pixel of the picture."""


class _Drawing(NamedTuple):
    svg: str
    width: float
    height: float


def draw_claim_graph(graph: nx.DiGraph[str], *, is_file: bool = True) -> str:
    """Return the claim graph as SVG, with a panel for each document.

    Claims with edges are in layers, from left to right. Claims without edges are in rows below.

    Each node has ``data-claim``, each edge ``data-from`` and ``data-to``. A node's ``title`` says in words what
    its looks show. If a claim rests on a claim of another document, the panel of the first claim shows the second
    claim as well.

    Args:
        graph: the claim graph.
        is_file: make a separate file, with its own style sheet. Otherwise make a part of a page, with links to claims.
    """
    documents: dict[str, list[str]] = {}
    for name, data in graph.nodes(data=True):
        documents.setdefault(data["document"], []).append(name)
    ordered = sorted(documents.items(), key=lambda item: (-len(item[1]), item[0]))
    panels = [_draw_panel(graph, document, names, is_file=is_file) for document, names in ordered]
    width = max([_WIDTH, *(panel.width for panel in panels)])
    legend = _stack(_draw_legend(graph))
    body = [f'<g role="group" aria-label="legend">{legend.svg}</g>']
    x, y, row_height = 0.0, legend.height + _GAP, 0.0
    for panel in panels:
        if x and x + panel.width > width:
            x, y, row_height = 0.0, y + row_height + _MARGIN, 0.0
        body.append(f'<g transform="translate({x:g},{y:g})">{panel.svg}</g>')
        x, row_height = x + panel.width + _MARGIN, max(row_height, panel.height)
    description = (
        f"{_count(graph, graph)} and {counted(graph.number_of_edges(), 'edge')}. Edges go from left to right, "
        "from each claim to the claims that it rests on. A solid line means that the left claim's verdict rests on the "
        "right claim. A dashed line means that the right claim should be read first."
    )
    return _picture((width, y + row_height), description, body, is_file=is_file)


def _count(graph: nx.DiGraph[str], names: Iterable[str], more: str = "") -> str:
    """Return a text such as *5 claims in all, and 2 outside this report*, with " in all" as ``more``.

    It counts the claims for which the nodes stand: those in the ledger, and the others.
    """
    counts = Counter[bool]()
    for name in names:
        counts[graph.nodes[name].get("link", True)] += len(graph.nodes[name].get("members", [name]))
    if counts[True] and counts[False]:
        return f"{counted(counts[True], 'claim')}{more}, and {counts[False]} outside this report"
    return f"{counted(counts.total(), 'claim')}{' outside this report' if counts[False] else more}"


def _draw_panel(graph: nx.DiGraph[str], document: str, names: list[str], *, is_file: bool) -> _Drawing:
    """Draw the claims of a document under a heading: first the claims with edges, and below them the other claims."""
    own = set(names)
    edges = [edge for edge in graph.edges if edge[0] in own]
    # An edge is in the panel of its first claim's document. If the second claim is of another document, this second
    # claim is a guest in the panel.
    linked = [*dict.fromkeys(name for edge in edges for name in edge)]
    alone = [name for name in names if name not in linked]
    layers, rows = _start(_BETWEEN), _start(_GAP)
    for name in [*filter(linked.__contains__, names), *(name for name in linked if name not in own)]:
        _add_claim(layers, graph, name, is_guest=name not in own)
    for source, target in edges:
        because = graph.edges[source, target]["because"]
        is_way = because == JOINS and all(graph.nodes[name].get("way") for name in (source, target))
        layers.add_edge(source, target, **{"class": because + " way" * is_way})
    width = max((_measure(graph.nodes[name]["label"]) for name in alone), default=0)
    columns = max(1, int(_WIDTH // (width + _GAP))) if linked else math.ceil(math.sqrt(len(alone)))
    for name in alone:
        _add_claim(rows, graph, name, width=width)
    beside = ((alone[at], alone[at + 1]) for at in range(len(alone) - 1) if (at + 1) % columns)
    rows.add_edges_from(beside, style="invis")

    def label(name: str) -> list[str]:
        data = graph.nodes[name]
        sign = f"{STANDINGS[data['standing']][1]} " if "standing" in data else ""
        first, *rest = _lines(data["label"] + " …" * (name not in own))
        return [sign + first, *rest]

    drawn = [_draw(built, label) for built in (layers, rows) if len(built)]
    for picture in drawn:
        _name_claims(picture, graph, is_file=is_file)
    heading = f"{document}: {_count(graph, names, ' in all')}"
    body = _stack(drawn)
    width = max(body.width, 9.0 * len(heading) + 2 * _MARGIN)
    height = _HEADING + body.height
    return _Drawing(
        f'<g role="group" aria-label="{escape(heading)}" data-document="{escape(document)}">'
        f'<rect class="panel" width="{width:g}" height="{height:g}" rx="8"/>'
        f'<text class="heading" x="{_MARGIN:g}" y="{_HEADING / 2:g}">{escape(heading)}</text>'
        f'<g transform="translate(0,{_HEADING:g})">{body.svg}</g></g>',
        width,
        height,
    )


def _draw_legend(graph: nx.DiGraph[str]) -> list[ElementTree.Element]:
    """Draw the legend: a row of boxes that explains standings, and a row of lines that explains edges."""
    standings = {data.get("standing") for _, data in graph.nodes(data=True)}
    shown = [standing for standing in STANDINGS if standing in standings]
    kinds = {data["because"] for *_, data in graph.edges(data=True)}
    meanings = {meaning: because for because, (_, meaning) in EDGES.items() if because in kinds}
    if any(data.get("way") for _, data in graph.nodes(data=True)):
        meanings["a main result rests on this"] = f"{JOINS} way"
    boxes, lines = _start(_GAP), _start(_GAP)
    for standing in shown:
        boxes.add_node(standing, width=(7 * len(standing) + 30) / INCH, **{"class": STANDINGS[standing][0]})
    boxes.add_edges_from(pairwise(shown), style="invis")
    for meaning, class_ in meanings.items():
        lines.add_node(f"{meaning}:", width=0, **{"class": "words"})
        lines.add_node(meaning, width=6.6 * len(meaning) / INCH, **{"class": "words"})
        lines.add_edge(f"{meaning}:", meaning, minlen=4, **{"class": class_})
    lines.add_edges_from(((one, f"{other}:") for one, other in pairwise(meanings)), style="invis")
    names = {standing: [f"{STANDINGS[standing][1]} {standing}"] for standing in shown}
    names |= {meaning: [meaning] for meaning in meanings}
    return [_draw(built, lambda name: names.get(name, [])) for built in (boxes, lines) if len(built)]


def _lines(label: str) -> list[str]:
    """Return the lines of a label. A long label is divided at the hyphen or space nearest to its middle."""
    cuts = [at + 1 for at, sign in enumerate(label) if sign in "- "]
    cut = min(cuts, key=lambda at: abs(2 * at - len(label)), default=0) if len(label) > 12 else 0
    return [label[:cut], label[cut:]] if cut else [label]


def _measure(label: str) -> float:
    """Return the width of a claim's box, with room for a sign."""
    return 7.0 * max(map(len, _lines(label))) + 30


# -- what Graphviz draws -----------------------------------------------------------------------------------------------


def _start(gap: float) -> pygraphviz.AGraph:
    """Return an empty graph. Its edges will go from left to right."""
    built = pygraphviz.AGraph(directed=True, strict=False)
    built.graph_attr.update(rankdir="LR", ranksep=gap / INCH, nodesep=_GAP / INCH, bgcolor="transparent")
    # Labels are empty, since Graphviz would measure them in this machine's fonts, and files would differ by machine.
    built.node_attr.update(shape="box", style="rounded", fixedsize="true", height=34 / INCH, label="")
    built.edge_attr.update(arrowsize=0.7)
    return built


def _add_claim(
    built: pygraphviz.AGraph, graph: nx.DiGraph[str], name: str, *, width: float = 0, is_guest: bool = False
) -> None:
    data = graph.nodes[name]
    class_ = STANDINGS[data["standing"]][0] if "standing" in data else ""
    looks = " ".join(filter(None, [class_, "guest" * is_guest, "way" * data.get("way", False)]))
    built.add_node(name, width=(width or _measure(data["label"])) / INCH, **{"class": looks})


def _draw(built: pygraphviz.AGraph, label_of: Callable[[str], list[str]]) -> ElementTree.Element:
    """Return Graphviz's drawing, with a label in each box. Boxes come after all edges, layer by layer."""
    picture = ElementTree.fromstring(built.draw(format="svg_inline", prog="dot"))  # noqa: S314 - Graphviz wrote it
    boxes = {}
    (whole,) = picture
    for item in [whole, *whole.findall("g")]:
        item.attrib.pop("id", None)  # every drawing has the same ids, and a page has several drawings
    for item in whole.findall("g"):
        shape, title = item.find("path"), item.find("title")
        if shape is None or title is None or title.text is None or item.attrib["class"].startswith("edge"):
            continue
        points = [float(number) for number in re.findall(r"[-.\d]+", shape.attrib["d"])]
        x, y = ((min(side) + max(side)) / 2 for side in (points[::2], points[1::2]))
        lines = label_of(title.text)
        for index, line in enumerate(lines):
            at = {"x": f"{x:g}", "y": f"{y + 14 * index - 7 * (len(lines) - 1):g}"}
            ElementTree.SubElement(item, "text", at).text = line
        boxes[x, y] = item
    for _, item in sorted(boxes.items(), key=lambda pair: pair[0]):
        whole.remove(item)
        whole.append(item)
    return picture


def _name_claims(picture: ElementTree.Element, graph: nx.DiGraph[str], *, is_file: bool) -> None:
    """Give each box and arrow the ids of its claims, and a title in words. In a page, make each box a link."""
    for item in picture.findall("g/g"):
        title = item.find("title")
        if title is None:
            continue
        name, _, target = (title.text or "").partition("->")
        if target:
            item.attrib |= {"data-from": name, "data-to": target}
            title.text = EDGES[graph.edges[name, target]["because"]][0].format(name, target)
            continue
        data = graph.nodes[name]
        said = " – ".join([data["label"], data["title"], *([data["standing"]] if "standing" in data else [])])
        title.text = f"{said} ({data['document']}, {data['place']})"
        item.attrib |= {"data-claim": name}
        if "members" in data:
            item.attrib |= {"data-members": " ".join(data["members"])}
        if not is_file and data.get("link", True):
            item.tag = "a"
            item.attrib |= {"href": f"#claim-{name}", "aria-label": title.text}


def _stack(pictures: Iterable[ElementTree.Element]) -> _Drawing:
    """Return one drawing: the pictures below each other, with a margin at the left and right, and a gap below each."""
    body, width, y = [], 0.0, 0.0
    for picture in pictures:
        across, down = map(float, picture.attrib["viewBox"].split()[2:])
        body.append(f'<g transform="translate({_MARGIN:g},{y:g})">')
        body += [*(ElementTree.tostring(part, encoding="unicode") for part in picture), "</g>"]
        width, y = max(width, across + 2 * _MARGIN), y + down + _GAP
    return _Drawing("".join(body), width, y)


# -- the whole file ----------------------------------------------------------------------------------------------------


def page_style() -> str:
    """Return the style sheet of pictures in a page. The page chooses a light or a dark background."""
    return _RULES.substitute({name: f"light-dark({light}, {dark})" for name, (light, dark) in _COLOURS.items()})


def fill_style() -> str:
    """Return the style sheet of a picture that is a file."""
    # This style sheet has a media query, because old programs do not know ``light-dark``.
    light, dark = (_RULES.substitute({name: pair[at] for name, pair in _COLOURS.items()}) for at in (0, 1))
    return f"{light}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n"


def _picture(size: tuple[float, float], description: str, body: list[str], *, is_file: bool) -> str:
    """Return a whole picture: a separate file, or part of a page that has ``page_style``."""
    width, height = size
    style = f"<style>\n{fill_style()}</style>"
    namespace = ' xmlns="http://www.w3.org/2000/svg"' if is_file else ""  # HTML needs no namespace
    return "\n".join(
        [
            f'<svg{namespace} class="graph-picture" role="group" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" aria-labelledby="{_ID}-title" aria-describedby="{_ID}-description">',
            f'<title id="{_ID}-title">What rests on what</title>',
            f'<desc id="{_ID}-description">{escape(description)}</desc>',
            *[style] * is_file,
            *body,
            "</svg>",
            "",
        ]
    )
