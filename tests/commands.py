"""Run commands for tests: those of this project in this process, others in a shell."""

import contextlib
import io
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from unittest import mock

import pytest

from verifier.cli import main

ROOT = pathlib.Path(__file__).parents[1]


@dataclass(frozen=True)
class Told:
    """The exit code of a command and its output."""

    code: int
    out: str
    err: str


def command(*words: object, typed: str = "", encoding: str = "utf-8") -> Told:
    """Run a command of this project, and type some lines into it. Without ``--jobs`` it starts no other process.

    Its output begins in an encoding, and is read as UTF-8.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in range(2))
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch("sys.stdin", io.StringIO(typed)),
        mock.patch("os.cpu_count", return_value=1),
    ):
        try:
            code: object = main([str(word) for word in words])
        except SystemExit as end:
            code = end.code
    assert isinstance(code, int)
    return Told(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


def without_packages(*words: str) -> Told:
    """Run Python in this checkout with the standard library alone. The environment has only the test's own cache."""
    line = [sys.executable, "-S", *words]
    own = {"VERIFIER_CACHE": os.environ["VERIFIER_CACHE"]}
    done = subprocess.run(line, cwd=ROOT, env=own, capture_output=True, text=True, check=False)
    return Told(done.returncode, done.stdout, done.stderr)


def type_line(line: str) -> Told:
    """Run what a reader types into a shell. The folder of ``cd`` stays."""
    if width := re.match(r"COLUMNS=(\d+) ", line):
        with mock.patch.dict(os.environ, COLUMNS=width[1]):
            return type_line(line.removeprefix(width[0]))
    typed, _, last = line.rpartition(" | ")
    if last.startswith("verifier "):
        return command(*shlex.split(last)[1:], typed=f"{typed.removeprefix('echo ')}\n")
    if line.startswith("cd "):
        os.chdir(shlex.split(line)[1])
        return Told(0, "", "")
    path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path}
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, env=environment)
    return Told(done.returncode, done.stdout, done.stderr)


def require_ended(group: int) -> None:
    """Require that a group soon has no process left."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a process is left")
