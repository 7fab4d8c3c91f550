"""A second opinion on obligations: solvers agree with true evidence, and disagree with false evidence."""

import copy
import pathlib

import pytest

from tests.kernel.test_corpus import CORPUS, decide, lay_out, read
from verifier.kernel.verdict import Belief, Result

second = pytest.importorskip("tests.export.second", reason="cvc5 is optional")

BASE = read(CORPUS / "valid" / "misere-invariant.json")


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_a_solver_agrees_with_true_evidence(solver: str, tmp_path: pathlib.Path) -> None:
    """The solver answers about every obligation that the kernel has followed, and none is satisfiable."""
    lay_out(tmp_path, BASE)
    answers = [answer for question in second.questions(tmp_path) for _, answer in second.ask(solver, question)]
    count = sum(len(BASE["certificate"]["evidence"][key]["shown"]) for key in ("obligations", "positions"))
    assert answers == ["unsat"] * count


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_a_disagreement_is_found(solver: str, tmp_path: pathlib.Path) -> None:
    """The kernel believes false evidence that claims a solver's word. The second opinion contradicts it."""
    false = copy.deepcopy(BASE)
    listed = false["certificate"]["evidence"]["obligations"]
    listed["shown"][0][2] = []  # the first obligation is said to hold whatever is assumed
    del listed["refutations"]
    lay_out(tmp_path, false)
    believed = decide(tmp_path)
    assert isinstance(believed, Result)
    assert believed.beliefs == {Belief.SOLVER}
    question, *_ = second.questions(tmp_path)
    assert second.ask(solver, question)[0] == (listed["shown"][0][1], "sat")


def test_a_solver_without_an_answer_does_not_agree(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path, BASE)
    monkeypatch.setitem(second.SOLVERS, "z3", lambda _: ["unsat"])
    with pytest.raises(ValueError, match="zip"):
        second.ask("z3", next(second.questions(tmp_path)))
