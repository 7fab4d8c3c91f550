"""Races for the tests, and an oracle: the race once more, on the marks themselves and without any table."""

from __future__ import annotations

import random
from collections.abc import Iterator

from verifier.kernel.games.ultimate import ANY
from verifier.kernel.race import Fields, play

LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


class Board:
    """Marks on eighty-one spots; a field with a line of Xavier's is his, nothing is Olivia's."""

    def __init__(self) -> None:
        self.marks: dict[tuple[int, int], str] = {}
        self.active: int | None = None
        self.fields: Fields = (0,) * 9
        """The same position as the kernel writes it."""

    def moves(self) -> list[tuple[int, int]]:
        fields = range(9) if self.active is None else [self.active]
        return [(f, s) for f in fields for s in range(9) if (f, s) not in self.marks]

    def play(self, move: tuple[int, int], player: str) -> None:
        self.marks[move] = player
        self.active = move[1] if any((move[1], s) not in self.marks for s in range(9)) else None
        self.fields, active = play(self.fields, *move, is_xavier=player == "X")
        assert active == self.kernel_active

    @property
    def kernel_active(self) -> int:
        return ANY if self.active is None else self.active

    def has_line(self, f: int) -> bool:
        return any(all(self.marks.get((f, int(s))) == "X" for s in line) for line in LINES)

    def is_won(self) -> bool:
        return any(all(self.has_line(int(f)) for f in line) for line in LINES)

    def can_win(self, marks: int, player: str) -> bool:
        """Tell whether Xavier wins within the marks; ``player`` is to move."""
        if marks == 0:
            return False
        moves = self.moves()
        before = self.active
        for move in moves:
            self.marks[move] = player
            self.active = move[1] if any((move[1], s) not in self.marks for s in range(9)) else None
            if player == "X":
                is_won = self.is_won() or self.can_win(marks - 1, "O")
            else:
                is_won = self.can_win(marks, "X")
            del self.marks[move]
            self.active = before
            if is_won == (player == "X"):
                return is_won
        return player == "O" and bool(moves)


def boards(count: int, seed: int) -> Iterator[tuple[Board, str]]:
    """Yield late positions without a choice among fields, and who is to move; Xavier likes to own fields."""
    chance = random.Random(seed)
    found = 0
    while found < count:
        board = Board()
        length = chance.randrange(36, 66)
        player = "X"
        for _ in range(length):
            moves = board.moves()
            if not moves:
                break
            move = chance.choice(moves)
            for other in moves if player == "X" and chance.random() < 0.7 else ():
                board.marks[other] = "X"
                if board.has_line(other[0]):
                    move = other
                del board.marks[other]
            board.play(move, player)
            player = "O" if player == "X" else "X"
            if board.is_won():
                break
        if board.moves() and not board.is_won() and board.active is not None:
            found += 1
            yield board, player


def after(moves: str) -> tuple[Fields, int]:
    """Return the race after moves such as "4.4 4.1"."""
    fields: Fields = (0,) * 9
    active = ANY
    for number, move in enumerate(moves.split()):
        fields, active = play(fields, int(move[0]), int(move[2]), is_xavier=number % 2 == 0)
    return fields, active
