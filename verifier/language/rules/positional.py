"""The clauses of the family ``positional``: one board, and lines on it.

A file can describe lines in several ways. The compiled data have each line as a *winning set* (``LineData``).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, WrapValidator, model_validator

from verifier.automorphism import is_symmetry
from verifier.kernel.games.lines import MAX_LINES, LineSpots, symmetries
from verifier.kernel.games.positional import MAX_CELLS
from verifier.kernel.statement import Statement
from verifier.language.expressions import Grounder, ground_over
from verifier.language.loader import KeyPath
from verifier.language.rules.drawn import DrawnClause, find_drawing_faults
from verifier.language.rules.file import Clause, RulesCompiler, RulesFile
from verifier.language.shape import Expression, StrictModel, keep_expression
from verifier.language.syntax import ExpressionError, parse_expression

Direction = Literal["rows", "columns", "diagonals"]
DIRECTIONS: tuple[Direction, ...] = ("rows", "columns", "diagonals")
SideLength = Annotated[int, Field(ge=1, le=64)]
Spot = Annotated[int | str, Field(description="a spot, written as a move: its number, or its row and column")]


class BoardClause(Clause):
    """A single board, and how moves are written: as spots, numbered from 0, or as ``row,column``, counted from 1."""

    rows: SideLength
    columns: SideLength
    moves: Literal["spots", "rows"] = "spots"


class MarksClause(Clause):
    """The marks that count for a player's line: his own, or the marks of both players."""

    is_: Literal["own", "shared"] = Field(alias="is")


SetFormula = Annotated[
    str,
    WrapValidator(keep_expression),
    Field(description="an expression: a list of spots, numbered from 0 row by row, or a list of such lists"),
]
ShapePlace = Annotated[
    str, Field(pattern=r"^\d{1,2}\.\d{1,2}$", description="a row and a column, counted from 0, such as 0.1")
]


_BY_PLAYER = ("of_x", "of_o")


class LineSets(StrictModel):
    """Winning sets: a number of spots in a row, a list of sets, or all placements of shapes."""

    in_a_row: Annotated[int, Field(ge=2, le=64)] | None = None
    along: list[Direction] = Field(default=list(DIRECTIONS), min_length=1)
    spots: Literal["neighbouring", "exactly", "any"] = Field(
        default="neighbouring",
        description="neighbouring: next to each other; exactly: the same, without further marks at the ends; any: any "
        "spots of a row",
    )
    sets: list[list[Spot] | SetFormula] | None = None
    shapes: list[Annotated[list[ShapePlace], Field(min_length=1, max_length=64)]] | None = Field(
        default=None, min_length=1, max_length=20, description="shapes, placed everywhere, turned and mirrored"
    )

    @model_validator(mode="after")
    def _one_form(self) -> LineSets:
        given = [name for name in ("in_a_row", "sets", "shapes", *_BY_PLAYER) if getattr(self, name, None) is not None]
        if given != [*_BY_PLAYER] and (len(given) != 1 or given[0] in _BY_PLAYER):
            raise ValueError("needs one of 'in_a_row', 'sets' and 'shapes', or an entry for X and another for O")
        extra = self.model_fields_set & {"along", "spots"}
        if given != ["in_a_row"] and extra:
            raise ValueError(f"{min(extra)!r} can be used only with 'in_a_row'")
        return self


class LinesClause(LineSets, Clause):
    """The winning sets: one list for both players, or a list for each player."""

    of_x: LineSets | None = Field(default=None, alias="X")
    of_o: LineSets | None = Field(default=None, alias="O")


class LegalClause(Clause):
    """Says which free spots may be marked: a condition on the spot ``s``, its ``row`` and its ``column``."""

    when: Expression


class OutcomeClause(Clause):
    """A result, and the condition for it. After each move, the first outcome with a true condition decides."""

    when: Expression
    result: Literal["X", "O", "draw", "goes-on"]


class PositionalRules(RulesFile):
    """The rules of a game on one board, clause by clause."""

    family: Literal["positional"]
    board: BoardClause
    marks: MarksClause | None = None
    lines: LinesClause | None = None
    legal: LegalClause | None = None
    outcomes: dict[str, OutcomeClause] = Field(min_length=1)
    drawn: DrawnClause | None = None


LineData = list[list[int]]
"""A winning set: the spots on which the player needs a mark, and the spots on which he must not have one."""

WordSizes = Mapping[str, tuple[int, ...]]
"""The words that a formula can use, each with the sizes of its indices."""


class PositionalCompiler(RulesCompiler[PositionalRules]):
    """Compiles rules of one board."""

    FILE = PositionalRules

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.model.board.rows

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self.model.board.columns

    def compile(self) -> dict[str, Any]:
        """Return the board, its lines, the outcomes and the legal spots, in the kernel's form."""
        model, rows, columns = self.model, self.rows, self.columns
        if model.lines is None and not any("stuck" in str(outcome.when) for outcome in model.outcomes.values()):
            self.fault((), "the clause 'lines' is missing, and no outcome says what happens if a player is 'stuck'")
            return {}
        if rows * columns > MAX_CELLS:
            self.fault(("board",), f"a board can have at most {MAX_CELLS} spots, not {rows * columns}")
            return {}
        for key, text in find_drawing_faults(model.drawn, None, rows * columns) if model.drawn else ():
            self.fault(("drawn", key), text)
        marks = "own" if model.marks is None else model.marks.is_
        lines = ("line",) if marks == "shared" else ("X_line", "O_line")
        words = dict.fromkeys((*lines, "X_turn", "O_turn", "stuck"), ())
        return {
            "rows": rows,
            "columns": columns,
            "notation": model.board.moves,
            "marks": marks,
            "lines": [] if model.lines is None else _compile_lines(model.lines, self),
            "outcomes": [
                [self.ground(("outcomes", name, "when"), outcome.when, words, {}), outcome.result]
                for name, outcome in model.outcomes.items()
            ],
            "legal": self.legal(rows, columns, ("marked",) if marks == "shared" else ("X", "O")),
        }

    @staticmethod
    def list_symmetries(data: Mapping[str, Any], statement: Statement) -> list[list[int]] | None:
        """Return the turns and mirror images of the board under which the rules and the goals stay the same."""
        # The least of the symmetries, the identity, is left out.
        _, *images = sorted(symmetries(data["rules"]["rows"], data["rules"]["columns"]))
        return [[*spots] for spots in images if is_symmetry(data, statement, spots)]

    def legal(self, rows: int, columns: int, owners: tuple[str, ...]) -> list[Any] | None:
        """Return, for each spot, the formula that says when it may be marked; None if every free spot may be marked."""
        if self.model.legal is None:
            return None
        words = dict.fromkeys((*owners, "free"), (rows * columns,))
        found: list[Any] = []
        for s in range(rows * columns):
            env = {"s": s, "row": s // columns + 1, "column": s % columns + 1}
            found.append(self.ground(("legal", "when"), self.model.legal.when, words, env))
            if self.problems:
                return None  # the problems of the other spots would be the same
        return None if all(formula is True for formula in found) else found

    def ground(
        self,
        path: KeyPath,
        text: str | int | bool,
        words: WordSizes,
        env: Mapping[str, int],
        ask: Callable[..., Any] = Grounder.formula,
    ) -> Any:
        """Return the value of an expression, computed by ``ask``. If this fails, add the problem, and return []."""
        try:
            spots = range(self.rows * self.columns)
            return ask(ground_over(words, {"SPOTS": spots}), parse_expression(text), env)
        except ExpressionError as error:
            self.problems.append(self.document.text_problem(path, error))
            return []


# -- winning sets ------------------------------------------------------------------------------------------------------


def _compile_lines(lines: LinesClause, board: PositionalCompiler) -> list[LineData] | dict[str, list[LineData]]:
    """Return the winning sets: one list if both players have the same sets, otherwise a list for each player."""
    if lines.of_x is None or lines.of_o is None:
        return _compile_clause(lines, board, ("lines",))
    own, theirs = (
        _compile_clause(part, board, ("lines", name)) for name, part in (("X", lines.of_x), ("O", lines.of_o))
    )
    return own if own == theirs else {"X": own, "O": theirs}


def _compile_clause(lines: LineSets, board: PositionalCompiler, path: KeyPath) -> list[LineData]:
    """Return the sets of a clause in order, each once. It is a fault if there are no sets, or too many."""
    sets: Iterable[LineSpots]
    if lines.sets is not None:
        path, sets = (*path, "sets"), _listed(lines.sets, board, (*path, "sets"))
        lack = "" if lines.sets else "there is no winning set, so nobody could win"
    elif lines.shapes is not None:
        path, sets, lack = (*path, "shapes"), _placed(lines.shapes, board, (*path, "shapes")), ""
    else:
        length = lines.in_a_row or 0
        path, sets = (*path, "in_a_row"), place_in_a_row(lines, board.rows, board.columns, length)
        lack = f"there is no winning set: {board.rows} rows of {board.columns} have no {length} in a row"
    found: set[LineSpots] = set()
    for one in sets:
        found.add(one)
        if len(found) > MAX_LINES:
            text = (
                f"there are more than {MAX_LINES} winning sets, which is the limit: use a smaller board, or fewer sets"
            )
            board.fault(path, text)
            return []
    if lack and not found:
        board.fault(path, lack)
    return [[list(held), list(others)] for held, others in sorted(found)]


def _listed(sets: list[list[int | str] | str], board: PositionalCompiler, path: KeyPath) -> Iterator[LineSpots]:
    """Yield the winning sets of a list. A set may be listed only once, but expressions may give it several times."""
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
                board.fault(at, f"{wrong[0]} is not a spot of the board: spots are 0 to {last}, row by row")
            elif len(set(spots)) < len(spots):
                board.fault(at, f"the set {spots} has a spot twice")
            elif not spots:
                board.fault(at, "a winning set needs at least one spot")
            elif one in known and not is_formula:
                board.fault(at, f"this winning set is listed twice: it is the same as number {known[one] + 1}")
            elif not is_formula:
                known[one] = index
            yield one, ()


def _read_set(given: list[int | str], board: PositionalCompiler, path: KeyPath) -> list[list[int]]:
    """Read a winning set, written as moves. Return a list with this set; [] if one of the moves is not a spot."""
    is_by_row = board.model.board.moves == "rows"
    places = itertools.product(range(1, board.rows + 1), range(1, board.columns + 1))
    names = [f"{row},{column}" if is_by_row else str(s) for s, (row, column) in enumerate(places)]
    wrong = [index for index, text in enumerate(given) if str(text) not in names]
    for index in wrong:
        board.fault((*path, index), f"{given[index]!r} is not a spot of the board: spots are {names[0]} to {names[-1]}")
    return [] if wrong else [[names.index(str(text)) for text in given]]


def _placed(shapes: list[list[str]], board: PositionalCompiler, path: KeyPath) -> Iterator[LineSpots]:
    """Yield all placements of shapes on the board."""
    for index, shape in enumerate(shapes):
        places = [(int(row), int(column)) for row, column in (text.split(".") for text in shape)]
        if len(set(places)) < len(places):
            board.fault((*path, index), "a shape has a place twice")
            continue
        placements = set(_place_shape(places, board.rows, board.columns))
        if not placements:
            board.fault((*path, index), f"the shape does not fit on {board.rows} rows of {board.columns}")
        yield from placements


def _place_shape(places: list[tuple[int, int]], rows: int, columns: int) -> Iterator[LineSpots]:
    """Yield all placements of a shape on a board, turned and mirrored."""
    for down, right, is_turned in itertools.product((1, -1), (1, -1), (False, True)):
        image = [(right * c, down * r) if is_turned else (down * r, right * c) for r, c in places]
        top, left = min(r for r, _ in image), min(c for _, c in image)
        high, wide = max(r for r, _ in image) - top, max(c for _, c in image) - left
        for r, c in itertools.product(range(rows - high), range(columns - wide)):
            yield tuple(sorted((a - top + r) * columns + b - left + c for a, b in image)), ()


def place_in_a_row(lines: LineSets, rows: int, columns: int, length: int) -> Iterator[LineSpots]:
    """Yield the winning sets of ``length`` spots in a row, each as the spots to mark and the spots not to mark."""
    along = lines.along
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
