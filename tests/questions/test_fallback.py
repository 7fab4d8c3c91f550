"""If the kernel has no refutation of an obligation to follow, Z3 is believed: the verdict is *supported*."""

import pathlib
from dataclasses import replace
from typing import Any

import pytest

from tests.audit.made import check, make_plan, read_spec
from tests.kernel.conftest import derive_closure_once, derive_once
from verifier.kernel import invariant as kept
from verifier.kernel import refutation
from verifier.kernel import steps as kernel_steps
from verifier.kernel.errors import CertificateError
from verifier.kernel.games import solution
from verifier.kernel.verdict import Belief, Verdict
from verifier.questions.plays import invariant
from verifier.questions.steps import evidence as steps
from verifier.solver import logs, refute

STEPS = read_spec("owed/steps")
PLAYS = read_spec("owed/plays")
KINDS = pytest.mark.parametrize("claim", [STEPS, PLAYS], ids=["steps", "plays"])


@pytest.fixture(autouse=True)
def derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The obligations of these claims are derived once, for the search and for the kernel."""
    for module in (kernel_steps, kept, steps, invariant):
        monkeypatch.setattr(module, "derive", derive_once)
    for module in (kept, invariant):
        monkeypatch.setattr(module, "derive_closure", derive_closure_once)


def found(folder: pathlib.Path, claim: str) -> Any:
    folder.mkdir()
    (folder / "new.yaml").write_text(claim)
    (result,) = check(make_plan(folder, is_anew=True)).readings
    return result


@KINDS
def test_a_refutation_that_the_kernel_follows_is_a_proof(claim: str, tmp_path: pathlib.Path) -> None:
    """Unit propagation refutes these obligations, with Exact or without what it logs."""
    pytest.importorskip("exact")
    assert logs.is_exact_installed()
    result = found(tmp_path / "specs", claim)
    assert (result.verdict, result.trouble) == (Verdict.PROVED, "")


@KINDS
def test_without_exact_z3_is_believed(claim: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Exact there are no refutations."""
    monkeypatch.setattr(steps, "is_exact_installed", lambda: False)
    monkeypatch.setattr(steps, "find_refutations", lambda *_, **_how: pytest.fail("refutations were looked for"))
    result = found(tmp_path / "specs", claim)
    assert (result.verdict, result.beliefs, result.trouble) == (Verdict.SUPPORTED, {Belief.SOLVER}, "")


@KINDS
@pytest.mark.parametrize(
    "refuting", [[], ["pol 1"], ["rup 1 >= 1 : 1"], ["nonsense"]], ids=["none", "not enough", "no line", "no step"]
)
def test_if_the_kernel_refuses_a_refutation_z3_is_believed(
    refuting: list[str], claim: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a refutation is wrong, the kernel rejects it and accepts the answer of Z3: *supported*, not *proved*."""
    refusals = []
    follow = refutation.Follower.follow

    def note(*words: Any) -> Any:
        try:
            return follow(*words)
        except CertificateError as error:
            refusals.append(error.reason)
            raise

    monkeypatch.setattr(refutation.Follower, "follow", note)
    monkeypatch.setattr(steps, "is_exact_installed", lambda: True)
    monkeypatch.setattr(steps, "find_refutations", lambda _, uses, **_how: [refuting for _ in uses])
    result = found(tmp_path / "specs", claim)
    assert refusals == ["refutation"]
    assert (result.verdict, result.beliefs, result.trouble) == (Verdict.SUPPORTED, {Belief.SOLVER}, "")


def test_an_obligation_that_z3_leaves_open_is_not_proved(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If Z3 leaves an obligation open and the kernel rejects its refutation, the claim is unknown."""
    decide = refute.decide_parts

    def leave_open(*words: Any, **how: Any) -> Any:
        return [replace(outcome, is_open=[True] * len(outcome.is_open)) for outcome in decide(*words, **how)]

    monkeypatch.setattr(refute, "decide_parts", leave_open)
    monkeypatch.setattr(steps, "is_exact_installed", lambda: True)
    monkeypatch.setattr(steps, "find_refutations", lambda _, uses, **_how: [[] for _ in uses])
    result = found(tmp_path / "specs", PLAYS)
    assert result.verdict < Verdict.SUPPORTED
    assert "refutation" in result.trouble


def test_an_invariant_that_a_move_breaks_shows_nothing(tmp_path: pathlib.Path) -> None:
    """If a move of Olivia breaks the invariant, the claim is unknown, without trouble. The reason has a position."""
    weak = PLAYS.replace("sum(X[s] for s in SPOTS) == sum(O[s] for s in SPOTS)", "not X[4]")
    weak = weak.replace("{both: [true]}", '{X: ["not X[4]"], O: [true]}')
    result = found(tmp_path / "specs", weak)
    assert (result.verdict, result.trouble) == (Verdict.UNKNOWN, ""), result
    assert result.reason.startswith("O moves: ")
    assert " from " in result.reason


@pytest.mark.parametrize(
    "asks",
    [
        'plays: all\n    player: X\n    horizon: 1\n    objectives: {kept: {some: "X_keeps[4]", at: start}}',
        'can: X\n    objectives: {kept: {prevent: "not X_keeps[4]", by: 0}}',
    ],
)
def test_a_game_too_large_to_be_solved_leaves_it_open(
    asks: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that meets a game with too many positions gives up, and says why."""
    monkeypatch.setattr(solution, "MAX_VALUES", 10)
    solution.solution_of.cache_clear()
    result = found(tmp_path / "specs", f"{PLAYS.partition('    plays:')[0]}    expect: proved\n    {asks}\n")
    assert (result.verdict, result.trouble) == (Verdict.UNKNOWN, "")
    assert "solving the game takes more than 10 positions" in result.reason
