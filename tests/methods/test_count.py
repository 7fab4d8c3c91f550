"""Question ``count``: how many members of a family have a legal line that ends as described."""

from __future__ import annotations

import pathlib

import pytest

from tests.audit.made import require_decided
from verifier.language.compile import validate_folder

CLAIM = """claim: c
title: So many pairs
source: {document: none, place: here, says: So many.}
rules: tictactoe
readings:
  r: {expect: proved, SAYS}
"""
PAIRS = 'for: {a: "range(0, 9)", b: "range(0, 9)"}, line: ["{a}", "{b}"]'


def write(folder: pathlib.Path, says: str) -> None:
    (folder / "c.yaml").write_text(CLAIM.replace("SAYS", says))


@pytest.mark.parametrize(
    ("says", "verdict", "reason"),
    [
        (f"count: 72, {PAIRS}", "proved", ""),
        (f"count: 71, {PAIRS}", "refuted", "of 81 members it is 72, not 71"),
        (f'count: 8, {PAIRS}, conclude: ["X[4]"]', "proved", ""),
        (f'count: 36, {PAIRS}, conclude: ["a < b"]', "proved", ""),
        (f'count: 4, {PAIRS}, conclude: ["a + b == 8", "X[a] and O[b]", "a < 4"]', "proved", ""),
        ('count: 36, for: {a: "range(0, 9)", b: "range(0, a)"}, line: "{a} {b}"', "proved", ""),
        ('count: 7, for: {a: "range(0, 9)"}, line: "4 {a}", start: [0]', "proved", ""),
        ('count: 9, for: {a: "range(0, 10)"}, line: "{a}"', "unknown", "9"),
    ],
)
def test_members_are_counted(says: str, verdict: str, reason: str, tmp_path: pathlib.Path) -> None:
    """Their values stand in moves, in later lists, and in what is concluded."""
    write(tmp_path, says)
    require_decided(tmp_path, verdict, reason)


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ("count: 1, line: [0]", "'for' is missing"),
        ('count: 1, for: {a: [0]}, line: ["{b}"]', "'b' is not a variable of 'for': a"),
        ('count: 1, for: {a: [0]}, line: ["{a + 1}"]', "'a + 1' is not a variable of 'for': a"),
        ('count: 1, for: {a: [0]}, line: ["{a}", "x"]', "'x'"),
        ('count: -1, for: {a: [0]}, line: ["{a}"]', "count"),
        ('count: 1, for: {a: "[]"}, line: ["{a}"]', "between 1 and"),
        ('count: 1, for: {a: [0]}, line: ["{a}"], conclude: ["Z[0]"]', "only the words of the game take indices"),
    ],
)
def test_what_cannot_be_counted_is_a_fault(says: str, message: str, tmp_path: pathlib.Path) -> None:
    """It is found when specs are read."""
    write(tmp_path, says)
    assert message in "\n".join(map(str, validate_folder(tmp_path)[2]))
