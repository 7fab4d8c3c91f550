"""Three games that were described with the reference alone: the rules files against plain Python."""

import functools
from collections.abc import Iterator
from typing import Any

import verifier
from tests.audit.made import MADE
from tests.rules import load_library

FOLDER = MADE / "strangers"

Pits = tuple[tuple[int, ...], tuple[int, ...], int]
"""The seeds in six pits, the captured seeds of both players, and who is to move: 0 or 1."""


def sow(state: Pits) -> Iterator[Pits]:
    """Yield what may follow: the seeds of a pit are sown, and two or three seeds in the last pit are captured."""
    pits, stores, turn = state
    for first in range(3 * turn, 3 * turn + 3):
        if pits[first]:
            made, taken, at = [*pits], [*stores], first
            made[first] = 0
            for _ in range(pits[first]):
                at = (at + 1) % 6
                made[at] += 1
            if made[at] in (2, 3):
                taken[turn] += made[at]
                made[at] = 0
            yield tuple(made), tuple(taken), 1 - turn


def forced(after: dict[Pits, list[Pits]], player: int) -> set[Pits]:
    """Return the positions from which a player can force that play ends, and he has more."""
    won = {here for here, next_ones in after.items() if not next_ones and here[1][player] > here[1][1 - player]}
    while True:
        new = {
            here
            for here, next_ones in after.items()
            if next_ones and here not in won and (any if here[2] == player else all)(one in won for one in next_ones)
        }
        if not new:
            return won
        won |= new


def test_sowing_has_the_same_positions_and_nobody_wins() -> None:
    """Its 4,925 positions and their moves are those of plain Python. Play may go round, so nobody can be forced."""
    game = load_library(FOLDER).game("six-pits")
    begin: Pits = ((2,) * 6, (0, 0), 0)
    pairs: list[tuple[Any, Pits]] = [(game.without_number(game.start), begin)]
    after: dict[Pits, list[Pits]] = {}
    for position, state in pairs:  # the loop adds pairs
        if state in after:
            continue
        after[state] = [*sow(state)]
        reached = [game.without_number(game.play(position, move)) for move in game.legal_moves(position)]
        found = [(one, (one.values[:6], one.values[6:], one.turn - 1)) for one in reached]
        assert {made for _, made in found} == {*after[state]}
        pairs += [pair for pair in found if pair[1] not in after]
    assert len(after) == 4_925
    assert begin not in forced(after, 0) | forced(after, 1)


def race(men: tuple[int, int], tiles: tuple[tuple[int, ...], tuple[int, ...]], turn: int) -> int:
    """Return 1 if the first player wins the race of seven steps, -1 if the second does, and 0 for a draw."""
    found = []
    for tile in (one for one in tiles[turn] if men[turn] + one <= 7):
        mine, theirs = men[turn] + tile, men[1 - turn]
        if mine == 7:
            return -1 if turn else 1
        both, left = [mine, 0 if mine == theirs else theirs], [*tiles]
        left[turn] = tuple(one for one in tiles[turn] if one != tile)
        found.append(race((both[turn], both[1 - turn]), (left[0], left[1]), 1 - turn))
    if not found:
        return (men[0] > men[1]) - (men[0] < men[1])
    return min(found) if turn else max(found)


@functools.cache
def jumps(ring: str, player: str) -> bool:
    """Say whether the player to move wins on a ring, where a man captures by a jump, and who cannot jump loses."""
    other = "XO"[player == "X"]
    for s in range(len(ring)):
        for step in (1, -1):
            over, to = (s + step) % len(ring), (s + 2 * step) % len(ring)
            if ring[s] == player and ring[over] == other and ring[to] == ".":
                made = [*ring]
                made[s], made[over], made[to] = ".", ".", player
                if not jumps("".join(made), other):
                    return True
    return False


def test_the_race_and_the_jumps_are_won_as_plain_python_says() -> None:
    assert race((0, 0), ((1, 2, 3, 4), (1, 2, 3, 4)), 0) == -1
    assert not jumps("XO.XO.XO.", "X")
    assert jumps("XO.OX.XO.", "X")


def test_their_claims_are_decided_as_plain_python_says() -> None:
    """Each claim was decided before the tool was asked."""
    ledger = verifier.load(FOLDER, cache=False).check()
    assert [(claim.id, claim.is_expected) for claim in ledger.claims] == [
        ("nobody-can-force", True),
        ("ring-jumps", True),
        ("second-runner-wins", True),
    ]
