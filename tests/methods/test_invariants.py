"""Olivia's bounds rest on invariants of our own: each rule and each hypothesis in them is needed."""

from __future__ import annotations

import pathlib

import pytest

from tests.methods.test_mutations import check_mutant
from verifier.kernel.verdict import Verdict

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("rule", ["first", "away"])
def test_without_a_rule_lbs_does_not_keep_its_invariant(rule: str, tmp_path: pathlib.Path) -> None:
    """Without one of its first two rules, LBS leaves the invariant by a move of hers, and a position shows it."""
    change = (rf"      {rule}:.*?play: [^\n]*\n", "")
    result = check_mutant(tmp_path, "strategies/lbs.yaml", change, "lemma-5", "as-stated")
    assert result.verdict == Verdict.UNKNOWN, result
    assert result.reason.startswith("O moves: ")
    assert " from " in result.reason


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (r"        [^\n]*: one_each\n", "one X in each field: X to move"),
        (r"        [^\n]*: others_untouched or [^\n]*\n", "X moves"),
        (r"        [^\n]*: called_to_new_field or [^\n]*\n", "X moves"),
        (r"      O:\n        [^\n]*: new_fields_untouched\n", "O moves"),
    ],
)
def test_without_a_formula_the_invariant_of_lemma_5_is_not_kept(change: str, part: str, tmp_path: pathlib.Path) -> None:
    """Take a formula away from what is kept, and some move leaves the rest: nothing is claimed of the lemma."""
    result = check_mutant(tmp_path, "4-bounds/lemma-5.yaml", (change, ""), "lemma-5", "as-stated")
    assert (result.verdict, result.trouble) == (Verdict.UNKNOWN, ""), result
    assert part in result.reason


def test_the_count_of_lemma_4_ends_at_ply_28(tmp_path: pathlib.Path) -> None:
    """At ply 29 there may be fifteen X on the board."""
    change = ("horizon: 28(.*?)by: 28", r"horizon: 29\1by: 29")
    result = check_mutant(tmp_path, "4-bounds/lemma-4.yaml", change, "lemma-4", "as-stated")
    assert result.verdict == Verdict.UNKNOWN, result
    assert result.reason.startswith("not won before ply 29: O to move: ")


@pytest.mark.parametrize(
    ("play", "name"),
    [
        ("lemma-6-play", "fields"),
        ("lemma-6-play", "homes"),
        ("lemma-6-play", "called_beside"),
        ("lemma-7-play", "others_new_land"),
        ("lemma-7-special-play", "sent"),
    ],
)
def test_without_a_property_the_confinement_is_not_kept(play: str, name: str, tmp_path: pathlib.Path) -> None:
    """Take a property away from what is kept at Xavier's turns, and some move leaves the rest."""
    change = (rf"(      X:\n.*?)        [^\n]*{name}\w*\(g, h\)\n(.*      O:)", r"\1\2")
    result = check_mutant(tmp_path, f"4-bounds/{play}.yaml", change, f"{play}-4-1", "as-stated")
    assert (result.verdict, result.trouble) == (Verdict.UNKNOWN, ""), result
    assert result.reason.startswith("X moves: ")
    assert " from " in result.reason


def test_remark_2_needs_what_it_is_given(tmp_path: pathlib.Path) -> None:
    """From any position at all, what LBS keeps does not hold at the start."""
    change = ("given: remark_2_begins", "given: full[0]")
    result = check_mutant(tmp_path, "4-bounds/remark-2.yaml", change, "remark-2", "adapted")
    assert (result.verdict, result.trouble) == (Verdict.UNKNOWN, ""), result
    assert " begins: " in result.reason
