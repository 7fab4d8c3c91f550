"""Races for tests of the bounded search, and the answers of a plain search on the marks themselves."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.kernel.late import PAPER, late_positions, on_marks
from tests.oracle import MarkOracle
from verifier.kernel.games.nested import ANY
from verifier.kernel.race.relaxation import Fields, race_of
from verifier.search.bounded.moves import play_mark
from verifier.search.bounded.plain import PlainTables, is_lost, wins_within
from verifier.search.bounded.prove import Search
from verifier.search.bounded.swar import RACE_CODE_VERSION, add_needs
from verifier.search.jit import Array, keep_machine_code


@dataclass(frozen=True)
class Board:
    """A late position without a choice of field, in which only Xavier can win."""

    fields: Fields
    active: int
    oracle: MarkOracle


def boards(count: int) -> Iterator[tuple[Board, str]]:
    """Yield some such positions, and the player to move."""
    bound = [position for position in late_positions(2 * count) if position.active != ANY]
    for position in bound[:count]:
        yield Board(*race_of(position), on_marks(position).race()), PAPER.turn(position)


def after(moves: str) -> tuple[Fields, int]:
    """Return the race after moves such as "4.4 4.1"."""
    fields: Fields = (0,) * 9
    active = ANY
    for number, move in enumerate(moves.split()):
        fields, active = play_mark(fields, int(move[0]), int(move[2]), is_xavier=number % 2 == 0)
    return fields, active


def settle(
    search: Search, fields: Fields, active: int, marks: int, *, is_xavier: bool = False, limit: int = 10**8
) -> bool:
    """Return whether Olivia holds, by the plain search."""
    is_won = search_plainly(search.tables, search._lay(fields, marks, limit), active, marks, is_xavier)
    search._require_whole(limit)
    return not is_won


def _make_search(version: int) -> Callable[[PlainTables, Array, int, int, bool], bool]:
    def search(tables: PlainTables, fields: Array, active: int, marks: int, is_xavier: bool) -> bool:
        lanes = add_needs(tables.rows, fields) if version else 0
        if is_xavier:
            return wins_within(tables, fields, active, lanes, marks)
        return is_lost(tables, fields, active, lanes, marks)

    return keep_machine_code(search)


search_plainly = _make_search(RACE_CODE_VERSION)
