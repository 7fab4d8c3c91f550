"""Measure the times that the project promises: ``python -m tests.bench [--fresh]``.

Prints a table: wall time and processor time of each command, and its target, which is a processor time. A command whose
target is less than a second is run several times, and the best time counts, because other work on the machine only
makes a run slower. With ``--fresh``, it also clones this commit and measures by the clock, downloads included: ``make
check`` with the installation, until the value 43 is printed and until the end; and ``make test``.
"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[2]
TOOL = (sys.executable, "-m", "verifier")
PLAIN = (sys.executable, "-S", "-m", "verifier")
COMMANDS: list[tuple[str, float, tuple[str, ...]]] = [
    ("compile every reading, start included", 4, (*TOOL, "validate")),
    ("--help", 0.06, (*TOOL, "--help")),
    ("check, nothing remembered, Theorem 1 included", 200, (*TOOL, "check")),
    ("check, warm", 0.7, (*TOOL, "check")),
    ("check paper, warm", 0.7, (*TOOL, "check", "paper")),
    ("list, warm", 0.5, (*TOOL, "list")),
    ("show theorem-1, warm", 0.5, (*TOOL, "show", "theorem-1")),
    ("show theorem-1 --why, warm", 0.5, (*TOOL, "show", "theorem-1", "--why")),
    ("report, warm", 6, (*TOOL, "report")),
    ("Theorem 1, all of it, by plain Python", 150, (*PLAIN, "recheck", "theorem-1")),
    ("recheck, everything", 600, (*TOOL, "recheck")),
]
"""What is measured, in the order in which one helps the next, and at most how many seconds it takes."""
RUNS = 7
"""How often a command with a target of less than a second is run."""


def main() -> None:
    """Run each command with its own cache, and print its row when it has ended."""
    print(f"{'':48} {'wall s':>8} {'processor s':>12} {'target s':>10}   load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VERIFIER_CACHE"] = folder
        for name, target, command in COMMANDS:
            runs = [_measure(command, ROOT) for _ in range(RUNS if target < 1 else 1)]
            wall, used = min(runs, key=lambda run: run[1])
            _print(name, wall, used, target, used)
        if "--fresh" in sys.argv[1:]:
            clone = pathlib.Path(folder) / "clone"
            subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
            os.environ["VERIFIER_CACHE"] = f"{folder}/cache"
            _time_value(clone)
            wall, used = _measure(("make", "test"), clone)
            _print("make test, in a fresh clone", wall, used, 150, wall)


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
