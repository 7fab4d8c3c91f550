"""GraphML as yEd writes it: labels, shapes and colours, and places where the graph is small enough to be laid out."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import networkx as nx

from verifier.graph.layout import Drawing, lay_out

GRAPHML = "http://graphml.graphdrawing.org/xmlns"
YED = "http://www.yworks.com/xml/graphml"

MAX_LAID_OUT = 500
"""Larger graphs are left to yEd's own layouts."""

_TYPES = {bool: "boolean", int: "int", float: "double", str: "string"}
_SHAPES = {"claimant": "rectangle", "opponent": "roundrectangle", "end": "octagon"}
_KIND_SHAPES = {"claim": "rectangle", "definitions": "ellipse", "strategy": "hexagon"}
_COLOURS = {
    "proved as stated": "#DAFBE1",
    "supported as stated": "#DDF1FA",
    "proved after repair": "#FFF8C5",
    "supported after repair": "#FFF8C5",
    "depends on the reading": "#FFF8C5",
    "refuted": "#FFEBE9",
    "undetermined": "#EAEEF2",
    "not run": "#FFFFFF",
    "opponent": "#EAEEF2",
    "end": "#DAFBE1",
}
_LINES = {"uses": "dashed", "statement": "dashed_dotted"}


def write_yed(graph: nx.DiGraph[str]) -> str:
    """Return a graph as GraphML with yEd's own data beside the attributes, which keep their types."""
    root = ElementTree.Element("graphml", {"xmlns": GRAPHML, "xmlns:y": YED})
    keys = {"graph": _collect([graph.graph]), "node": _collect([data for _, data in graph.nodes(data=True)])}
    keys["edge"] = _collect([data for *_, data in graph.edges(data=True)])
    for name in ("node", "edge"):
        ElementTree.SubElement(root, "key", {"id": f"{name}-looks", "for": name, "yfiles.type": f"{name}graphics"})
    for name, types in keys.items():
        for attribute, type_ in types.items():
            fields = {"id": f"{name}-{attribute}", "for": name, "attr.name": attribute, "attr.type": type_}
            ElementTree.SubElement(root, "key", fields)
    inner = ElementTree.SubElement(root, "graph", {"id": "G", "edgedefault": "directed"})
    _add_data(inner, "graph", graph.graph)
    sizes = {name: (7.5 * len(data["label"]) + 20, 30.0) for name, data in graph.nodes(data=True)}
    downwards = graph.graph["kind"] != "claims"
    drawing = lay_out(graph, sizes, downwards=downwards) if len(graph) <= MAX_LAID_OUT else None
    for name, data in graph.nodes(data=True):
        node = ElementTree.SubElement(inner, "node", {"id": name})
        _add_data(node, "node", data)
        _add_node_looks(node, name, data, sizes[name], drawing)
    for index, (source, target, data) in enumerate(graph.edges(data=True)):
        edge = ElementTree.SubElement(inner, "edge", {"id": f"e{index}", "source": source, "target": target})
        _add_data(edge, "edge", data)
        _add_edge_looks(edge, data)
    ElementTree.indent(root, " ")
    return "<?xml version='1.0' encoding='utf-8'?>\n" + ElementTree.tostring(root, encoding="unicode") + "\n"


def _collect(items: list[dict[str, Any]]) -> dict[str, str]:
    """Return the GraphML type of each attribute; each has one type throughout."""
    return {key: _TYPES[type(value)] for data in items for key, value in data.items()}


def _add_data(parent: ElementTree.Element, kind: str, data: dict[str, Any]) -> None:
    for key, value in data.items():
        ElementTree.SubElement(parent, "data", {"key": f"{kind}-{key}"}).text = str(value)


def _add_node_looks(
    node: ElementTree.Element, name: str, data: dict[str, Any], size: tuple[float, float], drawing: Drawing | None
) -> None:
    looks = ElementTree.SubElement(node, "data", {"key": "node-looks"})
    shape = ElementTree.SubElement(looks, "y:ShapeNode")
    width, height = size if drawing is None else drawing.sizes[name]
    place = {"width": width, "height": height}
    if drawing is not None:
        x, y = drawing.centres[name]
        place |= {"x": x - width / 2, "y": y - height / 2}
    ElementTree.SubElement(shape, "y:Geometry", {key: f"{value:.1f}" for key, value in place.items()})
    colour = _COLOURS.get(data.get("standing", data.get("mover", "")), "#DDF4FF")
    ElementTree.SubElement(shape, "y:Fill", {"color": colour, "transparent": "false"})
    ElementTree.SubElement(shape, "y:BorderStyle", {"color": "#59636E", "type": "line", "width": "1.0"})
    ElementTree.SubElement(shape, "y:NodeLabel").text = data["label"]
    kind = _SHAPES[data["mover"]] if "mover" in data else _KIND_SHAPES[data["kind"]]
    ElementTree.SubElement(shape, "y:Shape", {"type": kind})


def _add_edge_looks(edge: ElementTree.Element, data: dict[str, Any]) -> None:
    looks = ElementTree.SubElement(edge, "data", {"key": "edge-looks"})
    line = ElementTree.SubElement(looks, "y:PolyLineEdge")
    type_ = _LINES.get(data.get("because", ""), "line")
    ElementTree.SubElement(line, "y:LineStyle", {"color": "#59636E", "type": type_, "width": "1.0"})
    ElementTree.SubElement(line, "y:Arrows", {"source": "none", "target": "standard"})
    label = data.get("label") or data.get("move")
    if label:
        ElementTree.SubElement(line, "y:EdgeLabel").text = str(label)
