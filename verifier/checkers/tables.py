"""Method ``tables``: correction tables of the 4×4 game, which the kernel makes anew from its own solution."""

from __future__ import annotations

from typing import Any

from verifier.checkers.finding import Finding, Task
from verifier.kernel.tables import Answer, decide_tables, parse_tables
from verifier.spec.rulesets import name_of


def check_tables(task: Task) -> Finding:
    """Solve the game under each rule set; the witness is of the rule set that comes nearest."""
    result, answers = decide_tables(parse_tables(task.statement))
    notes = tuple(f"{name_of(answer.game)}: {answer.reason}" for answer in answers) if len(answers) > 1 else ()
    nearest = max(answers, key=lambda answer: answer.stats.get("entries_in_both", -1))
    witness = _witness(nearest) if nearest.lines else None
    return Finding(result.verdict, result.reason, {}, stats=dict(result.stats), witness=witness, notes=notes)


def _witness(answer: Answer) -> dict[str, Any]:
    game = answer.game
    position = game.start
    for spot in answer.lines[0]:
        position = game.play(position, (spot,))
    witness: dict[str, Any] = {
        "kind": "line",
        "rules": name_of(game),
        "start": game.format_position(game.start),
        "moves": [game.format_move((spot,)) for spot in answer.lines[0]],
        "position": game.format_position(position),
        "reason": answer.reason,
    }
    if len(answer.lines) > 1:
        witness["other_lines"] = [[game.format_move((spot,)) for spot in line] for line in answer.lines[1:]]
    return witness
