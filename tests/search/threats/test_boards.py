"""Named games of one board: what is known of them is found again, and the kernel follows the moves."""

import pathlib

import pytest

from tests.audit.made import check, make_plan
from tests.boards import CLAIMS, write_claim
from verifier.kernel.statement import parse_statement
from verifier.kernel.verdict import Verdict
from verifier.language.compile import compile_reading
from verifier.language.folder import load_library
from verifier.methods import can
from verifier.search.threats import forced
from verifier.search.threats.descent import NODES
from verifier.search.threats.forced import Forced, open_search
from verifier.search.walk import NodeLimitError

SOON = {"cube-by-5", "cube-by-7"}
WITH_TABLE = [
    pytest.param(name, marks=[] if name in SOON else pytest.mark.slow) for name in CLAIMS if name != "large-o-draws"
]


def open_claim(folder: pathlib.Path, name: str) -> Forced:
    write_claim(folder, name)
    data = compile_reading(load_library(folder), name, "as-stated").statement
    assert data is not None
    search = open_search(data, parse_statement(data))
    assert search is not None
    return search


@pytest.mark.parametrize("name", CLAIMS)
def test_the_search_finds_what_is_known(name: str, tmp_path: pathlib.Path) -> None:
    """Within a million positions, of each."""
    search = open_claim(tmp_path, name)
    assert search.is_won(search.statement.start) == (CLAIMS[name][1] == "proved")
    assert search.tables.counts[NODES] < 1_000_000


@pytest.mark.parametrize("name", WITH_TABLE)
def test_the_kernel_follows_the_moves(name: str, tmp_path: pathlib.Path) -> None:
    """The evidence is a table of whole plays, of the claimant or of the opponent."""
    write_claim(tmp_path, name)
    (result,) = check(make_plan(tmp_path)).readings
    assert (str(result.verdict), result.trouble) == (CLAIMS[name][1], "")


def test_a_search_that_gives_up_says_how_far_it_came(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the last ply that it decided, the one that is open, and what helps."""
    monkeypatch.setattr(forced, "MAX_POSITIONS", 1_000)
    search = open_claim(tmp_path, "n5-by-11")
    with pytest.raises(NodeLimitError) as raised:
        search.is_won(search.statement.start)
    assert str(raised.value).startswith(
        "the search gave up after 1,000 positions: X cannot do it by ply 9 (5 marks); by ply 11 it is open. What"
    )


@pytest.mark.parametrize("name", ["cube-by-7", "cube-by-5", "n5-by-9", "plane-by-13", "four-o-draws"])
def test_cores_that_share_a_search_find_the_same(
    name: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The verdict, and the first moves on both sides, are those of one core."""
    alone = open_claim(tmp_path, name)
    is_won = alone.is_won(alone.statement.start)
    monkeypatch.setattr(forced, "PARTED_FROM", 0)
    parted = open_claim(tmp_path, name)
    assert parted.is_won(parted.statement.start) == is_won == (CLAIMS[name][1] == "proved")
    assert _first_moves(parted if is_won else parted.oppose()) == _first_moves(alone if is_won else alone.oppose())


def _first_moves(search: Forced) -> list[str]:
    """Return what the claimant plays on the first three plies, after each reply."""
    game, level, found = search.statement.game, [search.statement.start], list[str]()
    for _ in range(3):
        is_own = game.turn(level[0]) == search.statement.claimant
        after = [game.play(p, m) for p in level for m in (search.choose(p) if is_own else game.legal_moves(p))]
        level = list(dict.fromkeys(after))
        found += map(game.format_position, level)
    return found


def test_cores_that_share_a_search_give_up_together(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They meet as many positions together as one core may."""
    monkeypatch.setattr(forced, "MAX_POSITIONS", 20_000)
    monkeypatch.setattr(forced, "PARTED_FROM", 0)
    search = open_claim(tmp_path, "large-o-draws")
    with pytest.raises(NodeLimitError, match="the search gave up after 20,000 positions: X cannot do it by ply"):
        search.is_won(search.statement.start)
    assert search.tables.counts[NODES] < 21_000


def test_moves_too_many_for_a_table_leave_it_open(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason says that the search has decided, and for whom."""
    monkeypatch.setattr(can, "MAX_TABLE", 5)
    monkeypatch.setattr(can, "MAX_KEPT", 5)
    write_claim(tmp_path, "cube-by-7")
    (result,) = check(make_plan(tmp_path)).readings
    assert (result.verdict, result.trouble) == (Verdict.UNKNOWN, "")
    assert result.reason == (
        "the search found moves for X, but a table of them would be too large as evidence: more than 5 positions"
    )
