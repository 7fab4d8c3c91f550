"""A run notices specs that change while they are checked, and reports a spec that a search refuses as a fault."""

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
    """Each process reads the specs itself, and raises an error if they are not the specs that the run has read."""
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


def test_a_spec_that_a_search_cannot_read_is_a_fault_of_the_spec(tmp_path: pathlib.Path) -> None:
    """The fault is reported at the place of the reading. It is not an internal error, although 'validate' misses it."""
    folder = write_specs(tmp_path / "specs")
    shutil.copy(MADE / "odd.yaml", folder)
    assert not validate_folder(folder)[2]
    outcome = check(make_plan(folder, "odd"))
    assert outcome.exit_code == 2
    (fault,) = outcome.faults
    assert str(fault).startswith(f"{folder}/odd.yaml:7:5: ")
    assert "'X_keeps' cannot be used in a statement about every position" in fault.message
