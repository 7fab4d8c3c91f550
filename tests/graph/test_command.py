from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import networkx as nx
import pytest

from tests.audit.made import STARTS, edit, write_claim
from tests.graph.conftest import ROOT, read
from verifier.cli import main
from verifier.cli.graph import FORMATS


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["graph", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_of_both_graphs(form: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both graphs are written in every format that they have, to a file as to standard output."""
    for what, sign in (("claims", "lemma-2"), ("careful-first-is-safe", "opponent"))[: 1 if form == "svg" else 2]:
        path = tmp_path / "graph"
        assert run(capsys, what, "--format", form, "--out", str(path)) == (0, "", "")
        code, out, err = run(capsys, what, "--format", form)
        assert (code, err) == (0, "")
        assert out == path.read_text()
        assert sign in out
    assert [path.name for path in tmp_path.iterdir()] == ["graph"]


def test_the_name_of_the_file_chooses_the_format(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that ends in .svg is a picture; what --format says comes first; anything else is DOT."""
    starts = {"a.svg": "<svg", "a.gexf": "<gexf", "a.json": "{", "a.cyjs": "{", "a.gv": "digraph", "a": "digraph"}
    for name, start in starts.items():
        assert run(capsys, "claims", "--out", str(tmp_path / name))[0] == 0
        assert (tmp_path / name).read_text().startswith(start)
    assert run(capsys, "claims", "--format", "dot", "--out", str(tmp_path / "a.svg"))[0] == 0
    assert (tmp_path / "a.svg").read_text().startswith("digraph")


def test_folds(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Positions become one node only where that is asked for."""
    sizes = {}
    for fold in ([], ["--fold", "rule,ply"], ["--fold", "ply"]):
        path = tmp_path / "graph.graphml"
        assert run(capsys, "careful-first-is-safe", *fold, "--out", str(path))[0] == 0
        sizes["".join(fold[1:])] = len(nx.read_graphml(path))
    assert sizes[""] > sizes["rule,ply"] > sizes["ply"]


def test_a_ledger_colours_claims(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A ledger as check writes it gives claims their standing; what is not a ledger is refused."""
    assert main(["check", "examples", "--format", "json", "--jobs", "1"]) == 0
    ledger = tmp_path / "ledger.json"
    ledger.write_text(capsys.readouterr().out)
    standings = {claim["id"]: claim["standing"] for claim in json.loads(ledger.read_text())["claims"]}
    assert len(standings) == 2
    path = tmp_path / "graph.json"
    assert run(capsys, "claims", "--ledger", str(ledger), "--out", str(path))[0] == 0
    found = {node["id"]: node["standing"] for node in json.loads(path.read_text())["nodes"]}
    assert found == {**dict.fromkeys(found, "not run"), **standings}
    for text in ("", "[]", "{", '{"claims": [1]}', '{"claims": [{"id": "a", "standing": "fine"}]}', "[" * 9999):
        ledger.write_text(text)
        code, out, err = run(capsys, "claims", "--ledger", str(ledger))
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert str(ledger) in err
    assert run(capsys, "claims", "--ledger", str(tmp_path / "none.json"))[0] == 2


def test_a_ledger_of_other_specs_colours_nothing(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was decided of a text is told of no other one, in a picture as in a report."""
    write_claim(tmp_path, "starts", STARTS, "tictactoe")
    specs = ["--specs", str(tmp_path)]
    assert main(["check", *specs, "--no-cache", "--format", "json", "--jobs", "1"]) == 0
    ledger = tmp_path / "ledger.json"
    ledger.write_text(capsys.readouterr().out)
    assert "proved as stated" in run(capsys, "claims", *specs, "--ledger", str(ledger))[1]
    edit(tmp_path / "starts.yaml", "ply == 0", "ply == 1")
    code, out, err = run(capsys, "claims", *specs, "--ledger", str(ledger))
    assert (code, out) == (2, "")
    assert "starts/as-stated states something else" in err


def test_links(capsys: pytest.CaptureFixture[str]) -> None:
    """Claims of a picture link to the page that is named."""
    _, out, _ = run(capsys, "claims", "--format", "svg", "--link", "report.html")
    assert 'href="report.html#claim-lemma-2"' in out
    assert "href" not in run(capsys, "claims", "--format", "svg")[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lemma-33"], "did you mean 'lemma-3'"),
        (["no-such-thing-at-all"], "no claim 'no-such-thing-at-all'"),
        (["lemma-3/other"], "there are: as-stated"),
        (["variant-one-field-any-spot"], "variant-one-field-any-spot/at-most-three, "),
        (["rules-start"], "cannot be drawn or played"),
        (["theorem-1"], "cannot be drawn or played"),
        (["remark-2/adapted"], "cannot be drawn or played"),
        (["lemma-5"], "does not follow a strategy"),
        (["lemma-6-play-0-1"], "does not follow a strategy"),
        (["lowest-spot-keeps-fields"], "a single play, which 'verifier show lowest-spot-keeps-fields' draws"),
        (["lemma-3", "--fold", "colour"], "cannot fold by 'colour'; use phase, rule, ply, or several"),
        (["careful-first-is-safe", "--format", "svg"], "plays are not drawn"),
        (["claims", "--fold", "ply"], "--fold is about the plays"),
        (["lemma-3", "--ledger", "x"], "--ledger goes with 'claims'"),
        (["lemma-3", "--definitions"], "--definitions goes with 'claims'"),
        (["claims", "--specs", "/none"], "no such folder"),
        (["lemma-3", "--proofs", "/none"], "no such folder"),
        (["claims", "--out", f"{__file__}/graph.svg"], "test_command.py"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong name or a wrong option is exit code 2, and what would be right is named."""
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_a_reading_may_be_left_out_where_one_has_plays() -> None:
    """Of several readings, the only one that is about all plays is meant."""
    assert len(read("remark-1/repaired")[1].nodes) == len(read("remark-1")[1].nodes)


def test_nothing_third_party_for_help() -> None:
    """The command's help is there before networkx is."""
    done = subprocess.run(
        [sys.executable, "-S", "-m", "verifier", "graph", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "cytoscape" in done.stdout
    assert "--fold" in done.stdout
