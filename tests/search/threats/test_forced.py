"""What a player can force on one board: every answer is that of trying everything, and the kernel follows its moves."""

from __future__ import annotations

import random

import pytest

from tests.search.threats.brute import FORMS, make
from verifier.kernel.check import check_opposed, check_proof
from verifier.kernel.errors import SpecError
from verifier.kernel.plays import walk
from verifier.kernel.statement import parse_statement
from verifier.kernel.verdict import Verdict
from verifier.search.threats import forced
from verifier.search.threats.forced import Forced, open_search
from verifier.search.walk import explore

GAMES = 40


def assert_kernel_follows(search: Forced) -> None:
    """Require that the moves show what is claimed, or the opponent's refute it; all of them, and up to symmetry."""
    is_won = search.is_won(search.statement.start)
    side = search if is_won else search.oppose()
    for fold in (None, search.symmetries.least) if search.symmetries else (None,):
        found = explore(side.statement, side.choose, fold=fold)
        nodes = walk(side.statement, found.moves(), fold)
        if is_won:
            assert check_proof(side.statement, nodes, {}).verdict is Verdict.PROVED
        else:
            assert check_opposed(side.statement, nodes).verdict is Verdict.REFUTED


@pytest.mark.parametrize("form", FORMS)
def test_trying_everything_finds_the_same(form: str) -> None:
    """In random small games, from any position, for either player, to reach and to prevent; and the kernel follows."""
    chance, tried, folded = random.Random(form), 0, 0
    while tried < GAMES:
        game = make(form, chance)
        claimant, kind = chance.choice("XO"), chance.choice(["reach", "prevent"])
        start = game.begin(chance.choice([0, 0, 1, 2, 3]), chance)
        ply = chance.randrange(len(start[0] | start[1]) + 1, game.cells + 1)
        data = game.statement(claimant, kind, ply, start)
        try:
            statement = parse_statement(data)
        except SpecError:
            continue  # nobody can begin
        search = open_search(data, statement)
        assert search is not None
        attacker = claimant if kind == "reach" else "O" if claimant == "X" else "X"
        is_won = game.can_reach(attacker, ply, start) == (kind == "reach")
        assert search.is_won(statement.start) == is_won, (form, data)
        assert_kernel_follows(search)
        tried, folded = tried + 1, folded + (search.symmetries is not None)
    assert folded or form in ("legal", "stuck", "stuck first")


@pytest.mark.parametrize("form", FORMS)
def test_cores_that_share_a_search_find_the_same(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever attacks, and whoever is to move, in games of every form."""
    monkeypatch.setattr(forced, "PARTED_FROM", 0)
    chance = random.Random(f"parted {form}")
    for _ in range(8):
        game = make(form, chance)
        claimant, kind = chance.choice("XO"), chance.choice(["reach", "prevent"])
        start = game.begin(chance.choice([0, 1]), chance)
        ply = chance.randrange(len(start[0] | start[1]) + 1, game.cells + 1)
        data = game.statement(claimant, kind, ply, start)
        search = open_search(data, parse_statement(data))
        assert search is not None
        attacker = claimant if kind == "reach" else "O" if claimant == "X" else "X"
        is_won = game.can_reach(attacker, ply, start) == (kind == "reach")
        assert search.is_won(search.statement.start) == is_won


def test_games_are_of_either_kind() -> None:
    """Plain lines are a race, and what is about more than lines is not."""
    kinds = {}
    for form in FORMS:
        data = make(form, random.Random(1)).statement("X", "reach", 5)
        search = open_search(data, parse_statement(data))
        assert search is not None
        kinds[form] = search.question.game.is_race
    races = {form for form, is_race in kinds.items() if is_race}
    assert {"own", "maker", "sooner"} <= races <= {"own", "maker", "sooner", "of each player", "stuck"}
