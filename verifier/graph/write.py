"""Graphs as GraphML, DOT and JSON."""

from __future__ import annotations

import json

import networkx as nx

FORMATS = ("dot", "graphml", "json")


def write_graph(graph: nx.DiGraph[str], form: str) -> str:
    """Return a graph as text in one of ``FORMATS``."""
    if form == "graphml":
        return "\n".join(nx.generate_graphml(graph)) + "\n"
    if form == "json":
        return json.dumps(nx.node_link_data(graph, edges="edges"), indent=1, sort_keys=True) + "\n"
    return _dot(graph)


_SHAPES = {"claimant": "box", "opponent": "ellipse", "end": "doublecircle"}


def _dot(graph: nx.DiGraph[str]) -> str:
    lines = ["digraph {", "  rankdir=TB;"]
    for name, data in graph.nodes(data=True):
        attributes = {key: value for key, value in data.items() if value != ""}
        if "mover" in attributes:
            attributes = {"shape": _SHAPES[attributes["mover"]], "label": f"ply {attributes['ply']}", **attributes}
        lines.append(f"  {json.dumps(name)}{_attributes(attributes)};")
    for source, target, data in graph.edges(data=True):
        attributes = {"label": data["move"], **data} if "move" in data else data
        lines.append(f"  {json.dumps(source)} -> {json.dumps(target)}{_attributes(attributes)};")
    return "\n".join([*lines, "}", ""])


def _attributes(data: dict[str, object]) -> str:
    if not data:
        return ""
    return " [" + ", ".join(f"{key}={json.dumps(str(value))}" for key, value in data.items()) + "]"
