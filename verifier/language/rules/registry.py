"""The compilers of rules files, by family. ``compile_rules`` compiles a rules file to a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.registry import FAMILIES, parse_rules
from verifier.kernel.statement import Statement
from verifier.language.loader import Document
from verifier.language.problem import Problem
from verifier.language.rules.file import DataCompiler, RulesCompiler, RulesFile
from verifier.language.rules.general import GeneralCompiler
from verifier.language.rules.nested import NestedCompiler
from verifier.language.rules.positional import PositionalCompiler

COMPILERS: dict[str, type[RulesCompiler[Any]]] = {
    "general": GeneralCompiler,
    "nested": NestedCompiler,
    "positional": PositionalCompiler,
}
"""The compiler of each family that has its own clauses. Rules of other families are data (``DataCompiler``)."""


class UnknownRules(RulesFile, extra="ignore"):
    """Rules of an unknown family. Their clauses cannot be checked."""


def find_model(value: Mapping[str, Any]) -> type[RulesFile]:
    """Return the model of a rules file, which depends on its family."""
    family = value.get("family")
    if not isinstance(family, str) or family not in FAMILIES:
        return UnknownRules
    return COMPILERS.get(family, DataCompiler).FILE


def list_symmetries(data: Mapping[str, Any], statement: Statement) -> list[list[int]] | None:
    """Return symmetries of a statement about plays (see ``RulesCompiler.list_symmetries``).

    The compiler of the statement's family finds them. The list is empty for a family that has no such function.
    """
    return COMPILERS.get(statement.game.family, DataCompiler).list_symmetries(data, statement)


def compile_rules(model: RulesFile, document: Document) -> tuple[Game | None, list[Problem]]:
    """Return the game of a rules file, and its problems. The game is None if there are problems."""
    if isinstance(model, UnknownRules):
        text = f"unknown family of games {model.family!r}: use {' or '.join(FAMILIES)}"
        return None, [document.problem(("family",), text)]
    compiler = COMPILERS.get(model.family, DataCompiler)(model, document)
    data = compiler.compile()
    if compiler.problems:
        return None, compiler.problems
    try:
        return parse_rules({**data, "family": model.family}), []
    except SpecError as error:
        return None, [document.problem((), f"these rules are not valid: {error}")]
