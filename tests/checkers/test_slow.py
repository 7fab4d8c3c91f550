"""Slow readings: left out unless asked for, their shipped proofs kept, their claims standing as they stood."""

from __future__ import annotations

import json
import pathlib
import shutil

import pytest

from verifier.checkers.run import Run
from verifier.cli import main
from verifier.kernel.recheck import read_index
from verifier.spec.library import load_library

HEAD = """
title: A claim for tests
source: {document: test, place: none, says: A claim for tests.}
rules: tictactoe
"""
START = "{method: entailment, at: start, expect: EXPECT, slow: SLOW, parts: {start: {conclude: [ply == 0]}}}"


def reading(expect: str = "proved", *, slow: bool = False) -> str:
    return START.replace("EXPECT", expect).replace("SLOW", str(slow).lower())


def write(specs: pathlib.Path, name: str, **readings: str) -> None:
    specs.mkdir(exist_ok=True)
    lines = "\n".join(f"  {key}: {text}" for key, text in readings.items())
    (specs / f"{name}.yaml").write_text(f"claim: {name}{HEAD}readings:\n{lines}\n")


@pytest.fixture
def specs(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "specs"
    write(folder, "both", quick=reading(), long=reading(slow=True))
    write(folder, "only", long=reading(slow=True))
    return folder


def check(specs: pathlib.Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["check", "--specs", str(specs), "--jobs", "1", *arguments])
    return code, capsys.readouterr().out


def test_a_slow_reading_is_not_run(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is printed as not run, lowers no standing and no exit code, and gets no verdict."""
    code, out = check(specs, capsys)
    assert code == 0
    assert "proved as stated  (quick proved, long not run: slow, see --slow)" in out
    assert "2 claims: 1 proved as stated, 1 not run; 1 proved with all they rest on" in out
    assert "3 readings: every verdict as expected; 2 not run: slow, see --slow" in out
    code, out = check(specs, capsys, "--format", "json")
    claims = {claim["id"]: claim for claim in json.loads(out)["claims"]}
    assert code == 0
    assert claims["only"]["standing"] == "not run"
    assert not claims["only"]["fully_proved"]
    assert [(r["verdict"], r["skipped"]) for r in claims["both"]["readings"]] == [("proved", None), (None, "slow")]


def test_slow_readings_are_run_when_asked_for(specs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With ``--slow`` they count like any other, and a verdict that is not expected is told."""
    assert "2 proved as stated" in check(specs, capsys, "--slow")[1]
    other = specs.with_name("other")
    write(other, "only", long=reading("refuted", slow=True))
    assert check(other, capsys)[0] == 0
    assert check(other, capsys, "--slow")[0] == 1
    assert check(other, capsys, "only", "--slow")[0] == 1


def test_a_run_without_slow_readings_keeps_their_proofs(
    specs: pathlib.Path, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A whole run without ``--slow`` leaves their files and index lines as they are, and drops those of nobody."""
    out = tmp_path / "proofs"
    write(specs, "gone", long=reading(slow=True))
    check(specs, capsys, "--slow", "--out", str(out))
    before = {path.relative_to(out): path.read_bytes() for path in out.rglob("*.*") if path.is_file()}
    check(specs, capsys, "--out", str(out))
    assert {path.relative_to(out): path.read_bytes() for path in out.rglob("*.*") if path.is_file()} == before
    fewer = tmp_path / "fewer"
    shutil.copytree(specs, fewer)
    (fewer / "gone.yaml").unlink()
    check(fewer, capsys, "--out", str(out))
    assert {(entry.claim, entry.reading) for entry in read_index(out)} == {
        ("both", "quick"), ("both", "long"), ("only", "long")
    }  # fmt: skip
    assert not (out / "gone/long/certificate.json.gz").exists()
    assert main(["recheck", "--proofs", str(out)]) == 0
    assert "3 certificates, 0 rejected" in capsys.readouterr().out
    assert main(["validate", str(fewer), "--proofs", str(out)]) == 0


def test_tables_of_slow_readings_are_kept(tmp_path: pathlib.Path) -> None:
    """Files that only a slow reading's certificate names stay with it."""
    specs, out = tmp_path / "specs", tmp_path / "proofs"
    shutil.copytree(pathlib.Path(__file__).parents[2] / "specs" / "examples", specs)
    path = specs / "careful-first-is-safe.yaml"
    path.write_text(path.read_text().replace("    expect: proved", "    slow: true\n    expect: proved"))
    library = load_library(specs)
    claims = sorted(library.claims)
    Run(specs, library, claims, out=out, slow=True).execute()
    tables = sorted(out.glob("tables/*"))
    Run(specs, library, claims, out=out).execute()
    assert sorted(out.glob("tables/*")) == tables != []
    assert main(["recheck", "--proofs", str(out)]) == 0
