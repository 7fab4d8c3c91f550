"""Compile readings about plays: of all of them, or of those that a player can bring about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verifier.language.compile.base import Compiler
from verifier.language.loader import Path
from verifier.language.problem import suggest
from verifier.language.questions import Can, Objective, Plays, find_claimant
from verifier.language.sharing import fold
from verifier.language.strategy import strategy_labels

SCOPES = ("every", "start", "claimant", "opponent", "end")


class PlaysCompiler(Compiler):
    """Compiles to the kind ``play``."""

    def compile(self, model: Plays | Can) -> dict[str, Any]:
        """Return the statement; what is wrong with the reading is added to the scope's problems."""
        named = model.strategies
        strategies: dict[str, Any] = {}
        labels = set(SCOPES)
        for player, name in named.items():
            has_start = isinstance(model, Plays) and model.given is not None
            ground = self.strategy(("strategies", player), name, {}, has_start=has_start)
            if ground is None:
                continue
            if ground["player"] != player:
                self.problem(("strategies", player), f"{name!r} is a strategy of {ground['player']}")
            strategies[player] = ground
            names = strategy_labels(self.library.strategy(name.split("#")[0]))
            labels |= {f"{side}:{label}" for label in names for side in ("before", "after")}
        claimant = find_claimant(model)
        is_kept = isinstance(model, Plays) and model.invariant is not None
        if claimant is None and named:
            self.problem(
                ("strategies",), "both players have a strategy: say whose claim it is by 'player: X' or 'player: O'"
            )
        if isinstance(model, Plays) and claimant is not None and named and claimant not in named:
            self.problem((), f"the claimant {claimant} has no strategy: 'can: X' looks for one")
        is_universal = any(objective.some is None for objective in model.objectives.values())
        if isinstance(model, Plays) and not named and not is_kept:
            if is_universal:
                self.problem((), "say in 'strategies' who plays how: {X: my-strategy}; 'can: X' looks for a strategy")
            elif claimant is None:
                self.problem((), "say whose claim it is by 'player: X' or 'player: O'")
            elif model.horizon is None:
                self.problem((), "there are too many plays to follow all of them: give a horizon, or a strategy")
        if isinstance(model, Plays) and model.horizon is not None:
            for name, objective in model.objectives.items():
                if (objective.by or 0) > model.horizon:
                    self.problem(("objectives", name), f"speaks of plies beyond the horizon, {model.horizon}")
        chooses = {"chooses": True} if isinstance(model, Can) and claimant in named else {}
        if is_kept and not named:
            chooses = {"chooses": False}
        if isinstance(model, Can):
            self._check_pairs(model)
        statement = {
            "kind": "play",
            **chooses,
            "rules": self.game.data,
            **({"symmetric": True} if isinstance(model, Plays) and model.symmetric else {}),
            "start": self.start(model.start),
            **self._given(model),
            "claimant": claimant or "X",
            "horizon": self._horizon(model),
            "strategies": strategies,
            "objectives": [
                found
                for name, objective in model.objectives.items()
                for found in self._members(name, objective, labels, model)
            ],
        }
        return fold(statement, self.library.made.nodes)

    def _check_pairs(self, model: Can) -> None:
        for index, pair in enumerate(model.pairing or ()):
            for at, spot in enumerate(pair):
                self.move(("pairing", index, at), spot)

    def _given(self, model: Plays | Can) -> dict[str, Any]:
        if not isinstance(model, Plays) or model.given is None:
            return {}
        return {"given": self.scope.formula((*self.path, "given"), model.given, {})}

    def compile_invariant(self, model: Plays | Can) -> dict[str, list[list[Any]]]:
        """Return the invariant of a reading, by the player to move; nothing where it has none."""
        if not isinstance(model, Plays) or model.invariant is None:
            return {}
        kept, path = {}, (*self.path, "invariant")
        for turn, said in model.invariant.items():
            named = said.items() if isinstance(said, dict) else enumerate(said)
            kept[turn] = [
                [str(text if isinstance(said, list) else at), self._said((*path, turn, at), text, model, {})]
                for at, text in named
            ]
        return {player: [*kept.get("both", []), *kept.get(player, [])] or [["True", True]] for player in ("X", "O")}

    def _horizon(self, model: Plays | Can) -> int | None:
        if isinstance(model, Plays):
            return model.horizon
        for name, objective in model.objectives.items():
            if objective.reach is None and objective.prevent is None:
                self.problem(("objectives", name), "'can' asks for 'reach' or 'prevent'")
            return objective.by
        return None

    def _members(
        self, name: str, objective: Objective, labels: set[str], model: Plays | Can
    ) -> Iterator[dict[str, Any]]:
        """Yield an objective, or that of each member of its family, with the member in its name."""
        path, known = (*self.path, "objectives", name, "for"), len(self.scope.problems)
        members = self.scope.families(path, objective.for_, {})
        if not members and len(self.scope.problems) == known:
            self.problem(("objectives", name), "'for' is empty: there is nothing to show")
        for member in members:
            which = ", ".join(f"{key} = {value}" for key, value in member.items())
            found = self._objective(name, objective, labels, model, member)
            yield found | ({"name": f"{name}: {which}"} if which else {})

    def _said(self, path: Path, text: Any, model: Plays | Can, member: dict[str, int]) -> Any:
        """Return a formula; 'old' speaks of the position where a play started, where that is not always the same."""
        has_old = isinstance(model, Plays) and model.given is not None
        return self.scope.formula(path, text, member, is_after_step=has_old)

    def _objective(
        self, name: str, objective: Objective, labels: set[str], model: Plays | Can, member: dict[str, int]
    ) -> dict[str, Any]:
        path = (*self.path, "objectives", name)
        if objective.reach is not None:
            goal = self._said((*path, "reach"), objective.reach, model, member)
            return {"name": name, "type": "reach", "goal": goal, "by": objective.by}
        if objective.prevent is not None:
            goal = self._said((*path, "prevent"), objective.prevent, model, member)
            return {"name": name, "type": "prevent", "goal": goal, "through": objective.by}
        kind = "some" if objective.some is not None else "keep"
        holds = self._said((*path, kind), getattr(objective, kind), model, member)
        at = [objective.at] if isinstance(objective.at, str) else list(objective.at or ())
        if not at:
            self.problem(("objectives", name, "at"), "name a scope in 'at'")
        known = f": {', '.join(sorted(labels))}"
        for scope in at:
            if scope not in labels:
                self.problem(("objectives", name, "at"), f"{scope!r} is not a scope{suggest(scope, labels) or known}")
        return {"name": name, "type": kind, "at": at, "holds": holds}
