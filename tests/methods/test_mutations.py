"""A check that cannot fail is none: with one rule or one hypothesis less, nothing holds any more."""

from __future__ import annotations

import pathlib
import re
import shutil

import pytest

from tests.audit.made import check, make_plan
from verifier.kernel.verdict import Verdict
from verifier.methods.result import ReadingResult

SPECS = pathlib.Path(__file__).parents[2] / "specs"
RULES = ("first", "centre", "enter", "return", "opposite", "back", "across")
LONG = ("P2", "P3", "P4", "P5", "P6", "C1", "C2", "C3")
HYPOTHESES = ["P1", *(pytest.param(name, marks=pytest.mark.slow) for name in LONG)]


def check_mutant(
    tmp_path: pathlib.Path,
    file: str,
    change: tuple[str, str],
    claim: str,
    reading: str,
    source: pathlib.Path = SPECS,
) -> ReadingResult:
    """Check a reading in a copy of the specs with one text of the paper's replaced."""
    specs = tmp_path / "specs"
    shutil.copytree(source, specs)
    path = specs / "paper" / file
    text = path.read_text()
    mutant = re.sub(change[0], change[1], text, flags=re.DOTALL)
    assert mutant != text, "the mutation changes nothing"
    path.write_text(mutant)
    results = check(make_plan(specs, claim, reading=reading)).readings
    return next(result for result in results if (result.claim, result.id) == (claim, reading))


@pytest.mark.parametrize("rule", RULES)
def test_without_a_rule_the_strategy_is_not_proved(rule: str, tmp_path: pathlib.Path) -> None:
    """Take any one rule of Xavier's strategy away, and that it wins by ply 43 is no longer proved."""
    change = (rf"      {rule}:.*?play: [^\n]*\n", "")
    result = check_mutant(tmp_path, "strategies/xavier.yaml", change, "lemma-3", "as-stated")
    assert result.verdict < Verdict.SUPPORTED, result


def test_without_the_last_rule_the_middlegame_does_not_finish(tmp_path: pathlib.Path) -> None:
    """Without the rule that completes the opposite field, the strategy is stuck and Lemma 3 refuted."""
    change = (r"      finish:.*?play: \[opp\(f\), opp\(f\)\]\n", "")
    path = SPECS / "paper" / "4-bounds" / "lemma-3.yaml"
    assert "after:" not in path.read_text()
    result = check_mutant(tmp_path, "strategies/xavier.yaml", change, "lemma-3", "as-stated")
    assert result.verdict == Verdict.REFUTED


@pytest.mark.parametrize("name", HYPOTHESES)
def test_without_a_hypothesis_the_repaired_step_is_not_proved(name: str, tmp_path: pathlib.Path) -> None:
    """Take any one hypothesis of the repaired Lemma 2 away, for the edge and the corner, and it is no longer proved."""
    change = (rf"(repaired:.*?for: \{{f: )LAST(\}}\n    given: \[.*?)\b{name}\(f\)(, )?", r'\1"[0, 1]"\2')
    result = check_mutant(tmp_path, "3-analysis/lemma-2.yaml", change, "lemma-2", "repaired")
    assert result.verdict < Verdict.SUPPORTED, result


def test_under_other_rules_a_claim_fails(tmp_path: pathlib.Path) -> None:
    """When won fields take no more marks, that play goes on inside them is refuted."""
    change = ("rules: paper", "rules: closed-open-fields")
    file = "1-introduction/rules-won-field-open.yaml"
    result = check_mutant(tmp_path, file, change, "rules-won-field-open", "as-stated")
    assert result.verdict == Verdict.REFUTED


@pytest.mark.slow
def test_a_claim_stronger_by_one_is_refuted(tmp_path: pathlib.Path) -> None:
    """The strategy does not always win by ply 42."""
    result = check_mutant(tmp_path, "4-bounds/lemma-3.yaml", ("by: 43", "by: 42"), "lemma-3", "as-stated")
    assert result.verdict == Verdict.REFUTED
    assert result.witness is not None
