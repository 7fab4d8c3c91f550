"""Broken folders, each checked once in every format: whatever is lost is told in all of them, and none sounds green."""

from __future__ import annotations

import html
import json
import pathlib
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.commands import command
from tests.report.ledgers import SPECS, make_report
from tests.report.test_github import unescape
from tests.report.test_sarif import SCHEMA
from verifier.audit.fault import Fault, FaultKind, Lost
from verifier.audit.ledger import make_schema
from verifier.kernel.verdict import Verdict
from verifier.methods.result import Decided
from verifier.report.layout import Layout
from verifier.report.registry import FORMATS, render
from verifier.report.text import failure_lines, list_faults

GOOD = SPECS["plain"].replace("plain", "good")
CLAIM = GOOD.replace("good", "bad")
PLAYED = """\
claim: played
title: A claim for tests
source: {document: test, place: part 1, says: It holds.}
rules: own
readings:
  as-stated:
    plays: all
    expect: proved
    strategies: {X: lowest}
    objectives: {never: {prevent: O_wins, by: 9}}
"""
STRATEGY = """\
strategy: lowest
title: The lowest free spot
source: {document: test, place: part 1, says: The lowest free spot.}
rules: own
player: X
phases: {all: {rules: {lowest: {for: {s: SPOTS}, when: "free[s]", play: [s]}}}}
"""
RULES = """\
rules: own
title: Three in a row
source: {document: test, place: part 1, says: Three in a row.}
family: positional
board: {rows: 3, columns: 3}
lines: {in_a_row: 3}
outcomes: {X has a line: {when: X_line, result: X}}
"""
PLAY = {"played.yaml": PLAYED, "sub/lowest.yaml": STRATEGY, "own.yaml": RULES}
DOCUMENT = "document: test\ntitle: A document for tests\nnote: Tests.\n"


@dataclass(frozen=True)
class Broken:
    """A folder, and what is wrong with it.

    Attributes:
        files: texts by name; of None there is a link to nothing.
        faults: file and line of each.
        message: stands in one of their messages.
        lost: what is not checked, besides what is checked in vain.
        is_good_checked: whether the good claim is there and comes out as expected.
    """

    files: dict[str, str | bytes | None]
    faults: list[tuple[str, int]]
    message: str
    lost: set[str]
    is_good_checked: bool = True


def change(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


def bad(old: str, new: str) -> dict[str, str | bytes | None]:
    """Return a claim with a fault."""
    return {"bad.yaml": change(CLAIM, old, new)}


EXPECTS = "'expects' is not a key"
LOWEST, OWN = "sub/lowest.yaml", "own.yaml"
FOLDERS = {
    "a colon": Broken(bad("It holds.", "It: holds: so"), [("bad.yaml", 3)], "has to be quoted", {"claim bad"}),
    "alone": Broken({"good.yaml": "claim: [\n"}, [("good.yaml", 2)], "not YAML", {"claim ["}, is_good_checked=False),
    "an unknown key": Broken(bad("expect:", "expects:"), [("bad.yaml", 6)] * 2, EXPECTS, {"claim bad"}),
    "a wrong type": Broken(bad("A claim for tests", "[1]"), [("bad.yaml", 2)], "a text is wanted", {"claim bad"}),
    "a wrong expression": Broken(
        bad("ply ==", "plyy =="), [("bad.yaml", 6)], "'plyy' is not", {"reading bad/as-stated"}
    ),
    "no strategy": Broken(
        {**PLAY, LOWEST: change(STRATEGY, "strategy: lowest", "strategy: lowst")},
        [("played.yaml", 9)],
        "no strategy 'lowest'",
        {"claim played"},
    ),
    "a strategy that is not read": Broken(
        {**PLAY, LOWEST: change(STRATEGY, "when:", "whn:")},
        [(LOWEST, 6)],
        "'whn' is not a key",
        {"strategy lowest", "claim played"},
    ),
    "a strategy that does not compile": Broken(
        {**PLAY, LOWEST: change(STRATEGY, "free[s]", "free[s + 4]")},
        [(LOWEST, 6)],
        "9 is not an index",
        {"reading played/as-stated"},
    ),
    "broken rules": Broken(
        {**PLAY, OWN: change(RULES, "columns:", "colums:")},
        [(OWN, 5)],
        "'colums' is not a key",
        {"rules own", "strategy lowest", "claim played"},
    ),
    "a broken document": Broken(
        {"test.yaml": change(DOCUMENT, "note", "noet")}, [("test.yaml", 1), ("test.yaml", 3)], "noet", {"document test"}
    ),
    "a headline that is lost": Broken(
        {"test.yaml": DOCUMENT + "headline: [good, bad]\n", **bad("expect:", "expects:")},
        [("bad.yaml", 6)] * 2,
        EXPECTS,
        {"claim bad"},
    ),
    "no such file": Broken({"link.yaml": None}, [("link.yaml", 1)], "cannot be read", set()),
    "no text": Broken({"bad.yaml": CLAIM.encode() + b"# \xff\n"}, [("bad.yaml", 7)], "not UTF-8", {"claim bad"}),
    "a wrong ending": Broken({"bad.yml": CLAIM}, [("bad.yml", 1)], "ends in .yaml", set()),
    "an odd name": Broken({"::error::,\n.yaml": "x"}, [("::error::,\n.yaml", 1)], "starts with", set()),
    "what needs it": Broken(
        {**bad("rules:", "ruls:"), "above.yaml": GOOD.replace("good", "above") + "uses: [bad]\n"},
        [("bad.yaml", 1), ("bad.yaml", 4)],
        "'ruls' is not a key",
        {"claim bad", "claim above"},
    ),
}


@dataclass(frozen=True)
class Told:
    """What a check has told of a broken folder."""

    broken: Broken
    out: str
    summary: str
    reports: dict[str, str]

    @property
    def ledger(self) -> Any:
        """The ledger, as JSON."""
        return json.loads(self.reports["json"])


@pytest.fixture(scope="module", params=FOLDERS, ids=lambda name: name.replace(" ", "-"))
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Check a folder once, as it is typed: the exit code is that of wrong specs, whatever else is there."""
    broken = FOLDERS[request.param]
    root = tmp_path_factory.mktemp("broken")
    (root / ".git").mkdir()
    for name, text in ({"good.yaml": GOOD} | broken.files).items():
        path = root / "my/specs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.symlink_to("nothing")
        else:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
    reports = [f"--report={name}={name}" for name in FORMATS]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        patch.setenv("GITHUB_STEP_SUMMARY", "summary")
        told = command("check", "--specs", "my/specs", "--jobs", "1", "--no-cache", *reports)
    assert told.code == 2
    texts = {name: (root / name).read_text() for name in FORMATS}
    return Told(broken, told.out, (root / "summary").read_text(), texts)


def show(file: str) -> str:
    """Return a path as it is printed for people."""
    return f"my/specs/{file}".replace("\n", "\\n")


def test_the_terminal_lists_each_fault(told: Told) -> None:
    """By the path that was typed, with what is lost; nothing says that all is well. So does the text that is kept."""
    lines = told.out[told.out.index("faults:") :].splitlines()
    assert told.reports["text"].splitlines()[-len(lines) :] == lines
    for file, line in told.broken.faults:
        assert any(text.startswith(f"{show(file)}:{line}:") for text in lines)
    assert told.broken.message in " ".join(told.out.split())
    assert "as expected" not in told.out.replace("not as expected", "")
    for name in sorted(told.broken.lost)[:4]:
        assert name in "\n".join(lines)


def test_the_ledger_lists_each_fault(told: Told) -> None:
    """With its place and what is lost, by the schema."""
    faults = told.ledger["faults"]
    jsonschema.Draft202012Validator(make_schema()).validate(told.ledger)
    assert [(fault["file"], fault["line"]) for fault in faults] == [
        (f"my/specs/{file}", line) for file, line in told.broken.faults
    ]
    assert any(told.broken.message in fault["message"] for fault in faults)
    assert {f"{lost['kind']} {lost['name']}" for fault in faults for lost in fault["lost"]} == told.broken.lost


def test_a_healthy_claim_beside_it_has_its_verdict(told: Told) -> None:
    verdicts = {
        f"{claim['id']}/{reading['id']}": reading["verdict"]
        for claim in told.ledger["claims"]
        for reading in claim["readings"]
    }
    assert verdicts.get("good/as-stated") == ("proved" if told.broken.is_good_checked else None)


def test_junit_has_an_error_for_everything_that_is_lost(told: Told) -> None:
    """Each is a test case; a file of which nobody knows what it holds is one itself. The counts include them."""
    root = ElementTree.fromstring(told.reports["junit"])  # noqa: S314 - our own text
    cases = [case for case in root.iter("testcase") if case.find("error") is not None]
    assert int(root.get("errors", "")) == len(cases)
    assert int(root.get("tests", "")) == len(list(root.iter("testcase")))
    wanted = {name.removeprefix("reading ") for name in told.broken.lost} or {"spec fault"}
    found = {case.get("name", "") for case in cases} | {f"{case.get('classname')}/{case.get('name')}" for case in cases}
    assert wanted <= found
    assert len(cases) == len(wanted)
    for case in cases:
        assert (case.get("file") or "").startswith("my/specs/")
    assert all(told.broken.message in "".join(case.itertext()) for case in cases)


def test_sarif_is_no_success(told: Told) -> None:
    """Each fault is a notification at its place, and the log fits the official schema."""
    log = json.loads(told.reports["sarif"])
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    notes = invocation["toolExecutionNotifications"]
    places = [note["locations"][0]["physicalLocation"] for note in notes]
    assert [place["region"]["startLine"] for place in places] == [line for _, line in told.broken.faults]
    assert all(place["artifactLocation"]["uri"].startswith("my/specs/") for place in places)
    assert any(told.broken.message in note["message"]["text"].replace("{{", "{") for note in notes)


def test_github_annotates_each_fault_at_its_file(told: Told) -> None:
    """Where it stands, which is not where it is used; and the summary is there and names it."""
    lines = [line for line in told.reports["github"].splitlines() if line.startswith("::error ")]
    places = [
        dict(part.split("=", 1) for part in line.removeprefix("::error ").split("::")[0].split(",")) for line in lines
    ]
    assert [(unescape(place["file"]), int(place["line"])) for place in places] == [
        (show(file), line) for file, line in told.broken.faults
    ]
    assert "### Faults" in told.summary
    assert told.summary.count("spec fault: ") == len(told.broken.faults)
    assert "every verdict as expected" not in told.reports["github"] + told.summary


def test_the_page_and_the_errata_name_each_fault(told: Told) -> None:
    assert "Not everything was checked" in told.reports["html"]
    assert "Every verdict is the one" not in told.reports["html"]
    assert "Every verdict is as expected" not in told.reports["html"]
    for form in ("errata", "errata-latex"):
        assert told.reports[form].count("Fault:") == len(told.broken.faults)


def test_every_format_is_asked(told: Told) -> None:
    assert set(told.reports) == {"text", "html", "errata", "errata-latex", "json", "junit", "sarif", "github"}


LOST = {"verdict": Verdict.UNKNOWN, "decided": Decided.LOST, "reason": "what went <wrong>"}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("kind", "code"), [(FaultKind.INTERNAL, 3), (FaultKind.ENDED, 1)], ids=["internal-error", "run-ended"]
)
def test_what_a_run_loses_is_told_in_every_format(
    form: str, kind: FaultKind, code: int, tmp_path: pathlib.Path
) -> None:
    """A defect of this tool, and a process that died, cost a reading: it is an error, and no unexpected verdict."""
    report = make_report(tmp_path, plain__as_stated=LOST)
    place = report.specs / "part/plain.yaml"
    fault = Fault(kind, str(place), 6, 3, "what went <wrong>", (Lost("reading", "plain/as-stated"),))
    report = replace(report, ledger=replace(report.ledger, faults=(fault,)))
    assert report.ledger.exit_code == code
    text = html.unescape(render(form, report).replace("\\", ""))
    assert "what went" in text
    if form == "junit":
        (error,) = ElementTree.fromstring(render(form, report)).iter("error")  # noqa: S314 - our own text
        assert (error.get("type"), error.get("message", "").partition(":")[0]) == ("fault", "lost to a fault")
    else:
        assert str(kind) in text
        assert "plain/as-stated" in text
    if form == "github":
        assert text.startswith(f"::error file=audited specs/part/plain.yaml,line=6,col=3,title={kind}::what went")
        nowhere = replace(report.ledger, faults=(replace(fault, file="", line=1, column=1),))
        assert html.unescape(render(form, replace(report, ledger=nowhere))) == text
        assert text.count("::error") == 1
    if form == "sarif":
        assert all(result["level"] == "note" for result in json.loads(render(form, report))["runs"][0]["results"])
    told = [*list_faults(report.ledger, Layout(500)), *failure_lines(report, Layout(500))]
    assert told == [
        "",
        "faults:",
        f"{place}:6:3: {kind}: what went <wrong>",
        "    not checked: reading plain/as-stated",
    ]
