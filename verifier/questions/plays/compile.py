"""Compile readings with the questions ``plays`` and ``can`` to statements about plays."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from verifier.kernel.games.registry import all_positions
from verifier.kernel.statement import SCOPES, parse_statement
from verifier.language.evaluator import OldPosition
from verifier.language.loader import KeyPath
from verifier.language.problem import suggest
from verifier.language.reading import OBJECTIVES, ReadingObjective
from verifier.language.sharing import fold
from verifier.questions.can.model import CanReading
from verifier.questions.compiler import CompiledReading, Compiler
from verifier.questions.plays.model import PlaysReading

_GIVE_BY = "Give 'by', or count moves in a cell"


class PlaysCompiler(Compiler):
    """Compiles readings to statements of the kind ``play``."""

    def compile(self, model: PlaysReading | CanReading) -> CompiledReading:
        """Compile a reading to a statement. Return the statement with the reading's invariant."""
        # With 'given', plays start from several positions. Without an invariant, the kernel does not remember where a
        # play started, so formulas cannot ask about the start.
        given, is_walked = model.given, not isinstance(model, PlaysReading) or model.invariant is None
        old = OldPosition.NONE if given is None or is_walked else OldPosition.START
        strategies: dict[str, Any] = {}
        labels = set(SCOPES)
        for player, name in model.strategies.items():
            ground = self.strategy(("strategies", player), name, {})
            if ground is None:
                continue
            strategies[player] = ground
            for phase, body in self.library.strategy(name.split("#")[0]).phases.items():
                for label in (phase, *(f"{phase}.{rule}" for rule in body.rules)):
                    labels |= {f"before:{label}", f"after:{label}"}
        claimant = model.claimant
        if claimant is None and model.strategies:
            text = "both players have a strategy: say whose claim it is with 'player: X' or 'player: O'"
            self.problem(("strategies",), text)
        chooses: dict[str, bool] = {}
        horizon: int | None
        if isinstance(model, PlaysReading):
            horizon = model.horizon
            self._check_plays(model, claimant)
            if not model.strategies and (model.invariant or any(o.some is None for o in model.objectives.values())):
                chooses = {"chooses": False}  # nobody chooses among moves: every legal play counts
        else:
            (name,) = model.objectives
            horizon = self._bound(model, model.objectives[name])
            if model.objectives[name].reach is None and model.objectives[name].prevent is None:
                self.problem(("objectives", name), "'can' needs 'reach' or 'prevent'")
            if claimant in model.strategies:
                chooses = {"chooses": True}
            for index, pair in enumerate(model.pairing or ()):
                for at, spot in enumerate(pair):
                    self.move(("pairing", index, at), spot)
        members = {name: [*self._members(model, name, labels, old=old)] for name in model.objectives}
        statement = {
            "kind": "play",
            **chooses,
            "rules": self.game.data,
            **({"symmetric": True} if isinstance(model, PlaysReading) and model.symmetric else {}),
            "start": self.start(model.start),
            **({} if given is None else {"given": self.formula(("given",), given, {})}),
            "claimant": claimant or "X",
            "horizon": horizon,
            "strategies": strategies,
            "objectives": [*itertools.chain(*members.values())],
        }
        self._check_numbers(model, strategies, members)
        if given is not None and is_walked:
            self._check_given(model, statement)
        folded = fold(statement, self.library.nodes)
        if isinstance(model.start, str) and not self.problems:
            self._check_start(folded)
        return CompiledReading(folded, invariant=self._invariant(model, old=old))

    def _check_start(self, statement: dict[str, Any]) -> None:
        """Add a problem if the start has a number of moves that the kernel would replace by another number."""
        given = self.game.parse_position(statement["start"])
        counted = self.game.without_number(given)
        if counted != given and not parse_statement(statement).has_number:
            text = "this reading ignores how many moves led to the start, so the kernel sets this number"
            self.problem(("start",), f"{text}: write {self.game.format_position(counted)!r}")

    def _check_given(self, model: PlaysReading | CanReading, statement: dict[str, Any]) -> None:
        """Add problems about 'given' without an 'invariant'.

        Without an invariant, the kernel walks from every position in which 'given' holds, and positions do not include
        the number of moves made.
        """
        is_plays = isinstance(model, PlaysReading)
        places: list[KeyPath] = [("horizon",)] if isinstance(model, PlaysReading) and model.horizon is not None else []
        places += [("objectives", name, "by") for name, own in model.objectives.items() if own.by is not None]
        for place in places:
            self.problem(place, "with 'given', the moves of a play are not counted: leave this out")
        if all_positions(self.game) is None:
            text = "needs an 'invariant'" if is_plays else "cannot stand beside 'can'"
            self.problem(("given",), f"under these rules 'given' {text}: only the family general lists all positions")
        elif not places and _asks_for_ply([statement[key] for key in ("given", "objectives", "strategies")]):
            text = "without an 'invariant', moves" if is_plays else "moves"
            self.problem(("given",), f"{text} from these positions are not counted: leave out 'ply'")

    def _check_numbers(
        self, model: PlaysReading | CanReading, strategies: dict[str, Any], members: dict[str, list[dict[str, Any]]]
    ) -> None:
        """If an objective has no last ply, add a problem for everything that needs the number of moves.

        In that case, positions do not include the number of moves made. So no objective can have ``by``, and no formula
        or strategy can ask for the ply. Also, an invariant cannot show an objective of type ``reach`` without ``by``.
        """
        endless = next(
            (name for name, own in members.items() for item in own if item.get("by", item.get("through", 0)) is None),
            None,
        )
        if endless is None:
            return
        for name, own in members.items():
            is_endless = any(item["type"] == "reach" and item["by"] is None for item in own)
            if is_endless and isinstance(model, PlaysReading) and model.invariant is not None:
                text = "an 'invariant' cannot show that plays reach something in the end: give 'by'"
                self.problem(("objectives", name), text)
        how = f"{endless!r} has no 'by', and play by these rules may go on for ever, so moves are not counted"
        for name, objective in model.objectives.items():
            if objective.by is not None:
                text = f"{how}. Make {name!r} a reading of its own, or give both objectives a 'by'"
                self.problem(("objectives", name, "by"), text)
            if _asks_for_ply([item.get("goal", item.get("holds")) for item in members[name]]):
                kind = members[name][0]["type"]
                self.problem(("objectives", name, kind), f"{how}: 'ply' cannot be used here. {_GIVE_BY}")
        for player, ground in strategies.items():
            if _asks_for_ply([instance for phase in ground["phases"] for instance in phase["instances"]]):
                self.problem(("strategies", player), f"{how}: this strategy cannot use 'ply'. {_GIVE_BY}")

    def _check_plays(self, model: PlaysReading, claimant: str | None) -> None:
        """Add problems about the claimant and the horizon. Only readings with ``plays`` can have these problems."""
        if claimant is not None and model.strategies and claimant not in model.strategies:
            self.problem((), f"the claimant {claimant} has no strategy: use 'can: {claimant}' to search for one")
        scopes = {scope for objective in model.objectives.values() for scope in objective.scopes}
        if claimant is None and not model.strategies and scopes & {"claimant", "opponent"}:
            self.problem((), "say whose claim it is with 'player: X' or 'player: O'")
        for name, objective in model.objectives.items():
            if model.horizon is not None and (objective.by or 0) > model.horizon:
                self.problem(("objectives", name), f"'by' is later than the horizon, ply {model.horizon}")

    def _bound(self, model: PlaysReading | CanReading, objective: ReadingObjective) -> int | None:
        """Return the last ply that an objective is about: the ply in ``by``.

        Without ``by``, an objective of type ``reach`` or ``prevent`` is about whole plays: return the last ply of any
        play, or None if plays may go on for ever. For ``keep`` and ``some``, return None.
        """
        if objective.by is not None or (objective.prevent is None and objective.reach is None):
            return objective.by
        horizon = model.horizon if isinstance(model, PlaysReading) else None
        ends = [ply for ply in (self.game.last_ply, horizon) if ply is not None]
        return min(ends, default=None)

    def _invariant(self, model: PlaysReading | CanReading, *, old: OldPosition) -> dict[str, list[list[Any]]]:
        """Return the invariant of a reading, by the player to move; empty if the reading has none."""
        if not isinstance(model, PlaysReading) or model.invariant is None:
            return {}
        kept = {turn: self.named(("invariant", turn), said, {}, old=old) for turn, said in model.invariant.items()}
        return {player: [*kept.get("both", []), *kept.get(player, [])] or [["True", True]] for player in ("X", "O")}

    def _members(
        self, model: PlaysReading | CanReading, name: str, labels: set[str], *, old: OldPosition
    ) -> Iterator[dict[str, Any]]:
        """Yield a copy of an objective for each choice of values in its ``for``. The name of a copy has its values."""
        objective, path = model.objectives[name], ("objectives", name)
        bound = self._bound(model, objective)
        known = len(self.problems)
        members = self.families((*path, "for"), objective.for_, {})
        if not members and len(self.problems) == known:
            self.problem(path, "'for' is empty: there is nothing to check")
        (kind,) = (key for key in OBJECTIVES if getattr(objective, key) is not None)
        if kind in ("keep", "some"):
            self._check_scopes((*path, "at"), objective.scopes, labels)
        for member in members:
            which = ", ".join(f"{key} = {value}" for key, value in member.items())
            holds = self.formula((*path, kind), getattr(objective, kind), member, old=old)
            found: dict[str, Any] = {"name": f"{name}: {which}" if which else name, "type": kind}
            if kind == "reach":
                yield found | {"goal": holds, "by": bound}
            elif kind == "prevent":
                yield found | {"goal": holds, "through": bound}
            else:
                yield found | {"at": objective.scopes, "holds": holds}

    def _check_scopes(self, path: KeyPath, scopes: list[str], labels: set[str]) -> None:
        if not scopes:
            self.problem(path, "name a scope in 'at'")
        known = f": {', '.join(sorted(labels))}"
        for scope in scopes:
            if scope not in labels:
                self.problem(path, f"{scope!r} is not a scope{suggest(scope, labels) or known}")


def _asks_for_ply(formula: Any) -> bool:
    """Say whether ``formula``, or a formula inside it, asks for the number of moves."""
    waiting, seen = [formula], set[int]()
    while waiting:
        part = waiting.pop()
        if isinstance(part, list | dict) and id(part) not in seen:  # formulas can share parts: look at each part once
            seen.add(id(part))
            if part == ["ply"]:
                return True
            waiting += part.values() if isinstance(part, dict) else part
    return False
