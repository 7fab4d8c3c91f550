"""Compile a reading to the statement that the kernel decides on, in the kernel's own terms."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.kernel.statement import parse_statement
from verifier.kernel.steps import parse_steps
from verifier.language.collection import collection_paused
from verifier.language.compile.base import Compiled
from verifier.language.compile.bound import BoundCompiler
from verifier.language.compile.counts import CountCompiler
from verifier.language.compile.line import LineCompiler
from verifier.language.compile.plays import PlaysCompiler
from verifier.language.compile.steps import StepsCompiler
from verifier.language.compile.sums import SumCompiler
from verifier.language.folder import read_library
from verifier.language.library import Library
from verifier.language.loader import Path
from verifier.language.model import Claim
from verifier.language.problem import Problem, SpecProblemsError
from verifier.language.questions import Bound, Can, Count, LineReading, Plays, Reading, Steps, Sum, find_claimant
from verifier.language.scope import Scope
from verifier.language.spec import Spec
from verifier.language.strategy import ground_strategy

__all__ = ["Compiled", "compile_library", "compile_reading", "validate_folder"]


def compile_reading(library: Library, claim: str, reading: str) -> Compiled:
    """Compile one reading of one claim.

    Raises:
        SpecProblemsError: everything that is wrong with it, with file, line and column.
    """
    spec, model = library.claims[claim], library.claim(claim)
    scope = Scope(library, spec, model.rules_of(reading), model.includes, find_claimant(model.readings[reading]))
    compiled = _compile(model.readings[reading], (library, spec, model, scope, ("readings", reading)))
    if scope.problems:
        raise SpecProblemsError(scope.problems)
    return compiled


def _compile(model: Reading, context: tuple[Library, Spec, Claim, Scope, Path]) -> Compiled:
    if isinstance(model, Bound):
        return Compiled(BoundCompiler(*context).compile(model), {})
    if isinstance(model, Plays | Can):
        compiler = PlaysCompiler(*context)
        return Compiled(compiler.compile(model), {}, invariant=compiler.compile_invariant(model))
    if isinstance(model, Steps):
        return StepsCompiler(*context).compile(model)
    if isinstance(model, Count):
        return Compiled(CountCompiler(*context).compile(model), {})
    if isinstance(model, LineReading):
        return Compiled(LineCompiler(*context).compile(model), {})
    if isinstance(model, Sum):
        return Compiled(SumCompiler(*context).compile(model), {})
    return Compiled(None, {})


def validate_folder(folder: pathlib.Path) -> tuple[Library, dict[tuple[str, str], Compiled], list[Problem]]:
    """Read specs and compile every strategy and every reading.

    Returns:
        What is sound of the specs, their readings by claim and id, and what is wrong. The expressions of a file that
        is left out are not looked at.

    Raises:
        SpecProblemsError: there is no such file.
    """
    library, problems = read_library(folder)
    compiled, more = compile_library(library)
    return library, compiled, sorted({*problems, *more, *_refused(library, compiled)})


def _refused(library: Library, compiled: Mapping[tuple[str, str], Compiled]) -> Iterator[Problem]:
    """Yield what the kernel does not read of statements, which no expression of theirs shows."""
    for (claim, name), reading in compiled.items():
        statement = reading.statement or {"kind": ""}
        try:
            if statement["kind"] in _PARSERS:
                _PARSERS[statement["kind"]](statement)
        except SpecError as error:
            yield library.claims[claim].document.problem(("readings", name), str(error))


_PARSERS: dict[str, Callable[[dict[str, Any]], object]] = {"play": parse_statement, "steps": parse_steps}
"""The kinds that are not parsed where they are compiled: that takes as long again."""


@collection_paused()
def compile_library(library: Library) -> tuple[dict[tuple[str, str], Compiled], list[Problem]]:
    """Compile every strategy and every reading; return the readings by claim and id, and what is wrong."""
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
