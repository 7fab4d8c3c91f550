"""Thirty small games for each way to write winning sets: from the file to the verdict, by brute force."""

from __future__ import annotations

import functools
import itertools
import pathlib
import random
from collections.abc import Callable

import pytest

from tests.audit.made import check, make_plan

Sets = frozenset[frozenset[int]]
GAMES = 30

RULES = """rules: {name}
title: The game {name}
source: {{document: none, place: here, says: Who first has a set wins.}}
family: positional
board: {{rows: {rows}, columns: {columns}}}
lines: {lines}
outcomes: {{X has one: {{when: X_line, result: X}}, O has one: {{when: O_line, result: O}}}}
"""
CLAIM = """claim: {name}
title: The first player can have a set
source: {{document: none, place: here, says: He can.}}
rules: {name}
readings:
  as-stated: {{can: X, expect: {verdict}, objectives: {{won: {{reach: X_wins, by: {ply}}}}}}}
"""


def in_a_row(rows: int, columns: int, chance: random.Random) -> tuple[str, Sets]:
    """Return rows, columns and diagonals of neighbours, as a file says it and as sets of spots."""
    length = chance.randint(2, 4)
    found = set()
    for r, c, (down, right) in itertools.product(range(rows), range(columns), [(0, 1), (1, 0), (1, 1), (1, -1)]):
        spots = [(r + i * down, c + i * right) for i in range(length)]
        if all(0 <= a < rows and 0 <= b < columns for a, b in spots):
            found.add(frozenset(a * columns + b for a, b in spots))
    return f"{{in_a_row: {length}}}", frozenset(found)


def listed(rows: int, columns: int, chance: random.Random) -> tuple[str, Sets]:
    """Return sets one by one."""
    spots = range(rows * columns)
    found = {frozenset(chance.sample(spots, chance.randint(2, 4))) for _ in range(chance.randint(3, 9))}
    return f"{{sets: {[sorted(one) for one in found]}}}", frozenset(found)


def by_formula(rows: int, columns: int, chance: random.Random) -> tuple[str, Sets]:
    """Return arithmetic progressions around the board, as one formula."""
    spots, step, size = rows * columns, chance.randint(1, 3), chance.randint(2, 3)
    found = frozenset(frozenset((a + step * i) % spots for i in range(size)) for a in range(spots))
    formula = f"[[(a + {step} * i) % {spots} for i in range(0, {size})] for a in range(0, {spots})]"
    return f'{{sets: ["{formula}"]}}', found if all(len(one) == size for one in found) else frozenset()


def by_shape(rows: int, columns: int, chance: random.Random) -> tuple[str, Sets]:
    """Return all placements of a shape, turned and mirrored."""
    cells = set(chance.sample(list(itertools.product(range(2), range(3))), chance.randint(2, 4)))
    text = ", ".join(f"{r}.{c}" for r, c in sorted(cells))
    found = set()
    for _ in range(2):
        cells = {(r, -c) for r, c in cells}
        for _ in range(4):
            cells = {(c, -r) for r, c in cells}
            for down, right in itertools.product(range(-4, 9), repeat=2):
                spots = [(r + down, c + right) for r, c in cells]
                if all(0 <= r < rows and 0 <= c < columns for r, c in spots):
                    found.add(frozenset(r * columns + c for r, c in spots))
    return f"{{shapes: [[{text}]]}}", frozenset(found)


def can_have(sets: Sets, spots: int, ply: int) -> bool:
    """Say whether the first player can be the first to have a set, by a ply, by trying everything."""

    @functools.cache
    def can(x: frozenset[int], o: frozenset[int]) -> bool:
        if any(one <= x for one in sets) or any(one <= o for one in sets) or len(x) + len(o) >= min(ply, spots):
            return any(one <= x for one in sets)
        rest = [s for s in range(spots) if s not in x | o]
        if len(x) == len(o):
            return any(can(x | {s}, o) for s in rest)
        return all(can(x, o | {s}) for s in rest)

    return can(frozenset(), frozenset())


@pytest.mark.parametrize("write", [in_a_row, listed, by_formula, by_shape], ids=lambda write: write.__name__)
def test_written_sets_are_won_as_trying_everything_finds(
    write: Callable[[int, int, random.Random], tuple[str, Sets]], tmp_path: pathlib.Path
) -> None:
    """By an odd ply and up to it, with evidence that the kernel follows; some games are won, and some are not."""
    chance, verdicts = random.Random(write.__name__), list[str]()
    (tmp_path / "rules").mkdir()
    while len(verdicts) < GAMES:
        rows, columns = chance.choice([(1, 6), (1, 7), (2, 3), (2, 4), (3, 3), (3, 3)])
        lines, sets = write(rows, columns, chance)
        if not sets:
            continue  # no set has room
        ply, name = chance.choice([3, 5, 7]), f"game-{len(verdicts)}"
        verdicts.append("proved" if can_have(sets, rows * columns, ply) else "refuted")
        rules = RULES.format(name=name, rows=rows, columns=columns, lines=lines)
        (tmp_path / "rules" / f"{name}.yaml").write_text(rules)
        (tmp_path / f"{name}.yaml").write_text(CLAIM.format(name=name, verdict=verdicts[-1], ply=ply))
    found = check(make_plan(tmp_path)).readings
    assert {str(one.verdict) for one in found} == {"proved", "refuted"}
    assert [(one.claim, str(one.verdict)) for one in found if one.verdict != one.expected] == []
    assert len(found) == GAMES
