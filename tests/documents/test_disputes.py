"""Questions that people argued about, answered by this test's own programs."""

import functools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.documents.small import LINES, ends, free
from tests.rules import specs


def holding(claim: str) -> set[str]:
    """Return the readings of a shipped claim that are expected to hold."""
    return {name for name, reading in specs().claims[claim].model.readings.items() if reading.expect == "proved"}


def play_as_god(board: str, player: str) -> list[int]:
    """Return the move of the old God mode: complete a line, else block one, else the centre, a corner, any spot."""
    for mark in (player, "XO".replace(player, "")):
        for spot in free(board):
            if any(spot in line and all(s == spot or board[s] == mark for s in line) for line in LINES):
                return [spot]
    return [next(spot for spot in (4, 0, 2, 6, 8, 1, 3, 5, 7) if board[spot] == ".")]


@pytest.mark.parametrize(("player", "reading"), [("O", "when-the-human-begins"), ("X", "when-it-begins")])
def test_the_god_mode_plays_so_many_games(player: str, reading: str) -> None:
    found = Counter[str]()
    for board, line in ends({player: functools.partial(play_as_god, player=player)}):
        is_won = any(board[a] == board[b] == board[c] != "." for a, b, c in LINES)
        found["XO"[len(line) % 2 == 0] if is_won else "draw"] += 1
    counted: Any = specs().claims["god-mode-counts"].model.readings[reading]
    assert found == counted.count.plays


def test_the_first_letters_that_win_on_a_strip_are_those_of_the_claim() -> None:
    """A strip falls into parts of some lengths; a letter takes a square and its neighbours out of one part."""

    @functools.cache
    def wins(parts: tuple[int, ...]) -> bool:
        return any(
            not wins(tuple(sorted((*parts[:k], *split(length, square), *parts[k + 1 :]))))
            for k, length in enumerate(parts)
            for square in range(length)
        )

    def split(length: int, square: int) -> Iterator[int]:
        yield from (part for part in (square - 1, length - square - 2) if part > 0)

    won = {square + 1 for square in range(11) if not wins(tuple(sorted(split(11, square))))}
    assert holding("strip-first-squares") == {
        f"{'wins' if square in won else 'loses'}-from-{square}" for square in range(1, 12)
    }


def solve_row(m: int, n: int, k: int, *, is_misere: bool) -> int:
    """Return p if X wins at ply p by best play of both, -p if O does, 0 for a draw, on m rows of n squares."""
    rows, steps = [(r, c) for r in range(m) for c in range(n)], [(0, 1), (1, 0), (1, 1), (1, -1)]
    lines = [[(r + i * down, c + i * right) for i in range(k)] for r, c in rows for down, right in steps]
    masks = [sum(1 << r * n + c for r, c in line) for line in lines if {*line} <= {*rows}]
    through = [[mask for mask in masks if mask >> spot & 1] for spot in range(m * n)]

    @functools.cache
    def score(own: int, theirs: int) -> int:
        """Return how good this is for the player to move: 100 - p if he wins at ply p, p - 100 if he loses."""
        ply, best = (own | theirs).bit_count() + 1, -100
        for spot in range(m * n):
            if not (own | theirs) >> spot & 1:
                after = own | 1 << spot
                if any(mask & after == mask for mask in through[spot]):
                    value = ply - 100 if is_misere else 100 - ply
                else:
                    value = 0 if ply == m * n else -score(theirs, after)
                best = max(best, value)
                if best == 100 - ply:
                    break
        return best

    found = score(0, 0)
    return 0 if found == 0 else 100 - found if found > 0 else -100 - found


ROWS = [(2, 3, 2), (2, 3, 3), (2, 4, 2), (2, 4, 3), (2, 4, 4), (2, 5, 2), (2, 5, 3), (2, 5, 4), (2, 5, 5)]
ROWS += [(3, 3, 2), (3, 3, 3), (3, 4, 2), (4, 4, 2)]
LARGE = [(3, 4, 3), (3, 4, 4), (4, 5, 2)]


@pytest.mark.parametrize("kind", ["normal", "misere"])
@pytest.mark.parametrize("row", [*ROWS, *(pytest.param(row, marks=pytest.mark.slow) for row in LARGE)], ids=str)
def test_rows_of_the_table_of_small_boards(row: tuple[int, int, int], kind: str) -> None:
    """Who wins, and when; 4 by 4 with three or four in a row has too many positions for this program."""
    name = "mnk-{}-{}-{}-{}".format(*row, kind)
    readings: dict[str, Any] = dict(specs().claims[name].model.readings)
    ply = solve_row(*row, is_misere=kind == "misere")
    if ply == 0:
        assert {reading.can for reading in readings.values()} == {"X", "O"}
    else:
        (objective,) = readings["as-stated-by"].objectives.values()
        assert (readings["as-stated-by"].can, objective.by) == ("X" if ply > 0 else "O", abs(ply))
        assert readings["as-stated"].joins == [f"{name}/as-stated-by", f"{name}/as-stated-not-sooner"]


def test_who_wins_two_by_two_on_small_boards() -> None:
    """The second player on four by four; the first player on 3 by 3 and 3 by 5."""

    def first_wins(rows: int, columns: int) -> bool:
        corners = [r * columns + c for r in range(rows - 1) for c in range(columns - 1)]
        squares = [0b11 << corner | 0b11 << corner + columns for corner in corners]

        @functools.cache
        def wins(marks: int) -> bool:
            moves = (marks | 1 << s for s in range(rows * columns) if not marks >> s & 1)
            return any(not any(square & after == square for square in squares) and not wins(after) for after in moves)

        return wins(0)

    assert [first_wins(*size) for size in ((4, 4), (3, 3), (3, 5))] == [False, True, True]
