"""The family ``nested``: the paper's game (§1) and variants of its rules. Its board has nine fields of nine spots.

This module is trusted to say which moves are legal, what a move does, who owns a field, who has won, and which
positions are refused because no play leads to them. ``proofs/README.md`` describes the rules in §3. A spot (f, s) is
bit ``9 * f + s`` of an 81-bit mask; fields and spots are numbered 0 to 8 row by row (§1 of the paper, figure 1).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from verifier.kernel.errors import IllegalMoveError, NotationError, SpecError
from verifier.kernel.games import MarkedBoard, format_marks, parse_marks

FieldMove = tuple[int, int]
"""A field and a spot, each 0 to 8."""

ANY = 9
"""Takes the place of the active field if the player to move has a free choice of the field."""

FULL_FIELD_MASK = 0b111_111_111
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
"""The eight lines of three in a 3 by 3 grid: rows, columns, diagonals."""

ALIGNED_MASKS = tuple(sum(1 << s for s in line) for line in LINES)

HAS_LINE = tuple(any(mask & line == line for line in ALIGNED_MASKS) for mask in range(512))
"""For each mask of nine places, whether it has three in a line."""

_LOSES_LINES = tuple(
    not HAS_LINE[mask] or any(mask >> s & 1 and not HAS_LINE[mask & ~(1 << s)] for s in range(9)) for mask in range(512)
)
"""For each mask of nine places, True if it has no line, or if one place is on all lines in the mask."""

_ACTIVE = (*"012345678", "*")
"""The text of each active field; the last text stands for ``ANY``."""

_POSITION = re.compile("((?:[.XO]{9}/){8}[.XO]{9}) ([.XO]{9}) ([^ ]*)")


class NestedPosition(NamedTuple):
    """Marks, owners of fields, and the active field; the side to move follows from the number of marks."""

    x_mask: int
    o_mask: int
    x_fields_mask: int
    o_fields_mask: int
    active: int


@dataclass(frozen=True, slots=True)
class NestedGame(MarkedBoard):
    """A game with rules of this family; by default the paper's rules (§1). A field that somebody owns is *decided*."""

    closed: bool = False  # a player sent to a decided field has a free choice (the documents rules-002 and rules-003)
    free_reaches_decided: bool = True  # a free choice reaches decided fields too; can be False only if ``closed``
    play_on: bool = False  # three aligned fields do not end the game (the caption of figure 5)

    family = "nested"
    is_square = True
    weight = 20
    last_ply = 81
    start = NestedPosition(0, 0, 0, 0, ANY)
    vocabulary: ClassVar[dict[str, tuple[int, ...]]] = {
        **dict.fromkeys(("X", "O", "free"), (9, 9)),
        **dict.fromkeys(("full", "won_by_X", "won_by_O"), (9,)),
        "active": (10,),
        **dict.fromkeys(("X_wins", "O_wins", "over"), ()),
    }

    @property
    def data(self) -> dict[str, Any]:
        """The rules, as they are in a statement."""
        return {
            "family": "nested",
            "closed": "decided" if self.closed else "full",
            "free_choice": "free-spots" if self.free_reaches_decided else "open-fields",
            "after_win": "goes-on" if self.play_on else "over",
        }

    def winner(self, position: NestedPosition) -> str | None:
        """Return the player with three aligned fields, or None. If both players have them (``play_on``), return X."""
        if HAS_LINE[position.x_fields_mask]:
            return "X"
        return "O" if HAS_LINE[position.o_fields_mask] else None

    def is_over(self, position: NestedPosition) -> bool:
        """Say whether the game has ended: it is won (unless ``play_on``), or there is no legal move."""
        return not self._fields(position)

    def legal_moves(self, position: NestedPosition) -> tuple[FieldMove, ...]:
        """Return every legal move, in ascending order; no moves if the game is over."""
        taken, fields = position.x_mask | position.o_mask, self._fields(position)
        return tuple([move for f in fields for move in _moves_in(f, taken >> 9 * f & FULL_FIELD_MASK)])

    def play(self, position: NestedPosition, move: FieldMove) -> NestedPosition:
        """Return the position after a move; refuse an illegal move with a reason (``_refusal``)."""
        (f, s), (x, o, x_fields, o_fields, _), fields = move, position, self._fields(position)
        bit = 1 << (9 * f + s) if 0 <= f <= 8 and 0 <= s <= 8 else 0
        if not bit or not fields or f not in fields or (x | o) & bit:
            raise self._refusal(position, move, fields)
        is_o = (x | o).bit_count() % 2
        own, owned = (o | bit, o_fields) if is_o else (x | bit, x_fields)
        if not (x_fields | o_fields) >> f & 1 and HAS_LINE[own >> 9 * f & FULL_FIELD_MASK]:
            owned |= 1 << f
        x, o, x_fields, o_fields = (x, own, x_fields, owned) if is_o else (own, o, owned, o_fields)
        active = s if self._takes_visitors(x | o, x_fields | o_fields, s) else ANY
        return NestedPosition(x, o, x_fields, o_fields, active)

    def _refusal(self, position: NestedPosition, move: FieldMove, fields: tuple[int, ...]) -> IllegalMoveError:
        (f, s), where = move, self.format_position(position)
        if not (0 <= f <= 8 and 0 <= s <= 8):
            return IllegalMoveError("off-board", f"{f}.{s} is not a spot of the board")
        if not fields:
            return IllegalMoveError("over", f"{f}.{s}: the game is over in {where}")
        if position.active not in (ANY, f):
            return IllegalMoveError("wrong-field", f"{f}.{s}: the active field is {position.active} in {where}")
        if (position.x_mask | position.o_mask) >> (9 * f + s) & 1:
            return IllegalMoveError("taken", f"{f}.{s}: the spot is taken in {where}")
        return IllegalMoveError("closed", f"{f}.{s}: field {f} is closed in {where}")

    def _takes_visitors(self, taken: int, owned: int, f: int) -> bool:
        """Say whether a player who is sent to field f must play there, given masks of taken spots and owned fields."""
        is_full = taken >> 9 * f & FULL_FIELD_MASK == FULL_FIELD_MASK
        return not (is_full or (self.closed and owned >> f & 1))

    def _fields(self, position: NestedPosition) -> tuple[int, ...]:
        """Return the fields for the next mark: the active field, or all fields that a free choice reaches.

        If there is no such field, the game is over.
        """
        if not self.play_on and (HAS_LINE[position.x_fields_mask] or HAS_LINE[position.o_fields_mask]):
            return ()
        if position.active != ANY:
            return (position.active,)
        taken, shut = position.x_mask | position.o_mask, 0
        if not self.free_reaches_decided:
            shut = position.x_fields_mask | position.o_fields_mask
        full = FULL_FIELD_MASK
        return tuple([f for f in range(9) if taken >> 9 * f & full != full and not shut >> f & 1])

    # -- notation: nine fields of `.XO` joined by `/`, the owners, the active field or `*` -------------------------

    def format_move(self, move: FieldMove) -> str:
        """Write a move as ``f.s``."""
        return f"{move[0]}.{move[1]}"

    def parse_move(self, text: str) -> FieldMove:
        """Read ``f.s``."""
        if len(text) == 3 and text[1] == "." and text[0] in "012345678" and text[2] in "012345678":
            return int(text[0]), int(text[2])
        raise NotationError(f"{text[:40]!r} is not a move: a move is a field and a spot, such as 4.0")

    def format_position(self, position: NestedPosition) -> str:
        """Write a position as nine fields, the owners and the active field."""
        x, o, x_fields, o_fields, active = position
        full = FULL_FIELD_MASK
        fields = "/".join([format_marks(x >> at & full, o >> at & full, 9) for at in range(0, 81, 9)])
        return f"{fields} {format_marks(x_fields, o_fields, 9)} {'*' if active == ANY else active}"

    def parse_position(self, text: str) -> NestedPosition:
        """Read what ``format_position`` writes, and require that ``find_fault`` finds nothing."""
        parts = _POSITION.fullmatch(text)
        if parts is None:
            wanted = "a position is nine fields of nine .XO joined by /, owners, active field"
            raise NotationError(f"{text[:120]!r} is not a position: {wanted}")
        if parts[3] not in _ACTIVE:
            raise NotationError(f"{parts[3][:10]!r} is not an active field: an active field is 0 to 8, or *")
        marks, owners = parse_marks(parts[1].replace("/", "")), parse_marks(parts[2])
        position = NestedPosition(*marks, *owners, _ACTIVE.index(parts[3]))
        fault = self.find_fault(position)
        if fault:
            raise NotationError(f"no play leads to {text!r}: {fault}")
        return position

    def find_fault(self, position: NestedPosition) -> str:
        """Return why no play leads to a position, if the position alone shows this; otherwise an empty text.

        Marks and owners stay for good, and a move adds one mark. So all positions in plays have these properties:

        - Xavier begins and the players take turns: he has as many marks as Olivia, or one more.
        - The first line in a field makes its player the owner. So an owner has a line, and a field with a line has an
          owner. If decided fields take no marks at all, the mark that decided a field was the last mark in it. So all
          lines in the field are the owner's, and run through the spot of that mark.
        - A line of three fields ends the game, except with ``play_on``. Before the last mark neither player had such a
          line, and the last mark gave at most one field to its player. So only the player who moved last can have a
          line of three fields. If he has several, they all run through the same field.
        - If a field is active, the last mark is on the spot with the number of this field. Before the first
          mark there is a free choice. If there is a free choice later, the last mark is on a spot with the number of a
          field that takes no marks: it is full or, with ``closed``, decided.
        """
        x, o = position.x_mask, position.o_mask
        if x.bit_count() - o.bit_count() not in (0, 1):
            return "the marks do not alternate: Xavier must have as many as Olivia, or one more"
        for f in range(9):
            marks = {"X": x >> 9 * f & FULL_FIELD_MASK, "O": o >> 9 * f & FULL_FIELD_MASK}
            owner = "X" if position.x_fields_mask >> f & 1 else "O" if position.o_fields_mask >> f & 1 else ""
            with_line = {player for player in "XO" if HAS_LINE[marks[player]]}
            if owner not in (with_line or {""}):
                return f"the owner of field {f} does not fit its marks"
            if owner and not self.free_reaches_decided and (with_line != {owner} or not _LOSES_LINES[marks[owner]]):
                return f"field {f} has marks that were made after it was decided"
        last, last_mask = ("X", x) if self.turn(position) == "O" else ("O", o)
        if not self.play_on:
            for player, fields in (("X", position.x_fields_mask), ("O", position.o_fields_mask)):
                if HAS_LINE[fields] and (player != last or not _LOSES_LINES[fields]):
                    return f"play has gone on after {player} had three aligned fields"
        sent = functools.reduce(int.__or__, (last_mask >> 9 * f & FULL_FIELD_MASK for f in range(9)))
        taken, owned = x | o, position.x_fields_mask | position.o_fields_mask
        if position.active != ANY:
            if not self._takes_visitors(taken, owned, position.active):
                return f"the active field {position.active} takes no marks"
            return "" if sent >> position.active & 1 else f"no mark of {last} has the number of the active field"
        if x and not any(sent >> s & 1 and not self._takes_visitors(taken, owned, s) for s in range(9)):
            return f"the active field cannot be *: every mark of {last}'s sends to a field that takes marks"
        return ""

    # -- vocabulary of formulas -------------------------------------------------------------------------------------

    def compile_atom(self, name: str, args: tuple[int, ...]) -> Callable[[NestedPosition, NestedPosition], bool]:
        """Return the test of a word. ``formula`` has checked the indices. The test ignores its second argument."""
        at = 9 * args[0] + args[1] if len(args) == 2 else sum(args)
        bit, field_mask = 1 << at, FULL_FIELD_MASK << 9 * at
        atoms: dict[str, Callable[[NestedPosition, NestedPosition], bool]] = {
            "X": lambda p, q: p.x_mask & bit != 0,
            "O": lambda p, q: p.o_mask & bit != 0,
            "free": lambda p, q: not (p.x_mask | p.o_mask) & bit,
            "full": lambda p, q: (p.x_mask | p.o_mask) & field_mask == field_mask,
            "won_by_X": lambda p, q: p.x_fields_mask & bit != 0,
            "won_by_O": lambda p, q: p.o_fields_mask & bit != 0,
            "active": lambda p, q: p.active == at,
            "X_wins": lambda p, q: HAS_LINE[p.x_fields_mask],
            "O_wins": lambda p, q: HAS_LINE[p.o_fields_mask],
            "over": lambda p, q: self.is_over(p),
        }
        return atoms[name]


@functools.cache
def _moves_in(f: int, taken: int) -> tuple[FieldMove, ...]:
    """Return the moves in a field, given a mask of its taken spots."""
    return tuple((f, s) for s in range(9) if not taken >> s & 1)


PAPER = NestedGame()
"""The game of the paper (§1)."""


def parse_nested(data: Mapping[str, Any]) -> NestedGame:
    """Read rules that have the form described in §3 of ``proofs/README.md``."""
    for options in itertools.product((False, True), repeat=3):
        game = NestedGame(*options)
        if game.data == data and (game.closed or game.free_reaches_decided):
            return game
    raise SpecError(
        "nested rules need closed: full or decided; free_choice: free-spots or open-fields; after_win: over or goes-on "
        f"(open-fields needs closed: decided). These rules are {str(data)[:200]}"
    )
