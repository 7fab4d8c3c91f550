"""Turns expressions and strategies into formulas, with the definitions that their file has or includes."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Mapping, Sequence
from typing import Any

from verifier.kernel.errors import NotationError
from verifier.kernel.games import Move
from verifier.language.evaluator import Env, OldPosition
from verifier.language.expressions import Grounder
from verifier.language.library import Library
from verifier.language.loader import KeyPath
from verifier.language.model import Phase, find_file_kind
from verifier.language.names import ACTIVE, Definition
from verifier.language.operators import conjunction
from verifier.language.outline import follow
from verifier.language.problem import Problem
from verifier.language.rules.file import MoveTemplate
from verifier.language.spec import Spec
from verifier.language.syntax import (
    DefinitionFaultError,
    ExpressionError,
    KnownFaultError,
    parse_definition_head,
    parse_expression,
    say_group,
)

Text = str | int | bool
"""An expression in the model of a file."""

GivenMove = Sequence[Text] | Mapping[str, Sequence[Text]]
"""A move in the model of a file: a list of numbers, or a template with the values of its variables."""

MAX_FAMILY = 20_000
"""Maximum number of members of a *family*, the map at a ``for``. A *member* is a choice of values for its variables."""

MAX_MEMBERS = 200_000
"""Maximum number of members of all families of a reading or of a strategy together."""


def define_names(library: Library, rules: str, specs: Sequence[Spec[Any]]) -> tuple[Grounder, list[Problem]]:
    """Return the names that are known after ``specs`` are read in this order, and the problems found in ``specs``.

    The result is cached.
    """
    # Two lists of specs that begin alike share the names of their common part, and the cached meanings of these names.
    key = (rules, *(" ".join(find_file_kind(spec.document.value)) for spec in specs))
    if key in library.names:
        return library.names[key]
    problems: list[Problem] = []
    if not specs:
        names = Grounder(library.game(rules), library.nodes)
        names.elsewhere = library.rules_file(rules).find_own_names()
    else:
        names, before = define_names(library, rules, specs[:-1])
        names, problems = names.extend(), [*before]
        document, parameters_of = specs[-1].document, dict[str, str]()
        for head, body in getattr(specs[-1].model, "define", {}).items():
            at = ("define", head)
            try:
                name, parameters = parse_definition_head(head)
                if name in parameters_of:
                    raise ExpressionError(f"{name!r} is a parameter of {parameters_of[name]}: choose another name")
                parameters_of |= dict.fromkeys(parameters, head)
                find = functools.partial(document.text_problem, at)
                names.define(Definition(name, parameters, parse_expression(body), document.say_place(at), find))
            except ExpressionError as error:
                problems.append(document.text_problem(at, error))
                names.faulty.add(head.partition("(")[0].strip())
    library.names[key] = names, problems
    return names, problems


class Scope:
    """The names that a part of a file can use, and the problems found in it. All paths are relative to this part."""

    def __init__(
        self, library: Library, spec: Spec[Any], rules: str, player: str | None = None, path: KeyPath = ()
    ) -> None:
        self.library, self.document, self.path, self.rules = library, spec.document, path, rules
        included = follow(spec.model.includes, lambda name: library.definitions[name].model.includes)
        specs = [*(library.definitions[name] for name in included), spec]
        names, problems = define_names(library, rules, specs)
        self.names = names.extend(player)
        self.game = names.game
        self.members = 0
        self.problems = [*problems]

    def problem(self, path: KeyPath, message: str) -> None:
        """Add a problem."""
        self.problems.append(self.document.problem((*self.path, *path), message))

    def formula(self, path: KeyPath, text: Text, env: Env, *, old: OldPosition = OldPosition.NONE) -> Any:
        """Ground a condition (see ``expressions``). If it has a problem, add the problem, and return ``True``."""
        try:
            return self.names.formula(parse_expression(text), env, old=old)
        except ExpressionError as error:
            self._note(path, error)
            return True

    def families(
        self, path: KeyPath, family: dict[str, Text], env: dict[str, int], limit: int = MAX_FAMILY
    ) -> list[dict[str, int]]:
        """Return the members of a family: each is ``env`` with a value for each variable of the family.

        The list is empty if a variable has no values, or if there is a problem.
        """
        members = [env]
        if self.members > MAX_MEMBERS:
            return []  # a problem was added when the limit was exceeded
        for name, text in family.items():
            before, members = members, []
            for member in before:
                try:
                    if "," in name:
                        raise ExpressionError(say_group(name))
                    if not name.isidentifier():
                        raise ExpressionError(f"{name[:60]!r} is not a valid name for a variable")
                    self.names.require_new(name, member)
                    self.names.places[name] = self.document.say_place((*self.path, *path, name))
                    values = self.names.integers(parse_expression(text), member)
                    if len(set(values)) != len(values):
                        raise ExpressionError(f"'for' gives {name!r} the same value twice")
                    if len(members) + len(values) > limit:
                        raise ExpressionError(f"'for' gives more than {limit:,} choices: use shorter lists")
                except ExpressionError as error:
                    self._note((*path, name), error)
                    return []
                members += [{**member, name: value} for value in values]
        self.members += len(members)
        if self.members > MAX_MEMBERS:
            message = f"all uses of 'for' here together give more than {MAX_MEMBERS:,} choices"
            self.problem(path, f"{message}: use shorter lists, or several files")
            return []
        return members

    def moves(self, path: KeyPath, play: GivenMove, env: dict[str, int], guard: Any) -> list[dict[str, Any]]:
        """Return a list with a move and its condition ``guard``, in the kernel's form.

        If the move uses the game's pointer (``PointerValue``), the list has a move for each index of the pointer. The
        list is empty if ``guard`` is False, or if there is a problem.
        """
        if guard is False:
            return []
        if isinstance(play, Mapping):
            move = self._fill_template(path, *next(iter(play.items())), env)
            return [{"when": guard, "play": [*move]}] if move else []
        sizes = self.names.numbers.move_sizes
        if fault := self._find_fault(len(play), len(sizes)):
            self.problem(path, fault)
            return []
        parts = self._integers(path, play, env, or_active=True)
        if parts is None:
            return []
        for part, size in zip(parts, sizes, strict=True):
            if isinstance(part, int) and not 0 <= part < size:
                self.problem(path, f"this number of a move must be between 0 and {size - 1}, not {part}")
                return []
        if parts[0] is ACTIVE:
            atom, pointer = self.names.atom, self.names.pointer
            return [{"when": conjunction([atom(pointer, k), guard]), "play": [k, *parts[1:]]} for k in range(sizes[0])]
        try:  # the rules may have no move with these numbers, legal or not
            self.game.format_move(tuple(part for part in parts if isinstance(part, int)))
        except NotationError:
            text = f"these rules have no move {parts}: exclude it in 'when', by a condition on the variables"
            self.problem(path, text)
            return []
        return [{"when": guard, "play": parts}]

    @functools.cached_property
    def templates(self) -> dict[str, MoveTemplate]:
        """The templates of moves in the rules."""
        return self.library.rules_file(self.rules).find_templates()

    def _find_fault(self, given: int, needed: int) -> str:
        """Return why a list of integers cannot stand for a move; empty if it can.

        ``given`` is the length of the list. ``needed`` is the number of integers that a move has.
        """
        template, known = next(iter(self.templates.items()), ("", MoveTemplate({}, None)))
        example = f'such as play: {{"{template}": [{", ".join(known.variables)}]}}'
        if len(self.templates) == 1 and known.variables and [*known.variables.values()] != [*range(needed)]:
            # Without its template, a move has its numbers in the order of ``for``. A reader would expect the order of
            # the template.
            return f"name the move by its template in the rules, {example}"
        if given != needed:
            fault = f"under these rules a move has {needed} number{'s' * (needed > 1)}, not {given}"
            return f"{fault}; you can also use its template, {example}" if template else fault
        return ""

    def _integers(
        self, path: KeyPath, texts: Sequence[Text], env: dict[str, int], *, or_active: bool
    ) -> list[Any] | None:
        """Return the values of expressions; None if there is a problem.

        If ``or_active`` is true, the first value can be ``ACTIVE``.
        """
        found = list[Any]()
        for index, text in enumerate(texts):
            try:
                found.append(self.names.integer(parse_expression(text), env, or_active=or_active and not index))
            except ExpressionError as error:
                self._note((*path, index), error)
        return found if len(found) == len(texts) else None

    def _fill_template(
        self,
        path: KeyPath,
        template: str,
        given: Sequence[Text],
        env: dict[str, int],
    ) -> Move | None:
        """Return the move that a template makes with the given values of its variables; None if there is a problem."""
        known, at, names = self.templates.get(template), (*path, template), ", ".join(self.templates)
        if known is None:
            others = f": their moves are written {names}" if names else ": write a list of numbers"
            self.problem(at, f"these rules have no moves written {template[:40]!r}{others}")
            return None
        if len(given) != len(known.variables):
            wanted = f"{len(known.variables)} values ({', '.join(known.variables)})" if known.variables else "0 values"
            self.problem(at, f"{template} needs {wanted}, not {len(given)}")
            return None
        values = self._integers(at, given, env, or_active=False)
        if values is None:
            return None
        named = dict(zip(known.variables, values, strict=True))
        text = template.format(**named)
        with contextlib.suppress(NotationError):
            move = self.game.parse_move(text)
            if known.has_move(move, named):
                return move
        self.problem(at, f"these rules have no move {text}: exclude it in 'when', by a condition on the variables")
        return None

    def _note(self, path: KeyPath, error: ExpressionError) -> None:
        if isinstance(error, DefinitionFaultError):
            problem = error.problem
        elif isinstance(error, KnownFaultError):
            return
        else:
            problem = self.document.text_problem((*self.path, *path), error)
        # An expression is grounded for each member of a family. If it fails more than once, only one problem is added.
        if all(problem.place[:3] != other.place[:3] for other in self.problems):
            self.problems.append(problem)


# -- strategies, in the kernel's form ----------------------------------------------------------------------------------


def ground_strategy(
    library: Library, name: str, phase: str | None = None, env: Mapping[str, int] | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """Return a strategy, or one phase of it, in the kernel's terms. Also return the problems found. Cache both.

    Args:
        library: the specs.
        name: the id of the strategy.
        phase: the only phase to ground; its ``when`` is taken as true. None: all phases.
        env: values of variables. Only the members of the phase's family that have these values are grounded. If
            ``phase`` is None, ``env`` has no effect.
    """
    model = library.strategy(name)
    members = {k: v for k, v in (env or {}).items() if phase is not None and k in model.phases[phase].for_}
    key = (name, phase, *sorted(members.items()))
    if key not in library.ground:
        scope = Scope(library, library.strategies[name], model.rules, model.player)
        phases = [
            {"phase": own, "instances": _instances(scope, ("phases", own), body, members, is_alone=phase is not None)}
            for own, body in model.phases.items()
            if phase in (None, own)
        ]
        library.ground[key] = {"player": model.player, "phases": phases}, scope.problems
    return library.ground[key]


def _instances(
    scope: Scope, path: KeyPath, phase: Phase, env: Mapping[str, int], *, is_alone: bool
) -> list[dict[str, Any]]:
    rules = [((*path, "rules", name), rule) for name, rule in phase.rules.items()]
    members = [  # all members are found before the first is grounded, so that too many members are refused early
        (member, [scope.families((*at, "for"), rule.for_, member) for at, rule in rules])
        for member in scope.families((*path, "for"), phase.for_, {})
        if all(env.get(key, value) == value for key, value in member.items())
    ]
    instances = []
    for member, families in members if scope.members <= MAX_MEMBERS else ():
        when = scope.formula((*path, "when"), phase.when, member, old=OldPosition.START)
        if when is False and not is_alone:
            continue
        found = []
        for (at, rule), family in zip(rules, families, strict=True):
            choices: list[dict[str, Any]] = []
            for inner in family:
                guard = scope.formula((*at, "when"), rule.when, inner, old=OldPosition.START)
                choices += scope.moves((*at, "play"), rule.play, inner, guard)
            found.append({"rule": at[-1], "choices": choices})
        instances.append({"when": True if is_alone else when, "rules": found})
    return instances
