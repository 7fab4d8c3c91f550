"""Compile readings about a line that a source gives: move by move, or as a picture with numbered marks."""

from __future__ import annotations

from typing import Any

from verifier.kernel.errors import NotationError
from verifier.language.compile.base import Compiled, Compiler
from verifier.language.connective import conjunction
from verifier.language.questions import LineReading
from verifier.language.sharing import fold

LEGAL = "the line is legal"
"""The first objective's name; the others are named by what holds."""


class LineCompiler(Compiler):
    """Compiles to the kind ``play``: both players follow the line to its end, where everything holds that should."""

    def compile(self, model: LineReading) -> Compiled:
        """Return the statement of a line."""
        start = self.start(model.start)
        moves = [self._move(i, text) for i, text in enumerate(model.line)]
        if model.numbered_rows is not None:
            self._require_rows(model.numbered_rows, moves)
        if not moves and not model.conclude:
            self.problem(("line",), "a line without a move needs 'conclude'")
        first = self.game.ply(self.game.parse_position(start))
        last = first + len(moves)
        instances = [
            {"when": ["==", ["ply"], first + i], "rules": [{"rule": "move", "choices": [{"when": True, "play": move}]}]}
            for i, move in enumerate(moves)
        ]
        at_end: dict[str, Any] = {LEGAL: True}
        for i, text in enumerate(model.conclude):
            at_end[str(text)] = self.scope.formula((*self.path, "conclude", i), text, {})
        statement = {
            "kind": "play",
            "rules": self.game.data,
            "start": start,
            "claimant": "X",
            "horizon": last,
            "strategies": {
                player: {"player": player, "phases": [{"phase": "line", "instances": instances}] if moves else []}
                for player in ("X", "O")
            },
            "objectives": [
                {"name": name, "type": "reach", "goal": conjunction([["==", ["ply"], last], formula]), "by": last}
                for name, formula in at_end.items()
            ],
        }
        return Compiled(fold(statement, self.library.made.nodes))

    def _move(self, i: int, text: str) -> list[int]:
        try:
            return list(self.game.parse_move(text))
        except NotationError as error:
            self.problem(("line", i), str(error))
            return []

    def _require_rows(self, rows: list[list[int]], moves: list[list[int]]) -> None:
        """Require that the line puts its marks into the rows of a picture, in each row in the picture's order."""
        if "active" not in self.game.vocabulary:
            self.problem(("numbered_rows",), "'numbered_rows' is for the board of nine fields alone")
            return
        placed: dict[int, list[tuple[int, int]]] = {row: [] for row in range(9)}
        for number, move in enumerate(moves):
            if move:
                f, s = move
                placed[f // 3 * 3 + s // 3].append((f % 3 * 3 + s % 3, number))
        found = [[number for _, number in sorted(placed[row])] for row in range(9)]
        if found != rows:
            self.problem(("numbered_rows",), f"the line puts the plies, from 0 on, into the rows {found}")
