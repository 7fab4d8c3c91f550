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
from typing import Any, TypeAlias

from verifier.kernel.errors import NotationError, SpecError
from verifier.kernel.formula import Formulas, Test
from verifier.kernel.games import Game, Move

Choice = tuple[str, Move]
"""The label ``phase.rule`` and the move."""

MAX_NAME = 200
"""How many letters the name of a phase or rule has at most."""

AN_INSTANCE = 20
"""What an instance of a phase costs beside its formulas, in nodes: its choices are put in order among all others."""


def is_short_name(value: object) -> bool:
    """Say whether a value may be the name of a phase or a rule: it is short, and has no full stop."""
    return isinstance(value, str) and "." not in value and len(value) <= MAX_NAME


PLAYER = frozenset("XO")
_CHOICE = {"when": object, "play": [int]}
_INSTANCE = {"when": object, "rules": [{"rule": is_short_name, "choices": [_CHOICE]}]}
STRATEGY = {"player": PLAYER, "phases": [{"phase": is_short_name, "instances": [_INSTANCE]}]}
"""The shape of a strategy."""

_Rule = tuple[list[tuple[Test, Choice]], int]
"""The choices of a rule, each with its condition, and how many nodes the conditions have."""

Strategy: TypeAlias = Callable[[Any], list[Choice]]
"""Takes a position of its player; returns the choices in ascending order, none where the strategy is stuck."""


def find_breakdown(game: Game, position: Any, moves: list[Any]) -> str:
    """Return why a strategy that gives these moves breaks down where play goes on; empty where it does not."""
    legal = set(game.legal_moves(position))
    illegal = [move for move in moves if move not in legal]
    if illegal:
        return f"names the illegal move {game.format_move(illegal[0])}"
    return "" if moves else "has no move"


def compile_strategy(formulas: Formulas, data: Any, player: str) -> Strategy:
    """Turn a player's ground strategy, which has the shape of one, into a function of positions."""
    if data["player"] != player:
        raise SpecError("a strategy names its player, and is used as that player's")
    phases: list[list[tuple[Callable[[Any], bool], list[_Rule]]]] = []
    for phase in data["phases"]:
        phases.append([])
        for instance in phase["instances"]:
            rules = [_rule(formulas, phase["phase"], rule) for rule in instance["rules"]]
            phases[-1].append((formulas.compile_counted(instance["when"]), rules))

    def choose(position: Any) -> list[Choice]:
        for instances in phases:
            formulas.work += 1 + AN_INSTANCE * len(instances)
            opened = [rules for when, rules in instances if when(position)]
            if opened:
                return sorted(set().union(*(first_rule(rules, position) for rules in opened)))
        return []

    def first_rule(rules: list[_Rule], position: Any) -> set[Choice]:
        for choices, size in rules:
            formulas.work += size
            found = {choice for when, choice in choices if when(position, position)}
            if found:
                return found
        return set()

    return choose


def _rule(formulas: Formulas, phase: str, rule: Any) -> _Rule:
    label, before = f"{phase}.{rule['rule']}", formulas.nodes
    read = [(read_move(formulas.game, choice["play"]), choice["when"]) for choice in rule["choices"]]
    choices = [(formulas.compile(when), (label, move)) for move, when in read]
    return choices, 1 + formulas.nodes - before


def read_move(game: Game, value: list[int]) -> Move:
    """Read a move, legal or not, written as a list of integers."""
    move = tuple(value)
    with contextlib.suppress(NotationError, ValueError, IndexError):
        if game.parse_move(game.format_move(move)) == move:
            return move
    raise SpecError(f"{str(value)[:40]!r} is not a move of this game")
