"""The claim graph, and the strategy graph of a certificate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

from verifier.graph.plays import Walk
from verifier.kernel.statement import Statement
from verifier.kernel.words import describe_rules
from verifier.language.library import Library
from verifier.language.model import Claim
from verifier.language.questions import Can, Plays, Steps
from verifier.language.references import joined_claims, needed_claims
from verifier.presentation.ends import describe_end
from verifier.presentation.registry import show

if TYPE_CHECKING:
    Graph: TypeAlias = nx.DiGraph[str]

JOINS, USES, STATEMENT = "joins", "uses", "statement"
"""Why an edge is there: a verdict rests on a reading of the other claim; the other should be read first; or a statement
is made of a definition or a strategy."""


def build_claim_graph(
    library: Library, standings: Mapping[str, str] | None = None, *, definitions: bool = False
) -> nx.DiGraph[str]:
    """Return a graph with an edge from each claim to each claim that it joins or uses.

    Node attributes: ``label``, ``kind`` (``claim``, and with definitions also ``definitions`` and ``strategy``),
    ``title``, ``document``, ``place``, and ``standing`` where standings are given, by id. The edge attribute
    ``because`` is ``joins`` where the verdict on a reading is made from that on a reading of the other claim, and
    ``uses`` where the other is only read first.
    """
    graph: nx.DiGraph[str] = nx.DiGraph(kind="claims")
    for name in sorted(library.claims):
        _add(graph, name, name, "claim", library.claim(name))
        if standings is not None:
            graph.nodes[name]["standing"] = str(standings.get(name, "not run"))
    for name in sorted(library.claims):
        claim = library.claim(name)
        joined = set(joined_claims(claim))
        for other in needed_claims(claim):
            graph.add_edge(name, other, because=JOINS if other in joined else USES)
    if definitions:
        _add_definitions(graph, library)
    return graph


def _add(graph: nx.DiGraph[str], node: str, name: str, kind: str, model: Any) -> None:
    source = model.source
    graph.add_node(node, label=name, kind=kind, title=model.title, document=source.document, place=source.place)


def _add_definitions(graph: nx.DiGraph[str], library: Library) -> None:
    """Add what statements are made of: a node's id starts with its kind, as a definition may have a claim's name."""
    for kind in ("definitions", "strategy"):
        for name in sorted(library.home(kind)):
            _add(graph, f"{kind} {name}", name, kind, library.home(kind)[name].model)
    for kind in ("claim", "definitions", "strategy"):
        for name in sorted(library.home(kind)):
            node = name if kind == "claim" else f"{kind} {name}"
            model = library.home(kind)[name].model
            needed = [f"definitions {other}" for other in model.includes]
            if isinstance(model, Claim):
                needed += [f"strategy {other}" for other in dict.fromkeys(_strategies(model))]
            graph.add_edges_from(((node, other) for other in needed), because=STATEMENT)


def _strategies(claim: Claim) -> Iterator[str]:
    """Yield the strategies that a claim's readings speak of."""
    for reading in claim.readings.values():
        if isinstance(reading, Plays | Can):
            yield from (name.split("#")[0] for name in reading.strategies.values())
        elif isinstance(reading, Steps) and reading.strategy is not None:
            yield reading.strategy.split("#")[0]


HELD = "held by pairs or weights"
"""How a play ends that a table does not follow to its end (``kernel.breaker``)."""


def build_strategy_graph(statement: Statement, walked: Walk) -> nx.DiGraph[str]:
    """Return the positions of a certificate's plays, with the moves between them.

    Node attributes: ``label``, ``position``, ``ply``, ``mover`` (``claimant``, ``opponent`` or ``end``), ``rule`` and
    ``phase`` (of the rule that is used there; otherwise of the one the play came by), ``reason`` (how a play ends
    there). Edge attributes: ``move``, ``rule``, and ``ply`` and ``position`` after the move. Several rules are
    joined by ``|``.
    """
    game, find_move = statement.game, show(statement.game).find_move
    graph: nx.DiGraph[str] = nx.DiGraph(kind="strategy", claimant=statement.claimant, rules=describe_rules(game))
    number = {node.position: f"n{index}" for index, node in enumerate(walked)}
    rules = _find_rules(walked)
    for node in walked:
        found, ply = rules[node.position], game.ply(node.position)
        reason = describe_end(statement, node.position) or ("" if node.edges else HELD)
        graph.add_node(
            number[node.position],
            label=f"ply {ply}" + (f": {reason}" if reason else ""),
            position=game.format_position(node.position),
            ply=ply,
            mover="end" if not node.edges else "claimant" if node.mover == statement.claimant else "opponent",
            phase="|".join(dict.fromkeys(rule.split(".")[0] for rule in found)),
            rule="|".join(found),
            reason=reason,
        )
    for node in walked:
        labels: dict[Any, list[str]] = {}
        for label, after in node.edges:
            labels.setdefault(after, []).append(label)
        for after, used in labels.items():
            to = graph.nodes[number[after]]
            move, rule = game.format_move(find_move(node.position, after)), "|".join(sorted(used))
            looks = {"move": move, "rule": rule, "ply": to["ply"], "position": to["position"]}
            graph.add_edge(number[node.position], number[after], **looks)
    return graph


def _find_rules(nodes: Walk) -> dict[Any, list[str]]:
    """Return the rules of each position: those used there; where there are none, those that led to it."""
    own = {node.position: sorted({label for label, _ in node.edges if label}) for node in nodes}
    came: dict[Any, set[str]] = {}
    for node in nodes:
        for label, after in node.edges:
            if label:
                came.setdefault(after, set()).add(label)
    return {position: found or sorted(came.get(position, ())) for position, found in own.items()}
