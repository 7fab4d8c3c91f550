"""Writes graphs as text, in the formats of common programs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import networkx as nx

from verifier.graph.picture import draw_claim_graph
from verifier.graph.tree import draw_folded_graph
from verifier.kernel.errors import UsageError
from verifier.kernel.games import Game
from verifier.kernel.words import counted
from verifier.presentation.drawn import Drawings
from verifier.presentation.registry import NO_DRAWINGS

SUFFIXES = {
    ".gv": "dot",
    ".cyjs": "cytoscape",
    **{f".{form}": form for form in ("dot", "graphml", "gexf", "json", "svg")},
}
"""The format for each suffix of a file's name."""


def write_graph(graph: nx.DiGraph[str], form: str, game: Game | None = None, drawings: Drawings = NO_DRAWINGS) -> str:
    """Return a graph as text in one of the formats of ``verifier graph``.

    Args:
        graph: a claim graph, a strategy graph, or a folded strategy graph. The mappings in a folded graph, such as the
            number of positions at each ply, are written as text (``format_counts``).
        form: the format.
        game: the game of a folded graph, for the boards of a picture.
        drawings: the clause ``drawn`` of the rules of each game that is drawn as points and lines.

    Raises:
        UsageError: the format is ``svg``, and the graph is a strategy graph that is not folded. Its picture would be
            too large to read.
    """
    match form:
        case "svg" if graph.graph["kind"] == "claims":
            return draw_claim_graph(graph)
        case "svg" if graph.graph["kind"] == "folded" and game is not None:
            return draw_folded_graph(graph, game, drawings)
        case "svg":
            raise UsageError(f"a graph of {len(graph):,} positions is too large to draw: draw the folded graph")
    graph = flatten_counts(graph)
    match form:
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


def format_counts(counts: Mapping[Any, int]) -> str:
    """Return a mapping from names to numbers as text, such as ``29: 12, 31: 48``."""
    return ", ".join(f"{name}: {count}" for name, count in counts.items())


def flatten_counts(graph: nx.DiGraph[str]) -> nx.DiGraph[str]:
    """Return a graph with text in place of mappings, because some formats cannot hold mappings."""
    if graph.graph["kind"] != "folded":
        return graph
    written = graph.copy()
    for data in (*(data for _, data in written.nodes(data=True)), *(data for *_, data in written.edges(data=True))):
        data.update({key: format_counts(value) for key, value in data.items() if isinstance(value, dict)})
    return written


_SHAPES = {"claimant": "box", "opponent": "ellipse", "end": "doublecircle"}
_STYLES = {"uses": "dashed", "joins": "bold"}


def _dot(graph: nx.DiGraph[str]) -> str:
    lines = ["digraph {", f"  rankdir={'LR' if graph.graph['kind'] == 'claims' else 'TB'};"]
    for name, data in graph.nodes(data=True):
        shape = {"shape": _SHAPES.get(data.get("mover", data.get("kind", "")), "box")}
        lines.append(f"  {_quote(name)}{_attributes({**shape, **data})};")
    for source, target, data in graph.edges(data=True):
        looks = {"label": data["move"]} if "move" in data else {}
        if "moves" in data and not looks:
            looks = {"label": counted(data["moves"], "move")}
        if data.get("because") in _STYLES:
            looks["style"] = _STYLES[data["because"]]
        lines.append(f"  {_quote(source)} -> {_quote(target)}{_attributes({**looks, **data})};")
    return "\n".join([*lines, "}", ""])


def _attributes(data: dict[str, Any]) -> str:
    kept = {key: value for key, value in data.items() if value != ""}
    return " [" + ", ".join(f"{key}={_quote(str(value))}" for key, value in kept.items()) + "]" if kept else ""


def _quote(text: str) -> str:
    """Quote a string as DOT does. ``json.dumps`` uses escapes that DOT does not have."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
