"""Every play that Lemmas 5 to 7 speak of, one position for all numberings of the fields: a second look, no claim."""

from __future__ import annotations

import pathlib
import shutil

import pytest

from tests.search.compiled.engine import Engine
from tests.search.plays import SPECS
from verifier.language.compile import compile_reading
from verifier.language.folder import load_library

pytestmark = pytest.mark.slow

CLAIMS = pathlib.Path(__file__).parent / "claims"


@pytest.mark.parametrize(
    ("lemma", "positions", "edges"),
    [("lemma-5", 1_806_175, 12_141_050), ("lemma-6", 165, 453), ("lemma-7", 544, 1170)],
)
def test_every_play_keeps_what_the_lemma_says(lemma: str, positions: int, edges: int, tmp_path: pathlib.Path) -> None:
    """No play breaks an objective, and the positions met, up to numbering, are as many as they are."""
    shutil.copytree(SPECS, tmp_path / "specs")
    shutil.copy(CLAIMS / f"{lemma}.yaml", tmp_path / "specs")
    data = compile_reading(load_library(tmp_path / "specs"), f"plays-of-{lemma}", "as-stated").statement
    assert data is not None
    engine = Engine(data, is_relabelled=True)
    levels = [(level.count, level.edges) for level, _ in engine.enumerate_levels()]
    assert engine.failure == (-1, -1)
    assert len(levels) == data["horizon"]
    assert (sum(count for count, _ in levels), sum(made for _, made in levels)) == (positions, edges)


def test_without_a_rule_lbs_lets_a_second_x_in(tmp_path: pathlib.Path) -> None:
    """Where Olivia may send Xavier to any field, a field gets a second X, and the search sees it."""
    shutil.copytree(SPECS, tmp_path / "specs")
    shutil.copy(CLAIMS / "lemma-5.yaml", tmp_path / "specs")
    path = next((tmp_path / "specs").rglob("lbs.yaml"))
    text = path.read_text()
    begin = text.index("      away:")
    end = text.index("\n", text.index("play: ", begin)) + 1
    path.write_text(text[:begin] + text[end:])
    data = compile_reading(load_library(tmp_path / "specs"), "plays-of-lemma-5", "as-stated").statement
    assert data is not None
    engine = Engine({**data, "horizon": 8}, is_relabelled=True)
    list(engine.enumerate_levels())
    assert engine.failure[0] >= 0
