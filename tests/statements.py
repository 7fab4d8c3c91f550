"""Statements for tests, as the kernel reads them: about plays and about steps, with their strategies."""

from collections.abc import Mapping
from typing import Any

from tests.rules import rules_data

NINE = "/".join(["." * 9] * 9) + " ......... *"
"""The start of the paper's game."""
KEPT = {"name": "kept", "type": "keep", "at": ["every"], "holds": True}
SOME = {"name": "shown", "type": "some", "at": ["every"], "holds": False}


def reach(goal: Any, by: int, name: str = "goal") -> dict[str, Any]:
    """Return the objective that a goal is reached by a ply."""
    return {"name": name, "type": "reach", "goal": goal, "by": by}


def prevent(goal: Any, through: int, name: str = "goal") -> dict[str, Any]:
    """Return the objective that a goal is prevented through a ply."""
    return {"name": name, "type": "prevent", "goal": goal, "through": through}


def keep(holds: Any, *at: str, name: str = "kept") -> dict[str, Any]:
    """Return the objective that a formula is always true, in every position or in some scopes."""
    return {"name": name, "type": "keep", "at": [*at] or ["every"], "holds": holds}


def some(holds: Any, *at: str, name: str = "shown") -> dict[str, Any]:
    """Return the objective that a formula is once true, in some position or in some scopes."""
    return {**keep(holds, *at, name=name), "type": "some"}


def play(rules: str | Mapping[str, Any], start: str, *objectives: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a statement about plays. X is the claimant, without a strategy and without a horizon."""
    statement = {"kind": "play", "rules": _data(rules), "start": start, "claimant": "X", "horizon": None}
    return {**statement, "formulas": [], "strategies": {}, "objectives": list(objectives), **changes}


def steps_of(rules: str | Mapping[str, Any], *parts: Any, **more: Any) -> dict[str, Any]:
    """Return a statement about steps."""
    return {"kind": "steps", "rules": _data(rules), "formulas": [], "parts": [*parts], **more}


def part(step: Any = "none", **changes: Any) -> dict[str, Any]:
    """Return a part of a statement about steps: X's, without hypotheses, with a conclusion that is always true."""
    plain = {"part": "p", "step": step, "claimant": "X", "turn": None, "hypotheses": [], "conclusions": [["c", True]]}
    return {**plain, "unless": False, "plays": None, "strategy": None, **changes}


def rule(name: str, *choices: tuple[Any, Any]) -> dict[str, Any]:
    """Return a rule of a strategy. Each choice is a condition and a move."""
    return {"rule": name, "choices": [{"when": when, "play": move} for when, move in choices]}


def strategy(*rules: dict[str, Any], player: str = "X", phase: str = "phase") -> dict[str, Any]:
    """Return a strategy of one phase, which uses the first of some rules that has a move."""
    return {"player": player, "phases": [{"phase": phase, "instances": [{"when": True, "rules": [*rules]}]}]}


def plays(*moves: Any, player: str = "X", when: Any = True) -> dict[str, Any]:
    """Return a strategy that allows some moves."""
    return strategy(rule("rule", *((when, move) for move in moves)), player=player)


def _data(rules: str | Mapping[str, Any]) -> dict[str, Any]:
    return rules_data(rules) if isinstance(rules, str) else dict(rules)
