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
from typing import Any

from verifier.kernel.errors import NotationError, SpecError
from verifier.kernel.formula import Formulas, Test
from verifier.kernel.games import Game

Choice = tuple[str, tuple[int, ...]]
"""The label ``phase.rule`` and the move."""

MAX_PARTS = 4
"""How many integers a move of any game has at most."""

MAX_NAME = 200
"""How long the name of a phase or rule may be: a label, which joins them, stands once for each rule."""


_Rule = tuple[list[tuple[Test, Choice]], int]
"""The choices of a rule, each with its condition, and how many nodes the conditions have."""

_Instance = tuple[Test, int, list[_Rule]]


class Strategy:
    """Takes a position of its player; returns the choices in ascending order, none where the strategy is stuck.

    Attributes:
        work: the nodes of all the formulas that were evaluated so far.
    """

    __slots__ = ("_phases", "work")

    def __init__(self, phases: list[list[_Instance]]) -> None:
        self._phases = phases
        self.work = 0

    def __call__(self, position: Any) -> list[Choice]:
        """Return the labels and the moves."""
        for instances in self._phases:
            found: set[Choice] = set()
            is_phase = False
            for when, size, rules in instances:
                self.work += size
                if when(position, position):
                    is_phase = True
                    found |= self._first_rule(rules, position)
            if is_phase:
                return sorted(found)
        return []

    def _first_rule(self, rules: list[_Rule], position: Any) -> set[Choice]:
        for choices, size in rules:
            self.work += size
            found = {choice for when, choice in choices if when(position, position)}
            if found:
                return found
        return set()


def compile_strategy(formulas: Formulas, data: Any, *, has_old: bool = False) -> Strategy:
    """Turn a ground strategy into a function of positions.

    Args:
        formulas: of the statement.
        data: the strategy.
        has_old: whether ``old`` speaks of a position. A function of positions alone cannot tell: it takes its own.

    Raises:
        SpecError: the strategy is not well formed.
    """
    phases = []
    for phase in _items(data, "player", "phases"):
        instances: list[_Instance] = []
        name = _name(phase, "phase")
        for instance in _items(phase, "phase", "instances"):
            rules = [_rule(formulas, name, rule, has_old) for rule in _items(instance, "when", "rules")]
            before = formulas.nodes
            when = formulas.compile(instance["when"], is_after_step=has_old)
            instances.append((when, 1 + formulas.nodes - before, rules))
        phases.append(instances)
    return Strategy(phases)


def _rule(formulas: Formulas, phase: str, rule: Any, has_old: bool) -> _Rule:
    label = f"{phase}.{_name(rule, 'rule')}"
    before = formulas.nodes
    choices = []
    for choice in _items(rule, "rule", "choices"):
        if not isinstance(choice, dict) or set(choice) != {"when", "play"}:
            raise SpecError(f"{str(choice)[:80]!r} is no choice: it has 'when' and 'play'")
        move = read_move(formulas.game, choice["play"])
        choices.append((formulas.compile(choice["when"], is_after_step=has_old), (label, move)))
    return choices, 1 + formulas.nodes - before


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
    if not isinstance(name, str) or "." in name or len(name) > MAX_NAME:
        raise SpecError(f"a strategy needs a short name without a full stop under {key!r}, not {str(name)[:40]!r}")
    return name


def _items(data: Any, other: str, key: str) -> list[Any]:
    items = data[key] if isinstance(data, dict) and set(data) == {other, key} else None
    if not isinstance(items, list):
        raise SpecError(f"a strategy has {other!r}, and a list under {key!r}, and nothing else there")
    return items
