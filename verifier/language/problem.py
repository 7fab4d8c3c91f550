"""What is wrong with a spec, and where."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.kernel.errors import SpecError


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to mend; lines and columns count from 1."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class SpecProblemsError(SpecError):
    """Everything that is wrong with the specs that were read, at once."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))
