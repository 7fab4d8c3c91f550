"""Compile a reading with the question ``steps``."""

from __future__ import annotations

from collections import Counter
from typing import Any

from verifier.kernel.games.registry import has_symbolic_form
from verifier.language.evaluator import OldPosition
from verifier.language.loader import KeyPath
from verifier.language.scope import MAX_MEMBERS
from verifier.language.sharing import fold
from verifier.questions.compiler import CompiledReading, Compiler
from verifier.questions.steps.model import StepsEntry, StepsReading

WITH_STRATEGY = ("reply", "round")
"""The steps in which a strategy moves."""


class StepsCompiler(Compiler):
    """Compiles readings to statements of the kind ``steps``."""

    def compile(self, model: StepsReading) -> CompiledReading:
        """Compile a reading to a statement. Return the statement with the hypotheses that each part cites."""
        parts: list[dict[str, Any]] = []
        cites: dict[str, tuple[str, ...]] = {}
        nonempty: set[str] = set()
        members = [  # count all members before the first is compiled, to refuse a reading with too many members early
            (outer, name, self.families(("steps", name, "for"), part.for_, outer))
            for outer in self.families(("for",), model.for_, {})
            for name, part in model.steps.items()
        ]
        for outer, name, envs in members if self.members <= MAX_MEMBERS else ():
            path, part = ("steps", name), model.steps[name]
            given = self.named(("given",), model.given, outer)
            for env in envs:
                nonempty.add(name)
                label = name + ("[" + ",".join(f"{k}={v}" for k, v in env.items()) + "]" if env else "")
                hypotheses = [*given, *self.named((*path, "given"), part.given, env)]
                parts.append({"part": label, "hypotheses": hypotheses, **self._part(model, part, path, env)})
                if part.cites is not None:
                    self._check_cites((*path, "cites"), part.cites, env, hypotheses)
                    cites[label] = tuple(str(item) for item in part.cites)
        known = len(self.problems)
        for name, part in model.steps.items():
            if name not in nonempty and not known:
                self.problem(("steps", name), "'for' is empty: there is nothing to check")
            self._check_step(model, name, part, model.step_of(part))
        twice = [label for label, count in Counter(part["part"] for part in parts).items() if count > 1]
        if twice:
            self.problem(("steps",), f"two parts are called {twice[0]!r}")
        if model.strategies and not any(model.step_of(part) in WITH_STRATEGY for part in model.steps.values()):
            self.problem(("strategies",), "no step of this reading uses a strategy")
        if not has_symbolic_form(self.game) and any(part["step"] != "start" for part in parts):
            self.problem(
                ("steps",), "under these rules only the step 'start' can be decided: ask about it, or use 'plays'"
            )
        statement = {"kind": "steps", "rules": self.game.data, "parts": parts}
        return CompiledReading(fold(statement, self.library.nodes), cites)

    def _part(self, model: StepsReading, part: StepsEntry, path: KeyPath, env: dict[str, int]) -> dict[str, Any]:
        """Return a part of the statement, without its name and its hypotheses."""
        step, claimant = model.step_of(part), model.side
        turn, strategy = part.turn, None
        if step in WITH_STRATEGY:
            turn = turn or (claimant if step == "reply" else "O" if claimant == "X" else "X")
            if model.strategy is None:
                self.problem((), f"the step {step!r} needs a strategy")
            else:
                strategy = self.strategy(("strategies", claimant), model.strategy, env)
        of_old = OldPosition.NONE if step in ("none", "start") else OldPosition.LAST
        return {
            "step": "reply-first" if step == "round" and part.turn == claimant else step,
            "claimant": claimant,
            "turn": turn,
            "conclusions": self.named((*path, "conclude"), part.conclude, env, old=of_old),
            "unless": False,
            "plays": self._free_move((*path, "play"), part.play, env),
            "strategy": strategy,
        }

    def _check_step(self, model: StepsReading, name: str, part: StepsEntry, step: str) -> None:
        if part.play is not None and step in ("none", "start", "reply"):
            kind = "free move: the strategy chooses the move" if step == "reply" else "move"
            self.problem(("steps", name, "play"), f"the step {step!r} has no {kind}")
        if step == "round" and not self.game.alternates:
            text = "a move of these rules sets 'turn', so who moves next is not known: use the step 'move' or 'reply'"
            self.problem(("steps", name), text)
        if step == "reply" and part.turn not in (None, model.side):
            self.problem(("steps", name, "turn"), f"the step 'reply' starts at {model.side}'s turn")

    def _check_cites(self, path: KeyPath, cites: list[Any], env: dict[str, int], hypotheses: list[Any]) -> None:
        """Require that a citation which means the same as a hypothesis is written in the same words.

        A proof uses these words to name its hypotheses.
        """
        names = [name for name, _ in hypotheses]
        for index, (text, formula) in enumerate(self.named(path, cites, env)):
            same = [name for name, other in hypotheses if other == formula]
            if same and text not in names:
                self.problem((*path, index), f"cite this hypothesis in the words in which it is given: {same[0]!r}")

    def _free_move(self, path: KeyPath, given: Any, env: dict[str, int]) -> list[int] | None:
        moves = [] if given is None else self.moves(path, given, env, True)
        if len(moves) > 1 or any(move["when"] is not True for move in moves):
            self.problem(path, "'play' must be one move, written with integers")
        return moves[0]["play"] if len(moves) == 1 else None
