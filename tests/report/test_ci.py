"""What programs of a CI service read: places in the checkout, results of families, test cases, and a short summary."""

import json
import pathlib
import shutil
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.audit.made import MADE, edit
from tests.commands import ROOT, command
from tests.report.ledgers import SARIF
from verifier.report import github

FAMILY = """\
claim: "ply-{k}"
for: {k: [0, 1, 2, 3]}
title: "It is ply {k}"
source: {document: test, place: "part {k}", says: "It is ply {k}."}
rules: tictactoe
readings:
  as-stated: {step: start, expect: proved, steps: {start: {conclude: [ply == k]}}}
"""


@pytest.fixture
def checkout(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A checkout without ``.git``: three claims, and a family in which three of four claims fail."""
    for name in ("GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY", "GITHUB_SERVER_URL"):
        monkeypatch.delenv(name, raising=False)
    specs = tmp_path / "work/project/deep/specs"
    shutil.copytree(MADE / "three", specs)
    (specs / "family.yaml").write_text(FAMILY)
    return tmp_path / "work/project"


def write_report(checkout: pathlib.Path, form: str, *words: str | pathlib.Path) -> str:
    """Check the claims of a checkout. Return the report in a format."""
    path = checkout.parent / form
    command("check", *words, "--jobs", 1, "--specs", checkout / "deep/specs", "--report", f"{form}={path}")
    return path.read_text()


def results_of(log: str) -> list[dict[str, Any]]:
    """Return the results of a SARIF log, which fits the official schema."""
    data = json.loads(log)
    jsonschema.Draft4Validator(SARIF).validate(data)
    found: list[dict[str, Any]] = data["runs"][0]["results"]
    return found


@pytest.mark.parametrize(
    ("workspace", "repository", "root"),
    [
        (None, None, "project/deep"),
        ("project", None, "project"),
        ("project", "project/deep", "project/deep"),
        ("project", ".", "project"),
        ("elsewhere", "project", "project"),
    ],
)
def test_places_are_relative_to_the_checkout(
    workspace: str | None,
    repository: str | None,
    root: str,
    checkout: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The root is the nearest folder with ``.git``, or the workspace if that is nearer; else the specs' parent."""
    work = checkout.parent
    if workspace is not None:
        monkeypatch.setenv("GITHUB_WORKSPACE", str(work / workspace))
    if repository is not None:
        (work / repository / ".git").mkdir()
    wanted = (checkout / "deep/specs/family.yaml").relative_to(work / root).as_posix()
    assert f"::error file={wanted},line=7,col=3," in write_report(checkout, "github", "ply-1")
    (result,) = results_of(write_report(checkout, "sarif", "ply-1"))
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == wanted
    (case,) = ElementTree.fromstring(write_report(checkout, "junit", "ply-1")).iter("failure")  # noqa: S314 - our own
    assert (case.text or "").startswith(f"{wanted}:7:3: expected proved, found refuted")


def test_a_family_is_one_result(checkout: pathlib.Path) -> None:
    """It names each reading that fails, has the play of the first, and is not repeated as a note."""
    (result,) = (item for item in results_of(write_report(checkout, "sarif")) if "family" in str(item["locations"]))
    names = ["ply-1/as-stated", "ply-2/as-stated", "ply-3/as-stated"]
    assert result["ruleId"] == "unexpected-verdict"
    assert result["message"]["text"].startswith("ply-*/as-stated: ply-1/as-stated: expected proved, found refuted")
    assert result["message"]["text"].endswith(f"all 3: {', '.join(names)}")
    assert [item["fullyQualifiedName"] for item in result["locations"][0]["logicalLocations"]] == names
    assert [*result["properties"]["readings"]] == names
    assert [flow["message"]["text"].partition(":")[0] for flow in result["codeFlows"]] == names[:1]


def test_a_result_keeps_its_fingerprint(checkout: pathlib.Path) -> None:
    """It does not depend on the members that fail, on the line, or on what was remembered. No two are the same."""

    def fingerprints(*words: str) -> list[str]:
        return [item["partialFingerprints"]["claimReading/v1"] for item in results_of(write_report(checkout, *words))]

    earlier = fingerprints("sarif")
    assert "unexpected-verdict:family.yaml/as-stated" in earlier
    assert len({*earlier}) == len(earlier) > 1
    assert fingerprints("sarif") == earlier
    assert set(fingerprints("sarif", "ply-3")) < {*earlier}
    edit(checkout / "deep/specs/family.yaml", "rules:", "# a line more\nrules:")
    assert fingerprints("sarif") == earlier


@pytest.mark.parametrize(
    ("expected", "identity"),
    [("proved", "unexpected-verdict:family.yaml/as-stated"), ("refuted", "claim-refuted:family.yaml")],
)
def test_a_family_keeps_its_fingerprint(expected: str, identity: str, checkout: pathlib.Path) -> None:
    """Members may be added and removed, the first one too, and all but one."""
    for members in ("[1, 2, 3]", "[3]", "[5, 1, 2, 3]"):
        text = FAMILY.replace("[0, 1, 2, 3]", members).replace("expect: proved", f"expect: {expected}")
        (checkout / "deep/specs/family.yaml").write_text(text)
        (result,) = results_of(write_report(checkout, "sarif", checkout / "deep/specs/family.yaml"))
        assert result["partialFingerprints"]["claimReading/v1"] == identity


def test_a_family_of_refuted_claims_is_one_note(checkout: pathlib.Path) -> None:
    """If the spec expects the refutations, the result is a note, with the place of the refuted reading."""
    edit(checkout / "deep/specs/family.yaml", "expect: proved", "expect: refuted")
    edit(checkout / "deep/specs/family.yaml", "[0, 1, 2, 3]", "[1, 2, 3]")
    (note,) = (item for item in results_of(write_report(checkout, "sarif")) if "family" in str(item["locations"]))
    assert (note["ruleId"], note["level"]) == ("claim-refuted", "note")
    assert [*note["properties"]["claims"]] == ["ply-1", "ply-2", "ply-3"]
    assert note["relatedLocations"][0]["physicalLocation"]["region"] == {"startLine": 7, "startColumn": 3}


JUNIT: Mapping[str, tuple[set[str], set[str], list[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, ["testsuite"]),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"skipped", "time", "timestamp", "hostname", "id", "package"},
        ["properties", "testcase", "system-out", "system-err"],
    ),
    "testcase": (
        {"name"},
        {"classname", "time"},
        ["skipped", "error", "failure", "system-out", "system-err"],
    ),
    **dict.fromkeys(("skipped", "error", "failure"), (set(), {"message", "type"}, [])),
    "system-out": (set(), set(), []),
}
"""For each element its required and optional attributes, and its children in their order. This is what the schemas
``junit-10.xsd`` of Jenkins and ``junit-4.xsd`` have in common, for the elements that we write."""


def test_junit_fits_the_schema_of_jenkins(checkout: pathlib.Path) -> None:
    """So does a saved report that has everything (``test_golden``)."""
    (checkout / "deep/specs/bad.yaml").write_text("claim: [\n")
    texts = write_report(checkout, "junit"), (ROOT / "tests/golden/ledger-junit.txt").read_text()
    roots = [ElementTree.fromstring(text) for text in texts]  # noqa: S314 - our own text
    elements = [element for root in roots for element in root.iter()]
    assert {root.tag for root in roots} == {"testsuites"}
    assert {element.tag for element in elements} == {*JUNIT}
    for element in elements:
        required, optional, children = JUNIT[element.tag]
        assert required <= {*element.attrib} <= required | optional
        order = [children.index(child.tag) for child in element]
        assert order == sorted(order)


def test_junit_has_a_suite_for_each_document(checkout: pathlib.Path) -> None:
    """A test case says the title, the source, the verdict, and whether the verdict was remembered."""
    for when in ("decided now", "remembered"):
        root = ElementTree.fromstring(write_report(checkout, "junit"))  # noqa: S314 - our own text
        (suite,) = root
        assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("test", "9", "3")
        (case,) = (case for case in suite if case.get("classname") == "test.ply-2")
        lines = case.findtext("system-out", "").splitlines()
        assert {"claim: It is ply 2", "source: test, part 2", "verdict: refuted", "expected: proved", when} <= {*lines}
        failure = case.findtext("failure", "").splitlines()
        assert failure[0].startswith("specs/family.yaml:7:3: expected proved")
        assert failure[1].startswith("the step fails at .........; reachable")


def test_a_summary_is_never_too_long_for_github(checkout: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If there is no room for every claim, the failures are written all the same, and the summary says so."""
    path = checkout / "summary"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    write_report(checkout, "github")
    whole = path.read_text()
    assert "<details>" in whole
    monkeypatch.setattr(github, "MAX_SUMMARY_BYTES", len(whole.encode()))
    write_report(checkout, "github")
    added = path.read_text().removeprefix(whole)
    assert "<details>" not in added
    assert "too long" in added
    assert "ply-\\*/as-stated: unexpected verdict" in added


@pytest.mark.parametrize("is_here", [True, False])
def test_the_summary_links_lines_of_the_commit(
    is_here: bool, checkout: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is not at this path in the workspace may be in another repository, so it has no link."""
    values = {"SERVER_URL": "https://example.org", "REPOSITORY": "me/mine", "SHA": "abc", "STEP_SUMMARY": "summary"}
    values["WORKSPACE"] = str(checkout if is_here else checkout.parent / "elsewhere")
    for name, value in values.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    monkeypatch.chdir(checkout)
    write_report(checkout, "github", "ply-1")
    text = (checkout / "summary").read_text()
    link = (
        "[deep/specs/family.yaml:7:3](https://example.org/me/mine/blob/abc/deep/specs/family.yaml#L7): ply-1/as-stated"
    )
    assert (f"- {link}" in text) is is_here
    assert ("- specs/family.yaml:7:3: ply-1/as-stated" in text) is not is_here
