"""Faults: what kept parts of the specs from being checked. The ledger lists them, and every format prints them."""

from __future__ import annotations

import enum
import itertools
import os
import pathlib
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from verifier.files import find_shipped
from verifier.kernel.words import counted
from verifier.language.library import Library
from verifier.language.problem import Problem
from verifier.questions.result import Fate, LedgerValue, ReadingResult

_NAMED = 4


class FaultKind(enum.StrEnum):
    """What is at fault."""

    SPEC = "spec fault"
    EVIDENCE = "evidence rejected"
    ENDED = "run ended"
    STOPPED = "run stopped"
    INTERNAL = "internal error"


@dataclass(frozen=True, slots=True, order=True)
class LostItem(LedgerValue):
    """Something that was not checked."""

    kind: str
    """reading, or what a spec file holds: claim, strategy, definitions, rules, document, coverage"""
    name: str
    """its id; of a reading CLAIM/READING"""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Fault(LedgerValue):
    """What kept something from being checked; a run with a fault is not a success."""

    kind: FaultKind
    """spec fault: a file is wrong, or cannot be read; evidence rejected: a file of the shipped evidence is wrong, or
    cannot be read; run ended: a process of it ended too early; run stopped: from outside, by a signal; internal error:
    this tool is wrong"""
    file: str
    """the file, from the current folder where it is below that; empty: it is about no file"""
    line: int
    """from 1"""
    column: int
    """from 1, in characters"""
    message: str
    """what is wrong, in one line"""
    lost: tuple[LostItem, ...] = ()
    """what was not checked because of it"""

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.file else self.text

    @property
    def place(self) -> str:
        """Where it stands, as FILE:LINE:COLUMN; evidence has no lines."""
        return self.file if self.kind is FaultKind.EVIDENCE else f"{self.file}:{self.line}:{self.column}"

    @property
    def text(self) -> str:
        """What is wrong, after its kind if it is not a spec that is wrong."""
        return self.message if self.kind is FaultKind.SPEC else f"{self.kind}: {self.message}"

    @property
    def cost(self) -> str:
        """What was not checked because of it, the first few by name; empty: nothing."""
        return f"not checked: {list_briefly([*map(str, self.lost)])}" if self.lost else ""


def make_fault(
    problem: Problem, folder: pathlib.Path, lost: Iterable[LostItem] = (), kind: FaultKind = FaultKind.SPEC
) -> Fault:
    """Return the fault that a problem is: its file is below a folder, or came with the package."""
    path = folder / problem.file
    shipped = find_shipped("specs")
    if shipped is not None and not os.path.lexists(path) and (shipped / problem.file).exists():
        path = shipped / problem.file
    return Fault(kind, shorten(path), problem.line, problem.column, problem.message, tuple(sorted(lost)))


def shorten(path: pathlib.Path) -> str:
    """Return a path as people type it: from the current folder, where it is below that."""
    here = pathlib.Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def find_faults(library: Library, problems: Iterable[Problem], folder: pathlib.Path) -> tuple[Fault, ...]:
    """Return the faults of the files that a library is without, each with all that is lost by its file."""
    lost = [(file, LostItem(kind, name)) for (kind, name), file in library.lost.items()]
    return tuple(
        make_fault(problem, folder, [item for file, item in lost if file == problem.file])
        for problem in sorted(set(problems))
    )


def find_rejected(readings: Iterable[ReadingResult]) -> tuple[Fault, ...]:
    """Return a fault for each file of the shipped evidence that is rejected, with the readings that it was for."""
    found: dict[tuple[str, str], list[str]] = {}
    for reading in readings:
        for item in reading.rejected:
            if item.fate is Fate.FAULT:
                found.setdefault((item.path, item.reason), []).append(reading.name)
    return tuple(
        Fault(FaultKind.EVIDENCE, path, 1, 1, f"{reason}; needed for {list_briefly(names)}; {_say_how(path, names[0])}")
        for (path, reason), names in sorted(found.items())
    )


def _say_how(path: str, name: str) -> str:
    """Say how a file of the shipped evidence is replaced."""
    folder = shlex.quote(str(pathlib.PurePath(path).parents[1]))
    return f"'verifier check {name.partition('/')[0]} --out {folder}' replaces it"


def list_briefly(names: Sequence[str]) -> str:
    """Return the first few of some names."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def fault_lines(faults: Iterable[Fault]) -> Iterator[str]:
    """Yield a line for each fault, and below those that lose the same a line that says what."""
    for cost, alike in itertools.groupby(faults, lambda fault: fault.cost):
        yield from map(str, alike)
        if cost:
            yield f"    {cost}"


def count_faults(faults: tuple[Fault, ...]) -> str:
    """Say how many faults there are, and how much was not checked."""
    kinds = Counter(item.kind for item in {item for fault in faults for item in fault.lost})
    plurals = {"strategy": "strategies", "definitions": "definitions", "rules": "rules", "coverage": "coverage"}
    lost = ", ".join(counted(kinds[kind], kind, plurals.get(kind, "")) for kind in sorted(kinds))
    return f"{counted(len(faults), 'fault')}{': not checked: ' if lost else ''}{lost}"
