"""What people are shown of evidence that the kernel has accepted, beside the verdict: a witness, and notes.

All of it is made from the statement and the evidence, so that it is the same whether a search has found the evidence
just now or somebody shipped it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.kernel.errors import IllegalMoveError, NotationError
from verifier.kernel.games import Game, parse_rules
from verifier.kernel.games.nested import Nested
from verifier.kernel.pattern import parse_pattern
from verifier.kernel.verdict import Result, Verdict
from verifier.methods.finding import Task
from verifier.methods.ledger import Needs
from verifier.methods.replay import find_longest
from verifier.search.reach import find_play

Evidence = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands beside a verdict.

    Attributes:
        witness: a play or a position; None: there is none.
        needs: which hypotheses proofs need, against those that the source names.
        notes: what else a person should know, a line each.
    """

    witness: dict[str, Any] | None = None
    needs: tuple[Needs, ...] = ()
    notes: tuple[str, ...] = ()


def show_nothing(task: Task, decided: Result, evidence: Evidence) -> Shown:
    """Show nothing."""
    del task, decided, evidence
    return Shown()


def show_plays(task: Task, decided: Result, evidence: Evidence) -> Shown:
    """Show the play that breaks an objective, or the first of those that show one."""
    if task.statement["kind"] != "play":
        return Shown()
    if "line" in evidence:
        return Shown(_line(task.statement, evidence["line"], decided.reason))
    lines = evidence.get("lines", {})
    names = (objective["name"] for objective in task.statement["objectives"])
    first = next((name for name in names if name in lines), None)
    return Shown() if first is None else Shown(_line(task.statement, lines[first], first))


def show_line(task: Task, decided: Result, evidence: Evidence) -> Shown:
    """Show the line that fits a description, or one that fits as far as any does."""
    if decided.verdict == Verdict.REFUTED:
        return Shown(find_longest(parse_pattern(task.statement)))
    return Shown(_line(task.statement, evidence["line"], "a legal line that fits the description"))


def show_step(task: Task, decided: Result, evidence: Evidence) -> Shown:
    """Show the position from which a step fails, or compare what proofs needed with what the source names."""
    if decided.verdict != Verdict.REFUTED:
        return Shown(needs=tuple(_compare_hypotheses(task, evidence)))
    game, example = parse_rules(task.statement["rules"]), evidence["counterexample"]
    position = after = game.parse_position(example["position"])
    for move in example["moves"]:
        after = game.play(after, game.parse_move(move))
    part = task.statement["parts"][example["part"]]
    line = _replay(game, example.get("line"), position)
    reachable, found = (True, line) if line is not None else find_line(game, position)
    return Shown(
        {
            "kind": "counterexample",
            **{key: example[key] for key in ("position", "moves", "fails")},
            "part": part["part"],
            "is_conclusion": any(example["fails"] == name for name, _ in part["conclusions"]),
            "after": game.format_position(after),
            "reason": decided.reason,
            "reachable": reachable,
            "line": None if found is None else [game.format_move(move) for move in found],
        }
    )


def find_line(game: Game, position: Any) -> tuple[bool | None, list[Any] | None]:
    """Say whether legal play reaches a position, and how; None where a bounded search does not tell."""
    if not isinstance(game, Nested):
        return None, None
    found = find_play(game, position)
    if found.line is None:
        return (False if found.is_decided else None), None
    return True, list(found.line)


def _replay(game: Game, line: object, position: Any) -> list[Any] | None:
    """Return the moves of a play that ends in a position; None where the line is none: the kernel did not look."""
    if not isinstance(line, list):
        return None
    reached, moves = game.start, []
    try:
        for text in line:
            moves.append(game.parse_move(str(text)))
            reached = game.play(reached, moves[-1])
    except (IllegalMoveError, NotationError):
        return None
    return moves if reached == position else None


def _compare_hypotheses(task: Task, evidence: Evidence) -> Iterator[Needs]:
    """Compare, for each part that cites hypotheses, what was needed with what the source names."""
    used: dict[str, set[str]] = {}
    for name, core in read_cores(task.statement, evidence):
        used.setdefault(name, set()).update(filter(is_hypothesis, core))
    for name, needed in used.items():
        if name in task.compiled.cites:
            yield Needs(name, tuple(sorted(needed)), tuple(sorted(set(task.compiled.cites[name]))))


def read_cores(statement: Mapping[str, Any], evidence: Evidence) -> Iterator[tuple[str, list[str]]]:
    """Yield for each obligation of a proof, which the kernel has accepted, the part's name, and what it needed."""
    for part, _, core in evidence.get("obligations", {}).get("shown", ()):
        yield str(statement["parts"][part]["part"]), core


def is_hypothesis(name: str) -> bool:
    """Say whether a name in an obligation's core is a hypothesis of the reading, and not what any position has."""
    return not name.startswith("position.")


def _line(statement: Mapping[str, Any], moves: list[str], reason: str) -> dict[str, Any]:
    """Describe a play: its moves and where it ends."""
    game = parse_rules(statement["rules"])
    position = start = game.parse_position(statement["start"])
    for move in moves:
        position = game.play(position, game.parse_move(move))
    return {
        "kind": "line",
        "start": game.format_position(start),
        "moves": list(moves),
        "position": game.format_position(position),
        "reason": reason,
    }
