"""Measure what the project promises of its times: ``python -m tests.bench [--fresh]``.

Prints a table: wall and processor seconds of each command beside its target. With ``--fresh`` also ``make check`` in a
clone of this commit, installation included, and ``make test`` there: minutes, and the packages are downloaded.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).parents[2]
TOOL = (sys.executable, "-m", "verifier")


@dataclass(frozen=True, slots=True)
class Row:
    """A promise.

    Attributes:
        name: what is measured.
        target: at most so many seconds.
        command: what is run.
        is_processor: the target is of processor time, not of wall time.
        cwd: where.
    """

    name: str
    target: float
    command: tuple[str, ...]
    is_processor: bool = False
    cwd: pathlib.Path = ROOT


def main() -> None:
    """Run each command once, in the order in which one helps the next, and print its row as it comes."""
    print(f"{'':42} {'wall s':>8} {'processor s':>12} {'target s':>10}   load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        cache = ("--cache", folder)
        rows = [
            Row(
                "compile every reading, start included",
                4,
                (sys.executable, "-m", "tests.bench.compile", "--only"),
                is_processor=True,
            ),
            Row("--help", 0.06, (*TOOL, "--help"), is_processor=True),
            Row("check, nothing remembered, Theorem 1 included", 240, (*TOOL, "check", *cache), is_processor=True),
            Row("check, warm", 0.7, (*TOOL, "check", *cache), is_processor=True),
            Row("list, warm", 0.5, (*TOOL, "list", *cache), is_processor=True),
            Row("show theorem-1, warm", 0.5, (*TOOL, "show", "theorem-1", *cache), is_processor=True),
            Row("explain theorem-1, warm", 0.5, (*TOOL, "explain", "theorem-1", *cache), is_processor=True),
            Row("report, warm", 6, (*TOOL, "report", *cache), is_processor=True),
            Row(
                "Theorem 1, all of it, by plain Python",
                150,
                (sys.executable, "-S", *TOOL[1:], "recheck", "theorem-1"),
                is_processor=True,
            ),
            Row("recheck, everything", 600, (*TOOL, "recheck"), is_processor=True),
        ]
        for row in rows:
            _print(row.name, row.target, *_measure(row), is_processor=row.is_processor)
        if "--fresh" in sys.argv[1:]:
            _measure_fresh(pathlib.Path(folder) / "clone")


def _measure(row: Row) -> tuple[float, float]:
    """Return the wall and the processor seconds of a command, its processes included.

    Raises:
        SystemExit: it fails.
    """
    began, before = time.perf_counter(), os.times()
    done = subprocess.run(row.command, cwd=row.cwd, stdout=subprocess.DEVNULL, check=False)
    wall, after = time.perf_counter() - began, os.times()
    if done.returncode:
        raise SystemExit(f"{' '.join(row.command)} ended with {done.returncode}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, used


def _measure_fresh(clone: pathlib.Path) -> None:
    """Measure a newcomer's first commands in a clone, with a home of its own so that nothing is remembered."""
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    os.environ["XDG_CACHE_HOME"] = str(clone.parent / "cache")
    _print("make check, installation included", 180, *_measure(Row("", 0, ("make", "check"), cwd=clone)))
    _print("make test", 480, *_measure(Row("", 0, ("make", "test"), cwd=clone)))


def _print(name: str, target: float, wall: float, used: float, *, is_processor: bool = False) -> None:
    missed = "  missed" if (used if is_processor else wall) > target else ""
    of = "processor" if is_processor else "wall"
    print(f"{name:42} {wall:8.2f} {used:12.2f} {target:6g} {of}{missed}", flush=True)


if __name__ == "__main__":
    main()
