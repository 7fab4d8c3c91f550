import pathlib
from collections import Counter
from dataclasses import replace

import pytest

from tests.audit.made import ROOT, check, make_plan
from tests.graph.conftest import read
from verifier.api.certificate import find_plays, unfold_plays
from verifier.graph.build import build_strategy_graph
from verifier.kernel.errors import CertificateError


def test_the_graph_has_the_plays_of_the_kernel() -> None:
    statement, walked = read("lemma-3-corner-line")
    graph = build_strategy_graph(statement, walked)
    movers = Counter(node.mover for node in walked)
    assert len(graph) == len(walked) == sum(movers.values())
    assert graph.number_of_edges() == sum(len({after for _, after in node.edges}) for node in walked)
    wins = [data["ply"] for _, data in graph.nodes(data=True) if data["reason"] == f"{statement.claimant} wins"]
    assert min(wins) <= max(wins) <= 43


def test_rejected_evidence_is_not_drawn(tmp_path: pathlib.Path) -> None:
    plan = make_plan(ROOT / "specs", "classic-second-player", out=tmp_path / "out")
    check(plan)
    context = plan.folders.open(plan.library)
    plays = find_plays(context, "classic-second-player")
    evidence = plays.evidence
    assert evidence.keys() == {"table", "symmetries"}
    for rejected in ({**evidence, "table": "0" * 64}, {"table": evidence["table"]}):
        with pytest.raises(CertificateError):
            unfold_plays(replace(plays, stored=replace(plays.stored, evidence=rejected)))


def test_plays_up_to_symmetry_are_unfolded() -> None:
    """Each position is in the graph, with one move of the claimant's, or with every reply, or pairs end play there."""
    statement, walked = read("classic-second-player")
    game, met = statement.game, {statement.start}
    assert statement.claimant == "O"
    for node in walked:
        after = {game.play(node.position, move) for move in game.legal_moves(node.position)}
        edges = {reached for _, reached in node.edges}
        assert node.position in met
        assert edges <= after
        assert len(edges) in {"X": (len(after), 0), "O": (1, 0), "": (0,)}[node.mover]
        assert bool(node.mover) != game.is_over(node.position)
        met |= edges
    assert met == {node.position for node in walked}
    assert all(game.outcome(node.position) != "X" for node in walked)  # type: ignore[attr-defined]
