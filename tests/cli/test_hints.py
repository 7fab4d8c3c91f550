"""Who mistypes a command, an option or a name is told which one was perhaps meant."""

from __future__ import annotations

import pathlib

import pytest

from verifier.cli import main

PROOFS = pathlib.Path(__file__).parents[2] / "proofs"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("lst", "'list'"),
        ("check lemma-3 --reding x", "'--reading'"),
        ("check --format jsn", "'json'"),
        ("check --report jsno=x", "'json'"),
        ("check --color nevr", "'never'"),
        ("check specs/paper/lemma-2.yaml", "'paper/3-analysis/lemma-2.yaml'"),
        ("check papr", "'paper'"),
        ("check lemma-3 --reading as-statd", "'as-stated'"),
        ("show lema-3", "'lemma-3' or 'lemma-7'"),
        ("explain lema-3", "'lemma-3' or 'lemma-7'"),
        ("graph lema-3", "'lemma-3' or 'lemma-7'"),
        ("play lemma-3/as-statd", "'as-stated'"),
        ("graph clams", "'claims'"),
        ("graph lemma-3 --fold rul", "'rule'"),
        ("graph claims --format grapml", "'graphml'"),
        ("export smt x", "'smt2'"),
        (f"export smt2 x lema-3 --proofs {PROOFS}", "'lemma-3' or 'lemma-7'"),
        ("completion bsh", "'bash'"),
        (f"recheck --proofs {PROOFS} lema-3", "'lemma-3' or 'lemma-7'"),
        ("recheck --limt 3", "'--limit'"),
    ],
)
def test_what_was_meant_is_named(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The refusal names the nearest word that there is, in one line, and the exit code is 2."""
    try:
        code: object = main(typed.split())
    except SystemExit as end:
        code = end.code
    assert code == 2
    err = capsys.readouterr().err
    assert f"did you mean {meant}?" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("check no-such-claim", "no-such-claim"),
        ("check rules-start --reading none", "none"),
        ("check --specs /no/such/folder", "/no/such/folder"),
        ("recheck --proofs /no/such/folder", "/no/such/folder"),
        ("graph rules-start", "rules-start"),
    ],
)
def test_what_is_not_there_is_named(typed: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With exit code 2, where nothing is near enough to be meant."""
    assert main(typed.split()) == 2
    err = capsys.readouterr().err
    assert said in err
    assert "did you mean" not in err


def test_no_option_of_another_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """It would be refused as well."""
    with pytest.raises(SystemExit):
        main(["recheck", "--fold"])
    assert "did you mean" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ["claims.png", "claims.pdf"])
def test_a_picture_that_is_no_svg_is_refused(
    name: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No text of another format gets into a file that looks like a picture, whatever --format says."""
    assert main(["graph", "claims", "--format", "svg", "--out", str(tmp_path / name)]) == 2
    assert "makes PNG and PDF of .svg" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_where_there_are_specs_and_no_proofs_no_other_proofs_are_rechecked(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a folder of one's own the shipped certificates are not decided in place of one's own."""
    assert main(["new", str(tmp_path / "paper")]) == 0
    monkeypatch.chdir(tmp_path / "paper")
    capsys.readouterr()
    assert main(["recheck"]) == 2
    assert "'verifier check --out proofs' writes them" in capsys.readouterr().err
