"""Compile a reading with the question ``bound``."""

from __future__ import annotations

from typing import Any

from verifier.language.loader import KeyPath
from verifier.questions.bound.model import BoundReading, Case
from verifier.questions.compiler import CompiledReading, Compiler


class BoundCompiler(Compiler):
    """Compiles readings to statements of the kind ``bound``."""

    def compile(self, model: BoundReading) -> CompiledReading:
        """Return the statement of a bound."""
        cases = [self._case(("cases", name), case) for name, case in (model.cases or {"": Case()}).items()]
        statement = {"kind": "bound", "rules": self.game.data, "through": model.bound, "cases": cases}
        return CompiledReading(statement)

    def _case(self, path: KeyPath, case: Case) -> dict[str, Any]:
        """Return a case's start, and the first moves of Xavier's that the case covers (None: all legal moves)."""
        start = self.start(case.start, (*path, "start"))
        if case.but is None:
            return {"start": start, "first": None}
        without = {self.move((*path, "but", index), text) for index, text in enumerate(case.but)}
        legal = [tuple(move) for move in self.game.legal_moves(self.game.parse_position(start))]
        if not without - {()} <= set(legal):
            self.problem((*path, "but"), "not all of these moves are legal at the start of this case")
        return {"start": start, "first": [self.game.format_move(move) for move in legal if move not in without]}
