"""Thirty small games for each way to write winning sets, decided from the file and by brute force."""

import itertools
import pathlib
import random
from collections.abc import Callable

import pytest

from tests.audit.made import check, make_plan, write_claim
from tests.boards import Lines, in_a_row, shape
from tests.documents.small import can_have

GAMES = 30
RULES = """rules: {name}
title: The board {name}
source: {{document: none, place: here, says: The player who first has a line wins.}}
family: positional
board: {{rows: {rows}, columns: {columns}}}
lines: {lines}
outcomes: {{X has a line: {{when: X_line, result: X}}, O has a line: {{when: O_line, result: O}}}}
"""


def neighbours(rows: int, columns: int, chance: random.Random) -> tuple[str, Lines]:
    """Return rows, columns and diagonals of neighbours, as a file writes them and as sets of spots."""
    length = chance.randint(2, 4)
    return f"{{in_a_row: {length}}}", in_a_row(length, rows, columns)


def listed(rows: int, columns: int, chance: random.Random) -> tuple[str, Lines]:
    """Return sets one by one."""
    spots = range(rows * columns)
    found = {frozenset(chance.sample(spots, chance.randint(2, 4))) for _ in range(chance.randint(3, 9))}
    return f"{{sets: {[sorted(one) for one in found]}}}", frozenset(found)


def by_formula(rows: int, columns: int, chance: random.Random) -> tuple[str, Lines]:
    """Return arithmetic progressions around the board, as one formula."""
    spots, step, size = rows * columns, chance.randint(1, 3), chance.randint(2, 3)
    found = frozenset(frozenset((a + step * i) % spots for i in range(size)) for a in range(spots))
    formula = f"[[(a + {step} * i) % {spots} for i in range(0, {size})] for a in range(0, {spots})]"
    return f'{{sets: ["{formula}"]}}', found if all(len(one) == size for one in found) else frozenset()


def by_shape(rows: int, columns: int, chance: random.Random) -> tuple[str, Lines]:
    """Return all placements of a shape, turned and mirrored."""
    cells = sorted(chance.sample(list(itertools.product(range(2), range(3))), chance.randint(2, 4)))
    return f"{{shapes: [[{', '.join(f'{r}.{c}' for r, c in cells)}]]}}", shape(cells, rows, columns)


@pytest.mark.parametrize("write", [neighbours, listed, by_formula, by_shape], ids=lambda write: write.__name__)
def test_written_sets_are_won_as_trying_everything_finds(
    write: Callable[[int, int, random.Random], tuple[str, Lines]], tmp_path: pathlib.Path
) -> None:
    """Each claim is about a win by an odd ply. The kernel follows the evidence. Some games are won, some are not."""
    chance, verdicts = random.Random(write.__name__), list[str]()
    while len(verdicts) < GAMES:
        rows, columns = chance.choice([(1, 6), (1, 7), (2, 3), (2, 4), (3, 3), (3, 3)])
        lines, sets = write(rows, columns, chance)
        if not sets:
            continue  # no set has room
        ply, name = chance.choice([3, 5, 7]), f"game-{len(verdicts)}"
        verdicts.append("proved" if can_have(sets, rows * columns, (ply + 1) // 2) else "refuted")
        (tmp_path / f"rules-{name}.yaml").write_text(RULES.format(name=name, rows=rows, columns=columns, lines=lines))
        reading = f"{{can: X, expect: {verdicts[-1]}, objectives: {{goal: {{reach: X_wins, by: {ply}}}}}}}"
        write_claim(tmp_path, name, f"readings:\n  as-stated: {reading}", name)
    found = check(make_plan(tmp_path)).readings
    assert {str(one.verdict) for one in found} == {"proved", "refuted"}
    assert [(one.claim, str(one.verdict)) for one in found if one.verdict != one.expected] == []
    assert len(found) == GAMES
