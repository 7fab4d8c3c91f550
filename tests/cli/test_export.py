"""``export``: what it refuses before any work."""

from __future__ import annotations

import json
import pathlib

import pytest

from tests.audit.made import STEPS, check, make_plan, write_claim
from verifier.cli import main


def test_a_file_is_no_folder_for_data(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is written in its place."""
    path = tmp_path / "data"
    path.write_text("mine")
    assert main(["export", "smt2", str(path)]) == 2
    assert path.read_text() == "mine"
    assert "is not a folder" in capsys.readouterr().err


def test_evidence_that_is_missing_ends_an_export(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With exit code 4, and without data."""
    (tmp_path / "proofs").mkdir()
    assert main(["export", "smt2", "--proofs", str(tmp_path / "proofs"), str(tmp_path / "data")]) == 4
    assert "INDEX.json" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_a_name_that_is_none_names_no_file(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names are those of an index, which may be somebody else's: what is not an id ends in one error."""
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
