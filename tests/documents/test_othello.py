"""Othello on four rows of four, solved by this test's own program."""

import functools
import itertools

from tests.rules import specs
from verifier.questions.count.model import CountReading

Position = tuple[str, str]
"""What is on the board, and who would be next: X begins."""
START: Position = (".....OX..XO.....", "X")
OTHER = {"X": "O", "O": "X"}
WAYS = [way for way in itertools.product((-1, 0, 1), repeat=2) if way != (0, 0)]


def turned(board: str, square: int, me: str) -> list[int]:
    """Return the squares of the discs that a new disc turns over."""
    found = []
    for down, right in WAYS:
        row, column, run = square // 4 + down, square % 4 + right, []
        while 0 <= row < 4 and 0 <= column < 4 and board[4 * row + column] == OTHER[me]:
            run.append(4 * row + column)
            row, column = row + down, column + right
        if 0 <= row < 4 and 0 <= column < 4 and board[4 * row + column] == me:
            found += run
    return found


def placed(board: str, me: str) -> list[str]:
    """Return the boards after each legal move that puts a disc."""
    runs = {square: turned(board, square, me) for square in range(16) if board[square] == "."}
    return [
        "".join(me if at in (*run, square) else board[at] for at in range(16)) for square, run in runs.items() if run
    ]


@functools.cache
def following(position: Position) -> tuple[Position, ...]:
    """Return the next positions. A player who cannot put a disc passes; if neither can, there are none."""
    board, me = position
    boards = placed(board, me) or ([board] if placed(board, OTHER[me]) else [])
    return tuple((after, OTHER[me]) for after in boards)


def lead(board: str) -> int:
    """Return how many more discs X has than O."""
    return board.count("X") - board.count("O")


@functools.cache
def value(position: Position) -> int:
    """Return X's lead after best play by both."""
    values = [value(after) for after in following(position)]
    if not values:
        return lead(position[0])
    return max(values) if position[1] == "X" else min(values)


@functools.cache
def games(position: Position, winner: int) -> int:
    """Count the games from a position by result: 1 if X wins, -1 if O does, 0 for a draw."""
    after = following(position)
    led = lead(position[0])
    return sum(games(one, winner) for one in after) if after else ((led > 0) - (led < 0) == winner)


def test_the_second_player_wins_by_eight() -> None:
    assert value(START) == -8


def test_the_numbers_of_games_and_final_positions_are_those_of_the_claim() -> None:
    """There are 60,060 games in all, and the final positions have 5,254 boards."""
    counted = [games(START, winner) for winner in (1, 0, -1)]
    known, fresh = {START}, [START]
    while fresh:
        fresh = [after for after in {one for position in fresh for one in following(position)} if after not in known]
        known.update(fresh)
    ends = {position for position in known if not following(position)}
    readings = specs().claims["othello-games"].model.readings
    numbers, final = readings["games"], readings["final-positions"]
    assert isinstance(numbers, CountReading)
    assert isinstance(final, CountReading)
    assert numbers.model_dump()["count"]["plays"] == dict(zip(("X", "draw", "O"), counted, strict=True))
    assert final.model_dump()["count"]["ends"] == len(ends)
    assert (sum(counted), len({board for board, _ in ends})) == (60_060, 5_254)
