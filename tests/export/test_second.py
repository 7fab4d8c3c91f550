"""A second opinion on obligations: an answer that contradicts the evidence is told, and ends the command with 4."""

from __future__ import annotations

import copy
import json
import pathlib
from typing import Any

import pytest

from tests.kernel.test_corpus import CORPUS, decide, lay_out, read
from verifier.export import second
from verifier.kernel.verdict import Belief, Result

BASE = read(CORPUS / "valid" / "misere-invariant.json")
SOLVERS = [
    "z3",
    pytest.param("cvc5", marks=pytest.mark.skipif(not second.is_there("cvc5"), reason="cvc5 is optional")),
]


def ask(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["second", "--proofs", str(folder), *words])
    return second.main()


def without_reason(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case whose first obligation is said to hold whatever is assumed, which only a solver is believed for."""
    false = copy.deepcopy(case)
    listed = false["certificate"]["evidence"]["obligations"]
    listed["shown"][0][2] = []
    del listed["refutations"]
    return false


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_agrees_with_true_evidence(
    solver: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of what the kernel has followed no breach is found, and every obligation has an answer."""
    lay_out(tmp_path, BASE)
    assert ask(tmp_path, monkeypatch, "--solver", solver) == 0
    count = sum(len(BASE["certificate"]["evidence"][key]["shown"]) for key in ("obligations", "positions"))
    assert capsys.readouterr().out == f"{solver}: {count} of {count} obligations hold, 0 without an answer\n"


@pytest.mark.parametrize("jobs", [[], pytest.param(["--jobs", "2"], marks=pytest.mark.slow)])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_disagreement_is_told(
    solver: str,
    jobs: list[str],
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Evidence that rests on a solver's word, and is false, is believed by the kernel; the second opinion finds it."""
    lay_out(tmp_path, without_reason(BASE))
    believed = decide(tmp_path)
    assert isinstance(believed, Result)
    assert believed.beliefs == {Belief.SOLVER}
    assert ask(tmp_path, monkeypatch, "--solver", solver, *jobs) == 4
    fails = BASE["certificate"]["evidence"]["obligations"]["shown"][0][1]
    assert f"claim/as-stated: {solver} finds a position that breaches {fails!r}\n" in capsys.readouterr().out


def test_a_solver_that_says_nothing_is_no_agreement(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer answers than questions are an error of the same weight."""
    lay_out(tmp_path, BASE)
    monkeypatch.setitem(second.SOLVERS, "z3", lambda _: ["unsat"])
    assert ask(tmp_path, monkeypatch, "--solver", "z3") == 4


@pytest.mark.parametrize(("index", "words"), [(True, ["nothing"]), (False, [])])
def test_what_cannot_be_asked(
    index: bool, words: list[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name of nothing, and a folder without evidence, are errors of whoever asks."""
    if index:
        lay_out(tmp_path, BASE)
        assert json.loads((tmp_path / "INDEX.json").read_text())["filed"]
    assert ask(tmp_path, monkeypatch, "--solver", "z3", *words) == (2 if index else 4)


def test_without_cvc5_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The package is optional: without it the command names it."""
    monkeypatch.setattr(second, "is_there", lambda _: False)
    assert ask(pathlib.Path(), monkeypatch, "--solver", "cvc5") == 2
    assert "pip install cvc5" in capsys.readouterr().err


@pytest.mark.parametrize("change", [{"obligations": 5}, {"positions": {}}, {"images": [[0]]}])
def test_evidence_that_the_kernel_rejects_is_not_asked_about(
    change: dict[str, Any],
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What is no evidence owes nothing: that is told in a line."""
    false = copy.deepcopy(BASE)
    false["certificate"]["evidence"].update(change)
    lay_out(tmp_path, false)
    assert ask(tmp_path, monkeypatch, "--solver", "z3") == 4
    assert capsys.readouterr().err.startswith("rejected: malformed:")
