"""What is wrong with a spec, and where."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.errors import SpecError


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to fix; lines and columns count from 1.

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


class SpecProblemsError(SpecError):
    """Everything that is wrong with the specs that were read, at once.

    Attributes:
        problems: all of it.
        lines: the same as printed for people.
    """

    def __init__(self, problems: Iterable[Problem], lines: Iterable[str] = ()) -> None:
        self.problems = tuple(sorted(set(problems)))
        self.lines = [*lines] or [*map(str, self.problems)]
        super().__init__("\n".join(self.lines))

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how another process makes it again."""
        return type(self), (self.problems, self.lines)


def suggest(name: str, known: Iterable[str]) -> str:
    """Return ``: did you mean …?`` where a known name is near; nothing otherwise."""
    names = sorted(set(known))
    close = [other for other in names if other.startswith(name if len(name) > 1 else f"{name}_")]
    close = close or difflib.get_close_matches(name, names, 2, 0.7)
    return f": did you mean {' or '.join(map(repr, close[:3]))}?" if close else ""
