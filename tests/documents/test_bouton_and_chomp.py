"""Nim and Chomp, solved by this test's own program."""

import functools
import itertools

from tests.rules import specs

Piles = tuple[int, ...]


@functools.cache
def wins_nim(piles: Piles) -> bool:
    """Return whether the player to move can take the last counter."""
    return any(
        not wins_nim((*piles[:p], piles[p] - n, *piles[p + 1 :]))
        for p in range(len(piles))
        for n in range(1, piles[p] + 1)
    )


@functools.cache
def wins_chomp(rows: Piles) -> bool:
    """Return whether the player to move can leave the poison. A position is the number of cookies in each row."""
    if rows[0] == 0:
        return True
    bites = ((r, c) for r, left in enumerate(rows) for c in range(left))
    return any(not wins_chomp(bite(rows, r, c)) for r, c in bites)


def bite(rows: Piles, r: int, c: int) -> Piles:
    return tuple(min(left, c) if index >= r else left for index, left in enumerate(rows))


def readings_of(claim: str) -> set[str]:
    """Return the readings of a shipped claim that are expected to hold."""
    return {name for name, reading in specs().claims[claim].model.readings.items() if reading.expect == "proved"}


def test_the_safe_combinations_below_eight_are_those_of_the_claim() -> None:
    """They are the positions of three different piles in which the player to move loses."""
    lost = {piles for piles in itertools.combinations(range(1, 8), 3) if not wins_nim(piles)}
    assert readings_of("safe-below-eight") == {"no-others", *(f"left-{a}-{b}-{c}" for a, b, c in lost)}
    assert len(lost) == 7
    assert not any(wins_nim((a, a)) for a in range(8))


def test_one_move_leaves_a_safe_combination() -> None:
    """From 9, 5, 12 no move does. From 7, 5, 12 only the move that takes ten from the third pile does."""
    for piles, found in (((9, 5, 12), set()), ((7, 5, 12), {(7, 5, 2)})):
        after = {(*piles[:p], n, *piles[p + 1 :]) for p in range(3) for n in range(piles[p])}
        assert {left for left in after if not wins_nim(left)} == found
    assert not wins_nim((9, 5, 12))
    assert wins_nim((3, 5, 7))


def test_the_first_bites_that_win_are_those_of_the_claims() -> None:
    """On two rows of five, and on three rows of four and of five, only one bite wins. On squares, (1, 1) wins."""
    thin = {(r, c) for r in range(2) for c in range(5) if (r, c) != (0, 0) and not wins_chomp(bite((5, 5), r, c))}
    assert thin == {(1, 4)}
    assert readings_of("thin-chomp") == {"as-stated", *(f"not-{5 * r + c}" for r in range(2) for c in range(5))} - {
        "not-0",
        "not-9",
    }
    for columns in (4, 5):
        bites = itertools.product(range(3), range(columns))
        found = {columns * r + c for r, c in bites if (r, c) != (0, 0) and not wins_chomp(bite((columns,) * 3, r, c))}
        lost = {f"{columns}-columns-not-{number}" for number in {*range(1, 3 * columns)} - found}
        won = {f"{columns}-columns-with-{number}" for number in found}
        assert {name for name in readings_of("one-first-bite") if name.startswith(str(columns))} == won | lost
        assert len(won) == 1
    for side in (3, 4):
        assert not wins_chomp(bite((side,) * side, 1, 1))
