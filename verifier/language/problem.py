"""Problems in specs: what is wrong, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.near import LONGEST, find_near

LACKED = " is missing from "
"""Stands, in the message of a problem, between the name of a key and the path of the map that lacks it."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to fix. Lines and columns are counted from 1.

    Attributes:
        missing: the kind and the id of a file, if the problem is only that this file is missing; otherwise None.
        key: if the spec was made from Python values, the keys that lead to the problem, joined by dots; otherwise None.
    """

    file: str
    line: int
    column: int
    message: str
    missing: tuple[str, str] | None = field(default=None, compare=False)
    key: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.key is None:
            return f"{self.file}:{self.line}:{self.column}: {self.message}"
        is_named = not self.key or self.message.startswith(f"{self.key}:")
        return f"{self.file}: {self.message}" if is_named else f"{self.file}: {self.key}: {self.message}"

    @property
    def place(self) -> tuple[str, int, int, str]:
        """A value by which problems are compared: problems with equal values count as one."""
        # The keys ``for`` and ``like`` of a spec can make several copies of a wrong text. The problems of these copies
        # have the same place, and count as one, even if their messages differ. All problems of a whole file have the
        # same place, the start of the file. So their messages are compared too.
        # If a map lacks several keys, the problems have the place of the map. So the name of the key is compared.
        is_whole = (self.line, self.column) == (1, 1)
        lacked, lacks_key, _ = self.message.partition(LACKED)
        return self.file, self.line, self.column, self.message if is_whole else lacked if lacks_key else ""


class SpecProblemsError(SpecError):
    """An error that lists all problems of the specs that were read.

    Attributes:
        problems: the problems.
        lines: the same problems, in the form in which they are printed.
    """

    def __init__(self, problems: Iterable[Problem], lines: Iterable[str] = ()) -> None:
        self.problems = tuple(sorted(set(problems)))
        self.lines = [*lines] or [*map(str, self.problems)]
        super().__init__("\n".join(self.lines))

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling: the error is sent from one process to another."""
        return type(self), (self.problems, self.lines)


def keep_first_of_each_place(problems: Iterable[Problem]) -> list[Problem]:
    """Sort problems. If several have the same ``place``, return only the first of them."""
    return list({problem.place: problem for problem in sorted(set(problems), reverse=True)}.values())[::-1]


def suggest(name: str, known: Iterable[str]) -> str:
    """Return ``: did you mean …?`` if a known name is similar; otherwise an empty string."""
    names = sorted({other for other in known if len(other) <= LONGEST})
    close = [other for other in names if other.startswith(name if len(name) > 1 else f"{name}_")]
    close = close or find_near(name, names)
    return f": did you mean {' or '.join(map(repr, close[:3]))}?" if close else ""
