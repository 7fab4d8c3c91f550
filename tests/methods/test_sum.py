"""Question ``sum``: what a reading says of any number of boards is proved, refuted, or not known with the reason."""

from __future__ import annotations

import pathlib

import pytest

from tests.audit.made import require_decided
from verifier.language.compile import validate_folder

RULES = """rules: board
title: One of several boards
source: {document: none, place: here, says: A board with three in a row is dead.}
family: positional
board: {rows: 3, columns: 3}
marks: {is: shared}
lines: {in_a_row: 3}
outcomes: {a dead board: {when: line, result: draw}}
"""
CLAIM = """claim: c
title: Any number of boards
source: {document: none, place: here, says: Somebody wins.}
rules: board
readings:
  r: {expect: proved, SAYS}
"""


def write(folder: pathlib.Path, says: str) -> None:
    (folder / "rules.yaml").write_text(RULES)
    (folder / "c.yaml").write_text(CLAIM.replace("SAYS", says))


@pytest.mark.parametrize(
    ("says", "verdict", "reason"),
    [
        (
            "sum: {last: loses, count: 18, relations: [aa = 1, bbb=b, bbc=c, ccc=acc, bbd=d, cd=ad, dd=cc]}",
            "proved",
            "",
        ),
        ("sum: {last: loses, won: [a, bb, bc, cc], types: {.........: c}}", "proved", ""),
        ("sum: {last: loses, copies: {.........: [next, previous]}}", "proved", ""),
        ("sum: {last: wins, copies: {.........: [next, previous]}}", "proved", ""),
        (
            "sum: {last: loses, copies: {.........: [previous, next]}}",
            "refuted",
            "of 1 times ......... the player to move wins",
        ),
        ("sum: {last: loses, count: 17}", "refuted", "the quotient has 18 elements, not 17"),
        (
            "sum: {last: loses, won: [a], types: {.........: a}}",
            "unknown",
            "no elements of the quotient fit the letters",
        ),
    ],
)
def test_sums_are_decided(says: str, verdict: str, reason: str, tmp_path: pathlib.Path) -> None:
    """In misère and normal play, by words or by copies of a position."""
    write(tmp_path, says)
    require_decided(tmp_path, verdict, reason)


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ("sum: {last: loses}", "a sum says at least one of count, relations, won, types and copies"),
        ("sum: {last: draws, count: 2}", "'loses'"),
        ("sum: {last: loses, relations: [aa]}", "readings.r.sum.relations.0"),
        ("sum: {last: loses, types: {XX: a}}", "XX"),
        ("sum: {last: loses, copies: {.........: [first]}}", "'next'"),
    ],
)
def test_what_says_nothing_is_a_fault(says: str, message: str, tmp_path: pathlib.Path) -> None:
    """It is found when specs are read."""
    write(tmp_path, says)
    problems = validate_folder(tmp_path)[2]
    assert problems
    assert message in "\n".join(map(str, problems))
