"""Specs that change while they are checked, or while a report on them is made: a verdict stands beside its own text."""

from __future__ import annotations

import pathlib

import pytest

from tests.audit.made import STARTS, edit, make_plan, write_claim
from verifier.audit import run
from verifier.language.problem import SpecProblemsError


def test_a_process_that_reads_other_specs_says_so(tmp_path: pathlib.Path) -> None:
    """Processes read the specs for themselves: what they find there has to be what the run has read."""
    write_claim(tmp_path, "starts", STARTS, "tictactoe")
    plan = make_plan(tmp_path)
    reference = ("starts", "as-stated")
    text = run.hash_text(plan.folders.open_desk(plan.library), reference)
    order = run._Order(plan.folders, reference, text, "", is_full=False, is_anew=False, memory_mib=64)
    run._load_once.cache_clear()
    run._open_once.cache_clear()
    found = run.check_in_process(order)
    assert found is not None
    assert str(found.verdict) == "proved"
    for old, new in (("ply == 0", "ply == 1"), ("expect: proved", "expect: refuted"), ("as-stated", "another")):
        edit(tmp_path / "starts.yaml", old, new)
        run._load_once.cache_clear()
        run._open_once.cache_clear()
        with pytest.raises(SpecProblemsError, match="the specs changed while they were checked"):
            run.check_in_process(order)
        edit(tmp_path / "starts.yaml", new, old)
