"""Xavier's race: ultimate tic-tac-toe under the paper's rules (§1) in which only Xavier can win.

Trusted for: that whoever loses the race cannot force a win in the game. In the race Xavier wins with three aligned
fields as in the game, by the same legal moves and active fields. Olivia owns nothing in it: her three aligned fields
end nothing, and a line of hers in a field does not keep him from owning it later. Each play of the game in which he
wins is therefore a play of the race in which he wins by the same marks; where she can keep him from winning the race
within some marks of his, the same replies keep him from winning the game within them. The converse does not hold: for
what Xavier *can* do, the race shows nothing.

What is forgotten, and why nothing depends on it:

- In a field that Xavier owns, or in which no line of three is left to him, only which spots are taken matters.
- A field that Olivia owns at the start is held as if all marks in it were hers: he may still own it, by a whole new
  line of three, which the game does not allow him.
- In any other field a mark of his matters through lines without a mark of hers alone. On other spots it is as good as
  hers. Taken spots that are not his all block the same lines.
- With some number of marks left to him, a line of a field that needs more than he can spare there is as good as
  blocked (``coarsen``): on each line of three fields he has to find the marks that the other two need as well.

A field is a number, its place in ``field_table()``; a race is the nine numbers and the active field.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.kernel.errors import NotationError
from verifier.kernel.games.nested import ALIGNED_MASKS, ANY, FULL_FIELD_MASK, HAS_LINE, Position

NEVER = 100
"""The need of a field that Xavier cannot own any more: more marks than there are."""

LINES: tuple[tuple[int, int, int], ...] = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)
"""The lines of three fields."""

Fields = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FieldTable:
    """Everything about single fields, by their numbers.

    Attributes:
        shape: Xavier's marks that matter, every other taken spot, and whether he owns the field.
        free: the mask of the free spots.
        need: the fewest marks with which Xavier owns the field: 0 where he does, ``NEVER`` where he cannot.
        useful: the mask of the spots on which a mark of his lowers the need: always by one.
        after_x: the field after his mark on a spot, by spot; -1 where the spot is taken.
        after_o: the same for hers.
        coarse: the field once lines that need more than 0, 1, 2, 3 marks are as good as blocked.
    """

    shape: tuple[tuple[int, int, bool], ...]
    free: tuple[int, ...]
    need: tuple[int, ...]
    useful: tuple[int, ...]
    after_x: tuple[tuple[int, ...], ...]
    after_o: tuple[tuple[int, ...], ...]
    coarse: tuple[tuple[int, ...], ...]


def shape_of(x: int, o: int, *, is_owned: bool, spare: int = 3) -> tuple[int, int, bool]:
    """Return what matters in a field: Xavier's marks that do, every other taken spot, whether he owns it.

    Args:
        x: the mask of his marks.
        o: the mask of the other taken spots.
        is_owned: whether he owns the field.
        spare: how many marks he can spare for this field.
    """
    taken = x | o
    if is_owned:
        return 0, taken, True
    open_mask = 0
    for line in ALIGNED_MASKS:
        if not line & o and 3 - (line & x).bit_count() <= spare:
            open_mask |= line
    return x & open_mask, taken & ~(x & open_mask), False


@functools.cache
def field_table() -> FieldTable:
    """Return the table of all fields that a race can hold, in the order in which marks make them from no mark."""
    numbers: dict[tuple[int, int, bool], int] = {(0, 0, False): 0}
    shapes = [(0, 0, False)]

    def number(shape: tuple[int, int, bool]) -> int:
        if shape not in numbers:
            numbers[shape] = len(shapes)
            shapes.append(shape)
        return numbers[shape]

    free, need, after_x, after_o, coarse = [], [], [], [], []
    for x, o, is_owned in shapes:  # grows while it is read
        room = FULL_FIELD_MASK & ~(x | o)
        rows: tuple[list[int], list[int]] = ([-1] * 9, [-1] * 9)
        for s in range(9):
            if room >> s & 1:
                mine = x | 1 << s
                rows[0][s] = number(shape_of(mine, o, is_owned=is_owned or HAS_LINE[mine]))
                rows[1][s] = number(shape_of(x, o | 1 << s, is_owned=is_owned))
        lacks = [3 - (line & x).bit_count() for line in ALIGNED_MASKS if not line & o]
        free.append(room)
        need.append(0 if is_owned else min(lacks, default=NEVER))
        after_x.append(tuple(rows[0]))
        after_o.append(tuple(rows[1]))
        coarse.append(tuple(number(shape_of(x, o, is_owned=is_owned, spare=spare)) for spare in range(4)))
    useful = tuple(
        sum(1 << s for s in range(9) if row[s] >= 0 and need[row[s]] < lacks)
        for row, lacks in zip(after_x, need, strict=True)
    )
    return FieldTable(tuple(shapes), tuple(free), tuple(need), useful, tuple(after_x), tuple(after_o), tuple(coarse))


def race_of(position: Position) -> tuple[Fields, int]:
    """Return the fields and the active field of a position of the game."""
    numbers = _numbers()
    fields = []
    for f in range(9):
        x, o = (mask >> 9 * f & FULL_FIELD_MASK for mask in (position.x_mask, position.o_mask))
        if position.o_fields_mask >> f & 1:
            shape = shape_of(0, x | o, is_owned=False, spare=0)
        else:
            shape = shape_of(x, o, is_owned=bool(position.x_fields_mask >> f & 1))
        fields.append(numbers[shape])
    return tuple(fields), position.active


@functools.cache
def _numbers() -> dict[tuple[int, int, bool], int]:
    return {shape: number for number, shape in enumerate(field_table().shape)}


def needs_of(fields: Fields) -> tuple[int, ...]:
    """Return the need of each of the nine fields."""
    need = field_table().need
    return tuple([need[number] for number in fields])


@functools.lru_cache(maxsize=1 << 17)
def totals(need: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """Return the fewest marks that complete some line of three fields, and those for a line through each field.

    Args:
        need: the need of each of the nine fields.
    """
    sums = [sum(need[f] for f in line) for line in LINES]
    return min(sums), tuple(min(sums[k] for k in range(8) if f in LINES[k]) for f in range(9))


def least(need: tuple[int, ...]) -> int:
    """Return the fewest marks with which Xavier wins if he may place them anywhere; ``NEVER`` or more if he cannot."""
    return totals(need)[0]


def least_from(need: tuple[int, ...], active: int) -> int:
    """Return the same for a line of which his next mark, in the active field, may be no part.

    Such a line takes a mark more than it needs.
    """
    found, through = totals(need)
    return found if active == ANY or (need[active] and through[active] == found) else found + 1


def coarsen(fields: Fields, marks: int) -> Fields:
    """Return the fields without what cannot matter while Xavier places this many more marks."""
    coarse = field_table().coarse
    need = needs_of(fields)
    return tuple(
        [
            coarse[number][min(3, lacks + marks - total) if total <= marks else 0]
            for number, lacks, total in zip(fields, need, totals(need)[1], strict=True)
        ]
    )


def moves_of(fields: Fields, active: int) -> Iterator[tuple[int, int]]:
    """Yield the free spots that may be played, fields and spots ascending."""
    free = field_table().free
    for f in range(9) if active == ANY else (active,):
        room = free[fields[f]]
        for s in range(9):
            if room >> s & 1:
                yield f, s


def play(fields: Fields, f: int, s: int, *, is_xavier: bool) -> tuple[Fields, int]:
    """Return the fields and the active field after a mark on a free spot."""
    table = field_table()
    number = (table.after_x if is_xavier else table.after_o)[fields[f]][s]
    after = (*fields[:f], number, *fields[f + 1 :])
    return after, s if table.free[after[s]] else ANY


def format_race(fields: Fields, active: int, marks: int) -> str:
    """Write a race: nine fields joined by ``/``, the active field or ``*``, and the marks left to Xavier.

    In a field that he owns, taken spots are ``=``. In any other, ``X`` is a mark of his that matters, ``#`` any other
    taken spot.
    """
    return f"{'/'.join(_format_field(number) for number in fields)} {'*' if active == ANY else active} {marks}"


@functools.cache
def _format_field(number: int) -> str:
    x, o, is_owned = field_table().shape[number]
    taken = "=" if is_owned else "#"
    return "".join("X" if x >> s & 1 else taken if o >> s & 1 else "." for s in range(9))


def parse_race(text: str) -> tuple[Fields, int, int]:
    """Read what ``format_race`` writes.

    Raises:
        NotationError: it is no race, or one that is written otherwise.
    """
    parts = text.split(" ")
    names = parts[0].split("/")
    if len(parts) == 3 and len(names) == 9 and parts[1] in "012345678*" and len(parts[1]) == 1:
        found = [_fields_by_text().get(name) for name in names]
        if re.fullmatch("0|[1-9][0-9]?", parts[2]) and None not in found:
            fields = tuple(number for number in found if number is not None)
            return fields, ANY if parts[1] == "*" else int(parts[1]), int(parts[2])
    raise NotationError(f"{text[:120]!r} is no race: nine fields of nine .X#=, the active field, the marks left")


@functools.cache
def _fields_by_text() -> dict[str, int]:
    return {_format_field(number): number for number in range(len(field_table().shape))}
