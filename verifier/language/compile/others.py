"""Compile readings about bounds, lines, counts of lines, and boards side by side."""

from __future__ import annotations

import re
from typing import Any

from verifier.kernel.count import MAX_MEMBERS
from verifier.language.compile.base import Compiled, Compiler
from verifier.language.loader import Path
from verifier.language.operators import conjunction
from verifier.language.questions import Bound, Case, Count, LineReading, Sum
from verifier.language.sharing import fold
from verifier.language.syntax import ExpressionError, names_in, parse_expression


class BoundCompiler(Compiler):
    """Compiles to the kind ``bound``."""

    def compile(self, model: Bound) -> Compiled:
        """Return the statement of a bound."""
        cases = [self._case(("cases", name), case) for name, case in (model.cases or {"": Case()}).items()]
        statement = {"kind": "bound", "rules": self.game.data, "through": model.bound, "cases": cases}
        return Compiled(statement)

    def _case(self, path: Path, case: Case) -> dict[str, Any]:
        """Return the start of a case, and the first moves of Xavier that count; None: all of them."""
        start = self.start(case.start, (*path, "start"))
        if case.but is None:
            return {"start": start, "first": None}
        without = {self.move((*path, "but", index), text) for index, text in enumerate(case.but)}
        legal = [tuple(move) for move in self.game.legal_moves(self.game.parse_position(start))]
        if not without - {()} <= set(legal):
            self.problem((*path, "but"), "not all of these are legal moves there")
        return {"start": start, "first": [self.game.format_move(move) for move in legal if move not in without]}


LEGAL = "the line is legal"
"""The name of the first objective; the others are named by what holds."""


class LineCompiler(Compiler):
    """Compiles to the kind ``play``: both players follow the line, and what the reading concludes holds at its end."""

    def compile(self, model: LineReading) -> Compiled:
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
        if not moves and self.game.is_over(self.game.parse_position(start)):  # nothing is played
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
        return Compiled(fold(statement, self.library.nodes))

    def _require_rows(self, rows: list[list[int]], moves: list[list[int]]) -> None:
        """Require that the line puts its marks into the rows of a picture, in each row in the picture's order."""
        if "active" not in self.game.vocabulary:
            self.problem(("numbered_rows",), "'numbered_rows' is only for the board of nine fields")
            return
        placed: list[list[tuple[int, int]]] = [[] for _ in range(9)]
        for number, (f, s) in enumerate(move or (0, 0) for move in moves):
            placed[f // 3 * 3 + s // 3].append((f % 3 * 3 + s % 3, number))
        found = [[number for _, number in sorted(row)] for row in placed]
        if found != rows and all(moves):
            self.problem(("numbered_rows",), f"the line puts the plies, from 0 on, into the rows {found}")


_BRACED = re.compile(r"\{(.*?)\}")


class CountCompiler(Compiler):
    """Compiles to the kind ``count``. A variable that no expression uses stays a list: the kernel takes each value."""

    def compile(self, model: Count) -> Compiled:
        """Return the statement of a count."""
        names, path, fixed = list(model.for_), ("for",), _used(model)
        free = {name: self.families(path, {name: model.for_[name]}, {}) for name in names if name not in fixed}
        family = {name: model.for_[name] for name in names if name in fixed}
        lists = {name: [member[name] for member in free[name]] for name in free}
        statement = {
            "kind": "count",
            "rules": self.game.data,
            "start": self.start(model.start),
            "count": model.count,
            "line": " ".join(self._move(i, text, names) for i, text in enumerate(model.line)),
            "members": [
                [
                    conjunction([formula for _, formula in self.named(("conclude",), model.conclude, member)]),
                    [[member[name]] if name in fixed else lists[name] for name in names],
                ]
                for member in self.families(path, family, {}, MAX_MEMBERS)
            ],
        }
        return Compiled(statement)

    def _move(self, i: int, text: str, names: list[str]) -> str:
        """Return a move with numbers in place of the names of variables."""
        named = _BRACED.findall(text)
        for name in named:
            if name not in names:
                self.problem(("line", i), f"{name!r} is not a variable of 'for': {', '.join(names)}")
                return text
        if not named:
            move = self.move(("line", i), text)
            return self.game.format_move(move) if move else text
        return _BRACED.sub(lambda name: f"{{{names.index(name[1])}}}", text)


def _used(model: Count) -> set[str]:
    """Return the variables that conclusions or lists use, and those whose list uses a variable."""
    found: set[str] = set()
    for name, text in [("", text) for text in model.conclude] + list(model.for_.items()):
        try:
            others = names_in(parse_expression(text)) & model.for_.keys()
        except ExpressionError:
            continue  # reported where it is grounded
        found |= others | {name} if others and name else others
    return found


class SumCompiler(Compiler):
    """Compiles to the kind ``sum``."""

    def compile(self, model: Sum) -> Compiled:
        """Return the statement of a sum of boards."""
        said = model.sum
        relations = [[_word(side) for side in text.split("=")] for text in said.relations or ()]
        statement = {
            "kind": "sum",
            "rules": self.game.data,
            "last": said.last,
            "elements": said.count,
            "relations": None if said.relations is None else relations,
            "won": None if said.won is None else [_word(word) for word in said.won],
            "types": {text: _word(word) for text, word in said.types.items()},
            "copies": {text: [1, [who == "next" for who in wins]] for text, wins in said.copies.items()},
        }
        return Compiled(statement)


def _word(text: str) -> str:
    return text.strip().replace("1", "")
