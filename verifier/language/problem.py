"""What is wrong with a spec, and where."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.errors import SpecError


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to mend; lines and columns count from 1.

    Attributes:
        missing: the kind and the name of what is not there, where that is all that is wrong.
    """

    file: str
    line: int
    column: int
    message: str
    missing: tuple[str, str] | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


Costs = dict[str, set[str]]
"""The claims that are lost to faults of other files, by the file at fault."""
_NAMED = 3


class SpecProblemsError(SpecError):
    """Everything that is wrong with the specs that were read, at once."""

    def __init__(self, problems: Iterable[Problem], costs: Mapping[str, set[str]] | None = None) -> None:
        self.problems = tuple(sorted(set(problems)))
        self.lines = describe_problems(self.problems, costs or {})
        super().__init__("\n".join(self.lines))

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how another process makes it again."""
        return type(self), (self.problems,), {"lines": self.lines}


def describe_problems(problems: Iterable[Problem], costs: Mapping[str, set[str]]) -> list[str]:
    """Return a line for each problem, and under those of a file a line with the claims that it costs."""
    lines: list[str] = []
    for file, found in itertools.groupby(sorted(set(problems)), lambda problem: problem.file):
        lines += map(str, found)
        names = sorted(costs.get(file, ()))
        if names:
            rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            claims = "1 claim needs" if len(names) == 1 else f"{len(names)} claims need"
            lines.append(f"    {claims} this file: {', '.join(names[:_NAMED])}{rest}")
    return lines


def suggest(name: str, known: Iterable[str]) -> str:
    """Return ``: did you mean …?`` where a known name is near; nothing otherwise."""
    names = sorted(set(known))
    close = [other for other in names if other.startswith(name if len(name) > 1 else f"{name}_")]
    close = close or difflib.get_close_matches(name, names, 2, 0.7)
    return f": did you mean {' or '.join(map(repr, close[:3]))}?" if close else ""
