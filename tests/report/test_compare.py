from __future__ import annotations

import copy
import json
import pathlib
from typing import Any

import pytest

from tests.report.ledgers import make_report
from verifier.audit.ledger import Ledger, parse_ledger
from verifier.report import compare
from verifier.report.compare import Change, change_lines
from verifier.report.registry import render

KNOWN = {
    "plain": frozenset({"as-stated"}),
    "mended": frozenset({"as-stated", "repaired"}),
    "wrong": frozenset({"as-stated", "long"}),
}


LINE = {"kind": "line", "start": "", "moves": [], "position": "", "reason": ""}


@pytest.fixture
def ledger(tmp_path: pathlib.Path) -> Any:
    return json.loads(render("json", make_report(tmp_path)))


@pytest.fixture
def other(ledger: Any) -> Any:
    return copy.deepcopy(ledger)


def read(ledger: Any) -> Ledger:
    return parse_ledger(json.dumps(ledger).encode(), "a test")


def compare_ledgers(before: Any, after: Any) -> list[Change]:
    return compare.compare_ledgers(read(before), read(after))


def compare_with_baseline(before: Any, after: Any, known: Any) -> tuple[list[Change], int]:
    return compare.compare_with_baseline(read(before), read(after), known)


def reading(ledger: Any, claim: str, name: str) -> Any:
    readings = next(item for item in ledger["claims"] if item["id"] == claim)["readings"]
    return next(item for item in readings if item["id"] == name)


def summary(changes: Any) -> list[tuple[Any, ...]]:
    return [(c.claim, c.reading, c.what, c.name, c.before, c.after) for c in changes]


def test_equal_ledgers_do_not_differ(ledger: Any, other: Any) -> None:
    """Nor do those that differ in versions, titles, witnesses or certificates only."""
    other["tool"]["python"] = "4"
    other["claims"][0]["title"] = "Another title"
    reading(other, "wrong", "as-stated")["certificate"] = {"path": "x", "sha256": "y", "statement": "z"}
    reading(other, "wrong", "as-stated")["witness"] = LINE
    assert compare_ledgers(ledger, other) == []
    assert compare_with_baseline(ledger, other, KNOWN) == ([], 1)
    assert change_lines([]) == ["no change"]


def test_another_statement_is_a_change(ledger: Any, other: Any) -> None:
    """A claim that says less than before, and is proved as before, is not the same claim."""
    for side, digit in ((ledger, "0"), (other, "1")):
        filed = {"path": "x", "sha256": "y", "statement": digit * 64, "files": []}
        reading(side, "plain", "as-stated")["certificate"] = filed
    (change,) = compare_ledgers(ledger, other)
    assert change_lines([change])[1] == "    as-stated, statement: not the same"
    assert (change.before, change.after) == ("0" * 32, "1" * 32)
    assert compare_with_baseline(ledger, other, KNOWN)[0] == [change]


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("verdict", "unknown", "repaired, verdict: proved → unknown"),
        ("expected", "refuted", "repaired, expected: proved → refuted"),
        ("question", "plays", "repaired, question: steps → plays"),
        ("reason", "vacuous", "repaired, reason: — → vacuous"),
        ("trouble", "stale", "repaired, trouble: — → stale"),
        ("beliefs", ["solver"], "repaired, beliefs: — → solver"),
        ("joins", ["plain/as-stated"], "repaired, joins: — → plain/as-stated"),
        ("stats", {"parts": 2}, "repaired, stats parts: 1 → 2"),
        ("stats", {}, "repaired, stats parts: 1 → —"),
        ("stats", {"parts": 2, "not_needed": 3}, "repaired, stats parts: 1 → 2; not needed: — → 3"),
        ("needs", [{"part": "a", "used": ["P1", "P2"], "cited": []}], "repaired, hypotheses of a: — → P1; P2"),
        ("notes", ["a: needs P1, P2"], "repaired, notes: — → a: needs P1, P2"),
        ("notes", ["something else"], "repaired, notes: — → something else"),
    ],
)
def test_each_change_of_a_reading_is_told(ledger: Any, other: Any, key: str, value: Any, line: str) -> None:
    reading(other, "mended", "repaired")[key] = value
    changes = compare_ledgers(ledger, other)
    count = len(value) if isinstance(value, dict) and value else 1
    told = f"{count} change{'s' * (count > 1)} in 1 claim"
    assert change_lines(changes) == ["mended", f"    {line}", told]
    assert compare_with_baseline(ledger, other, KNOWN)[0] == changes


def test_hypotheses_are_compared_part_by_part(ledger: Any, other: Any) -> None:
    """The order of the parts does not matter; a part whose hypotheses changed does."""
    first = {"part": "a", "used": ["P1"], "cited": ["P1"]}
    reading(ledger, "mended", "repaired")["needs"] = [first, {"part": "b", "used": ["P2"], "cited": ["P1"]}]
    reading(other, "mended", "repaired")["needs"] = [{"part": "b", "used": ["P2", "P3"], "cited": []}, first]
    assert summary(compare_ledgers(ledger, other)) == [
        ("mended", "repaired", "hypotheses", "b", ["P2"], ["P2", "P3"]),
        ("mended", "repaired", "hypotheses cited", "b", ["P1"], []),
    ]


def test_claims_and_readings_come_and_go(ledger: Any, other: Any) -> None:
    """What is new and what is gone is told, of claims and of readings."""
    del other["claims"][0]
    other["claims"][0]["readings"][1]["id"] = "renamed"
    assert summary(compare_ledgers(ledger, other)) == [
        ("mended", "renamed", "reading", None, None, "proved"),
        ("mended", "repaired", "reading", None, "proved", None),
        ("plain", None, "claim", None, "proved as stated", None),
    ]
    assert change_lines(compare_ledgers(other, ledger)) == [
        "plain",
        "    the claim: new (proved as stated)",
        "mended",
        "    repaired: new (proved)",
        "    renamed: gone (was proved)",
        "3 changes in 2 claims",
    ]


def test_a_standing_is_a_change(ledger: Any, other: Any) -> None:
    """So is what it rests on besides the kernel, and what is to be read before."""
    other["claims"][0] |= {"standing": "refuted", "beliefs": ["solver"], "uses": ["mended", "wrong"]}
    assert change_lines(compare_ledgers(ledger, other)) == [
        "plain",
        "    standing: proved as stated → refuted",
        "    beliefs: — → solver",
        "    uses: — → mended; wrong",
        "3 changes in 1 claim",
    ]


def test_what_a_run_leaves_out_is_not_compared(ledger: Any, other: Any) -> None:
    """A claim and a reading that were not asked for are no change since a baseline; in a comparison they are."""
    slow = reading(ledger, "wrong", "long")
    slow |= {"decided": "decided now", "verdict": "refuted"}
    del other["claims"][1]
    other["claims"][1]["standing"] = "not run"
    changes, left = compare_with_baseline(ledger, other, KNOWN)
    assert (changes, left) == ([], 3)
    assert {change.what for change in compare_ledgers(ledger, other)} == {"standing", "verdict", "claim"}


def test_what_the_specs_have_lost_is_a_change_since_a_baseline(ledger: Any, other: Any) -> None:
    """A claim or reading that stands in no spec any more is gone, whatever was asked for."""
    del other["claims"][0]
    del other["claims"][0]["readings"][1]
    known = {"mended": frozenset({"as-stated"}), "wrong": KNOWN["wrong"]}
    assert [(c.claim, c.reading, c.what) for c in compare_with_baseline(ledger, other, known)[0]] == [
        ("mended", "repaired", "reading"),
        ("plain", None, "claim"),
    ]


def test_keys_with_a_default_may_be_missing(ledger: Any, other: Any) -> None:
    for claim in other["claims"]:
        for item in claim["readings"]:
            for key in ("trouble", "joins", "notes"):
                del item[key]
    assert compare_ledgers(ledger, other) == []


def test_other_rules_are_a_change(ledger: Any, other: Any) -> None:
    """The same verdict on another game is not the same: of a claim as of a reading with rules of its own."""
    next(item for item in other["claims"] if item["id"] == "plain")["rules"] = "misere"
    reading(other, "mended", "repaired")["rules"] = "misere"
    assert summary(compare_ledgers(ledger, other)) == [
        ("plain", None, "rules", None, "tictactoe", "misere"),
        ("mended", "repaired", "rules", None, "", "misere"),
    ]
