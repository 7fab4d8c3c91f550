"""``exactly``: a reading that says by which ply and by none sooner joins two, each decided by itself."""

from __future__ import annotations

import pathlib

import pytest

from tests.audit.made import check, make_plan, write_claim
from tests.boards import write_rules
from verifier.language.compile import compile_reading
from verifier.language.folder import load_library

READING = "readings:\n  r: {can: X, expect: proved, note: Some note., objectives: {won: {reach: X_wins, exactly: PLY}}}"


def write(folder: pathlib.Path, ply: int) -> None:
    """Write a claim about two neighbours on a row of five."""
    write_rules(folder, "five", (1, 5), "{in_a_row: 2, along: [rows]}")
    write_claim(folder, "c", READING.replace("PLY", str(ply)), "five")


@pytest.mark.parametrize(
    ("ply", "verdicts"),
    [
        (3, {"r": "proved", "r-by": "proved", "r-not-sooner": "proved"}),
        (2, {"r": "refuted", "r-by": "refuted", "r-not-sooner": "proved"}),
        (4, {"r": "refuted", "r-by": "proved", "r-not-sooner": "refuted"}),
    ],
)
def test_by_a_ply_and_not_sooner(ply: int, verdicts: dict[str, str], tmp_path: pathlib.Path) -> None:
    """X wins with his second mark, exactly at ply 3; where one of the two is refuted, so is the whole."""
    write(tmp_path, ply)
    found = {result.id: str(result.verdict) for result in check(make_plan(tmp_path)).readings}
    assert found == verdicts


def test_the_two_statements_are_those_that_one_would_write(tmp_path: pathlib.Path) -> None:
    """The claimant reaches the goal by the ply; the other player prevents it through the one before."""
    write(tmp_path, 3)
    library = load_library(tmp_path)
    by, sooner = (compile_reading(library, "c", f"r-{part}").statement for part in ("by", "not-sooner"))
    assert by is not None
    assert sooner is not None
    assert (by["claimant"], sooner["claimant"]) == ("X", "O")
    assert by["objectives"] == [{"name": "won", "type": "reach", "goal": ["X_wins"], "by": 3}]
    assert sooner["objectives"] == [{"name": "won sooner", "type": "prevent", "goal": ["X_wins"], "through": 2}]
    assert library.claim("c").readings["r"].note == "Some note."
