"""Compile readings with the question ``line``, which is about a given line of moves."""

from __future__ import annotations

from typing import Any

from verifier.language.operators import conjunction
from verifier.language.sharing import fold
from verifier.questions.compiler import CompiledReading, Compiler
from verifier.questions.line.model import LineReading

LEGAL = "the line is legal"
"""The name of the first objective. Each other objective has the name of a conclusion."""


class LineCompiler(Compiler):
    """Compiles readings to statements of the kind ``play``, in which both players have the line as their strategy."""

    def compile(self, model: LineReading) -> CompiledReading:
        """Return the statement of a line."""
        start = self.start(model.start)
        moves = [list(self.move(("line", i), text)) for i, text in enumerate(model.line)]
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
        phases = [{"phase": "line", "instances": instances}] if moves else []
        at_end = [[LEGAL, True], *self.named(("conclude",), model.conclude, {})]
        found: dict[str, Any]
        if not moves and self.game.is_over(self.game.parse_position(start)):  # no move is played
            found = {name: {"type": "keep", "at": ["start"], "holds": formula} for name, formula in at_end}
        else:
            goals = {name: conjunction([["==", ["ply"], last], formula]) for name, formula in at_end}
            found = {name: {"type": "reach", "goal": goal, "by": last} for name, goal in goals.items()}
        statement = {
            "kind": "play",
            "rules": self.game.data,
            "start": start,
            "claimant": "X",
            "horizon": last,
            "strategies": {player: {"player": player, "phases": phases} for player in ("X", "O")},
            "objectives": [{"name": name, **one} for name, one in found.items()],
        }
        return CompiledReading(fold(statement, self.library.nodes))

    def _require_rows(self, rows: list[list[int]], moves: list[list[int]]) -> None:
        """Require that the picture ``numbered_rows`` fits the line.

        For each of the nine rows of spots, the picture must have the numbers of the moves in this row, from left to
        right. The moves of the line are numbered from 0.
        """
        if self.names.numbers.move_sizes != (9, 9):
            self.problem(("numbered_rows",), "'numbered_rows' is only for the board of nine fields")
            return
        placed: list[list[tuple[int, int]]] = [[] for _ in range(9)]
        for number, (f, s) in enumerate(move or (0, 0) for move in moves):
            placed[f // 3 * 3 + s // 3].append((f % 3 * 3 + s % 3, number))
        found = [[number for _, number in sorted(row)] for row in placed]
        if found != rows and all(moves):
            text = f"the rows do not fit the line: its moves, numbered from 0, are in the rows {found}"
            self.problem(("numbered_rows",), text)
