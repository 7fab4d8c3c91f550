"""A second implementation of the rules, made from the rules alone: lists and loops, slow, and easy to read.

Nothing here is imported from ``verifier``. A board is a list of nine fields of nine cells, each ``X``, ``O`` or ``.``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]


def has_three(cells: list[str], player: str) -> bool:
    """Return whether a player has three in a line of nine cells."""
    return any([cells[i] for i in line] == [player] * 3 for line in LINES)


@dataclass
class UltimateOracle:
    """A game of ultimate tic-tac-toe under one of the rule sets; ``play`` changes it in place.

    Attributes:
        rules: ``paper``, ``paper-play-on``, ``closed-open-fields`` or ``closed-any-spot``.
        board: the cells.
        owners: the player who first had three in a line, for each field.
        sent_to: the spot of the last move; None at the start.
    """

    rules: str
    board: list[list[str]] = field(default_factory=lambda: [["."] * 9 for _ in range(9)])
    owners: list[str] = field(default_factory=lambda: ["."] * 9)
    sent_to: int | None = None

    def ply(self) -> int:
        """Count the marks."""
        return sum(cell != "." for cells in self.board for cell in cells)

    def turn(self) -> str:
        """Return the player to move."""
        marks = [cell for cells in self.board for cell in cells]
        return "X" if marks.count("X") == marks.count("O") else "O"

    def winner(self) -> str | None:
        """Return the player with three aligned fields; X if both have them."""
        for player in ("X", "O"):
            if has_three(self.owners, player):
                return player
        return None

    def is_bound_to(self, f: int) -> bool:
        """Return whether a player who is sent to a field has to play there."""
        if "." not in self.board[f]:
            return False
        return not (self.rules.startswith("closed") and self.owners[f] != ".")

    def active(self) -> int | None:
        """Return the field in which the player to move has to play; None if there is a choice."""
        if self.sent_to is not None and self.is_bound_to(self.sent_to):
            return self.sent_to
        return None

    def legal_moves(self) -> list[tuple[int, int]]:
        """Return every legal move, in ascending order."""
        if self.winner() is not None and self.rules != "paper-play-on":
            return []
        bound = self.active()
        moves = []
        for f in range(9):
            if bound is not None and f != bound:
                continue
            if self.rules == "closed-open-fields" and self.owners[f] != ".":
                continue
            for s in range(9):
                if self.board[f][s] == ".":
                    moves.append((f, s))
        return moves

    def is_over(self) -> bool:
        """Return whether nobody can move."""
        return self.legal_moves() == []

    def play(self, move: tuple[int, int]) -> None:
        """Make a mark for the player to move. The move has to be one of ``legal_moves``."""
        if move not in self.legal_moves():
            raise ValueError(f"{move} is not legal")
        f, s = move
        player = self.turn()
        self.board[f][s] = player
        if self.owners[f] == "." and has_three(self.board[f], player):
            self.owners[f] = player
        self.sent_to = s

    def text(self) -> str:
        """Write the position as the kernel does."""
        bound = self.active()
        fields = "/".join("".join(cells) for cells in self.board)
        return f"{fields} {''.join(self.owners)} {'*' if bound is None else bound}"


LINE_MASKS = [sum(1 << i for i in line) for line in LINES]


def has_line(mask: int) -> bool:
    """Return whether a mask of nine has three in a line."""
    return any(mask & line == line for line in LINE_MASKS)


@dataclass(frozen=True)
class MarkOracle:
    """Ultimate tic-tac-toe of the paper, on two masks of 81 bits: decides by trying everything what Xavier can force.

    Attributes:
        x: Xavier's marks; bit 9 f + s is spot s of field f.
        o: Olivia's marks.
        x_fields: the fields that Xavier owns.
        o_fields: the fields that Olivia owns.
        active: the field of the next mark; None if there is a choice.
        is_race: only Xavier can own fields and win; ``race`` describes fields that Olivia owned before.
    """

    x: int
    o: int
    x_fields: int
    o_fields: int
    active: int | None
    is_race: bool = False

    def race(self) -> MarkOracle:
        """Return the same position as a race, in which only Xavier can win: all marks in Olivia's fields are hers."""
        lost = sum(self.x & 511 << 9 * f for f in range(9) if self.o_fields >> f & 1)
        return MarkOracle(self.x - lost, self.o + lost, self.x_fields, 0, self.active, is_race=True)

    def moves(self) -> list[tuple[int, int]]:
        """Return the free spots that may be played, even if the game is over."""
        free = ~(self.x | self.o)
        return [(f, s) for f in range(9) if self.active in (None, f) for s in range(9) if free >> (9 * f + s) & 1]

    def play(self, move: tuple[int, int], player: str) -> MarkOracle:
        """Return the position after a player's mark."""
        f, s = move
        x, o, x_fields, o_fields = self.x, self.o, self.x_fields, self.o_fields
        is_owned = (x_fields | o_fields) >> f & 1
        if player == "X":
            x |= 1 << 9 * f + s
            x_fields |= 1 << f if not is_owned and has_line(x >> 9 * f & 511) else 0
        else:
            o |= 1 << 9 * f + s
            o_fields |= 1 << f if not is_owned and not self.is_race and has_line(o >> 9 * f & 511) else 0
        is_full = (x | o) >> 9 * s & 511 == 511
        return MarkOracle(x, o, x_fields, o_fields, None if is_full else s, self.is_race)

    def is_forced(self, marks: int, player: str) -> bool:
        """Return whether Xavier wins within some marks of his, whatever Olivia does; ``player`` is to move."""
        if has_line(self.x_fields):
            return True
        if marks == 0 or has_line(self.o_fields):
            return False
        moves = self.moves()
        if player == "X":
            return any(self.play(move, "X").is_forced(marks - 1, "O") for move in moves)
        return moves != [] and all(self.play(move, "O").is_forced(marks, "X") for move in moves)


@dataclass
class ThreesomeOracle:
    """A game on 4 by 4 under one of the rule sets of the 4×4 game, decided move by move as it is played.

    Attributes:
        rules: the name of the rule set, whose words describe it.
        grid: the cells, by row and column.
        result: ``X``, ``O`` or ``draw`` when the game is over.
        waiting: the last move made a threesome that the next move may answer.
    """

    rules: str
    grid: list[list[str]] = field(default_factory=lambda: [["."] * 4 for _ in range(4)])
    result: str | None = None
    waiting: bool = False

    def runs(self) -> list[list[tuple[int, int]]]:
        """Return the lines of cells that may be a threesome."""
        found = []
        for r in range(4):
            for c in range(4):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if 0 <= r - down < 4 and 0 <= c - right < 4:
                        continue
                    line = [(r + k * down, c + k * right) for k in range(4)]
                    found.append([cell for cell in line if cell[0] in range(4) and cell[1] in range(4)])
        if "long-lines" in self.rules:
            found = [line for line in found if len(line) == 4]
        if "rows-columns" in self.rules:
            found = [line for line in found if line[0][0] == line[-1][0] or line[0][1] == line[-1][1]]
        return [line for line in found if len(line) >= 3]

    def has_threesome(self, player: str) -> bool:
        """Return whether a player's marks have a threesome."""
        for line in self.runs():
            word = "".join("#" if self.grid[r][c] == player else "." for r, c in line)
            if "exactly" in self.rules:
                if "###" in word.split("."):
                    return True
            elif "any-three" in self.rules:
                if word.count("#") >= 3:
                    return True
            elif "###" in word:
                return True
        return False

    def marks(self, player: str) -> int:
        """Count a player's marks."""
        return sum(row.count(player) for row in self.grid)

    def turn(self) -> str:
        """Return the player to move."""
        return "X" if self.marks("X") == self.marks("O") else "O"

    def legal_moves(self) -> list[tuple[int]]:
        """Return the free cells, numbered row by row."""
        if self.result is not None:
            return []
        return [(4 * r + c,) for r in range(4) for c in range(4) if self.grid[r][c] == "."]

    def play(self, move: tuple[int]) -> None:
        """Make a mark for the player to move, and decide whether the game is over."""
        mover = self.turn()
        other = "O" if mover == "X" else "X"
        self.grid[move[0] // 4][move[0] % 4] = mover
        made, turn = self.has_threesome(mover), self.marks(mover)
        is_eighth = turn == 8
        if "comeback-seven" in self.rules and is_eighth and mover == "X" and made:
            self.result = "draw" if self.waiting and self.rules.endswith("draw") else "X"
        elif self.rules.endswith(("comeback-answer", "comeback-seven", "comeback-seven-draw")):
            if self.waiting:
                won = "X" if mover == "O" and self.marks("X") == 8 else mover
                self.result = "draw" if made else won
            elif is_eighth and mover == "O":
                self.result = "draw"
            self.waiting = made
        elif self.rules.endswith("comeback-last") and is_eighth:
            if mover == "O":
                self.result = "X" if self.has_threesome("X") and not made else "draw"
        elif made:
            wins = mover == "X" and is_eighth and "eighth-loses" not in self.rules
            self.result = mover if wins else other
        elif is_eighth and (mover == "O" or "sixteenth" not in self.rules):
            self.result = "draw"

    def text(self) -> str:
        """Write the position as the kernel does."""
        return "/".join("".join(row) for row in self.grid)
