"""The 4×4 threesome game (seed 004), and the rule sets that its text may mean.

Trusted for: the same as ``ultimate``, for this game. The text gives no rules in full. What it says: the players put
their marks on a board of 4 by 4 in turn; who completes a threesome before X's eighth turn loses; X wins if he completes
one on his eighth turn. What a threesome is, what becomes of O's eighth turn, and what "come-back" means are options.

A spot is 0 to 15, row by row, and is written ``row,column`` from 1 to 4; bit s of a mask is spot s, so that O's mask
is the number that the text calls a code.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from verifier.kernel.errors import NotationError, SpecError
from verifier.kernel.games.single_board import Move, Position, SingleBoard

_ROWS = tuple(tuple(4 * r + c for c in range(4)) for r in range(4))
_COLUMNS = tuple(zip(*_ROWS, strict=True))
_LONG_DIAGONALS = ((0, 5, 10, 15), (3, 6, 9, 12))
_SHORT_DIAGONALS = ((1, 6, 11), (4, 9, 14), (2, 5, 8), (7, 10, 13))
_STRAIGHT = (*_ROWS, *_COLUMNS)
_LONG = (*_STRAIGHT, *_LONG_DIAGONALS)
_ALL = (*_LONG, *_SHORT_DIAGONALS)

THREESOMES = (
    "neighbours",
    "neighbours-long-lines",
    "neighbours-rows-columns",
    "any-three",
    "any-three-long-lines",
    "exactly-three-neighbours",
)
"""What a threesome may be: three neighbours, or any three, of a line; the lines are rows, columns and diagonals of
three or four spots, or only those of four, or only rows and columns; "exactly" means that the next spots of the line do
not hold the same mark."""


@functools.cache
def has_threesome(threesome: str) -> bytes:
    """Return, for each mask of sixteen spots, whether the marks in it make a threesome (1 or 0)."""
    lines = _ALL
    if threesome.endswith("long-lines"):
        lines = _LONG
    elif threesome.endswith("rows-columns"):
        lines = _STRAIGHT
    patterns: list[tuple[int, int]] = []
    for line in lines:
        for chosen in itertools.combinations(range(len(line)), 3):
            is_run = chosen[2] - chosen[0] == 2
            if not is_run and "neighbours" in threesome:
                continue
            on = sum(1 << line[i] for i in chosen)
            around = sum(1 << line[i] for i in range(chosen[0] - 1, chosen[2] + 2) if 0 <= i < len(line))
            patterns.append((on, around if threesome.startswith("exactly") else on))
    return bytes(any(mask & around == on for on, around in patterns) for mask in range(1 << 16))


@dataclass(frozen=True, slots=True)
class Threesome(SingleBoard):
    """A rule set.

    Attributes:
        name: how specs and certificates refer to it.
        threesome: one of ``THREESOMES``.
        eighth_wins: X's threesome on his eighth turn wins; when false it loses, as an earlier one does.
        has_sixteenth: O has an eighth turn, and loses by a threesome there; when false X's eighth turn is the last.
        comeback: ``""``; ``last``: O answers X's eighth turn, and if both have a threesome then, nobody has won;
            ``answer``: every threesome waits for the opponent's next mark, and if that completes one as well,
            nobody has won. In both, a threesome of O's alone on the sixteenth mark wins nothing for anybody.
    """

    spots: ClassVar[int] = 16

    name: str
    threesome: str = "neighbours"
    eighth_wins: bool = True
    has_sixteenth: bool = False
    comeback: str = ""

    def outcome(self, position: Position) -> str | None:
        """Return how the game has ended: ``X``, ``O`` (who won) or ``draw``; None while it goes on."""
        table = has_threesome(self.threesome)
        x, o, ply = bool(table[position.x_mask]), bool(table[position.o_mask]), self.ply(position)
        is_last = ply == (16 if self.has_sixteenth or self.comeback else 15)
        x_wins = "X" if self.eighth_wins and position.x_mask.bit_count() == 8 else "O"
        if x and o:
            return "draw"
        if x:
            awaits = self.comeback == "answer" or (self.comeback == "last" and x_wins == "X")
            return None if awaits and ply % 2 and not is_last else x_wins
        if o:
            if self.comeback and is_last:
                return "draw"
            return None if self.comeback == "answer" and not ply % 2 else "X"
        return "draw" if is_last else None

    def is_over(self, position: Position) -> bool:
        """Say whether the game has ended."""
        return self.outcome(position) is not None

    def format_move(self, move: Move) -> str:
        """Write a move as ``row,column``."""
        return f"{move[0] // 4 + 1},{move[0] % 4 + 1}"

    def parse_move(self, text: str) -> Move:
        """Read ``row,column``.

        Raises:
            NotationError: the text is no spot.
        """
        if len(text) == 3 and text[1] == "," and text[0] in "1234" and text[2] in "1234":
            return (4 * (int(text[0]) - 1) + int(text[2]) - 1,)
        raise NotationError(f"{text[:40]!r} is no move: a move is a row and a column, such as 2,3")

    def format_position(self, position: Position) -> str:
        """Write the four rows as ``.XO``, joined by ``/``."""
        cells = ["X" if position.x_mask >> s & 1 else "O" if position.o_mask >> s & 1 else "." for s in range(16)]
        return "/".join("".join(cells[4 * r : 4 * r + 4]) for r in range(4))

    def parse_position(self, text: str) -> Position:
        """Read four rows.

        Raises:
            NotationError: wrong shape, or marks that do not alternate.
        """
        rows = text.split("/")
        if len(rows) != 4 or any(len(row) != 4 or set(row) - set(".XO") for row in rows):
            raise NotationError(f"{text[:40]!r} is no position: four rows of four of .XO, joined by /")
        cells = "".join(rows)
        if cells.count("X") - cells.count("O") not in (0, 1):
            raise NotationError(f"the marks do not alternate in {text!r}")
        x, o = (sum(1 << s for s, cell in enumerate(cells) if cell == mark) for mark in "XO")
        return Position(x, o)

    @property
    def vocabulary(self) -> dict[str, tuple[int, ...]]:
        """The names that formulas may use, each with the number of values of each of its indices."""
        words = {"X_threesome": (), "O_threesome": (), "X_wins": (), "O_wins": (), "over": ()}
        return {"X": (16,), "O": (16,), "free": (16,), "X_makes": (16,), "O_makes": (16,), **words}

    def compile_atom(self, name: str, args: tuple[int, ...]) -> Callable[[Position, Position], bool]:
        """Return the test that an atom stands for; indices are in range (``formula`` checks them).

        ``X_makes[s]`` says that a mark of X on s, whatever is there, would leave him with a threesome.
        """
        table = has_threesome(self.threesome)
        bit = 1 << args[0] if args else 0
        atoms: dict[str, Callable[[Position, Position], bool]] = {
            "X": lambda p, q: p.x_mask & bit != 0,
            "O": lambda p, q: p.o_mask & bit != 0,
            "free": lambda p, q: not (p.x_mask | p.o_mask) & bit,
            "X_makes": lambda p, q: table[p.x_mask | bit] == 1,
            "O_makes": lambda p, q: table[p.o_mask | bit] == 1,
            "X_threesome": lambda p, q: table[p.x_mask] == 1,
            "O_threesome": lambda p, q: table[p.o_mask] == 1,
            "X_wins": lambda p, q: self.outcome(p) == "X",
            "O_wins": lambda p, q: self.outcome(p) == "O",
            "over": lambda p, q: self.is_over(p),
        }
        if name not in atoms:
            raise SpecError(f"{name!r} is no word of the game {self.name!r}")
        return atoms[name]


def candidates() -> tuple[Threesome, ...]:
    """Return every rule set: what a threesome is, X's eighth turn, O's eighth turn, and the come-back variants."""
    found = [Threesome("threesome4x4")]
    for threesome, eighth_wins, has_sixteenth in itertools.product(THREESOMES, (True, False), (False, True)):
        if (threesome, eighth_wins, has_sixteenth) != ("neighbours", True, False):
            words = [threesome, "eighth-wins" if eighth_wins else "eighth-loses"]
            name = "-".join(["threesome4x4", *words, *(["sixteenth-loses"] if has_sixteenth else [])])
            found.append(Threesome(name, threesome, eighth_wins, has_sixteenth))
    found += [Threesome(f"threesome4x4-comeback-{comeback}", comeback=comeback) for comeback in ("last", "answer")]
    return tuple(found)
