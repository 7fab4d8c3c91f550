"""The parts that rules files of all families share, and the base class of their compilers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import Field

from verifier.kernel.statement import Statement
from verifier.language.loader import Document, KeyPath
from verifier.language.problem import Problem
from verifier.language.shape import Identifier, PlaceText, RulesName, Sentence, SourcePlace, StrictModel

IN_BRACES = re.compile(r"\{([a-z]\w*)\}")
"""A variable in a template of moves."""


class Clause(StrictModel):
    """A part of the rules, such as ``board``.

    A clause whose only key is ``place`` is the same for all games of the family.
    """

    place: PlaceText | None = None


@dataclass(frozen=True, slots=True)
class MoveTemplate:
    """How moves are written: a text with variables in braces.

    Attributes:
        variables: for each variable in braces, in the order of the text, its index in the numbers of a move.
        index: the first number of each move with this template. Moves with other templates have another first number.
            None if the rules have only one template.
    """

    variables: dict[str, int]
    index: int | None

    def has_move(self, numbers: tuple[int, ...], values: dict[str, int]) -> bool:
        """Say whether a move, given by its numbers, has this template, with these values of the variables."""
        is_own = self.index is None or numbers[0] == self.index
        return is_own and all(numbers[place] == values[name] for name, place in self.variables.items())


class RulesFile(StrictModel):
    """The keys that the rules of every family have. Each family adds its clauses."""

    KEPT: ClassVar[frozenset[KeyPath]] = frozenset()
    """Paths of maps. If an entry of such a map has variables, the compiler of the family writes it out for all their
    values. The module ``templates`` leaves such an entry as it is."""

    rules: RulesName
    title: Sentence
    source: SourcePlace
    family: Identifier

    def find_templates(self) -> dict[str, MoveTemplate]:
        """Return the templates of moves, such as ``{s}-{t}``; empty if the family writes moves in one fixed way."""
        return {}

    def find_own_names(self) -> dict[str, str]:
        """Return names that other files cannot use under these rules, each with a message for files that use it."""
        return {}

    def place_of(self, clause: Clause | None) -> str:
        """Return the place of a clause in the source; if the clause has none, the place of the rules."""
        return (clause and clause.place) or self.source.place


F_co = TypeVar("F_co", bound=RulesFile, covariant=True)


@dataclass(slots=True)
class RulesCompiler(Generic[F_co]):
    """Compiles one rules file. If ``compile`` adds no problems, the data that it returns are complete.

    Attributes:
        FILE: the model of a file. Its clauses are in the order in which people read them.
    """

    FILE: ClassVar[type[RulesFile]]

    model: F_co
    document: Document
    problems: list[Problem] = field(default_factory=list)

    def compile(self) -> dict[str, Any]:
        """Return the data of the rules, as statements have them, without the name of the family."""
        raise NotImplementedError

    @staticmethod
    def list_symmetries(data: Mapping[str, Any], statement: Statement) -> list[list[int]] | None:
        """Return permutations that generate all symmetries of a statement; None if they could not all be found.

        Args:
            data: a statement about plays.
            statement: the same statement, as the kernel reads it.
        """
        return []

    def fault(self, path: KeyPath, message: str) -> None:
        """Add a problem."""
        self.problems.append(self.document.problem(path, message))


class DataClause(Clause):
    """The data of the rules, as a statement has them."""

    is_: dict[str, Any] = Field(alias="is", description="the data of the rules, for a family of your own")


class DataRules(RulesFile):
    """The rules of a family that has no clauses of its own."""

    board: DataClause


class DataCompiler(RulesCompiler[DataRules]):
    """Takes the data from the file unchanged. The kernel raises an error if they are not valid rules."""

    FILE = DataRules

    def compile(self) -> dict[str, Any]:
        """Return the data in the clause ``board``."""
        return self.model.board.is_
