import pathlib
import re
import shutil
import time
from dataclasses import replace

import pytest

from tests.audit.made import check, make_plan
from tests.golden import require_golden
from verifier.questions.compile import validate_folder
from verifier.questions.registry import QUESTIONS

CORPUS = pathlib.Path(__file__).parent.parent / "corpus" / "specs"
INVALID = sorted((CORPUS / "invalid").iterdir())
MALFORMED = sorted((CORPUS / "malformed").glob("*.yaml"))
ERROR = re.compile(r"^# error: (\S+) (.*)$", re.MULTILINE)
LONG = ("one-round", "names-upon-names", "rules-closed-any-spot", "rules-closed-open-fields")
"""Claims that take Z3 longer than all others together."""


def problems_of(folder: pathlib.Path) -> list[str]:
    """Return the problems of the specs in a folder, each as ``file:line:column: message``."""
    return [str(problem) for problem in validate_folder(folder)[2]]


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.stem)
def test_an_invalid_spec_is_refused_with_all_its_faults(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The first lines of a file list its faults. Exactly these are reported. A case of several files is a folder."""
    if path.is_dir():
        shutil.copytree(path, tmp_path, dirs_exist_ok=True)
    else:
        shutil.copy(path, tmp_path / "x.yaml")
        if not path.stem.startswith(("strategy-p", "strategy-w")):
            shutil.copy(CORPUS / "valid" / "corners.yaml", tmp_path)
    expected = []
    for file in sorted(tmp_path.iterdir()):
        expected += [f"{file.name}:{fault[1]}: {fault[2]}" for fault in ERROR.finditer(file.read_text())]
    assert expected
    assert problems_of(tmp_path) == expected


def test_malformed_specs_get_their_messages(tmp_path: pathlib.Path) -> None:
    """YAML that readers disagree on, or that hides something, is refused at its line and column, with the reason.

    Any bytes lead to problems with a place, and to nothing else. The time limit is generous because machines differ.
    """
    told = []
    for path in MALFORMED:
        (tmp_path / "x.yaml").write_bytes(path.read_bytes())
        before = time.process_time()
        problems = problems_of(tmp_path)
        assert time.process_time() - before < 5, path.name
        assert all(problem.startswith("x.yaml:") for problem in problems)
        told.append(f"{path.stem}: {problems[0].removeprefix('x.yaml:')}\n")
    require_golden("malformed.txt", "".join(told))


@pytest.mark.parametrize("is_long", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["quick", "long"])
def test_the_valid_specs_are_valid_and_their_claims_hold(is_long: bool) -> None:
    """The valid specs ask every question. They have no problem, and their verdicts are as expected."""
    plan = make_plan(CORPUS / "valid")
    assert set(LONG) <= set(plan.claims)
    ledger = check(replace(plan, claims=tuple(name for name in plan.claims if (name in LONG) == is_long)))
    assert [(r.claim, r.id, r.trouble, r.reason) for r in ledger.readings if not r.is_expected] == []
    if not is_long:
        assert problems_of(CORPUS / "valid") == []
        assert {r.question for r in ledger.readings} == {*QUESTIONS}
