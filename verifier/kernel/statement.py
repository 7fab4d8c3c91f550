"""Statements about plays: who plays by which strategy from where, and what is claimed of it.

Trusted for: what a statement of kind ``play`` means. It is JSON, its rules as ``games`` reads them::

    {"kind": "play", "rules": RULES, "formulas": [FORMULA, ...], "start": POSITION, "claimant": "X",
     "horizon": PLY or null, "given": FORMULA, "symmetric": true,  (the last two optional)
     "strategies": {"X": STRATEGY, "O": STRATEGY},  (both optional)
     "objectives": [{"name": TEXT, "type": "reach", "goal": FORMULA, "by": PLY}
                    {"name": TEXT, "type": "prevent", "goal": FORMULA, "through": PLY}
                    {"name": TEXT, "type": "keep", "at": [SCOPE, ...], "holds": FORMULA}
                    {"name": TEXT, "type": "some", "at": [SCOPE, ...], "holds": FORMULA}]}

A player without a strategy makes every legal move, except that a table chooses for a claimant where ``reach``,
``prevent`` and ``keep`` are claimed: these then say that the claimant can do so. With ``"chooses": true`` the table
chooses among the moves that the claimant's strategy allows; with ``"chooses": false`` there is neither strategy nor
choice, and all plays are meant. With ``given`` plays from ``start`` are meant, and from any other well-formed position
that satisfies this formula, as ``start`` does; ``old`` then speaks of the position from which a play started, and only
an invariant shows what objectives ``keep``, at ``every`` position. ``symmetric`` claims, on nine fields, the same of
each image of all of it (start, strategies, objectives) under a symmetry of the square (``relabel``): what shows it of
one shows it of all. A ``some`` objective says that among all plays, all choices of the claimant included, there is one.
Plays end where the game is over, which it is not at the start, and where the horizon is reached: nothing is claimed of
what comes after (``objective``). A strategy that names no move where play goes on, or an illegal one (of a claimant who
chooses: no legal one), breaks what ``reach``, ``prevent`` and ``keep`` say, whenever that is. Scopes: ``every``,
``start``, ``claimant`` and ``opponent`` (who moves there: nobody where a play ends, by the horizon as well), ``end``
(the game is over), and ``before:LABEL`` and ``after:LABEL`` of a strategy's rule (``phase`` or ``phase.rule``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.kernel.errors import NotationError, SpecError
from verifier.kernel.formula import Formulas, Test
from verifier.kernel.games import Game
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.objective import SCOPES, Objective
from verifier.kernel.strategy import Strategy, compile_strategy

MAX_OBJECTIVES, MAX_WALKED = 400, 50
"""How many objectives a statement has at most, and how many of them every position of a walk is held against."""

KEYS = {"kind", "rules", "start", "claimant", "horizon", "strategies", "objectives"}
MORE = {"formulas", "given", "chooses", "symmetric"}
"""What a statement has, and what it may have."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of kind ``play``, compiled.

    Attributes:
        formulas: count how much of them was evaluated: of strategies and objectives.
        given: which positions plays start from; None: from ``start`` alone.
        chooses: whether the claimant has choices, so that a universal objective needs a table or an invariant.
    """

    game: Game
    formulas: Formulas
    start: Any
    given: Test | None
    claimant: str
    horizon: int | None
    strategies: Mapping[str, Strategy]
    objectives: tuple[Objective, ...]
    chooses: bool


def parse_statement(data: Mapping[str, Any]) -> Statement:
    """Compile a statement.

    Raises:
        SpecError: it is not well formed.
    """
    if not KEYS <= set(data) <= KEYS | MORE or data["kind"] != "play":
        raise SpecError("the statement is not one of kind 'play' with the keys that the kernel documents")
    game = parse_rules(data["rules"])
    try:
        start = game.parse_position(str(data["start"]))
    except NotationError as error:
        raise SpecError(f"the start: {error}") from None
    claimant, horizon, strategies = data["claimant"], data["horizon"], data["strategies"]
    if claimant not in ("X", "O") or not (horizon is None or type(horizon) is int):
        raise SpecError("the claimant is X or O, and the horizon a ply or null")
    if not isinstance(strategies, dict) or not set(strategies) <= {"X", "O"}:
        raise SpecError("strategies are given by player, X or O")
    if any(not isinstance(named, dict) or named.get("player") != player for player, named in strategies.items()):
        raise SpecError("a strategy names its player, and is used as that player's")
    chooses = data.get("chooses", claimant not in strategies)
    if "chooses" in data and (type(chooses) is not bool or chooses is (claimant not in strategies)):
        raise SpecError("'chooses' is true where the claimant chooses among the moves of a strategy, or false without")
    if "symmetric" in data and (data["symmetric"] is not True or not game.is_square):
        raise SpecError("'symmetric' is true, where the game has nine fields; otherwise it is left out")
    formulas = Formulas(game, data.get("formulas", []))
    given = formulas.compile(data["given"]) if "given" in data else None
    if given is not None and not given(start, start):
        raise SpecError("'given' does not hold at the start")
    formulas.has_start = given is not None
    compiled = {player: compile_strategy(formulas, strategy) for player, strategy in strategies.items()}
    labels = {
        f"{side}:{label}"
        for strategy in strategies.values()
        for label in _labels(strategy)
        for side in ("before", "after")
    }
    objectives = data["objectives"]
    if not isinstance(objectives, list) or not 0 < len(objectives) <= MAX_OBJECTIVES:
        raise SpecError(f"a statement without an objective says nothing, and one has at most {MAX_OBJECTIVES}")
    known = SCOPES | labels if given is None else frozenset({"every"})
    parsed = tuple(_objective(formulas, objective, known) for objective in objectives)
    if given is not None and any(objective.type != "keep" for objective in parsed):
        raise SpecError("of plays from all positions that are given, an objective says what they 'keep'")
    if chooses and claimant in strategies and any(objective.type not in ("reach", "prevent") for objective in parsed):
        raise SpecError("a claimant who chooses reaches or prevents: the scopes of a strategy depend on the choice")
    if sum(objective.is_walked for objective in parsed) > MAX_WALKED:
        raise SpecError(f"a walk is held against at most {MAX_WALKED} objectives; other ones are each shown by a line")
    formulas.close()
    if len({objective.name for objective in parsed}) < len(parsed):
        raise SpecError("two objectives have one name")
    return Statement(game, formulas, start, given, claimant, horizon, compiled, parsed, chooses)


def plays_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what statements about the same plays have in common: all but the objectives and their formulas.

    A formula counts as theirs unless it is listed after all that the strategies name.

    Args:
        data: a statement, found well formed.
    """
    plays = {key: value for key, value in data.items() if key != "objectives"}
    if "formulas" in data:
        plays["formulas"] = data["formulas"][: 1 + max(_uses(data["strategies"]), default=-1)]
    return plays


def _uses(value: Any) -> Iterator[int]:
    if isinstance(value, list) and len(value) == 2 and value[0] == "use":
        yield value[1]
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _uses(part)


def _labels(strategy: Any) -> Iterator[str]:
    for phase in strategy["phases"]:
        yield phase["phase"]
        for instance in phase["instances"]:
            yield from (f"{phase['phase']}.{rule['rule']}" for rule in instance["rules"])


def _objective(formulas: Formulas, data: Any, known: frozenset[str] | set[str]) -> Objective:
    keys = {
        "reach": {"name", "type", "goal", "by"},
        "prevent": {"name", "type", "goal", "through"},
        "keep": {"name", "type", "at", "holds"},
        "some": {"name", "type", "at", "holds"},
    }
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in keys or set(data) != keys[kind]:
        raise SpecError(f"{str(data)[:80]!r} is not an objective")
    name = data["name"]
    if not isinstance(name, str):
        raise SpecError(f"the name of an objective is a text, not {str(name)[:40]!r}")
    if kind in ("reach", "prevent"):
        bound = data["by"] if kind == "reach" else data["through"]
        if type(bound) is not int or not 0 <= bound <= 1000:
            raise SpecError(f"objective {name!r}: {str(bound)[:20]!r} is not a ply")
        return Objective(name, kind, formulas.compile_counted(data["goal"]), frozenset(), bound)
    scopes = data["at"]
    if not isinstance(scopes, list) or not scopes or not all(isinstance(scope, str) for scope in scopes):
        raise SpecError(f"objective {name!r}: 'at' is a list of scopes")
    if len(set(scopes)) < len(scopes):
        raise SpecError(f"objective {name!r}: 'at' names a scope twice")
    unknown = sorted(set(scopes) - known)
    if unknown:
        raise SpecError(f"objective {name!r}: no position of these plays is ever at {unknown[0][:60]!r}")
    return Objective(name, kind, formulas.compile_counted(data["holds"]), frozenset(scopes), 0)
