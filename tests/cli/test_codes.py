"""Each command can end with every exit code that it documents, and with no other code."""

import argparse
import errno
import functools
import importlib
import io
import os
import pathlib
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.audit.made import MADE, edit, tree_of, write_specs
from tests.commands import ROOT, command
from verifier.audit.fault import Fault, FaultKind
from verifier.audit.ledger import Ledger
from verifier.cli import COMMANDS, build_parser, main
from verifier.cli.options import CHECKED, EXIT_CODES, PRECEDENCE
from verifier.kernel.certificate import unpack
from verifier.packing import pack
from verifier.report.registry import FORMATS

CLAIM = "specs/lowest-spot-keeps-fields.yaml"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Make a folder with specs, their evidence, and a cache that has the results. Return it."""
    folder = tmp_path_factory.mktemp("project")
    write_specs(folder / "specs")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert command("check", "--jobs", 1, "--out", "proofs", "--cache", "cache").code == 0
        assert command("check", "--jobs", 1, "--cache", "cache").code == 0
    return folder


@pytest.fixture
def here(project: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change to a copy of the project."""
    shutil.copytree(project, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("VERIFIER_CACHE", "cache")


def nothing() -> None:
    """Change nothing."""


def expect_otherwise() -> None:
    """Make a verdict differ from the one that its spec expects."""
    edit(pathlib.Path(CLAIM), "expect: refuted", "expect: proved")


def break_a_spec() -> None:
    edit(pathlib.Path(CLAIM), "expect:", "expct:")


def split_engines() -> None:
    """Make two methods disagree, as if an earlier check had found it. The check runs once for all cases."""
    for name, data in _find_split().items():
        pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(name).write_bytes(data)


@functools.cache
def _find_split() -> dict[str, bytes]:
    """Return the files of a project in which a check has found that two methods disagree."""
    shutil.copy(MADE / "split.yaml", "specs")
    edit(pathlib.Path("specs/split.yaml"), "document: none", "document: examples")
    assert command("check", "split", "--jobs", 1).code == 4
    return tree_of(pathlib.Path())


def tamper() -> None:
    for path in pathlib.Path("proofs/evidence").iterdir():
        path.write_bytes(path.read_bytes() + b"\n")


def make_of_tomorrow() -> None:
    """Mark the evidence and its index as files of another version of the format."""
    for path in pathlib.Path("proofs/evidence").iterdir():
        path.write_bytes(pack({**unpack(path.read_bytes(), "evidence"), "version": 3}))
    edit(pathlib.Path("proofs/INDEX.json"), '"version":2', '"version":3')


def shut_out() -> None:
    """Make the index of the evidence unreadable."""
    pathlib.Path("proofs/INDEX.json").unlink()
    pathlib.Path("proofs/INDEX.json").symlink_to("nowhere")


def believe_a_solver() -> None:
    """Remove the refutations of obligations from the evidence, so that only a solver supports the claim."""
    for path in pathlib.Path("proofs/evidence").iterdir():
        value = unpack(path.read_bytes(), "evidence")
        value["evidence"].get("obligations", {}).pop("refutations", None)
        path.write_bytes(pack(value))


SAFE = "careful-first-is-safe"
LOOKED: list[tuple[str, int, Callable[[], None]]] = [
    (SAFE, 0, nothing),
    ("lowest-spot-keeps-fields", 1, expect_otherwise),
    ("lowest-spot-keeps-fields", 2, break_a_spec),
    ("no-such-claim", 2, nothing),
    (SAFE, 4, tamper),
    ("split", 4, split_engines),
]
"""For commands that decide nothing: a claim, the exit code, and the function that changes the project before."""
CASES: list[tuple[str, int, Callable[[], None]]] = [
    ("new paper", 0, nothing),
    ("new specs", 2, nothing),
    ("check --jobs 1", 0, nothing),
    ("check --jobs 1", 1, expect_otherwise),
    ("check --jobs 1", 2, break_a_spec),
    ("check --jobs 1 no-such-claim", 2, nothing),
    ("check --jobs 1 --report json=/dev/full", 2, nothing),
    ("check --jobs 1", 4, tamper),
    ("check --jobs 1 --no-cache", 4, tamper),
    ("check --jobs 1 split", 4, split_engines),
    ("recheck --jobs 1", 0, nothing),
    ("recheck --jobs 1", 1, believe_a_solver),
    ("recheck --jobs 1", 1, make_of_tomorrow),
    ("recheck --jobs 1", 2, shut_out),
    ("recheck --jobs 1 no-such-claim", 2, nothing),
    ("recheck --jobs 1", 4, tamper),
    (f"check --jobs 1 {SAFE}", 0, break_a_spec),
    (f"check --jobs 1 {SAFE} --format html", 2, break_a_spec),
    (f"report --out page.html {SAFE}", 2, break_a_spec),
    (f"report --out pages/ {SAFE}", 2, break_a_spec),
    (f"show {SAFE}", 0, break_a_spec),
    (f"show --why {SAFE}", 0, break_a_spec),
    *(("report --out page.html " + claim, code, change) for claim, code, change in LOOKED),
    *(("report --out pages/ " + claim, code, change) for claim, code, change in LOOKED),
    *(("show " + claim, code, change) for claim, code, change in LOOKED),
    *(("show --why " + claim, code, change) for claim, code, change in LOOKED),
    ("validate --proofs proofs", 0, nothing),
    ("validate --proofs proofs", 1, make_of_tomorrow),
    ("validate", 2, break_a_spec),
    ("validate --proofs proofs", 2, shut_out),
    ("validate --proofs proofs", 4, tamper),
    ("list", 0, nothing),
    ("list", 0, break_a_spec),
    ("list no-such-claim", 2, nothing),
    (f"play {SAFE}", 0, nothing),
    (f"play {SAFE}", 1, make_of_tomorrow),
    ("play no-such-claim", 2, nothing),
    (f"play {SAFE}", 4, tamper),
    (f"graph {SAFE}", 0, nothing),
    ("graph claims", 0, nothing),
    (f"graph {SAFE}", 1, make_of_tomorrow),
    ("graph no-such-claim", 2, nothing),
    (f"graph {SAFE}", 4, tamper),
    ("export smt2 out", 0, nothing),
    ("export smt2 out", 1, make_of_tomorrow),
    ("export smt2 out", 2, shut_out),
    ("export smt2 out", 4, tamper),
]
"""The arguments of a command, its exit code, and the function that changes the project before."""


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("line", "code", "change"), CASES)
def test_a_command_ends_as_documented(line: str, code: int, change: Callable[[], None]) -> None:
    change()
    told = command(*shlex.split(line))
    assert told.code == code, told.out + told.err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("form", FORMATS)
def test_a_report_that_cannot_be_written_fails_in_every_format(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every format says so: on standard output, in a report written earlier or later, and in GitHub's summary."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    words = ("check", "--jobs", 1, "--format", form)
    told = command(*words, "--report", f"{form}=early", "--report", "json=/dev/full", "--report", "github=late")
    assert told.code == 2
    said = "cannot write: the report /dev/full: No space left on device"
    early, late, summary = (pathlib.Path(name).read_text() for name in ("early", "late", "summary.md"))
    parts = ("cannot write", "the report /dev/full: No space left on device")
    assert all(part in text for part in parts for text in (told.out, early))
    assert form == "text" or said in told.err
    assert "::error title=cannot write::the report /dev/full: No space left on device" in late
    assert "**1 failure**" in summary
    assert not any("every verdict as expected" in text for text in (told.out, early, late, summary))


def fail_to_write(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """Make each file in a folder fail as on a full disk: the error names no file."""
    opened = pathlib.Path.open

    class Full(io.BytesIO):
        def write(self, data: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    def open_full(path: pathlib.Path, mode: str = "r", **options: Any) -> Any:
        return Full() if mode == "xb" and folder in path.parts else opened(path, mode, **options)

    monkeypatch.setattr(pathlib.Path, "open", open_full)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("remembered", [True, False])
def test_a_full_disk_is_named_and_the_verdicts_are_told(remembered: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """If ``--out`` is full, the run stops. It names the file, and says which claims were decided."""
    fail_to_write(monkeypatch, "out")
    shutil.rmtree("proofs")
    words = ("check", "--jobs", 1, "--out", "out", "--report", "github=report")
    told = command(*words, *([] if remembered else ["--no-cache"]))
    assert told.code == 2
    assert re.search(r"cannot write: out/\S+: No space left on device", told.out)
    assert "run stopped: " in told.out
    assert "saved in out" not in told.out
    assert re.search(r"^4 readings: ", told.out, re.MULTILINE)
    assert re.search(r"::error title=cannot write::out/\S+: No space", pathlib.Path("report").read_text())


@pytest.mark.usefixtures("here")
def test_a_full_cache_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdicts stand, but the next run has to decide them again."""
    line = ("check", "--jobs", 1, "--cache", "own")
    pathlib.Path("own").mkdir()
    with monkeypatch.context() as patch:
        fail_to_write(patch, "own")
        told = command(*line)
    assert (told.code, told.err.count("warning: the cache is full")) == (0, 1)
    assert "No space left on device" in told.err
    assert not [path for path in pathlib.Path("own").rglob("*") if path.is_file()]
    assert command(*line).err == ""


@pytest.mark.usefixtures("here")
def test_the_first_of_several_codes_is_returned() -> None:
    """The help and ``docs/commands.md`` print the order. A report that cannot be written counts as bad usage."""
    line = ("check", "--jobs", 1)
    expect_otherwise()
    assert command(*line).code == 1
    tamper()
    assert command(*line).code == 4
    assert command(*line, "--report", "json=/dev/full").code == 2
    edit(pathlib.Path(f"specs/{SAFE}.yaml"), "expect:", "expct:")
    assert command(*line).code == 2
    kinds = (FaultKind.ENDED, FaultKind.EVIDENCE, FaultKind.UNWRITTEN, FaultKind.SPEC, FaultKind.INTERNAL)
    faults = tuple(Fault(kind, "", 1, 1, "a fault", ()) for kind in kinds)
    codes = [Ledger((), faults[:count]).exit_code for count in range(6)]
    assert codes == [0, 1, 4, 2, 2, 3]
    assert sorted({*codes}, key=PRECEDENCE.index) == [3, 2, 4, 1, 0]
    assert f"the code of an interruption or of a closed output, then {', '.join(map(str, PRECEDENCE))}." in " ".join(
        command("check", "--help").out.split()
    )
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    assert f"then {', '.join(str(code) for code in PRECEDENCE if code)}." in " ".join(page.split())


LINES = {name: line for line, code, _ in reversed(CASES) if code == 0 for name in (line.split()[0],)}
"""For each command, arguments with which its exit code is 0."""
SIGNALS = {130: signal.SIGINT, 143: signal.SIGTERM, 129: signal.SIGHUP}


@pytest.mark.parametrize("code", [3, *SIGNALS])
@pytest.mark.parametrize("name", LINES)
def test_a_command_that_is_ended_says_how(name: str, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exit code is 3 after an internal error. After a signal, it is 128 plus the number of the signal."""

    def run(_: argparse.Namespace) -> int:
        if code == 3:
            raise ZeroDivisionError
        signal.raise_signal(SIGNALS[code])
        return 0

    monkeypatch.setattr(importlib.import_module(f"verifier.cli.{name}"), "run", run)
    assert command(*shlex.split(LINES[name])).code == code


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", LINES)
def test_a_closed_output_ends_a_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output is a pipe that nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="utf-8") as out:
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        assert main(shlex.split(LINES[name])) == 141


@pytest.mark.parametrize("name", COMMANDS)
def test_every_documented_code_is_provoked(name: str) -> None:
    """Each command's help has exactly the exit codes of the tests above, and ``docs/commands.md`` has no others."""
    parser = build_parser([name])
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    section = commands.choices[name].epilog.split("exit codes:\n")[1].split("\n\n")[0]
    told = {int(code) for code in re.findall(r"^  (\d+) ", section, re.MULTILINE)}
    assert told == {code for line, code, _ in CASES if line.split()[0] == name} | {3, 130, 141, 143}
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8").split("## Exit codes")[1]
    listed = {int(code) for row in re.findall(r"^\| ([\d, ]+) \|", page, re.MULTILINE) for code in row.split(", ")}
    assert told <= listed == {*EXIT_CODES, *CHECKED, *SIGNALS}
