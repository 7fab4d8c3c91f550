"""Method ``enumeration``: from a spec to a verdict that the kernel gives."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import sys
from typing import Any

import pytest

from tests.checkers.test_mutations import SPECS, check_mutant
from verifier.kernel.recheck import recheck
from verifier.kernel.sample import MAX_SAMPLE
from verifier.kernel.verdict import Belief, Verdict
from verifier.search.compiled import engine
from verifier.spec.compile import compile_reading
from verifier.spec.library import load_library
from verifier.spec.problem import SpecProblemsError

FILE = "4-bounds/lemma-5-enumeration.yaml"
SHORT = (r"horizon: 18", "horizon: 8")


def check(tmp_path: pathlib.Path, change: tuple[str, str], file: str = FILE) -> Any:
    """Check the reading with a change, to ply 8 unless the change says otherwise."""
    shutil.copytree(SPECS, tmp_path / "short")
    path = tmp_path / "short" / FILE
    path.write_text(re.sub(*SHORT, path.read_text()))
    return check_mutant(tmp_path / "mutant", file, change, "lemma-5-enumeration", "by-enumeration", tmp_path / "short")


def test_a_short_enumeration_is_supported(tmp_path: pathlib.Path) -> None:
    """To ply 8 the kernel accepts what the engine found; what it did not look at is believed of the search."""
    result = check(tmp_path, ("symmetry: relabelling", "symmetry: relabelling\n    seed: 5\n    sample: 20"))
    assert (result.verdict, result.trouble) == (Verdict.SUPPORTED, "")
    assert (result.beliefs, result.stats["rechecked"], result.stats["positions"]) == ({Belief.SEARCH}, 71, 133)


@pytest.mark.parametrize("symmetry", ["none", "relabelling"])
def test_what_fails_is_shown_by_a_play(symmetry: str, tmp_path: pathlib.Path) -> None:
    """That every field has an X at ply 8 already is refuted by a line of eight moves."""
    change = (r"symmetry: relabelling(.*)ply < 18", rf"symmetry: {symmetry}\1ply < 8")
    result = check(tmp_path, change)
    assert (result.verdict, result.trouble) == (Verdict.REFUTED, "")
    assert result.witness is not None
    assert len(result.witness["moves"]) == 8


def test_without_a_rule_lbs_lets_a_second_x_in(tmp_path: pathlib.Path) -> None:
    """Where Olivia may send Xavier to any field, a play shows how a field gets a second X."""
    change = (r"      away:.*?play: [^\n]*\n", "")
    result = check(tmp_path, change, "strategies/lbs.yaml")
    assert (result.verdict, result.trouble) == (Verdict.REFUTED, ""), result
    assert "'never a second X' fails" in result.reason


def test_a_limit_is_no_verdict(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many positions leave the claim unknown."""
    monkeypatch.setattr(engine, "MAX_POSITIONS", 50)
    result = check(tmp_path, ("symmetry: relabelling", "symmetry: relabelling\n    seed: 5"))
    assert result.verdict == Verdict.UNKNOWN
    assert "more than 50 positions" in result.reason


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("rules: paper-play-on", "rules: paper"), "ask for no owner"),
        (("strategies: {O: lbs}", "strategies: {X: xavier}"), "not the same for every numbering"),
        (("ply < 18 or all", "won_by_X[4] or all"), "owners"),
        (("keep: one_each, at: every", "keep: one_each, at: end"), "'keep' at 'every'"),
        (("keep: one_each, at: every", "reach: one_each, by: 4"), "'keep' at 'every'"),
        (("keep: one_each, at: every", "prevent: over, through: 19"), "beyond the horizon"),
        (("horizon: 18", f"horizon: 18\n    sample: {MAX_SAMPLE + 1}"), "sample"),
        ((r"    horizon: 18\n", ""), "horizon"),
        ((r"    strategies: {O: lbs}\n", "    claimant: O\n"), "needs a strategy"),
    ],
)
def test_what_is_no_enumeration_is_refused(change: tuple[str, str], message: str, tmp_path: pathlib.Path) -> None:
    """A reading that asks for a symmetry it does not have, or for what an enumeration cannot show, is a problem."""
    shutil.copytree(SPECS, tmp_path / "specs")
    path = tmp_path / "specs" / FILE
    text = path.read_text()
    path.write_text(re.sub(*change, text))
    assert path.read_text() != text
    with pytest.raises(SpecProblemsError, match=message):
        compile_reading(load_library(tmp_path / "specs"), "lemma-5-enumeration", "by-enumeration")


def test_the_shipped_certificate_is_accepted() -> None:
    """The certificate under ``proofs/`` goes to ply 18, and the kernel finds its sample right."""
    ((_, result),) = recheck(SPECS.parents[1] / "proofs", frozenset({"lemma-5-enumeration"}))
    assert not isinstance(result, Exception), result
    assert result.stats["plies"] == 18
    assert result.stats["positions"] == 1806175
    assert result.stats["edges"] == 12141050


def test_other_readings_do_not_load_numba() -> None:
    """Neither the registry of methods nor a check of another claim loads the engine."""
    code = (
        "import sys; from verifier.cli import main; main(['check', 'rules-start', '--jobs', '1']);"
        "print([name for name in ('numba', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=SPECS.parents[1]
    )
    assert done.stdout.splitlines()[-1] == "[]"
