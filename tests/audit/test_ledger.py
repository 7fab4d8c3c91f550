from __future__ import annotations

import copy
import json
import pathlib
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.commands import ROOT, Told, command
from tests.report.ledgers import make_report
from verifier.audit.ledger import Ledger, Standing, Total, ledger_to_json, make_schema, parse_ledger, read_ledger
from verifier.kernel.errors import UsageError
from verifier.methods.result import Filed, Line
from verifier.report.registry import render

SCHEMA = make_schema()
SPLIT = """\
claim: split
title: Two engines on one claim
source: {document: none, place: here, says: a broken pair}
rules: paper
readings:
  induction: {step: move, expect: proved, steps: {one: {conclude: [ply == old(ply) + 1]}}}
  enumeration:
    {plays: all, expect: proved, agrees_with: induction, player: X, horizon: 1,
     objectives: {wrong: {some: ply == 5, at: every}}}
  long: {step: start, expect: proved, steps: {start: {conclude: [ply == 0]}}}
"""


def strict(schema: Any) -> Any:
    """Return the schema without leave for further keys, so that a key which it does not describe is found."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    return {"additionalProperties": False, **closed} if isinstance(schema.get("properties"), dict) else closed


def test_the_schema_is_one_and_is_published() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json.loads((ROOT / "specs/ledger-schema.json").read_text()) == SCHEMA


def test_check_prints_the_schema() -> None:
    assert command("check", "--schema") == Told(0, (ROOT / "specs/ledger-schema.json").read_text(), "")


def readings_of(*words: object) -> list[Any]:
    """Return the readings of the ledger of a check, of which the schema describes every key, and which can be read."""
    out = command("check", *words, "--format", "json", "--jobs", "1").out
    value = json.loads(out)
    jsonschema.Draft202012Validator(strict(SCHEMA)).validate(value)
    assert ledger_to_json(parse_ledger(out.encode(), "x")) == value
    return [reading for claim in value["claims"] for reading in claim["readings"]]


def test_shipped_claims_fit() -> None:
    """Ledgers with plays, with counterexamples and with notes."""
    readings = readings_of("rules-start", "lowest-spot-keeps-fields", "p4-note", "lemma-3-edge-line")
    kinds = {reading["witness"]["kind"] for reading in readings if reading["witness"]}
    assert kinds == {"line", "counterexample"}
    assert any(reading["needs"] for reading in readings)


def test_trouble_and_skipped_readings_fit(tmp_path: pathlib.Path) -> None:
    """Engines that disagree, and a reading that is not in the run."""
    (tmp_path / "split.yaml").write_text(SPLIT)
    (found,) = (reading for reading in readings_of("--specs", tmp_path) if reading["id"] == "enumeration")
    assert found["trouble"].startswith("two engines disagree")
    assert found["verdict"] == "unknown"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Any:
    report = make_report(
        tmp_path_factory.mktemp("ledger"),
        wrong__as_stated={"witness": Line("a", ("1",), "b", "c"), "certificate": Filed("x", "y", "z")},
    )
    return json.loads(render("json", report))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value below a value."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(item, (*path, key))


def contains(value: Any, found: Any) -> bool:
    """Say whether all that was read stands in a value; further keys of that are passed over."""
    if isinstance(found, dict) and isinstance(value, dict):
        return all(contains(value[key], item) for key, item in found.items() if key in value)
    if isinstance(found, list) and isinstance(value, list):
        return len(found) == len(value) and all(map(contains, value, found))
    return bool(found == value)


def is_said_twice(value: Any) -> bool:
    """Say whether a name stands twice in a ledger, or a reading under another claim: a schema cannot say that."""
    named = [[claim["id"] for claim in value["claims"]]]
    named += [[reading["id"] for reading in claim["readings"]] for claim in value["claims"]]
    strays = (reading["claim"] != claim["id"] for claim in value["claims"] for reading in claim["readings"])
    return any(len(set(names)) < len(names) for names in named) or any(strays)


JUNK = st.sampled_from([None, True, 0, 1, 7, "", "proved", "line", [], ["x"], [1], {}, {"kind": "line"}])


@given(data=st.data())
def test_the_reader_agrees_with_a_validator(ledger: Any, data: st.DataObject) -> None:
    """What fits the schema is read as it is, and what is read fits it; a key may be missing that has a default."""
    value = copy.deepcopy(ledger)
    *above, key = data.draw(st.sampled_from(list(places(value))))
    holder = value
    for step in above:
        holder = holder[step]
    if data.draw(st.booleans()):
        del holder[key]
    else:
        holder[key] = data.draw(JUNK)
    is_valid = jsonschema.Draft202012Validator(SCHEMA).is_valid(value)
    try:
        found = ledger_to_json(parse_ledger(json.dumps(value).encode(), "x"))
    except UsageError:
        assert not is_valid or is_said_twice(value)
    else:
        jsonschema.Draft202012Validator(SCHEMA).validate(found)
        del found["totals"]  # counted anew, whatever the file says
        assert not is_valid or contains(value, found)


def test_totals_count_documents_and_what_is_ours_apart(tmp_path: pathlib.Path) -> None:
    """What the auditors ask comes after what documents say; of claims after repair the severities are counted."""
    plain, mended, wrong = make_report(tmp_path).ledger.claims
    wrong = replace(wrong, source=replace(wrong.source, ours=True))
    stated, asked = Ledger((wrong, plain, replace(mended, severity="slip"))).totals
    assert stated == Total("test", False, 2, {Standing.PROVED: 1, Standing.REPAIRED: 1}, {"slip": 1})
    assert asked == Total("test", True, 1, {Standing.REFUTED: 1}, {})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the ledger: Invalid JSON: EOF while parsing a value at line 1 column 0"),
        (b"{", "Invalid JSON: EOF while parsing an object"),
        (b"\xff\xfe\xff", "Invalid JSON: "),
        (b"[" * 100_000, "recursion limit exceeded"),
        (b'{"schema": 3, "tool": {}, "claims": [], "x": ' + b'{"x":' * 900 + b"1" + b"}" * 901, "recursion limit"),
        (b"[]", "the ledger: "),
        (b'{"schema": 1, "tool": {}, "claims": []}', "schema: Input should be 4"),
        (b'{"schema": true, "tool": {}, "claims": []}', "schema: Input should be 4"),
        (b'{"schema": 3, "tool": {}}', "claims: "),
        (b'{"schema": 3, "tool": {}, "claims": [{}]}', "claims[0].id: "),
    ],
)
def test_what_is_no_ledger_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_ledger(data, "old.json")
    assert str(caught.value).startswith("old.json: no ledger of 'check --format json': ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_doubles_are_refused(ledger: Any) -> None:
    claims = {**ledger, "claims": [*ledger["claims"], ledger["claims"][0]]}
    with pytest.raises(UsageError, match="'plain' stands twice among the claims"):
        parse_ledger(json.dumps(claims).encode(), "x")
    value = copy.deepcopy(ledger)
    value["claims"][1]["readings"] *= 2
    with pytest.raises(UsageError, match="'as-stated' stands twice among the readings of mended"):
        parse_ledger(json.dumps(value).encode(), "x")


def test_a_huge_ledger_takes_no_time(ledger: Any, tmp_path: pathlib.Path) -> None:
    """Names are counted once: fifty thousand claims are read in seconds, and one that stands twice is found."""
    claim = {**ledger["claims"][0], "readings": []}
    value = {**ledger, "claims": [{**claim, "id": f"claim-{number}"} for number in range(50_000)]}
    path = tmp_path / "huge.json"
    path.write_text(json.dumps(value))
    start = time.monotonic()
    assert len(read_ledger(path).claims) == 50_000
    value["claims"].append(value["claims"][0])
    with pytest.raises(UsageError, match="'claim-0' stands twice"):
        parse_ledger(json.dumps(value).encode(), "x")
    assert time.monotonic() - start < 30


def test_an_endless_ledger_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.audit.ledger.MAX_BYTES", 10**6)
    with pytest.raises(UsageError, match="/dev/zero: no ledger of 'check --format json': more than 1000000 bytes"):
        read_ledger(pathlib.Path("/dev/zero"))
