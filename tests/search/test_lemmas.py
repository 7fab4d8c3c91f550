"""Plays that Lemmas 5 to 7 speak of, met one by one: a second look beside the inductions, and no claim.

Three aligned fields do not end the game here, so that every numbering of the fields is as good as the one that is met.
"""

from __future__ import annotations

import copy
import pathlib
import random
import shutil

import pytest

from tests.rules import SPECS, find_rules, specs
from verifier.kernel.formula import Formulas
from verifier.kernel.statement import parse_statement
from verifier.kernel.strategy import compile_strategy
from verifier.language.compile import compile_reading
from verifier.language.folder import load_library
from verifier.language.strategy import ground_strategy
from verifier.search.walk import explore, find_hit

CLAIM = """claim: plays
title: She confines him to two fields until they are full
source: {{document: paper, ours: true, place: §4.3, says: In the end they are full.}}
rules: paper-play-on
readings:
  as-stated:
    plays: all
    start: [{start}]
    strategies: {{X: {X}, O: {O}}}
    player: O
    horizon: 32
    expect: proved
    objectives:
      sent to a field before: {{keep: "all(ply != 2 * n or active != ANY for n in [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])", at: every}}
      two full fields: {{keep: "ply < 32 or active == ANY and sum(full[f] for f in FIELDS) == 2", at: every}}
      else nothing: {{keep: "ply < 32 or all(full[f] or sum(free[f, s] for s in SPOTS) == 7 for f in FIELDS)", at: every}}
"""  # noqa: E501
SIX = {"start": "'0.1'", "X": "no-double-first", "O": "confine-after-one"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [SIX, *({"start": f"'0.0', '0.1', '1.{k}'", "X": "not-back", "O": "confine-after-two"} for k in (1, 2))],
    ids=["lemma 6", "lemma 7, k = j", "lemma 7"],
)
def test_every_play_of_the_confinement_fills_two_fields(names: dict[str, str], tmp_path: pathlib.Path) -> None:
    """From each start, some 27,000 positions: he gets out of two fields at ply 32, once they are full, not before."""
    for folder in ("rules", "definitions", "strategies"):
        shutil.copytree(SPECS / "paper" / folder, tmp_path / folder)
    (tmp_path / "plays.yaml").write_text(CLAIM.format(**names))
    statement = parse_statement(compile_reading(load_library(tmp_path), "plays", "as-stated").statement or {})
    found = explore(statement)
    assert found.trouble is None
    assert [find_hit(found, objective, value=False) for objective in statement.objectives] == [None] * 3
    assert {statement.game.ply(position) for position in found.ends} == {32}


@pytest.mark.parametrize("without", ["", "away"])
def test_random_plays_of_lbs_have_one_x_a_field_at_ply_18(without: str) -> None:
    """Whatever Xavier plays and whichever of her moves Olivia makes; but not without her rule that spares fields."""
    game, chance = find_rules("paper-play-on"), random.Random(5)
    data = copy.deepcopy(ground_strategy(specs(), "lbs")[0])
    for instance in data["phases"][0]["instances"]:
        instance["rules"] = [rule for rule in instance["rules"] if rule["rule"] != without]
    choose, kept = compile_strategy(Formulas(game), data), 0
    for _ in range(100):
        position = game.start
        while game.ply(position) < 18:
            hers = [move for _, move in choose(position)] if game.turn(position) == "O" else []
            position = game.play(position, chance.choice(hers or list(game.legal_moves(position))))
        kept += all((position.x_mask >> 9 * f & 511).bit_count() == 1 for f in range(9))
    assert (kept == 100) == (not without)
