"""Compile readings about printed tables of the 4×4 game."""

from __future__ import annotations

from typing import Any

from verifier.kernel.errors import NotationError, SpecError
from verifier.kernel.tables import parse_tables
from verifier.language.compile.base import Compiler
from verifier.language.loader import Path
from verifier.language.model import Tables


class TablesCompiler(Compiler):
    """Compiles to the kind ``tables``."""

    def compile(self, model: Tables) -> dict[str, Any]:
        """Return the statement; what is wrong with the reading is added to the scope's problems."""
        rules: list[Any] = []
        for index, name in enumerate(model.among):
            try:
                rules.append(self.library.rules.find(name).data)
            except SpecError as error:
                self.problem(("among", index), str(error))
        entries: list[list[int]] = []
        for turn, lists in self.claim.tables.items():
            for spot, codes in lists.items():
                path = ("tables", turn, spot)
                target = self.game.parse_move(self._top_move(path, spot))[0]
                if turn not in [str(number) for number in range(1, 9)]:
                    self.scope.problems.append(self.document.key_problem(path[:2], f"{turn!r} is no turn"))
                    continue
                entries += [[int(turn), code, target] for code in self.scope.integers(path, codes, {})]
        statement = {
            "kind": "tables",
            "rules": rules or [self.game.data],
            "order": self.scope.integers((*self.path, "order"), model.order, {}),
            "turns": list(model.turns),
            "entries": sorted(entries),
            "asks": model.asks,
        }
        return self.parsed(parse_tables, statement)

    def _top_move(self, path: Path, text: str) -> str:
        try:
            return self.game.format_move(self.game.parse_move(text))
        except NotationError as error:
            self.scope.problems.append(self.document.key_problem(path, str(error)))
            return self.game.format_move(self.game.legal_moves(self.game.start)[0])
