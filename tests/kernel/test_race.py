"""Xavier's race: the table of fields agrees with its definition, and nothing that it forgets matters."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.late import PAPER, late_positions
from tests.oracle import LINE_MASKS, has_line
from verifier.kernel.errors import NotationError
from verifier.kernel.games.nested import ANY, LINES
from verifier.kernel.race.relaxation import (
    NEVER,
    Fields,
    coarsen,
    field_table,
    format_race,
    least,
    least_from,
    needs_of,
    parse_race,
    race_of,
    totals,
)
from verifier.search.bounded.moves import free_spots_of, play_mark

EMPTY = "/".join(["." * 9] * 9)
NUMBERS = range(len(field_table().shape))
CHANCE_NEEDS = (0, 0, 1, 1, 2, 3, NEVER)


def what_matters(x: int, o: int, spare: int = 3) -> tuple[int, int, bool]:
    """Return an unowned field, mark by mark. A mark of Xavier's matters if it is on a line that he can complete."""
    matters = 0
    for s in range(9):
        for line in LINE_MASKS:
            if x & line & 1 << s and not o & line and (line & ~x).bit_count() <= spare:
                matters |= 1 << s
    return matters, (x | o) & ~matters, False


def fewest(x: int, free: list[int]) -> int:
    """Return the fewest marks on free spots that give a field a line, by trying all sets of up to three."""
    for count in range(4):
        if any(has_line(x | sum(1 << s for s in chosen)) for chosen in itertools.combinations(free, count)):
            return count
    return NEVER


def pack(need: list[int]) -> int:
    """Return the needs of nine fields as one number in base eight; 4 stands for ``NEVER``."""
    return int("".join(str(min(lacks, 4)) for lacks in reversed(need)), 8)


def need_of(fields: Fields, f: int) -> int:
    return field_table().need[fields[f]]


def is_won(fields: Fields) -> bool:
    return any(all(field_table().shape[fields[f]][2] for f in line) for line in LINES)


def test_the_table_has_each_field_once() -> None:
    """The empty field is first. No mark belongs to both players. An owned field has room for its line."""
    table = field_table()
    assert table.shape[0] == (0, 0, False)
    assert len(set(table.shape)) == len(table.shape)
    for x, o, is_owned in table.shape:
        assert not x & o
        assert what_matters(x, o) == (x, o, False)
        assert not is_owned or (x == 0 and has_line(o))


def test_free_and_need_are_as_defined() -> None:
    """Spots that are not taken are free. The need is the size of the smallest set of free spots that makes a line."""
    table = field_table()
    for number in NUMBERS:
        x, o, is_owned = table.shape[number]
        free = [s for s in range(9) if not (x | o) >> s & 1]
        assert table.free[number] == sum(1 << s for s in free)
        assert table.need[number] == (0 if is_owned else fewest(x, free))


def test_marks_make_the_fields_of_the_definition() -> None:
    """After each mark a field has the marks that matter. Once Xavier has a line in it, it stays his."""
    table = field_table()
    for number in NUMBERS:
        x, o, is_owned = table.shape[number]
        for s in range(9):
            bit = 1 << s
            if (x | o) & bit:
                assert table.after_x[number][s] == table.after_o[number][s] == -1
                continue
            owned = (0, x | o | bit, True)
            by_x = owned if is_owned or has_line(x | bit) else what_matters(x | bit, o)
            assert table.shape[table.after_x[number][s]] == by_x
            assert table.shape[table.after_o[number][s]] == (owned if is_owned else what_matters(x, o | bit))


def test_a_mark_changes_the_need_of_its_field() -> None:
    """A useful mark of his lowers the need of its field by one. A mark of hers raises it by ``rise``."""
    table = field_table()
    chance = random.Random(5)
    for number in NUMBERS:
        f = chance.randrange(9)
        fields = [chance.choice(NUMBERS) for _ in range(9)]
        fields[f] = number
        needs = needs_of(fields)
        assert needs == pack([table.need[n] for n in fields])
        for s in range(9):
            if not table.free[number] >> s & 1:
                assert table.rise[number][s] == 0
                continue
            by_x, by_o = (
                [*fields[:f], row[s], *fields[f + 1 :]] for row in (table.after_x[number], table.after_o[number])
            )
            assert needs_of(by_x) == (needs - (1 << 3 * f) if table.useful[number] >> s & 1 else needs)
            assert needs_of(by_o) == needs + (table.rise[number][s] << 3 * f)


def test_coarse_fields_are_as_defined() -> None:
    """Marks on lines that need too many marks become Olivia's. An owned field stays as it is."""
    table = field_table()
    for number in NUMBERS:
        x, o, is_owned = table.shape[number]
        for spare in range(4):
            coarse = table.shape[table.coarse[spare][number]]
            assert coarse == ((x, o, True) if is_owned else what_matters(x, o, spare))


def test_positions_become_races() -> None:
    """A field that a player owns keeps only its taken spots, any other field the marks that matter."""
    for position in late_positions(200):
        fields, active = race_of(position)
        assert active == position.active
        for f, number in enumerate(fields):
            x, o = position.x_mask >> 9 * f & 511, position.o_mask >> 9 * f & 511
            if position.x_fields_mask >> f & 1:
                assert field_table().shape[number] == (0, x | o, True)
            elif position.o_fields_mask >> f & 1:
                assert field_table().shape[number] == (0, x | o, False)
            else:
                assert field_table().shape[number] == what_matters(x, o)


def test_a_race_is_written_as_documented() -> None:
    """Owned fields show taken spots. Marks on blocked lines are not his. All marks block Olivia's fields."""
    position = PAPER.parse_position(
        "XXXO...../XX......./XO.O....O/OOO.XX.../X......../O......../........./........./......... X..O..... 4"
    )
    written = "====...../XX......./##.#....#/###.##.../X......../#......../........./........./......... 4 7"
    assert format_race(*race_of(position), 7) == written


@pytest.mark.parametrize("seed", range(12))
def test_the_race_is_played_as_the_game(seed: int) -> None:
    """Until somebody wins, the same moves are legal, the same field is active, and Xavier owns the same fields."""
    chance = random.Random(seed)
    position = PAPER.start
    fields, active = race_of(position)
    assert (fields, active) == ((0,) * 9, ANY)
    while not PAPER.is_over(position):
        assert active == position.active
        assert tuple(free_spots_of(fields, active)) == PAPER.legal_moves(position)
        move = chance.choice(PAPER.legal_moves(position))
        fields, active = play_mark(fields, *move, is_xavier=PAPER.turn(position) == "X")
        position = PAPER.play(position, move)
        assert all(field_table().shape[fields[f]][2] for f in range(9) if position.x_fields_mask >> f & 1)
        assert is_won(fields) or PAPER.winner(position) != "X"


def test_a_move_makes_the_race_of_the_position_after_it() -> None:
    """Playing and forgetting commute, except in fields that Olivia owns, where the race may give Xavier more."""
    hers = 0
    for position in late_positions(150):
        for move in PAPER.legal_moves(position):
            after = PAPER.play(position, move)
            played = play_mark(*race_of(position)[:1], *move, is_xavier=PAPER.turn(position) == "X")
            if after.o_fields_mask >> move[0] & 1:
                hers += 1
                assert need_of(played[0], move[0]) <= need_of(race_of(after)[0], move[0])
            else:
                assert played == race_of(after)
    assert hers > 10


def test_the_fewest_marks_are_those_of_some_line() -> None:
    """``least`` is the smallest sum over the lines. For ``least_from``, one mark is in the active field."""
    chance = random.Random(3)
    for _ in range(800):
        need = [chance.choice(CHANCE_NEEDS) for _ in range(9)]
        needs = pack(need)
        sums = [sum(need[f] for f in line) for line in LINES]
        assert least(needs) == min(sums)
        assert least_from(needs, ANY) == least(needs)
        assert totals(needs).through == tuple(
            min(total for line, total in zip(LINES, sums, strict=True) if f in line) for f in range(9)
        )
        for active in range(9):
            used = list(need)
            used[active] -= 0 < need[active] < NEVER
            assert min(NEVER, least_from(needs, active)) == min(NEVER, 1 + min(least(needs), least(pack(used))))


def test_coarsening_again_changes_nothing() -> None:
    """A coarsened race is its own coarsening for the same marks. With fewer marks, more is forgotten."""
    is_changed = False
    for position in late_positions(200):
        fields, _ = race_of(position)
        for marks in range(12):
            coarse = coarsen(fields, marks)
            is_changed |= coarse != fields
            assert coarsen(coarse, marks) == coarse
            assert coarsen(coarsen(fields, marks + 1), marks) == coarse
    assert is_changed


races = st.tuples(
    st.lists(st.sampled_from(NUMBERS), min_size=9, max_size=9).map(tuple), st.integers(0, 9), st.integers(0, 99)
)


@given(race=races)
@settings(deadline=None)
def test_races_are_read_as_they_are_written(race: tuple[Fields, int, int]) -> None:
    """Every written race is read back as itself."""
    assert parse_race(format_race(*race)) == race


RESTS = ("", " *", "  4", " * 4 ", " 9 4", " 12 4", " * ", " * -1", " * 04", " * 00", " * 100", " * ²", " * ٣", "/ * 4")
FIRST = ("........", "O........", "x........", "=........", "XXX......", "==X......", "X#.##....")
NO_RACES = [*(EMPTY + rest for rest in RESTS), *(f"{first}{EMPTY[9:]} * 4" for first in FIRST)]


@pytest.mark.parametrize("text", [*NO_RACES, "", f"==={EMPTY[3:]} *\n4"])
def test_a_text_that_is_not_a_race_is_refused(text: str) -> None:
    """The shape or a digit is wrong, a mark does not matter, or a line is not owned."""
    with pytest.raises(NotationError, match="is not a race"):
        parse_race(text)
