"""Count the members of a family whose lines are legal and end as described: the kernel plays every line.

Trusted for: every verdict on a statement of kind ``count``. Such a statement is JSON::

    {"kind": "count", "rules": RULES, "start": POSITION, "count": NUMBER, "line": TEXT,
     "members": [[FORMULA, [[VALUE, ...], ...]], ...]}

A line is moves with spaces between them, in which ``{0}``, ``{1}``, … stand for the values of variables. Each entry of
``members`` has a formula, and a list of integers for each variable. Every combination of these integers is a member; a
combination that is listed twice is two members. A member counts if each of its moves is legal, and its formula holds in
the last position. The evidence is empty.
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
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.verdict import Result, Verdict

MAX_COUNTED, MAX_LENGTH = 100_000, 500

_VARIABLE = re.compile(r"\{([0-9]{1,3})\}")

_MEMBERS = [[object, [[int]]]]
_COUNT = {"kind": frozenset(["count"]), "rules": dict, "start": str, "count": int, "line": str, "members": _MEMBERS}


def require_count(data: Mapping[str, Any]) -> None:
    """Require that a statement is well formed, and that it has members to count."""
    require_shape(data, _COUNT, "a count", is_statement=True)
    named = max(map(int, _VARIABLE.findall(data["line"])), default=-1)
    if len(data["line"]) > MAX_LENGTH or any(not named < len(box) <= MAX_LENGTH for _, box in data["members"]):
        raise SpecError(
            f"the line must have at most {MAX_LENGTH} characters, "
            f"and an entry of 'members' a list for each variable, at most {MAX_LENGTH} lists"
        )
    if not 0 < sum(math.prod(map(len, box)) for _, box in data["members"]) <= MAX_COUNTED:
        raise SpecError(f"the number of members must be between 1 and {MAX_COUNTED}")


def check_count(data: Mapping[str, Any], *, is_proof: bool) -> Result:
    """Count the members. For a proof the statement must name this number, for a refutation another number."""
    require_count(data)
    results = list(_play(data))
    stats = {"members": len(results), "counted": sum(results)}
    said = f"{stats['counted']:,} of {len(results):,} members count, not {data['count']:,}"
    fault = "" if stats["counted"] == data["count"] else said
    if is_proof == bool(fault):
        raise CertificateError("not-the-count", fault or "not refuted: the number is as claimed")
    return Result(Verdict.REFUTED if fault else Verdict.PROVED, fault, stats=stats)


def decide_count(data: dict[str, Any], is_proof: bool, evidence: dict[str, Any], *_: object) -> Result:
    """Decide a statement by counting; the evidence must be empty."""
    require_shape(evidence, {}, "the evidence")
    return check_count(data, is_proof=is_proof)


def _play(data: Mapping[str, Any]) -> Iterator[bool]:
    """For each member, yield whether it counts."""
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


def describe_count(data: dict[str, Any], _: Game) -> str:
    """Return a statement in words."""
    members = sum(math.prod(map(len, box)) for _, box in data["members"])
    ends = "" if all(formula is True for formula, _ in data["members"]) else " and end where a condition holds"
    return f"exactly {data['count']:,d} of {members:,} lines can be played{ends}"
