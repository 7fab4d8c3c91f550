"""Show games on one board: a rectangle of spots, and the sets of spots that are lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from verifier.kernel.games.lines import LineSpots
from verifier.kernel.games.positional import BoardPosition, PositionalGame
from verifier.kernel.words import counted
from verifier.presentation.drawn import place_points
from verifier.presentation.family import (
    LETTERS,
    SHAPES,
    Area,
    BoardPlan,
    Group,
    Look,
    RuleText,
    SpotNames,
    Table,
    draw_cell,
    in_words,
    say_lines,
    say_spots,
)

if TYPE_CHECKING:
    from verifier.language.rules.drawn import DrawnClause
    from verifier.language.rules.positional import LinesClause, LineSets, PositionalRules

_SPOT, _MARGIN = 30, 18

_SHARED = {"X": '<circle class="stone" cx="15" cy="15" r="8"/>'}
"""The shape of a mark that belongs to both players: it is neither a cross nor a ring."""

MAX_SETS = 100
"""Maximum number of lines that are listed when the rules are put into words."""

_RESULTS = {"X": "X has won", "O": "O has won", "draw": "it is a draw", "goes-on": "play goes on"}


@dataclass(frozen=True, slots=True)
class PositionalPresentation:
    """Shows a game on one board."""

    game: PositionalGame
    drawn: DrawnClause | None = None
    players = LETTERS

    @property
    def board(self) -> BoardPlan:
        """The board. If a move is a row and a column, their numbers are at the edges, and the spots have no labels."""
        game, names = self.game, self._names
        if self.drawn is not None:
            area = place_points(self.drawn, self.drawn.places, _MARGIN, _MARGIN)
            area = replace(area, spots=names)
            return BoardPlan((area,), area.size[0] + 2 * _MARGIN, area.size[1] + 2 * _MARGIN)
        middle, edge = _MARGIN + _SPOT // 2, list[tuple[int, int, str]]()
        if self._by_rows:
            edge = [(middle + _SPOT * i, 14, str(i + 1)) for i in range(game.columns)]
            edge += [(10, middle + _SPOT * i + 4, str(i + 1)) for i in range(game.rows)]
        area = Area(_MARGIN, _MARGIN, game.columns, names, ("",) * len(names) if self._by_rows else names)
        width, height = (count * _SPOT + 2 * _MARGIN for count in (game.columns, game.rows))
        return BoardPlan((area,), width, height, tuple(edge), shapes=_SHARED if game.is_shared else SHAPES)

    @property
    def _by_rows(self) -> bool:
        return "," in self._names[0]

    @property
    def _names(self) -> SpotNames:
        return tuple(self.game.format_move((spot,)) for spot in range(self.game.cells))

    @property
    def how_to_move(self) -> str:
        """``a row and a column`` or ``a spot``, depending on how moves are written."""
        return "a row and a column" if self._by_rows else "a spot"

    @property
    def table(self) -> Table | None:
        """The rules as a table; None if a table cannot express them.

        A table can express them only if any free spot may be marked, and the player who gets the first line always
        wins, or always loses.
        """
        game, cells = self.game, self.game.cells
        lines = game.lines["X"]
        is_plain = game.is_alike and not game.is_shared and game.formulas is None and not any(o for _, o in lines)
        loses = (game.outcome_at(cells - 1, True, False) or "") == "O"
        ends = {(True, False): "XO"[loses], (False, True): "OX"[loses], (False, False): ""}
        cases = ((ply, has, end or "draw" * (ply == cells)) for ply in range(cells + 1) for has, end in ends.items())
        if not is_plain or any((game.outcome_at(ply, *has) or "") != end for ply, has, end in cases):
            return None
        return Table(
            spots=[f"spot {name}" for name in self._names],
            sets=[(cells, *held) for held, _ in lines],
            groups=[Group("any free spot", list(range(cells)))],
            sends=[0] * cells,
            in_line="has the spots .. in line",
            loses=loses,
        )

    def look(self, position: BoardPosition) -> Look:
        """Return the marks. At the end of a game, also return all complete lines of both players."""
        marks = self.game.format_position(position).replace("/", "")
        if not self.game.is_over(position):
            return Look(marks)
        lines = [
            held
            for player, mask in zip("XO", position, strict=True)
            for held, others in self.game.lines[player]
            if all(mask >> s & 1 for s in held) and not any(mask >> s & 1 for s in others)
        ]
        return Look(marks, lines=tuple(tuple(self._names[s] for s in line) for line in lines))

    def draw_text(
        self, position: BoardPosition, last: Iterable[int] | None = None, *, colour: bool = False, numbers: bool = False
    ) -> str:
        """Return the board row by row. ``numbers`` has no effect: the spots have no numbers."""
        marks, at, side = self.look(position).marks, tuple(last or ()), self.game.columns
        drawn = [draw_cell(mark, is_last=at == (spot,), colour=colour) for spot, mark in enumerate(marks)]
        return "\n".join("".join(drawn[row : row + side]).rstrip() for row in range(0, len(marks), side))

    def say_turn(self, position: BoardPosition) -> str:
        """Say who is to move.

        At the end, say which spots are in line. If this does not show who has won, also say who has won.
        """
        marks, winner = counted(self.game.ply(position), "mark"), self.game.outcome(position)
        if winner is None:
            return f"{marks}, {self.game.turn(position)} to move"
        look, found = self.look(position), dict[str, str]()
        at = dict(zip(self._names, look.marks, strict=True))
        for player in "XO":
            held = [line for line in look.lines if at[line[0]] == player]
            spots = say_lines(held, " " if self._by_rows else ", ")
            if spots:
                whose = f"the spots {spots} are in line"
                found[player] = whose if self.game.is_shared else f"{player} has the spots {spots} in line"
        is_said = winner not in ("X", "O") or (not self.game.is_shared and list(found) == [winner])
        won = "" if is_said else f", {winner} has won"
        return f"{marks}, the game is over{won}" + (f": {'; '.join(found.values())}" if found else "")

    def say_marks(self, position: BoardPosition) -> Iterator[str]:
        """Say which marks are on which spots."""
        marks = self.look(position).marks
        if not self.game.is_shared:
            return say_spots(marks, self._names)
        spots = [name for mark, name in zip(marks, self._names, strict=True) if mark != "."]
        return iter([f"Marks on {', '.join(spots)}."] if spots else [])

    def read_diagram(self, text: str) -> BoardPosition:
        """Read rows of marks."""
        cells = "".join(text.split())
        return BoardPosition(*(sum(1 << s for s, cell in enumerate(cells) if cell == mark) for mark in "XO"))

    def say_rules(self, file: PositionalRules) -> Iterator[RuleText]:
        """Say the clauses of a file about the board, marks, lines and the end of the game."""
        data, rows, columns = self.game.data, self.game.rows, self.game.columns
        numbers = f"numbered 0 to {rows * columns - 1} row by row"
        if self._by_rows:
            numbers = f"r,c is the spot in row r and column c, from 1,1 to {rows},{columns}"
        text = f"{counted(rows * columns, 'spot')} in {counted(rows, 'row')} of {columns}; {numbers}."
        yield RuleText(text, file.place_of(file.board))
        shared = " A mark belongs to both players." if self.game.is_shared else ""
        yield RuleText(f"X and O mark a free spot in turn; X begins.{shared}", file.place_of(file.marks))
        if file.legal is not None and data["legal"] is not None:
            text = f"A free spot s may be marked if this holds: {file.legal.when}."
            yield RuleText(text, file.place_of(file.legal))
        for text in self._say_lines(file.lines) if file.lines is not None else ():
            yield RuleText(text, file.place_of(file.lines))
        for number, (outcome, clause) in enumerate(zip(file.outcomes.values(), data["outcomes"], strict=True)):
            start = "After each move: if" if number == 0 else "Otherwise, if"
            try:
                condition = _words(clause[0])
            except LookupError:
                condition = f"this holds: {outcome.when}"
            yield RuleText(f"{start} {condition}, {_RESULTS[clause[1]]}.", file.place_of(outcome))
        yield RuleText("Otherwise play goes on; if nobody can move, it is a draw.", file.source.place)

    def _say_lines(self, lines: LinesClause) -> Iterator[str]:
        """Say which sets of spots are lines, in one sentence or, if the players have different lines, in two."""
        if lines.of_x is not None and lines.of_o is not None:
            for player, part in (("X", lines.of_x), ("O", lines.of_o)):
                text = self._line_words(part, self.game.lines[player])
                yield f"A line of {player}'s is {text}, with marks of {player}."
            return
        owner = "of either player" if self.game.is_shared else "of one player"
        yield f"A line is {self._line_words(lines, self.game.lines['X'])}, with marks {owner}."

    def _line_words(self, lines: LineSets, sets: Sequence[LineSpots]) -> str:
        """Return words for the sets of spots that are lines: the rule that makes them, or a list of the sets."""
        if lines.in_a_row is None:
            number = f"one of {counted(len(sets), 'set')} of spots"
            if lines.shapes:
                shapes = " and ".join(" ".join(shape) for shape in lines.shapes)
                return f"{number}, the placements of {shapes} (row.column, from 0), turned and mirrored"
            names = self._names
            words = [[" ".join(names[s] for s in spots) for spots in line] for line in sets[:MAX_SETS]]
            told = "; ".join(f"{held} without {others}" if others else held for held, others in words)
            return f"{number}: {told}{f'; and {len(sets) - MAX_SETS} more' if len(sets) > MAX_SETS else ''}"
        where = in_words([_ALONG[name] for name in _ALONG if name in lines.along], "or")
        if lines.spots == "any":
            return f"any {lines.in_a_row} spots of {where}"
        text = f"{lines.in_a_row} neighbouring spots of {where}"
        return f"exactly {text} (not more)" if lines.spots == "exactly" else text


_ALONG = {"rows": "a row", "columns": "a column", "diagonals": "a diagonal"}


def _within(formula: Any) -> str:
    """Put a part of a condition into words, in parentheses if it has parts of its own."""
    text = _words(formula)
    return f"({text})" if isinstance(formula, list) and formula[0] in ("and", "or", "not") else text


def _words(formula: Any) -> str:
    """Put the condition of a clause into words.

    Raises:
        LookupError: there are no words for the condition.
    """
    match formula:
        case True:
            return "no earlier rule applies"
        case ["and" | "or" as word, *parts]:
            return f" {word} ".join(map(_within, parts))
        case ["not", part]:
            return f"it is not true that {_within(part)}"
        case ["X_line" | "O_line" as word]:
            return f"{word[0]} has a line"
        case ["line"]:
            return "there is a line"
        case ["stuck"]:
            return "the player to move has no legal move"
        case ["X_turn" | "O_turn" as word]:
            return f"it is {word[0]}'s turn"
        case ["==", ["ply"], int(count)]:
            return f"there {'is' if count == 1 else 'are'} {counted(count, 'mark')}"
        case [">=", ["ply"], int(count)]:
            return f"there are {counted(count, 'mark')} or more"
    raise LookupError(formula)
