"""Tic-tac-toe, and games about who first has a set of spots, in a page of Python that does not use the tool.

Positions of tic-tac-toe are strings of nine of ``.XO``.
"""

import functools
from collections.abc import Callable, Iterable, Iterator

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
Choose = Callable[[str], list[int]]
"""What a player may play in a position where he is to move."""


def has_line(board: str, player: str) -> bool:
    """Return whether a player has three in a row."""
    return any(board[a] == board[b] == board[c] == player for a, b, c in LINES)


def mark(board: str, spot: int, player: str) -> str:
    """Return the board with one more mark."""
    return board[:spot] + player + board[spot + 1 :]


def other(player: str) -> str:
    """Return the other player."""
    return "O" if player == "X" else "X"


def turn(board: str) -> str:
    """Return whose turn it is: X begins."""
    return "X" if board.count("X") == board.count("O") else "O"


def free(board: str) -> list[int]:
    """Return the free spots."""
    return [spot for spot, mark in enumerate(board) if mark == "."]


def is_over(board: str) -> bool:
    """Return whether somebody has three in a row, or nobody can move."""
    return has_line(board, "X") or has_line(board, "O") or "." not in board


@functools.cache
def value(board: str) -> int:
    """Return 1 if X can win, -1 if O can, and 0 if both can avoid losing."""
    if is_over(board):
        return has_line(board, "X") - has_line(board, "O")
    values = [value(mark(board, spot, turn(board))) for spot in free(board)]
    return max(values) if turn(board) == "X" else min(values)


def ends(
    choose: dict[str, Choose], board: str = "." * 9, line: tuple[int, ...] = ()
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the end of every game, with its moves. A player who is not named may make any move."""
    if is_over(board):
        yield board, line
        return
    for spot in choose.get(turn(board), free)(board):
        yield from ends(choose, mark(board, spot, turn(board)), (*line, spot))


def can_have(
    sets: Iterable[Iterable[int]], spots: int, marks: int, *, weak: bool = False, first: Iterable[int] | None = None
) -> bool:
    """Return whether the first player can be the first to have a set, with a limited number of marks of his own.

    Args:
        sets: the winning sets of spots.
        spots: the number of spots.
        marks: the maximum number of his marks.
        weak: whether only his sets count.
        first: the spot of his first mark; None: any spot.
    """
    masks = {sum(1 << spot for spot in one) for one in sets}

    def lacks(own: int, theirs: int) -> dict[int, int]:
        """Return the spots that open sets lack, and their smallest number."""
        return {lack: lack.bit_count() for lack in {mask & ~own for mask in masks if not mask & theirs}}

    def single(own: int, theirs: int) -> list[int]:
        return [lack for lack, size in lacks(own, theirs).items() if size == 1]

    def each(mask: int) -> list[int]:
        return [1 << spot for spot in range(spots) if mask >> spot & 1]

    @functools.cache
    def can(own: int, theirs: int, left: int) -> bool:
        near = min(lacks(own, theirs).values(), default=99)
        if near > left or near == 1:
            return near <= left
        blocks = [] if weak else single(theirs, own)
        return any(not saved(own | bit, theirs, left - 1) for bit in each(blocks[0] if blocks else ~own & ~theirs))

    @functools.cache
    def saved(own: int, theirs: int, left: int) -> bool:
        """Return whether the other player, to move, can prevent a set, or gets one first."""
        if not weak and single(theirs, own):
            return True
        threats = single(own, theirs)
        if len(threats) > 1:
            return False
        tries = each(threats[0] if threats else ~own & ~theirs)
        return not tries or any(not can(own, theirs | bit, left) for bit in tries)

    return can(0, 0, marks) if first is None else any(not saved(1 << spot, 0, marks - 1) for spot in first)
