"""Races for the tests, and an oracle: the race once more, on the marks themselves and without any table."""

from __future__ import annotations

import random
from collections.abc import Iterator

from verifier.kernel.games.nested import ANY
from verifier.kernel.race.relaxation import Fields, play

LINES = [{int(s) for s in line} for line in ("012", "345", "678", "036", "147", "258", "048", "246")]


class Board:
    """Marks on eighty-one spots; a field with a line of Xavier's is his, nothing is Olivia's."""

    def __init__(self) -> None:
        self.marks: dict[tuple[int, int], str] = {}
        self.active: int | None = None
        self.fields: Fields = (0,) * 9
        """The same position as the kernel writes it."""

    def moves(self) -> list[tuple[int, int]]:
        """Return the legal moves."""
        fields = range(9) if self.active is None else [self.active]
        return [(f, s) for f in fields for s in range(9) if (f, s) not in self.marks]

    def play(self, move: tuple[int, int], player: str) -> None:
        """Make a move, here and in the kernel."""
        self.marks[move] = player
        self.active = move[1] if any((move[1], s) not in self.marks for s in range(9)) else None
        self.fields, active = play(self.fields, *move, is_xavier=player == "X")
        assert active == self.kernel_active

    @property
    def kernel_active(self) -> int:
        """Return the active field as the kernel writes it."""
        return ANY if self.active is None else self.active

    def has_line(self, f: int) -> bool:
        """Tell whether Xavier owns a field."""
        held = {s for s in range(9) if self.marks.get((f, s)) == "X"}
        return any(line <= held for line in LINES)

    def is_won(self) -> bool:
        """Tell whether Xavier has won."""
        owned = {f for f in range(9) if self.has_line(f)}
        return any(line <= owned for line in LINES)

    def can_win(self, marks: int, player: str) -> bool:
        """Tell whether Xavier wins within the marks; ``player`` is to move."""
        if marks == 0:
            return False
        moves = self.moves()
        before = self.active
        for move in moves:
            self.marks[move] = player
            self.active = move[1] if any((move[1], s) not in self.marks for s in range(9)) else None
            is_won = self.has_line(move[0]) and self.is_won()
            is_won = is_won or self.can_win(marks - 1 if player == "X" else marks, "O" if player == "X" else "X")
            del self.marks[move]
            self.active = before
            if is_won == (player == "X"):
                return is_won
        return player == "O" and bool(moves)


def boards(count: int, seed: int) -> Iterator[tuple[Board, str]]:
    """Yield late positions without a choice among fields, some shortly before Xavier wins, and who is to move."""
    chance = random.Random(seed)
    found = 0
    while found < count:
        board, played = Board(), list[tuple[int, int]]()
        for number in range(chance.randrange(36, 72)):
            moves = board.moves()
            if not moves or board.is_won():
                break
            played.append(_choose(chance, board, moves, is_xavier=number % 2 == 0))
            board.play(played[-1], "XO"[number % 2])
        if board.is_won():
            length = len(played) - chance.randrange(1, 7)
            board = Board()
            for number, move in enumerate(played[:length]):
                board.play(move, "XO"[number % 2])
        if board.moves() and board.active is not None:
            found += 1
            yield board, "XO"[len(board.marks) % 2]


def _choose(chance: random.Random, board: Board, moves: list[tuple[int, int]], *, is_xavier: bool) -> tuple[int, int]:
    """Return a move; Xavier likes to own fields."""
    chosen = chance.choice(moves)
    if is_xavier and chance.random() < 0.9:
        for move in moves:
            board.marks[move] = "X"
            if board.has_line(move[0]):
                chosen = move
            del board.marks[move]
    return chosen


def after(moves: str) -> tuple[Fields, int]:
    """Return the race after moves such as "4.4 4.1"."""
    fields: Fields = (0,) * 9
    active = ANY
    for number, move in enumerate(moves.split()):
        fields, active = play(fields, int(move[0]), int(move[2]), is_xavier=number % 2 == 0)
    return fields, active
