"""Statements about plays: where plays start, who plays by which strategy, and what is claimed of the plays.

Trusted for: what a statement of kind ``play`` means. It is JSON, its rules as ``games`` reads them::

    {"kind": "play", "rules": RULES, "formulas": [FORMULA, ...], "start": POSITION, "claimant": "X",
     "horizon": PLY or null, "given": FORMULA, "symmetric": true,  (the last two optional)
     "strategies": {"X": STRATEGY, "O": STRATEGY},  (both optional)
     "objectives": [{"name": TEXT, "type": "reach", "goal": FORMULA, "by": PLY}
                    {"name": TEXT, "type": "prevent", "goal": FORMULA, "through": PLY}
                    {"name": TEXT, "type": "keep", "at": [SCOPE, ...], "holds": FORMULA}
                    {"name": TEXT, "type": "some", "at": [SCOPE, ...], "holds": FORMULA}]}

- A player without a strategy makes every legal move. There is one exception: a claimant without a strategy *chooses*
  his moves as far as ``reach``, ``prevent`` and ``keep`` are concerned. Then these say that he can bring something
  about, and a table of his moves shows it. With ``"chooses": true`` he chooses among the moves that his strategy
  allows. With ``"chooses": false`` he has no strategy and does not choose: every legal play is meant.
- A ``some`` objective says that there is a play, among all plays, with all moves that a claimant could choose.
- Plays end where the game is over, and where the horizon is reached. Nothing is claimed of what comes after. If the
  game is over at the start, ``keep`` and ``some`` can still say what is there, at ``every``, ``start`` and ``end``.
- A strategy breaks down in a position where play goes on if it names no move, or an illegal one (of a claimant who
  chooses: no legal one). Then ``reach``, ``prevent`` and ``keep`` are false, at whatever ply this happens.
- ``given``: plays start at ``start``, which satisfies this formula, and at every other well-formed position that does.
  ``old`` is the position where the play started. All objectives are ``keep`` at ``every``, and only an invariant shows
  them.
- ``symmetric``, on nine fields: the same is claimed of each image of the whole (start, strategies, objectives) under a
  symmetry of the square. The evidence for one image is evidence for all (``relabel``).
- Scopes: ``every``; ``start``; ``claimant`` and ``opponent``, by who is to move (nobody is where a play ends, also by
  the horizon); ``end``, where the game is over; ``before:LABEL`` and ``after:LABEL``, the positions before and after a
  move by a rule of a strategy. LABEL is ``phase`` or ``phase.rule``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any

from verifier.kernel.certificate import canonical_bytes, require_shape
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import FormulaCompiler, Test
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.strategy import PLAYER, STRATEGY, Strategy, compile_strategy

MAX_OBJECTIVES, MAX_WALKED = 400, 50
"""Maximum number of objectives in a statement, and of those that are tested at every position of a walk."""

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

_OBJECTIVES = {
    "reach": {"name": str, "type": str, "goal": object, "by": range(1001)},
    "prevent": {"name": str, "type": str, "goal": object, "through": range(1001)},
    "keep": {"name": str, "type": str, "at": [str], "holds": object},
    "some": {"name": str, "type": str, "at": [str], "holds": object},
}


@dataclass(frozen=True, slots=True)
class Objective:
    """One thing that a statement says of the plays; ``bound`` is the ply of ``reach`` and ``prevent``.

    - ``prevent`` is about every position up to its ply: the goal does not hold there.
    - ``reach`` is about the position of a play at its ply, or where the game is over before: the goal holds there, or
      has held before.
    - ``keep`` is about every position in its scopes: its formula holds there.
    - ``some``: at some position in one of its scopes its formula holds.
    """

    name: str
    type: str
    test: Callable[[Any], bool]
    scopes: frozenset[str]
    bound: int

    @property
    def is_walked(self) -> bool:
        """Whether it needs a walk through every play. ``some`` does if it has several scopes, as each has to be met."""
        return self.type in UNIVERSAL or len(self.scopes) > 1

    def speaks_of(self, ply: int, scopes: Set[str]) -> bool:
        """Say whether it is about a position at a ply and in these scopes."""
        if self.type == "reach":
            return ply >= self.bound or "end" in scopes
        return ply <= self.bound if self.type == "prevent" else not self.scopes.isdisjoint(scopes)

    def holds(self, position: Any, ply: int) -> bool:
        """Say whether what it says about a position is true there."""
        if self.type == "prevent":
            return not self.test(position)
        return (self.type != "reach" or ply <= self.bound) and self.test(position)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of kind ``play``, ready to be decided."""

    game: Game
    formulas: FormulaCompiler
    start: Any
    given: Test | None  # plays start at every position that satisfies it; None: at ``start`` alone
    claimant: str
    horizon: int | None
    strategies: Mapping[str, Strategy]
    objectives: tuple[Objective, ...]
    chooses: bool  # universal objectives say what the claimant can bring about
    is_opposed: bool = False  # an opponent's claim (``plays.oppose``): it also holds if a strategy breaks down


def parse_statement(data: Mapping[str, Any]) -> Statement:
    """Read a statement."""
    require_shape(data, _PLAYS, "plays", is_statement=True)
    game = parse_rules(data["rules"])
    start, claimant, strategies = game.parse_position(data["start"]), data["claimant"], data["strategies"]
    chooses = data.get("chooses", claimant not in strategies)
    if "chooses" in data and chooses is (claimant not in strategies):
        raise SpecError("'chooses' is true where the claimant chooses among the moves of a strategy, or false without")
    if "symmetric" in data and not game.is_square:
        raise SpecError("'symmetric' is true, where the game has nine fields; otherwise it is left out")
    formulas = FormulaCompiler(game, data["formulas"])
    given = formulas.compile(data["given"]) if "given" in data else None
    if given is not None and not given(start, start):
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
        raise SpecError(f"a statement without an objective says nothing, and one has at most {MAX_OBJECTIVES}")
    if given is not None and any(objective.type != "keep" for objective in parsed):
        raise SpecError("for plays from all given positions, an objective has to say what they 'keep'")
    if chooses and claimant in strategies and any(objective.type not in ("reach", "prevent") for objective in parsed):
        raise SpecError("a claimant who chooses reaches or prevents: the scopes of a strategy depend on the choice")
    if sum(objective.is_walked for objective in parsed) > MAX_WALKED:
        raise SpecError(f"a walk is held against at most {MAX_WALKED} objectives; other ones are each shown by a line")
    if data["horizon"] is not None and any(objective.bound > data["horizon"] for objective in parsed):
        raise SpecError("an objective goes beyond the horizon, the ply at which plays end")
    formulas.close()
    if len({objective.name for objective in parsed}) < len(parsed):
        raise SpecError("two objectives have one name")
    return Statement(game, formulas, start, given, claimant, data["horizon"], compiled, parsed, chooses)


def says_what_is_over(statement: Statement) -> bool:
    """Say whether all objectives are about positions in themselves, so that the game may be over at the start."""
    return statement.given is None and all(
        objective.type in ("keep", "some") and objective.scopes <= {"every", "start", "end"}
        for objective in statement.objectives
    )


def plays_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a statement that says which plays it is about: all but the objectives and their formulas.

    Formulas are left out if they are listed after the last one that a strategy names.
    """
    plays = {key: value for key, value in data.items() if key != "objectives"}
    used = map(int, re.findall(rb'\["use",(\d+)\]', canonical_bytes(data["strategies"])))
    return {**plays, "formulas": data["formulas"][: 1 + max(used, default=-1)]}


def _objective(formulas: FormulaCompiler, data: Any, known: Set[str]) -> Objective:
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in _OBJECTIVES:
        raise SpecError(f"{str(data)[:80]!r} is not an objective")
    require_shape(data, _OBJECTIVES[kind], "an objective", is_statement=True)
    name, scopes, said = data["name"], frozenset(data.get("at", ())), data["holds" if "holds" in data else "goal"]
    if "at" in data and not 0 < len(data["at"]) == len(scopes):
        raise SpecError(f"objective {name!r}: 'at' names one scope or more, each once")
    if not scopes <= known:
        raise SpecError(f"objective {name!r}: no position of these plays is ever at {min(scopes - known)[:60]!r}")
    bound = data.get("by", data.get("through", 0))
    return Objective(name, kind, formulas.compile_counted(said), scopes, bound)
