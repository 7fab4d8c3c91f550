"""What an objective says that quotes a reading with steps of its claim: the same, word for word."""

from __future__ import annotations

import pathlib

import pytest

from tests.language.test_documents import write
from verifier.kernel.formula import Formulas
from verifier.kernel.games.registry import parse_rules
from verifier.language.compile import compile_reading
from verifier.language.folder import load_library
from verifier.language.problem import SpecProblemsError

CLAIM = """\
claim: turns
title: A claim for tests
source: {document: paper, place: part 1, says: It holds.}
rules: paper
readings:
  law: {expect: proved, steps: {one: {turn: TURN, conclude: ["not X[0, 0]"]}}}
  play:
    plays: all
    expect: proved
    rules: RULES
    strategies: {O: any}
    horizon: 1
    objectives: {the same: {holds: law, at: every}, begun: {some: ply == 1, at: every}}
"""
STRATEGY = """\
strategy: any
title: Any free spot
source: {document: paper, place: part 1, says: Any free spot.}
rules: paper
player: O
phases: {all: {rules: {any: {for: {f: FIELDS, s: SPOTS}, when: "free[f, s]", play: [f, s]}}}}
"""


@pytest.mark.parametrize(("turn", "expected"), [("X", [True, True]), ("O", [True, False])])
def test_whose_turn_it_is_is_quoted(turn: str, expected: list[bool], tmp_path: pathlib.Path) -> None:
    """A part about positions of one player says nothing of those of the other one."""
    library = load_library(write(tmp_path, any=STRATEGY, turns=CLAIM.replace("TURN", turn).replace("RULES", "paper")))
    statement = compile_reading(library, "turns", "play").statement
    assert statement is not None
    game = parse_rules(statement["rules"])
    formulas = Formulas(game, statement["formulas"])
    test = formulas.compile(statement["objectives"][0]["holds"])
    begun = game.play(game.start, game.parse_move("0.0"))
    assert [test(position, position) for position in (game.start, begun)] == expected
    twice = game.play(begun, game.parse_move("0.1"))
    assert test(twice, twice) is (turn == "O")


def test_what_is_quoted_is_about_the_same_rules(tmp_path: pathlib.Path) -> None:
    """Under other rules the same words mean something else."""
    text = CLAIM.replace("TURN", "X").replace("RULES", "closed-any-spot")
    folder = write(tmp_path, any=STRATEGY, turns=text)
    with pytest.raises(SpecProblemsError) as caught:
        load_library(folder)
    assert [str(problem) for problem in caught.value.problems] == [
        "turns.yaml:13:36: 'law' is about other rules: what it says means something else there"
    ]
