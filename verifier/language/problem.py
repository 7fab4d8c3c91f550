"""What is wrong with a spec, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.near import LONGEST, find_near


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to fix; lines and columns count from 1.

    Attributes:
        missing: the kind and the name of the file that is not there, if that is all that is wrong.
    """

    file: str
    line: int
    column: int
    message: str
    missing: tuple[str, str] | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"

    @property
    def place(self) -> tuple[str, int, int, str]:
        """What is equal for problems that are one: a family, or a copy, reports one wrong text several times.

        Problems with a file as a whole are at its start, where each message is a problem of its own.
        """
        is_whole = (self.line, self.column) == (1, 1)
        return self.file, self.line, self.column, self.message if is_whole else ""


class SpecProblemsError(SpecError):
    """Everything that is wrong with the specs that were read, at once.

    Attributes:
        problems: everything that is wrong.
        lines: the problems as printed for people.
    """

    def __init__(self, problems: Iterable[Problem], lines: Iterable[str] = ()) -> None:
        self.problems = tuple(sorted(set(problems)))
        self.lines = [*lines] or [*map(str, self.problems)]
        super().__init__("\n".join(self.lines))

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle needs to make it in another process."""
        return type(self), (self.problems, self.lines)


def first_of_each_place(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems in order, the first for each place."""
    return list({problem.place: problem for problem in sorted(set(problems), reverse=True)}.values())[::-1]


def suggest(name: str, known: Iterable[str]) -> str:
    """Return ``: did you mean …?`` if a known name is near; empty otherwise."""
    names = sorted({other for other in known if len(other) <= LONGEST})
    close = [other for other in names if other.startswith(name if len(name) > 1 else f"{name}_")]
    close = close or find_near(name, names)
    return f": did you mean {' or '.join(map(repr, close[:3]))}?" if close else ""
