"""Asks Exact, a solver of pseudo-Boolean constraints, for refutations: writes problems, and reads Exact's logs.

The package ``exact`` is optional. Only this file loads ``exact``, and only if the file is run as a program (``python
logs.py FOLDER SEED``). Exact is not trusted: ``trim.py`` makes a refutation from a log, and the kernel checks every
step of the refutation.
"""

from __future__ import annotations

import ctypes
import importlib.util
import itertools
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # as a program, this file may not find ``verifier``
    from verifier.kernel.refutation import Constraint

LOG_SEEDS = range(1, 9)
"""Exact guesses differently with each seed. Using the shortest of eight logs makes refutations a fifth shorter."""

MAX_PHASES = 5
"""Maximum number of times that Exact is run on one problem. Each run (a phase) ends after some thousand conflicts.
Shipped proofs took 1 or 2 phases."""

A_BATCH = 50
"""Maximum number of problems in one folder."""

NO_DERIVATION = ("pol", "0")
"""A line of a log that derives nothing."""


PR_SET_PDEATHSIG = 1
"""Linux's number for an option of ``prctl``: when the parent of a process ends, the process gets a signal."""


class LogError(Exception):
    """A log of Exact is not a proof."""


def is_exact_installed() -> bool:
    """Return True if Exact is installed."""
    return importlib.util.find_spec("exact") is not None


def read_logs(problems: Iterable[Sequence[Constraint]]) -> Iterator[list[list[str]] | None]:
    """Yield Exact's shortest log for each problem, as lines of words; None if Exact finds no contradiction.

    Args:
        problems: for each problem, constraints over variables numbered from 1.
    """
    waiting = iter(problems)
    while batch := [*itertools.islice(waiting, A_BATCH)]:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "problems.json").write_text(json.dumps([*map(_over_variables, batch)]), encoding="ascii")
            answers = {seed: _ask(folder, seed) for seed in LOG_SEEDS}
            for number in range(len(batch)):
                seeds = [seed for seed in LOG_SEEDS if answers[seed][number : number + 1] == ["UNSAT"]]
                logs = ((folder / f"{seed}-{number}.proof").read_text(encoding="ascii").splitlines() for seed in seeds)
                yield min(([line.split() for line in log] for log in logs), key=_length, default=None)


def _ask(folder: pathlib.Path, seed: int) -> list[str]:
    """Return Exact's answers to the problems of a folder, in order. If Exact crashes, the last answers are missing."""
    command = [sys.executable, __file__, str(folder), str(seed)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout.split()  # noqa: S603 (no shell)


def _length(log: Sequence[Sequence[str]]) -> int:
    """Return the number of words in a log, without the lines that its last line does not need."""
    return sum(len(line) for line in keep_needed_lines(log) if line != NO_DERIVATION)


def keep_needed_lines(log: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Return a log with ``NO_DERIVATION`` in place of each derived line that the last line does not need."""
    lines = [line for line in log if line[0] in ("l", "rup", "pol")]
    waiting, kept = [len(lines)], set[int]()
    while waiting:
        number = waiting.pop()
        if number not in kept:
            kept.add(number)
            rule, *words = lines[number - 1]
            pairs = zip(words, [*words[1:], ""], strict=True) if rule == "pol" else ()
            waiting += [int(word) for word, after in pairs if word.isdecimal() and after not in ("*", "d")]
    return [line if line[0] == "l" or number in kept else NO_DERIVATION for number, line in enumerate(lines, 1)]


def _over_variables(problem: Sequence[Constraint]) -> tuple[int, list[Any]]:
    """Return the number of variables of a problem, and its constraints, in which ``1 - x`` replaces each ``~x``."""
    constraints = []
    for terms, degree in problem:
        signed = [(weight if literal > 0 else -weight, f"x{abs(literal)}") for literal, weight in terms.items()]
        constraints.append((signed, degree - sum(weight for literal, weight in terms.items() if literal < 0)))
    return max((abs(literal) for terms, _ in problem for literal in terms), default=0), constraints


def run_exact(folder: pathlib.Path, seed: str) -> None:
    """Print Exact's answer to each problem of a folder, one per line. The log of problem N is ``SEED-N.proof``."""
    from exact import Exact  # noqa: PLC0415 - it is optional

    for number, (size, constraints) in enumerate(json.loads((folder / "problems.json").read_text())):
        solver = Exact([("proof-log", str(folder / f"{seed}-{number}")), ("seed", seed), ("verbosity", "0")])
        for variable in range(size):
            solver.addVariable(f"x{variable + 1}", 0, 1)
        for terms, bound in constraints:
            solver.addConstraint([*map(tuple, terms)], True, bound)
        answers = (solver.runOnce(0) for _ in range(MAX_PHASES))
        print(next((answer for answer in answers if answer != "PAUSED"), "PAUSED"), flush=True)


if __name__ == "__main__":
    if sys.platform == "linux":  # end this process when its parent ends, even if the parent is killed
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    run_exact(pathlib.Path(sys.argv[1]), sys.argv[2])
