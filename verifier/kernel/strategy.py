"""Strategies without variables: the ordered rules of their phases say which moves are allowed in a position.

This module is trusted to find the moves of a strategy in a position, as ``proofs/README.md`` defines them in §5. There
can be several moves. A phase has instances, each with a condition and rules; an instance is *open* if its condition
holds. If the first phase with an open instance gives no move, the strategy is stuck: later phases are not tried.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, TypeAlias

from verifier.kernel.errors import NotationError, SpecError
from verifier.kernel.formula import FormulaCompiler, Test
from verifier.kernel.games import Game, Move

Choice = tuple[str, Move]
"""The label ``phase.rule`` and the move."""

MAX_NAME = 200
"""Maximum length of the name of a phase or rule, in characters."""

AN_INSTANCE, A_CHOICE = 20, 20
"""Work of an instance without its formulas, and work of sorting a chosen move. The unit is a node of a formula."""


def is_short_name(value: object) -> bool:
    """Say whether a value may be the name of a phase or a rule: it is short, and has no full stop."""
    return isinstance(value, str) and "." not in value and len(value) <= MAX_NAME


PLAYER = frozenset("XO")
_CHOICE = {"when": object, "play": [int]}
_INSTANCE = {"when": object, "rules": [{"rule": is_short_name, "choices": [_CHOICE]}]}
STRATEGY = {"player": PLAYER, "phases": [{"phase": is_short_name, "instances": [_INSTANCE]}]}
"""The shape of a strategy."""

_Rule = tuple[list[tuple[Test, Choice]], int]
"""The choices of a rule, each with its condition; and the work of evaluating all conditions, in nodes."""

Strategy: TypeAlias = Callable[[Any], list[Choice]]
"""Takes a position with the strategy's player to move. Returns the sorted choices; [] if the strategy is stuck."""


def find_breakdown(game: Game, position: Any, moves: list[Any]) -> str:
    """Return why a strategy with these moves breaks down in a position where play goes on; "" if it does not."""
    legal = set(game.legal_moves(position))
    illegal = [move for move in moves if move not in legal]
    if illegal:
        return f"names the illegal move {game.format_move(illegal[0])}"
    return "" if moves else "has no move"


def compile_strategy(formulas: FormulaCompiler, data: Any, player: str) -> Strategy:
    """Turn a player's strategy into a function of positions; ``data`` has the shape ``STRATEGY``."""
    if data["player"] != player:
        raise SpecError(f"a strategy of {data['player']} is used for {player}")
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
                found: set[Choice] = set().union(*(first_rule(rules, position) for rules in opened))
                formulas.work += A_CHOICE * len(found)
                return sorted(found)
        return []

    def first_rule(rules: list[_Rule], position: Any) -> set[Choice]:
        for choices, size in rules:
            formulas.work += size
            found = {choice for when, choice in choices if when(position, position)}
            if found:
                return found
        return set()

    return choose


def _rule(formulas: FormulaCompiler, phase: str, rule: Any) -> _Rule:
    label, before = f"{phase}.{rule['rule']}", formulas.nodes
    read = [(read_move(formulas.game, choice["play"]), choice["when"]) for choice in rule["choices"]]
    choices = [(formulas.compile(when), (label, move)) for move, when in read]
    return choices, 1 + formulas.nodes - before


def read_move(game: Game, value: list[int]) -> Move:
    """Read a move from a list of integers; the move need not be legal."""
    move = tuple(value)
    with contextlib.suppress(NotationError, ValueError, IndexError):
        if game.parse_move(game.format_move(move)) == move:
            return move
    raise SpecError(f"{str(value)[:40]!r} is not a move of this game")
