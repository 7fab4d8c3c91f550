"""The schema for editors knows everything that a spec file may have."""

import json
import pathlib
from typing import Any

import jsonschema
import pytest

from verifier.api.schema import build_schema
from verifier.language.loader import load_document

ROOT = pathlib.Path(__file__).parents[2]
SCHEMA = build_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_published_schema_is_up_to_date() -> None:
    assert json.loads((ROOT / "specs/schema.json").read_text()) == SCHEMA
    VALIDATOR.check_schema(SCHEMA)


def test_every_shipped_file_fits_the_schema() -> None:
    """The files are tested as they are written: no entry for several and no ``like`` is written out."""
    for path in sorted((ROOT / "specs").rglob("*.yaml")):
        faults = [*VALIDATOR.iter_errors(load_document(path, path.name).value)]
        assert not faults, (path, faults[0].message[:300])


def claim(**reading: Any) -> dict[str, Any]:
    """Return a claim with a reading, and another one that is like it."""
    source = {"document": "none", "place": "here", "says": "It holds."}
    first = {"plays": "all", "expect": "proved", "horizon": 3, "objectives": {"one": {"some": "over", "at": "end"}}}
    return {
        "claim": "short-{k}",
        "for": {"k": [1, 2]},
        "title": "Short forms",
        "source": source,
        "rules": "tictactoe",
        "readings": {"as-stated": first, "other": {"like": "as-stated", "expect": "refuted", **reading}},
    }


@pytest.mark.parametrize(
    ("reading", "is_known"),
    [
        ({}, True),
        ({"horizon": "{k}"}, True),
        ({"objectives": {"one": {"at": "every"}}}, True),
        ({"repairs": [{"for": {"i": "range(0, 3)"}, "but": [1], "each": ["r{i}"]}], "note": "It does."}, True),
        ({"horizn": 4}, False),
        ({"horizon": "{k"}, False),
        ({"horizon": "soon"}, False),
        ({"expect": "prooved"}, False),
        ({"repairs": [{"for": {"i": [1]}, "each": ["r{i}"], "but_not": [2]}]}, False),
        ({"repairs": [{"for": {"i": [1]}}]}, False),
        ({"like": 3}, False),
    ],
)
def test_the_schema_allows_short_forms_and_nothing_else(reading: dict[str, Any], is_known: bool) -> None:
    """A claim for several, a reading like another that changes part of a map, the value of a variable, items."""
    found = [error.message for error in VALIDATOR.iter_errors(claim(**reading))]
    assert (not found) == is_known, found


def test_an_entry_for_several_may_have_a_for() -> None:
    """The entry has a ``for``, or it is inside an entry that has one."""
    one = {"some": "ply == {k}", "at": "every"}
    made = claim()
    made["readings"]["as-stated"]["objectives"] = {"at {k}": {"for": {"k": "range(1, 4)"}, **one}}
    assert VALIDATOR.is_valid(made)
    made["readings"]["as-stated"]["objectives"] = {"at {k}": one}
    assert VALIDATOR.is_valid(made)
