"""``check`` with summaries and colours; ``tests/golden/dialogues`` has reports and what goes wrong."""

import json
import pathlib
import re
import shutil
from importlib.machinery import ModuleSpec

import pytest

from tests.audit.made import MADE, edit
from tests.commands import Told, command
from tests.report.ledgers import write_specs
from verifier.cli import check as module


@pytest.fixture
def specs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return write_specs(tmp_path)


def check(specs: pathlib.Path, *words: object) -> Told:
    return command("check", "--specs", specs, "--jobs", "1", *words)


def expect_plain_refuted(specs: pathlib.Path) -> None:
    edit(specs / "part/plain.yaml", "expect: proved", "expect: refuted")


def test_the_summary_goes_where_github_wants_it(specs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the format ``github``, printed or written to a file, it is appended once a run; otherwise not at all."""
    path = specs.parent / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    check(specs)
    assert not path.exists()
    file = f"--report=github={specs.parent / 'x'}"
    for count, form in enumerate((["--format=github"], [file, "--format=github"], [file, "--format=json"]), 1):
        assert check(specs, *form).code == 0
        assert path.read_text().count("## Claim verifier") == count


@pytest.mark.parametrize("where", ["missing/summary.md", "."])
def test_a_summary_that_cannot_be_written_hides_nothing(
    where: str, specs: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It costs a warning: exit code, output and reports are as without it."""
    new = specs.parent / "new.json"
    options = ["--format", "github", f"--report=json={new}"]
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(specs.parent / where))
    expect_plain_refuted(specs)
    told = check(specs, *options)
    assert told.code == 1
    assert told.out.startswith("::error file=")
    assert told.err.startswith(f"warning: cannot write the summary {specs.parent / where}: ")
    assert json.loads(new.read_text())
    shutil.copy(MADE / "split.yaml", specs)
    assert check(specs, *options).code == 4


def test_what_is_not_as_expected_is_red(specs: pathlib.Path) -> None:
    """In its claim's line, and below the claims, where it has file, line and column."""
    expect_plain_refuted(specs)
    red = re.findall("\x1b\\[31m(.*?)\x1b\\[0m", check(specs, "--color", "always").out)
    assert "as-stated: proved, expected refuted" in red
    assert any(line.startswith(f"{specs}/part/plain.yaml:6:3:") for line in red)


def test_a_search_anew_without_exact_says_so_first(specs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A default installation has no Exact: what it finds anew may be supported alone."""
    for found in (None, ModuleSpec("exact", None)):
        monkeypatch.setattr(module, "find_spec", lambda _, found=found: found)
        told = check(specs, "--anew", "plain").err
        assert ("pip install 'claim-verifier[refutations]'" in told) is (found is None)
