"""Compile a reading to the statement that the kernel decides on, in the kernel's own terms."""

from __future__ import annotations

from typing import Any

from verifier.kernel.errors import NotationError
from verifier.kernel.games import Game
from verifier.language.compile.base import Compiled
from verifier.language.compile.bound import BoundCompiler
from verifier.language.compile.line import LineCompiler
from verifier.language.compile.plays import PlaysCompiler
from verifier.language.compile.steps import StepsCompiler
from verifier.language.compile.tables import TablesCompiler
from verifier.language.connective import conjunction
from verifier.language.library import Library, Scope, Spec
from verifier.language.loader import Path
from verifier.language.model import Bound, Claim, Entailment, Exhaustive, Force, Induction, Reading, Replay, Tables
from verifier.language.names import Formula
from verifier.language.problem import Problem, SpecProblemsError
from verifier.language.strategy import ground_strategy

__all__ = ["Compiled", "compile_library", "compile_reading", "diagram_formula", "validate_library"]


def compile_reading(library: Library, claim: str, reading: str) -> Compiled:
    """Compile one reading of one claim.

    Raises:
        SpecProblemsError: everything that is wrong with it, with file, line and column.
    """
    spec, model = library.claims[claim], library.claim(claim)
    scope = Scope(library, spec, model.rules_of(reading), model.includes)
    for name, text in model.diagrams.items():
        path: Path = ("diagrams", name)
        try:
            scope.define_formula(path, name, Formula(diagram_formula(scope.names.game, text)))
        except NotationError as error:
            scope.problems.append(spec.document.problem(path, str(error)))
    compiled = _compile(model.readings[reading], (library, spec, model, scope, ("readings", reading)))
    if scope.problems:
        raise SpecProblemsError(scope.problems)
    return compiled


def _compile(model: Reading, context: tuple[Library, Spec, Claim, Scope, Path]) -> Compiled:
    if isinstance(model, Bound):
        return Compiled(BoundCompiler(*context).compile(model), {})
    if isinstance(model, Exhaustive | Force):
        return Compiled(PlaysCompiler(*context).compile(model), {})
    if isinstance(model, Induction | Entailment):
        return StepsCompiler(*context).compile(model)
    if isinstance(model, Replay):
        return Compiled(LineCompiler(*context).compile(model), {})
    if isinstance(model, Tables):
        names = tuple(model.among) or (context[2].rules,)
        return Compiled(TablesCompiler(*context).compile(model), {}, names)
    return Compiled(None, {})


def validate_library(library: Library) -> list[Problem]:
    """Compile every strategy and every reading; return everything that is wrong."""
    return compile_library(library)[1]


def compile_library(library: Library) -> tuple[dict[tuple[str, str], Compiled], list[Problem]]:
    """Compile every strategy and every reading; return the readings by claim and id, and everything that is wrong."""
    found: dict[tuple[str, str], Compiled] = {}
    problems: list[Problem] = []
    for name in library.strategies:
        problems += ground_strategy(library, name)[1]
    for name in library.claims:
        for reading in library.claim(name).readings:
            try:
                found[name, reading] = compile_reading(library, name, reading)
            except SpecProblemsError as error:
                problems += error.problems
    return found, sorted(set(problems))


def diagram_formula(game: Game, text: str) -> Any:
    """Return the formula that the marks on the board are those of a picture: nine rows of nine ``.XO``.

    Raises:
        NotationError: it is no such picture.
    """
    rows = text.split()
    if len(rows) != 9 or any(len(row) != 9 or set(row) - set(".XO") for row in rows) or "active" not in game.vocabulary:
        raise NotationError("a diagram is nine rows of nine of .XO, of a game on nine fields")
    parts: list[Any] = []
    for f in range(9):
        for s in range(9):
            cell = rows[f // 3 * 3 + s // 3][f % 3 * 3 + s % 3]
            parts.append([{"X": "X", "O": "O", ".": "free"}[cell], f, s])
    return conjunction(parts)
