"""Decide claims about how many lines of moves are legal, how many plays there are, or in how many positions plays end.

This module is trusted for every verdict on a statement of kind ``count`` (``proofs/README.md``, §8).
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from verifier.kernel.certificate import require_shape
from verifier.kernel.errors import CertificateError, IllegalMoveError, SpecError
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.plays import MAX_EDGES, MAX_MOVES, has_ended
from verifier.kernel.relabel import Symmetries
from verifier.kernel.rounds import burden
from verifier.kernel.statement import Statement, parse_statement
from verifier.kernel.verdict import Result, Verdict
from verifier.kernel.words import short

MAX_COUNTED, MAX_LENGTH = 100_000, 500

_VARIABLE, _NUMBER = re.compile(r"\{([0-9]{1,3})\}"), re.compile("0|[1-9][0-9]{0,3999}")

_SHARED = {"kind": frozenset(["count"]), "rules": dict, "start": str}
_LINES = {**_SHARED, "count": int, "line": str, "members": [[object, [[int]]]]}
_ENDS = {**_SHARED, "formulas": list, "horizon": (int, None), "strategies": dict, "symmetries?": list}
_ENDS |= {"of": frozenset(["plays", "ends"]), "counts": [[object, str]]}


def require_count(data: Mapping[str, Any]) -> None:
    """Require that a statement is well formed. If it counts lines, there must be a line to count."""
    if isinstance(data, dict) and "of" in data:
        parse_ends(data)
        return
    require_shape(data, _LINES, "a count", is_statement=True)
    named, boxes = max(map(int, _VARIABLE.findall(data["line"])), default=-1), [box for _, box in data["members"]]
    if len(data["line"]) > MAX_LENGTH or any(not named < len(box) <= MAX_LENGTH for box in boxes):
        raise SpecError(f"'line' can have at most {MAX_LENGTH} characters; 'members' needs a list for each variable")
    if not 0 < sum(math.prod(map(len, box)) for box in boxes) <= MAX_COUNTED:
        raise SpecError(f"the number of members must be between 1 and {MAX_COUNTED}")


def parse_ends(data: Mapping[str, Any]) -> tuple[dict[str, Any], Statement]:
    """Return a statement about the plays to count, first as data, then parsed. Its goals are those in ``counts``."""
    require_shape(data, _ENDS, "a count", is_statement=True)
    if not all(_NUMBER.fullmatch(digits) for _, digits in data["counts"]):
        raise SpecError("each entry of 'counts' must have a formula and a number in digits")
    goals = [{"type": "reach", "name": str(n), "goal": said, "by": 0} for n, (said, _) in enumerate(data["counts"])]
    plays = {key: value for key, value in data.items() if key not in ("of", "counts", "symmetries")}
    plays |= {"kind": "play", "claimant": "X", "objectives": goals}
    return plays, parse_statement(plays)


def decide_count(data: Mapping[str, Any], is_proof: bool, evidence: Mapping[str, Any], *_: object) -> Result:
    """Count. For a proof, all numbers in the statement must be right. For a refutation, at least one must be wrong."""
    require_shape(evidence, {}, "the evidence")
    require_count(data)
    if "of" in data:
        found, stats = _count_ends(data)
        wrong = [(n, said) for n, said in zip(found, data["counts"], strict=True) if str(n) != said[1]]
        where = "" if not wrong or wrong[0][1][0] is True else f" with {short(wrong[0][1][0], 60)}"
        fault = "".join(f"{number:,} {data['of']}{where}, not {claimed}" for number, (_, claimed) in wrong[:1])
    else:
        results = list(_play(data))
        stats = {"members": len(results), "counted": sum(results)}
        said = f"{stats['counted']:,} of {len(results):,} members are counted, not {data['count']:,}"
        fault = "" if stats["counted"] == data["count"] else said
    if is_proof == bool(fault):
        raise CertificateError("not-the-count", fault or "not refuted: the number is as claimed")
    return Result(Verdict.REFUTED if fault else Verdict.PROVED, fault, stats=stats)


def _count_ends(data: Mapping[str, Any]) -> tuple[list[int], dict[str, int]]:
    """Return the number of plays that end where each formula holds (or of such ends: see ``of``), and statistics."""
    plays, statement = parse_ends(data)
    game, images = statement.game, Symmetries(plays, statement, data["symmetries"]) if "symmetries" in data else None
    if has_ended(statement, statement.start):
        raise CertificateError("vacuous-start", "plays end at the start: there is nothing to count")
    last, edges = game.ply(statement.start) + MAX_MOVES, 0
    level, ends, found = {statement.start: 1}, set[Any](), [0] * len(data["counts"])
    while level:
        following = dict[Any, int]()
        for position, ways in level.items():
            if has_ended(statement, position):
                end = images.least(game.without_number(position)) if images else game.without_number(position)
                times = ways if data["of"] == "plays" else end not in ends
                ends.add(end)
                found = [n + times * one.test(position) for n, one in zip(found, statement.objectives, strict=True)]
                continue
            strategy = statement.strategies.get(game.turn(position))
            moves = {move for _, move in strategy(position)} if strategy else game.legal_moves(position)
            edges += len(moves) * burden(position)
            statement.formulas.spend(len(moves))
            if not moves:
                raise CertificateError("stuck", f"a strategy has no move in {game.format_position(position)}")
            if edges > MAX_EDGES or game.ply(position) >= last:
                raise CertificateError("limit", f"over {MAX_EDGES:,} moves, or {MAX_MOVES:,} in a play: give a horizon")
            for after in [game.play(position, move) for move in moves]:
                following[after] = following.get(after, 0) + ways
        level = following
    return found, {"edges": edges, "ends": len(ends)}


def _play(data: Mapping[str, Any]) -> Iterator[bool]:
    """For each member (each choice of values), yield True if the line is legal and the formula holds after it."""
    game = parse_rules(data["rules"])
    formulas, start = FormulaCompiler(game), game.parse_position(data["start"])
    tests = [(formulas.compile_counted(formula), box) for formula, box in data["members"]]
    if game.is_over(start):
        raise CertificateError("vacuous-start", "the game is over at the start: there is nothing to count")
    parse, parts = functools.cache(game.parse_move), list(enumerate(_VARIABLE.split(data["line"])))
    for test, box in tests:
        for values in itertools.product(*map(functools.partial(map, str), box)):
            line = "".join(values[int(part)] if at % 2 else part for at, part in parts)
            moves = [parse(text) for text in line.split(" ") if text]
            formulas.spend(1 + len(moves))
            try:
                yield test(functools.reduce(game.play, moves, start))
            except IllegalMoveError:
                yield False
