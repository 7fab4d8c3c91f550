"""Show games on nine fields of nine spots. Fields and spots are numbered as in the paper (figure 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from verifier.describing import PLAYER_NAMES
from verifier.kernel.games import format_marks
from verifier.kernel.games.nested import ANY, HAS_LINE, LINES, NestedGame, NestedPosition
from verifier.kernel.words import counted
from verifier.presentation.family import (
    Area,
    BoardPlan,
    Group,
    Look,
    RuleText,
    SpotNames,
    Table,
    draw_cell,
    say_lines,
    say_spots,
)

FIELD_NAMES = "012345678"
"""The names of the fields, and of the spots in each field."""

_SIDE, _GAP, _MARGIN = 90, 25, 18
"""Sizes in the drawing: a field, the gap between fields (with room for two frames and a number), and the margin."""

BOARD = BoardPlan(
    tuple(
        Area(
            x=_MARGIN + f % 3 * (_SIDE + _GAP),
            y=_MARGIN + f // 3 * (_SIDE + _GAP),
            columns=3,
            spots=tuple(f"{f}.{s}" for s in FIELD_NAMES),
            labels=tuple(FIELD_NAMES),
            name=str(f),
            heading=str(f),
        )
        for f in range(9)
    ),
    width=3 * _SIDE + 2 * (_GAP + _MARGIN),
    height=3 * _SIDE + 2 * (_GAP + _MARGIN),
    heavy="M120.5 8V348M235.5 8V348M8 113H348M8 228H348",  # the numbers of fields are below these lines
)


@dataclass(frozen=True, slots=True)
class NestedPresentation:
    """Shows a game on nine fields."""

    game: NestedGame
    board = BOARD
    players = PLAYER_NAMES["nested"]
    how_to_move = "a field and a spot"

    def look(self, position: NestedPosition) -> Look:
        """Return the marks and owners. After a win, add the winner's lines of fields, and his lines in these fields."""
        marks, owners = format_marks(position.x_mask, position.o_mask, 81), _owners(position)
        winner = self.game.winner(position) if self.game.is_over(position) else None
        lines = [line for line in LINES if winner and all(owners[f] == winner for f in line)]
        spots = (
            f"{f}.{s}"
            for f in sorted({f for line in lines for f in line})
            for line in LINES
            if all(marks[9 * f + s] == winner for s in line)
            for s in line
        )
        return Look(marks, owners, self._active(position), tuple(tuple(map(str, line)) for line in lines), tuple(spots))

    def _active(self, position: NestedPosition) -> SpotNames:
        return tuple(map(str, sorted({f for f, _ in self.game.legal_moves(position)})))

    @property
    def table(self) -> Table | None:
        """The rules as a table; None for rules with ``closed`` or ``play_on``.

        A mark on spot s sends the next player to field s.
        """
        if self.game.closed or self.game.play_on:
            return None
        in_fields = [(81 + f, *(9 * f + s for s in line)) for f in range(9) for line in LINES]
        fields = [Group(f"field {f}", list(range(9 * f, 9 * f + 9))) for f in range(9)]
        return Table(
            spots=[f"field {f} spot {s}" for f in range(9) for s in range(9)],
            sets=[*in_fields, *((90, *(81 + f for f in line)) for line in LINES)],
            groups=[*fields, Group("any field with a free spot", list(range(81)))],
            sends=[at % 9 for at in range(81)],
            in_line="has the fields .. in line",
        )

    def draw_text(
        self,
        position: NestedPosition,
        last: Iterable[int] | None = None,
        *,
        colour: bool = False,
        numbers: bool = False,
    ) -> str:
        """Return nine rows of spots. If ``numbers``, a field has its number above it, in brackets if it is active."""
        marks, owners, at = format_marks(position.x_mask, position.o_mask, 81), _owners(position), tuple(last or ())
        lines = []
        for row in range(9):
            if numbers and row % 3 == 0:
                heads = (f"[{f}]" if f == position.active else f" {f} " for f in range(row, row + 3))
                lines.append("+".join(head.center(9, "-") for head in heads))
            elif row in (3, 6):
                lines.append("---------+---------+---------")
            cells = ""
            for column in range(9):
                f, s = row // 3 * 3 + column // 3, row % 3 * 3 + column % 3
                owner = owners[f].strip(".")
                cell = draw_cell(marks[9 * f + s], is_last=(f, s) == at, owner=owner, colour=colour)
                cells += ("|" if column in (3, 6) else "") + cell
            lines.append(cells.rstrip())
        won = [f"{player} {' '.join(names)}" for player, names in _owned(position).items()]
        return "\n".join([*lines, f"fields won: {', '.join(won) or 'none'}; {self.say_turn(position)}"])

    def say_turn(self, position: NestedPosition) -> str:
        """Say who is to move and in which field. At the end, say which fields in line won the game."""
        marks = counted(self.game.ply(position), "mark")
        if self.game.is_over(position):
            look = self.look(position)
            if not look.lines:
                return f"{marks}, the game is over"
            winner = look.owners[int(look.lines[0][0])]
            return f"{marks}, the game is over: {winner} has the fields {say_lines(look.lines)} in line"
        active = self._active(position)
        if len(active) == 9:
            return f"{marks}, {self.game.turn(position)} to move in any field"
        where = f"field {active[0]}" if len(active) == 1 else f"any of the fields {', '.join(active)}"
        return f"{marks}, {self.game.turn(position)} to move in {where}"

    def say_marks(self, position: NestedPosition) -> Iterator[str]:
        """Say which fields each player owns, and which marks are in each field."""
        marks = format_marks(position.x_mask, position.o_mask, 81)
        for player, names in _owned(position).items():
            yield f"{player} owns {', '.join(names)}."
        for f in range(9):
            yield from say_spots(marks[9 * f : 9 * f + 9], FIELD_NAMES, f"Field {f}: ")

    def say_rules(self, file: Any) -> Iterator[RuleText]:
        """Say the rules that all games on nine fields share, and the rules of this game."""
        for name, text in self._clauses().items():
            yield RuleText(text, file.place_of(getattr(file, name, None)))

    def _clauses(self) -> dict[str, str]:
        closed, held = "Nobody has to play in a field that is owned or full.", "such a"
        reach = "any free spot of the board, in owned fields too"
        if not self.game.closed:
            closed, held = _NOT_CLOSED, "a full"
            reach = "any free spot of the board"
        if not self.game.free_reaches_decided:
            reach = "any free spot of a field that is neither owned nor full"
        return {
            "board": "The board has nine fields in three rows of three, numbered 0 to 8 row by row; each field has "
            "nine spots, numbered in the same way. The move f.s, also written (f, s), marks spot s of field f.",
            "turns": "Xavier (X) and Olivia (O) mark a free spot in turn. Xavier begins, on any spot of the board.",
            "sent": "The spot of a move is the number of the field in which the other player has to play next.",
            "ownership": "The first player with three marks in a row, column or diagonal of a field owns it for good.",
            "closed": closed,
            "free_choice": f"A player who is sent to {held} field plays on {reach}.",
            "after_win": _PLAYED_ON if self.game.play_on else _OVER,
        }

    def read_diagram(self, text: str) -> NestedPosition:
        """Read nine rows of nine marks. A field in which both players have a line gets no owner.

        The diagram does not show which player had a line first.
        """
        rows = text.split()
        x = o = x_fields = o_fields = 0
        for f in range(9):
            cells = [rows[f // 3 * 3 + s // 3][f % 3 * 3 + s % 3] for s in range(9)]
            own_x, own_o = (sum(1 << s for s in range(9) if cells[s] == mark) for mark in "XO")
            x |= own_x << 9 * f
            o |= own_o << 9 * f
            if HAS_LINE[own_x] != HAS_LINE[own_o]:
                x_fields |= HAS_LINE[own_x] << f
                o_fields |= HAS_LINE[own_o] << f
        return NestedPosition(x, o, x_fields, o_fields, ANY)


_NOT_CLOSED = (
    "While an owned field has a free spot, players are still sent there and play there; this does not change its owner."
)
_PLAYED_ON = "Three owned fields in a line do not end the game: play goes on while there is room."
_OVER = (
    "The first player to own three fields in a row, column or diagonal has won, and the game is over. If nobody can "
    "move and nobody has won, it is a draw."
)


def _owners(position: NestedPosition) -> str:
    return format_marks(position.x_fields_mask, position.o_fields_mask, 9)


def _owned(position: NestedPosition) -> dict[str, list[str]]:
    """Return the fields of each player who owns a field."""
    owners = _owners(position)
    return {player: [f for f in FIELD_NAMES if owners[int(f)] == player] for player in "XO" if player in owners}
