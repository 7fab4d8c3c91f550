"""What a file sees: the definitions that it includes, and the expressions that are grounded by them."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from verifier.language.expressions import Grounder
from verifier.language.library import Library
from verifier.language.loader import Path
from verifier.language.model import find_kind
from verifier.language.names import RELATIVE, Definition, Names
from verifier.language.problem import Problem
from verifier.language.spec import Spec
from verifier.language.syntax import ExpressionError, parse_definition_head, parse_expression, spell_picture

_RELATIVE = re.compile(rf"\b({'|'.join(RELATIVE)})\b")
MAX_FAMILY = 20_000
"""How many members a family may have, of all its variables together."""


def define_names(
    library: Library, rules: str, specs: Sequence[Spec], player: str | None = None
) -> tuple[Names, list[Problem]]:
    """Return what the definitions of some files mean, one file after the other, and what is wrong with the files.

    Files that begin alike share their names, and with them whatever was found to be meant by these; only what has words
    relative to a player is not the same for both.
    """
    player = player if any(map(_is_relative, specs)) else None
    key = (rules, player or "", *(" ".join(find_kind(spec.document.value)) for spec in specs))
    if key not in library.made.names:
        problems: list[Problem] = []
        if specs:
            names, problems = define_names(library, rules, specs[:-1], player)
            names, problems = names.extend(player), [*problems]
            problems += _define(names, specs[-1])
        else:
            names = Names(library.rules.game(rules), library.made.nodes)
        library.made.names[key] = names, problems
    return library.made.names[key]


def _is_relative(spec: Spec) -> bool:
    """Say whether the definitions of a file have words relative to a player."""
    return any(_RELATIVE.search(str(body)) for body in getattr(spec.model, "define", {}).values())


def _define(names: Names, spec: Spec) -> Iterator[Problem]:
    for head, body in getattr(spec.model, "define", {}).items():
        try:
            name, parameters = parse_definition_head(head)
            names.define(Definition(name, parameters, parse_expression(spell_picture(str(body)))))
        except ExpressionError as error:
            yield spec.document.text_problem(("define", head), error.line, error.offset, str(error))


def included_specs(library: Library, included: Iterable[str]) -> list[Spec]:
    """Return files of definitions and all that they include, each once and after those that it includes."""
    found: dict[str, Spec] = {}
    met: set[str] = set()

    def include(name: str) -> None:
        if name in met:
            return
        met.add(name)
        spec = library.definitions[name]
        for other in spec.model.includes:
            include(other)
        found[name] = spec

    for name in included:
        include(name)
    return list(found.values())


class Scope:
    """The definitions that a file sees, and the problems met while its expressions are grounded."""

    def __init__(
        self, library: Library, spec: Spec, rules: str, included: Iterable[str], player: str | None = None
    ) -> None:
        self.document = spec.document
        names, problems = define_names(library, rules, [*included_specs(library, included), spec], player)
        self.names = names.extend(player)
        self.problems = [*problems]
        self.grounder = Grounder(self.names)

    def formula(self, path: Path, text: str | int | bool, env: dict[str, int], *, is_after_step: bool = False) -> Any:
        """Ground an expression that is true or false; on a problem, note it and return ``True``."""
        try:
            return self.grounder.formula(parse_expression(str(text)), env, is_after_step=is_after_step)
        except ExpressionError as error:
            return self._note(path, error, True)

    def integer(self, path: Path, text: str | int | bool, env: dict[str, int]) -> int:
        """Ground an integer; on a problem, note it and return 0."""
        try:
            return self.grounder.integer(parse_expression(str(text)), env)
        except ExpressionError as error:
            return int(self._note(path, error, 0))

    def integers(self, path: Path, text: str | int | bool, env: dict[str, int]) -> list[int]:
        """Ground a list of integers; on a problem, note it and return an empty one."""
        try:
            return self.grounder.integers(parse_expression(str(text)), env)
        except ExpressionError as error:
            noted: list[int] = self._note(path, error, [])
            return noted

    def families(
        self, path: Path, family: dict[str, str | int | bool], env: dict[str, int], limit: int = MAX_FAMILY
    ) -> list[dict[str, int]]:
        """Return the members of a family: assignments of its variables, added to ``env``."""
        members = [env]
        for name, text in family.items():
            grown: list[dict[str, int]] = []
            for member in members:
                try:
                    is_taken = name in member or self.names.is_reserved(name) or keyword.iskeyword(name)
                    if is_taken or not name.isidentifier():
                        raise ExpressionError(f"the variable {name!r} has a meaning already, or is not a name")
                    values = self.grounder.integers(parse_expression(str(text)), member)
                    if len(set(values)) != len(values):
                        raise ExpressionError(f"'for' gives {name!r} the same value twice")
                    if len(grown) + len(values) > limit:
                        raise ExpressionError(f"'for' has at most {limit} values")
                except ExpressionError as error:
                    self._note((*path, name), error, None)
                    return []
                grown += [{**member, name: value} for value in values]
            members = grown
        return members

    def _note(self, path: Path, error: ExpressionError, value: Any) -> Any:
        problem = self.document.text_problem(path, error.line, error.offset, str(error))
        # An expression is grounded for each member of a family: what fails at one place for several is one fault.
        if all((problem.line, problem.column) != (other.line, other.column) for other in self.problems):
            self.problems.append(problem)
        return value
