"""The family ``heaps``, as ``verifier/kernel/games/heaps.py`` would have it: Nim; who takes the last stone wins.

The rules are these data: ``{"family": "heaps", "heaps": [COUNT, ...]}``. The move ``h.n`` leaves n stones in heap h,
fewer than before. A position is the number of stones in each heap, and the number of moves that were made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from verifier.kernel.errors import IllegalMoveError, NotationError, SpecError
from verifier.language.rules.numbers import GameNumbers

Move = tuple[int, int]
MAX_HEAPS, MAX_STONES = 9, 9


class Position(NamedTuple):
    """The stones of each heap, and the number of moves that were made."""

    stones: tuple[int, ...]
    ply: int


def find_numbers(game: "Heaps") -> GameNumbers:
    """Return how many values the numbers of a move have: heaps, and heights. ``HEAPS`` has the numbers of the heaps."""
    return GameNumbers((len(game.heaps), MAX_STONES), {"HEAPS": range(len(game.heaps))})


@dataclass(frozen=True, slots=True)
class Heaps:
    """A rule set: the number of stones in each heap at the start."""

    heaps: tuple[int, ...]
    family = "heaps"
    is_square = False
    alternates = True
    number_words: ClassVar[frozenset[str]] = frozenset()
    weight = 2

    @property
    def data(self) -> dict[str, Any]:
        """The rules, as a statement has them."""
        return {"family": self.family, "heaps": [*self.heaps]}

    @property
    def last_ply(self) -> int:
        """Return the number of stones: each move takes at least one."""
        return sum(self.heaps)

    @property
    def start(self) -> Position:
        """The position with all stones."""
        return Position(self.heaps, 0)

    def ply(self, position: Position) -> int:
        """Return the number of moves that were made."""
        return position.ply

    def without_number(self, position: Position) -> Position:
        """Return the position itself: no play comes back to it."""
        return position

    def turn(self, position: Position) -> str:
        """Return ``X`` at even plies and ``O`` at odd ones."""
        return "XO"[position.ply % 2]

    def is_over(self, position: Position) -> bool:
        """Return whether no stone is left."""
        return not any(position.stones)

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Return every way to leave fewer stones in a heap."""
        return tuple((heap, left) for heap, stones in enumerate(position.stones) for left in range(stones))

    def play(self, position: Position, move: Move) -> Position:
        """Return the position after a move, or raise with reason ``off-board`` or ``not-allowed``."""
        heap, left = move
        if not 0 <= heap < len(self.heaps):
            raise IllegalMoveError("off-board", f"{heap}.{left}: there is no heap {heap}")
        if not 0 <= left < position.stones[heap]:
            raise IllegalMoveError("not-allowed", f"{heap}.{left}: heap {heap} has {position.stones[heap]} stones")
        return Position((*position.stones[:heap], left, *position.stones[heap + 1 :]), position.ply + 1)

    def format_move(self, move: Move) -> str:
        """Write a move as ``h.n``."""
        return f"{move[0]}.{move[1]}"

    def parse_move(self, text: str) -> Move:
        """Read ``h.n``."""
        if len(text) == 3 and text[1] == "." and text[0] in "012345678" and text[2] in "012345678":
            return int(text[0]), int(text[2])
        raise NotationError(f"{text[:40]!r} is not a move: a heap and how many stones it is left with, such as 1.0")

    def format_position(self, position: Position) -> str:
        """Write the heaps, and the number of moves."""
        return f"{'.'.join(map(str, position.stones))} {position.ply}"

    def parse_position(self, text: str) -> Position:
        """Read a position as ``format_position`` writes it. Some play has to lead to it."""
        heaps, _, ply = text[:80].partition(" ")
        if all(part.isascii() and part.isdigit() for part in (*heaps.split("."), ply)):
            position = Position(tuple(map(int, heaps.split("."))), int(ply))
            if self.format_position(position) == text and len(position.stones) == len(self.heaps):
                fault = self.find_fault(position)
                if not fault:
                    return position
                raise NotationError(f"no play leads to {text!r}: {fault}")
        raise NotationError(f"{text[:80]!r} is not a position: heaps joined by dots, and how many moves were made")

    def find_fault(self, position: Position) -> str:
        """Return why no play leads to a position: a heap grew, or the number of moves does not fit the stones."""
        gone = [before - after for before, after in zip(self.heaps, position.stones, strict=True)]
        if min(gone) < 0:
            return "a heap has more stones than at the start"
        if not sum(map(bool, gone)) <= position.ply <= sum(gone):
            return f"{position.ply} moves do not take these stones"
        return ""

    @property
    def vocabulary(self) -> Mapping[str, tuple[int, ...]]:
        """``stones[h, n]``: heap h has n stones."""
        return {"stones": (len(self.heaps), MAX_STONES + 1), "X_wins": (), "O_wins": (), "over": ()}

    def compile_atom(self, name: str, args: tuple[int, ...]) -> Callable[[Position, Position], bool]:
        """Return the test for a word."""
        if name == "stones":
            return lambda p, q: p.stones[args[0]] == args[1]
        if name == "over":
            return lambda p, q: self.is_over(p)
        return lambda p, q: self.is_over(p) and self.turn(p) != name[0]


def parse_heaps(data: Mapping[str, Any]) -> Heaps:
    """Read the data that the module describes."""
    heaps = data.get("heaps")
    if set(data) != {"family", "heaps"} or not isinstance(heaps, list) or not 0 < len(heaps) <= MAX_HEAPS:
        raise SpecError(f"rules of heaps have 'heaps', a list of 1 to {MAX_HEAPS} numbers")
    if not all(type(stones) is int and 0 < stones <= MAX_STONES for stones in heaps):
        raise SpecError(f"a heap has 1 to {MAX_STONES} stones: {heaps}")
    return Heaps(tuple(heaps))
