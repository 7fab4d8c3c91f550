"""Method ``tables``: correction tables of the 4×4 game, which the kernel makes anew from its own solution."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.kernel.plays import Node
from verifier.kernel.tables import Answer, decide_tables, parse_tables
from verifier.kernel.verdict import Result
from verifier.methods.finding import Evidence, Finding, Task
from verifier.methods.method import Method
from verifier.methods.shown import Shown
from verifier.methods.witness import Line


def search(task: Task) -> Finding:
    """Solve the game under each rule set: that is all the evidence there is."""
    result, _ = decide_tables(parse_tables(task.statement))
    return Finding(result.verdict, result.reason, {})


def show(task: Task, decided: Result, evidence: Evidence, nodes: Sequence[Node]) -> Shown:
    """Show what each rule set answers, and a play under the one that comes nearest."""
    del decided, evidence, nodes
    _, answers = decide_tables(parse_tables(task.statement))
    named = list(zip(task.compiled.rules, answers, strict=True))
    notes = tuple(f"{name}: {answer.reason}" for name, answer in named) if len(named) > 1 else ()
    name, nearest = max(named, key=lambda item: item[1].stats.get("entries_in_both", -1))
    return Shown(_witness(name, nearest) if nearest.lines else None, notes=notes)


def _witness(name: str, answer: Answer) -> Line:
    game = answer.game
    position = game.start
    for spot in answer.lines[0]:
        position = game.play(position, (spot,))
    first, *others = (tuple(game.format_move((spot,)) for spot in line) for line in answer.lines)
    start, end = game.format_position(game.start), game.format_position(position)
    return Line(start, first, end, answer.reason, rules=name, other_lines=tuple(others))


METHOD = Method(
    kind="tables",
    about="the kernel solves the game and makes its tables anew",
    kernel="the kernel solved the game",
    search=search,
    show=show,
    find_lane=lambda *_: "tables",  # all share solved games
    seconds=8,
)
