"""The shape of what a person is shown: a play, or a position from which a step breaks a conclusion."""

from __future__ import annotations

from typing import Any

from verifier.kernel.errors import VerifierError
from verifier.kernel.games import Game
from verifier.spec.rulesets import find_rules

_TEXTS = {"line": ("start", "position", "reason"), "counterexample": ("position", "after", "part", "fails", "reason")}


def is_witness(value: Any, rules: str) -> bool:
    """Say whether a value can be shown as a witness under some rules: its moves are legal, one after the other."""
    if not isinstance(value, dict) or value.get("kind") not in ("line", "counterexample"):
        return False
    kind = value["kind"]
    if not all(isinstance(value.get(key), str) for key in _TEXTS[kind]) or not _is_line(value.get("moves")):
        return False
    if kind == "counterexample":
        is_said = type(value.get("fewest_marks")) is bool and value.get("reachable") in (None, True, False)
        if not is_said or not (value.get("line") is None or _is_line(value["line"])):
            return False
    others = value.get("other_lines", [])
    if not isinstance(others, list) or not all(_is_line(line) for line in others):
        return False
    try:
        named = value.get("rules", rules)
        return isinstance(named, str) and _is_played(find_rules(named), value)
    except VerifierError:
        return False


def _is_line(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 1000 and all(isinstance(move, str) for move in value)


def _is_played(game: Game, value: dict[str, Any]) -> bool:
    position = game.parse_position(value["start" if value["kind"] == "line" else "position"])
    for move in value["moves"]:
        position = game.play(position, game.parse_move(move))
    return bool(value["kind"] == "counterexample" or game.format_position(position) == value["position"])
