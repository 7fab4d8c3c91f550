"""Signals end a command soon and cleanly, whatever it is doing. The results that it has so far are reported."""

import contextlib
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from tests.cli.test_progress import on_terminal, screen
from tests.commands import ROOT, require_ended
from tests.rules import SPECS
from verifier.__main__ import run_command_line
from verifier.cli import build_parser, main
from verifier.cli.check import run as run_check
from verifier.cli.ending import EndedError, end_in_order, held_back
from verifier.report.registry import Report, render_report

LONG_SECONDS = 10
"""Maximum time in which a program must end, for a busy machine. On an idle one it takes about a second."""

IN_C = "hashlib.pbkdf2_hmac('sha256', b'', b'', 10**9)"
"""Compiled code that runs for minutes, and during which Python handles no signals."""
HEAD = """
import ctypes, hashlib, time
from verifier.cli.ending import end_in_order, end_soon, say_ended
def last_words(): print('last words', flush=True){}
try:
    with end_in_order(), end_soon(last_words):
        print('ready', flush=True)
        {}
except KeyboardInterrupt as error:
    last_words()
    raise SystemExit(say_ended(getattr(error, 'number', 2)))
"""


def start(words: Sequence[str], folder: pathlib.Path) -> subprocess.Popen[bytes]:
    """Start a program that reacts to Ctrl-C, even if these tests run in the background, where they ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)}
            return subprocess.Popen(words, stdout=out, stderr=err, env=environment, cwd=folder, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)


def wait_for(path: pathlib.Path, pattern: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 120
    while not re.search(pattern, path.read_text(errors="replace")):
        assert process.poll() is None, (path.parent / "err").read_text()
        assert time.monotonic() < end
        time.sleep(0.05)


def end(process: subprocess.Popen[bytes], number: int, *, group: bool = False) -> int:
    """Send a signal, and return the exit code. Fail if the program does not end soon."""
    (os.killpg if group else os.kill)(process.pid, number)
    try:
        return process.wait(LONG_SECONDS)
    finally:
        process.kill()


BACK = "[ctypes.CFUNCTYPE(None)(lambda: time.sleep(0.2))() for _ in range({})]"
"""Compiled code that calls Python. An exception there ends only this call, and compiled code goes on."""
WORK = {
    "C": IN_C,
    "loop": "while True: pass",
    "wait": "time.sleep(600)",
    "Cs": f"[{IN_C} for _ in range(9)]",
    "back": BACK.format(999),
    "back-once": BACK.format(1).replace("0.2", "600"),
}
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.mark.parametrize(
    ("number", "work"),
    [
        pytest.param(number, work, id=f"{name}-{number.name}", marks=[pytest.mark.slow] * is_slow)
        for name, work in WORK.items()
        for number in SIGNALS
        # Two signals stand for all three: a hang-up is handled as SIGTERM is.
        for is_slow in [number == signal.SIGHUP and name != "C"]
    ],
)
def test_a_signal_ends_whatever_runs(number: signal.Signals, work: str, tmp_path: pathlib.Path) -> None:
    """The last words of the program are printed exactly once."""
    process = start([sys.executable, "-c", HEAD.format("", work)], tmp_path)
    wait_for(tmp_path / "out", "ready", process)
    assert end(process, number) == 128 + number
    assert (tmp_path / "out").read_text() == "ready\nlast words\n"
    said = "interrupted" if number == signal.SIGINT else f"terminated from outside by {number.name}"
    assert (tmp_path / "err").read_text() == f"{said}\n"


def test_a_program_that_was_stopped_goes_on(tmp_path: pathlib.Path) -> None:
    """``sigtimedwait`` is interrupted then, and may return a signal with a number that means nothing."""
    process = start([sys.executable, "-c", HEAD.format("", "time.sleep(600)")], tmp_path)
    wait_for(tmp_path / "out", "ready", process)
    for _ in range(3):
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(0.3)
        os.kill(process.pid, signal.SIGCONT)
        time.sleep(0.3)
    assert process.poll() is None, (tmp_path / "err").read_text()
    assert end(process, signal.SIGTERM) == 128 + signal.SIGTERM


def test_an_error_that_an_interrupt_causes_is_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A lock that an interrupt leaves in disorder raises an error of its own."""

    def break_off(_: object) -> int:
        try:
            raise EndedError(signal.SIGTERM)
        finally:
            threading.Lock().release()

    monkeypatch.setattr("verifier.cli.list.run", break_off)
    assert main(["list"]) == 128 + signal.SIGTERM
    assert capsys.readouterr().err == "terminated from outside by SIGTERM\n"


def test_a_second_signal_does_not_wait_for_last_words(tmp_path: pathlib.Path) -> None:
    process = start([sys.executable, "-c", HEAD.format("; time.sleep(600)", IN_C)], tmp_path)
    wait_for(tmp_path / "out", "ready", process)
    process.send_signal(signal.SIGTERM)
    wait_for(tmp_path / "out", "last words", process)
    assert end(process, signal.SIGINT) == 130


def test_after_a_block_signals_work_as_before(tmp_path: pathlib.Path) -> None:
    """A signal at the very end of the block is not lost."""
    program = (
        "import os, signal, threading\nfrom verifier.cli.ending import end_soon\n"
        "def state(): return signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getsignal(signal.SIGUSR1)\n"
        "before = state()\nfor _ in range(3):\n    with end_soon(print): pass\n"
        "assert state() == before and threading.active_count() == 1\n"
        "try:\n    with end_soon(print): os.kill(os.getpid(), signal.SIGINT)\n    print('lost')\n"
        "except KeyboardInterrupt: print('heard')\nassert state() == before\n"
    )
    process = start([sys.executable, "-c", program], tmp_path)
    assert process.wait(60) == 0, (tmp_path / "err").read_text()
    assert (tmp_path / "out").read_text() == "heard\n"


def test_a_signal_while_the_page_is_written_loses_only_the_page(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The verdicts are printed, and all other reports are written, before the page is begun."""

    def write(name: str, report: Report) -> str:
        if name == "html":
            raise EndedError(signal.SIGTERM)
        return render_report(name, report)

    monkeypatch.setattr("verifier.report.registry.render_report", write)
    reports = [f"--report={form}={tmp_path / form}" for form in ("html", "json", "sarif")]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(EndedError):
        run_check(build_parser().parse_args(["check", "careful-first-is-safe", "--jobs", "1", *reports]))
    assert "verdict as expected" in out.getvalue()
    assert f"the run was stopped before {tmp_path / 'html'} was written" in " ".join(err.getvalue().split())
    assert json.loads((tmp_path / "json").read_text())["claims"][0]["standing"] == "proved as stated"
    assert (tmp_path / "sarif").exists()
    assert not (tmp_path / "html").exists()


def test_a_signal_is_held_back_until_a_block_ends() -> None:
    done = []

    def work() -> None:
        with held_back():
            os.kill(os.getpid(), signal.SIGTERM)
            done.append("in the block")
        done.append("after the block")

    with end_in_order(), pytest.raises(EndedError):
        work()
    assert done == ["in the block"]


CHECK = (sys.executable, "-m", "verifier", "check", "--specs", str(SPECS), "--all", "--anew", "--no-cache")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claim", "jobs", "number", "group"),
    [
        ("theorem-2", 1, signal.SIGTERM, False),  # compiled by Numba
        ("theorem-2", 1, signal.SIGINT, True),
        ("theorem-2", 2, signal.SIGTERM, True),  # as a CI server ends all processes of a job
        ("theorem-2", 2, signal.SIGINT, True),  # as a terminal does after Ctrl-C
        ("lemma-5", 1, signal.SIGINT, True),  # Z3, which handles this signal itself, and Exact
        ("lemma-5", 2, signal.SIGTERM, False),
    ],
)
def test_a_signal_ends_a_search_and_every_report_but_the_page_says_why(
    claim: str, jobs: int, number: signal.Signals, group: bool, tmp_path: pathlib.Path
) -> None:
    """Signals also end compiled code. No process is left, no reading is lost, and the page (HTML) is not written."""
    reports = [f"--report={form}={form}" for form in ("json", "junit", "sarif", "html")]
    process = start([*CHECK, claim, "--jobs", str(jobs), *reports], tmp_path)
    wait_for(tmp_path / "err", f"checking {claim}/as-stated", process)
    assert end(process, number, group=group) == 128 + number
    assert "Traceback" not in (tmp_path / "err").read_text()
    assert not (tmp_path / "html").exists()
    assert "the run was stopped before html was written" in (tmp_path / "err").read_text()
    ledger = json.loads((tmp_path / "json").read_text())
    (fault,) = ledger["faults"]
    assert (fault["kind"], fault["lost"]) == ("run stopped", [])
    assert fault["message"].endswith(f"; not finished: {claim}/as-stated")
    decided = {reading["decided"] for claim in ledger["claims"] for reading in claim["readings"]}
    assert decided == {"not checked"}
    (error,) = ElementTree.parse(tmp_path / "junit").iter("error")  # noqa: S314 - our own text
    assert error.get("type") == "run stopped"
    (invocation,) = json.loads((tmp_path / "sarif").read_text())["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "run stopped: 0 of 1 reading decided; nothing is saved" in (tmp_path / "out").read_text()
    assert not list(tmp_path.glob("verifier-*"))
    require_ended(process.pid)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_run_removes_its_progress_line(jobs: str) -> None:
    text = on_terminal(*CHECK[3:], "theorem-2", "--jobs", jobs, until=r"theorem-2/as-stated 0:0[2-9]")
    shown = [line for line in screen(text) if line]
    assert not [line for line in shown if "0/1 reading" in line or "━" in line]
    assert shown[-1].endswith("interrupted")


EARLY = """
import builtins, os, runpy, signal, sys
load, wanted = builtins.__import__, sys.argv.pop(1)
def load_slowly(name, *words, **more):
    if name == wanted:
        os.kill(os.getpid(), signal.SIGINT)
    return load(name, *words, **more)
builtins.__import__ = load_slowly
runpy.run_module('verifier', run_name='__main__', alter_sys=True)
"""


@pytest.mark.parametrize("name", ["verifier.cli", "argparse", "verifier.cli.options", "verifier.report.registry"])
def test_an_interrupt_while_a_command_is_loaded_leaves_no_traceback(name: str, tmp_path: pathlib.Path) -> None:
    """Ctrl-C comes when a module is imported: before the command exists, and while its arguments are read."""
    process = start([sys.executable, "-c", EARLY, name, "check", "--help"], tmp_path)
    assert process.wait(60) == 130
    assert (tmp_path / "err").read_text() == "interrupted\n"
    assert not (tmp_path / "out").read_text()


def test_the_installed_program_starts_where_an_interrupt_is_caught() -> None:
    """``pyproject.toml`` names the function that also ``python -m verifier`` runs."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    module, _, function = told["project"]["scripts"]["verifier"].partition(":")
    assert (module, function) == ("verifier.__main__", run_command_line.__name__)
