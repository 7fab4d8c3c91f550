from __future__ import annotations

import pathlib
import re
from dataclasses import replace

import pytest

from tests.report.ledgers import make_report
from verifier.kernel.verdict import Verdict
from verifier.report import github
from verifier.report.registry import render


def unescape(text: str) -> str:
    """Read an escaped text as the runner of GitHub Actions does."""
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_an_unexpected_verdict_is_an_annotation(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names file, line and column, and one line holds it all, whatever its text."""
    monkeypatch.chdir(tmp_path)
    report = make_report(
        tmp_path, plain__as_stated={"verdict": Verdict.REFUTED, "reason": "100% wrong,\r\n::error::no %0A"}
    )
    lines = render("github", report).split("\n")
    assert [line for line in lines if line.startswith("::")] == lines[:1]
    match = re.fullmatch(r"::error ([^:]*)::(.*)", lines[0])
    assert match is not None
    properties = {name: unescape(value) for name, value in (part.split("=", 1) for part in match[1].split(","))}
    assert properties == {
        "file": "audited specs/part/plain.yaml",
        "line": "6",
        "col": "3",
        "title": "plain/as-stated: unexpected verdict",
    }
    told = "expected proved, found refuted: 100% wrong, ::error::no %0A; verifier show plain --specs 'audited specs'"
    assert unescape(match[2]) == told


@pytest.mark.parametrize("form", ["sarif", "junit", "github"])
def test_a_question_of_our_own_is_told_as_one(form: str, tmp_path: pathlib.Path) -> None:
    """Nobody takes a question with the answer no for a slip of the document."""
    report = make_report(tmp_path)
    claims = [replace(claim, source=replace(claim.source, ours=claim.id == "wrong")) for claim in report.ledger.claims]
    report = replace(report, ledger=replace(report.ledger, claims=tuple(claims)))
    text = github.render_summary(report) if form == "github" else render(form, report)
    assert text.count("our own, on test, part 3") == 1
    assert text.count("our own") == (2 if form == "github" else 1)
    assert form != "github" or "| our own questions: test | 1 | 1 refuted |" in text
