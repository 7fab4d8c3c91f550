"""Compile a reading with ``moves``."""

from __future__ import annotations

from verifier.questions.moves.model import Moves

from verifier.questions.compiler import CompiledReading, Compiler


class MovesCompiler(Compiler):
    """Compiles to the kind ``moves``."""

    def compile(self, model: Moves) -> CompiledReading:
        """Return the statement."""
        start = self.start(model.start)
        return CompiledReading({"kind": "moves", "rules": self.game.data, "start": start, "moves": model.moves})
