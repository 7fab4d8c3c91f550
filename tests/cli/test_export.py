"""``export coq`` and ``recheck --coq``: what they refuse before any work, and what they hand on."""

from __future__ import annotations

import json
import pathlib

import pytest

from tests.audit.made import STEPS, check, make_plan, write_claim
from verifier.cli import main
from verifier.coq import data, make


def test_a_frontier_beyond_the_tables_is_refused(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is a number of marks up to eight."""
    assert main(["export", "coq", "--frontier", "9", str(tmp_path)]) == 2
    assert "--frontier: a number of marks up to 8, not 9" in capsys.readouterr().err


def test_a_file_is_no_folder_for_data(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is written in its place."""
    path = tmp_path / "data"
    path.write_text("mine")
    assert main(["export", "coq", str(path)]) == 2
    assert path.read_text() == "mine"
    assert "is no folder" in capsys.readouterr().err


def test_evidence_that_is_missing_ends_an_export(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With exit code 4, and without data."""
    (tmp_path / "proofs").mkdir()
    assert main(["export", "coq", "--proofs", str(tmp_path / "proofs"), str(tmp_path / "data")]) == 4
    assert "INDEX.json" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_the_frontier_and_the_jobs_are_handed_on(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six marks are left to Coq unless something else is asked for."""
    asked: list[tuple[str, int, int]] = []

    def export(proofs: pathlib.Path, folder: pathlib.Path, *, frontier: int, jobs: int, say: object) -> None:
        asked.append((folder.name, frontier, jobs))

    monkeypatch.setattr(data, "export", export)
    assert main(["export", "coq", "--jobs", "2", str(tmp_path)]) == 0
    assert main(["export", "coq", "--jobs", "2", "--frontier", "0", str(tmp_path)]) == 0
    assert asked == [(tmp_path.name, 6, 2), (tmp_path.name, 0, 2)]


@pytest.mark.parametrize("option", [["lemma-3"], ["--limit", "3"], ["--format", "json"]])
def test_a_build_does_all_of_it_or_nothing(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """What it would not do is refused."""
    assert main(["recheck", "--coq", *option]) == 2
    assert "--coq builds all of the Coq proofs" in capsys.readouterr().err


def test_a_folder_of_evidence_without_sources_is_refused(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The proofs of another folder are not taken for its own."""
    assert main(["recheck", "--coq", "--proofs", str(tmp_path)]) == 2
    assert "no such folder of Coq sources" in capsys.readouterr().err


def test_without_coq_nothing_is_built_or_installed(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, and what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("VERIFIER_COQ", str(tmp_path / "build"))
    assert main(["recheck", "--coq"]) == 2
    assert "apt-get install" in capsys.readouterr().err
    assert not (tmp_path / "build").exists()


def test_rechecking_in_coq_ends_as_the_build_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its exit code is the command's: 1 where a proof fails."""
    monkeypatch.setattr(make, "make", lambda places, jobs: 1 if places.sources.name == "coq" and jobs == 3 else 0)
    assert main(["recheck", "--coq", "--jobs", "3"]) == 1


def test_a_name_that_is_none_names_no_file(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names are those of an index, which may be somebody else's: what is no id ends in one error."""
    specs, out = tmp_path / "specs", tmp_path / "out"
    specs.mkdir()
    write_claim(specs, "steps", STEPS, "paper")
    assert check(make_plan(specs, out=out)).exit_code == 0
    index = json.loads((out / "INDEX.json").read_text())
    index["filed"] = {"a\0b/c\n\x1b[31mproved": index["filed"]["steps/as-stated"]}
    (out / "INDEX.json").write_text(json.dumps(index))
    capsys.readouterr()
    assert main(["export", "smt2", "--proofs", str(out), str(tmp_path / "files")]) == 4
    assert not (tmp_path / "files").exists()
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
