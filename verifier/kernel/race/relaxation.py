"""The race: the paper's game (§1), made easier for Xavier (X), because Olivia (O) cannot win it.

This module is trusted for one fact: if Xavier cannot force a win in the race, he cannot force a win in the game. In the
race he wins with three aligned fields, as in the game. Legal moves and active fields are the same as in the game.
Olivia owns nothing in the race: three aligned fields of hers end nothing, and a line of hers in a field does not keep
him from owning the field later. So if he wins a play of the game, he wins the same play of the race with the same
marks. If she can keep him from winning the race within some number of his marks, the same replies keep him from winning
the game within that number. The converse does not hold: the race shows nothing about what Xavier *can* do.

A position of the race is also called *a race*. A race is simpler than a position of the game, in these ways:

- In a field that Xavier owns, or in which he can no longer complete a line, it only matters which spots are taken.
- A field that Olivia owns at the start is treated as if all marks in it were hers. He can still own it by a whole new
  line of three, which the game does not allow him.
- In any other field, a mark of his matters only if it is on a line without a mark of hers. His other marks count as
  hers, because it only matters which lines are blocked, not who blocks them.
- A line of spots counts as blocked if it needs more marks than he can spare for the field (``coarsen``).
- Symmetries of the square take races to races, so one race can stand for eight (``canonical``).

A field is a number: its place in ``field_table()``. A race is nine such numbers and the number of the active field.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from operator import getitem
from typing import NamedTuple

from verifier.kernel.errors import NotationError
from verifier.kernel.games.lines import Images
from verifier.kernel.games.nested import ALIGNED_MASKS, ANY, FULL_FIELD_MASK, HAS_LINE, LINES, NestedPosition
from verifier.kernel.relabel import SYMMETRIES

NEVER = 100  # more marks than a board has spots
"""A field's *need* is the fewest marks with which Xavier can own it: 0 if he owns it, ``NEVER`` if he cannot own it."""

Fields = tuple[int, ...]

Needs = int
"""The needs of nine fields in one number: three bits for each, field 0 in the lowest bits; 4 stands for ``NEVER``.

A mark changes one field, and so at most one need. A *useful* mark of Xavier's lowers this need by one. A mark of
Olivia's raises this need by ``rise``. ``totals`` and ``columns`` are called very often, and are cached by the needs.
"""

SPOTS_OF_MASK = tuple(tuple(s for s in range(9) if mask >> s & 1) for mask in range(512))
"""The spots in each mask, ascending."""

FIELDS = (*((f,) for f in range(9)), tuple(range(9)))
"""For each active field, the fields in which a mark may be made; the last entry is for ``ANY``."""


Shape = tuple[int, int, bool]


class FieldTable(NamedTuple):
    """Everything about single fields, by their numbers."""

    shape: tuple[Shape, ...]  # Xavier's marks that matter, every other taken spot, and whether he owns the field
    number: Mapping[Shape, int]  # the number of each shape
    free: tuple[int, ...]  # a mask of the free spots
    need: tuple[int, ...]  # the need (see ``NEVER``)
    useful: tuple[int, ...]  # a mask of the spots on which a mark of Xavier's lowers the need by one
    after_x: tuple[tuple[int, ...], ...]  # the field after Xavier's mark on a spot, by spot; -1 if the spot is taken
    after_o: tuple[tuple[int, ...], ...]  # the field after Olivia's mark on a spot, by spot; -1 if the spot is taken
    rise: tuple[tuple[int, ...], ...]  # by spot, how much Olivia's mark there raises the need, as ``Needs`` counts it
    packed: tuple[tuple[int, ...], ...]  # what the field adds to ``Needs`` as field f: ``packed[f][number]``
    coarse: tuple[tuple[int, ...], ...]  # the field if he can spare k marks for it (``coarsen``): ``coarse[k][number]``


def shape_of(x: int, o: int, *, is_owned: bool, spare: int = 3) -> Shape:
    """Return the shape of a field with Xavier's marks x and other taken spots o, if he can spare ``spare`` marks."""
    open_mask = 0
    for line in () if is_owned else ALIGNED_MASKS:
        if not line & o and 3 - (line & x).bit_count() <= spare:
            open_mask |= line
    return x & open_mask, (x | o) & ~(x & open_mask), is_owned


@functools.cache
def field_table() -> FieldTable:
    """Return the table of the 8,145 fields of races: those that marks and ``coarsen`` can make of an empty field."""
    shapes = [(0, 0, False)]
    numbers = {shapes[0]: 0}

    def number(shape: Shape) -> int:
        if shape not in numbers:
            numbers[shape] = len(shapes)
            shapes.append(shape)
        return numbers[shape]

    rows = []
    for x, o, is_owned in shapes:  # the loop adds shapes
        room = FULL_FIELD_MASK & ~(x | o)
        by_x, by_o = [-1] * 9, [-1] * 9
        for s in SPOTS_OF_MASK[room]:
            mine = x | 1 << s
            by_x[s] = number(shape_of(mine, o, is_owned=is_owned or HAS_LINE[mine]))
            by_o[s] = number(shape_of(x, o | 1 << s, is_owned=is_owned))
        lacks = [3 - (line & x).bit_count() for line in ALIGNED_MASKS if not line & o]
        by_spare = [number(shape_of(x, o, is_owned=is_owned, spare=spare)) for spare in range(4)]
        rows.append((room, 0 if is_owned else min(lacks, default=NEVER), tuple(by_x), tuple(by_o), by_spare))
    free, need, after_x, after_o, spared = zip(*rows, strict=True)
    code = [min(lacks, 4) for lacks in need]
    useful = tuple(
        sum(1 << s for s in range(9) if row[s] >= 0 and code[row[s]] < own)
        for row, own in zip(after_x, code, strict=True)
    )
    rise = tuple(tuple(code[n] - own if n >= 0 else 0 for n in row) for row, own in zip(after_o, code, strict=True))
    packed = tuple(tuple(own << 3 * f for own in code) for f in range(9))
    coarse = tuple(zip(*spared, strict=True))
    return FieldTable(tuple(shapes), numbers, free, need, useful, after_x, after_o, rise, packed, coarse)


def race_of(position: NestedPosition) -> tuple[Fields, int]:
    """Return the race of a position of the game: the numbers of its fields, and the active field."""
    numbers, fields = field_table().number, []
    for f in range(9):
        x, o = (mask >> 9 * f & FULL_FIELD_MASK for mask in (position.x_mask, position.o_mask))
        if position.o_fields_mask >> f & 1:
            x, o = 0, x | o
        fields.append(numbers[shape_of(x, o, is_owned=bool(position.x_fields_mask >> f & 1))])
    return tuple(fields), position.active


@functools.cache
def _images() -> tuple[tuple[int, ...], ...]:
    """Return, for each symmetry of the square, the number of the image of every field."""
    table, images = field_table(), Images(SYMMETRIES)
    moved = [[(x, o, is_owned) for x, o in zip(images[x], images[o], strict=True)] for x, o, is_owned in table.shape]
    return tuple(tuple(map(table.number.__getitem__, shapes)) for shapes in zip(*moved, strict=True))


def image_of_race(number: int, fields: Fields, active: int) -> tuple[Fields, int]:
    """Return the image of a race under the symmetry ``SYMMETRIES[number]``."""
    permutation, images = SYMMETRIES[number], _images()[number]
    moved = [0] * 9
    for f in range(9):
        moved[permutation[f]] = images[fields[f]]
    return tuple(moved), ANY if active == ANY else permutation[active]


def canonical(fields: Fields, active: int) -> tuple[Fields, int]:
    """Return the least of the eight images of a race. If Olivia can stop Xavier in one image, she can stop him in all.

    A symmetry permutes the fields, and the spots in each field, in the same way. So the image of a legal move is legal
    in the image of the race. If a move makes f active, its image makes the image of f active. Won lines stay won.
    """
    return min(image_of_race(number, fields, active) for number in range(8))


def needs_of(fields: Sequence[int]) -> Needs:
    """Return the needs of nine fields."""
    return sum(map(getitem, field_table().packed, fields))


class Totals(NamedTuple):
    """The numbers of marks that complete lines of three fields for Xavier, computed from the needs of nine fields."""

    fewest: int  # the fewest marks that complete a line; a line that needs no more is *shortest*
    through: tuple[int, ...]  # by field, the fewest marks that complete a line through it
    idle_mask: int  # the fields that he owns, or that are on no shortest line: a mark of his there does not help


@functools.lru_cache(maxsize=1 << 17)
def totals(needs: Needs) -> Totals:
    """Return the totals for the needs of nine fields."""
    need = _unpack(needs)
    sums = [sum(need[f] for f in line) for line in LINES]
    fewest = min(sums)
    through = tuple(min(sums[k] for k in range(8) if f in LINES[k]) for f in range(9))
    return Totals(fewest, through, sum(1 << f for f in range(9) if not need[f] or through[f] > fewest))


def _unpack(needs: Needs) -> list[int]:
    return [(0, 1, 2, 3, NEVER)[needs >> shift & 7] for shift in range(0, 27, 3)]


def least(needs: Needs) -> int:
    """Return the fewest marks with which Xavier wins if he may place them anywhere; ``NEVER`` or more if he cannot.

    If the result is more than the marks left to him, Olivia can keep him from winning, whoever is to move. To win, he
    has to own the three fields of some line in the end. A mark of his lowers the need of only one field, by at most
    one; a mark of hers does not lower any need. So he has to place at least the sum of the three needs.
    """
    return totals(needs)[0]


def least_from(needs: Needs, active: int) -> int:
    """Return what ``least`` says of a race in which Xavier, who has not won, moves next and in the active field.

    With a free choice the result is ``least``. Otherwise his next mark is in the active field. The mark does not help
    a line if that field is not on the line, or is his already. Such a line needs as many marks after the mark as before
    it, so in all it takes one mark more. If the mark can help some shortest line, the result is ``least``.
    Otherwise each shortest line takes one mark more than ``least``, and no other line takes fewer than that.
    """
    fewest, _, idle_mask = totals(needs)
    return fewest if active == ANY or not idle_mask >> active & 1 else fewest + 1


def is_held_at_once(fields: Sequence[int], needs: Needs, active: int, marks: int) -> bool:
    """Say whether it is clear without looking ahead that Olivia, who is to move, can keep Xavier from winning.

    He must not have won already. The result is True if he needs more marks than he has left (``least``). It is also
    True if he needs all of them, and a mark of hers in one field sends him to another field, where no mark of his
    helps a shortest line. Her mark lowers no need. So after it, either he needs more marks than he has left, or each
    line that is then shortest was shortest before. Then his next mark helps no such line, and is lost (``least_from``).
    """
    fewest, _, idle_mask = totals(needs)
    if fewest != marks:
        return fewest > marks
    free = field_table().free
    for f in FIELDS[active]:
        for s in SPOTS_OF_MASK[free[fields[f]] & idle_mask & ~(1 << f)]:
            if free[fields[s]]:
                return True
    return False


def coarsen(fields: Sequence[int], marks: int) -> Fields:
    """Return the fields after blocking all lines that cannot matter while Xavier places ``marks`` more marks.

    To win by a line of three fields he has to complete a line of spots in each of them. Let the shortest line of fields
    through a field take ``total`` marks, and let the field's own need be ``lacks``. The other two fields of any line
    through it take at least ``total - lacks`` marks. So in a play that wins through this field he can spend at most
    ``marks - (total - lacks)`` marks in it, and cannot complete a line of spots that needs more there. So the
    same plays win, whether such lines are blocked or not. Taken spots stay taken, so the same moves are legal. If
    ``total`` is more than ``marks``, he cannot complete a line through the field in time, and only taken spots matter.
    """
    return tuple(map(getitem, columns(needs_of(fields), marks), fields))


@functools.lru_cache(maxsize=1 << 17)
def columns(needs: Needs, marks: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each field, the row of ``coarse`` that ``coarsen`` uses. The rows depend only on needs and marks."""
    coarse = field_table().coarse
    return tuple(
        coarse[min(3, lacks + marks - total) if total <= marks else 0]
        for lacks, total in zip(_unpack(needs), totals(needs).through, strict=True)
    )


def format_race(fields: Fields, active: int, marks: int) -> str:
    """Write a race: nine fields joined by ``/``, the active field or ``*``, and the marks left to Xavier.

    In a field that he owns, taken spots are ``=``. Elsewhere ``X`` is a mark of his that matters, ``#`` any other mark.
    """
    return f"{'/'.join(_format_field(number) for number in fields)} {'*' if active == ANY else active} {marks}"


@functools.cache
def _format_field(number: int) -> str:
    x, o, is_owned = field_table().shape[number]
    taken = "=" if is_owned else "#"
    return "".join("X" if x >> s & 1 else taken if o >> s & 1 else "." for s in range(9))


_RACE = re.compile(r"((?:[.X#=]{9}/){8}[.X#=]{9}) ([0-8*]) (0|[1-9][0-9]?)")


def parse_race(text: str) -> tuple[Fields, int, int]:
    """Read what ``format_race`` writes."""
    race = _RACE.fullmatch(text)
    names = race[1].split("/") if race else []
    if race is None or not _fields_by_text().keys() >= {*names}:
        raise NotationError(f"{text[:120]!r} is not a race: nine fields of nine .X#=, the active field, the marks left")
    return tuple(map(_fields_by_text().__getitem__, names)), ANY if race[2] == "*" else int(race[2]), int(race[3])


@functools.cache
def _fields_by_text() -> dict[str, int]:
    return {_format_field(number): number for number in range(len(field_table().shape))}
