"""Checks can fail: without one rule, hypothesis or formula, a claim does not hold any more."""

import pathlib
import re
import shutil
from typing import NamedTuple

import pytest

from tests.audit.made import check, make_plan
from tests.rules import SPECS
from verifier.kernel.verdict import Verdict

RULES = ("first", "centre", "enter", "return", "opposite", "back", "across")
HYPOTHESES = ("P1", "P2", "P3", "P4", "P5", "P6", "C1", "C2", "C3")
CONFINED = {
    "lemma-6-play": ("fields", "homes", "called_beside"),
    "lemma-7-play": ("others_new_land",),
    "lemma-7-special-play": ("sent",),
}
ABOUT = ("paper.yaml", "coverage.yaml", "errata.yaml")
"""Files about claims in other folders: the copy leaves them out."""

BY_43 = "4-bounds/lemma-3.yaml"


class Mutant(NamedTuple):
    """A file of the paper's specs, a text in it and its replacement; a reading, and its new verdict."""

    file: str
    old: str
    new: str
    reading: str
    found: str = "not proved"
    says: str = ""
    is_slow: bool = True


def leave_out(rule: str) -> str:
    return rf"      {rule}:.*?play: [^\n]*\n"


def lemma_5(formula: str, says: str) -> Mutant:
    return Mutant("4-bounds/lemma-5.yaml", formula, "", "lemma-5/as-stated", "unknown", says)


MUTANTS = {
    **{
        f"Xavier's strategy without {rule}": Mutant(
            "strategies/xavier.yaml", leave_out(rule), "", "lemma-3/as-stated", is_slow=False
        )
        for rule in RULES
    },
    "without the rule that completes the opposite field Xavier is stuck": Mutant(
        "strategies/xavier.yaml",
        r"      finish:.*?play: \[opp\(f\), opp\(f\)\]\n",
        "",
        "lemma-3/as-stated",
        "refuted",
        is_slow=False,
    ),
    **{
        f"the repaired Lemma 2 without {name}": Mutant(
            "3-analysis/lemma-2.yaml",
            rf"(repaired:.*?for: \{{f: )LAST(\}}\n    given: \[.*?)\b{name}\(f\)(, )?",
            r'\1"[0, 1]"\2',
            "lemma-2/repaired",
            is_slow=name != "P1",
        )
        for name in HYPOTHESES
    },
    "that play goes on in won fields, where they are closed": Mutant(
        "1-introduction/rules-won-field-open.yaml",
        "rules: paper",
        "rules: closed-open-fields",
        "rules-won-field-open/as-stated",
        "refuted",
        is_slow=False,
    ),
    "won by ply 42": Mutant(BY_43, "by: 43", "by: 42", "lemma-3/as-stated", "refuted"),
    **{
        f"LBS without {rule}": Mutant(
            "strategies/lbs.yaml", leave_out(rule), "", "lemma-5/as-stated", "unknown", "^O moves: .* from "
        )
        for rule in ("first", "away")
    },
    "Lemma 5 without one X in each field": lemma_5(r"        [^\n]*: one_each\n", "one X in each field: X to move"),
    "Lemma 5 without others untouched": lemma_5(r"        [^\n]*: others_untouched or [^\n]*\n", "X moves"),
    "Lemma 5 without called": lemma_5(r"        [^\n]*: called_to_new_field or [^\n]*\n", "X moves"),
    "Lemma 5 without new fields": lemma_5(r"      O:\n        [^\n]*: new_fields_untouched\n", "O moves"),
    "at ply 29 there may be fifteen X on the board": Mutant(
        "4-bounds/lemma-4.yaml",
        "horizon: 28(.*?)by: 28",
        r"horizon: 29\1by: 29",
        "lemma-4/as-stated",
        "unknown",
        "^not won before ply 29: O to move: ",
    ),
    **{
        f"{play} without {name}": Mutant(
            f"4-bounds/{play}.yaml",
            rf"(      X:\n.*?)        [^\n]*{name}\w*\(g, h\)\n(.*      O:)",
            r"\1\2",
            f"{play}-4-1/as-stated",
            "unknown",
            "^X moves: .* from ",
        )
        for play, names in CONFINED.items()
        for name in names
    },
    "Remark 2 from any position at all": Mutant(
        "4-bounds/remark-2.yaml",
        "given: remark_2_begins",
        "given: full[0]",
        "remark-2/adapted",
        "unknown",
        " begins: ",
    ),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * mutant.is_slow) for name, mutant in MUTANTS.items()]
)
def test_a_mutant_is_not_proved(name: str, tmp_path: pathlib.Path) -> None:
    """After one text is replaced in a copy of the paper's specs, the reading is refuted or unknown."""
    mutant = MUTANTS[name]
    specs = tmp_path / "specs"
    shutil.copytree(SPECS / "paper", specs, ignore=shutil.ignore_patterns(*ABOUT))
    path = specs / mutant.file
    text = path.read_text()
    changed = re.sub(mutant.old, mutant.new, text, flags=re.DOTALL)
    assert changed != text, "the mutation changes nothing"
    path.write_text(changed)
    claim, reading = mutant.reading.split("/")
    results = check(make_plan(specs, claim, reading=reading)).readings
    result = next(result for result in results if (result.claim, result.id) == (claim, reading))
    assert result.verdict < Verdict.SUPPORTED
    assert (str(result.verdict), result.trouble) == (mutant.found, "") or mutant.found == "not proved"
    assert re.search(mutant.says, result.reason)
    assert result.witness is not None or mutant.found != "refuted"
