"""The protocol that a family of games implements to show its games, and the values that it uses.

A family is a file here, besides its file in ``kernel/games``, and a line in ``registry.py``. Code that draws a game
does not ask which family it belongs to. Nothing here is trusted: no verdict rests on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from verifier.kernel.plays import has_ended
from verifier.kernel.statement import Statement

SpotNames = tuple[str, ...]
"""Names of spots and areas."""

SHAPES = {"X": '<path d="M8 8 22 22M22 8 8 22"/>', "O": '<circle cx="15" cy="15" r="8"/>'}
"""What is drawn in a spot of 30 by 30, by the letter of its mark."""


LETTERS = {"X": "X", "O": "O"}
"""The names of players who have no others."""


@dataclass(frozen=True, slots=True)
class Area:
    """A grid of spots that stand side by side, row by row.

    Attributes:
        x, y: its upper left corner; a spot is 30 by 30.
        columns: how many spots a row has.
        spots: the name of each spot, which is the move that marks it.
        labels: the text in each spot while it is free.
        name: the name of an area that can be won or active; empty: areas of this board cannot.
        heading: the text above the area.
    """

    x: int
    y: int
    columns: int
    spots: SpotNames
    labels: SpotNames
    name: str = ""
    heading: str = ""


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A board with nothing on it.

    Attributes:
        areas: the areas of the board; spots are numbered through all areas.
        width, height: the size of the drawing.
        edge: texts beside the board, each with its place.
        heavy: the path of lines between the areas, for a page that draws the board large.
        shapes: what is drawn in a spot, by the letter of its mark.
    """

    areas: tuple[Area, ...]
    width: int
    height: int
    edge: tuple[tuple[int, int, str], ...] = ()
    heavy: str = ""
    shapes: Mapping[str, str] = field(default_factory=lambda: SHAPES)


@dataclass(frozen=True, slots=True)
class Look:
    """What a position shows on its board.

    Attributes:
        marks: a letter for each spot; a dot if it is free.
        owners: the owner of each area, a letter or a dot; empty if areas cannot be owned.
        active: the names of the areas in which the player to move may play.
        lines: at the end of a game, the lines that count, each as the names of its spots or areas.
        aligned: the names of other spots that are highlighted with these lines.
    """

    marks: str
    owners: str = ""
    active: SpotNames = ()
    lines: tuple[SpotNames, ...] = ()
    aligned: SpotNames = ()


class RuleText(NamedTuple):
    """A clause of rules in words, and where the document has it."""

    text: str
    place: str


@dataclass(frozen=True, slots=True)
class Group:
    """Spots among which the next mark has to be: a phrase for where they are, and their numbers."""

    where: str
    spots: list[int]


@dataclass(frozen=True, slots=True)
class Table:
    """How a mark changes a state of play: a letter for each place. Places are spots, areas, and last the game itself.

    A mark takes the place of its spot. Then each set takes effect, in order: a player who holds all its places takes
    the place that the set is for, if nobody holds it. A player who holds the game has won it, or has lost it. Until
    then, the next mark goes to a free spot of the group that the last mark sends to, or else of the last group.

    Attributes:
        spots: the name of each spot for people who do not see the board.
        sets: for each set, the place that it is for, and then its own places.
        groups: where the next mark may be.
        sends: for each spot, the number of the group that a mark on it sends to.
        in_line: how the player who holds the game got it, as a phrase; two dots stand for the places of the set.
        loses: whether the player who holds the game has lost it.
    """

    spots: Sequence[str]
    sets: Sequence[Sequence[int]]
    groups: Sequence[Group]
    sends: Sequence[int]
    in_line: str
    loses: bool = False


class Presentation(Protocol):
    """Shows one game. Each family of games has its own class."""

    @property
    def game(self) -> Any:
        """The game."""

    @property
    def board(self) -> BoardPlan:
        """The board, for drawings in files and in the browser."""

    @property
    def players(self) -> Mapping[str, str]:
        """What the players are called, by their marks."""

    @property
    def how_to_move(self) -> str:
        """What a person types for a move: ``a field and a spot``."""

    @property
    def table(self) -> Table | None:
        """What lets a reader play on in the browser, which knows no rules; None: this game cannot be played there."""

    def look(self, position: Any, /) -> Look:
        """Return what a position shows on the board."""

    def draw_text(
        self, position: Any, last: Iterable[int] | None = None, *, colour: bool = False, numbers: bool = False
    ) -> str:
        """Return a position as lines of text: the last move in brackets, on request in colours or with numbers."""

    def say_turn(self, position: Any, /) -> str:
        """Say how far the game is, and who is to move where, or how it has ended."""

    def say_marks(self, position: Any, /) -> Iterator[str]:
        """Say what is on the board, sentence by sentence, for people who do not see it."""

    def say_rules(self, file: Any, /) -> Iterator[RuleText]:
        """Say the rules of a file clause by clause, formulas in words."""

    def read_diagram(self, text: str, /) -> Any:
        """Return the position that a diagram of rows of marks shows. Perhaps no play leads to it."""


def in_words(names: Iterable[str], before_last: str = "and") -> str:
    """Return a list as a phrase: ``1, 2 and 3``."""
    *most, last = [*names] or [""]
    return f" {before_last} ".join(filter(None, [", ".join(most), last]))


def describe_end(statement: Statement, position: Any) -> str | None:
    """Return how a play ends in a position: ``X wins``, ``O wins``, ``draw``, ``horizon``; or None.

    If a win does not end the game, both players may have won.
    """
    game = statement.game
    if not has_ended(statement, position):
        return None
    won = [player for player in "XO" if game.compile_atom(f"{player}_wins", ())(position, position)]
    return "horizon" if not game.is_over(position) else " and ".join(f"{player} wins" for player in won) or "draw"


def say_spots(marks: str, names: Iterable[str], start: str = "") -> Iterator[str]:
    """Say in one sentence which of some spots hold a mark of X or O; yield nothing if no spot does."""
    pairs = [*zip(marks, names, strict=True)]
    found = [(player, [name for mark, name in pairs if mark == player]) for player in "XO"]
    text = "; ".join(f"{player} on {', '.join(spots)}" for player, spots in found if spots)
    if text:
        yield f"{start}{text}."


_COLOURS = {"X": "36", "O": "35"}


def draw_cell(mark: str, *, is_last: bool, owner: str = "", colour: bool) -> str:
    """Draw a spot as text, three characters wide; in colours, the last move is bold and an owned field is inverted."""
    text = f"[{mark}]" if is_last else f" {mark} "
    # In a won field every spot has the owner's colour: the brackets and the letter still tell the marks apart.
    codes = ["1"] if is_last else []
    codes += ["7", _COLOURS[owner]] if owner else [_COLOURS[mark]] if mark in _COLOURS else []
    return f"\033[{';'.join(codes)}m{text}\033[0m" if colour and codes else text
