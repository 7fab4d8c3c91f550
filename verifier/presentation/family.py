"""The protocol with which a family of games shows its games, and the types that the protocol uses.

Besides its file in ``kernel/games``, a family has a file in this folder and a line in ``registry.py``. Code that draws
a game does not ask for its family. Nothing here is trusted: no verdict rests on it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from verifier.kernel.plays import has_ended
from verifier.kernel.statement import Statement

SpotNames = tuple[str, ...]
"""Names of spots and areas."""

SHAPES = {"X": '<path d="M8 8 22 22M22 8 8 22"/>', "O": '<circle cx="15" cy="15" r="8"/>'}
"""SVG of a mark in a spot of 30 by 30, by the letter of the mark."""


SPOT = 30
"""The side of a spot, in units of the drawing. The page scales the drawing."""

IMAGES_ONCE = " (images count once)"
"""The words beside a number of positions if one position stands for all its images under symmetries."""

LETTERS = {"X": "X", "O": "O"}
"""The names of players if a family has no other names for them."""


Point = tuple[int, int]
"""A place in a drawing: how far it is from the left, and from the top."""


@dataclass(frozen=True, slots=True)
class PlacedSpots:
    """The places of spots that are not in rows and columns: on points, or along lines between points.

    Attributes:
        width, height: the size of the area.
        places: the place of each spot; if the spot is a line, the place of the line's name.
        strokes: for each spot, the ends of its line; None if the spot is a point.
        joined: lines that are drawn in every position, each as the points that it runs through.
        points: the points that are not spots.
    """

    width: int
    height: int
    places: tuple[Point, ...]
    strokes: tuple[tuple[Point, Point] | None, ...]
    joined: tuple[tuple[Point, ...], ...]
    points: tuple[Point, ...]

    def places_of_points(self) -> list[Point]:
        """Return the places of the spots that are points."""
        return [place for place, stroke in zip(self.places, self.strokes, strict=True) if stroke is None]


@dataclass(frozen=True, slots=True)
class Area:
    """Spots in a rectangle, row by row, or on points and lines.

    Attributes:
        x, y: its upper left corner; a spot is 30 by 30.
        columns: the number of spots in a row.
        spots: the name of each spot; in the families ``positional`` and ``nested``, the move that marks it.
        labels: the text in each spot while it is free.
        name: the name of the area; empty if no area of this board can be owned or active.
        heading: the text above the area.
        layout: the places of the spots if they are on points and lines; otherwise None.
    """

    x: int
    y: int
    columns: int
    spots: SpotNames
    labels: SpotNames
    name: str = ""
    heading: str = ""
    layout: PlacedSpots | None = None

    @property
    def size(self) -> Point:
        """The width and the height, in units of the drawing."""
        if self.layout is not None:
            return self.layout.width, self.layout.height
        return self.columns * SPOT, len(self.spots) // self.columns * SPOT

    def place(self, number: int) -> Point:
        """Return the middle of a spot, measured from the area's upper left corner."""
        if self.layout is not None:
            return self.layout.places[number]
        row, column = divmod(number, self.columns)
        return column * SPOT + SPOT // 2, row * SPOT + SPOT // 2


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """An empty board.

    Attributes:
        areas: the areas of the board. The numbers of spots continue from each area to the next.
        width, height: the size of the drawing.
        edge: texts beside the board, each as ``(x, y, text)``.
        heavy: the SVG path of heavy lines between the areas, for a page that draws the board large.
        shapes: SVG of the marks, by letter.
    """

    areas: tuple[Area, ...]
    width: int
    height: int
    edge: tuple[tuple[int, int, str], ...] = ()
    heavy: str = ""
    shapes: Mapping[str, str] = field(default_factory=lambda: SHAPES)


@dataclass(frozen=True, slots=True)
class Look:
    """The contents of a board in a position.

    Attributes:
        marks: a character for each spot. It is a dot if the spot is free, otherwise a letter, or the character that
            stands for the value of a cell (``mark_value``).
        owners: the owner of each area, a letter or a dot; empty if areas cannot be owned.
        active: the names of the areas in which the player to move may play.
        lines: at the end of a game, the complete lines to show, each as the names of its spots or areas.
        aligned: the names of other spots that are highlighted together with these lines.
    """

    marks: str
    owners: str = ""
    active: SpotNames = ()
    lines: tuple[SpotNames, ...] = ()
    aligned: SpotNames = ()


_FIRST_PRIVATE = 0xE000
"""The first character of Unicode's area for private use."""


def mark_value(value: int) -> str:
    """Return the character that stands for the value of a cell: its digit or, above 9, a character for private use."""
    return str(value) if value < 10 else chr(_FIRST_PRIVATE + value)


def write_mark(mark: str) -> str:
    """Return the text to print for a character of ``Look.marks``: the digits of a value above 9, or the character."""
    return str(ord(mark) - _FIRST_PRIVATE) if unicodedata.category(mark) == "Co" else mark


class RuleText(NamedTuple):
    """A clause of rules in words, and its place in the document."""

    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Group:
    """Spots in which the next mark may be placed: a phrase that says where they are, and their numbers."""

    where: str
    spots: list[int]


@dataclass(frozen=True, slots=True)
class Table:
    """The rules of a game as a table, with which a browser can play.

    A *place* is a spot, an area that can be owned, or the game itself. Places are numbered in this order: spots, areas,
    the game. A state of play says who *holds* each place. A player who marks a spot holds it. Each set of places has a
    *target*, which is also a place. The sets are applied in order: if a player holds all places of a set, and nobody
    holds its target, he holds the target too. A player who holds the game has won or lost it. Until then, the last mark
    sends the next player to a group: he marks a free spot of this group. If the group has no free spot, he marks a free
    spot of the last group in ``groups``.

    Attributes:
        spots: the name of each spot for people who do not see the board.
        sets: each set, as its target followed by its places.
        groups: the groups of spots in which the next mark may be placed.
        sends: for each spot, the number of the group to which a mark on the spot sends the next player.
        in_line: a phrase that says how a player came to hold the game. Two dots in it stand for the places of the set.
        loses: True if the player who holds the game has lost it.
    """

    spots: Sequence[str]
    sets: Sequence[Sequence[int]]
    groups: Sequence[Group]
    sends: Sequence[int]
    in_line: str
    loses: bool = False


class Presentation(Protocol):
    """Shows one game. Each family of games has a class with these members."""

    @property
    def game(self) -> Any:
        """The game."""

    @property
    def board(self) -> BoardPlan:
        """The board, for drawings in files and in the browser."""

    @property
    def players(self) -> Mapping[str, str]:
        """The names of the players, by their marks."""

    @property
    def how_to_move(self) -> str:
        """A phrase that says what a person types as a move, such as ``a field and a spot``."""

    @property
    def table(self) -> Table | None:
        """The rules as a table, for playing in a browser; None if this game cannot be played there."""

    def look(self, position: Any, /) -> Look:
        """Return the contents of the board in a position."""

    def draw_text(
        self, position: Any, last: Iterable[int] | None = None, *, colour: bool = False, numbers: bool = False
    ) -> str:
        """Return a position as lines of text, with the last move in brackets.

        With ``colour``, use a terminal's colours. With ``numbers``, print the numbers of the fields of a nested game.
        """

    def say_turn(self, position: Any, /) -> str:
        """Say how many marks there are, and who is to move and where, or how the game has ended."""

    def say_marks(self, position: Any, /) -> Iterator[str]:
        """Say what is on the board, sentence by sentence, for people who do not see the board."""

    def say_rules(self, file: Any, /) -> Iterator[RuleText]:
        """Say the rules of a file, clause by clause, with formulas in words."""

    def read_diagram(self, text: str, /) -> Any:
        """Return the position of a diagram, which has rows of marks. Perhaps no play leads to this position."""


def in_words(names: Iterable[str], before_last: str = "and") -> str:
    """Return names as a phrase, such as ``1, 2 and 3``."""
    *most, last = [*names] or [""]
    return f" {before_last} ".join(filter(None, [", ".join(most), last]))


def in_pair(move: str) -> str:
    """Write a move as papers do: (4, 0) for spot 0 of field 4, (1, 2) for the second spot of the first row."""
    return re.sub(r"^(\d+)[.,](\d+)$", r"(\1, \2)", move)


def say_lines(lines: Iterable[SpotNames], between: str = ", ") -> str:
    """Return the places of each line, such as ``0, 1, 2 and also 2, 5, 8``."""
    return " and also ".join(between.join(line) for line in lines)


def describe_end(statement: Statement, position: Any) -> str | None:
    """Return how a play ends in a position: ``X wins``, ``O wins``, ``draw`` or ``horizon``. None if play goes on.

    ``horizon``: the game goes on, but the statement says nothing about what follows. If a win does not end the game,
    both players may have won: ``X wins and O wins``.
    """
    game = statement.game
    if not has_ended(statement, position):
        return None
    won = [player for player in "XO" if game.compile_atom(f"{player}_wins", ())(position, position)]
    return "horizon" if not game.is_over(position) else " and ".join(f"{player} wins" for player in won) or "draw"


def say_spots(marks: str, names: Iterable[str], start: str = "") -> Iterator[str]:
    """Yield a sentence that names the spots with marks of X and of O; yield nothing if no spot has a mark."""
    pairs = [*zip(marks, names, strict=True)]
    found = [(player, [name for mark, name in pairs if mark == player]) for player in "XO"]
    text = "; ".join(f"{player} on {', '.join(spots)}" for player, spots in found if spots)
    if text:
        yield f"{start}{text}."


_COLOURS = {"X": "36", "O": "35"}


def draw_cell(mark: str, *, is_last: bool, owner: str = "", colour: bool) -> str:
    """Return a spot as text of three characters. In colours, the last move is bold and an owned field is inverted."""
    text = f"[{mark}]" if is_last else f" {mark} "
    # In an owned field every spot has the owner's colour. The letters show which player made the marks.
    codes = ["1"] if is_last else []
    codes += ["7", _COLOURS[owner]] if owner else [_COLOURS[mark]] if mark in _COLOURS else []
    return f"\033[{';'.join(codes)}m{text}\033[0m" if colour and codes else text
