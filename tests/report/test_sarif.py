from __future__ import annotations

import gzip
import json
import pathlib
import urllib.parse
from typing import Any

import jsonschema
import pytest

from tests.report.ledgers import make_report
from verifier.kernel.verdict import Verdict
from verifier.report.registry import Report, render
from verifier.report.sarif import RULES

SCHEMA = json.loads(gzip.decompress((pathlib.Path(__file__).parent / "schemas/sarif-2.1.0-rtm.5.json.gz").read_bytes()))


def log_of(report: Report) -> Any:
    """Return the log, valid by its official schema."""
    log = json.loads(render("sarif", report))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    return log


def results_of(report: Report) -> dict[str, Any]:
    return {result["partialFingerprints"]["claimReading/v1"]: result for result in log_of(report)["runs"][0]["results"]}


def test_the_schema_refuses_what_is_no_sarif(tmp_path: pathlib.Path) -> None:
    """It does check: a level that does not exist is refused."""
    log = log_of(make_report(tmp_path))
    log["runs"][0]["results"][0]["level"] = "bad"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate(log)


def test_what_the_audit_found_is_a_note(tmp_path: pathlib.Path) -> None:
    """Claims that are refuted, or proved after a repair, are notes; a claim proved as stated is not a result."""
    results = results_of(make_report(tmp_path))
    assert {name: result["level"] for name, result in results.items()} == {
        "claim-repaired:mended": "note",
        "claim-refuted:wrong": "note",
    }
    text = results["claim-repaired:mended"]["message"]["text"]
    assert text.startswith("mended: proved after repair (test, part 2: A bell")
    assert text.endswith("repaired is proved: the count starts at 0")
    related = results["claim-repaired:mended"]["relatedLocations"]
    assert [item["physicalLocation"]["region"]["startLine"] for item in related] == [7]


def test_what_is_not_as_expected_is_an_error(tmp_path: pathlib.Path) -> None:
    """It points at file, line and column of the reading, by a URI from the repository's root."""
    report = make_report(
        tmp_path,
        mended__repaired={"verdict": Verdict.UNKNOWN, "reason": "vacuous"},
        wrong__as_stated={"trouble": "two engines disagree"},
    )
    results = results_of(report)
    unexpected = results["unexpected-verdict:mended/repaired"]
    assert unexpected["message"]["text"] == "mended/repaired: expected proved, found unknown: vacuous"
    assert unexpected["level"] == "error"
    place = unexpected["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "audited%20specs/part/mended.yaml", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 9, "startColumn": 3}
    lines = (tmp_path / urllib.parse.unquote(place["artifactLocation"]["uri"])).read_text().split("\n")
    assert lines[8][2:] == "repaired:"
    assert results["untrusted-evidence:wrong/as-stated"]["level"] == "error"
    assert "unexpected-verdict:wrong/as-stated" not in results


def test_every_rule_is_described(tmp_path: pathlib.Path) -> None:
    """Results name their rule and its index, and the rules stand in the log with level and texts."""
    run = log_of(make_report(tmp_path, plain__as_stated={"verdict": Verdict.REFUTED}))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    assert all(rule["fullDescription"]["text"] and rule["defaultConfiguration"]["level"] for rule in rules)
    assert run["results"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert set(run["originalUriBaseIds"]) == {"%SRCROOT%"}
    assert run["invocations"] == [
        {"commandLine": "verifier check", "executionSuccessful": True, "toolExecutionNotifications": []}
    ]


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("the set {0} of {f: s}", "the set {{0}} of {{f: s}}"),
        ("see [here](https://example.org/x) {1}", r"see \[here\](https://example.org/x) {{1}}"),
        (r"[a[b](c)](d) and \[x](y)", r"\[a\[b\](c)\](d) and \\\[x\](y)"),
        ("X[0, 4] and (O[1] or free[2])", "X[0, 4] and (O[1] or free[2])"),
    ],
)
def test_a_message_holds_no_placeholder_and_no_link(reason: str, text: str, tmp_path: pathlib.Path) -> None:
    """Braces are doubled; brackets are escaped where they would be a link (§3.11.5 and §3.11.6 of SARIF 2.1.0)."""
    changes = {"verdict": Verdict.REFUTED, "reason": reason}
    results = results_of(make_report(tmp_path, plain__as_stated=changes))
    unexpected = results["unexpected-verdict:plain/as-stated"]["message"]["text"]
    assert unexpected == f"plain/as-stated: expected proved, found refuted: {text}"
    (related,) = results["claim-refuted:plain"]["relatedLocations"]
    assert related["message"]["text"].endswith(text)
