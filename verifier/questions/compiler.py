"""What the compilers of all questions share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.certificate import BY_INVARIANT, hash_value
from verifier.kernel.errors import IllegalMoveError, NotationError
from verifier.language.evaluator import Env, Old
from verifier.language.loader import Path
from verifier.language.problem import suggest
from verifier.language.scope import Scope, ground_strategy
from verifier.language.syntax import ScopedText


@dataclass(frozen=True, slots=True)
class Compiled:
    """A reading's statement, and what people see beside it.

    Attributes:
        statement: None for a conjunction: it has no evidence of its own.
        cites: the hypotheses that the source names for each part of ``steps``, by its name.
        invariant: what every move keeps, by the player to move: names and formulas. It is not part of the statement.
    """

    statement: dict[str, Any] | None
    cites: dict[str, tuple[str, ...]] = field(default_factory=dict)
    invariant: dict[str, list[list[Any]]] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The key of its certificate; empty where it states nothing of its own."""
        return "" if self.statement is None else hash_value(self.statement) + BY_INVARIANT * bool(self.invariant)


class Compiler(Scope):
    """Compiles one reading. This class itself is for those that only join others: they state nothing of their own."""

    def compile(self, model: Any) -> Compiled:
        """Return what a reading states. Faults are added to the problems."""
        return Compiled(None)

    def named(self, path: Path, said: list[Any] | dict[Any, Any], env: Env, *, old: Old = Old.NONE) -> list[list[Any]]:
        """Return the names and the formulas of expressions: the name is the key in a map, in a list the text."""
        found: list[list[Any]] = []
        for at, text in said.items() if isinstance(said, dict) else enumerate(said):
            name = at if isinstance(said, dict) else text
            found.append([str(name), self.formula((*path, at), text, env, old=old)])
        return found

    def start(self, given: str | list[str] | None, path: Path = ("start",)) -> str:
        """Return a start, a position or the moves to it, in canonical notation. A fault is noted."""
        position = self.game.start
        if isinstance(given, str):
            try:
                position = self.game.parse_position(given)
            except NotationError as error:
                self.problem(path, str(error))
        for index, text in enumerate(given if isinstance(given, list) else ()):
            try:
                position = self.game.play(position, self.game.parse_move(text))
            except (IllegalMoveError, NotationError) as error:
                self.problem((*path, index), str(error))
                break
        return self.game.format_position(position)

    def move(self, path: Path, text: str) -> tuple[int, ...]:
        """Return a move; empty if the text is none. A reading has one problem about the notation of moves."""
        try:
            return tuple(self.game.parse_move(text))
        except NotationError as error:
            wanted = str(error).partition(": ")[2]
            if not any(problem.message.endswith(wanted) for problem in self.problems):
                self.problem(path, str(error))
            return ()

    def strategy(self, path: Path, name: str, env: dict[str, int]) -> dict[str, Any] | None:
        """Return a player's strategy in the kernel's terms, or one phase of it (``NAME#PHASE``).

        Of a single phase, only the members that agree with the variables in ``env``, or around ``name``, are kept. It
        is None, and a problem is noted, if there is no such phase, or if the strategy is for another game.
        """
        env = {**(name.variables.values if isinstance(name, ScopedText) else {}), **env}
        base, mark, phase = name.partition("#")
        model = self.library.strategy(base)
        if mark and phase not in model.phases:
            hint = suggest(phase, model.phases) or f": {', '.join(model.phases)}"
            self.problem(path, f"the strategy {base!r} has no phase {phase!r}{hint}")
            return None
        if self.library.game(model.rules).vocabulary != self.game.vocabulary:
            self.problem(path, f"the strategy {base!r} is for the rules {model.rules!r}: another game")
            return None
        if model.player != path[-1]:
            self.problem(path, f"{name!r} is a strategy of {model.player}")
        ground, problems = ground_strategy(self.library, base, phase or None, env)
        self.problems += problems
        if phase and not problems and not ground["phases"][0]["instances"]:
            wanted = ", ".join(f"{key} = {env[key]}" for key in model.phases[phase].for_ if key in env)
            self.problem(path, f"the phase {phase!r} has no member{' of ' + wanted if wanted else ''}")
        return ground
