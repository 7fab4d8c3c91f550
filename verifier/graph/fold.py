"""A strategy graph folded until it can be read: positions that play the same part become one node, with counts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import networkx as nx

from verifier.kernel.errors import UsageError
from verifier.kernel.words import counted
from verifier.language.problem import suggest

KEYS = ("phase", "rule", "ply")
"""What positions may have in common, besides who is to move there and how the play ends there."""


def parse_keys(text: str) -> tuple[str, ...]:
    """Read keys joined by commas.

    Raises:
        UsageError: one is unknown.
    """
    keys = tuple(dict.fromkeys(text.split(",")))
    for key in keys:
        if key not in KEYS:
            known = f"{', '.join(KEYS)}, or several joined by commas"
            raise UsageError(f"cannot fold by {key!r}; use {known}{suggest(key, KEYS)}")
    return keys


def fold_strategy_graph(graph: nx.DiGraph[str], keys: tuple[str, ...]) -> nx.DiGraph[str]:
    """Return a strategy graph with one node for all positions that agree in ``keys``, in who moves, and in the end.

    An end belongs to the phase or the rule that led to it only as far as it says how the play ended: ends are told
    apart by their reason, and by their ply where ``keys`` has ``ply``.

    Node attributes: ``label``, ``mover``, ``phase``, ``rule`` and ``reason`` (those that are common), ``positions``,
    ``ply_from``, ``ply_to``, and ``plies`` (``PLY:COUNT`` for each). Edge attributes: ``moves``, how many moves became
    one, and ``rule``, where they have one in common. Where ``keys`` has no ``ply`` the graph may have circles.
    """
    members: dict[tuple[Any, ...], list[str]] = {}
    for name, data in graph.nodes(data=True):
        kept = [key for key in keys if data["mover"] != "end" or key == "ply"]
        members.setdefault((data["mover"], data["reason"], *(data[key] for key in kept)), []).append(name)
    folded: nx.DiGraph[str] = nx.DiGraph(**{**graph.graph, "kind": "folded strategy", "fold": ",".join(keys)})
    home: dict[str, str] = {}
    for index, names in enumerate(members.values()):
        folded.add_node(f"g{index}", **_describe([graph.nodes[name] for name in names]))
        home.update(dict.fromkeys(names, f"g{index}"))
    moves: dict[tuple[str, str], Counter[str]] = {}
    for source, target, data in graph.edges(data=True):
        moves.setdefault((home[source], home[target]), Counter())[data["rule"]] += 1
    for (source, target), rules in moves.items():
        count, rule = rules.total(), next(iter(rules)) if len(rules) == 1 else ""
        folded.add_edge(source, target, label=f"{count:,}", moves=count, rule=rule)
    return folded


def _describe(members: list[dict[str, Any]]) -> dict[str, Any]:
    plies = Counter(data["ply"] for data in members)
    common = {
        key: members[0][key] if len({data[key] for data in members}) == 1 else ""
        for key in ("mover", "phase", "rule", "reason")
    }
    first, last, positions = min(plies), max(plies), counted(len(members), "position")
    span = f"ply {first}" if first == last else f"plies {first} to {last}"
    return {
        "label": f"{_title_of(common)}; {positions}; {span}",
        **common,
        "positions": len(members),
        "ply_from": first,
        "ply_to": last,
        "plies": " ".join(f"{ply}:{plies[ply]}" for ply in sorted(plies)),
    }


def _title_of(data: dict[str, Any]) -> str:
    """Return what a folded node is, in a few words."""
    if data["mover"] == "end":
        return str(data["reason"])
    part = (data["rule"] or data["phase"]).replace("|", " or ")
    if data["mover"] == "claimant":
        return f"{part or 'any rule'}: to move"
    return f"after {part}: the reply" if part else "the reply"
