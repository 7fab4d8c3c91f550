"""Named games of one board: the search finds their known values, and the kernel follows its moves."""

import numpy as np
import pytest

from tests.audit.made import check, make_plan
from tests.boards import BOARDS, boards
from verifier.kernel.statement import parse_statement
from verifier.kernel.verdict import Verdict
from verifier.questions.can import evidence as can
from verifier.questions.compile import compile_reading
from verifier.search.threats import forced
from verifier.search.threats.descent import NODES
from verifier.search.threats.forced import ThreatSearch, open_search
from verifier.search.threats.legal import find_orders, read_clauses
from verifier.search.walk import ADVICE, NodeLimitError, explore

READINGS = boards().claim("boards").readings
SOON = {"cube-by-5", "cube-by-7"}
WITH_TABLE = [
    pytest.param(name, marks=[] if name in SOON else pytest.mark.slow) for name in READINGS if name != "large-o-draws"
]


def open_claim(name: str) -> ThreatSearch:
    data = compile_reading(boards(), "boards", name).statement
    assert data is not None
    search = open_search(data, parse_statement(data))
    assert search is not None
    return search


@pytest.mark.parametrize("name", READINGS)
def test_the_search_finds_the_known_values(name: str) -> None:
    """Each search meets at most a million positions."""
    search = open_claim(name)
    assert search.is_won(search.statement.start) == (READINGS[name].expect == "proved")
    assert search.tables.counts[NODES] < 1_000_000


@pytest.mark.parametrize("name", WITH_TABLE)
def test_the_kernel_follows_the_moves(name: str) -> None:
    """The evidence is a table of whole plays, of the claimant or of the opponent."""
    (result,) = (one for one in check(make_plan(BOARDS, reading=name)).readings if one.id == name)
    assert (str(result.verdict), result.trouble) == (READINGS[name].expect, "")


def test_a_search_that_gives_up_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the last decided ply, the open ply, and what would help."""
    monkeypatch.setattr(forced, "MAX_SEARCHED", 1_000)
    search = open_claim("n5-by-11")
    with pytest.raises(NodeLimitError) as raised:
        search.is_won(search.statement.start)
    assert str(raised.value).startswith(
        "the search gave up after 1,000 positions: X cannot reach the goal by ply 9 (5 marks); "
        "whether X can reach the goal by ply 11 is not known. What"
    )


@pytest.mark.parametrize("name", ["cube-by-7", "cube-by-5", "n5-by-9", "plane-by-13", "four-o-draws"])
def test_cores_that_share_a_search_find_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict, and both sides' first moves, are those of one core."""
    alone = open_claim(name)
    is_won = alone.is_won(alone.statement.start)
    monkeypatch.setattr(forced, "PARTED_FROM", 0)
    parted = open_claim(name)
    assert parted.is_won(parted.statement.start) == is_won == (READINGS[name].expect == "proved")
    assert _first_moves(parted if is_won else parted.oppose()) == _first_moves(alone if is_won else alone.oppose())


def _first_moves(search: ThreatSearch) -> list[str]:
    """Return the claimant's moves on the first three plies, after each reply."""
    game, level, found = search.statement.game, [search.statement.start], list[str]()
    for _ in range(3):
        is_own = game.turn(level[0]) == search.statement.claimant
        after = [game.play(p, m) for p in level for m in (search.choose(p) if is_own else game.legal_moves(p))]
        level = list(dict.fromkeys(after))
        found += map(game.format_position, level)
    return found


@pytest.mark.parametrize(("name", "most"), [("large-o-draws", 20_000), ("falling-4-x-draws", 500)])
def test_cores_that_share_a_search_give_up_together(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Together they may meet as many positions as one core. It does not matter who is to move at the start."""
    monkeypatch.setattr(forced, "MAX_SEARCHED", most)
    monkeypatch.setattr(forced, "PARTED_FROM", 0)
    search = open_claim(name)
    with pytest.raises(NodeLimitError, match=f"the search gave up after {most:,} positions: "):
        search.is_won(search.statement.start)
    assert search.tables.counts[NODES] < 1.05 * most


def test_too_many_moves_for_a_table_leave_the_claim_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason says that the search has decided, and for which player."""
    monkeypatch.setattr(can, "MAX_TABLE", 5)
    monkeypatch.setattr(can, "MAX_KEPT_POSITIONS", 5)
    (result,) = (one for one in check(make_plan(BOARDS, reading="cube-by-7")).readings if one.id == "cube-by-7")
    assert (result.verdict, result.trouble) == (Verdict.UNKNOWN, "")
    found = "the search found moves for X, but a table of them would be too large as evidence"
    assert result.reason == f"{found}: more than 5 positions. {ADVICE}"


def test_a_plan_is_shorter_than_a_table_of_first_good_moves() -> None:
    """On four columns of five, a plan needs less than half as many moves. A limit that is too small leaves it open."""
    search = open_claim("falling-4-o-draws")
    assert search.is_won(search.statement.start)
    assert search.symmetries is not None
    planned = search.plan(100_000)
    assert planned is not None
    first_good = explore(search.statement, search.choose, fold=search.symmetries.least)
    assert 0 < 2 * len(planned.moves()) < len(first_good.moves())
    with pytest.raises(NodeLimitError, match="more than 100 positions"):
        search.plan(100)


def test_the_first_order_of_a_plan_begins_with_spots_that_need_an_odd_number() -> None:
    """On three columns of three, with a line in the middle one, it is the middle row. The other order takes columns."""
    formulas = [["not", ["free", s + 3]] if s < 6 else True for s in range(9)]
    rows = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {1, 4, 7}, {0, 4, 8}, {2, 4, 6}]
    lines = np.array([sum(1 << s for s in row) for row in rows], dtype=np.int64)
    clauses, _ = read_clauses(formulas, is_swapped=False)
    odd_first, by_columns = (np.argsort(-order[:9]).tolist() for order in find_orders(clauses, lines))
    assert odd_first == [4, 3, 5, 1, 7, 0, 2, 6, 8]
    assert by_columns == [1, 4, 7, 0, 2, 3, 5, 6, 8]
