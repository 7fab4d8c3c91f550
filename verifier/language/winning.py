"""Winning sets as a rules file gives them, turned into the lists of spots that statements carry.

Some in a row, a list of sets, sets by formula, all placements of a shape; of both players or of each.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from verifier.kernel.games.lines import MAX_LINES, Line
from verifier.language.clauses import LineClause, Lines
from verifier.language.loader import Path

LineData = list[list[int]]
"""The spots that are held, and those that are not."""


@dataclass(frozen=True, slots=True)
class Board:
    """What sets of spots are on.

    Attributes:
        rows, columns: its size.
        name: writes a spot as a move.
        evaluate: returns the lists of spots that a formula at a place stands for; it notes what is wrong with it.
        fault: notes what is wrong at a place.
    """

    rows: int
    columns: int
    name: Callable[[int], str]
    evaluate: Callable[[Path, str], list[list[int]]]
    fault: Callable[[Path, str], None]


def compile_lines(lines: Lines, board: Board) -> list[LineData] | dict[str, list[LineData]]:
    """Return the winning sets of both players, or by player where theirs differ."""
    if lines.of_x is None or lines.of_o is None:
        return _compile(lines, board, ("lines",))
    own, theirs = (_compile(part, board, ("lines", name)) for name, part in (("X", lines.of_x), ("O", lines.of_o)))
    return own if own == theirs else {"X": own, "O": theirs}


def _compile(lines: LineClause, board: Board, path: Path) -> list[LineData]:
    """Return the sets of a clause in order, each once; none, or more than the kernel takes, are a fault."""
    sets: Iterable[Line]
    if lines.sets is not None:
        path, sets = (*path, "sets"), _listed(lines.sets, board, (*path, "sets"))
        lack = "" if lines.sets else "no winning set: a game needs something to be won by"
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
            board.fault(path, f"more than {MAX_LINES} winning sets: the kernel reads no more")
            return []
    if lack and not found:
        board.fault(path, lack)
    return [[list(held), list(others)] for held, others in sorted(found)]


def _listed(sets: list[list[int | str] | str], board: Board, path: Path) -> Iterator[Line]:
    """Yield listed sets, of which none may stand twice, and those that formulas stand for, which may overlap."""
    known: dict[tuple[int, ...], int] = {}
    for index, given in enumerate(sets):
        if isinstance(given, str):
            yield from [
                (_spots_of_formula(one, board, (*path, index)), ()) for one in board.evaluate((*path, index), given)
            ]
            continue
        if not given:
            board.fault((*path, index), "a winning set has a spot that is held")
        one = _read_spots(given, board, (*path, index))
        if one in known:
            board.fault((*path, index), f"this winning set stands twice: it is number {known[one] + 1} as well")
        known.setdefault(one, index)
        yield one, ()


def _spots_of_formula(spots: list[int], board: Board, path: Path) -> tuple[int, ...]:
    last = board.rows * board.columns - 1
    wrong = [s for s in spots if not 0 <= s <= last]
    if wrong:
        board.fault(path, f"{wrong[0]} is not a spot of the board: 0 to {last}, row by row")
    elif len(set(spots)) < len(spots):
        board.fault(path, f"the set {spots} has a spot twice")
    elif not spots:
        board.fault(path, "a winning set has a spot that is held")
    return tuple(sorted(spots))


def _read_spots(given: list[int | str], board: Board, path: Path) -> tuple[int, ...]:
    names = [board.name(s) for s in range(board.rows * board.columns)]
    found: list[int] = []
    for index, text in enumerate(given):
        if str(text) not in names:
            board.fault((*path, index), f"{text!r} is not a spot of the board: {names[0]} to {names[-1]}")
        elif names.index(str(text)) in found:
            board.fault((*path, index), f"the spot {text} stands twice")
        else:
            found.append(names.index(str(text)))
    return tuple(sorted(found))


def _placed(shapes: list[list[str]], board: Board, path: Path) -> Iterator[Line]:
    """Yield all placements of shapes on the board, turned and mirrored."""
    for index, shape in enumerate(shapes):
        places = [(int(row), int(column)) for row, column in (text.split(".") for text in shape)]
        if len(set(places)) < len(places):
            board.fault((*path, index), "a shape has a place twice")
            continue
        placements = set(place_shape(places, board.rows, board.columns))
        if not placements:
            board.fault((*path, index), f"the shape has no place on {board.rows} rows of {board.columns}")
        yield from placements


def place_shape(places: list[tuple[int, int]], rows: int, columns: int) -> Iterator[Line]:
    """Yield where a shape fits on a board, turned and mirrored in all ways."""
    for down, right, is_turned in itertools.product((1, -1), (1, -1), (False, True)):
        image = [(right * c, down * r) if is_turned else (down * r, right * c) for r, c in places]
        top, left = min(r for r, _ in image), min(c for _, c in image)
        high, wide = max(r for r, _ in image) - top, max(c for _, c in image) - left
        for r, c in itertools.product(range(rows - high), range(columns - wide)):
            yield tuple(sorted((a - top + r) * columns + b - left + c for a, b in image)), ()


def _in_a_row(lines: LineClause, board: Board, length: int) -> Iterator[Line]:
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
