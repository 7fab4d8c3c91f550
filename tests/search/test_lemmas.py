"""Plays that Lemmas 5 to 7 speak of, met one by one: a second look beside the inductions, and no claim.

Three aligned fields do not end the game here, so that every numbering of the fields is as good as the one that is met.
"""

from __future__ import annotations

import pathlib
import shutil

import pytest

from tests.rules import SPECS
from verifier.kernel.statement import parse_statement
from verifier.language.compile import compile_reading
from verifier.language.folder import load_library
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
