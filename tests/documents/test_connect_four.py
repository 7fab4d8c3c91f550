"""Connect Four on small boards, solved by this test's own program, which has columns instead of spots."""

import functools

import pytest

from tests.rules import specs


def has_four(stones: int, rows: int) -> bool:
    """Say whether there are four stones in a row. Each column has ``rows`` bits, and one more that is always 0."""
    for step in (1, rows, rows + 1, rows + 2):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


def can_win(rows: int, columns: int, *, is_first: bool) -> bool:
    """Say whether the first player (if ``is_first``), or else the second player, can force four in a row."""
    middle_first = sorted(range(columns), key=lambda column: abs(2 * column - columns + 1))
    bottoms = [1 << column * (rows + 1) for column in middle_first]

    @functools.cache
    def wins(own: int, both: int, *, is_his_turn: bool) -> bool:
        """Say whether he wins. ``own`` has the stones of the player to move, ``both`` those of both players."""
        stones = [bottom + both & bottom * ((1 << rows) - 1) for bottom in bottoms]
        stones = [stone for stone in stones if stone]
        if any(has_four(own | stone, rows) for stone in stones):
            return is_his_turn
        results = (wins(own ^ both, both | stone, is_his_turn=not is_his_turn) for stone in stones)
        return any(results) if is_his_turn else bool(stones) and all(results)

    return wins(0, 0, is_his_turn=is_first)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [(4, 4), (5, 4), (4, 5), pytest.param(6, 4, marks=pytest.mark.slow), pytest.param(4, 6, marks=pytest.mark.slow)],
)
def test_a_second_program_finds_the_same_winner(rows: int, columns: int) -> None:
    """Nobody can win on the boards of the claim about draws. The second player wins on six columns of four rows."""
    # Five columns of five rows have too many positions for this program.
    draws = [name for name in specs().claim("connect-four-draws").readings if name.startswith(f"{rows}-by-{columns}-")]
    assert len(draws) == (0 if columns == 6 else 2)
    assert not can_win(rows, columns, is_first=True)
    assert can_win(rows, columns, is_first=False) == (columns == 6)
