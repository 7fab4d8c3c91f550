"""Specs that change while they are checked, or while a report on them is made: a verdict stands beside its own text."""

import functools
import pathlib
import shutil

import pytest

from tests.audit.made import MADE, STARTS, check, edit, load, make_plan, write_claim, write_specs
from verifier.audit import process
from verifier.audit.sources import Sources, hash_text
from verifier.kernel.errors import SpecError
from verifier.questions.compile import validate_folder


def test_a_process_that_reads_other_specs_says_so(tmp_path: pathlib.Path) -> None:
    """Processes read the specs for themselves: what they find there has to be what the run has read."""
    write_claim(tmp_path, "starts", STARTS, "tictactoe")
    plan = make_plan(tmp_path)
    reference = ("starts", "as-stated")
    text = hash_text(Sources(load(tmp_path)), reference)
    run = functools.partial(process.check_in_process, plan.folders, reference, text, anew=False, memory_mib=64)
    process._open_once.cache_clear()
    found = run()
    assert str(found.verdict) == "proved"
    for old, new in (("ply == 0", "ply == 1"), ("expect: proved", "expect: refuted"), ("as-stated", "another")):
        edit(tmp_path / "starts.yaml", old, new)
        process._open_once.cache_clear()
        with pytest.raises(SpecError, match="the specs changed while they were checked"):
            run()
        edit(tmp_path / "starts.yaml", new, old)


def test_what_a_search_does_not_read_is_a_fault_of_the_spec(tmp_path: pathlib.Path) -> None:
    """It stands at the reading, and is not a defect of this tool, though 'validate' does not know it."""
    folder = write_specs(tmp_path / "specs")
    shutil.copy(MADE / "odd.yaml", folder)
    assert not validate_folder(folder)[2]
    outcome = check(make_plan(folder, "odd"))
    assert outcome.exit_code == 2
    (fault,) = outcome.faults
    assert str(fault).startswith(f"{folder}/odd.yaml:7:5: ")
    assert "'X_keeps' has no symbolic form" in fault.message
