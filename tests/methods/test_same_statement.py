"""A walk and an invariant may show the same: what is told of either is true of the evidence that was found."""

from __future__ import annotations

import pathlib
import shutil

import pytest

import verifier
from verifier.kernel.certificate import pack, unpack
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import derive
from verifier.report.trust import trust_of

CLAIM = """claim: {name}
title: It lasts nine plies at most
source: {{document: examples, place: our own, says: It lasts nine plies at most.}}
rules: tictactoe
readings:
  as-stated:
    plays: all
    expect: proved
    strategies: {{X: careful-first}}
    objectives: {{end: {{keep: ply <= 9, at: end}}}}
"""
INVARIANT = "    invariant: {both: {no more than nine marks: ply <= 9}}\n"
EXAMPLES = pathlib.Path(__file__).parents[2] / "specs/examples"


def load(folder: pathlib.Path, invariant: str = INVARIANT) -> verifier.Specs:
    """Return specs of two claims that state the same: ``kept`` by an invariant, and ``walked``."""
    specs = folder / "specs"
    if not specs.exists():
        shutil.copytree(EXAMPLES, specs)
    (specs / "kept.yaml").write_text(CLAIM.format(name="kept") + invariant)
    (specs / "walked.yaml").write_text(CLAIM.format(name="walked"))
    return verifier.load(specs, out=folder / "out", cache=False)


@pytest.mark.parametrize("order", [("kept", "walked"), ("walked", "kept")])
def test_readings_that_state_the_same_share_their_evidence(tmp_path: pathlib.Path, order: tuple[str, str]) -> None:
    """Both are proved by what is found first, and each says by what: by following replies, or by an invariant."""
    found = {name: load(tmp_path).check(name)[f"{name}/as-stated"] for name in order}
    assert {str(result.verdict) for result in found.values()} == {"proved"}
    way = "derived what the invariant owes" if order[0] == "kept" else "followed every reply"
    for result in found.values():
        assert trust_of(result).startswith(f"the kernel alone: {way}")
    if order[0] == "kept":
        assert found["walked"].witness is None
        assert found["walked"].notes == ("no play was followed: it was shown by what every move keeps",)
    else:
        assert not found["kept"].notes


def test_the_words_of_an_invariant_are_those_of_the_spec(tmp_path: pathlib.Path) -> None:
    """Evidence may name what it keeps as it likes: where that is not the spec's, no words of it are told."""
    told = "invariant, the player to move: no more than nine marks"
    result = load(tmp_path).check("kept")["kept/as-stated"]
    assert result.notes == (told,)
    (path,) = (tmp_path / "out/evidence").iterdir()
    value = unpack(path.read_bytes(), "it")
    for player in "XO":
        value["evidence"]["invariant"][player][0][0] = "O never wins"
    listed = value["evidence"]["obligations"]
    listed["shown"] = [
        [part, name.replace("no more than nine marks", "O never wins"), core] for part, name, core in listed["shown"]
    ]
    listed["digest"] = derive(derive_steps(value["statement"], value["evidence"])).digest
    path.write_bytes(pack(value))
    result = load(tmp_path).check("kept")["kept/as-stated"]
    assert str(result.verdict) == "proved"
    assert result.notes == ("what was shown to be kept is another invariant than the spec's",)


def test_an_invariant_with_other_words_is_told_anew(tmp_path: pathlib.Path) -> None:
    """The words are no part of the statement; what is remembered of it is told beside the same words alone."""
    specs = load(tmp_path).folders.specs
    cache = tmp_path / "cache"
    first = verifier.load(specs, cache=cache).check("kept")["kept/as-stated"]
    assert first.notes == ("invariant, the player to move: no more than nine marks",)
    load(tmp_path, INVARIANT.replace("ply <= 9", "ply < 10"))
    second = verifier.load(specs, cache=cache).check("kept")["kept/as-stated"]
    assert second.notes == ("what was shown to be kept is another invariant than the spec's",)
