"""Compile readings that say what Xavier cannot force."""

from __future__ import annotations

from typing import Any

from verifier.kernel.errors import IllegalMoveError, NotationError
from verifier.kernel.race.bound import parse_bound
from verifier.language.compile.base import Compiler
from verifier.language.loader import Path
from verifier.language.model import Bound, Case
from verifier.language.problem import suggest


class BoundCompiler(Compiler):
    """Compiles to the kind ``bound``."""

    def compile(self, model: Bound) -> dict[str, Any]:
        """Return the statement; what is wrong with the reading is added to the scope's problems."""
        cases = [self._case(("cases", name), case) for name, case in model.cases.items()] or [
            {"start": self.start(None), "first": None}
        ]
        statement = {"kind": "bound", "rules": self.game.data, "through": model.no_win_by, "cases": cases}
        for index, name in enumerate(model.pieces):
            claim, _, reading = name.partition("/")
            found = self.library.claim(claim).readings.get(reading) if claim in self.library.claims else None
            if not isinstance(found, Bound):
                hint = suggest(name, self._bounds())
                self.problem(("pieces", index), f"{name!r} is not a claim/reading of method bound{hint}")
            elif claim not in self.claim.uses:
                self.problem(("pieces", index), f"{claim!r} is not among what this claim uses")
        return self.parsed(parse_bound, statement)

    def _bounds(self) -> list[str]:
        claims = {name: self.library.claim(name) for name in self.library.claims}
        return [
            f"{claim}/{name}"
            for claim, model in claims.items()
            for name, reading in model.readings.items()
            if isinstance(reading, Bound)
        ]

    def _case(self, path: Path, case: Case) -> dict[str, Any]:
        at: Path = (*path, "start")
        try:
            position = self.game.start if case.start is None else self.game.parse_position(case.start)
            for i, text in enumerate(case.after):
                at = (*path, "after", i)
                position = self.game.play(position, self.game.parse_move(text))
            at = (*path, "first" if case.but is None else "but")
            first = None if case.first is None else [self.game.parse_move(text) for text in case.first]
            if case.but is not None:
                without = [self.game.parse_move(text) for text in case.but]
                legal = self.game.legal_moves(position)
                if not set(without) <= set(legal):
                    self.problem(at, "not all of these are legal moves there")
                first = [move for move in legal if move not in without]
        except (NotationError, IllegalMoveError) as error:
            self.problem(at, str(error))
            return {"start": self.start(None), "first": None}
        moves = None if first is None else [self.game.format_move(move) for move in first]
        return {"start": self.game.format_position(position), "first": moves}
