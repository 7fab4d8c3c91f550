"""Strategies as data, grounded to the kernel's form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifier.language.library import Library
from verifier.language.loader import Path
from verifier.language.model import Phase
from verifier.language.names import ACTIVE
from verifier.language.operators import conjunction
from verifier.language.problem import Problem
from verifier.language.scope import Scope, Text


def ground_strategy(
    library: Library, name: str, phase: str | None = None, env: Mapping[str, int] | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """Ground a strategy, or one phase of it; who asks for the same again gets the same object.

    Args:
        library: where the strategy stands.
        name: its id.
        phase: the phase that is wanted alone, without the condition that opens it.
        env: values of variables: of the phase, only the members of its family that agree with them are kept.

    Returns:
        The strategy in the kernel's terms, and the problems met.
    """
    model = library.strategy(name)
    members = {k: v for k, v in (env or {}).items() if phase is not None and k in model.phases[phase].for_}
    key = (name, phase, *sorted(members.items()))
    if key in library.made.strategies:
        return library.made.strategies[key]
    scope = strategy_scope(library, name)
    phases = []
    for phase_name, phase_model in model.phases.items():
        if phase is None or phase == phase_name:
            instances = _instances(scope, phase_name, phase_model, members, is_alone=phase is not None)
            phases.append({"phase": phase_name, "instances": instances})
    library.made.strategies[key] = {"player": model.player, "phases": phases}, scope.problems
    return library.made.strategies[key]


def speaks_of_start(strategy: dict[str, Any]) -> bool:
    """Say whether a ground strategy says ``old``: it speaks of where a play started."""
    met: set[int] = set()
    waiting: list[Any] = [strategy]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, list) and id(part) not in met:
            if part[:1] == ["old"]:
                return True
            met.add(id(part))
            waiting += part
    return False


def strategy_scope(library: Library, name: str) -> Scope:
    """Return what the expressions of a strategy see."""
    model = library.strategy(name)
    return Scope(library, library.strategies[name], model.rules, model.player)


def _instances(
    scope: Scope, name: str, phase: Phase, env: Mapping[str, int], *, is_alone: bool
) -> list[dict[str, Any]]:
    path: Path = ("phases", name)
    instances = []
    for member in scope.families((*path, "for"), phase.for_, {}):
        if any(env.get(key, value) != value for key, value in member.items()):
            continue
        when = scope.formula((*path, "when"), phase.when, member, is_after_step=True)
        if when is False and not is_alone:
            continue
        rules = []
        for rule_name, rule in phase.rules.items():
            rule_path = (*path, "rules", rule_name)
            choices: list[dict[str, Any]] = []
            for inner in scope.families((*rule_path, "for"), rule.for_, member):
                guard = scope.formula((*rule_path, "when"), rule.when, inner, is_after_step=True)
                choices += ground_moves(scope, (*rule_path, "play"), rule.play, inner, guard)
            rules.append({"rule": rule_name, "choices": choices})
        instances.append({"when": True if is_alone else when, "rules": rules})
    return instances


def ground_moves(
    scope: Scope, path: Path, play: Sequence[Text], env: dict[str, int], guard: Any
) -> list[dict[str, Any]]:
    """Ground a move; ``active`` as its field gives one choice a field, each for when that field is active."""
    if guard is False:
        return []
    vocabulary, known = scope.names.vocabulary, len(scope.problems)
    size, last = 2 if "active" in vocabulary else 1, vocabulary["free"][-1] - 1
    if len(play) != size:
        scope.problems.append(scope.document.problem(path, f"a move of these rules has {size} parts, not {len(play)}"))
        return []
    parts = [scope.integer((*path, index), part, env, or_active=not index) for index, part in enumerate(play)]
    rest = [part for part in parts if isinstance(part, int)]
    if len(scope.problems) > known:
        return []
    if not all(0 <= part <= last for part in rest):
        scope.problems.append(scope.document.problem(path, f"{rest} is not a move: fields and spots are 0 to {last}"))
        return []
    if parts[0] is not ACTIVE:
        return [{"when": guard, "play": rest}]
    return [{"when": conjunction([scope.names.atom("active", k), guard]), "play": [k, *rest]} for k in range(9)]
