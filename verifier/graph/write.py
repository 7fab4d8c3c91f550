"""Write graphs as text, in the formats of common programs."""

from __future__ import annotations

import json
import re
from typing import Any

import networkx as nx

from verifier.graph.picture import draw_claim_graph
from verifier.kernel.errors import UsageError

SUFFIXES = {
    ".gv": "dot",
    ".cyjs": "cytoscape",
    **{f".{form}": form for form in ("dot", "graphml", "gexf", "json", "svg")},
}
"""The format for each suffix of a file's name."""


def write_graph(graph: nx.DiGraph[str], form: str) -> str:
    """Return a graph as text in one of the formats of ``verifier graph``.

    Raises:
        UsageError: the graph is a graph of plays, and the format is ``svg``: the picture would be too large to read.
    """
    match form:
        case "svg" if graph.graph["kind"] == "claims":
            return draw_claim_graph(graph)
        case "svg":
            raise UsageError(
                f"a graph of plays cannot be drawn: write its {len(graph):,} nodes as .dot or .graphml instead"
            )
        case "graphml":
            return "\n".join(nx.generate_graphml(graph)) + "\n"
        case "gexf":
            text = "\n".join(nx.generate_gexf(graph, version="1.2draft"))
            # Remove the date, so that the same graph gives the same file.
            return re.sub(r' lastmodifieddate="[^"]*"', "", text, count=1) + "\n"
        case "cytoscape" | "json":
            is_json = form == "json"
            data = nx.node_link_data(graph, edges="edges") if is_json else nx.cytoscape_data(graph, name="label")
            return json.dumps(data, indent=1, sort_keys=True) + "\n"
    return _dot(graph)


_SHAPES = {"claimant": "box", "opponent": "ellipse", "end": "doublecircle"}
_STYLES = {"uses": "dashed", "joins": "bold"}


def _dot(graph: nx.DiGraph[str]) -> str:
    lines = ["digraph {", f"  rankdir={'LR' if graph.graph['kind'] == 'claims' else 'TB'};"]
    for name, data in graph.nodes(data=True):
        shape = {"shape": _SHAPES[data["mover"]]} if "mover" in data else {"shape": "box"}
        lines.append(f"  {_quote(name)}{_attributes({**shape, **data})};")
    for source, target, data in graph.edges(data=True):
        looks = {"label": data["move"]} if "move" in data else {}
        if data.get("because") in _STYLES:
            looks["style"] = _STYLES[data["because"]]
        lines.append(f"  {_quote(source)} -> {_quote(target)}{_attributes({**looks, **data})};")
    return "\n".join([*lines, "}", ""])


def _attributes(data: dict[str, Any]) -> str:
    kept = {key: value for key, value in data.items() if value != ""}
    return " [" + ", ".join(f"{key}={_quote(str(value))}" for key, value in kept.items()) + "]" if kept else ""


def _quote(text: str) -> str:
    """Quote a string as DOT does. JSON has other escapes as well, which DOT does not have."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
