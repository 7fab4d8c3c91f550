import json
import pathlib
import shutil
from dataclasses import replace
from typing import Any

import jsonschema

from tests.audit.made import MADE
from tests.commands import ROOT, Told, command
from tests.report.ledgers import make_report
from verifier.audit.ledger import Ledger, Standing, Total, make_schema

SCHEMA = make_schema()


def strict(schema: Any) -> Any:
    """Return the schema, changed so that it refuses every key that it does not describe."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    return {"additionalProperties": False, **closed} if isinstance(schema.get("properties"), dict) else closed


def test_the_published_ledger_schema_is_up_to_date() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    text = (ROOT / "specs/ledger-schema.json").read_text()
    assert json.loads(text) == SCHEMA
    assert command("check", "--schema") == Told(0, text, "")


def readings_of(*words: object) -> list[Any]:
    """Check claims. Return the readings of the ledger, after testing that the schema describes every key."""
    out = command("check", *words, "--format", "json", "--jobs", "1").out
    value = json.loads(out)
    jsonschema.Draft202012Validator(strict(SCHEMA)).validate(value)
    return [reading for claim in value["claims"] for reading in claim["readings"]]


def test_ledgers_of_shipped_claims_fit_the_schema() -> None:
    """Some of these claims have plays, some have counterexamples, and some list the hypotheses that they need."""
    readings = readings_of("rules-start", "lowest-spot-keeps-fields", "p4-note", "lemma-3-edge-line")
    kinds = {reading["witness"]["kind"] for reading in readings if reading["witness"]}
    assert kinds == {"line", "counterexample"}
    assert any(reading["needs"] for reading in readings)


def test_a_ledger_with_trouble_fits_the_schema(tmp_path: pathlib.Path) -> None:
    """Two methods disagree about a reading, so its verdict is unknown."""
    shutil.copy(MADE / "split.yaml", tmp_path)
    (found,) = (reading for reading in readings_of("--specs", tmp_path) if reading["id"] == "enumeration")
    assert found["trouble"].startswith("two methods disagree")
    assert found["verdict"] == "unknown"


def test_totals_count_our_own_claims_separately(tmp_path: pathlib.Path) -> None:
    """The totals of the documents' own claims come first, then those of the auditors' claims."""
    plain, mended, wrong = make_report(tmp_path).ledger.claims
    wrong = replace(wrong, source=replace(wrong.source, ours=True))
    stated, asked = Ledger((wrong, plain, replace(mended, severity="slip"))).totals
    assert stated == Total("test", False, 2, {Standing.PROVED: 1, Standing.REPAIRED: 1})
    assert asked == Total("test", True, 1, {Standing.REFUTED: 1})
