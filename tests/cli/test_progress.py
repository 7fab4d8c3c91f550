import io
import os
import pty
import re
import signal
import subprocess
import sys
from unittest import mock

import pytest

from tests.commands import ROOT, command
from verifier.audit.ledger import ClaimResult, Origin, Standing
from verifier.audit.progress import Progress, describe_progress, format_time
from verifier.cli.progress import RunLine, is_coloured, is_terminal

STEPS = ("check", "rules-start", "figure-7", "--no-cache", "--jobs")
TWO = (*STEPS, "2")
"""Two quick readings in two processes. The start of these processes takes long enough for the line to appear."""


def read_some(parent: int) -> bytes:
    """Read the next output of a terminal; empty if its other end is closed."""
    try:
        return os.read(parent, 65536)
    except OSError:
        return b""


def on_terminal(*arguments: str, python: tuple[str, ...] = (), until: str = "", **environment: str) -> str:
    """Return all output of a command on its own terminal. Press Ctrl-C when ``until`` is printed."""
    parent, child = pty.openpty()
    values = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM", "COLUMNS")}
    values |= {"TERM": "xterm", "COLUMNS": "100", "LINES": "30", **environment}
    command = [sys.executable, *python, "-m", "verifier", *arguments]
    # Tests that run in the background ignore Ctrl-C. The command would inherit this, and ignore Ctrl-C too.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=values, cwd=ROOT) as process:
        signal.signal(signal.SIGINT, handler)
        os.close(child)
        chunks = []
        while chunk := read_some(parent):
            chunks.append(chunk)
            if until and re.search(until, b"".join(chunks).decode(errors="replace")):
                process.send_signal(signal.SIGINT)
                until = ""
        process.wait(timeout=300)
    os.close(parent)
    return b"".join(chunks).decode()


def screen(text: str) -> list[str]:
    """Return the lines on a terminal after a text, following returns, erasures and cursor moves."""
    lines, row, column = [""], 0, 0
    for piece in re.findall(r"\x1b\[[?0-9;]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", text):
        if piece == "\r":
            column = 0
        elif piece == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif piece.startswith("\x1b["):
            count, kind = piece[2:-1], piece[-1]
            if kind == "A":
                row = max(row - int(count or 1), 0)
            elif kind == "K":
                lines[row] = "" if count == "2" else lines[row][:column]
        else:
            lines[row] = lines[row][:column].ljust(column) + piece + lines[row][column + len(piece) :]
            column += len(piece)
    return [line.rstrip() for line in lines]


@pytest.fixture(scope="module")
def drawn() -> str:
    """Return everything that a run prints on a terminal."""
    return on_terminal(*TWO)


def test_on_a_terminal_a_line_shows_how_far_a_run_is(drawn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While readings are checked, the line is shown. At the end, the screen has only the ledger."""
    assert re.search(r"\d/2 readings, 0:\d\d", drawn)
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    plain = command(*STEPS, "1").out
    assert "\x1b" not in plain
    shown = screen(re.sub(r"\x1b\[[0-9;]*m", "", drawn))
    assert sorted(filter(None, shown)) == sorted(filter(None, plain.splitlines()))


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def test_colours_and_progress_depend_on_the_environment(drawn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal has colours and progress unless it is dumb. FORCE_COLOR adds colours; NO_COLOR removes them."""
    assert re.search(r"\x1b\[[0-9;]*m", drawn)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    found = []
    for name, value in (("TERM", "xterm"), ("TERM", "dumb"), ("FORCE_COLOR", "1"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
        streams = (Terminal(), io.StringIO())
        found.append([(is_terminal(stream), is_coloured(stream)) for stream in streams])
    no, yes = (False, False), (True, True)
    assert found == [[yes, no], [no, no], [(False, True)] * 2, [no, no]]


def test_recheck_needs_no_rich_on_a_terminal() -> None:
    text = on_terminal("recheck", "rules-start", "figure-7", python=("-S",))
    assert "0 rejected" in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (59.6, "1:00"), (61, "1:01"), (3600, "1:00:00"), (7384, "2:03:04")]
)
def test_seconds_are_shown_as_on_a_clock(seconds: float, text: str) -> None:
    assert format_time(seconds) == text


def test_a_run_names_the_reading_that_has_taken_longest() -> None:
    work = tuple((("claim", name), seconds) for name, seconds in (("a", 3.0), ("b", 61.0), ("c", 2.0), ("d", 9.0)))
    text = describe_progress(Progress(5, 9, 70.4, work))
    assert text == "5/9 readings, 1:10; checking claim/b 1:01, claim/d 0:09, claim/a 0:03"
    text = describe_progress(Progress(5, 9, 70.4, replies=20_000))
    assert text == "5/9 readings, 20,000 replies followed, 1:10"
    text = describe_progress(Progress(5, 9, 70.4, work[:1], is_compiling=True))
    assert text == "5/9 readings, 1:10, compiling the search code; checking claim/a 0:03"
    assert Progress(0, 1, 0.0, replies=50, tables=1, replies_count=100).share == 0.25


class Clock:
    """A clock that a test sets."""

    now = 1000.0

    def monotonic(self) -> float:
        """Return the time in seconds."""
        return self.now


def test_without_a_terminal_a_run_prints_now_and_then_that_it_is_working(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It prints a line on standard error, after longer and longer times: an hour has few lines. It makes no others."""
    clock, describe = Clock(), mock.Mock(wraps=describe_progress)
    monkeypatch.setattr("verifier.cli.progress.time", clock)
    monkeypatch.setattr("verifier.cli.progress.describe_progress", describe)
    line, told = RunLine(), list[float]()
    for quarters in range(4 * 3600 + 1):
        clock.now = 1000 + quarters / 4
        line.beat(Progress(5, 9, 70.4))
        printed = capsys.readouterr()
        assert printed in {("", ""), ("", "5/9 readings, 1:10\n")}
        told += [quarters / 4] * bool(printed.err)
    assert told[:5] == [10, 40, 100, 220, 340]
    assert len(told) == describe.call_count == 32


def test_without_a_terminal_output_puts_off_the_progress(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a claim is printed, the whole time has to pass again, but it does not begin with the shortest one."""
    clock = Clock()
    monkeypatch.setattr("verifier.cli.progress.time", clock)
    line = RunLine(lambda _: ["a claim"])
    told = list[bool]()
    for seconds in (10, 15, 41, 44, 46):
        clock.now = 1000.0 + seconds
        if seconds == 15:
            line.claim_done(ClaimResult("a", "", Origin("", "", ""), "", (), Standing.PROVED))
        line.beat(Progress(5, 9, 70.4))
        told.append(bool(capsys.readouterr().err))
    assert told == [True, False, False, False, True]
