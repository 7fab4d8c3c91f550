"""Ask Exact, a solver of pseudo-Boolean constraints, for refutations: problems go out as files, its logs come back.

Exact (PyPI ``exact``) is optional, and this file, run as a program (``python logs.py FOLDER SEED``), is all that loads
it. Nothing that it writes is believed: ``trim.py`` makes a refutation of a log, of which the kernel follows every
step.
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

if TYPE_CHECKING:  # as a program it may not find this package
    from verifier.kernel.refutation import Constraint

SEEDS = range(1, 9)
"""Exact guesses differently with each: with the shortest of eight logs, the shipped refutations take a fifth less."""

MAX_PHASES = 5
"""How long Exact may search for one refutation, some thousand conflicts a phase; those shipped take one or two."""

A_BATCH = 50
"""How many problems are in files at once."""

NOTHING = ("pol", "0")
"""A line that derives nothing."""


PR_SET_PDEATHSIG = 1
"""What Linux calls the signal that a process gets when its parent ends."""


class LogError(Exception):
    """A log of Exact that cannot be read as the proof that it should be."""


def is_there() -> bool:
    """Say whether Exact is installed."""
    return importlib.util.find_spec("exact") is not None


def read_logs(problems: Iterable[Sequence[Constraint]]) -> Iterator[list[list[str]] | None]:
    """Yield for each problem the shortest of what Exact logs, lines as words; None where it finds no contradiction.

    Args:
        problems: their variables are numbered from 1 on.
    """
    waiting = iter(problems)
    while batch := [*itertools.islice(waiting, A_BATCH)]:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "problems.json").write_text(json.dumps([*map(_over_variables, batch)]), encoding="ascii")
            answers = {seed: _ask(folder, seed) for seed in SEEDS}
            for number in range(len(batch)):
                seeds = [seed for seed in SEEDS if answers[seed][number : number + 1] == ["UNSAT"]]
                logs = ((folder / f"{seed}-{number}.proof").read_text(encoding="ascii").splitlines() for seed in seeds)
                yield min(([line.split() for line in log] for log in logs), key=_length, default=None)


def _ask(folder: pathlib.Path, seed: int) -> list[str]:
    """Return what Exact answers to the problems of a folder, in turn; fewer answers, if it fails."""
    command = [sys.executable, __file__, str(folder), str(seed)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout.split()  # noqa: S603 (no shell)


def _length(log: Sequence[Sequence[str]]) -> int:
    """Return how many words of a log its last line needs."""
    return sum(len(line) for line in referred(log) if line != NOTHING)


def referred(log: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Return a log in which lines that the last one does not refer to derive nothing."""
    lines = [line for line in log if line[0] in ("l", "rup", "pol")]
    waiting, kept = [len(lines)], set[int]()
    while waiting:
        number = waiting.pop()
        if number not in kept:
            kept.add(number)
            rule, *words = lines[number - 1]
            pairs = zip(words, [*words[1:], ""], strict=True) if rule == "pol" else ()
            waiting += [int(word) for word, after in pairs if word.isdecimal() and after not in ("*", "d")]
    return [line if line[0] == "l" or number in kept else NOTHING for number, line in enumerate(lines, 1)]


def _over_variables(problem: Sequence[Constraint]) -> tuple[int, list[Any]]:
    """Return how many variables a problem has, and its constraints without negative literals: ``~x`` is ``1 - x``."""
    constraints = []
    for terms, degree in problem:
        signed = [(weight if literal > 0 else -weight, f"x{abs(literal)}") for literal, weight in terms.items()]
        constraints.append((signed, degree - sum(weight for literal, weight in terms.items() if literal < 0)))
    return max((abs(literal) for terms, _ in problem for literal in terms), default=0), constraints


def run_exact(folder: pathlib.Path, seed: str) -> None:
    """Print Exact's answers to the problems of a folder, a line each; of problem N it logs in ``SEED-N.proof``."""
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
    if sys.platform == "linux":  # end with who asked, however that ends
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    run_exact(pathlib.Path(sys.argv[1]), sys.argv[2])
