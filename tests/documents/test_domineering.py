"""Domineering on small boards, solved by this test's own program."""

import functools

from tests.rules import specs

CLAIMS = ("three-columns", "even-rows", "three-rows", "five-rows", "other-boards")


def winner(rows: int, columns: int, *, vertical_begins: bool) -> str:
    """Return who wins: X is Vertical, O is Horizontal."""
    squares = [(r, c) for r in range(rows) for c in range(columns)]
    dominoes = {
        is_vertical: [{a, b} for a in squares for b in [(a[0] + is_vertical, a[1] + 1 - is_vertical)] if b in squares]
        for is_vertical in (True, False)
    }

    @functools.cache
    def wins(covered: frozenset[tuple[int, int]], is_vertical: bool) -> bool:
        return any(not wins(covered | both, not is_vertical) for both in dominoes[is_vertical] if not covered & both)

    return "X" if wins(frozenset(), vertical_begins) == vertical_begins else "O"


def test_every_reading_names_the_winner_of_its_board() -> None:
    """The claims have all boards of two to four rows of two to five squares, except 2 by 2, with either beginner."""
    boards = set()
    for name in CLAIMS:
        claim = specs().claims[f"domineering-{name}"].model
        for reading in claim.readings.values():
            rows, columns, first = (reading.rules or claim.rules or "").split("-")[1:]
            wins = winner(int(rows), int(columns), vertical_begins=first == "v")
            assert (reading.model_dump()["can"] == wins) == (reading.expect == "proved")
            boards |= {(rows, columns, first)} if reading.expect == "proved" else set()
    assert len(boards) == 3 * 4 * 2 - 2


def test_on_two_by_two_the_player_who_begins_wins() -> None:
    assert [winner(2, 2, vertical_begins=begins) for begins in (True, False)] == ["X", "O"]
