"""What a file sees: the definitions that it includes, and the expressions that are grounded by them."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Sequence
from typing import Any

from verifier.language.expressions import Grounder
from verifier.language.library import Library
from verifier.language.loader import Path
from verifier.language.model import DefinitionsFile, find_kind
from verifier.language.names import RELATIVE, Active, Definition, Names
from verifier.language.problem import Problem
from verifier.language.spec import Spec
from verifier.language.syntax import ExpressionError, parse_definition_head, parse_expression, spell_picture

_RELATIVE = re.compile(rf"\b({'|'.join(RELATIVE)})\b")
Text = str | int | bool
"""An expression, as the model of a file has it."""

MAX_FAMILY = 20_000
"""How many members a family may have, of all its variables together."""


def define_names(
    library: Library, rules: str, specs: Sequence[Spec[Any]], player: str | None = None
) -> tuple[Names, list[Problem]]:
    """Return what the definitions of some files mean, one file after the other, and what is wrong with the files.

    Files that begin alike share their names, and with them whatever was found to be meant by these; only what has words
    relative to a player is not the same for both.
    """
    defined: list[dict[str, Text]] = [getattr(spec.model, "define", {}) for spec in specs]
    if not any(_RELATIVE.search(str(body)) for bodies in defined for body in bodies.values()):
        player = None
    key = (rules, player or "", *(" ".join(find_kind(spec.document.value)) for spec in specs))
    if key in library.made.names:
        return library.made.names[key]
    problems: list[Problem] = []
    if not specs:
        names = Names(library.rules.game(rules), library.made.nodes)
    else:
        names, before = define_names(library, rules, specs[:-1], player)
        names, problems = names.extend(player), [*before]
        for head, body in defined[-1].items():
            try:
                name, parameters = parse_definition_head(head)
                names.define(Definition(name, parameters, parse_expression(spell_picture(str(body)))))
            except ExpressionError as error:
                place = specs[-1].document.text_problem(("define", head), error.line, error.offset, str(error))
                problems.append(place)
    library.made.names[key] = names, problems
    return names, problems


def included_specs(library: Library, included: Iterable[str]) -> list[Spec[DefinitionsFile]]:
    """Return files of definitions and all that they include, each once and after those that it includes."""
    found: dict[str, Spec[DefinitionsFile]] = {}

    def include(name: str) -> None:
        if name not in found:
            for other in library.definitions[name].model.includes:
                include(other)
            found[name] = library.definitions[name]

    for name in included:
        include(name)
    return list(found.values())


class Scope:
    """The definitions that a file sees, and the problems met while its expressions are grounded."""

    def __init__(self, library: Library, spec: Spec[Any], rules: str, player: str | None = None) -> None:
        self.document = spec.document
        specs = [*included_specs(library, spec.model.includes), spec]
        names, problems = define_names(library, rules, specs, player)
        self.names = names.extend(player)
        self.problems = [*problems]
        self.grounder = Grounder(self.names)

    def formula(self, path: Path, text: Text, env: dict[str, int], *, is_after_step: bool = False) -> Any:
        """Ground an expression that is true or false; on a problem, note it and return ``True``."""
        try:
            return self.grounder.formula(parse_expression(str(text)), env, is_after_step=is_after_step)
        except ExpressionError as error:
            self._note(path, error)
            return True

    def integer(self, path: Path, text: Text, env: dict[str, int], *, or_active: bool) -> int | Active:
        """Ground an integer, or the active field; on a problem, note it and return 0."""
        try:
            return self.grounder.integer(parse_expression(str(text)), env, or_active=or_active)
        except ExpressionError as error:
            self._note(path, error)
            return 0

    def families(
        self, path: Path, family: dict[str, Text], env: dict[str, int], limit: int = MAX_FAMILY
    ) -> list[dict[str, int]]:
        """Return the members of a family: assignments of its variables, added to ``env``."""
        members = [env]
        for name, text in family.items():
            before, members = members, []
            for member in before:
                try:
                    is_taken = name in member or self.names.is_reserved(name) or keyword.iskeyword(name)
                    if is_taken or not name.isidentifier():
                        raise ExpressionError(f"the variable {name!r} has a meaning already, or is not a name")
                    values = self.grounder.integers(parse_expression(str(text)), member)
                    if len(set(values)) != len(values):
                        raise ExpressionError(f"'for' gives {name!r} the same value twice")
                    if len(members) + len(values) > limit:
                        raise ExpressionError(f"'for' has at most {limit} values")
                except ExpressionError as error:
                    self._note((*path, name), error)
                    return []
                members += [{**member, name: value} for value in values]
        return members

    def _note(self, path: Path, error: ExpressionError) -> None:
        problem = self.document.text_problem(path, error.line, error.offset, str(error))
        # An expression is grounded for each member of a family: what fails at one place for several is one fault.
        if all((problem.line, problem.column) != (other.line, other.column) for other in self.problems):
            self.problems.append(problem)
