"""The schema for editors knows what files may hold, as people write them."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import jsonschema
import pytest

from verifier.language.loader import load_document
from verifier.language.schema import build_schema

ROOT = pathlib.Path(__file__).parents[2]
SCHEMA = build_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def read(path: str) -> Any:
    """Return a file as it is written."""
    return load_document(ROOT / path, path).value


def test_the_file_in_the_specs_is_this_schema() -> None:
    """It is what the command prints."""
    assert json.loads((ROOT / "specs/schema.json").read_text()) == SCHEMA
    VALIDATOR.check_schema(SCHEMA)


def test_every_shipped_file_has_it() -> None:
    """As written: before entries for several, and readings like others, are written out."""
    for path in sorted((ROOT / "specs").rglob("*.yaml")):
        faults = [*VALIDATOR.iter_errors(load_document(path, path.name).value)]
        assert not faults, (path, faults[0].message[:300])


def claim(**reading: Any) -> dict[str, Any]:
    """Return a claim with a reading, and another one that is like it."""
    source = {"document": "none", "place": "here", "says": "It holds."}
    first = {
        "plays": "all",
        "expect": "proved",
        "horizon": 3,
        "objectives": {"one": {"some": "over", "at": "end"}},
    }
    return {
        "claim": "short-{k}",
        "for": {"k": [1, 2]},
        "title": "Short forms",
        "source": source,
        "rules": "tictactoe",
        "readings": {"as-stated": first, "other": {"like": "as-stated", "expect": "refuted", **reading}},
    }


@pytest.mark.parametrize(
    "reading",
    [
        {},
        {"horizon": "{k}"},
        {"objectives": {"one": {"at": "every"}}},
        {"repairs": [{"for": {"i": "range(0, 3)"}, "but": [1], "each": ["r{i}"]}], "note": "It does."},
    ],
)
def test_short_forms_are_known(reading: dict[str, Any]) -> None:
    """A claim for several, a reading like another that changes a map in part, a value of a variable, items."""
    assert VALIDATOR.is_valid(claim(**reading)), [error.message for error in VALIDATOR.iter_errors(claim(**reading))]


@pytest.mark.parametrize(
    "reading",
    [
        {"horizn": 4},
        {"horizon": "{k"},
        {"horizon": "soon"},
        {"expect": "prooved"},
        {"repairs": [{"for": {"i": [1]}, "each": ["r{i}"], "but_not": [2]}]},
        {"repairs": [{"for": {"i": [1]}}]},
        {"like": 3},
    ],
)
def test_what_is_no_short_form_is_refused(reading: dict[str, Any]) -> None:
    """A mistyped key, a text that is not a variable, items of nothing."""
    assert not VALIDATOR.is_valid(claim(**reading))


def test_an_entry_for_several_may_say_over_what_it_runs() -> None:
    """A name with a variable may have a ``for``, or its entry stands inside one that has."""
    one = {"some": "ply == {k}", "at": "every"}
    made = claim()
    made["readings"]["as-stated"]["objectives"] = {"at {k}": {"for": {"k": "range(1, 4)"}, **one}}
    assert VALIDATOR.is_valid(made)
    made["readings"]["as-stated"]["objectives"] = {"at {k}": one}
    assert VALIDATOR.is_valid(made)
