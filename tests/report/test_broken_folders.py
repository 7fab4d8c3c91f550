"""Broken folders, each checked once in every format. Every format names whatever is lost, and none looks like success.

``tests/golden/broken`` has what the terminal shows of each.
"""

import errno
import html
import json
import os
import pathlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.audit.made import read_spec
from tests.commands import ROOT, command
from tests.golden import require_golden
from tests.report.ledgers import SARIF, make_report
from verifier.audit.fault import Fault, FaultKind, LostItem
from verifier.audit.ledger import make_schema
from verifier.kernel.verdict import Verdict
from verifier.questions.result import DecisionStatus
from verifier.report.layout import Layout
from verifier.report.printable import flatten, make_printable
from verifier.report.registry import FORMATS, render_report
from verifier.report.text import failure_lines, format_faults

GOOD = read_spec("three/plain").replace("plain", "good")
CLAIM = GOOD.replace("good", "bad")
PLAYED = read_spec("played/played")
STRATEGY = read_spec("played/lowest")
RULES = read_spec("played/own")
PLAY = {"played.yaml": PLAYED, "sub/lowest.yaml": STRATEGY, "own.yaml": RULES}
DOCUMENT = "document: test\ntitle: A document for tests\nnote: Tests.\n"


def change(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


Content = str | bytes | Callable[[pathlib.Path], object]


def bad(old: str, new: str) -> dict[str, Content]:
    """Return a claim with a fault."""
    return {"bad.yaml": change(CLAIM, old, new)}


LOWEST, OWN = "sub/lowest.yaml", "own.yaml"
FOLDERS: dict[str, dict[str, Content]] = {
    "divergences that are no text": {"DIVERGENCES.md": b"- `good` is\n\xff\n"},
    "divergences elsewhere": {"DIVERGENCES.md": lambda path: path.symlink_to("../../elsewhere.md")},
    "long divergences": {"DIVERGENCES.md": "`good` " * 40_000},
    "a colon": bad("It holds.", "It: holds: so"),
    "alone": {"good.yaml": "claim: [\n"},
    "an unknown key": bad("expect:", "expects:"),
    "a wrong type": bad("A claim for tests", "[1]"),
    "a wrong expression": bad("ply ==", "plyy =="),
    "no strategy": {**PLAY, LOWEST: change(STRATEGY, "strategy: lowest", "strategy: lowst")},
    "a strategy that is not read": {**PLAY, LOWEST: change(STRATEGY, "when:", "whn:")},
    "a strategy that does not compile": {**PLAY, LOWEST: change(STRATEGY, "free[s]", "free[s + 4]")},
    "broken rules": {**PLAY, OWN: change(RULES, "columns:", "colums:")},
    "a broken document": {"test.yaml": change(DOCUMENT, "note", "noet")},
    "a headline that is lost": {"test.yaml": DOCUMENT + "headline: [good, bad]\n", **bad("expect:", "expects:")},
    "no such file": {"link.yaml": lambda path: path.symlink_to("nothing")},
    "a folder that is called so": {"bad.yaml": pathlib.Path.mkdir},
    "a pipe": {"bad.yaml": os.mkfifo},
    "a folder that nobody may read": {"closed": pathlib.Path.mkdir},
    "a link to a folder": {"link": lambda path: path.symlink_to(ROOT / "specs/examples")},
    "a name that is not text": {os.fsdecode(b"caf\xe9.yaml"): "x"},
    "no text": {"bad.yaml": CLAIM.encode() + b"# \xff\n"},
    "a wrong ending": {"bad.yml": CLAIM},
    "an odd name": {"::error::,\n.yaml": "x"},
    "what needs it": {**bad("rules:", "ruls:"), "above.yaml": GOOD.replace("good", "above") + "uses: [bad]\n"},
}
"""What stands beside a good claim, or instead of it: text, or what makes it."""


def refuse_closed(path: Any) -> Any:
    """Look into a folder as a user who may not read those called closed."""
    if not isinstance(path, int) and pathlib.Path(path).name == "closed":
        raise PermissionError(errno.EACCES, "Permission denied", str(path))
    return SCAN(path)


SCAN = os.scandir
OUTSIDE = "What `good` is outside"


@dataclass(frozen=True)
class Told:
    """What a check has printed and written about a broken folder."""

    name: str
    out: str
    summary: str
    reports: dict[str, str]

    @property
    def faults(self) -> list[Any]:
        """The faults, as JSON."""
        found: list[Any] = json.loads(self.reports["json"])["faults"]
        return found


@pytest.fixture(scope="module", params=FOLDERS)
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Check a folder once. The exit code is that of wrong specs, whatever else the folder has."""
    root = tmp_path_factory.mktemp("broken")
    (root / ".git").mkdir()
    (root / "elsewhere.md").write_text(OUTSIDE)
    for name, text in ({"good.yaml": GOOD} | FOLDERS[request.param]).items():
        path = root / "my/specs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if callable(text):
            text(path)
        else:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
    reports = [f"--report={name}={name}" for name in FORMATS]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        patch.setenv("GITHUB_STEP_SUMMARY", "summary")
        patch.setenv("COLUMNS", "80")
        patch.setattr(os, "scandir", refuse_closed)
        told = command("check", "--specs", "my/specs", "--jobs", "1", "--no-cache", *reports)
    assert told.code == 2
    texts = {name: (root / name).read_text() for name in FORMATS}
    return Told(request.param, told.out, (root / "summary").read_text(), texts)


def test_the_terminal_lists_each_fault(told: Told) -> None:
    """A fault has the typed path, and what is lost. Nothing says that all is well. The saved text is the same."""
    require_golden(f"broken/{told.name.replace(' ', '-')}.txt", told.out)
    lines = told.out[told.out.index("faults:") :].splitlines()
    assert told.reports["text"].splitlines()[-len(lines) :] == lines


def test_no_format_shows_files_from_elsewhere(told: Told) -> None:
    """Nor does any show half of a file that is not text, or is too long."""
    for text in (told.out, told.summary, *told.reports.values()):
        assert OUTSIDE not in text
        assert "Where our formal text differs" not in text


def test_the_ledger_lists_each_fault(told: Told) -> None:
    """The list is the same as on the terminal, and fits the schema."""
    jsonschema.Draft202012Validator(make_schema()).validate(json.loads(told.reports["json"]))
    lines = {f"{make_printable(fault['file'])}:{fault['line']}:{fault['column']}:" for fault in told.faults}
    assert {line.split(" ")[0] for line in told.out.splitlines() if line.startswith("my/specs/")} == lines
    words = " ".join(told.out.split())
    assert all(" ".join(fault["message"].split()) in words for fault in told.faults)
    lost = [f"{lost['kind']} {lost['name']}" for fault in told.faults for lost in fault["lost"]]
    assert all(name in words for name in lost)


def test_junit_has_an_error_for_everything_that_is_lost(told: Told) -> None:
    """Each lost part is a test case. A file with unknown content is one itself. The counts include them."""
    root = ElementTree.fromstring(told.reports["junit"])  # noqa: S314 - our own text
    cases = [case for case in root.iter("testcase") if case.find("error") is not None]
    assert int(root.get("errors", "")) == len(cases)
    assert int(root.get("tests", "")) == len(list(root.iter("testcase")))
    lost = [item for fault in told.faults for item in fault["lost"]]
    wanted = {f"{item['kind']} {item['name']}".removeprefix("reading ") for item in lost} or {"spec fault"}
    found = {case.get("name", "") for case in cases}
    found |= {f"{case.get('classname', '').rpartition('.')[2]}/{case.get('name')}" for case in cases}
    assert wanted <= found
    assert len(cases) == len(wanted)
    for case in cases:
        assert case.findtext("error", "").startswith("my/specs/")
        assert any(fault["message"] in "".join(case.itertext()) for fault in told.faults)


def test_sarif_is_not_a_success(told: Told) -> None:
    """Each fault is a notification and a result at its place, and the log fits the official schema."""
    log = json.loads(told.reports["sarif"])
    jsonschema.Draft4Validator(SARIF).validate(log)
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    notes = invocation["toolExecutionNotifications"]
    places = [note["locations"][0]["physicalLocation"] for note in notes]
    assert [place["region"]["startLine"] for place in places] == [fault["line"] for fault in told.faults]
    assert all(place["artifactLocation"]["uri"].startswith("my/specs/") for place in places)
    results = [result for result in log["runs"][0]["results"] if result["ruleId"] == "faulty-file"]
    assert [result["locations"][0]["physicalLocation"] for result in results] == places
    for item, fault in zip(notes + results, told.faults * 2, strict=True):
        assert fault["message"] in item["message"]["text"].replace("{{", "{").replace("}}", "}").replace("\\", "")


def unescape(text: str) -> str:
    """Read an escaped text as the runner of GitHub Actions does."""
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_github_annotates_each_fault_at_its_file(told: Told) -> None:
    """The annotation is at the faulty file, not where it is used. The summary is written, and names it."""
    lines = [line for line in told.reports["github"].splitlines() if line.startswith("::error ")]
    places = [
        dict(part.split("=", 1) for part in line.removeprefix("::error ").split("::")[0].split(",")) for line in lines
    ]
    assert [(unescape(place["file"]), int(place["line"])) for place in places] == [
        (make_printable(fault["file"]), fault["line"]) for fault in told.faults
    ]
    assert "    faults:\n" in told.summary
    assert all(flatten(fault["message"]) in flatten(told.summary) for fault in told.faults)
    assert "every verdict as expected" not in told.reports["github"] + told.summary


def test_the_page_and_the_errata_name_each_fault(told: Told) -> None:
    assert ">Faults</h2>" in told.reports["html"]
    assert "Every verdict is the one" not in told.reports["html"]
    assert "Every verdict is as expected" not in told.reports["html"]
    for form in ("errata", "errata-latex"):
        assert told.reports[form].count("Fault:") == len(told.faults)


@pytest.mark.parametrize("kind", FaultKind)
def test_sarif_is_a_success_only_if_everything_was_checked(kind: FaultKind, tmp_path: pathlib.Path) -> None:
    """If evidence is rejected, other evidence is searched for. After any other fault, results may be missing."""
    report = make_report(tmp_path)
    report = replace(report, ledger=replace(report.ledger, faults=(Fault(kind, "", 1, 1, "what went wrong"),)))
    (invocation,) = json.loads(render_report("sarif", report))["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is (kind is FaultKind.EVIDENCE)
    assert [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]


LOST = {"verdict": Verdict.UNKNOWN, "decided": DecisionStatus.LOST, "reason": "what went <wrong>"}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("kind", "code"), [(FaultKind.INTERNAL, 3), (FaultKind.ENDED, 1)], ids=["internal-error", "run-ended"]
)
def test_every_format_shows_what_a_run_loses(form: str, kind: FaultKind, code: int, tmp_path: pathlib.Path) -> None:
    """An internal error, or a process that died, loses a reading: this is an error, and not an unexpected verdict."""
    report = make_report(tmp_path, plain__as_stated=LOST)
    place = report.specs / "part/plain.yaml"
    fault = Fault(kind, str(place), 6, 3, "what went <wrong>", (LostItem("reading", "plain/as-stated"),))
    report = replace(report, ledger=replace(report.ledger, faults=(fault,)))
    assert report.ledger.exit_code == code
    text = html.unescape(render_report(form, report).replace("\\", ""))
    assert "what went" in text
    if form == "junit":
        (error,) = ElementTree.fromstring(render_report(form, report)).iter("error")  # noqa: S314 - our own text
        assert (error.get("type"), error.get("message", "").partition(":")[0]) == ("fault", "lost to a fault")
    else:
        assert str(kind) in text
        assert "plain/as-stated" in text
    if form == "github":
        assert text.startswith(f"::error file=audited specs/part/plain.yaml,line=6,col=3,title={kind}::what went")
        nowhere = replace(report.ledger, faults=(replace(fault, file="", line=1, column=1),))
        assert html.unescape(render_report(form, replace(report, ledger=nowhere))) == text
        assert text.count("::error") == 1
    if form == "sarif":
        assert all(
            result["level"] == "note" for result in json.loads(render_report(form, report))["runs"][0]["results"]
        )
    told = [*format_faults(report.ledger, Layout(500)), *failure_lines(report, Layout(500))]
    assert told == [
        "",
        "faults:",
        f"{place}:6:3: {kind}: what went <wrong>",
        "    not checked: reading plain/as-stated",
    ]
