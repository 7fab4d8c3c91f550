"""The eight rules of Newell and Simon, played against every reply by this test's own program."""

from collections.abc import Callable

import pytest

from tests.documents.small import LINES, ends, free, has_line, mark, other, turn, value
from tests.rules import specs

CORNERS, SIDES = (0, 2, 6, 8), (1, 3, 5, 7)
Rule = Callable[[str, str], list[int]]
"""The spots that a rule offers to a player, on a board."""


def _completes(board: str, me: str) -> list[int]:
    return [spot for spot in free(board) if has_line(mark(board, spot, me), me)]


def _rows(board: str, me: str) -> list[tuple[int, ...]]:
    return [line for line in LINES if sorted(board[spot] for spot in line) == sorted((".", ".", me))]


def _forks(board: str, me: str) -> list[int]:
    rows = _rows(board, me)
    return [spot for spot in free(board) if sum(spot in row for row in rows) > 1]


def _twos(board: str, me: str) -> list[int]:
    return sorted({spot for row in _rows(board, me) for spot in row if board[spot] == "."})


def _forcing(board: str, me: str) -> list[int]:
    """Return the spots that make a row whose forced answer is not a fork."""
    after = {spot: mark(board, spot, me) for spot in _twos(board, me)}
    return [spot for spot, then in after.items() if not set(_completes(then, me)) & set(_forks(then, other(me)))]


def _one_or_several(board: str, me: str) -> list[int]:
    forks = _forks(board, other(me))
    clear = [spot for spot in _twos(board, me) if not _forks(mark(board, spot, me), other(me))]
    return forks if len(forks) == 1 else clear or _forcing(board, me)


def _heed(board: str, me: str, spots: list[int]) -> list[int]:
    """Leave out the corners if the player has the centre, and the other one two opposite corners."""
    pairs = ({board[0], board[8]}, {board[2], board[6]})
    return [spot for spot in spots if spot in SIDES] if board[4] == me and {other(me)} in pairs else spots


def _one_or_several_on_a_spot(board: str, me: str) -> list[int]:
    forks = _forks(board, other(me))
    found = forks if len(forks) == 1 else [spot for spot in forks if spot in _twos(board, me)]
    return _heed(board, me, found) or (_forcing(board, me) if len(forks) > 1 else [])


WAYS: dict[str, Rule] = {
    "any-row": lambda board, me: _twos(board, me) or _forks(board, other(me)),
    "either-option": lambda board, me: _heed(board, me, _forcing(board, me) + _forks(board, other(me))),
    "options-in-order": lambda board, me: (
        _heed(board, me, _forcing(board, me)) or _heed(board, me, _forks(board, other(me)))
    ),
    "spot-of-the-fork": lambda board, me: _forks(board, other(me)),
    "row-that-forces": lambda board, me: _forcing(board, me) or _forks(board, other(me)),
    "one-or-several": _one_or_several,
    "one-or-several-on-a-spot": _one_or_several_on_a_spot,
}


def _offers(board: str, rule_4: Rule) -> dict[int, list[int]]:
    """Return the spots that each of the eight rules offers to the player to move."""
    me, they = turn(board), other(turn(board))
    open_spots = free(board)
    return {
        1: _completes(board, me),
        2: _completes(board, they),
        3: _forks(board, me),
        4: rule_4(board, me) if _forks(board, they) else [],
        5: [4] if 4 in open_spots else [],
        6: [spot for spot in CORNERS if spot in open_spots and board[8 - spot] == they],
        7: [spot for spot in CORNERS if spot in open_spots],
        8: [spot for spot in SIDES if spot in open_spots],
    }


def _follow(board: str, rule_4: Rule = WAYS["row-that-forces"], without: tuple[int, ...] = ()) -> list[int]:
    """Return the spots of the first rule that offers one."""
    offers = _offers(board, rule_4)
    return next((spots for rule, spots in offers.items() if spots and rule not in without), [])


def _loses(me: str, rule_4: Rule = WAYS["row-that-forces"], without: tuple[int, ...] = ()) -> bool:
    games = ends({me: lambda board: _follow(board, rule_4, without)})
    return any(has_line(board, other(me)) for board, _ in games)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("player", "claim"), [("X", "first-never-loses"), ("O", "second-never-loses")])
def test_each_way_to_read_rule_4_comes_out_as_expected(way: str, player: str, claim: str) -> None:
    expected = specs().claim(claim).readings[way].expect
    assert _loses(player, WAYS[way]) == (expected == "refuted")


def test_the_warning_decides_whether_the_newer_form_may_lose() -> None:
    """Without it, every lost game has a corner that it forbids; the older form needs an order of its options too."""

    def forgetful(board: str, me: str) -> list[int]:
        forks = _forks(board, other(me))
        return forks if len(forks) == 1 else [spot for spot in forks if spot in _twos(board, me)] or _forcing(board, me)

    assert _loses("O", forgetful)
    assert not _loses("O", WAYS["one-or-several-on-a-spot"])
    assert _loses("O", WAYS["either-option"])
    assert not _loses("O", WAYS["options-in-order"])


@pytest.mark.parametrize("player", ["X", "O"])
def test_no_move_of_the_list_changes_the_value_of_the_game(player: str) -> None:
    boards: set[str] = set()

    def choose(board: str) -> list[int]:
        boards.add(board)
        return _follow(board)

    list(ends({player: choose}))
    assert all(value(mark(board, spot, player)) == value(board) for board in boards for spot in _follow(board))


@pytest.mark.parametrize("rule", [1, 2, 4, 5, 7])
def test_without_one_of_five_rules_the_second_player_can_lose(rule: int) -> None:
    assert _loses("O", without=(rule,))


@pytest.mark.parametrize("player", ["X", "O"])
def test_rules_3_and_6_are_not_needed_to_avoid_losing(player: str) -> None:
    assert not _loses(player, without=(3, 6))


def test_in_other_positions_the_list_misses_a_win_and_loses_a_draw() -> None:
    """In the two positions of ``other-positions`` a better result than that of the list is possible."""
    assert (value(".X....O.."), value("X....X.O.")) == (1, 0)
    assert any(not has_line(board, "X") for board, _ in ends({"X": _follow}, ".X....O.."))
    assert any(has_line(board, "X") for board, _ in ends({"O": _follow}, "X....X.O."))


def test_of_the_answers_to_a_corner_seven_lose_and_of_those_to_the_centre_four() -> None:
    lost = {
        first: [
            spot for spot in free(mark("." * 9, first, "X")) if value(mark(mark("." * 9, first, "X"), spot, "O")) == 1
        ]
        for first in (0, 4)
    }
    assert lost == {0: [1, 2, 3, 5, 6, 7, 8], 4: list(SIDES)}
