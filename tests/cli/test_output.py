"""Commands write to the right place, in the right characters and colours. Dialogues have their reports and errors."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.machinery import ModuleSpec
from xml.etree import ElementTree

import pytest

from tests.audit.made import MADE, STARTS, edit, write_claim
from tests.commands import ROOT, Told, command, require_ended
from tests.report.ledgers import write_specs
from verifier.cli import check as module
from verifier.report.registry import FORMATS


@pytest.fixture
def specs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return write_specs(tmp_path)


def check(specs: pathlib.Path, *words: object) -> Told:
    return command("check", "--specs", specs, "--jobs", "1", *words)


def expect_plain_refuted(specs: pathlib.Path) -> None:
    edit(specs / "part/plain.yaml", "expect: proved", "expect: refuted")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="nothing is read-only to the superuser")
def test_a_read_only_folder_is_reported_before_the_work(specs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o500)
    told = command("report", "--specs", specs, "--out", folder / "x.html")
    assert told == Told(2, "", f"{folder / 'x.html'}: cannot create a file in {folder}\n")


def test_the_summary_goes_where_github_wants_it(specs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run appends it once if the format ``github`` is printed or written to a file, and otherwise not at all."""
    path = specs.parent / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    check(specs)
    assert not path.exists()
    file = f"--report=github={specs.parent / 'x'}"
    for count, form in enumerate((["--format=github"], [file, "--format=github"], [file, "--format=json"]), 1):
        assert check(specs, *form).code == 0
        assert path.read_text().count("## Game claim verifier") == count


def test_show_checks_first_what_takes_seconds(specs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """``show`` says that it checks first. Without evidence it does not check, because a search could take any time."""
    folders = ["--specs", specs, "--proofs", tmp_path / "proofs", "--cache", tmp_path / "cache"]
    (tmp_path / "proofs").mkdir()
    told = command("show", "plain", *folders)
    assert told.err == ""
    assert "not checked, expected proved" in told.out
    assert command("check", "plain", "--specs", specs, "--no-cache", "--out", tmp_path / "proofs").code == 0
    told = command("show", "plain", *folders)
    assert re.fullmatch(r"not checked on this machine yet: checking it first, .* about \d+ s\n", told.err)
    assert "proved, as expected" in told.out
    assert command("show", "plain", *folders).err == ""


TWICE = """rules: twice
title: X moves twice, then O
source: {document: test, place: here, says: Whoever adds to nothing goes on.}
family: general
state: {z: {most: 3}}
moves: {add: {do: ["z = z + 1", "turn = me for t in [0] if z == t"]}}
outcomes: {three: {when: z == 3, result: X}}
"""
TWICE_CLAIM = """claim: three
title: X wins
source: {document: test, place: here, says: X wins.}
rules: twice
readings: {as-stated: {can: X, expect: proved, objectives: {won: {reach: X_wins, by: 3}}}}
"""


def test_a_player_with_an_extra_turn_moves_again(specs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (specs / "rules.yaml").write_text(TWICE)
    (specs / "three.yaml").write_text(TWICE_CLAIM)
    folders = ["--specs", specs, "--cache", tmp_path / "cache"]
    assert command("check", "three", "--jobs", 1, *folders).code == 0
    played = command("play", "three", *folders, typed="add").out
    told = re.findall("(?:X plays|you play) add", played)
    assert told == ["X plays add", "X plays add", "you play add"]


FAMILY = """\
claim: "ply-{ply_number}"
for: {ply_number: [1, 2, 3]}
title: "It is ply {ply_number}"
source: {document: examples, place: "part {ply_number}", says: "It is ply {ply_number}."}
rules: tictactoe
readings:
  as-stated: {step: start, expect: proved, steps: {start: {conclude: [ply == ply_number]}}}
"""


def test_a_family_that_fails_is_one_annotation(specs: pathlib.Path) -> None:
    """The annotation is at the line of the reading that all three claims share, and names the reading of each."""
    (specs / "family.yaml").write_text(FAMILY)
    told = check(specs, "--format=github")
    assert told.code == 1
    (line,) = (line for line in told.out.splitlines() if line.startswith("::error "))
    assert "family.yaml,line=7,col=3,title=ply-*/as-stated%3A unexpected verdict::ply-1/as-stated: " in line
    assert "%0Alook closer: verifier show ply-1" in line  # a line of its own on GitHub
    assert line.endswith("%0Aall 3: ply-1/as-stated, ply-2/as-stated, ply-3/as-stated")


@pytest.mark.parametrize("where", ["missing/summary.md", ".", "/dev/full"])
def test_a_summary_that_cannot_be_written_hides_nothing(
    where: str, specs: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One warning is printed. Exit code, output and reports are the same as without the summary."""
    new = specs.parent / "new.json"
    options = ["--format", "github", f"--report=json={new}"]
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(specs.parent / where))
    expect_plain_refuted(specs)
    told = check(specs, *options)
    assert told.code == 1
    assert told.out.startswith("::error file=")
    said = f"cannot write the summary {specs.parent / where}: "
    assert told.err.startswith(f"::warning::{said}")
    assert (told.out + told.err).count(said) == 1
    assert json.loads(new.read_text())
    told = check(specs, f"--report=github={specs.parent / 'github.txt'}")
    assert told.err.startswith(f"warning: {said}")
    shutil.copy(MADE / "split.yaml", specs)
    assert check(specs, *options).code == 4


def test_a_command_that_fails_is_annotated_for_github(specs: pathlib.Path) -> None:
    """Otherwise the page of a workflow run would only show the exit code."""
    plain, annotated = (check(specs, "no-such-claim", *more) for more in ([], ["--format", "github"]))
    assert (plain.code, annotated.code, annotated.out) == (2, 2, "")
    assert annotated.err == f"::error::{plain.err.strip()}\n".replace("%", "%25")
    for words in (["--jobs", "100%"], ["--report=xml=x"], ["--foramt=json"]):
        for form in (["--format=github"], ["--format", "github"]):
            plain, annotated = (check(specs, *words, *more) for more in ([], form))
            assert (plain.code, annotated.code, annotated.out) == (2, 2, "")
            assert annotated.err == f"::error::{plain.err.strip()}\n".replace("%", "%25")


def test_an_unexpected_verdict_is_red(specs: pathlib.Path) -> None:
    """It is red in its claim's line. It is also red below the claims, with its file, line and column."""
    expect_plain_refuted(specs)
    red = re.findall("\x1b\\[31m(.*?)\x1b\\[0m", check(specs, "--color", "always").out)
    assert "as-stated: proved, expected refuted" in red
    assert any(line.startswith(f"{specs}/part/plain.yaml:6:3:") for line in red)


def test_a_search_anew_without_exact_says_so_first(specs: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A default installation does not have Exact. Without Exact, new evidence may lead only to *supported*."""
    for found in (None, ModuleSpec("exact", None)):
        monkeypatch.setattr(module, "find_spec", lambda _, found=found: found)
        told = check(specs, "--anew", "plain").err
        assert ("'pip install exact'" in told) is (found is None)


def test_formats_for_programs_are_utf_8(specs: pathlib.Path) -> None:
    """JSON and XML have to be UTF-8, whatever the encoding of standard output is."""
    edit(specs / "part/plain.yaml", "title: ", "title: § ")
    for form in ("json", "junit"):
        told = command("check", "--specs", specs, "--jobs", "1", "--format", form, encoding="latin-1")
        assert (told.code, told.err) == (0, "")
        assert "§" in told.out
        if form == "json":
            json.loads(told.out)
        else:
            ElementTree.fromstring(told.out)  # noqa: S314 - our own text


def test_text_is_printed_in_the_characters_of_the_encoding(specs: pathlib.Path) -> None:
    edit(specs / "part/plain.yaml", "title: ", "title: § ")
    told = command("show", "plain", "--specs", specs, encoding="ascii")
    assert (told.code, told.err) == (0, "")
    assert "\\xa7" in told.out


def test_file_names_may_have_bytes_that_are_not_utf_8(specs: pathlib.Path) -> None:
    """The names of spec files and reports may have any bytes. The text of a report is UTF-8."""
    (specs / "part/plain.yaml").rename(specs / "part" / os.fsdecode(b"\xff.yaml"))
    edit(specs / "part/wrong.yaml", "expect: refuted, steps", "expect: proved, steps")
    paths = {form: specs.parent / os.fsdecode(b"\xfe." + form.encode()) for form in FORMATS}
    reports = [f"--report={form}={path}" for form, path in paths.items()]
    told = command("check", "--specs", specs, "--jobs", "1", "--format", "json", *reports, encoding="ascii")
    assert (told.code, told.err) == (1, "")
    texts = {form: path.read_text("utf-8") for form, path in paths.items()}
    assert texts["json"] == told.out
    assert json.loads(texts["json"])["claims"]
    assert json.loads(texts["sarif"])["runs"]


def test_a_closed_output_is_not_a_success(specs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """If nobody reads the output any more, the run ends early with exit code 141, and says nothing about verdicts."""
    expect_plain_refuted(specs)
    words = [sys.executable, "-m", "verifier", "check", "--specs", str(specs), "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as out:
        done = subprocess.run(
            words, cwd=tmp_path, env=environment, stdout=out, stderr=subprocess.PIPE, timeout=120, check=False
        )
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("streams", "line", "code"),
    [
        (">&- 2>&- <&-", "check", 1),
        ("2>&-", "check --format github", 1),
        (">&-", "validate", 0),
        ("<&-", "play classic-second-player", 0),
        pytest.param(">&-", "list", 0, marks=pytest.mark.slow),
        ("2>/dev/full", "check nothing", 2),
        pytest.param("2>&-", "show nothing", 2, marks=pytest.mark.slow),
        (">/dev/full", "check", 2),
        (">/dev/full 2>/dev/full", "check", 2),
        (">/dev/full", "list", 2),
    ],
)
def test_streams_that_are_closed_or_full(
    streams: str, line: str, code: int, specs: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """A closed stream does not change the exit code. If standard output is full, this is reported as for a file."""
    expect_plain_refuted(specs)
    words = line.split()
    named = {"check": ["--jobs", "1", "--specs", str(specs)], "validate": [str(specs)], "play": []}
    words += named.get(words[0], ["--specs", str(specs)])
    shell = ["sh", "-c", f'exec "$0" -m verifier "$@" {streams}', sys.executable, *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(shell, cwd=tmp_path, env=environment, capture_output=True, timeout=120, check=False)
    assert done.returncode == code
    assert b"Exception ignored" not in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"internal" not in done.stderr


@pytest.mark.parametrize(
    ("form", "unbuffered"),
    [
        ("text", ""),
        ("json", "1"),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in [("text", "1"), ("json", "")]),
    ],
)
def test_a_full_output_is_named_and_the_verdicts_are_told(
    form: str, unbuffered: str, specs: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """The run goes on. Standard error gets the verdicts, and each report names what is missing."""
    expect_plain_refuted(specs)
    words = ["-m", "verifier", "check", "--jobs", "1", "--specs", str(specs), "--format", form]
    shell = ["sh", "-c", 'exec "$0" "$@" >/dev/full', sys.executable, *words, "--report", "github=report"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(shell, cwd=tmp_path, env=environment, capture_output=True, timeout=120, check=False)
    said = done.stderr.decode()
    assert done.returncode == 2
    assert said.count("cannot write: standard output: No space left on device") == 1
    assert "1 verdict not as expected" in said
    assert form == "json" or re.search(r"^proved +plain", said, re.MULTILINE)
    assert "::error title=cannot write::standard output" in (tmp_path / "report").read_text()


LONG_SEARCHES = """\
claim: "never-{k}"
for: {k: "range(0, 120)"}
title: "O prevents a line of X before ply {k}"
source: {document: none, place: here, says: Nothing.}
rules: drop-four-wide
readings:
  as-stated: {can: O, expect: proved, objectives: {goal: {prevent: X_wins and ply <= k + 20, by: 20}}}
"""
"""Claims each of which takes longer to search for than this test takes."""


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)])
def test_an_ended_run_leaves_no_process_and_no_folder(number: signal.Signals, tmp_path: pathlib.Path) -> None:
    """The text and the JUnit report say what was not decided before the signal."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    (tmp_path / "specs").mkdir()
    shutil.copy(MADE / "cells/rules/drop-four-wide.yaml", tmp_path / "specs")
    (tmp_path / "specs/never.yaml").write_text(LONG_SEARCHES)
    write_claim(tmp_path / "specs", "at-once", STARTS, "drop-four-wide")  # whose evidence shows that the run has begun
    words = [sys.executable, "-m", "verifier", "check", "--jobs", "2", "--no-cache", "--report=junit=junit"]
    out, err = tmp_path / "out.txt", tmp_path / "err.txt"
    with out.open("wb") as output, err.open("wb") as errors:
        process = subprocess.Popen(
            words, env=environment, stdout=output, stderr=errors, cwd=tmp_path, start_new_session=True
        )
        end = time.monotonic() + 120
        while not list(tmp_path.glob("verifier-*/*")):
            assert time.monotonic() < end, "the run saved nothing"
            time.sleep(0.1)
        process.send_signal(number)
        assert process.wait(180) == 128 + number
    assert err.read_text().endswith(f"terminated from outside by {number.name}\n")
    assert not list(tmp_path.glob("verifier-*"))
    assert re.search(r"run stopped: \d+ of \d+ readings decided; nothing is saved", out.read_text())
    root = ElementTree.parse(tmp_path / "junit").getroot()  # noqa: S314 - our own text
    assert (root.get("errors"), len(root.findall(".//skipped")) > 100) == ("1", True)
    require_ended(process.pid)
