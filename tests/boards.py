"""Named games of one board, as spec files: for the search's tests and for the bench. Their lines are made here."""

import itertools
import pathlib
from collections.abc import Iterable
from dataclasses import dataclass

Lines = frozenset[frozenset[int]]

RULES = """rules: {name}
title: The board {name}
source: {{document: none, place: here, says: The player who first has a line wins.}}
family: positional
board: {{rows: {rows}, columns: {columns}}}
lines: {lines}
outcomes: {outcomes}
"""
CLAIM = """claim: {name}
title: The claim {name}
source: {{document: none, place: here, says: Something can be done.}}
rules: {board}
readings:
  as-stated: {{can: {claimant}, expect: {verdict}, objectives: {{goal: {objective}}}}}
"""


@dataclass(frozen=True)
class Board:
    """A board and its lines; weak: only X's count."""

    rows: int
    columns: int
    lines: Lines
    is_weak: bool = False


def shape(spots: Iterable[tuple[int, int]], rows: int, columns: int) -> Lines:
    """Return all placements of a shape, turned and mirrored."""
    images = []
    for down, right, turn in itertools.product((1, -1), (1, -1), (False, True)):
        image = [(down * r, right * c) for r, c in spots]
        images.append([(c, r) for r, c in image] if turn else image)
    found = set()
    for image in images:
        for r, c in itertools.product(range(-rows, 2 * rows), range(-columns, 2 * columns)):
            placed = [(r + a, c + b) for a, b in image]
            if all(0 <= a < rows and 0 <= b < columns for a, b in placed):
                found.add(frozenset(columns * a + b for a, b in placed))
    return frozenset(found)


def in_a_row(length: int, rows: int, columns: int) -> Lines:
    """Return the rows, columns and diagonals of neighbours."""
    straight = shape([(0, i) for i in range(length)], rows, columns)
    return straight | shape([(i, i) for i in range(length)], rows, columns)


def cube(size: int) -> Lines:
    """Return the lines of a cube: all spots that a step in some direction meets from side to side."""
    found = set()
    for at in itertools.product(range(size), repeat=3):
        for step in itertools.product((-1, 0, 1), repeat=3):
            line = [tuple(a + i * s for a, s in zip(at, step, strict=True)) for i in range(size)]
            if any(step) and all(0 <= part < size for spot in line for part in spot):
                found.add(frozenset(size * size * a + size * b + c for a, b, c in line))
    return frozenset(found)


def affine_plane_of_order_4() -> Lines:
    """Return the lines y = mx + b and x = c over the field of four elements."""
    times = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
    sloping = {frozenset(4 * x + (times[m][x] ^ b) for x in range(4)) for m in range(4) for b in range(4)}
    return frozenset(sloping | {frozenset(4 * c + y for y in range(4)) for c in range(4)})


BOARDS = {
    "n5": Board(5, 5, shape([(0, 0), (1, 0), (2, 0), (2, 1), (3, 1)], 5, 5)),
    "cube": Board(3, 9, cube(3)),
    "plane": Board(4, 4, affine_plane_of_order_4()),
    "weak-plane": Board(4, 4, affine_plane_of_order_4(), is_weak=True),
    "four": Board(4, 4, in_a_row(4, 4, 4)),
    "large": Board(5, 5, in_a_row(4, 5, 5)),
}

CLAIMS = {
    "n5-by-11": ("n5", "proved", "X", "{reach: X_wins, by: 11}"),
    "n5-by-9": ("n5", "refuted", "X", "{reach: X_wins, by: 9}"),
    "cube-by-7": ("cube", "proved", "X", "{reach: X_wins, by: 7}"),
    "cube-by-5": ("cube", "refuted", "X", "{reach: X_wins, by: 5}"),
    "plane-by-15": ("plane", "proved", "X", "{reach: X_wins, by: 15}"),
    "plane-by-13": ("plane", "refuted", "X", "{reach: X_wins, by: 13}"),
    "weak-plane-by-13": ("weak-plane", "proved", "X", "{reach: X_wins, by: 13}"),
    "weak-plane-by-11": ("weak-plane", "refuted", "X", "{reach: X_wins, by: 11}"),
    "four-x-draws": ("four", "proved", "X", "{prevent: O_wins, by: 16}"),
    "four-o-draws": ("four", "proved", "O", "{prevent: X_wins, by: 16}"),
    "large-o-draws": ("large", "proved", "O", "{prevent: X_wins, by: 25}"),
}
"""Of each claim the board, the verdict, whose it is, and the objective."""


def write_claim(folder: pathlib.Path, name: str) -> None:
    """Write the rules and the claim of a name into a folder of specs."""
    board_name, verdict, claimant, objective = CLAIMS[name]
    board = BOARDS[board_name]
    lines = f"{{sets: {sorted(sorted(line) for line in board.lines)}}}"
    write_rules(folder, board_name, (board.rows, board.columns), lines, is_weak=board.is_weak)
    claim = CLAIM.format(name=name, board=board_name, verdict=verdict, claimant=claimant, objective=objective)
    (folder / f"{name}.yaml").write_text(claim)


def write_rules(folder: pathlib.Path, name: str, size: tuple[int, int], lines: str, *, is_weak: bool = False) -> None:
    """Write rules by which the player who first has a line wins; weak: only X's count."""
    players = "X" if is_weak else "XO"
    outcomes = ", ".join(f"{player} has a line: {{when: {player}_line, result: {player}}}" for player in players)
    text = RULES.format(name=name, rows=size[0], columns=size[1], lines=lines, outcomes=f"{{{outcomes}}}")
    (folder / "rules").mkdir(exist_ok=True)
    (folder / "rules" / f"{name}.yaml").write_text(text)
