"""The command ``report``: what it writes, where, and how it ends."""

from __future__ import annotations

import json
import pathlib
import sys

import pytest

from tests.audit.made import STARTS, write_claim
from verifier.cli import main

CLAIM = "lowest-spot-keeps-fields"


def test_a_page_is_written_and_the_ledger_summed_up(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is there whole and alone, and the summary of the run is printed."""
    out = tmp_path / "report.html"
    assert main(["report", "--check", CLAIM, "--jobs", "1", "--out", str(out)]) == 0
    assert out.read_text().endswith("</html>\n")
    assert f'id="claim-{CLAIM}"' in out.read_text()
    assert list(tmp_path.iterdir()) == [out]
    assert "1 reading: every verdict as expected" in capsys.readouterr().out


def test_without_a_file_the_report_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output gets the report and nothing else; other formats are a matter of one option."""
    assert main(["report", CLAIM, "--jobs", "1", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [claim["id"] for claim in found["claims"]] == [CLAIM]


def test_without_a_check_nothing_is_decided(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report says what earlier runs have come to, and what none has."""
    words = ["report", CLAIM, "--format", "json"]
    assert main(words) == 0
    (claim,) = json.loads(capsys.readouterr().out)["claims"]
    assert (claim["standing"], claim["readings"][0]["verdict"]) == ("not run", "unknown")
    assert f"verifier check {CLAIM}" in claim["readings"][0]["reason"]
    assert main(["report", CLAIM, "--format", "text"]) == 0
    assert capsys.readouterr().out.endswith("\n1 reading: 1 not in this run\n")
    assert main(["check", CLAIM, "--jobs", "1"]) == 0
    capsys.readouterr()
    assert main(words) == 0
    (claim,) = json.loads(capsys.readouterr().out)["claims"]
    assert (claim["standing"], claim["readings"][0]["verdict"]) == ("refuted", "refuted")
    assert claim["readings"][0]["decided"] == "remembered"


@pytest.mark.parametrize("words", [[], ["--check", "--jobs", "1"]])
def test_a_report_tells_that_faulty_specs_are_left_out(
    words: list[str], tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page, standard error and the exit code say so: its counts are not those of all claims."""
    specs = tmp_path / "specs"
    specs.mkdir()
    write_claim(specs, "whole", STARTS, "tictactoe")
    (specs / "faulty.yaml").write_text("claim: faulty\ntitle: [\n")
    out = tmp_path / "report.html"
    assert main(["report", "--specs", str(specs), "--out", str(out), *words]) == 2
    assert "Not everything was checked" in out.read_text()
    assert "Every verdict is the one" not in out.read_text()
    told = capsys.readouterr()
    assert f"{specs}/faulty.yaml:3:1: not YAML" in told.err
    assert "1 fault: not checked: 1 claim" in told.out


def test_a_given_ledger_is_reported_on(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a run elsewhere has decided is told as it stands in its ledger; nothing is looked up or decided."""
    ledger = tmp_path / "ledger.json"
    assert main(["check", CLAIM, "classic-draw", "--no-cache", "--jobs", "1", "--format", "json"]) == 0
    ledger.write_text(capsys.readouterr().out)
    out = tmp_path / "report.html"
    assert main(["report", "--ledger", str(ledger), "--out", str(out)]) == 0
    capsys.readouterr()
    assert 'id="claim-classic-draw"' in out.read_text()
    assert f'id="witness-{CLAIM}--as-stated"' in out.read_text()
    assert main(["report", CLAIM, "--ledger", str(ledger), "--format", "json"]) == 0
    (claim,) = json.loads(capsys.readouterr().out)["claims"]
    (whole,) = [item for item in json.loads(ledger.read_text())["claims"] if item["id"] == CLAIM]
    assert claim == whole


@pytest.mark.parametrize(
    ("words", "old", "new", "reason"),
    [
        ([CLAIM], CLAIM, "another-claim", "there is no another-claim/as-stated in these specs"),
        (["classic-draw"], "", "", "the ledger has none of the requested claims"),
        ([CLAIM, "--check"], "", "", "--check makes a ledger, --ledger reads one: choose"),
        ([CLAIM], '"claims"', '"clams"', "no ledger of 'check --format json'"),
    ],
)
def test_a_ledger_that_does_not_fit_is_refused(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], words: list[str], old: str, new: str, reason: str
) -> None:
    """Of other specs, of other claims, no ledger at all, or beside a check: exit code 2 and one line."""
    ledger = tmp_path / "ledger.json"
    assert main(["report", CLAIM, "--format", "json"]) == 0
    text = capsys.readouterr().out
    ledger.write_text(text.replace(old, new) if old else text)
    assert main(["report", *words, "--ledger", str(ledger)]) == 2
    assert reason in capsys.readouterr().err


READINGS = """claim: first
title: Who has moved
source: {document: examples, place: our own, says: It holds.}
rules: tictactoe
readings:
  as-stated: {expect: proved, line: ["4"], conclude: ["X[4]"]}
  other: {expect: proved, line: ["0"]}
"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('line: ["4"], conclude: ["X[4]"]', 'line: ["4", "0"], conclude: ["O[0]"]', "as-stated states something else"),
        ("  other:", "  another:", "there is no first/other in these specs"),
        ("  other:", '  third: {expect: proved, line: ["1"]}\n  other:', "first has other readings"),
        ('["0"]}', '["0"], repairs: [as-stated], note: It is so.}', "first/other is another reading"),
        ('proved, line: ["0"]', 'refuted, line: ["0"]', "first/other is expected to be refuted"),
    ],
)
def test_a_ledger_of_another_text_is_refused(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], old: str, new: str, reason: str
) -> None:
    """A verdict stands beside the text that it was decided on, and beside no other one."""
    specs, ledger = tmp_path / "specs", tmp_path / "ledger.json"
    specs.mkdir()
    (specs / "first.yaml").write_text(READINGS)
    assert main(["check", "--specs", str(specs), "--no-cache", "--jobs", "1", "--format", "json"]) == 0
    ledger.write_text(capsys.readouterr().out)
    words = ["report", "--specs", str(specs), "--no-cache", "--ledger", str(ledger), "--format", "junit"]
    (specs / "first.yaml").write_text(READINGS.replace("It holds.", "It still holds."))
    assert main(words) == 0
    capsys.readouterr()
    (specs / "first.yaml").write_text(READINGS.replace(old, new))
    assert main(words) == 2
    assert reason in capsys.readouterr().err


def test_a_standing_that_is_not_that_of_the_readings_is_refused(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ledger that was changed, or is of a version that counted otherwise, stands by what its readings say."""
    ledger = tmp_path / "ledger.json"
    assert main(["check", CLAIM, "--no-cache", "--jobs", "1", "--format", "json"]) == 0
    text = capsys.readouterr().out
    assert '"standing": "refuted"' in text
    ledger.write_text(text.replace('"standing": "refuted"', '"standing": "proved as stated"'))
    assert main(["report", CLAIM, "--no-cache", "--ledger", str(ledger), "--format", "junit"]) == 2
    assert f"{CLAIM} stands otherwise by its readings" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("key", "value"), [("start", "garbage"), ("moves", ["99"]), ("moves", ["0.1", "0.1"]), ("moves", ["0.1"])]
)
def test_a_witness_that_is_no_play_is_refused(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], key: str, value: object
) -> None:
    """It would be drawn: its moves are legal, and lead to where it says."""
    path = tmp_path / "ledger.json"
    assert main(["check", CLAIM, "--no-cache", "--jobs", "1", "--format", "json"]) == 0
    ledger = json.loads(capsys.readouterr().out)
    ledger["claims"][0]["readings"][0]["witness"][key] = value
    path.write_text(json.dumps(ledger))
    assert main(["report", CLAIM, "--no-cache", "--ledger", str(path)]) == 2
    assert f"{CLAIM}/as-stated has a witness that is not a play" in capsys.readouterr().err


def test_a_web_page_is_not_written_to_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would fill hundreds of screens: the command says what to do instead."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert main(["report", "lemma-2"]) == 2
    assert "name a file with --out" in capsys.readouterr().err
