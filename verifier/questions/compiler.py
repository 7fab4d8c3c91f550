"""The base class of the compilers of all questions, and the value that they return."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.certificate import BY_INVARIANT, hash_value
from verifier.kernel.errors import IllegalMoveError, NotationError
from verifier.language.evaluator import Env, OldPosition
from verifier.language.loader import KeyPath
from verifier.language.problem import suggest
from verifier.language.scope import Scope, ground_strategy
from verifier.language.syntax import ScopedText


@dataclass(frozen=True, slots=True)
class CompiledReading:
    """A reading's statement, and parts of the reading that are not in the statement.

    Attributes:
        statement: the statement; None if the reading only joins others, and so has no evidence of its own.
        cites: the hypotheses that the source names for each part of ``steps``, by the name of the part.
        invariant: for each player, the formulas of the invariant that apply when this player is to move, each with its
            name; empty if the reading has no invariant.
    """

    statement: dict[str, Any] | None
    cites: dict[str, tuple[str, ...]] = field(default_factory=dict)
    invariant: dict[str, list[list[Any]]] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The key of the reading's certificate in a store (``audit/store.py``); empty if there is no statement."""
        return "" if self.statement is None else hash_value(self.statement) + BY_INVARIANT * bool(self.invariant)


class Compiler(Scope):
    """Compiles a reading that only joins others. Subclasses compile readings that ask something."""

    def compile(self, model: Any) -> CompiledReading:
        """Compile a reading. Add its faults to ``problems``."""
        return CompiledReading(None)  # a reading that only joins others has no statement

    def named(
        self, path: KeyPath, said: list[Any] | dict[Any, Any], env: Env, *, old: OldPosition = OldPosition.NONE
    ) -> list[list[Any]]:
        """Return each expression as a name and a formula.

        If ``said`` is a mapping, an expression's name is its key. If ``said`` is a list, the name is the expression's
        text.
        """
        found: list[list[Any]] = []
        for at, text in said.items() if isinstance(said, dict) else enumerate(said):
            name = at if isinstance(said, dict) else text
            found.append([str(name), self.formula((*path, at), text, env, old=old)])
        return found

    def start(self, given: str | list[str] | None, path: KeyPath = ("start",)) -> str:
        """Return a starting position in canonical notation.

        Args:
            given: the position, or the moves that lead to it; None for the start of the game.
            path: the place of ``given`` in the spec, at which problems are added.
        """
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

    def move(self, path: KeyPath, text: str) -> tuple[int, ...]:
        """Return a move. If the text is not a move, return an empty tuple and add a problem."""
        try:
            return tuple(self.game.parse_move(text))
        except NotationError as error:
            # A reading gets one problem about the notation of moves, however many of its moves are wrong.
            wanted = str(error).partition(": ")[2]
            if not any(problem.message.endswith(wanted) for problem in self.problems):
                self.problem(path, str(error))
            return ()

    def strategy(self, path: KeyPath, name: str, env: dict[str, int]) -> dict[str, Any] | None:
        """Return a player's strategy in the kernel's terms, or one phase of it (``NAME#PHASE``).

        The player is the last key of ``path``. A phase with ``for`` has a member for each choice of values. If ``name``
        names a phase, keep only the members whose values agree with ``env``, and with every ``for`` around the place
        where ``name`` is written. If the strategy lacks this phase, or is for another game, add a problem and return
        None.
        """
        env = {**(name.variables.values if isinstance(name, ScopedText) else {}), **env}
        base, mark, phase = name.partition("#")
        model = self.library.strategy(base)
        if mark and phase not in model.phases:
            hint = suggest(phase, model.phases) or f": {', '.join(model.phases)}"
            self.problem(path, f"the strategy {base!r} has no phase {phase!r}{hint}")
            return None
        if self.library.game(model.rules).vocabulary != self.game.vocabulary:
            self.problem(path, f"the strategy {base!r} is for another game, with the rules {model.rules!r}")
            return None
        if model.player != path[-1]:
            self.problem(path, f"{name!r} is a strategy of {model.player}: {path[-1]} needs another strategy")
        ground, problems = ground_strategy(self.library, base, phase or None, env)
        self.problems += problems
        if phase and not problems and not ground["phases"][0]["instances"]:
            wanted = ", ".join(f"{key} = {env[key]}" for key in model.phases[phase].for_ if key in env)
            self.problem(path, f"the phase {phase!r} has no member{' with ' + wanted if wanted else ''}")
        return ground
