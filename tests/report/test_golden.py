"""Texts that people read, in full: a small ledger with everything in it, and what readings ask in words."""

import json
import pathlib
from collections.abc import Iterator
from dataclasses import replace

import jsonschema
import pytest

import verifier
from tests.audit.made import MADE
from tests.golden import require_golden
from tests.report.ledgers import SARIF, make_report
from tests.report.test_errata import grade
from tests.report.tree import Tree, by_id
from tests.rules import load_library, specs
from verifier.audit.fault import Fault, FaultKind, LostItem
from verifier.audit.outlining import make_outline
from verifier.kernel.verdict import Belief, Verdict
from verifier.language.reading import Reading
from verifier.questions.result import Counterexample, HypothesisUse, Line
from verifier.questions.words import say_reading
from verifier.report.github import append_summary
from verifier.report.layout import Layout
from verifier.report.registry import Report, render_report
from verifier.report.show import show_claim
from verifier.report.text import failure_lines

SHIPPED = (
    "beyond-no-double/by-43",
    "careful-first-is-safe/as-stated",
    "lemma-2/as-stated",
    "lemma-2/the-six-alone",
    "lemma-5/as-stated",
    "rules-start/as-stated",
    "two-entries/as-stated",
)


def list_readings() -> Iterator[tuple[str, Reading]]:
    """Yield readings of the shipped specs, and some that are made so that each word is needed once."""
    for name in SHIPPED:
        claim, _, reading = name.partition("/")
        yield name, specs().claim(claim).readings[reading]
    yield from load_library(MADE / "said").claim("said").readings.items()


def test_what_readings_ask() -> None:
    """From where and by whom, each hypothesis, step and conclusion, and whose claim it is. No condition is missing."""
    told = (f"{name}\n" + "".join(f"  {line}\n" for line in say_reading(model)) for name, model in list_readings())
    require_golden("saying.txt", "\n".join(told))


HOSTILE = r"100% of [a[b](c)](d) and \[x](y), {0} of {f: s}" + ",\r\n::error::no %0A"
"""Every format finds something in it that it has to escape."""


@pytest.fixture
def report(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Report:
    """An unexpected verdict, rejected evidence, a counterexample, a solver's word, and a fault."""
    monkeypatch.chdir(tmp_path)
    step = Counterexample(
        "part", "X........", ("1", "4"), "XOX......", "c", True, "why", reachable=None, line=None, kind="counterexample"
    )
    report = make_report(
        tmp_path,
        plain__as_stated={"verdict": Verdict.UNKNOWN, "reason": HOSTILE, "hints": ("it says little",)},
        mended__as_stated={
            "reason": "'X[0, 4] and (O[1] or free[2])' fails",
            "witness": step,
            "needs": (HypothesisUse("part", ("P1", "P2"), ("P2", "P3")),),
        },
        mended__repaired={"verdict": Verdict.SUPPORTED, "beliefs": frozenset({Belief.SOLVER})},
        wrong__as_stated={
            "reason": "'start' fails",
            "trouble": "evidence is rejected: a|b",
            "witness": Line(".........", ("4", "0"), "O...X....", "it ends", "line"),
        },
    )
    fault = Fault(FaultKind.SPEC, "specs/bad.yaml", 3, 7, "'titel' is not a key", (LostItem("claim", "bad"),))
    return replace(report, ledger=replace(report.ledger, faults=(fault,)))


def own(report: Report, name: str) -> Report:
    """Return a report in which one claim is a question of our own."""
    claims = (replace(claim, source=replace(claim.source, ours=claim.id == name)) for claim in report.ledger.claims)
    return replace(report, ledger=replace(report.ledger, claims=tuple(claims)))


@pytest.mark.parametrize("form", ["text", "errata", "junit", "sarif", "github"])
def test_a_ledger_in_each_form(form: str, report: Report) -> None:
    """Each claim, what is not as expected and why, faults, counts, questions of our own, and what to correct."""
    text = render_report(form, own(report, "wrong")).replace(pathlib.Path.cwd().as_uri(), "ROOT")
    if form == "sarif":
        jsonschema.Draft4Validator(SARIF).validate(json.loads(text))
    require_golden(f"ledger-{form}.txt", text.replace(f'"{verifier.__version__}"', '"VERSION"'))


def test_what_is_shown_of_claims(report: Report) -> None:
    """Everything that ``show`` says about a claim, and what is printed in red below a run."""
    shown = [show_claim(claim, make_outline(report.library), Layout()) for claim in report.ledger.claims]
    failed = failure_lines(report, Layout())
    require_golden("claims.txt", "\n\n".join([*shown, "\n".join(failed)]) + "\n")


def test_what_the_page_says(report: Report) -> None:
    """Block by block, for a document with errata and a claim of our own. How the page was made is left out."""
    path = report.specs / "part" / "plain.yaml"
    path.write_text(path.read_text().replace("part 1,", "part 1, ours: true,"))
    page = Tree(render_report("html", own(grade(report), "plain"))).root
    by_id(page.every(), "made").children.clear()
    require_golden("ledger-html.txt", "".join(f"{line}\n" for line in page.lines).replace("\x07", "BEL"))


def test_the_summary_of_a_job(report: Report) -> None:
    append_summary(own(report, "wrong"), report.specs.parent / "summary.md")
    require_golden("summary.md", (report.specs.parent / "summary.md").read_text())
