"""The words around verdicts: nothing undecided, nothing about another reading, and the right rules."""

import pathlib
import tempfile

import pytest

import verifier
from tests.audit.made import write_claim
from tests.commands import command
from tests.report.tree import Tree
from verifier.audit.outlining import make_outline
from verifier.report.layout import Layout
from verifier.report.registry import Report, render_report
from verifier.report.show import render_tree, show_claim
from verifier.report.text import failure_lines

PROVED = "{expect: proved, line: ['4'], conclude: ['X[4]']}"
REFUTED = "{expect: refuted, line: ['4'], conclude: ['O[4]']}"
DOCUMENT = "document: examples\ntitle: A paper\nnote: It is made for tests.\nheadline: [main]\n"


def check(folder: pathlib.Path, claims: dict[str, dict[str, str]], rules: str = "tictactoe") -> Report:
    """Check specs of a document with a claim for each name, and its readings."""
    (folder / "document.yaml").write_text(DOCUMENT)
    for name, readings in claims.items():
        lines = [f"  {reading}: {text}" for reading, text in readings.items()]
        write_claim(folder, name, "\n".join(["readings:", *lines]), rules)
    specs = verifier.load(folder, cache=tempfile.mkdtemp(dir=folder))  # the page reads evidence after the run
    return specs.report(specs.check())


def also(reading: str, more: str) -> str:
    """Return a reading with further keys."""
    return f"{reading.removesuffix('}')}, {more}}}"


def test_an_erratum_without_a_grade_has_its_repair(tmp_path: pathlib.Path) -> None:
    """A reading with a proved repair is not said to have none, and a joined claim of a headline has a use."""
    broken = {"as-stated": REFUTED, "repaired": also(PROVED, "repairs: [as-stated], note: It helps.")}
    whole = {"as-stated": "{expect: refuted, joins: [base/as-stated]}"}
    text = render_report("errata", check(tmp_path, {"base": broken, "main": whole}))
    assert "**Correction:** It helps." in text
    assert "**Main results:** “A claim for tests” (refuted)" in text


def test_a_repair_is_shown_with_its_own_words(tmp_path: pathlib.Path) -> None:
    """Its note may claim more. This holds in the lines of a run, in ``show``, on the page and in the letter."""
    trivial = also(PROVED, "repairs: [as-stated], note: He always wins.")
    joined = "{expect: proved, joins: [other/as-stated], repairs: [as-stated], note: So it is.}"
    base = {"as-stated": REFUTED, "repaired": trivial, "joining": joined}
    report = check(tmp_path, {"base": base, "other": {"as-stated": PROVED}, "main": {"as-stated": PROVED}})
    says = "line: 4; at its end: X[4]"
    assert report.ledger["base/repaired"].says == says
    assert report.ledger["base/joining"].says == f"other/as-stated: {says}"
    assert report.ledger["base/as-stated"].says == ""
    (claim,) = (claim for claim in report.ledger.claims if claim.id == "base")
    shown = " ".join(show_claim(claim, make_outline(report.library), Layout(200)).split())
    assert f"says: other/as-stated: {says}" in shown
    lines = command("check", "base", "--specs", tmp_path, "-v", "--no-cache", "--jobs", "1").out
    assert "repairs as-stated; meaning: line: 4;" in lines
    assert f"He always wins. It says: {says}." in render_report("html", report)
    assert f"repaired is proved: He always wins.; meaning: {says}" in render_report("sarif", report)


def test_rules_of_a_reading_are_shown_with_its_verdict(tmp_path: pathlib.Path) -> None:
    """If they are not those of the claim, the page, the tree, the errata and SARIF name them."""
    claims = {
        name: {"as-stated": also(reading, "rules: misere")} for name, reading in (("main", PROVED), ("other", REFUTED))
    }
    report = check(tmp_path, claims)
    assert "proved under misere" in render_report("html", report)
    assert "as-stated (line): proved under misere" in render_tree(
        report.ledger, make_outline(report.library), "main", Layout()
    )
    assert "(Under misere.)" in render_report("errata", report)
    assert "refuted under misere" in render_report("sarif", report)


def test_a_headline_without_a_repair_rests_on_none(tmp_path: pathlib.Path) -> None:
    claims = {"main": {"as-stated": REFUTED}}
    assert "Our proof of the main results relies on the repair" not in render_report("html", check(tmp_path, claims))
    claims["main"]["repaired"] = also(PROVED, "repairs: [as-stated], note: It helps.")
    assert "Our proof of the main results relies on the repair" in render_report("html", check(tmp_path, claims))


def test_a_headline_that_is_open_is_not_said_to_fail(tmp_path: pathlib.Path) -> None:
    """One reading holds and another fails, so it depends on the reading."""
    page = render_report("html", check(tmp_path, {"main": {"as-stated": PROVED, "other": REFUTED}}))
    assert "Some main result depends on how it is read." in page
    assert "Some main result fails." in render_report("html", check(tmp_path, {"main": {"as-stated": REFUTED}}))


def test_a_control_that_holds_is_not_said_to_be_false(tmp_path: pathlib.Path) -> None:
    """It should be refuted, and its verdict says that it was not. SARIF does not count controls as refutations."""
    control = also(PROVED.replace("proved", "refuted"), "control: true")
    page = render_report("html", check(tmp_path, {"main": {"as-stated": PROVED, "check": control}}))
    assert "It is our own, and has to be refuted" in page
    assert "our own and false" not in page
    failing = {"main": {"as-stated": REFUTED, "check": also(REFUTED, "control: true")}}
    assert "check: refuted" not in render_report("sarif", check(tmp_path, failing))


def test_no_claim_and_no_reading_share_a_place_of_the_page(tmp_path: pathlib.Path) -> None:
    """The claim 'a-b' and the reading 'b' of 'a' differ, and so do 'b-c' of 'a' and 'c' of 'a-b'."""
    claims = {name: {"b": REFUTED, "b-c": REFUTED, "c": REFUTED, "title": REFUTED} for name in ("a", "a-b", "a-title")}
    page = Tree(render_report("html", check(tmp_path, {"main": {"as-stated": PROVED}, **claims})))
    ids = [element.attributes["id"] for element in page.root.every() if "id" in element.attributes]
    assert len(ids) == len(set(ids))


def test_hypotheses_are_shown_only_if_the_kernel_has_followed_them(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate may name any hypotheses beside a solver's word."""
    monkeypatch.setattr("verifier.questions.steps.evidence.is_exact_installed", lambda: False)
    part = "{given: [not over, 'X[0]'], cites: [not over], conclude: ['not free[0]']}"
    reading = f"{{expect: supported, steps: {{one: {part}}}}}".replace("[0]", "[0, 0]")
    report = check(tmp_path, {"main": {"as-stated": reading}}, "paper")
    assert str(report.ledger["main/as-stated"].verdict) == "supported"
    assert "one: shown from" not in render_report("html", report)
    assert "shown from" not in show_claim(report.ledger.claims[0], make_outline(report.library), Layout())


def test_readings_that_contradict_each_other_are_reported(tmp_path: pathlib.Path) -> None:
    step = "{step: start, expect: proved, steps: {start: {conclude: [ply == 0]}}}"
    play = "{plays: all, expect: refuted, player: X, horizon: 1, objectives: {o: {some: 'O[4]', at: every}}}"
    other = also(play, "agrees_with: as-stated")
    page = render_report("html", check(tmp_path, {"main": {"as-stated": step, "other": other}}))
    assert "A reading is neither proved nor refuted (" in page
    assert "two methods disagree" in page


def test_a_report_has_the_text_that_was_read(tmp_path: pathlib.Path) -> None:
    """A file may change during a run. The page, and the lines below a failure, have the text that was decided."""
    report = check(tmp_path, {"main": {"as-stated": REFUTED.replace("expect: refuted", "expect: proved")}})
    (tmp_path / "main.yaml").write_text("# nothing\n")
    page = render_report("html", report)
    assert "conclude: [&#39;O[4]&#39;]" in page
    told = "\n".join(failure_lines(report, Layout()))
    assert "as-stated: {expect: proved, line: ['4'], conclude: ['O[4]']}" in told


def test_notes_on_other_documents_are_not_shown(tmp_path: pathlib.Path) -> None:
    """Departures of the shipped specs from the paper say nothing about a user's folder."""
    text = "Where our formal text differs"
    both = {"lemma-2": {"as-stated": PROVED}, "main": {"as-stated": PROVED}}
    assert text not in render_report("html", check(tmp_path, both))
    (tmp_path / "DIVERGENCES.md").write_text("- `main` says more.\n")
    assert text in render_report("html", check(tmp_path, {"main": {"as-stated": PROVED}}))


def test_an_invariant_is_shown_before_it_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """``show`` has the invariant of a reading that is not checked, in the words of the spec."""
    monkeypatch.setattr("verifier.cli.show.MAX_SECONDS", 0)
    said = " ".join(command("show", "lemma-5", "--no-cache").out.split())
    assert "standing: not checked" in said
    assert "invariant, the player to move: no field holds two X;" in said
    assert said.index("If Olivia plays LBS") < said.index("standing:") < said.index("invariant,")
    assert (
        said.index("reason: not checked") < said.index("what it asks:") < said.index("invariant, O to move: each field")
    )


def test_a_picture_without_numbers_is_drawn(tmp_path: pathlib.Path) -> None:
    """The board before any move is a picture too: its rows have no numbers."""
    empty = "rules: paper, line: [], numbered_rows: [[], [], [], [], [], [], [], [], []]"
    reading = also("{expect: proved, conclude: [ply == 0]}", empty)
    assert (
        "the numbers in each row of the board"
        in render_report("html", check(tmp_path, {"main": {"as-stated": reading}})).lower()
    )
