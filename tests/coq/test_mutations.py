"""A changed rule, strategy or bound ends in a failing build, and in the file where it has to."""

from __future__ import annotations

import pathlib
import shutil

import pytest

from tests.coq.conftest import SOURCES, build

MUTATIONS: dict[str, tuple[str, str, str, str]] = {
    "a full field takes a visitor": ("Rules.v", "then None else Some s;", "then Some s else Some s;", "Facts.v"),
    "a won game goes on": ("Rules.v", "if has_won Xavier p || has_won Olivia p then [] else", "", "Facts.v"),
    "a field can be won again": ("Rules.v", "is_free (owners p) f && aligned", "aligned", "Facts.v"),
    "a play passes the turn to the same player": ("Rules.v", "turn := other (turn p)", "turn := turn p", "Facts.v"),
    "the first player has no free choice": ("Rules.v", "active := None;", "active := Some 4;", "Rules.v"),
    "a free choice reaches field 0 only": ("Rules.v", "| None => nine end.", "| None => [0] end.", "Rules.v"),
    "no diagonal wins": ("Rules.v", ";  [0; 4; 8]; [2; 4; 6]]", "]", "Upper.v"),
    "no row wins": ("Rules.v", "[0; 1; 2]; [3; 4; 5]; [6; 7; 8];  ", "", "Upper.v"),
    "the endgame's spots exchanged": (
        "Strategy.v",
        "then (sent_to p, f) else (sent_to p, opposite f)",
        "then (sent_to p, opposite f) else (sent_to p, f)",
        "Upper.v",
    ),
    "step 1(b) goes to the last field": ("Strategy.v", "then (opposite f, f) ", "then (f, opposite f) ", "Upper.v"),
    "P2 without its exception": ("Strategy.v", "(sent_to p =? f))).", "false)).", "Upper.v"),
    "won by ply 42": ("Upper.v", "43 [start]", "42 [start]", "Upper.v"),
    "LBS sends him anywhere from a new field": (
        "AtLeast29.v",
        "if untouched p j then i =? j else",
        "if untouched p j then true else",
        "AtLeast29.v",
    ),
    "LBS holds out through ply 29": (
        "AtLeast29.v",
        "follows_lbs s -> holds_out 28 s.",
        "follows_lbs s -> holds_out 29 s.",
        "AtLeast29.v",
    ),
    "a first mark left out": ("Lower.v", "(S0, S5); (S0, S8);", "(S0, S5);", "Lower.v"),
    "a double left out": ("Lower.v", "map double_of [S4; S0; S1]", "map double_of [S4; S0]", "Lower.v"),
    "a symmetry that is none": ("Symmetry.v", "S5 => S7 | S6 => S2 |", "S5 => S2 | S6 => S7 |", "Symmetry.v"),
    "marks of other spots are alike": (
        "Symmetry.v",
        "nth (number (to s)) (field q (number (to f)))",
        "nth (number s) (field q (number (to f)))",
        "Symmetry.v",
    ),
    "a first move that is not a double allowed": ("Lower.v", "f <> s -> exists to from,", "exists to from,", "Lower.v"),
    "another third mark allowed": ("FirstTwo.v", "negb (same k i)", "negb (same k j)", "FirstTwo.v"),
    "a table for fewer marks than are left": (
        "FirstTwo.v",
        "Forall (held 21) third_marks",
        "Forall (held 20) third_marks",
        "FirstTwo.v",
    ),
    "no third move but (j, j)": ("Game.v", "-> m = (j, i).", "-> m = (j, j).", "FirstTwo.v"),
    "the slowest line in another order": ("Upper.v", "(8, 6); (8, 5)]", "(8, 5); (8, 6)]", "Upper.v"),
}
"""Of each a source, what is changed in it and to what, and the source that must not compile then."""


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_fails(name: str, coqc: str, built: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The build fails, and it fails in the source that the change contradicts."""
    source, old, new, fails = MUTATIONS[name]
    sources = tmp_path / "sources"
    sources.mkdir()
    for path in SOURCES.glob("*.v"):
        shutil.copy2(path, sources)
    text = (sources / source).read_text()
    assert text.count(old) == 1
    (sources / source).write_text(text.replace(old, new))
    done = build(sources, shutil.copytree(built, tmp_path / "build"), f"{fails}o")
    assert done.returncode == 1
    assert f'File "./{fails}"' in done.stderr
