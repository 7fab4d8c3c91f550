"""A second opinion: cvc5 and Z3 are asked about the obligations that shipped evidence says are never breached.

``python -m verifier.export.second [CLAIM …]`` asks each solver for itself about each obligation, with the assumptions
that the evidence names, in the text that ``verifier export smt2`` writes. No verdict rests on an answer. Exit code 0:
no solver finds a breach; 4: one does, so that it and the evidence disagree; 2: nothing can be asked. A solver may give
up, and how often it does is told: some obligations need a count of marks that only Exact finds.
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import multiprocessing
import pathlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import z3

from verifier.export.obligations import derive_owed, read_owing
from verifier.kernel.errors import CertificateError, UsageError
from verifier.language.shipped import find_shipped
from verifier.solver.smtlib import write_obligations

Z3_LIMIT, CVC5_LIMIT = 4_000_000, 1_000_000
"""What one question may use, as Z3 and cvc5 count it: some seconds."""


class Opinion(NamedTuple):
    """What a solver says of some obligations.

    Attributes:
        name: of a reading that owes them.
        solver: which one.
        answers: for each obligation ``unsat``, ``sat`` or ``unknown``.
        breached: what fails where the first one is breached; empty: it finds no breach.
    """

    name: str
    solver: str
    answers: list[str]
    breached: str


def is_there(solver: str) -> bool:
    """Say whether a solver is installed."""
    return importlib.util.find_spec(solver) is not None


def ask_z3(text: str) -> list[str]:
    """Return Z3's answers to the questions of an SMT-LIB text."""
    context = z3.Context()
    answers: str = z3.Z3_eval_smtlib2_string(context.ref(), f"(set-option :rlimit {Z3_LIMIT})\n{text}")
    return answers.split()


def ask_cvc5(text: str) -> list[str]:
    """Return cvc5's answers to the questions of an SMT-LIB text."""
    import cvc5

    solver = cvc5.Solver()
    for option, value in (("incremental", "true"), ("rlimit-per", str(CVC5_LIMIT))):
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligations")
    symbols, answers = parser.getSymbolManager(), []
    while not (command := parser.nextCommand()).isNull():
        answers += re.findall(r"^(?:unsat|sat|unknown)", command.invoke(solver, symbols))
    return answers


SOLVERS: dict[str, Callable[[str], list[str]]] = {"z3": ask_z3, "cvc5": ask_cvc5}


class Question(NamedTuple):
    """Obligations of a reading, by what fails where one is breached; the text that asks this, and of whom."""

    name: str
    fails: tuple[str, ...]
    text: str
    solver: str

    def ask(self) -> Opinion:
        """Ask.

        Raises:
            CertificateError: the solver does not answer every question.
        """
        answers = SOLVERS[self.solver](self.text)
        if len(answers) != len(self.fails):
            why = f"{self.solver} gives {len(answers)} answers to {len(self.fails)} questions"
            raise CertificateError("solver", why)
        breached = next((repr(name) for name, word in zip(self.fails, answers, strict=True) if word == "sat"), "")
        return Opinion(self.name, self.solver, answers, breached)


def questions(proofs: pathlib.Path, names: frozenset[str], solvers: Sequence[str]) -> Iterator[Question]:
    """Yield what solvers are to be asked of evidence (``read_owing``); the same obligations once."""
    asked: set[str] = set()
    for filed, statement, evidence, _ in read_owing(proofs, names):
        for key, owed in derive_owed(statement, evidence):
            shown = evidence[key]["shown"]
            text = "\n".join(write_obligations(owed, (core for _, _, core in shown)))
            if text not in asked:
                asked.add(text)
                plain = text.replace("(set-option :produce-unsat-cores true)\n", "")
                fails = tuple(name for _, name, _ in shown)
                yield from (Question(filed, fails, plain, solver) for solver in solvers)


def opinions(wanted: Iterable[Question], jobs: int) -> Iterator[Opinion]:
    """Yield what comes of questions, asked in so many processes, in their order."""
    if jobs == 1:
        yield from map(Question.ask, wanted)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(Question.ask, wanted)


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m verifier.export.second", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="CLAIM", help="claims or readings (default: all)")
    parser.add_argument(
        "--proofs", type=pathlib.Path, default=find_shipped("proofs") or "proofs", help="the folder of the evidence"
    )
    parser.add_argument("--solver", choices=SOLVERS, action="append", help="ask this one only")
    parser.add_argument("--jobs", type=int, default=1, help="ask in so many processes (default: 1)")
    arguments = parser.parse_args()
    solvers = arguments.solver or [*SOLVERS]
    if not all(map(is_there, solvers)):
        print("cvc5 is not installed: pip install cvc5, or ask --solver z3 only", file=sys.stderr)
        return 2
    told: dict[str, collections.Counter[str]] = {solver: collections.Counter() for solver in solvers}
    breached = False
    try:
        wanted = questions(arguments.proofs, frozenset(arguments.names), solvers)
        for opinion in opinions(wanted, max(1, arguments.jobs)):
            told[opinion.solver].update(opinion.answers)
            if opinion.breached:
                breached = True
                print(f"{opinion.name}: {opinion.solver} finds a position that breaches {opinion.breached}", flush=True)
    except (CertificateError, UsageError, OSError) as error:
        print(f"rejected: {error}" if isinstance(error, CertificateError) else error, file=sys.stderr)
        return 4 if isinstance(error, CertificateError) else 2
    for solver, counts in told.items():
        held, silent = counts["unsat"], counts["unknown"]
        print(f"{solver}: {held} of {counts.total()} obligations hold, {silent} without an answer")
    return 4 if breached else 0


if __name__ == "__main__":
    raise SystemExit(main())
