"""Rules that a reading has of its own."""

from __future__ import annotations

import pathlib

import pytest

from tests.language.test_documents import write
from tests.rules import find_rules
from verifier.language.compile import compile_reading
from verifier.language.folder import load_library
from verifier.language.problem import SpecProblemsError

CLAIM = """\
claim: sent
title: A claim for tests
source: {document: paper, place: part 1, says: It holds.}
rules: paper
readings:
  as-stated: {expect: proved, line: ["0.0"]}
  closed: {rules: RULES, expect: proved, line: ["0.0"]}
"""


def test_a_reading_is_compiled_under_its_own_rules(tmp_path: pathlib.Path) -> None:
    """Without rules of its own a reading has those of the claim."""
    library = load_library(write(tmp_path, sent=CLAIM.replace("RULES", "closed-any-spot")))
    found = [(compile_reading(library, "sent", name).statement or {})["rules"] for name in ("as-stated", "closed")]
    assert found == [find_rules("paper").data, find_rules("closed-any-spot").data]


def test_unknown_rules_of_a_reading_are_named(tmp_path: pathlib.Path) -> None:
    """They are refused where they stand."""
    with pytest.raises(SpecProblemsError) as caught:
        load_library(write(tmp_path, sent=CLAIM.replace("RULES", "closed")))
    assert str(caught.value.problems[0]).startswith("sent.yaml:7:19: no rules 'closed' in these specs")
