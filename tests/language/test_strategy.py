from __future__ import annotations

import pathlib
from typing import Any

import pytest

from verifier.language.compile import compile_reading
from verifier.language.library import load_library
from verifier.language.problem import SpecProblemsError

STRATEGY = """\
strategy: own-number
title: The spot that has the field's number
source: {document: none, place: here, says: Field and spot alike.}
rules: paper
player: X
phases:
  alike:
    for: {f: "[0, 4, 8]"}
    when: free[f, f]
    rules:
      play: {play: [f, f]}
"""

CLAIM = """\
claim: own-number-is-free
title: A reply
source: {document: none, place: here, says: There is a reply.}
rules: paper
readings:
  as-stated:
    method: induction
    step: reply
    strategy: NAME
    expect: proved
    for: {f: FIELDS_MEANT}
    parts:
      reply:
        given: [active == f, "free[f, f]"]
        conclude: ["X[f, f]"]
"""


def instances(folder: pathlib.Path, strategy: str, fields: str) -> list[list[Any]]:
    """Return the moves of the phase in each part."""
    (folder / "strategy.yaml").write_text(STRATEGY)
    (folder / "claim.yaml").write_text(CLAIM.replace("NAME", strategy).replace("FIELDS_MEANT", fields))
    statement = compile_reading(load_library(folder), "own-number-is-free", "as-stated").statement
    assert statement is not None
    phases = [part["strategy"]["phases"][0]["instances"] for part in statement["parts"]]
    return [[instance["rules"][0]["choices"][0]["play"] for instance in found] for found in phases]


def test_a_named_phase_is_taken_for_the_value_alone(tmp_path: pathlib.Path) -> None:
    """A variable that a claim shares with the phase that it names picks the phase's member."""
    assert instances(tmp_path, "own-number#alike", '"[0, 8]"') == [[[0, 0]], [[8, 8]]]


def test_a_whole_strategy_is_taken_whole(tmp_path: pathlib.Path) -> None:
    """Without a phase the names of a claim's variables leave the strategy as it is."""
    every = [[0, 0], [4, 4], [8, 8]]
    assert instances(tmp_path, "own-number", '"[0, 8]"') == [every, every]


def test_a_phase_without_such_a_member_is_a_fault(tmp_path: pathlib.Path) -> None:
    """A value that the phase does not know leaves no strategy: that is told where the strategy is named."""
    with pytest.raises(SpecProblemsError) as caught:
        instances(tmp_path, "own-number#alike", '"[0, 1]"')
    assert [str(problem) for problem in caught.value.problems] == [
        "claim.yaml:9:15: the phase 'alike' has no member of f = 1"
    ]
