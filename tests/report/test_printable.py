"""No text from ledgers, specs, certificates or file names controls a terminal or GitHub Actions."""

import json
import pathlib
import re
from xml.etree import ElementTree

import pytest

from tests.audit.made import MADE
from tests.commands import command
from tests.report.ledgers import make_report
from verifier.audit.outlining import make_outline
from verifier.kernel.verdict import Verdict
from verifier.report.layout import Layout
from verifier.report.printable import dump_json, make_printable
from verifier.report.registry import FORMATS, render_report
from verifier.report.show import render_tree, show_claim
from verifier.report.text import ClaimLines

EVIL = "\x1b]0;owned\x07\x1b[2K\r\n::error::no\u202e\u2066\u200b\x9b31m\x7f##[error]x"
"""Sets the title, wipes the line, starts a line of its own, turns the direction of writing, hides."""


def check_harmless(text: str) -> None:
    """Require a text of which a terminal, and a runner, shows every character and obeys none."""
    assert [character for character in text if not character.isprintable() and character != "\n"] == []
    assert [line for line in text.split("\n") if line.lstrip().startswith("::")] == []
    assert "##[" not in text


@pytest.mark.parametrize("text", ["plain", "§ 4×4 – “é” \u00a0·", "日本", "a::b # [c]", "back\\slash"])
def test_visible_characters_stay(text: str) -> None:
    assert make_printable(text) == text


def test_control_characters_are_printed_as_numbers() -> None:
    """Nothing is lost: each such character is printed as its number, on one line."""
    shown = make_printable(EVIL)
    check_harmless(shown)
    assert shown.startswith(r"\x1b]0;owned\x07\x1b[2K\r\n::error::no\u202e\u2066\u200b\x9b31m\x7f")
    assert make_printable("  ::error::no") == r"  \::error::no"
    assert make_printable("\ud800") == r"\ud800"


@pytest.mark.parametrize("character", "\u034f\u115f\u17b5\u180d\u2800\u3164\ufe0f\uffa0\U000e0100")
def test_invisible_characters_are_printed_as_numbers(character: str) -> None:
    """Python calls some fillers and marks printable although nobody sees them. Numbers keep such names distinct."""
    assert make_printable(f"lemma-3{character}") == "lemma-3" + character.encode("unicode_escape").decode()
    assert json.loads(dump_json(character)) == character
    assert character not in dump_json(character)


def require_harmless(codes: set[int], *words: object) -> None:
    """Run a command. Require one of some exit codes, and that its output controls nothing."""
    told = command(*words)
    assert told.code in codes
    check_harmless(told.out)
    check_harmless(told.err)


@pytest.mark.parametrize(
    "text", ["claim: 'x\\e[2J'\n", '"\\e[2J\\n::error::x": 1\n', "claim: \x1b\n", 'claim: x\n"\\u202e": 1\n']
)
def test_faults_of_a_spec_are_printed_harmlessly(text: str, tmp_path: pathlib.Path) -> None:
    """The problems of a spec are printed line by line, and no text in it has an effect."""
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "a\x1b[31m\n::error::x.yaml").write_text(text)
    for words in (["validate", specs], ["check", "--specs", specs], ["show", "x", "--specs", specs]):
        require_harmless({2}, *words)


def test_texts_of_specs_are_printed_harmlessly(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Titles, sentences, notes, authors, rules and departures, in all output about a valid folder."""
    written = json.dumps(EVIL).replace("\x7f", r"\u007f").replace(r"\r\n", r"\n")
    for path in (MADE / "hostile-words").iterdir():
        (tmp_path / "specs").mkdir(exist_ok=True)
        (tmp_path / "specs" / path.name).write_text(path.read_text().replace("EVIL", written))
    (tmp_path / "specs/DIVERGENCES.md").write_text(f"- `a` {EVIL}\n")
    monkeypatch.chdir(tmp_path)
    assert command("validate").err == ""
    require_harmless({0}, "check", "-v", "--jobs", "1")
    for words in (["list"], ["show", "a"], ["show", "a", "--why"], *(["report", "--format", form] for form in FORMATS)):
        if "github" not in words:  # which is for a runner: it has no command of the specs
            require_harmless({0}, *words)
    assert "::" not in command("report", "--format", "github").out
    for form in ("dot", "graphml", "gexf", "cytoscape", "json", "svg"):
        require_harmless({0}, "graph", "claims", "--format", form)
    require_harmless({0}, "report", "--out", "site/")
    for path in (tmp_path / "site").iterdir():
        if path.suffix == ".html":
            check_harmless(path.read_text(encoding="utf-8"))
    assert r">a</a> \x1b]0;owned\x07" in (tmp_path / "site/documents.html").read_text(encoding="utf-8")


def test_names_of_an_index_are_printed_harmlessly(tmp_path: pathlib.Path) -> None:
    """Names and reasons in a folder of certificates are harmless in every command, and name no file of an export."""
    index = {"format": "verifier-index", "version": 2, "filed": {EVIL: "0" * 64}, "joins": {}}
    (tmp_path / "INDEX.json").write_text(json.dumps(index))
    specs = tmp_path / "specs"
    specs.mkdir()
    export = ["export", "smt2", tmp_path / "files"]
    looking = (["play", EVIL], ["graph", EVIL], ["play", "x"])
    for words in (["recheck"], ["recheck", "-v"], ["validate", specs], *looking, export):
        require_harmless({2, 4}, *words, "--proofs", tmp_path)
    assert not (tmp_path / "files").exists()


def test_a_run_is_printed_harmlessly(tmp_path: pathlib.Path) -> None:
    """Titles, sentences, reasons, trust lines and notes of a run are harmless in every format for people."""
    changes = {"reason": EVIL, "stats": {EVIL: 1}, "notes": (EVIL,)}
    refuted, troubled = {**changes, "verdict": Verdict.REFUTED}, {**changes, "trouble": EVIL}
    report = make_report(tmp_path, plain__as_stated=refuted, mended__as_stated=troubled)
    for claim in report.ledger.claims:
        lines = ClaimLines(report.library, [claim.id], Layout(), is_verbose=True)
        check_harmless("\n".join(lines.take(claim)))
        check_harmless(show_claim(claim, make_outline(report.library), Layout()))
        check_harmless(render_tree(report.ledger, make_outline(report.library), claim.id, Layout()))


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "github"])
def test_formats_for_programs_escape_invisible_characters(form: str, tmp_path: pathlib.Path) -> None:
    """They reach the terminal too. They have numbers for invisible characters, and mean the same."""
    evil = f"{EVIL}\x00\ufffe<b>]]>"
    changes = {"verdict": Verdict.REFUTED, "reason": evil, "notes": (evil,)}
    text = render_report(form, make_report(tmp_path, plain__as_stated=changes))
    assert [character for character in text if not character.isprintable() and character != "\n"] == []
    if form == "json":
        assert json.loads(text)["claims"][0]["readings"][0]["reason"] == evil
    elif form == "junit":
        found = ElementTree.fromstring(text).findtext(".//system-out")  # noqa: S314 - our own text
        assert re.sub("[\x00\x07\x1b\ufffe]", "\ufffd", evil) in (found or "")
    elif form == "github":
        assert [line[:2] for line in text.split("\n")].count("::") == 1
        assert text.count("%0A") == 1  # before the command, which is a sentence of its own
        assert "##[" not in text
