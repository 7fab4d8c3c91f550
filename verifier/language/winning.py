"""Winning sets as a rules file gives them, turned into the lists of spots that statements carry.

Some in a row, a list of sets, sets by formula, all placements of a shape; of both players or of each.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from verifier.kernel.games.lines import MAX_LINES
from verifier.language.clauses import LineClause, Lines
from verifier.language.loader import Path

LineData = list[list[int]]
"""The spots that are held, and those that are not."""

Line = tuple[tuple[int, ...], tuple[int, ...]]

Fault = Callable[[Path, str], None]
"""Notes what is wrong, and where."""


@dataclass(frozen=True, slots=True)
class Board:
    """What sets of spots are on.

    Attributes:
        rows, columns: its size.
        name: writes a spot as a move.
        evaluate: returns the lists of spots that a formula at a place stands for; it notes what is wrong with it.
        fault: notes what is wrong.
    """

    rows: int
    columns: int
    name: Callable[[int], str]
    evaluate: Callable[[Path, str], list[list[int]]]
    fault: Fault


def compile_lines(lines: Lines, board: Board) -> list[LineData] | dict[str, list[LineData]]:
    """Return the winning sets of both players, or by player where theirs differ."""
    if lines.of_x is None or lines.of_o is None:
        return _compile(lines, board, ("lines",))
    own, theirs = (_compile(part, board, ("lines", name)) for name, part in (("X", lines.of_x), ("O", lines.of_o)))
    return own if own == theirs else {"X": own, "O": theirs}


def _compile(lines: LineClause, board: Board, path: Path) -> list[LineData]:
    found: Iterable[Line]
    if lines.sets is not None:
        found = _listed(lines.sets, board, (*path, "sets"))
    elif lines.shapes is not None:
        found = _placed(lines.shapes, board, (*path, "shapes"))
    else:
        found = _in_a_row(lines, board, (*path, "in_a_row"))
    return [[list(held), list(others)] for held, others in sorted(found)]


def _limited(sets: Iterable[Line], board: Board, path: Path) -> set[Line]:
    """Return sets, each once; where there are more than the kernel takes, that is a fault."""
    found: set[Line] = set()
    for one in sets:
        found.add(one)
        if len(found) > MAX_LINES:
            return _too_many(board, path)
    return found


# -- lists and formulas ----------------------------------------------------------------------------------------------


def _listed(sets: list[list[int | str] | str], board: Board, path: Path) -> set[Line]:
    """Return listed sets, of which none may stand twice, and those that formulas stand for, which may overlap."""
    known: dict[Line, int] = {}
    formulas: list[Line] = []
    for index, given in enumerate(sets):
        if isinstance(given, str):
            sets_of_it = board.evaluate((*path, index), given)
            formulas += [_spots_of_formula(spots, board, (*path, index)) for spots in sets_of_it]
            continue
        if not given:
            board.fault((*path, index), "a winning set has a spot that is held")
        one = _read_spots(given, board, (*path, index)), ()
        if one in known:
            board.fault((*path, index), f"this winning set stands twice: it is number {known[one] + 1} as well")
        known.setdefault(one, index)
    found = _limited([*known, *formulas], board, path)
    if not sets:
        board.fault(path, "no winning set: a game needs something to be won by")
    return found


def _spots_of_formula(spots: list[int], board: Board, path: Path) -> Line:
    last = board.rows * board.columns - 1
    wrong = [s for s in spots if not 0 <= s <= last]
    if wrong:
        board.fault(path, f"{wrong[0]} is not a spot of the board: 0 to {last}, row by row")
    elif len(set(spots)) < len(spots):
        board.fault(path, f"the set {spots} has a spot twice")
    elif not spots:
        board.fault(path, "a winning set has a spot that is held")
    return tuple(sorted(spots)), ()


def _read_spots(given: list[int | str], board: Board, path: Path) -> tuple[int, ...]:
    count = board.rows * board.columns
    numbers = {board.name(s): s for s in range(count)}
    found: list[int] = []
    for index, text in enumerate(given):
        spot = numbers.get(str(text))
        if spot is None:
            spots = f"{board.name(0)} to {board.name(count - 1)}"
            board.fault((*path, index), f"{text!r} is not a spot of the board: {spots}")
        elif spot in found:
            board.fault((*path, index), f"the spot {text} stands twice")
        else:
            found.append(spot)
    return tuple(sorted(found))


# -- shapes ----------------------------------------------------------------------------------------------------------


def _placed(shapes: list[list[str]], board: Board, path: Path) -> set[Line]:
    """Return all placements of shapes on the board, turned and mirrored."""
    found: set[Line] = set()
    for index, shape in enumerate(shapes):
        places = [_read_place(text, board, (*path, index, at)) for at, text in enumerate(shape)]
        if len(set(places)) < len(places):
            board.fault((*path, index), "a shape has a place twice")
            continue
        placements = set(place_shape(places, board.rows, board.columns))
        if not placements:
            board.fault((*path, index), f"the shape has no place on {board.rows} rows of {board.columns}")
        found |= placements
    return _limited(found, board, path)


def _read_place(text: str, board: Board, path: Path) -> tuple[int, int]:
    row, _, column = text.partition(".")
    if not (row.isdecimal() and column.isdecimal() and len(text) <= 5):
        board.fault(path, f"{text[:20]!r} is not a place: a row and a column from 0 on, such as 0.1")
        return 0, 0
    return int(row), int(column)


def place_shape(places: list[tuple[int, int]], rows: int, columns: int) -> Iterator[Line]:
    """Yield where a shape fits on a board, turned and mirrored in all ways."""
    for down, right, is_turned in itertools.product((1, -1), (1, -1), (False, True)):
        image = [(down * r, right * c) for r, c in places]
        image = [(c, r) for r, c in image] if is_turned else image
        top, left = min(r for r, _ in image), min(c for _, c in image)
        high, wide = max(r for r, _ in image) - top, max(c for _, c in image) - left
        for r, c in itertools.product(range(rows - high), range(columns - wide)):
            yield tuple(sorted((a - top + r) * columns + b - left + c for a, b in image)), ()


# -- some in a row ---------------------------------------------------------------------------------------------------


def _in_a_row(lines: LineClause, board: Board, path: Path) -> set[Line]:
    rows, columns, length = board.rows, board.columns, lines.in_a_row or 0
    count = sum(math.comb(len(line), length) for line in _straight(lines, rows, columns))
    if lines.spots == "any" and count > MAX_LINES:  # they are not even written down
        return _too_many(board, path)
    found = _limited(
        (run for line in _straight(lines, rows, columns) for run in _runs(line, length, lines.spots)), board, path
    )
    if not found:
        board.fault(path, f"no winning set: {rows} rows of {columns} have no {length} in a row there")
    return found


def _too_many(board: Board, path: Path) -> set[Line]:
    board.fault(path, f"more than {MAX_LINES} winning sets: the kernel reads no more")
    return set()


def _straight(lines: LineClause, rows: int, columns: int) -> Iterator[list[int]]:
    """Yield rows, columns and diagonals of a board, each as its spots in order."""
    along = lines.along
    steps = [(0, 1)] * ("rows" in along) + [(1, 0)] * ("columns" in along) + [(1, 1), (1, -1)] * ("diagonals" in along)
    for r, c, (down, right) in itertools.product(range(rows), range(columns), steps):
        if not (0 <= r - down < rows and 0 <= c - right < columns):
            places = ((r + k * down, c + k * right) for k in range(max(rows, columns)))
            yield [i * columns + j for i, j in places if 0 <= i < rows and 0 <= j < columns]


def _runs(line: list[int], length: int, which: str) -> Iterator[Line]:
    if which == "any":
        yield from ((tuple(sorted(spots)), ()) for spots in itertools.combinations(line, length))
        return
    for at in range(len(line) - length + 1):
        beside = [line[i] for i in (at - 1, at + length) if 0 <= i < len(line)]
        yield tuple(sorted(line[at : at + length])), tuple(sorted(beside)) if which == "exactly" else ()
