"""A second opinion: ask Z3 and cvc5 about the obligations for which evidence has refutations.

``python -m tests.export.second [CLAIM …]`` asks both solvers about each obligation of the shipped evidence, with the
assumptions that the evidence names, in the text that ``verifier export smt2`` writes. The kernel is not asked, and no
verdict rests on an answer. If a solver finds that an obligation does not hold, it is printed, and the exit code is 1.
The number of questions that a solver gives up is printed too: some obligations need a count of marks that only Exact
finds.
"""

import argparse
import collections
import functools
import multiprocessing
import pathlib
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import cvc5
import z3

from verifier.export.smt2 import derive_owed, read_owing
from verifier.kernel.certificate import CertificateContent
from verifier.solver.smtlib import write_obligations

PROOFS = pathlib.Path(__file__).parents[2] / "proofs"
Z3_LIMIT, CVC5_LIMIT = 4_000_000, 1_000_000
"""What one question may use, as Z3 and cvc5 count it: some seconds."""


class Question(NamedTuple):
    """The obligations of a reading: what fails in each if it does not hold, and the text to ask about all of them."""

    name: str
    fails: tuple[str, ...]
    text: str


def questions(
    proofs: pathlib.Path, names: Iterable[str] = (), each: Callable[..., Iterable[list[Question]]] = map
) -> Iterator[Question]:
    """Yield the questions about evidence, each obligation once; ``each`` may derive them in other processes."""
    asked: set[str] = set()
    for derived in each(_derive, read_owing(proofs, frozenset(names))):
        for question in derived:
            if question.text not in asked:
                asked.add(question.text)
                yield question


def _derive(owing: tuple[str, CertificateContent]) -> list[Question]:
    """Derive the obligations of a certificate."""
    filed, certificate = owing
    found = []
    for key, owed in derive_owed(certificate.statement, certificate.evidence):
        shown = certificate.evidence[key]["shown"]
        text = "\n".join(write_obligations(owed, (core for _, _, core in shown)))
        plain = text.replace("(set-option :produce-unsat-cores true)\n", "")
        found.append(Question(filed, tuple(name for _, name, _ in shown), plain))
    return found


def ask_z3(text: str) -> list[str]:
    """Return Z3's answers to the questions of an SMT-LIB text."""
    context = z3.Context()
    answers: str = z3.Z3_eval_smtlib2_string(context.ref(), f"(set-option :rlimit {Z3_LIMIT})\n{text}")
    return answers.split()


def ask_cvc5(text: str) -> list[str]:
    """Return cvc5's answers to the questions of an SMT-LIB text."""
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


def ask(solver: str, question: Question) -> list[tuple[str, str]]:
    """Return what fails in each obligation, and a solver's answer, or ``unknown``. A missing answer is an error."""
    return [*zip(question.fails, SOLVERS[solver](question.text), strict=True)]


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.export.second", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="CLAIM", help="claims or readings (default: all)")
    parser.add_argument("--jobs", type=int, default=1, help="ask in so many processes (default: 1)")
    arguments = parser.parse_args()
    breaches = 0
    with ProcessPoolExecutor(arguments.jobs, multiprocessing.get_context("spawn")) as pool:
        wanted = [*questions(PROOFS, arguments.names, pool.map)]
        for solver in SOLVERS:
            counts: collections.Counter[str] = collections.Counter()
            for question, answers in zip(wanted, pool.map(functools.partial(ask, solver), wanted), strict=True):
                counts.update(answer for _, answer in answers)
                for fails in (fails for fails, answer in answers if answer == "sat"):
                    print(f"{question.name}: {solver} finds a position that breaches {fails!r}", flush=True)
            print(f"{solver}: {counts['unsat']} of {counts.total()} hold, {counts['unknown']} without an answer")
            breaches += counts["sat"]
    return 1 if breaches else 0


if __name__ == "__main__":
    raise SystemExit(main())
