"""Show games of the family ``general``: the board that the rules draw, if any, and the values of other cells.

A *cell* holds a value of the position: a number, or true or false. The rules name the cells in ``state``.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier.kernel.games.general import CellValues, General, GeneralPosition
from verifier.kernel.words import counted
from verifier.presentation.drawn import place_points
from verifier.presentation.family import (
    LETTERS,
    SHAPES,
    Area,
    BoardPlan,
    Look,
    RuleText,
    draw_cell,
    in_words,
    mark_value,
)

if TYPE_CHECKING:
    from verifier.language.rules.drawn import DrawnClause
    from verifier.language.rules.general_clauses import GeneralRules, MoveClause

_SPOT, _MARGIN, _GAP = 30, 18, 24

_MOST_COLUMNS = 12
"""Maximum number of cells in a row of the drawing, for cells with one index."""

_RESULTS = {
    "X": "X has won",
    "O": "O has won",
    "draw": "it is a draw",
    "goes-on": "play goes on",
    "next": "the player who would move now has won",
    "previous": "the player who does not move now has won",
}


@dataclass(frozen=True, slots=True)
class _Row:
    """An entry of the rules' ``state`` that the board does not draw: its name, its cells, and how many fit in a row."""

    name: str
    first: int
    count: int
    columns: int
    is_number: bool

    def find_values(self, position: GeneralPosition) -> tuple[int, ...]:
        return position.values[self.first : self.first + self.count]


@dataclass(frozen=True, slots=True)
class GeneralPresentation:
    """Shows a game of cells, moves and outcomes."""

    game: General
    drawn: DrawnClause | None = None
    players = LETTERS
    how_to_move = "a move as the rules write it"
    table = None

    @property
    def _rows(self) -> list[_Row]:
        """The entries of the state that the board does not draw.

        The clause ``drawn`` of the rules describes the board. If there is none, the clause ``shown`` does.
        """
        if self.drawn is None:
            return self._text_rows
        return self._list_rows(set(self.drawn.marks.values()))

    @property
    def _text_rows(self) -> list[_Row]:
        """The entries that do not matter to any letter of the board in the clause ``shown``."""
        return self._list_rows(_find_shown(self.game))

    def _list_rows(self, drawn: Collection[str]) -> list[_Row]:
        rows = list[_Row]()
        for name, cells in self.game.cells.items():
            count = math.prod(cells.sizes)
            columns = cells.sizes[1] if len(cells.sizes) == 2 else min(count, _MOST_COLUMNS)
            if name not in drawn:
                rows.append(_Row(name, cells.first, count, columns, cells.is_number))
        return rows

    @property
    def _side(self) -> int:
        """The number of columns of the board in the clause ``shown``."""
        return int(self.game.data["shown"]["columns"])

    @property
    def board(self) -> BoardPlan:
        """The board that the rules draw, and below it a grid with the values of each other entry of the state."""
        areas, down, wide = [], _MARGIN, 1
        if self.drawn is not None:
            area = place_points(self.drawn, self._places, _MARGIN, down)
            areas.append(area)
            down += area.size[1] + _GAP
            wide = -(-area.size[0] // _SPOT)
        elif self.game.shown is not None:
            names = tuple(map(str, range(len(self.game.shown[0][1]))))
            areas.append(Area(_MARGIN, down, self._side, names, names))
            down += _SPOT * (len(names) // self._side) + _GAP
            wide = self._side
        for row in self._rows:
            names = tuple(f"{row.name}[{index}]" for index in range(row.columns * -(-row.count // row.columns)))
            areas.append(Area(_MARGIN, down, row.columns, names, ("",) * len(names), heading=row.name))
            down += _SPOT * (len(names) // row.columns) + _GAP
            wide = max(wide, row.columns)
        letters = self._letters
        most = max(cells.most for cells in self.game.cells.values())
        texts = {letter: letter for letter in letters} | {mark_value(value): str(value) for value in range(most + 1)}
        shapes = {mark: f'<text class="spot" x="15" y="19">{text}</text>' for mark, text in texts.items()} | SHAPES
        return BoardPlan(tuple(areas), wide * _SPOT + 2 * _MARGIN, down, shapes=shapes)

    def look(self, position: GeneralPosition) -> Look:
        """Return the letter in each spot of the board, and the values of the other cells.

        A dot means that a spot has no letter, or that a cell is false.
        """
        marks = self._find_letters(position) if self.drawn is None else self._find_drawn(self.drawn, position)
        for row in self._rows:
            values = row.find_values(position)
            marks += "".join(mark_value(value) if value or row.is_number else "." for value in values)
            marks += "." * (-row.count % row.columns)
        return Look(marks)

    def _find_letters(self, position: GeneralPosition) -> str:
        """Return the letter in each spot of the board: the first letter whose condition holds there; else a dot."""
        shown = self.game.shown or []
        spots = range(len(shown[0][1]) if shown else 0)
        return "".join(next((letter for letter, tests in shown if tests[s](position, position)), ".") for s in spots)

    @property
    def _letters(self) -> list[str]:
        return [letter for letter, _ in self.game.shown or ()] if self.drawn is None else [*self.drawn.marks]

    @property
    def _places(self) -> list[str]:
        """The points and lines of the drawn board that can have marks."""
        if self.drawn is None:
            return []
        found = dict[str, None]()
        for entry in self.drawn.marks.values():
            found |= dict.fromkeys(self.drawn.places_of(_count_places(self.game.cells[entry])))
        return [*found]

    def _find_drawn(self, drawn: DrawnClause, position: GeneralPosition) -> str:
        """Return the letter on each point or line of the drawn board: the first letter whose entry marks this place."""
        found = dict[str, str]()
        for letter, entry in drawn.marks.items():
            cells = self.game.cells[entry]
            places = drawn.places_of(_count_places(cells))
            values = position.values[cells.first : cells.first + math.prod(cells.sizes)]
            if cells.is_number and not cells.sizes:
                values = tuple(int(place == values[0] - cells.least) for place in range(len(places)))
            for name, value in zip(places, values, strict=True):
                if value:
                    found.setdefault(name, letter)
        return "".join(found.get(name, ".") for name in self._places)

    def draw_text(
        self,
        position: GeneralPosition,
        last: Iterable[int] | None = None,
        *,
        colour: bool = False,
        numbers: bool = False,
    ) -> str:
        """Draw the board row by row, with the last move's spot in brackets. Other entries of the state are below.

        A board of points and lines is not drawn: a line of text for each letter names the places where the letter is.
        """
        if self.drawn is not None:
            return "\n".join(said.removesuffix(".") for said in self.say_marks(position)) or "no marks"
        marks, lines = self._find_letters(position), []
        text = "" if last is None else self.game.format_move(tuple(last))
        cells = [draw_cell(mark, is_last=text == str(spot), colour=colour) for spot, mark in enumerate(marks)]
        for first in range(0, len(cells), self._side if cells else 1):
            lines.append("".join(cells[first : first + self._side]).rstrip())
        return "\n".join([*lines, *self._say_values(position, self._text_rows)])

    def _say_values(self, position: GeneralPosition, rows: Iterable[_Row]) -> Iterator[str]:
        """Yield the name and the values of each entry that the board does not draw."""
        for row in rows:
            values = row.find_values(position)
            yield f"{row.name}: {' '.join(map(str, values)) if row.is_number else _say_places(values)}"

    def say_turn(self, position: GeneralPosition) -> str:
        """Say how many moves were made, and who is to move or how the game has ended."""
        made, outcome = counted(position.ply, "move"), self.game.outcome(position)
        if outcome is None:
            return f"{made}, {self.game.turn(position)} to move"
        return f"{made}, the game is over, {_RESULTS[outcome]}"

    def say_marks(self, position: GeneralPosition) -> Iterator[str]:
        """Say in which spots each letter is, and the values of the other cells."""
        marks = self.look(position).marks
        names = self.board.areas[0].spots
        for letter in self._letters:
            spots = [name for name, mark in zip(names, marks, strict=False) if mark == letter]
            if spots:
                yield f"{letter} on {', '.join(spots)}."
        for text in self._say_values(position, self._rows):
            yield f"{text}."

    def say_rules(self, file: GeneralRules) -> Iterator[RuleText]:
        """Say what the cells are at the start, what other words mean, what each move does, and how the game ends."""
        for key, cells in file.state.items():
            if key != "turn":
                kind = "true or false" if cells.most is None else f"from {cells.least} to {cells.most}"
                start = "" if cells.start is None else f", at the start {cells.start}"
                yield RuleText(f"{key} is {kind}{start}.", file.place_of(cells))
        if file.lines is not None:
            board = f"on {file.lines.rows} rows of {file.lines.columns} (along {in_words(file.lines.along)})"
            for name in file.lines.of:
                text = f"{name}_line holds if {file.lines.in_a_row} cells of {name} in a row are true, {board}."
                yield RuleText(text, file.place_of(file.lines))
        yield from (RuleText(f"{head} stands for: {said}.", file.source.place) for head, said in file.define.items())
        yield RuleText(f"{self.game.turn(self.game.start)} begins.", file.place_of(file.state.get("turn")))
        for key, move in file.moves.items():
            yield RuleText(_say_move(key, move), file.place_of(move))
        for number, outcome in enumerate(file.outcomes.values()):
            start = "After each move: if" if number == 0 else "Otherwise, if"
            text = f"{start} this holds: {outcome.when}, {_RESULTS[outcome.result]}."
            yield RuleText(text, file.place_of(outcome))
        yield RuleText("Otherwise play goes on; if nobody can move, it is a draw.", file.source.place)

    def read_diagram(self, text: str) -> GeneralPosition:
        """Read a position, written as in specs: these games have no other diagrams."""
        return self.game.parse_position(text.strip())


def _count_places(cells: CellValues) -> int:
    """Return the number of places that an entry of the state describes.

    A single cell whose values are numbers describes a place for each value. Other cells describe one place each.
    """
    is_single = cells.is_number and not cells.sizes
    return cells.most - cells.least + 1 if is_single else math.prod(cells.sizes)


def _say_move(key: str, move: MoveClause) -> str:
    """Say who can make a move, when, and what it changes."""
    family = in_words(f"{name} in {values}" for name, values in move.for_.items())
    when = "" if move.when is True else f", if this holds: {move.when}"
    does = move.do if isinstance(move.do, str) else "; ".join(move.do)
    return f"The move {key} of {move.by or 'either player'}{f', for {family}' if family else ''}{when}: {does}."


def _say_places(values: tuple[int, ...]) -> str:
    """Say at which indices ``values`` are true."""
    if len(values) == 1:
        return "true" if values[0] else "false"
    return " ".join(str(index) for index, value in enumerate(values) if value) or "none"


@functools.lru_cache(maxsize=100)
def _find_shown(game: General) -> frozenset[str]:
    """Return the words in the formulas of the clause ``shown``. They are cached, because ``game.data`` parses text."""
    data, found = game.data, set[str]()
    for _, tests in data["shown"]["marks"] if data["shown"] else ():
        found.update(*(_find_words(test, data["formulas"]) for test in tests))
    return frozenset(found)


def _find_words(node: Any, entries: list[Any]) -> set[str]:
    """Return the words in a formula. The formula can refer to formulas in ``entries`` by their numbers."""
    if not isinstance(node, list):
        return set()
    if node[0] == "use":
        return _find_words(entries[node[1]], entries)
    return {node[0]}.union(*(_find_words(part, entries) for part in node[1:]))
