"""The families of games that the kernel knows, each in its own file. Statements carry the rules of a game as data."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Set
from typing import Any, ClassVar, Protocol

OTHER = {"X": "O", "O": "X"}

Move = tuple[int, ...]


@functools.lru_cache(maxsize=1 << 16)
def format_marks(x: int, o: int, size: int) -> str:
    """Write ``size`` spots as ``.XO``; ``x`` and ``o`` are the masks of the players' marks."""
    return "".join(["X" if x >> s & 1 else "O" if o >> s & 1 else "." for s in range(size)])


def parse_marks(text: str) -> tuple[int, int]:
    """Return the masks of X and O in a text."""
    x, o = (sum(1 << s for s, mark in enumerate(text) if mark == player) for player in "XO")
    return x, o


class RulesData:
    """The members of games that hold their rules as data, as statements carry them."""

    is_square = False
    players: ClassVar[dict[str, str]] = {"X": "X", "O": "O"}
    pointer = ""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._text = json.dumps(data, sort_keys=True)

    @property
    def data(self) -> dict[str, Any]:
        """The rules as a statement carries them."""
        found: dict[str, Any] = json.loads(self._text)
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RulesData) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.data,)


class MarkedBoard:
    """The members of games in which the players take turns to make one mark, X first, and marks stay."""

    __slots__ = ()
    alternates = True
    number_words: frozenset[str] = frozenset()

    def ply(self, position: Any) -> int:
        """Return the number of marks on the board."""
        marks: int = position.x_mask | position.o_mask
        return marks.bit_count()

    def without_number(self, position: Any) -> Any:
        """Return the position: its marks say how many moves were made."""
        return position

    def turn(self, position: Any) -> str:
        """Return ``X`` at even plies and ``O`` at odd ones."""
        return "O" if self.ply(position) % 2 else "X"


class Game(Protocol):
    """The members of every game. Two games are equal if their data are equal.

    Positions are hashable values; moves are tuples of small integers. ``weight`` is the work of computing the outcome
    of a position, in nodes of a formula. Limits count it, because rules are data and may be large. ``is_square`` says
    that words and moves use numbers 0 to 8 for the places on squares of nine, and that each symmetry of the square,
    applied to all these numbers, takes plays to plays (``relabel``). Every play is over at ``last_ply`` or sooner; None
    if there is no such ply. Then ``without_number`` returns the same position for all positions that differ only in the
    number of moves, with the least number that such a position can have. Otherwise it returns the position.
    ``alternates`` says that after each move it is the other player's turn. ``number_words`` are the words of the
    vocabulary that stand for integers; the others are conditions.

    The kernel itself does not use ``move_sizes``, ``constants`` or ``pointer``. ``move_sizes`` has the number of values
    of each integer of a move. ``constants`` are numbers, and ranges of numbers, that expressions may use by name.
    ``pointer`` is a word that is true of exactly one index in each position; an expression may use the word for that
    index. ``pointer`` is empty if there is no such word.
    """

    family: str
    is_square: bool
    weight: int
    alternates: bool

    @property
    def data(self) -> dict[str, Any]: ...
    @property
    def players(self) -> Mapping[str, str]: ...
    @property
    def start(self) -> Any: ...
    @property
    def last_ply(self) -> int | None: ...
    @property
    def vocabulary(self) -> Mapping[str, tuple[int, ...]]: ...
    @property
    def number_words(self) -> Set[str]: ...
    @property
    def move_sizes(self) -> tuple[int, ...]: ...
    @property
    def constants(self) -> Mapping[str, int | range]: ...
    @property
    def pointer(self) -> str: ...
    def ply(self, position: Any, /) -> int: ...
    def without_number(self, position: Any, /) -> Any: ...
    def turn(self, position: Any, /) -> str: ...
    def is_over(self, position: Any, /) -> bool: ...
    def legal_moves(self, position: Any, /) -> tuple[Move, ...]: ...
    def play(self, position: Any, move: Any, /) -> Any: ...
    def format_move(self, move: Any, /) -> str: ...
    def parse_move(self, text: str, /) -> Move: ...
    def format_position(self, position: Any, /) -> str: ...
    def parse_position(self, text: str, /) -> Any: ...
    def compile_atom(self, name: str, args: tuple[int, ...], /) -> Callable[[Any, Any], int]: ...
