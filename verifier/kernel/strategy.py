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

MAX_PARTS = 4
"""How many integers a move of any game has at most."""

MAX_NAME = 200
"""How long the name of a phase or rule may be: a label, which joins them, stands once for each rule."""

AN_INSTANCE = 20
"""What an instance of a phase costs beside its formulas, in nodes: its choices are put in order among all others."""

_Rule = tuple[list[tuple[Test, Choice]], int]
"""The choices of a rule, each with its condition, and how many nodes the conditions have."""

_Instance = tuple[Callable[[Any], bool], list[_Rule]]


class Strategy:
    """Takes a position of its player; returns the choices in ascending order, none where the strategy is stuck."""

    __slots__ = ("_formulas", "_phases")

    def __init__(self, formulas: Formulas, phases: list[list[_Instance]]) -> None:
        self._formulas, self._phases = formulas, phases

    def __call__(self, position: Any) -> list[Choice]:
        """Return the labels and the moves."""
        for instances in self._phases:
            self._formulas.work += 1 + AN_INSTANCE * len(instances)
            opened = [rules for when, rules in instances if when(position)]
            if opened:
                found: set[Choice] = set()
                for rules in opened:
                    found |= self._first_rule(rules, position)
                return sorted(found)
        return []

    def _first_rule(self, rules: list[_Rule], position: Any) -> set[Choice]:
        for choices, size in rules:
            self._formulas.work += size
            found = {choice for when, choice in choices if when(position, position)}
            if found:
                return found
        return set()


def find_breakdown(game: Game, position: Any, moves: list[Any]) -> str:
    """Return why a strategy that gives these moves breaks down where play goes on; empty where it does not."""
    legal = set(game.legal_moves(position))
    illegal = [move for move in moves if move not in legal]
    if illegal:
        return f"names the illegal move {game.format_move(illegal[0])}"
    return "" if moves else "has no move"


def compile_strategy(formulas: Formulas, data: Any) -> Strategy:
    """Turn a ground strategy into a function of positions; with ``given`` obligations alone read one.

    Raises:
        SpecError: the strategy is not well formed.
    """
    phases = []
    for phase in _items(data, "player", "phases"):
        instances: list[_Instance] = []
        name = _name(phase, "phase")
        for instance in _items(phase, "phase", "instances"):
            rules = [_rule(formulas, name, rule) for rule in _items(instance, "when", "rules")]
            instances.append((formulas.compile_counted(instance["when"]), rules))
        phases.append(instances)
    return Strategy(formulas, phases)


def _rule(formulas: Formulas, phase: str, rule: Any) -> _Rule:
    label = f"{phase}.{_name(rule, 'rule')}"
    before = formulas.nodes
    choices = []
    for choice in _items(rule, "rule", "choices"):
        if not isinstance(choice, dict) or set(choice) != {"when", "play"}:
            raise SpecError(f"{str(choice)[:80]!r} is not a choice: it has 'when' and 'play'")
        move = read_move(formulas.game, choice["play"])
        choices.append((formulas.compile(choice["when"]), (label, move)))
    return choices, 1 + formulas.nodes - before


def read_move(game: Game, value: object) -> tuple[int, ...]:
    """Read a move written as a list of integers.

    Raises:
        SpecError: it is not a move of the game, legal or not.
    """
    if isinstance(value, list) and len(value) <= MAX_PARTS and all(type(part) is int for part in value):
        move = tuple(value)
        with contextlib.suppress(NotationError, ValueError, IndexError):
            if game.parse_move(game.format_move(move)) == move:
                return move
    raise SpecError(f"{str(value)[:40]!r} is not a move of this game")


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
