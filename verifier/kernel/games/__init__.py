"""The members of every game (``Game``), and code that families of games share. Each family has its own file."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Set
from typing import Any, Protocol

OTHER = {"X": "O", "O": "X"}

Move = tuple[int, ...]

ValueMap = tuple[tuple[int, int], ...]
CellImage = tuple[int, ValueMap]
"""The cell to which a symmetry takes a cell; and a map of its values, as pairs (value, image). Other values stay."""

MAX_MAPPED_VALUE = 63
"""Maximum value of a cell whose values a symmetry can permute."""


def compose(first: ValueMap, then: ValueMap) -> ValueMap:
    """Return the map that applies ``first`` and then ``then``, without pairs in which a value is its own image."""
    one, two = dict(first), dict(then)
    made = [(n, one.get(n, n)) for n in {*one, *two}]
    return tuple(sorted((n, two.get(image, image)) for n, image in made if two.get(image, image) != n))


@functools.lru_cache(maxsize=1 << 16)
def format_marks(x: int, o: int, size: int) -> str:
    """Write each of ``size`` spots as ``.``, ``X`` or ``O``; ``x`` and ``o`` are masks of marks (bit s for spot s)."""
    return "".join(["X" if x >> s & 1 else "O" if o >> s & 1 else "." for s in range(size)])


def parse_marks(text: str) -> tuple[int, int]:
    """Return the mask of X's marks and the mask of O's marks in a text that ``format_marks`` writes."""
    x, o = (sum(1 << s for s, mark in enumerate(text) if mark == player) for player in "XO")
    return x, o


class RulesData:
    """Base class of games that keep their rules as the JSON object that statements contain."""

    is_square = False
    outcome: Callable[[Any], str | None]

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._text = json.dumps(data, sort_keys=True)

    @property
    def data(self) -> dict[str, Any]:
        """The rules as a statement contains them."""
        found: dict[str, Any] = json.loads(self._text)
        return found

    def is_over(self, position: Any) -> bool:
        """Say whether the game has ended."""
        return self.outcome(position) is not None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RulesData) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.data,)


class MarkedBoard:
    """Base class of games in which players take turns, X first, each move makes one mark, and marks stay."""

    __slots__ = ()
    alternates = True
    number_words: frozenset[str] = frozenset()

    def ply(self, position: Any) -> int:
        """Return the number of marks on the board."""
        marks: int = position.x_mask | position.o_mask
        return marks.bit_count()

    def without_number(self, position: Any) -> Any:
        """Return the position unchanged, because its marks say how many moves were made."""
        return position

    def turn(self, position: Any) -> str:
        """Return ``X`` at even plies and ``O`` at odd ones."""
        return "O" if self.ply(position) % 2 else "X"


class Game(Protocol):
    """The members of every game. Two games are equal if their data are equal.

    Positions are hashable values; moves are tuples of small integers. Computing the outcome of a position takes as much
    work as testing a formula of ``weight`` nodes. Limits count this, because rules are data and can be large.
    ``is_square`` says that the numbers 0 to 8, in words and moves, stand for the places of a 3 by 3 square. Then a
    symmetry of this square, applied to all these numbers, takes plays to plays (``relabel``). Every play is over at
    ``last_ply`` or sooner. If there is no such ply, ``last_ply`` is None, and ``without_number`` sets the number of
    moves in a position to 0 or, if 0 does not fit the player to move, 1. Otherwise it returns the position unchanged.
    ``alternates`` says that after each move it is the other player's turn. ``vocabulary`` has the words that formulas
    use. The words in ``number_words`` stand for integers, the other words for conditions.
    """

    family: str
    is_square: bool
    weight: int
    alternates: bool

    @property
    def data(self) -> dict[str, Any]: ...
    @property
    def start(self) -> Any: ...
    @property
    def last_ply(self) -> int | None: ...
    @property
    def vocabulary(self) -> Mapping[str, tuple[int, ...]]: ...
    @property
    def number_words(self) -> Set[str]: ...
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
