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
from verifier.search.threats.forced import Forced, open_search
from verifier.search.walk import explore

GAMES = 40


def assert_kernel_follows(search: Forced) -> None:
    """Require that the moves show what is claimed or, where nothing does, that the opponent's refute it."""
    statement = search.statement
    if search.is_won(statement.start):
        nodes = walk(statement, explore(statement, search.choose).moves())
        assert check_proof(statement, nodes, {}).verdict is Verdict.PROVED
        return
    other = search.oppose()
    nodes = walk(other.statement, explore(other.statement, other.choose).moves())
    assert check_opposed(other.statement, nodes).verdict is Verdict.REFUTED


@pytest.mark.parametrize("form", FORMS)
def test_trying_everything_finds_the_same(form: str) -> None:
    """In random small games, for either player, to reach and to prevent, by every ply; and the kernel follows."""
    chance, tried = random.Random(form), 0
    while tried < GAMES:
        game = make(form, chance)
        claimant, kind, ply = (
            chance.choice("XO"),
            chance.choice(["reach", "prevent"]),
            chance.randrange(2, game.cells + 1),
        )
        data = game.statement(claimant, kind, ply)
        try:
            statement = parse_statement(data)
        except SpecError:
            continue  # nobody can begin
        search = open_search(data, statement)
        assert search is not None
        attacker = claimant if kind == "reach" else "O" if claimant == "X" else "X"
        is_won = game.can_reach(attacker, ply) == (kind == "reach")
        assert search.is_won(statement.start) == is_won, (form, data)
        assert_kernel_follows(search)
        tried += 1


def test_games_are_of_either_kind() -> None:
    """Plain lines are a race, and what is about more than lines is not."""
    kinds = {}
    for form in FORMS:
        data = make(form, random.Random(1)).statement("X", "reach", 5)
        search = open_search(data, parse_statement(data))
        assert search is not None
        kinds[form] = search.question.game.is_race
    assert {form for form, is_race in kinds.items() if is_race} == {"own", "maker", "sooner"}
