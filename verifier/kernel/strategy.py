"""Ground strategies: which moves a strategy's ordered rules allow in a position.

Trusted for: that a move is one that the rules of the strategy name. The form is JSON::

    {"player": "X", "phases": [{"phase": NAME, "instances": [{"when": FORMULA,
        "rules": [{"rule": NAME, "choices": [{"when": FORMULA, "play": [f, s]}]}]}]}]}

The first phase with an instance whose condition holds is the phase. Each such instance of it gives the choices of
its first rule that has one; all of them together are the moves (a strategy may leave a choice open). A phase that
holds while none of its rules gives a move means that the strategy is stuck there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from verifier.kernel.errors import NotationError, SpecError
from verifier.kernel.formula import Formulas, Test
from verifier.kernel.games import Game

Choice = tuple[str, tuple[int, ...]]
"""The label ``phase.rule`` and the move."""

Strategy = Callable[[Any], list[Choice]]
"""Takes a position of its player; returns the choices in ascending order, none where the strategy is stuck."""

MAX_PARTS = 4
"""How many integers a move of any game has at most."""


def compile_strategy(formulas: Formulas, data: Any) -> Strategy:
    """Turn a ground strategy into a function of positions.

    Raises:
        SpecError: the strategy is not well formed.
    """
    phases = []
    for phase in _items(data, "phases"):
        instances = []
        name = _name(phase, "phase")
        for instance in _items(phase, "instances"):
            rules = [_rule(formulas, name, rule) for rule in _items(instance, "rules")]
            instances.append((formulas.compile(instance.get("when")), rules))
        phases.append(instances)

    def choices(position: Any) -> list[Choice]:
        for instances in phases:
            found: set[Choice] = set()
            is_phase = False
            for when, rules in instances:
                if when(position, position):
                    is_phase = True
                    found |= _first_rule(rules, position)
            if is_phase:
                return sorted(found)
        return []

    return choices


_Rule = list[tuple[Test, Choice]]


def _first_rule(rules: list[_Rule], position: Any) -> set[Choice]:
    for rule in rules:
        found = {choice for when, choice in rule if when(position, position)}
        if found:
            return found
    return set()


def _rule(formulas: Formulas, phase: str, rule: Any) -> _Rule:
    label = f"{phase}.{_name(rule, 'rule')}"
    choices = []
    for choice in _items(rule, "choices"):
        move = read_move(formulas.game, choice.get("play") if isinstance(choice, dict) else None)
        choices.append((formulas.compile(choice.get("when")), (label, move)))
    return choices


def read_move(game: Game, value: object) -> tuple[int, ...]:
    """Read a move written as a list of integers.

    Raises:
        SpecError: it is no move of the game, legal or not.
    """
    if isinstance(value, list) and len(value) <= MAX_PARTS and all(type(part) is int for part in value):
        move = tuple(value)
        with contextlib.suppress(NotationError, ValueError, IndexError):
            if game.parse_move(game.format_move(move)) == move:
                return move
    raise SpecError(f"{str(value)[:40]!r} is no move of this game")


def _name(data: Any, key: str) -> str:
    name = data.get(key) if isinstance(data, dict) else None
    if not isinstance(name, str) or "." in name:
        raise SpecError(f"a strategy needs a name without a full stop under {key!r}, not {str(name)[:40]!r}")
    return name


def _items(data: Any, key: str) -> list[Any]:
    items = data.get(key) if isinstance(data, dict) else None
    if not isinstance(items, list):
        raise SpecError(f"a strategy needs a list under {key!r}")
    return items
