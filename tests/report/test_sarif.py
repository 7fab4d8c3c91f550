from __future__ import annotations

import gzip
import json
import pathlib
from typing import Any

import jsonschema
import pytest

from tests.report.ledgers import make_report
from verifier.kernel.verdict import Verdict
from verifier.report.registry import Report, render

SCHEMA = json.loads(gzip.decompress((pathlib.Path(__file__).parent / "schemas/sarif-2.1.0-rtm.5.json.gz").read_bytes()))


def log_of(report: Report) -> Any:
    """Return the log, valid by its official schema."""
    log = json.loads(render("sarif", report))
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    return log


def results_of(report: Report) -> dict[str, Any]:
    return {result["partialFingerprints"]["claimReading/v1"]: result for result in log_of(report)["runs"][0]["results"]}


def test_the_schema_refuses_what_is_no_sarif(tmp_path: pathlib.Path) -> None:
    log = log_of(make_report(tmp_path))
    log["runs"][0]["results"][0]["level"] = "bad"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate(log)


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
