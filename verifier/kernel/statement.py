"""Statements about plays: where plays start, which strategies they follow, and what is claimed about the plays.

This module is trusted to give a statement of kind ``play`` the meaning that §6 and §11 of ``proofs/README.md`` define.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

from verifier.kernel.certificate import canonical_bytes, require_shape
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.strategy import PLAYER, STRATEGY, Strategy, compile_strategy

MAX_OBJECTIVES, MAX_WALKED = 400, 50
"""Maximum number of objectives in a statement, and of objectives that are tested at every position of a walk."""

SCOPES = frozenset({"every", "start", "claimant", "opponent", "end"})
"""The scopes that every statement can use."""

UNIVERSAL = ("reach", "prevent", "keep")
"""The types of objectives that are about all plays."""

_PLAYS = {
    "kind": frozenset(["play"]),
    "rules": dict,
    "start": str,
    "claimant": PLAYER,
    "horizon": (int, None),
    "strategies": {"X?": STRATEGY, "O?": STRATEGY},
    "objectives": [dict],
    "formulas": list,
    "given?": object,
    "chooses?": bool,
    "symmetric?": True,
}

_GOAL, _BOUND = {"name": str, "type": str, "goal": object}, (range(1001), None)
_HELD = {"name": str, "type": str, "at": [str], "holds": object}
_OBJECTIVES = {"reach": _GOAL | {"by": _BOUND}, "prevent": _GOAL | {"through": _BOUND}, "keep": _HELD, "some": _HELD}


@dataclass(frozen=True, slots=True)
class Objective:
    """One of the claims of a statement. ``bound`` is the last ply of a ``reach`` or ``prevent``, or infinity.

    - ``prevent``: in every position up to ``bound`` the goal does not hold.
    - ``reach``: in every play the goal holds in some position, at ply ``bound`` at the latest.
    - ``keep``: the formula holds in every position that is in at least one of the scopes.
    - ``some``: the formula holds in some position that is in at least one of the scopes.
    """

    name: str
    type: str
    test: Callable[[Any], bool]
    scopes: frozenset[str]
    bound: float

    @property
    def is_walked(self) -> bool:
        """Whether the kernel has to walk through every play. A ``some`` needs a walk if it has several scopes."""
        return self.type in UNIVERSAL or len(self.scopes) > 1

    def speaks_of(self, ply: int, scopes: Set[str]) -> bool:
        """Say whether the objective applies to a position with this ply and these scopes."""
        if self.type == "reach":
            return ply >= self.bound or "end" in scopes
        return ply <= self.bound if self.type == "prevent" else not self.scopes.isdisjoint(scopes)

    def holds(self, position: Any, ply: int) -> bool:
        """Say whether the objective holds in a position to which it applies."""
        if self.type == "prevent":
            return not self.test(position)
        return (self.type != "reach" or ply <= self.bound) and self.test(position)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of kind ``play``, ready to be decided."""

    game: Game
    formulas: FormulaCompiler
    start: Any
    given: Callable[[Any], bool] | None  # plays start in all positions where this is true; None: at ``start``
    claimant: str
    horizon: int | None  # plays end at this ply, if not before; None: there is no such ply
    strategies: Mapping[str, Strategy]
    objectives: tuple[Objective, ...]
    chooses: bool  # True: ``UNIVERSAL`` objectives say what the claimant can bring about by his moves
    has_number: bool  # False: positions do not say how many moves were made (``Game.without_number``)
    is_opposed: bool = False  # True: an opponent's claim (``oppose``), which also holds if a strategy breaks down

    @property
    def until(self) -> Callable[[Any], bool] | None:
        """The goal at which plays end, if the only objective is a ``reach`` without a ply; otherwise None."""
        is_alone = not self.has_number and [objective.type for objective in self.objectives] == ["reach"]
        return self.objectives[0].test if is_alone else None


def parse_statement(data: Mapping[str, Any]) -> Statement:
    """Read a statement."""
    require_shape(data, _PLAYS, "plays", is_statement=True)
    game = parse_rules(data["rules"])
    start, claimant, strategies = game.parse_position(data["start"]), data["claimant"], data["strategies"]
    chooses = data.get("chooses", claimant not in strategies)
    if "chooses" in data and chooses is (claimant not in strategies):
        raise SpecError("'chooses' must be true if the claimant has a strategy, and false if he has none")
    if "symmetric" in data and not game.is_square:
        raise SpecError("'symmetric' needs a game of nine fields")
    formulas = FormulaCompiler(game, data["formulas"])
    given = formulas.compile_counted(data["given"]) if "given" in data else None
    if given is not None and not given(start):
        raise SpecError("'given' does not hold at the start")
    formulas.has_start = given is not None
    compiled = {player: compile_strategy(formulas, strategy, player) for player, strategy in strategies.items()}
    phases = [phase for one in strategies.values() for phase in one["phases"]]
    rules = [(phase["phase"], rule["rule"]) for phase in phases for i in phase["instances"] for rule in i["rules"]]
    names = {*(phase["phase"] for phase in phases), *(f"{phase}.{rule}" for phase, rule in rules)}
    labels = {f"{side}:{name}" for name in names for side in ("before", "after")}
    known = SCOPES | labels if given is None else frozenset({"every"})
    parsed = tuple(_objective(formulas, objective, known) for objective in data["objectives"])
    if not 0 < len(parsed) <= MAX_OBJECTIVES:
        raise SpecError(f"a statement must have between 1 and {MAX_OBJECTIVES} objectives")
    if given is not None and any(one.type != "keep" and one.bound < math.inf for one in parsed):
        raise SpecError("with 'given', an objective must be a 'keep', or a 'reach' or 'prevent' without a ply")
    if chooses and claimant in strategies and any(objective.type not in ("reach", "prevent") for objective in parsed):
        raise SpecError("if the claimant chooses among moves of a strategy, objectives must be 'reach' or 'prevent'")
    if sum(objective.is_walked for objective in parsed) > MAX_WALKED:
        raise SpecError(f"at most {MAX_WALKED} objectives may need a walk; others must be 'some' with one scope")
    if data["horizon"] is not None and any(data["horizon"] < objective.bound < math.inf for objective in parsed):
        raise SpecError("an objective goes beyond the horizon, the ply at which plays end")
    formulas.close()
    if len({objective.name for objective in parsed}) < len(parsed):
        raise SpecError("two objectives have the same name")
    has_number = _has_number(game, formulas, data["horizon"], parsed)
    start = start if has_number else game.without_number(start)
    return Statement(game, formulas, start, given, claimant, data["horizon"], compiled, parsed, chooses, has_number)


def _has_number(game: Game, formulas: FormulaCompiler, horizon: int | None, objectives: Iterable[Objective]) -> bool:
    """Say whether a statement depends on the number of moves made. If so, each reach and prevent must have a ply."""
    plies = {objective.bound for objective in objectives if objective.type in ("reach", "prevent")}
    where = {
        "by these rules every play ends": game.last_ply is not None,
        "plays end at a horizon": horizon is not None,
        "a formula asks for 'ply'": formulas.has_ply,
        "an objective has a ply": bool(plies - {math.inf}),
    }
    found = [said for said, is_so in where.items() if is_so]
    if found and math.inf in plies:
        raise SpecError(f"'by' or 'through' is null, so nothing may depend on the number of moves, but {found[0]}")
    return bool(found)


def says_what_is_over(statement: Statement) -> bool:
    """Say whether the game may be over at the start. True: no objective is about moves, or about who is to move."""
    return statement.given is None and all(
        objective.type in ("keep", "some") and objective.scopes <= {"every", "start", "end"}
        for objective in statement.objectives
    )


def plays_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a statement that determines its plays: everything except objectives and their formulas."""
    plays = {key: value for key, value in data.items() if key != "objectives"}
    # Keep the entries of ``formulas`` up to the last entry that a strategy or ``given`` uses.
    used = map(int, re.findall(rb'\["use",(\d+)\]', canonical_bytes([data["strategies"], data.get("given")])))
    return {**plays, "formulas": data["formulas"][: 1 + max(used, default=-1)]}


def _objective(formulas: FormulaCompiler, data: Any, known: Set[str]) -> Objective:
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in _OBJECTIVES:
        raise SpecError(f"{str(data)[:80]!r} is not an objective")
    require_shape(data, _OBJECTIVES[kind], "an objective", is_statement=True)
    name, scopes, said = data["name"], frozenset(data.get("at", ())), data["holds" if "holds" in data else "goal"]
    if "at" in data and not 0 < len(data["at"]) == len(scopes):
        raise SpecError(f"objective {name!r}: 'at' must name at least one scope, each once")
    if not scopes <= known:
        raise SpecError(f"objective {name!r}: these plays have no scope {min(scopes - known)[:60]!r}")
    bound = data.get("by", data.get("through", 0))
    return Objective(name, kind, formulas.compile_counted(said), scopes, math.inf if bound is None else bound)
