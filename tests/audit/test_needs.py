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
def test_a_file_bears_on_claims(file: str, claims: list[str] | None, folder: pathlib.Path) -> None:
    """Its own; or those that use its strategy or definitions, also by way of other files."""
    assert find_dependents(load_library(folder), file) == claims


def test_with_a_repair_that_is_joined_comes_what_it_repairs(folder: pathlib.Path) -> None:
    """Whether that holds says how the claim stands; of another reading nothing is asked."""
    library = load_library(folder)
    found = select_readings(library, join_claims(library, ["whole"]), "all")
    assert sorted(found) == [("second", "as-stated"), ("second", "mended"), ("third", "as-stated"), ("whole", "all")]


def test_a_conjunction_needs_what_it_joins(folder: pathlib.Path) -> None:
    assert sorted(join_claims(load_library(folder), ["whole", "first"])) == ["first", "second", "third", "whole"]
