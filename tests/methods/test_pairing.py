"""Pairs and weights as a reading gives them: proved where they do, and unknown with the reason where they do not."""

from __future__ import annotations

import pathlib

import pytest

from tests.audit.made import check, make_plan
from verifier.language.compile import validate_folder

RULES = """rules: six
title: Three lines on six spots
source: {document: none, place: here, says: The player who first has a line wins.}
family: positional
board: {rows: 1, columns: 6}
lines: {sets: [[0, 1, 2], [2, 3, 4], [3, 4, 5]]}
outcomes:
  X has a line: {when: X_line, result: X}
  O has a line: {when: O_line, result: O}
"""
CLAIM = """claim: c
title: A claim about six spots
source: {document: none, place: here, says: Nobody gets a line.}
rules: six
readings:
  r: {can: O, expect: proved, HELD, objectives: {o: OBJECTIVE}}
"""


def write(folder: pathlib.Path, held: str, objective: str) -> None:
    (folder / "six.yaml").write_text(RULES)
    (folder / "c.yaml").write_text(CLAIM.replace("HELD", held).replace("OBJECTIVE", objective))


@pytest.mark.parametrize(
    ("held", "objective", "verdict", "reason"),
    [
        ("pairing: [[0, 1], [3, 4]]", "{prevent: X_wins, by: 6}", "proved", ""),
        ("pairing: [[0, 1], [3, 4]]", "{prevent: X_line, by: 6}", "proved", ""),
        ("pairing: [[0, 1]]", "{prevent: X_wins, by: 6}", "unknown", "none is among [2, 3, 4]"),
        ("pairing: [[0, 1], [1, 3]]", "{prevent: X_wins, by: 6}", "unknown", "or stands there twice"),
        ("pairing: [[0, 1], [3, 4]]", "{prevent: over, by: 6}", "unknown", "not-a-breaker"),
    ],
)
def test_what_is_given_is_the_evidence(
    held: str, objective: str, verdict: str, reason: str, tmp_path: pathlib.Path
) -> None:
    """Nothing else is looked for: pairs that do not do show nothing, though O holds the lines."""
    write(tmp_path, held, objective)
    (result,) = check(make_plan(tmp_path)).readings
    assert (str(result.verdict), result.trouble) == (verdict, "")
    assert reason in result.reason


@pytest.mark.parametrize(
    ("held", "objective", "message"),
    [
        ("pairing: [[0, 1], [3, 4]]", "{reach: O_wins, by: 6}", "'pairing' goes with 'prevent'"),
        ("pairing: [[0, 1], [3, 9]]", "{prevent: X_wins, by: 6}", ": a move is a spot, 0 to 5"),
        ("pairing: [[0, 1, 2]]", "{prevent: X_wins, by: 6}", "more than 2 items"),
    ],
)
def test_what_is_no_such_evidence_is_a_fault(held: str, objective: str, message: str, tmp_path: pathlib.Path) -> None:
    """It is found when specs are read, and told where it stands."""
    write(tmp_path, held, objective)
    (problem,) = validate_folder(tmp_path)[2]
    assert message in str(problem)
