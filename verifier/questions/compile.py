"""Compile readings to statements in the kernel's terms."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable

from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.kinds import find_kind
from verifier.language.folder import read_library
from verifier.language.library import Library
from verifier.language.made import SpecText
from verifier.language.problem import Problem, SpecProblemsError, keep_first_of_each_place
from verifier.language.scope import ground_strategy
from verifier.language.sharing import collection_paused
from verifier.questions.compiler import CompiledReading
from verifier.questions.registry import GRAMMAR, find_question


def compile_reading(library: Library, claim: str, reading: str) -> CompiledReading:
    """Compile one reading of one claim.

    Raises:
        SpecProblemsError: the reading has problems. The error lists them with file, line and column.
    """
    spec = library.claims[claim]
    model = spec.model.readings[reading]
    compiler_class, rules = find_question(model.question).compiler, spec.model.rules_of(reading)
    compiler = compiler_class(library, spec, rules, model.claimant, ("readings", reading))
    compiled = compiler.compile(model)
    if compiler.problems:
        raise SpecProblemsError(compiler.problems)
    return compiled


@collection_paused()
def validate_folder(
    folder: pathlib.Path, made: Iterable[SpecText] = ()
) -> tuple[Library, dict[tuple[str, str], CompiledReading], list[Problem]]:
    """Read specs, compile every strategy and every reading, and have the kernel read the statements.

    Args:
        folder: the folder of the specs; ``NO_FOLDER`` if there are only specs made in Python.
        made: specs that are made in Python.

    Returns:
        The specs, their compiled readings by claim and id, and all problems. ``read_library`` leaves out files with
        problems, so no expression in these files is checked.

    Raises:
        SpecProblemsError: the folder has no spec files.
    """
    library, problems = read_library(folder, GRAMMAR, made=made)
    readings: dict[tuple[str, str], CompiledReading] = {}
    problems += [problem for name in library.strategies for problem in ground_strategy(library, name)[1]]
    for claim, spec in library.claims.items():
        for name in spec.model.readings:
            try:
                compiled = readings[claim, name] = compile_reading(library, claim, name)
                if compiled.statement is not None:
                    find_kind(compiled.statement).parse(compiled.statement)
            except SpecProblemsError as error:
                problems += error.problems
            except (SpecError, CertificateError) as error:
                problems.append(spec.document.problem(("readings", name), str(error.args[-1])))
    return library, readings, keep_first_of_each_place(problems)
