"""For races with few marks left, the kernel agrees with a plain search on the marks themselves."""

from collections import Counter

import pytest

from tests.kernel.late import PAPER, is_held, late_positions, on_marks
from tests.oracle import MarkOracle
from verifier.kernel.errors import CertificateError
from verifier.kernel.games.nested import NestedPosition
from verifier.kernel.race.endgame import Endgames
from verifier.kernel.race.relaxation import coarsen, is_held_at_once, least, least_from, needs_of, race_of
from verifier.search.bounded.moves import wins_race

MARKS = range(1, 5)
SAVED_BY_OLIVIA = (
    "OO.XXOX.X/.OOOOOXXX/XXXO.OOOX/XXXOXOOOX/XX.XOOOXX/.XXXOXXXX/OXOXXOXXO/O.XOOOOXO/OOOOOOOXX .XXX.XXOO 5"
)


def distance_on_marks(oracle: MarkOracle, player: str) -> int | None:
    return next((marks for marks in MARKS if oracle.is_forced(marks, player)), None)


def is_won(endgames: Endgames, position: NestedPosition, marks: int) -> bool:
    """Return whether Xavier wins the race of a position within some marks, with the player to move."""
    race = race_of(position)
    if PAPER.turn(position) == "X":
        return wins_race(endgames, *race, marks)
    return not is_held(*race, marks, endgames)


def test_win_distances_are_those_on_the_marks() -> None:
    """In hundreds of late positions, the fewest marks within which Xavier wins, up to four, are the same."""
    seen: Counter[tuple[str, int | None]] = Counter()
    endgames = Endgames()
    for position in late_positions(250):
        if PAPER.ply(position) < 46:
            continue
        turn = PAPER.turn(position)
        found = distance_on_marks(on_marks(position).race(), turn)
        assert next((marks for marks in MARKS if is_won(endgames, position, marks)), None) == found
        seen[turn, found] += 1
    assert seen.total() > 120
    assert min(seen[turn, distance] for turn in "XO" for distance in MARKS) >= 2


def test_whoever_wins_the_game_wins_the_race() -> None:
    """If Xavier can force a win of the game, in which Olivia may win, he can force a win of the race in time."""
    wins = 0
    endgames = Endgames()
    for position in late_positions(250):
        if PAPER.ply(position) < 44:
            continue
        distance = distance_on_marks(on_marks(position), PAPER.turn(position))
        if distance is not None:
            wins += 1
            assert is_won(endgames, position, distance)
    assert wins > 40


def test_whoever_wins_the_race_may_lose_the_game() -> None:
    """Here Olivia wins the game before Xavier has placed the three marks with which he wins the race."""
    position = PAPER.parse_position(SAVED_BY_OLIVIA)
    assert is_won(Endgames(), position, 3)
    assert on_marks(position).race().is_forced(3, "X")
    assert not on_marks(position).is_forced(9, "X")


def test_remembered_results_change_no_answer() -> None:
    """With five and six marks, a used instance answers the same as a new one, coarsened or not."""
    used = Endgames()
    answers: Counter[bool] = Counter()
    for position in late_positions(50):
        fields, active = race_of(position)
        for marks in (5, 6):
            won = is_won(used, position, marks)
            answers[won] += 1
            assert is_won(Endgames(), position, marks) == won
            if PAPER.turn(position) == "X":
                assert wins_race(used, coarsen(fields, marks), active, marks) == won
            else:
                assert is_held(coarsen(fields, marks), active, marks, used) != won
    assert min(answers.values()) > 10


def test_a_search_that_takes_too_long_is_given_up() -> None:
    """One race more than the limit is an error. What was remembered until then is still right."""
    fields, active = race_of(PAPER.play(PAPER.start, (4, 4)))
    endgames = Endgames()
    endgames.limit = 100
    with pytest.raises(CertificateError, match="the search examines more than 100 races") as caught:
        is_held(fields, active, 10, endgames)
    assert caught.value.reason == "limit"
    assert endgames.visited == 101
    endgames.limit = float("inf")
    for position in late_positions(30):
        assert is_won(endgames, position, 4) == is_won(Endgames(), position, 4)


def test_a_race_that_is_held_at_once_is_held() -> None:
    """If he lacks too many marks, or she holds at once, a search of every move finds no win for him."""
    seen: Counter[str] = Counter()
    for position in late_positions(500):
        turn, (fields, active) = PAPER.turn(position), race_of(position)
        need = needs_of(fields)
        for marks in range(4) if PAPER.ply(position) >= 46 else ():
            ways = {
                "least": least(need) > marks,
                "from": turn == "X" and least_from(need, active) > marks >= least(need),
                "at once": turn == "O" and is_held_at_once(fields, need, active, marks) and least(need) == marks,
            }
            seen.update(way for way, is_seen in ways.items() if is_seen)
            assert not any(ways.values()) or not on_marks(position).race().is_forced(marks, turn)
    assert min(seen[way] for way in ("least", "from", "at once")) > 20
