"""Question ``bound``: evidence is found, checked and composed of parts, or there is none."""

import json
import pathlib

import pytest

from tests.audit.made import MADE, tree_of
from tests.commands import Told, command
from verifier.audit import executor
from verifier.kernel.certificate import read_index

PARTS = MADE / "bound-of-parts"
"""Two parts, and a claim that they show: from the seventh exchange on, by ply 35."""


def check(specs: pathlib.Path, *words: object) -> Told:
    return command("check", "--specs", specs, "--jobs", "1", "--memory", "16", "--no-cache", *words)


@pytest.mark.slow
def test_two_searches_for_bounds_write_the_same_bytes(tmp_path: pathlib.Path) -> None:
    """All three claims are proved, two runs write the same bytes, and ``recheck`` accepts the files."""
    for out in ("one", "two"):
        told = check(PARTS, "--out", tmp_path / out, "--checkpoint", tmp_path / "parts")
        assert (told.code, "3 claims: 3 proved as stated" in told.out) == (0, True), told
    assert tree_of(tmp_path / "one") == tree_of(tmp_path / "two")
    assert len(read_index(tmp_path / "one").filed) == 3
    assert len(list((tmp_path / "one" / "tables").iterdir())) == 3
    told = command("recheck", "--proofs", tmp_path / "one", "--jobs", "2")
    assert (told.code, sum(row.startswith("proved ") for row in told.out.splitlines())) == (0, 3), told


def test_a_bound_that_fails_is_unknown() -> None:
    """A bound is unknown if Xavier wins at once, or wins the race, or a piece is unknown. The reason has a hint."""
    told = check(MADE / "bound-that-fails", "--format", "json")
    assert told.code == 1, told
    reasons = [reading["reason"] for claim in json.loads(told.out)["claims"] for reading in claim["readings"]]
    assert len(reasons) == 3
    for reason in reasons:
        assert "Xavier has won in" in reason or "Xavier wins the race" in reason
        assert "'can: X' and {reach: X_wins, by: " in reason


@pytest.mark.parametrize("name", ["dask://nowhere", "dask://localhost:1/x", "processes", "dask://127.0.0.1:9"])
def test_an_executor_that_cannot_be_used_is_one_clear_error(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong name, or a scheduler that does not answer, is one clear error."""
    monkeypatch.setattr(executor, "ANSWER_SECONDS", 1)
    told = command("check", "--specs", PARTS, "--executor", name)
    assert told.code == 2
    assert "executor" in told.err or "no Dask scheduler answers" in told.err
