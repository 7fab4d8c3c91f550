"""Ask Exact, a solver of pseudo-Boolean constraints, for refutations: problems go out as files, its logs come back.

Exact (PyPI ``exact``) is optional, and a process of its own. Nothing that it writes is believed: ``trim.py`` makes a
refutation of a log, of which the kernel follows every step.
"""

from __future__ import annotations

import importlib.util
import itertools
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence

from verifier.kernel.refutation import Constraint

MAX_PHASES = 5
"""How long Exact may search for one refutation, as it counts; those that are shipped take one or two phases."""

A_BATCH = 50
"""How many problems are in files at once."""


class LogError(Exception):
    """A log of Exact that cannot be read as the proof that it should be."""


def is_there() -> bool:
    """Say whether Exact is installed."""
    return importlib.util.find_spec("exact") is not None


def read_logs(problems: Iterable[Sequence[Constraint]]) -> Iterator[list[list[str]] | None]:
    """Yield what Exact logs for each problem, lines as words; None where it finds no contradiction.

    Args:
        problems: their variables are numbered from 1 on.
    """
    waiting = iter(problems)
    while batch := [*itertools.islice(waiting, A_BATCH)]:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for number, problem in enumerate(batch):
                (folder / f"{number}.opb").write_text("\n".join(opb(problem)), encoding="ascii")
            program = pathlib.Path(__file__).with_name("run_exact.py")
            command = [sys.executable, str(program), name, str(MAX_PHASES)]
            ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)  # noqa: S603 (no shell)
            answers = ran.stdout.split()
            for number in range(len(batch)):
                is_refuted = answers[number : number + 1] == ["UNSAT"]
                yield _read(folder / f"{number}.proof") if is_refuted else None


def _read(path: pathlib.Path) -> list[list[str]]:
    return [line.split() for line in path.read_text(encoding="ascii").splitlines()]


def opb(problem: Sequence[Constraint]) -> Iterator[str]:
    """Yield the lines of a problem in the OPB format, which has no negative literals: ``~x`` is ``1 - x``."""
    size = max((abs(literal) for terms, _ in problem for literal in terms), default=0)
    yield f"* #variable= {size} #constraint= {len(problem)}"
    for terms, degree in problem:
        signed = (f"{weight if literal > 0 else -weight:+} x{abs(literal)}" for literal, weight in terms.items())
        bound = degree - sum(weight for literal, weight in terms.items() if literal < 0)
        yield f"{' '.join(signed)} >= {bound} ;"
