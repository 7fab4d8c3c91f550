"""Measure the times that the project promises.

Prints a table: wall time and processor time of each command, and its target, which is a processor time. A command whose
target is less than a second is run several times, and the best time counts, because other work on the machine only
makes a run slower. The whole table takes ten minutes on two idle cores.
"""

import argparse
import contextlib
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

ROOT = pathlib.Path(__file__).parents[2]
TOOL = (sys.executable, "-m", "verifier")
PLAIN = (sys.executable, "-S", "-m", "verifier")
GRAVITY = (
    *(*TOOL, "check", "boards", "--specs", "tests/specs/boards", "--reading", "falling-5-o-draws"),
    *("--anew", "--no-cache"),
)


class Row(NamedTuple):
    """A row of the table.

    Attributes:
        name: the name by which the row is chosen.
        title: what is measured.
        target: the most processor time that the command may take, in seconds.
        command: the command.
        after: the row that fills the cache of this one; empty if there is none.
    """

    name: str
    title: str
    target: float
    command: tuple[str, ...]
    after: str = ""


ROWS = [
    Row("validate", "compile every reading, start included", 4, (*TOOL, "validate")),
    Row("help", "--help", 0.06, (*TOOL, "--help")),
    Row("check-anew", "check, nothing remembered, Theorem 1 included", 200, (*TOOL, "check")),
    Row("check", "check, warm", 0.7, (*TOOL, "check"), "check-anew"),
    Row("check-paper", "check paper, warm", 0.7, (*TOOL, "check", "paper"), "check-anew"),
    Row("list", "list, warm", 0.5, (*TOOL, "list"), "check-anew"),
    Row("show", "show theorem-1, warm", 0.5, (*TOOL, "show", "theorem-1"), "check-anew"),
    Row("why", "show theorem-1 --why, warm", 0.5, (*TOOL, "show", "theorem-1", "--why"), "check-anew"),
    Row("report-first", "report, the first one after check", 60, (*TOOL, "report"), "check-anew"),
    Row("report", "report, warm", 6, (*TOOL, "report"), "report-first"),
    Row("gravity-first", "gravity, 5 by 5, O draws: the first search compiles", 60, GRAVITY),
    Row("gravity", "gravity, 5 by 5, O draws, nothing remembered", 6, GRAVITY, "gravity-first"),
    Row("recheck-theorem-1", "Theorem 1, all of it, by plain Python", 150, (*PLAIN, "recheck", "theorem-1")),
    Row("recheck", "recheck, everything", 600, (*TOOL, "recheck")),
]
"""The rows, in the order in which they are measured."""
RUNS = 7
"""How often a command with a target of less than a second is run."""


def main() -> None:
    """Run the commands of the rows that were asked for, and print each row when its command has ended."""
    names = [row.name for row in ROWS]
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    text = f"the rows to measure, of {', '.join(names)} (default: all). The rows that fill their cache come with them"
    parser.add_argument("rows", nargs="*", metavar="ROW", help=text)
    parser.add_argument(
        "--cache",
        metavar="DIR",
        help="measure just these rows, with the cache in this folder (default: a new cache, which is deleted)",
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="also clone this commit and measure by the clock, downloads included: 'make check' with the installation, "
        "until the value 43 is printed and until the end; and 'make test'",
    )
    arguments = parser.parse_args()
    wanted = arguments.rows or names
    unknown = [name for name in wanted if name not in names]
    if unknown:
        parser.error(f"there is no row {unknown[0]!r}: the rows are {', '.join(names)}")
    print(f"{'':48} {'wall s':>8} {'processor s':>12} {'target s':>10}   load {os.getloadavg()[0]:.1f}", flush=True)
    with _open_cache(arguments.cache) as folder:
        os.environ["VERIFIER_CACHE"] = str(folder)
        for row in [row for row in ROWS if row.name in wanted] if arguments.cache else _add_needed(wanted):
            runs = [_measure(row.command, ROOT) for _ in range(RUNS if row.target < 1 else 1)]
            wall, used = min(runs, key=lambda run: run[1])
            _print(row.title, wall, used, row.target, used)
    if arguments.fresh:
        with tempfile.TemporaryDirectory() as home:
            clone = pathlib.Path(home) / "clone"
            subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
            os.environ["VERIFIER_CACHE"] = f"{home}/cache"
            _time_value(clone)
            wall, used = _measure(("make", "test"), clone)
            _print("make test, in a fresh clone", wall, used, 150, wall)


@contextlib.contextmanager
def _open_cache(path: str | None) -> Iterator[pathlib.Path]:
    """Yield the folder of the cache. If no path is given, the folder is new, and is deleted in the end."""
    if path is not None:
        yield pathlib.Path(path).absolute()
        return
    with tempfile.TemporaryDirectory() as folder:
        yield pathlib.Path(folder)


def _add_needed(wanted: Iterable[str]) -> list[Row]:
    """Return the wanted rows, and the rows that fill their cache, in the order of ``ROWS``."""
    needed = {*wanted}
    for row in reversed(ROWS):
        if row.name in needed and row.after:
            needed.add(row.after)
    return [row for row in ROWS if row.name in needed]


VALUE = "beyond-value-43"
"""The claim that says that the value is 43: its line begins with how it stands and with this name."""


def _time_value(clone: pathlib.Path) -> None:
    """Run ``make check``, and print how long it takes until it prints the value, and until it ends."""
    began, before, until = time.perf_counter(), _find_used(), None
    with subprocess.Popen(("make", "check"), cwd=clone, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            if until is None and VALUE in line:
                until = time.perf_counter() - began
    wall, used = time.perf_counter() - began, _find_used() - before
    if process.returncode or until is None:
        raise SystemExit(f"make check ended with {process.returncode}, or did not print {VALUE!r}")
    _print("make check, in a fresh clone: until the value 43", until, None, 90, until)
    _print("make check, in a fresh clone: whole", wall, used, 120, wall)


def _measure(command: tuple[str, ...], cwd: pathlib.Path) -> tuple[float, float]:
    """Return the wall time and the processor time of a command, including its processes.

    Raises:
        SystemExit: the command fails.
    """
    began, before = time.perf_counter(), _find_used()
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, check=False)
    wall, used = time.perf_counter() - began, _find_used() - before
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}")
    return wall, used


def _find_used() -> float:
    """Return the processor time of all commands so far. ``os.times`` counts in steps that are too large for 0.06 s."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _print(name: str, wall: float, used: float | None, target: float, counted: float) -> None:
    spent = "" if used is None else f"{used:.2f}"
    print(f"{name:48} {wall:8.2f} {spent:>12} {target:10g}{'  missed' * (counted > target)}", flush=True)


if __name__ == "__main__":
    main()
