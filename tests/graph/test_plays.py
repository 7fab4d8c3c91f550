from __future__ import annotations

import pathlib
import shutil

import pytest

from tests.graph.conftest import ROOT
from verifier.graph.build import build_strategy_graph
from verifier.graph.fold import choose_keys, fold_strategy_graph
from verifier.graph.plays import find_entry, read_plays
from verifier.kernel.errors import CertificateError


def test_the_plays_are_those_of_the_kernel() -> None:
    """The graph of a certificate has the positions and the edges that the kernel counts."""
    statement, walked = read_plays(ROOT / "proofs", find_entry(ROOT / "proofs", "lemma-3-corner-line"))
    graph = build_strategy_graph(statement, walked)
    stats = walked.stats
    assert len(graph) == stats["claimant_positions"] + stats["opponent_positions"] + stats["leaves"]
    assert graph.number_of_edges() == stats["edges"]
    wins = [data["ply"] for _, data in graph.nodes(data=True) if data["reason"] == f"{statement.claimant} wins"]
    assert (min(wins), max(wins)) == (stats["shortest_win_ply"], stats["longest_win_ply"])


@pytest.mark.slow
def test_the_papers_strategy_folded_by_its_rules() -> None:
    """The 63,960 positions of Lemma 3 are a few nodes by rule, and X wins at plies 29 to 43 in the one end there is."""
    statement, walked = read_plays(ROOT / "proofs", find_entry(ROOT / "proofs", "lemma-3"))
    graph = build_strategy_graph(statement, walked, symmetry=True)
    folded = fold_strategy_graph(graph, choose_keys(graph))
    assert len(graph) == sum(data["positions"] for _, data in folded.nodes(data=True)) == 63960
    assert graph.number_of_edges() == sum(data["moves"] for *_, data in folded.edges(data=True)) == 102529
    assert len(folded) < 30
    (end,) = [data for _, data in folded.nodes(data=True) if data["mover"] == "end"]
    assert (end["reason"], end["ply_from"], end["ply_to"]) == ("X wins", 29, 43)


def test_a_rejected_certificate_is_not_drawn(tmp_path: pathlib.Path) -> None:
    """A file that is not the one the index names is refused before anything is drawn."""
    proofs = tmp_path / "proofs"
    shutil.copytree(ROOT / "proofs", proofs)
    entry = find_entry(proofs, "careful-first-is-safe")
    other = find_entry(proofs, "lemma-3-corner-line")
    (proofs / entry.path).write_bytes((proofs / other.path).read_bytes())
    with pytest.raises(CertificateError):
        read_plays(proofs, entry)
