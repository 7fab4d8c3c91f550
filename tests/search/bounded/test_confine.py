"""A search that sends Xavier to two fields only. If it says that Olivia holds a race, she does."""

import random

from tests.oracle import MarkOracle, has_line
from tests.search.bounded.races import after, boards, settle
from verifier.search.bounded.prove import Search


def is_held(board: MarkOracle, marks: int, pair: tuple[int, int], player: str, frontier: int) -> bool:
    """Return what the search should find, by the same plan on the marks, with every reply up to the frontier."""
    if marks == 0:
        return True

    def follow(move: tuple[int, int], left: int, turn: str) -> bool:
        after = board.play(move, player)
        return not has_line(after.x_fields) and is_held(after, left, pair, turn, frontier)

    if player == "O":
        moves = (move for to in pair for move in board.moves() if move[1] == to)
        return any(follow(move, marks, "X") for move in moves) or (
            marks <= frontier and not board.is_forced(marks, "O")
        )
    if board.active not in pair:
        return marks <= frontier + 1 and not board.is_forced(marks, "X")
    return all(follow(move, marks - 1, "O") for move in board.moves())


def test_random_races_are_confined_as_the_plan_says() -> None:
    """With up to three marks, the search finds what the plan without tables finds, or more."""
    chance = random.Random(3)
    search = {frontier: Search(16, frontier) for frontier in (0, 1)}
    held = set()
    for board, player in boards(60):
        if player == "O":
            pair = board.active, (board.active + chance.randrange(1, 9)) % 9
            for marks in (1, 2, 3):
                for frontier in (0, 1):
                    asked = board.fields, board.active, marks
                    found = search[frontier].confine(*asked, pair)
                    plan = is_held(board.oracle, marks, pair, player, frontier)
                    assert found or not plan
                    assert not found or not board.oracle.is_forced(marks, "O")
                    held.add((found, plan))
    assert {(True, True), (False, False)} <= held


def test_a_confined_race_is_held() -> None:
    """The plain search finds no win in a race of up to eight marks in which two fields hold Xavier."""
    search = Search(16, 3)
    held = 0
    for board, player in boards(200):
        if player == "O":
            for marks in range(4, 9):
                pair = board.active, (board.active + marks) % 9
                asked = board.fields, board.active, marks
                if search.confine(*asked, pair):
                    held += 1
                    assert settle(search, *asked)
    assert held >= 50


def test_an_opening_is_confined() -> None:
    """After the paper's opening, played into the last field, two fields hold Xavier for twelve marks."""
    fields, active = after("4.4 4.1 1.4 4.2 2.4 4.3 3.4 4.5 5.4 4.6 6.4 4.7 7.4 4.8 8.0")
    assert Search(64, 8).confine(fields, active, 12, (0, 8))
    assert not Search(64, 8).confine(fields, active, 12, (0, 4))
