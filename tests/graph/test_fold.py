from __future__ import annotations

from collections import Counter
from typing import Any

import networkx as nx
import pytest

from tests.graph.conftest import read
from tests.rules import positional
from verifier.graph.build import build_strategy_graph
from verifier.graph.fold import choose_keys, fold_strategy_graph, parse_keys
from verifier.graph.plays import Walk
from verifier.kernel.errors import UsageError
from verifier.kernel.plays import walk
from verifier.kernel.statement import parse_statement

FOLDS = [("phase",), ("rule",), ("ply",), ("symmetry",), ("phase", "ply"), ("rule", "ply"), ("symmetry", "phase")]


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


@pytest.mark.parametrize("keys", [("phase",), ("rule",), ("ply",), ("phase", "ply"), ("rule", "ply")])
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


def test_folded_by_symmetry_each_class_is_a_node(plays: nx.DiGraph[str]) -> None:
    """There are as many nodes as classes, and every fold counts the classes of its positions."""
    classes = {data["like"] for _, data in plays.nodes(data=True)}
    folded = fold_strategy_graph(plays, ("symmetry",))
    assert len(folded) == len(classes) < len(plays)
    assert {data["classes"] for _, data in folded.nodes(data=True)} == {1}
    assert nx.is_directed_acyclic_graph(folded)
    by_ply = fold_strategy_graph(plays, ("ply",))
    assert sum(data["classes"] for _, data in by_ply.nodes(data=True)) == len(classes)


def test_only_plies_keep_a_fold_from_circles(plays: nx.DiGraph[str]) -> None:
    """A fold that keeps plies apart has no circle."""
    for keys in (("ply",), ("phase", "ply"), ("rule", "ply")):
        assert nx.is_directed_acyclic_graph(fold_strategy_graph(plays, keys))


def test_a_phase_that_goes_on_is_a_circle() -> None:
    """Folded by phase, the replies within a phase lead back to it."""
    graph = build_strategy_graph(*read("lemma-3-edge-line"))
    assert not nx.is_directed_acyclic_graph(fold_strategy_graph(graph, ("phase",)))


def test_ends_are_told_apart_by_how_they_came_out(free: Any) -> None:
    """A play that is won and one that is drawn are not the same end, whatever the fold."""
    graph = build_strategy_graph(*free)
    folded = fold_strategy_graph(graph, ("phase",))
    ends = {data["reason"]: data["positions"] for _, data in folded.nodes(data=True) if data["mover"] == "end"}
    assert ends == Counter(data["reason"] for _, data in graph.nodes(data=True) if data["mover"] == "end")
    assert len(ends) > 1


def test_the_default_is_the_rules_where_there_are_any(line: Any, free: Any) -> None:
    """Plays without a strategy are folded by ply."""
    assert choose_keys(build_strategy_graph(*line)) == ("rule",)
    assert choose_keys(build_strategy_graph(*free)) == ("ply",)


def test_a_game_without_symmetries_is_not_folded_by_them() -> None:
    """A bent line is taken to itself by no symmetry of the square, and the refusal says which rules these are."""
    bent = positional(3, 3, [[[0, 1, 4], []]], [[["X_line"], "X"]])
    objective = {"name": "any", "type": "some", "at": ["every"], "holds": True}
    said = {"kind": "play", "start": ".../.../...", "claimant": "X", "horizon": 2, "strategies": {}}
    statement = parse_statement({**said, "rules": bent, "objectives": [objective]})
    graph = build_strategy_graph(statement, Walk(tuple(walk(statement, None))), symmetry=True)
    with pytest.raises(UsageError, match=r"1 line 0\.1\.4"):
        fold_strategy_graph(graph, ("symmetry",))
    assert not any("classes" in data for _, data in fold_strategy_graph(graph, ("ply",)).nodes(data=True))


def test_keys_are_read_from_text() -> None:
    """Keys are joined by commas; an unknown one is quoted with those that there are."""
    assert parse_keys(None) is None
    assert parse_keys("none") == ()
    assert parse_keys("phase,ply,phase") == ("phase", "ply")
    for text in ("", "phase,", "colour", "none,ply"):
        with pytest.raises(UsageError, match="symmetry"):
            parse_keys(text)
