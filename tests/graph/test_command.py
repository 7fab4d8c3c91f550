"""The command ``graph``. ``graphs.txt`` and ``undrawn.txt`` in ``tests/golden/dialogues`` have files and errors."""

import pathlib

import pytest

from tests.commands import Told, command, without_packages
from tests.graph.conftest import read
from verifier.cli.graph import GRAPH_FORMATS


@pytest.mark.parametrize("form", GRAPH_FORMATS)
def test_both_graphs_are_written_in_every_format(form: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "graph"
    for what, sign in (("claims", "lemma-2"), ("careful-first-is-safe", "corner")):
        assert command("graph", what, "--format", form, "--out", path) == Told(0, "", "")
        assert command("graph", what, "--format", form) == Told(0, path.read_text(), "")
        assert sign in path.read_text()
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.slow
def test_the_reading_may_be_left_out_if_only_one_has_plays() -> None:
    assert len(read("remark-1/repaired")[1]) == len(read("remark-1")[1])


def test_help_loads_no_third_party_package() -> None:
    done = without_packages("-m", "verifier", "graph", "--help")
    assert "cytoscape" in {*done.out.replace(",", " ").split()}
