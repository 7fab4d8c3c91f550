from __future__ import annotations

from collections import Counter
from typing import Any

import networkx as nx
import pytest

from tests.graph.conftest import read
from verifier.graph.build import build_strategy_graph
from verifier.graph.fold import fold_strategy_graph, parse_keys
from verifier.kernel.errors import UsageError

FOLDS = [("phase",), ("rule",), ("ply",), ("phase", "ply"), ("rule", "ply")]


@pytest.mark.parametrize("keys", FOLDS)
def test_counts_add_up(plays: nx.DiGraph[str], keys: tuple[str, ...]) -> None:
    """Each position is counted once and so is each move, in all and ply by ply."""
    folded = fold_strategy_graph(plays, keys)
    assert sum(data["positions"] for _, data in folded.nodes(data=True)) == len(plays)
    assert sum(data["moves"] for *_, data in folded.edges(data=True)) == plays.number_of_edges()
    plies: Counter[int] = Counter()
    for _, data in folded.nodes(data=True):
        own = {int(ply): int(count) for ply, count in (item.split(":") for item in data["plies"].split())}
        assert sum(own.values()) == data["positions"]
        assert (min(own), max(own)) == (data["ply_from"], data["ply_to"])
        plies.update(own)
    assert plies == Counter(data["ply"] for _, data in plays.nodes(data=True))


@pytest.mark.parametrize("keys", FOLDS)
def test_every_folded_edge_is_made_of_real_ones(plays: nx.DiGraph[str], keys: tuple[str, ...]) -> None:
    """Between two folded nodes there are as many moves as between the positions that they stand for."""

    def name(data: dict[str, Any], ply: object) -> tuple[object, ...]:
        is_end = data["mover"] == "end"
        parts = [ply if key == "ply" else "" if is_end else data[key] for key in keys]
        return (data["mover"], data["reason"], *parts)

    real: Counter[tuple[object, object]] = Counter()
    for source, target in plays.edges:
        ends = (plays.nodes[node] for node in (source, target))
        first, second = (name(data, data["ply"]) for data in ends)
        real[first, second] += 1
    folded = fold_strategy_graph(plays, keys)
    names = {node: name(data, data["ply_from"]) for node, data in folded.nodes(data=True)}
    assert len(set(names.values())) == len(folded)
    assert real == {(names[u], names[v]): data["moves"] for u, v, data in folded.edges(data=True)}


def test_only_plies_keep_a_fold_from_circles(plays: nx.DiGraph[str]) -> None:
    for keys in (("ply",), ("phase", "ply"), ("rule", "ply")):
        assert nx.is_directed_acyclic_graph(fold_strategy_graph(plays, keys))


def test_a_phase_that_goes_on_is_a_circle() -> None:
    graph = build_strategy_graph(*read("lemma-3-edge-line"))
    assert not nx.is_directed_acyclic_graph(fold_strategy_graph(graph, ("phase",)))


def test_ends_are_told_apart_by_how_they_came_out(free: Any) -> None:
    graph = build_strategy_graph(*free)
    folded = fold_strategy_graph(graph, ("phase",))
    ends = {data["reason"]: data["positions"] for _, data in folded.nodes(data=True) if data["mover"] == "end"}
    assert ends == Counter(data["reason"] for _, data in graph.nodes(data=True) if data["mover"] == "end")
    assert len(ends) > 1


def test_keys_are_read_from_text() -> None:
    """Keys are joined by commas; an unknown one is quoted with those that there are."""
    assert parse_keys("phase,ply,phase") == ("phase", "ply")
    for text in ("", "phase,", "colour", "none", "symmetry"):
        with pytest.raises(UsageError, match="phase, rule, ply"):
            parse_keys(text)
