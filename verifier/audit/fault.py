"""Faults: problems that make a run fail, such as a wrong spec file. The ledger lists them; every format prints them."""

from __future__ import annotations

import enum
import itertools
import os
import pathlib
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verifier.files import find_shipped
from verifier.kernel.words import counted
from verifier.language.problem import Problem
from verifier.questions.result import Fate, LedgerValue, ReadingResult

if TYPE_CHECKING:
    from verifier.language.outline import AnyLibrary

_NAMED = 4


class FaultKind(enum.StrEnum):
    """The kind of a fault."""

    SPEC = "spec fault"
    EVIDENCE = "evidence rejected"
    ENDED = "run ended"
    STOPPED = "run stopped"
    UNWRITTEN = "cannot write"
    INTERNAL = "internal error"


@dataclass(frozen=True, slots=True, order=True)
class LostItem(LedgerValue):
    """Something that was not checked."""

    kind: str
    """reading, or the kind of a spec file: claim, strategy, definitions, rules, document, coverage, errata"""
    name: str
    """the id; for a reading, CLAIM/READING"""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Fault(LedgerValue):
    """A problem that makes a run fail."""

    kind: FaultKind
    """'spec fault': a spec file is wrong, or cannot be read. 'evidence rejected': a file of the shipped evidence is
    wrong, or cannot be read. 'run ended': a process of the run died. 'run stopped': a signal or an error stopped the
    run. 'cannot write': a report, standard output or a file of evidence could not be written. 'internal error': this
    tool has a bug"""
    file: str
    """the file, relative to the current folder if it is below that folder; empty if the fault is not about a file"""
    line: int
    """the line, counted from 1"""
    column: int
    """the column, in characters, counted from 1"""
    message: str
    """what is wrong, in one line"""
    lost: tuple[LostItem, ...] = ()
    """the readings and spec files that were not checked because of the fault"""

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.file else self.text

    @property
    def place(self) -> str:
        """The place of the fault: FILE for a file of evidence, else FILE:LINE:COLUMN."""
        return self.file if self.kind is FaultKind.EVIDENCE else f"{self.file}:{self.line}:{self.column}"

    @property
    def text(self) -> str:
        """The kind of the fault and the message; for a spec fault, only the message."""
        return self.message if self.kind is FaultKind.SPEC else f"{self.kind}: {self.message}"

    @property
    def cost(self) -> str:
        """The first few things that were not checked because of the fault, as text; empty if there are none."""
        return f"not checked: {list_briefly([*map(str, self.lost)])}" if self.lost else ""


def unwritten_fault(name: str, error: OSError) -> Fault:
    """Return the fault for something that could not be written."""
    return Fault(FaultKind.UNWRITTEN, "", 1, 1, f"{name}: {error.strerror or error}")


def make_fault(
    problem: Problem, folder: pathlib.Path, lost: Iterable[LostItem] = (), kind: FaultKind = FaultKind.SPEC
) -> Fault:
    """Return the fault for a problem of a spec."""
    if problem.key is not None:
        return Fault(kind, "", 1, 1, str(problem), tuple(sorted(lost)))
    path = find_path(problem.file, folder)
    return Fault(kind, shorten_path(path), problem.line, problem.column, problem.message, tuple(sorted(lost)))


def find_path(file: str, folder: pathlib.Path) -> pathlib.Path:
    """Return the path of a spec file: in a folder or, if it is not there, among the shipped specs.

    If the file is in neither, as for a spec made in Python, return ``file`` unchanged.
    """
    homes = (folder, find_shipped("specs") or folder)
    return next((home / file for home in homes if os.path.lexists(home / file)), pathlib.Path(file))


def shorten_path(path: pathlib.Path) -> str:
    """Return a path relative to the current folder, if it is below that folder; else unchanged."""
    here = pathlib.Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def find_faults(library: AnyLibrary, problems: Iterable[Problem], folder: pathlib.Path) -> tuple[Fault, ...]:
    """Return a fault for each problem in spec files. Each fault lists the specs left out because of its file."""
    lost = [(file, LostItem(kind, name)) for (kind, name), file in library.lost.items()]
    return tuple(
        make_fault(problem, folder, [item for file, item in lost if file == problem.file])
        for problem in sorted(set(problems))
    )


def find_rejected(readings: Iterable[ReadingResult]) -> tuple[Fault, ...]:
    """Return a fault for each rejected file of the shipped evidence, with the readings that need the file."""
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
    """Say which command replaces a file of the shipped evidence."""
    folder = shlex.quote(str(pathlib.PurePath(path).parents[1]))
    return f"'verifier check {name.partition('/')[0]} --out {folder}' replaces it"


def list_briefly(names: Sequence[str]) -> str:
    """Return the first few names as text, with the number of the others."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def fault_lines(faults: Iterable[Fault]) -> Iterator[str]:
    """Yield a line for each fault, and then a line with what was not checked because of it.

    If faults in a row have the same ``cost``, that line is printed once, after the last of these faults.
    """
    for cost, alike in itertools.groupby(faults, lambda fault: fault.cost):
        yield from map(str, alike)
        if cost:
            yield f"    {cost}"


def count_faults(faults: tuple[Fault, ...]) -> str:
    """Return the number of faults, and of the things that were not checked, as text."""
    kinds = Counter(item.kind for item in {item for fault in faults for item in fault.lost})
    plurals = {kind: kind for kind in ("definitions", "rules", "coverage", "errata")} | {"strategy": "strategies"}
    lost = ", ".join(counted(kinds[kind], kind, plurals.get(kind, "")) for kind in sorted(kinds))
    return f"{counted(len(faults), 'fault')}{': not checked: ' if lost else ''}{lost}"
