"""Turns rules files into the data that statements carry.

Winning sets are some in a row, a list of sets, sets by formula, all placements of a shape; of both players or of each.
``verifier.kernel.games`` says what the data mean; it refuses what are not rules, and nothing but the data reaches it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifier.kernel.errors import SpecError
from verifier.kernel.games import Game
from verifier.kernel.games.lines import MAX_LINES, Line
from verifier.kernel.games.registry import FAMILIES, parse_rules
from verifier.language.clauses import CLAUSES, NAMES, OTHERS, LineClause, Lines, RulesFile
from verifier.language.expressions import Grounder, ground_over
from verifier.language.loader import Document, Path
from verifier.language.problem import Problem
from verifier.language.syntax import ExpressionError, parse_expression

LineData = list[list[int]]
"""The spots of a winning set that have to be held, and those that may not be."""

Words = Mapping[str, tuple[int, ...]]
"""The words that a formula may have, with the sizes of their indices."""


def compile_rules(model: RulesFile, document: Document) -> tuple[Game | None, list[Problem]]:
    """Return the game that the kernel makes of a file's rules, None if they have a fault; and their problems."""
    compiler = _Compiler(model, document)
    data = compiler.compile()
    if compiler.problems:
        return None, compiler.problems
    try:
        return parse_rules(data), []
    except SpecError as error:
        return None, [document.problem((), f"these rules are not valid: {error}")]


@dataclass(slots=True)
class _Compiler:
    """Compiles one file; the data are complete if there are no problems."""

    model: RulesFile
    document: Document
    problems: list[Problem] = field(default_factory=list)
    rows: int = 0
    columns: int = 0

    def compile(self) -> dict[str, Any]:
        model = self.model
        if model.family not in FAMILIES:
            self.fault(("family",), f"{model.family!r} is not a family of games: {' or '.join(FAMILIES)}")
            return {}
        clauses = CLAUSES.get(model.family, OTHERS)
        for name in NAMES:
            if getattr(model, name) is not None and name not in clauses:
                text = f"{name!r} is not a clause of rules of the family {model.family}"
                self.problems.append(self.document.key_problem((name,), text))
        for name, is_needed in clauses.items():
            if is_needed and getattr(model, name) is None:
                self.fault((), f"the clause {name!r} is missing")
        if self.problems:
            return {}
        compile_family = {"nested": self.nested, "positional": self.positional}.get(model.family, self.others)
        return {**compile_family(), "family": model.family}

    def fault(self, path: Path, message: str) -> None:
        self.problems.append(self.document.problem(path, message))

    def others(self) -> dict[str, Any]:
        board = self.model.board
        if board is None or board.is_ is None:
            self.fault(("board",), "the board of a family of your own holds its data: board: {is: {…}}")
            return {}
        return board.is_

    def nested(self) -> dict[str, Any]:
        board, data = self.model.board, {name: getattr(self.model, name).is_ for name in _NESTED}
        if board is not None and (board.rows is not None or board.columns is not None):
            self.fault(("board",), "the board of nested rules has nine fields of nine spots: it takes no size")
        if data["closed"] == "full" and data["free_choice"] != "free-spots":
            text = "if decided fields are not closed, a free choice reaches every free spot: write 'is: free-spots'"
            self.fault(("free_choice",), text)
        return data

    def positional(self) -> dict[str, Any]:
        model, board = self.model, self.model.board
        if model.lines is None and not any("stuck" in str(o.when) for o in (model.outcomes or {}).values()):
            self.fault((), "the clause 'lines' is missing, and no outcome says who wins where a player is 'stuck'")
            return {}
        if board is None or board.rows is None or board.columns is None:
            self.fault(("board",), "a single board needs 'rows' and 'columns'")
            return {}
        self.rows, self.columns = rows, columns = board.rows, board.columns
        if rows * columns > 64:
            self.fault(("board",), f"a board has at most 64 spots, not {rows * columns}")
            return {}
        marks = "own" if model.marks is None else model.marks.is_
        lines = ("line",) if marks == "shared" else ("X_line", "O_line")
        words = dict.fromkeys((*lines, "X_turn", "O_turn", "stuck"), ())
        return {
            "rows": rows,
            "columns": columns,
            "notation": board.moves,
            "marks": marks,
            "lines": [] if model.lines is None else _compile_lines(model.lines, self),
            "outcomes": [
                [self.ground(("outcomes", name, "when"), outcome.when, words, {}), outcome.result]
                for name, outcome in (model.outcomes or {}).items()
            ],
            "legal": self.legal(rows, columns, ("marked",) if marks == "shared" else ("X", "O")),
        }

    def legal(self, rows: int, columns: int, owners: tuple[str, ...]) -> list[Any] | None:
        if self.model.legal is None:
            return None
        words = dict.fromkeys((*owners, "free"), (rows * columns,))
        found: list[Any] = []
        for s in range(rows * columns):
            env = {"s": s, "row": s // columns + 1, "column": s % columns + 1}
            found.append(self.ground(("legal", "when"), self.model.legal.when, words, env))
            if self.problems:
                return None  # a fault is reported for one spot, not for all
        return None if all(formula is True for formula in found) else found

    def ground(
        self,
        path: Path,
        text: str | int | bool,
        words: Words,
        env: Mapping[str, int],
        ask: Callable[..., Any] = Grounder.formula,
    ) -> Any:
        """Return the value of an expression, as ``ask`` finds it; on a problem, note it and return an empty list."""
        try:
            return ask(ground_over(words), parse_expression(text), env)
        except ExpressionError as error:
            self.problems.append(self.document.text_problem(path, error))
            return []


_NESTED = ("closed", "free_choice", "after_win")
"""The clauses of nested rules that say one of several things."""


# -- winning sets ------------------------------------------------------------------------------------------------------


def _compile_lines(lines: Lines, board: _Compiler) -> list[LineData] | dict[str, list[LineData]]:
    """Return the winning sets of both players, or by player where theirs differ."""
    if lines.of_x is None or lines.of_o is None:
        return _compile_clause(lines, board, ("lines",))
    own, theirs = (
        _compile_clause(part, board, ("lines", name)) for name, part in (("X", lines.of_x), ("O", lines.of_o))
    )
    return own if own == theirs else {"X": own, "O": theirs}


def _compile_clause(lines: LineClause, board: _Compiler, path: Path) -> list[LineData]:
    """Return the sets of a clause in order, each once. No sets, or more than the kernel takes, are a fault."""
    sets: Iterable[Line]
    if lines.sets is not None:
        path, sets = (*path, "sets"), _listed(lines.sets, board, (*path, "sets"))
        lack = "" if lines.sets else "no winning set: nobody could win"
    elif lines.shapes is not None:
        path, sets, lack = (*path, "shapes"), _placed(lines.shapes, board, (*path, "shapes")), ""
    else:
        length = lines.in_a_row or 0
        path, sets = (*path, "in_a_row"), _in_a_row(lines, board, length)
        lack = f"no winning set: {board.rows} rows of {board.columns} have no {length} in a row there"
    found: set[Line] = set()
    for one in sets:
        found.add(one)
        if len(found) > MAX_LINES:
            text = f"more than {MAX_LINES} winning sets: the kernel reads no more; a smaller board has fewer"
            board.fault(path, text)
            return []
    if lack and not found:
        board.fault(path, lack)
    return [[list(held), list(others)] for held, others in sorted(found)]


def _listed(sets: list[list[int | str] | str], board: _Compiler, path: Path) -> Iterator[Line]:
    """Yield the listed sets, each of which may stand only once, and the sets of formulas, which may overlap."""
    known: dict[tuple[int, ...], int] = {}
    for index, given in enumerate(sets):
        at, last = (*path, index), board.rows * board.columns - 1
        is_formula = isinstance(given, str)
        found = (
            board.ground(at, given, {}, {}, Grounder.sets) if isinstance(given, str) else _read_set(given, board, at)
        )
        for spots in found:
            one = tuple(sorted(spots))
            if wrong := [s for s in spots if not 0 <= s <= last]:
                board.fault(at, f"{wrong[0]} is not a spot of the board: 0 to {last}, row by row")
            elif len(set(spots)) < len(spots):
                board.fault(at, f"the set {spots} has a spot twice")
            elif not spots:
                board.fault(at, "a winning set needs a spot")
            elif one in known and not is_formula:
                board.fault(at, f"this winning set is listed twice: it is also number {known[one] + 1}")
            elif not is_formula:
                known[one] = index
            yield one, ()


def _read_set(given: list[int | str], board: _Compiler, path: Path) -> list[list[int]]:
    """Return a list of moves as a list of one set; empty if not all of them are spots."""
    is_by_row = board.model.board is not None and board.model.board.moves == "rows"
    places = itertools.product(range(1, board.rows + 1), range(1, board.columns + 1))
    names = [f"{row},{column}" if is_by_row else str(s) for s, (row, column) in enumerate(places)]
    wrong = [index for index, text in enumerate(given) if str(text) not in names]
    for index in wrong:
        board.fault((*path, index), f"{given[index]!r} is not a spot of the board: {names[0]} to {names[-1]}")
    return [] if wrong else [[names.index(str(text)) for text in given]]


def _placed(shapes: list[list[str]], board: _Compiler, path: Path) -> Iterator[Line]:
    """Yield all placements of shapes on the board, turned and mirrored."""
    for index, shape in enumerate(shapes):
        places = [(int(row), int(column)) for row, column in (text.split(".") for text in shape)]
        if len(set(places)) < len(places):
            board.fault((*path, index), "a shape has a place twice")
            continue
        placements = set(_place_shape(places, board.rows, board.columns))
        if not placements:
            board.fault((*path, index), f"the shape has no place on {board.rows} rows of {board.columns}")
        yield from placements


def _place_shape(places: list[tuple[int, int]], rows: int, columns: int) -> Iterator[Line]:
    """Yield where a shape fits on a board, turned and mirrored in all ways."""
    for down, right, is_turned in itertools.product((1, -1), (1, -1), (False, True)):
        image = [(right * c, down * r) if is_turned else (down * r, right * c) for r, c in places]
        top, left = min(r for r, _ in image), min(c for _, c in image)
        high, wide = max(r for r, _ in image) - top, max(c for _, c in image) - left
        for r, c in itertools.product(range(rows - high), range(columns - wide)):
            yield tuple(sorted((a - top + r) * columns + b - left + c for a, b in image)), ()


def _in_a_row(lines: LineClause, board: _Compiler, length: int) -> Iterator[Line]:
    """Yield the spots of each row, column and diagonal that count, and those beside them that may not be held."""
    rows, columns, along = board.rows, board.columns, lines.along
    steps = [(0, 1)] * ("rows" in along) + [(1, 0)] * ("columns" in along) + [(1, 1), (1, -1)] * ("diagonals" in along)
    for r, c, (down, right) in itertools.product(range(rows), range(columns), steps):
        if 0 <= r - down < rows and 0 <= c - right < columns:
            continue  # not the first spot of its line
        places = ((r + k * down, c + k * right) for k in range(max(rows, columns)))
        line = [i * columns + j for i, j in places if 0 <= i < rows and 0 <= j < columns]
        if lines.spots == "any":
            yield from ((tuple(sorted(spots)), ()) for spots in itertools.combinations(line, length))
            continue
        for at in range(len(line) - length + 1):
            beside = [line[i] for i in (at - 1, at + length) if 0 <= i < len(line)]
            yield tuple(sorted(line[at : at + length])), tuple(sorted(beside)) if lines.spots == "exactly" else ()
