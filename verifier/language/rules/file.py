"""What the rules files of all families have in common, and what turns one into the data that statements carry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import Field

from verifier.language.loader import Document, Path
from verifier.language.problem import Problem
from verifier.language.shape import Identifier, Place, RulesName, Sentence, Source, Strict


class Clause(Strict):
    """A part of the rules; one that says nothing but its place is the same in all rules of the family."""

    place: Place | None = None


class RulesFile(Strict):
    """The rules of a game, clause by clause: the keys that every family has. Each family adds its clauses."""

    rules: RulesName
    title: Sentence
    source: Source
    family: Identifier

    def place_of(self, clause: Clause | None) -> str:
        """Return where the source has a clause: where it has the rules, unless the clause says it."""
        return (clause and clause.place) or self.source.place


F_co = TypeVar("F_co", bound=RulesFile, covariant=True)


@dataclass(slots=True)
class RulesCompiler(Generic[F_co]):
    """Compiles one file. The data that ``compile`` returns are complete if it adds no problems.

    Attributes:
        FILE: the model of a file, which has the clauses in the order in which people read them.
    """

    FILE: ClassVar[type[RulesFile]]

    model: F_co
    document: Document
    problems: list[Problem] = field(default_factory=list)

    def compile(self) -> dict[str, Any]:
        """Return the rules as a statement carries them, without the name of the family."""
        raise NotImplementedError

    def fault(self, path: Path, message: str) -> None:
        """Note a fault."""
        self.problems.append(self.document.problem(path, message))


class DataClause(Clause):
    """The rules as a statement carries them."""

    is_: dict[str, Any] = Field(alias="is", description="the data of a family of your own")


class DataRules(RulesFile):
    """The rules of a family that has no clauses of its own."""

    board: DataClause


class DataCompiler(RulesCompiler[DataRules]):
    """Takes the data as they are. The kernel refuses what are not rules."""

    FILE = DataRules

    def compile(self) -> dict[str, Any]:
        """Return what the board ``is``."""
        return self.model.board.is_
