import pathlib
import shutil

import pytest

from tests.audit.made import MADE
from tests.rules import load_library
from verifier.audit.needs import join_claims, select_readings
from verifier.audit.sources import find_dependents


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    return shutil.copytree(MADE / "references", tmp_path / "specs")


@pytest.mark.parametrize(
    ("file", "claims"),
    [
        ("first.yaml", ["first"]),
        ("definitions/more.yaml", ["first"]),
        ("definitions/base.yaml", ["first", "third"]),
        ("mover.yaml", ["third"]),
        ("definitions/unused.yaml", []),
        ("test.yaml", []),
        ("list.yaml", []),
        ("none.yaml", None),
    ],
)
def test_a_file_stands_for_claims(file: str, claims: list[str] | None, folder: pathlib.Path) -> None:
    """The file of a claim stands for this claim. Another file stands for all claims that need it, even indirectly."""
    assert find_dependents(load_library(folder), file) == claims


def test_joining_a_repair_selects_what_it_repairs(folder: pathlib.Path) -> None:
    """The claim's standing depends on whether the repaired reading holds. No other reading is selected."""
    library = load_library(folder)
    found = select_readings(library, join_claims(library, ["whole"]), "all")
    assert sorted(found) == [("second", "as-stated"), ("second", "mended"), ("third", "as-stated"), ("whole", "all")]


def test_a_reading_that_joins_others_needs_them(folder: pathlib.Path) -> None:
    assert sorted(join_claims(load_library(folder), ["whole", "first"])) == ["first", "second", "third", "whole"]
