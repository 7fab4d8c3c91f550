"""The command ``report``, for a file and for a site. ``ledgers.txt`` in ``tests/golden/dialogues`` has refusals."""

import json
import pathlib
import sys
from typing import Any

import pytest

from tests.audit.made import STARTS, write_claim
from tests.commands import command

CLAIM = "lowest-spot-keeps-fields"


def claims_of(*words: object) -> list[Any]:
    """Return only the claims of a ledger that a command prints."""
    told = command(*words, "--format", "json")
    assert (told.code, told.err) == (0, "")
    found: list[Any] = json.loads(told.out)["claims"]
    return found


def test_a_page_is_written_and_the_ledger_summed_up(tmp_path: pathlib.Path) -> None:
    """The whole file is written and nothing else, and the summary of the run is printed."""
    out = tmp_path / "report.html"
    command("check", CLAIM, "--jobs", "1")
    told = command("report", CLAIM, "--out", out)
    assert (told.code, "1 reading: every verdict as expected" in told.out) == (0, True)
    assert out.read_text().endswith("</html>\n")
    assert f'id="claim-{CLAIM}"' in out.read_text()
    assert [*tmp_path.iterdir()] == [out]


def test_a_report_decides_nothing() -> None:
    """The report has the verdicts of earlier runs, and says which claims have none."""
    (claim,) = claims_of("report", CLAIM)
    assert (claim["id"], claim["standing"], claim["readings"][0]["verdict"]) == (CLAIM, "not checked", "unknown")
    assert f"verifier check {CLAIM}" in claim["readings"][0]["reason"]
    assert command("report", CLAIM, "--format", "text").out.endswith("\n1 reading: 1 not checked\n")
    assert command("check", CLAIM, "--jobs", "1").code == 0
    (claim,) = claims_of("report", CLAIM)
    (reading,) = claim["readings"]
    assert (claim["standing"], reading["verdict"], reading["decided"]) == ("refuted", "refuted", "remembered")


def test_a_report_says_that_faulty_specs_are_left_out(tmp_path: pathlib.Path) -> None:
    """The page, standard error and the exit code say so, because its counts are not those of all claims."""
    specs, out = tmp_path / "specs", tmp_path / "report.html"
    specs.mkdir()
    write_claim(specs, "whole", STARTS, "tictactoe")
    (specs / "faulty.yaml").write_text("claim: faulty\ntitle: [\n")
    told = command("report", "--specs", specs, "--out", out)
    assert (told.code, "1 fault: not checked: 1 claim" in told.out) == (2, True)
    assert f"{specs}/faulty.yaml:3:1: not YAML" in told.err
    assert ">Faults</h2>" in out.read_text()
    assert "Every verdict is the one" not in out.read_text()


def test_a_web_page_is_not_written_to_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would fill hundreds of screens. The command says what to do instead."""
    from verifier.cli import main

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert main(["report", "lemma-2"]) == 2
    assert "name a file with --out" in capsys.readouterr().err


def test_a_site_is_written_into_a_folder(tmp_path: pathlib.Path) -> None:
    """The folder is made, or the site in it replaced. ``places.txt`` has the folders that are refused."""
    site = tmp_path / "new" / "site"
    for _ in range(2):
        assert command("report", "--out", f"{site}/", "rules-start", "--no-cache").code in (0, 1)
        assert (site / "claim-rules-start.html").exists()
        assert not (site / "claim-gone.html").exists()
        (site / "claim-gone.html").write_text("")
