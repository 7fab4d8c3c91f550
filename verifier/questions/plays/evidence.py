"""Search for evidence of a claim about plays, and choose what people see of the evidence.

``invariant.py`` does this for readings with an invariant.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from verifier.kernel.statement import UNIVERSAL, Statement, parse_statement
from verifier.kernel.verdict import Verdict
from verifier.language.reading import Reading
from verifier.questions.finding import Evidence, Finding, Task, pack_table
from verifier.questions.plays import invariant
from verifier.questions.plays.model import PlaysReading
from verifier.questions.result import ReadingResult
from verifier.questions.shown import find_empty, find_open_ends, find_unused_rules, make_line
from verifier.search.chance import refute_by_chance
from verifier.search.walk import Exploration, NodeLimitError, find_failure, find_hit, unmet_scopes


def find_shared_plays(reading: Reading, rules: str) -> str:
    """Return a name for the plays of a reading, so that readings about the same plays share one walk of the kernel.

    Empty if the reading is not about plays that the kernel walks through.
    """
    if not isinstance(reading, PlaysReading) or reading.invariant is not None:
        return ""
    return repr((reading.strategies, reading.start, reading.horizon, rules))


def search(task: Task) -> Finding:
    """Offer a counterexample from random plays. If there is none, or if the kernel rejects it, offer a proof."""
    if isinstance(task.reading, PlaysReading) and task.reading.invariant is not None:
        return invariant.search(task)
    statement = parse_statement(task.statement)
    # If the kernel has just walked through these plays, it decides at once. So it saves time to offer the proof first.
    # Both orders lead to the same evidence. (Evidence must not depend on which readings were checked before.)
    if task.memo.walks:
        proof = _search_proof(task, statement)
        if proof.verdict is Verdict.PROVED:
            return replace(proof, fallback=lambda: _find_chance_play(task, statement) or _search_fault(task, statement))
    return _find_chance_play(task, statement) or _search_proof(task, statement)


def _find_chance_play(task: Task, statement: Statement) -> Finding | None:
    played = refute_by_chance(statement)
    if played is None:
        return None
    failure = {"objective": played[0], "line": played[1]}
    return Finding(Verdict.REFUTED, "", failure, fallback=lambda: _search_proof(task, statement))


def _search_proof(task: Task, statement: Statement) -> Finding:
    # The kernel needs no evidence to walk through all plays. Only an objective of type ``some`` needs evidence: a line.
    if all(objective.type in UNIVERSAL for objective in statement.objectives):
        return Finding(Verdict.PROVED, "", {}, fallback=lambda: _search_fault(task, statement))
    try:
        return propose_proof(statement, task.memo.explore(task.statement, statement))
    except NodeLimitError as error:
        return Finding(Verdict.UNKNOWN, str(error))


def show(task: Task, result: ReadingResult, evidence: Evidence) -> ReadingResult:
    """Show the play that breaks an objective, or the first line that shows an objective of type ``some``.

    If the reading is proved, add hints, and notes on plays that go on after the last ply of an objective.
    """
    if "invariant" in evidence:
        return invariant.show(task, result, evidence)
    if "line" in evidence:
        return replace(result, witness=make_line(choose_start(task, evidence), evidence["line"], result.reason))
    lines = evidence.get("lines", {})
    names = (objective["name"] for objective in task.statement["objectives"])
    first = next((name for name in names if name in lines), None)
    line = None if first is None else make_line(task.parsed, lines[first], f"an example for “{first}”")
    if result.verdict is not Verdict.PROVED:
        return replace(result, witness=line)
    statement, nodes = task.parsed, task.memo.last
    notes, hints = find_open_ends(statement, nodes)
    unused = find_unused_rules(statement, task.statement, nodes)
    return replace(result, witness=line, notes=notes, hints=(*find_empty(task.statement), *hints, *unused))


def choose_start(task: Task, evidence: Evidence) -> Statement:
    """Return the statement of a task. If the evidence names a start, the statement has this start, and no other."""
    game = task.parsed.game
    if "start" not in evidence:
        return task.parsed
    return replace(task.parsed, start=game.without_number(game.parse_position(evidence["start"])), given=None)


def _search_fault(task: Task, statement: Statement) -> Finding | None:
    try:
        return find_fault(
            statement, task.memo.explore(task.statement, statement, lambda found: fails_first(statement, found))
        )
    except NodeLimitError as error:
        return Finding(Verdict.UNKNOWN, str(error))


def propose_proof(statement: Statement, found: Exploration) -> Finding:
    """Offer, as a proof, the plays that a search has explored.

    If they do not prove the statement, or if the kernel rejects them, offer a play in which an objective fails.
    """
    if found.trouble is not None:
        return find_fault(statement, found) or Finding(Verdict.UNKNOWN, "a strategy has no legal move")
    lines: dict[str, list[str]] = {}
    for objective in statement.objectives:
        if objective.type == "some":
            line = find_hit(found, objective, value=True)
            if line is None:
                return find_fault(statement, found) or Finding(Verdict.UNKNOWN, f"no play shows {objective.name!r}")
            lines[objective.name] = [statement.game.format_move(move) for move in line]
    evidence: dict[str, Any] = {"lines": lines} if lines else {}
    files: dict[str, bytes] = {}
    if statement.chooses and any(objective.type in UNIVERSAL for objective in statement.objectives):
        evidence["table"], files = pack_table(found)
    return Finding(Verdict.PROVED, "", evidence, files, fallback=lambda: find_fault(statement, found))


def fails_first(statement: Statement, found: Exploration) -> bool:
    """Say whether the plies explored so far show that the first objective fails.

    True: an exploration of all plies would show the same failure. False: more plies have to be explored.
    """
    objective = statement.objectives[0]
    if not statement.has_number or unmet_scopes(found, objective):
        return False  # positions do not include the number of moves, so play can come back to explored positions
    line = find_failure(found, objective)
    if objective.type == "keep":  # ``line`` can lead one ply deeper, to a position whose moves were not explored
        deepest = statement.game.ply(next(reversed(found.edges)))
        return line is not None and statement.game.ply(statement.start) + len(line) <= deepest
    return line is not None


def find_fault(statement: Statement, found: Exploration) -> Finding | None:
    """Refute the reading by the first objective that fails, with a shortest play; return None if no objective fails.

    Objectives are examined in order. The verdict is *unknown* at the first objective that is *vacuous*: it has a scope,
    and no play comes to a position of this scope. It is also *unknown* at an objective of type ``some`` if no explored
    play shows it, and the exploration ended early because a strategy has no legal move.
    """
    game = statement.game
    for objective in statement.objectives:
        name = objective.name
        escape: list[Any] | None = None
        unmet = [] if found.trouble is not None else unmet_scopes(found, objective)
        if unmet:
            return Finding(Verdict.UNKNOWN, f"vacuous: {name!r}: no play comes to a position at {unmet[0]!r}")
        if objective.type == "some":
            if find_hit(found, objective, value=True) is None:
                if found.trouble is None:
                    return Finding(Verdict.REFUTED, f"no play shows {name!r}", {"objective": name})
                reason = f"{name!r}: a strategy has no legal move, so not every play was seen"
                return Finding(Verdict.UNKNOWN, reason)
        elif found.trouble is not None:
            escape = found.line_to(found.trouble)
        else:
            escape = find_failure(found, objective)
        if escape is not None:
            begin = {} if statement.given is None else {"start": game.format_position(escape.pop(0))}
            failure = {"objective": name, **begin, "line": [game.format_move(move) for move in escape]}
            where = f"at ply {game.ply(statement.start) + len(escape)}"
            reason = f"{name!r} fails {where if statement.has_number else f'after {len(escape)} moves'}"
            return Finding(Verdict.REFUTED, reason, failure)
    return None
