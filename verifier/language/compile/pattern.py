"""Compile readings about the plays that fit a picture or a printed line."""

from __future__ import annotations

import itertools
from typing import Any

from verifier.kernel.words import counted
from verifier.language.compile.base import Compiler
from verifier.language.model import Replay
from verifier.language.sharing import fold


class PatternCompiler(Compiler):
    """Compiles to the kind ``pattern``."""

    def compile(self, model: Replay) -> dict[str, Any]:
        """Return the statement; what is wrong with the reading is added to the scope's problems."""
        if model.line is not None:
            if model.first:
                self.problem(("first",), "first moves are for numbered_rows: a line has all its moves")
            plies: list[Any] = [
                None if move == "?" else [self.move(("line", i), move)] for i, move in enumerate(model.line)
            ]
            left_of: list[list[int]] = []
        else:
            plies, left_of = self._numbered(model)
        holds = [
            [str(text), self.scope.formula((*self.path, "holds", i), text, {})] for i, text in enumerate(model.holds)
        ]
        start = self.start(model.start)
        statement = {
            "kind": "pattern",
            "rules": self.game.data,
            "start": start,
            "plies": plies,
            "left_of": left_of,
            "holds": holds,
        }
        return fold(statement, self.library.made.nodes)

    def _numbered(self, model: Replay) -> tuple[list[Any], list[list[int]]]:
        rows = model.numbered_rows or []
        numbers = sorted(number for row in rows for number in row)
        if len(rows) != 9 or numbers != list(range(len(numbers))) or "active" not in self.game.vocabulary:
            self.problem(("numbered_rows",), "nine rows, in which each ply number from 0 on stands once")
            return [], []
        plies: list[Any] = [[] for _ in numbers]
        for row, content in enumerate(rows):
            cells = [f"{row // 3 * 3 + c // 3}.{row % 3 * 3 + c % 3}" for c in range(9)]
            for number in content:
                plies[number] = cells
        if len(model.first) > len(plies):
            self.problem(("first",), f"more first moves than the picture's {counted(len(plies), 'ply', 'plies')}")
        for ply, move in enumerate(model.first[: len(plies)]):
            plies[ply] = [cell for cell in plies[ply] if cell == self.move(("first", ply), move)]
        return plies, [[a, b] for row in rows for a, b in itertools.pairwise(row)]
