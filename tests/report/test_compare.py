from __future__ import annotations

import copy
import json
import pathlib
from typing import Any

import pytest

from tests.golden import require_golden
from tests.report.ledgers import make_report
from verifier.audit.ledger import Ledger, parse_ledger
from verifier.report.compare import change_lines, compare_ledgers, compare_with_baseline
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


def reading(ledger: Any, claim: str, name: str) -> Any:
    readings = next(item for item in ledger["claims"] if item["id"] == claim)["readings"]
    return next(item for item in readings if item["id"] == name)


def test_equal_ledgers_do_not_differ(ledger: Any, other: Any) -> None:
    """Nor do those that differ in versions, titles, witnesses or certificates only, or in keys that have a default."""
    other["tool"]["python"] = "4"
    other["claims"][0]["title"] = "Another title"
    found = reading(other, "wrong", "as-stated")
    found |= {"certificate": {"path": "x", "sha256": "y", "statement": "z"}, "witness": LINE}
    for key in ("trouble", "joins", "notes"):
        del found[key]
    assert compare_ledgers(read(ledger), read(other)) == []
    assert compare_with_baseline(read(ledger), read(other), KNOWN) == ([], 1)


REPAIRED: list[dict[str, Any]] = [
    {"verdict": "unknown"},
    {"expected": "refuted"},
    {"question": "plays"},
    {"rules": "misere"},
    {"reason": "vacuous"},
    {"trouble": "stale"},
    {"beliefs": ["solver"]},
    {"joins": ["plain/as-stated"]},
    {"stats": {"parts": 2}},
    {"stats": {}},
    {"stats": {"parts": 2, "not_needed": 3}},
    {"needs": [{"part": "a", "used": ["P1", "P2"], "cited": []}]},
    {"notes": ["a: needs P1, P2"]},
    {"notes": ["something else"]},
]
"""What a reading may have instead."""
PLAIN: list[dict[str, Any]] = [{"standing": "refuted", "beliefs": ["solver"], "uses": ["wrong"]}, {"rules": "misere"}]
"""What a claim may have instead."""


def test_each_change_is_told(ledger: Any) -> None:
    """Of a reading, of a claim, and which come and go; all but what is gone is a change since a baseline too."""
    told = []

    def tell(name: object, other: Any) -> None:
        changes = compare_ledgers(read(ledger), read(other))
        since = compare_with_baseline(read(ledger), read(other), KNOWN)[0]
        assert since == [change for change in changes if change.what not in ("claim", "reading") or change.after]
        told.append(f"{name}\n" + "".join(f"    {line}\n" for line in change_lines(changes)))

    tell("nothing", ledger)
    for values in REPAIRED:
        reading(other := copy.deepcopy(ledger), "mended", "repaired").update(values)
        tell(values, other)
    for values in PLAIN:
        tell(values, {**ledger, "claims": [ledger["claims"][0] | values, *ledger["claims"][1:]]})
    reading(other := copy.deepcopy(ledger), "mended", "repaired").update(id="renamed")
    tell("another name", other)
    tell("a claim less", {**ledger, "claims": ledger["claims"][1:]})
    told.append("\n".join(["a claim more", *change_lines(compare_ledgers(Ledger(()), read(ledger)))]) + "\n")
    require_golden("changes.txt", "\n".join(told))


def test_another_statement_is_a_change(ledger: Any, other: Any) -> None:
    """A claim that says less than before, and is proved as before, is not the same claim."""
    for side, digit in ((ledger, "0"), (other, "1")):
        filed = {"path": "x", "sha256": "y", "statement": digit * 64, "files": []}
        reading(side, "plain", "as-stated")["certificate"] = filed
    (change,) = compare_ledgers(read(ledger), read(other))
    assert change_lines([change])[1] == "    as-stated, statement: not the same"
    assert (change.before, change.after) == ("0" * 32, "1" * 32)
    assert compare_with_baseline(read(ledger), read(other), KNOWN)[0] == [change]


def test_hypotheses_are_compared_part_by_part(ledger: Any, other: Any) -> None:
    """The order of the parts does not matter; a part whose hypotheses changed does."""
    first = {"part": "a", "used": ["P1"], "cited": ["P1"]}
    reading(ledger, "mended", "repaired")["needs"] = [first, {"part": "b", "used": ["P2"], "cited": ["P1"]}]
    reading(other, "mended", "repaired")["needs"] = [{"part": "b", "used": ["P2", "P3"], "cited": []}, first]
    changes = compare_ledgers(read(ledger), read(other))
    assert [(c.claim, c.reading, c.what, c.name, c.before, c.after) for c in changes] == [
        ("mended", "repaired", "hypotheses", "b", ["P2"], ["P2", "P3"]),
        ("mended", "repaired", "hypotheses cited", "b", ["P1"], []),
    ]


def test_what_a_run_leaves_out_is_not_compared(ledger: Any, other: Any) -> None:
    """A claim and a reading that were not asked for are no change since a baseline; in a comparison they are."""
    reading(ledger, "wrong", "long").update({"decided": "decided now", "verdict": "refuted"})
    del other["claims"][1]
    other["claims"][1]["standing"] = "not run"
    assert compare_with_baseline(read(ledger), read(other), KNOWN) == ([], 3)
    assert {change.what for change in compare_ledgers(read(ledger), read(other))} == {"standing", "verdict", "claim"}


def test_what_the_specs_have_lost_is_a_change_since_a_baseline(ledger: Any, other: Any) -> None:
    """A claim or reading that stands in no spec any more is gone, whatever was asked for."""
    del other["claims"][0]
    del other["claims"][0]["readings"][1]
    known = {"mended": frozenset({"as-stated"}), "wrong": KNOWN["wrong"]}
    changes, _ = compare_with_baseline(read(ledger), read(other), known)
    assert [(c.claim, c.reading, c.what) for c in changes] == [
        ("mended", "repaired", "reading"),
        ("plain", None, "claim"),
    ]
