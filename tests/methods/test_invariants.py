"""Olivia's bounds rest on invariants of our own: each rule and each hypothesis in them is needed."""

from __future__ import annotations

import pathlib

import pytest

from tests.methods.test_mutations import check_mutant
from verifier.kernel.verdict import Verdict

ONE_PAIR = (r'for: \{g: FIELDS, h: "\[[^"]*\]"\}', 'for: {g: "[2]", h: "[7]"}')


@pytest.mark.parametrize("rule", ["first", "away"])
def test_without_a_rule_lbs_does_not_keep_its_invariant(rule: str, tmp_path: pathlib.Path) -> None:
    """Without one of its first two rules, LBS does not give one X in each field."""
    change = (rf"      {rule}:.*?play: [^\n]*\n", "")
    result = check_mutant(tmp_path, "strategies/lbs.yaml", change, "lemma-5", "as-stated")
    assert result.verdict == Verdict.REFUTED, result


@pytest.mark.parametrize(
    "change",
    [
        (r"given: \[one_each, others_untouched or first_move, ", "given: [one_each, "),
        (r"(Xavier moves:.*?)one_each, (.*?unless)", r"\1\2"),
        (r"given: \[one_each, new_fields_untouched, someone_missing\]", "given: [one_each, someone_missing]"),
        (r"turn: X\n        given: \[ply < 18\]", "turn: X\n        given: [ply < 20]"),
        (r"given: \[one_each, ply == 18\]", "given: [ply == 18]"),
    ],
)
def test_without_a_hypothesis_lemma_5_is_refuted(change: tuple[str, str], tmp_path: pathlib.Path) -> None:
    """The kernel replays a step that leaves the invariant, with the move that does it."""
    result = check_mutant(tmp_path, "4-bounds/lemma-5.yaml", change, "lemma-5", "as-stated")
    assert (result.verdict, result.trouble) == (Verdict.REFUTED, ""), result
    assert result.witness is not None


def test_the_count_of_lemma_4_ends_at_ply_28(tmp_path: pathlib.Path) -> None:
    """At ply 29 there may be fifteen X on the board."""
    result = check_mutant(tmp_path, "4-bounds/lemma-4.yaml", ("ply <= 28", "ply <= 29"), "lemma-4", "as-stated")
    assert result.verdict == Verdict.REFUTED, result


@pytest.mark.parametrize("claim", ["lemma-6-confinement", "lemma-7-confinement", "lemma-7-special"])
@pytest.mark.parametrize("name", ["fields", "homes", "sent"])
def test_without_a_property_the_confinement_is_not_kept(claim: str, name: str, tmp_path: pathlib.Path) -> None:
    """Take a property away from what Xavier's move starts from, and something is no longer kept."""
    file = f"4-bounds/{claim}.yaml"
    change = (rf"(Xavier moves:.*?given:.*?)          - {name}\w+\(g, h\)\n", r"\1")
    one_pair = check_mutant(tmp_path / "a", file, ONE_PAIR, claim, "as-stated")
    assert one_pair.verdict == Verdict.SUPPORTED, one_pair
    specs = tmp_path / "a" / "specs"
    result = check_mutant(tmp_path / "b", file, change, claim, "as-stated", specs)
    assert result.verdict < Verdict.SUPPORTED, result
