"""Dots and Boxes with two rows of two boxes, solved by this test's own program."""

import functools
from collections.abc import Iterator

from tests.rules import specs

BOXES = ((1, 3, 4, 6), (2, 4, 5, 7), (6, 8, 9, 11), (7, 9, 10, 12))
"""The lines around each box."""
Lines = frozenset[int]


def completed(lines: Lines, line: int) -> int:
    """Count the boxes that a new line completes."""
    return sum(line in box and lines.issuperset(set(box) - {line}) for box in BOXES)


def free(lines: Lines) -> list[int]:
    return [line for line in range(1, 13) if line not in lines]


@functools.cache
def margin(lines: Lines) -> int:
    """Return the number of boxes by which the player to move does better from now on."""
    return max((margin_after(lines, line) for line in free(lines)), default=0)


def margin_after(lines: Lines, line: int) -> int:
    """Return the margin of the player who draws a line."""
    boxes = completed(lines, line)
    return boxes + margin(lines | {line}) if boxes else -margin(lines | {line})


def margin_of_x(moves: list[int]) -> int:
    """Return the number of boxes by which X can win after some moves."""
    lines, mover, lead = frozenset[int](), 1, 0
    for line in moves:
        boxes = completed(lines, line)
        lines, lead, mover = lines | {line}, lead + mover * boxes, mover if boxes else -mover
    return lead + mover * margin(lines)


def test_the_first_lines_that_win_are_those_of_the_claim() -> None:
    """Each outside line wins by two boxes, and each inside line draws."""
    readings = specs().claims["dots-first-move"].model.readings
    assert {f"with-{line}" for line in range(1, 13) if margin_of_x([line]) == 2} == {
        name for name in readings if name.startswith("with-") and name != "with-an-inside-line"
    }
    assert {line for line in range(1, 13) if margin_of_x([line]) == 0} == {4, 6, 7, 9}


def test_x_wins_from_every_board_that_the_claims_say_is_won() -> None:
    count = 0
    for claim in ("dots-winning-boards", "dots-inside-reply"):
        for name, reading in specs().claims[claim].model.readings.items():
            moves = [int(move) for move in reading.model_dump()["start"]]
            assert (margin_of_x(moves) > 0) == (reading.expect == "proved"), name
            count += 1
    assert count == 30


def ends(lines: Lines, turn: int, lead: int, *, takes_boxes: bool, turned: bool) -> Iterator[int]:
    """Yield X's lead at the end of every game in which O first splits the board by 9 and then draws images of lines."""
    left = free(lines)
    if not left:
        yield lead
    if turn == -1:
        across = (2, 1, 5, 4, 3, 7, 6, 10, 9, 8, 12, 11)
        image = {line: 13 - line if turned else across[line - 1] for line in left}
        images = [line for line in left if image[line] in lines]
        boxes = [line for line in (left if takes_boxes else images) if completed(lines, line)]
        left = boxes or images
        assert left or len(lines) == 12
    for line in left:
        boxes_now = completed(lines, line)
        then = (lines | {line}, turn if boxes_now else -turn, lead + turn * boxes_now)
        yield from ends(*then, takes_boxes=takes_boxes, turned=turned)


def test_images_alone_lose_a_game_and_images_after_boxes_lose_none() -> None:
    start = (frozenset({4, 9}), 1, 0)
    assert any(lead > 0 for lead in ends(*start, takes_boxes=False, turned=False))
    assert any(lead > 0 for lead in ends(*start, takes_boxes=False, turned=True))
    assert all(lead <= 0 for lead in ends(*start, takes_boxes=True, turned=False))


@functools.cache
def turns(lines: Lines) -> frozenset[int]:
    """Return the possible numbers of turns in the rest of a game, if a turn begins now."""
    if len(lines) == 12:
        return frozenset({0})
    found = set()
    for line in free(lines):
        after = lines | {line}
        ends_turn = not completed(lines, line) or len(after) == 12
        found |= {number + ends_turn for number in turns(after)}
    return frozenset(found)


def test_a_game_has_nine_to_eleven_turns() -> None:
    assert turns(frozenset()) == {9, 10, 11}
