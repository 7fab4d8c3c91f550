"""Pairs of spots: found pairs have the required properties, and a move with pairs after it makes a table."""

import itertools
import random
from typing import Any

import pytest

from tests.kernel.asking import judge_table
from tests.rules import in_a_row, positional
from tests.search.threats.brute import make
from tests.statements import play, prevent
from verifier.kernel.breaker import Breaker
from verifier.kernel.errors import SpecError
from verifier.kernel.plays import walk
from verifier.kernel.statement import parse_statement
from verifier.questions.can.evidence import find_moves
from verifier.search.holding import find_pairs, open_holding, spots_of
from verifier.search.threats.forced import open_search


def has_pairs(sets: list[int], used: int = 0) -> bool:
    """Return whether there are disjoint pairs such that each set contains one, by trying everything."""
    if not sets:
        return True
    for one, other in itertools.combinations(spots_of(sets[0] & ~used), 2):
        mask = 1 << one | 1 << other
        if has_pairs([rest for rest in sets if mask & ~rest], used | mask):
            return True
    return False


def test_pairs_are_found_if_there_are_any() -> None:
    """In random families of sets: each set contains a pair, and no spot is in two pairs."""
    chance, found = random.Random(1), {True: 0, False: 0}
    for _ in range(300):
        spots = range(chance.randint(4, 9))
        sets = [
            sum(1 << s for s in chance.sample(spots, chance.choice([2, 3, 4]))) for _ in range(chance.randint(1, 6))
        ]
        pairs = find_pairs(sets)
        assert (pairs is not None) == has_pairs(list(set(sets)))
        found[pairs is not None] += 1
        masks = [1 << one | 1 << other for one, other in pairs or []]
        assert sum(masks).bit_count() == 2 * len(masks)
        assert pairs is None or all(any(mask & ~one == 0 for mask in masks) for one in sets)
    assert min(found.values()) > 30


@pytest.mark.parametrize(
    ("sets", "pairs"), [([], []), ([1], None), ([0], None), ([0b11 | 1 << s for s in range(2, 7)], [(0, 1)])]
)
def test_pairs_of_small_families(sets: list[int], pairs: list[tuple[int, int]] | None) -> None:
    """No set needs no pair, a set of at most one spot has none, and overlapping sets share a pair."""
    assert find_pairs(sets) == pairs


@pytest.mark.parametrize("form", ["own", "maker", "sooner", "last word", "answered"])
def test_moves_with_pairs_after_them_are_followed(form: str) -> None:
    """In random small games the kernel follows a table that ends by pairs and weights."""
    chance, ended = random.Random(form), 0
    for _ in range(60):
        game = make(form, chance)
        claimant = chance.choice("XO")
        game.data["goal"] = ["X_wins" if claimant == "O" else "O_wins"]
        start = game.begin(chance.choice([0, 0, 1, 2, 3]), chance)
        data = game.statement(claimant, "prevent", game.cells, start)
        try:
            statement = parse_statement(data)
        except SpecError:
            continue  # nobody can begin
        search, holding = open_search(data, statement), open_holding(data, statement)
        assert search is not None
        if holding is None or not search.is_won(statement.start):
            continue
        found, held = find_moves(data, search)
        fold = None if search.symmetries is None else search.symmetries.least
        nodes = list(walk(statement, found.moves(), fold, Breaker(data, statement, held).followed))
        assert all(not statement.objectives[0].test(node.position) for node in nodes)
        ended += "pairs" in held
    assert ended > 3


def test_a_draw_on_25_spots_takes_few_moves() -> None:
    """X keeps O from four in a row on 5×5, by a table of fewer than 200 moves."""
    lines = [[list(held), list(others)] for held, others in in_a_row(4, 5, 5)]
    rules = positional(5, 5, lines, [[["X_line"], "X"], [["O_line"], "O"]], notation="spots")
    data = play(rules, "." * 25, prevent(["O_wins"], 25), horizon=25)
    statement = parse_statement(data)
    search, holding = open_search(data, statement), open_holding(data, statement)
    assert search is not None
    assert holding is not None
    assert search.is_won(statement.start)
    assert 0 < len(find_moves(data, search)[0].moves()) < 200


@pytest.mark.parametrize("form", ["own", "maker", "sooner", "last word", "answered", "of each player"])
def test_a_table_without_replies_that_lose_at_once_decides_the_same(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In random small games, the kernel's answer is the same as with a whole table."""
    chance, left_out = random.Random(form), 0
    for _ in range(60):
        game = make(form, chance)
        claimant = chance.choice("XO")
        game.data["goal"] = [f"{claimant}_wins"]
        data = game.statement(claimant, "reach", game.cells, game.begin(chance.choice([0, 1, 2]), chance))
        search = open_search(data, parse_statement(data))
        assert search is not None
        if not search.is_won(search.statement.start):
            continue
        whole, _ = find_moves(data, search)
        with monkeypatch.context() as patch:
            patch.setattr("verifier.questions.can.evidence.MAX_KEPT_POSITIONS", 1)
            found, held = find_moves(data, search)
        more: dict[str, Any] = {} if search.symmetries is None else {"symmetries": search.symmetries.generators}
        assert judge_table(data, {"moves": found.moves(), **held}, **more) == "proved"
        left_out += len(found.moves()) < len(whole.moves())
    assert left_out > 3
