"""What a player can force on one board: answers agree with trying everything, and the kernel follows the moves."""

import random

import pytest

from tests.search.threats.brute import FORMS, make
from verifier.kernel.errors import SpecError
from verifier.kernel.plays import check_opposed, check_proof, walk
from verifier.kernel.statement import parse_statement
from verifier.kernel.verdict import Verdict
from verifier.search.threats import forced
from verifier.search.threats.forced import ThreatSearch, open_search
from verifier.search.walk import explore


def assert_kernel_follows(search: ThreatSearch) -> None:
    """Require that the moves, or the opponent's, show the right answer: all of them, and up to symmetry."""
    is_won = search.is_won(search.statement.start)
    side = search if is_won else search.oppose()
    folds = (None, search.symmetries.least) if search.symmetries else (None,)
    tables = [(explore(side.statement, side.choose, fold=fold).moves(), fold) for fold in folds]
    if (planned := side.plan(1_000)) is not None:
        tables.append((planned.moves(), folds[-1]))
    for moves, fold in tables:
        nodes = walk(side.statement, moves, fold)
        if is_won:
            assert check_proof(side.statement, nodes, {}).verdict is Verdict.PROVED
        else:
            assert check_opposed(side.statement, nodes).verdict is Verdict.REFUTED


def draw(form: str, chance: random.Random) -> tuple[ThreatSearch, bool] | None:
    """Return a search of a claim about a random game, and whether the claim is true; None if nobody can begin."""
    game = make(form, chance)
    claimant, kind = chance.choice("XO"), chance.choice(["reach", "prevent"])
    start = game.begin(chance.choice([0, 0, 1, 2, 3]), chance)
    ply = chance.randrange(len(start[0] | start[1]) + 1, game.cells + 1)
    data = game.statement(claimant, kind, ply, start)
    try:
        search = open_search(data, parse_statement(data))
    except SpecError:
        return None
    assert search is not None
    attacker = claimant if kind == "reach" else "O" if claimant == "X" else "X"
    return search, game.can_reach(attacker, ply, start) == (kind == "reach")


LONG = ("falling", "legal", "stuck")
"""Forms whose games take longer than those of all others together."""

CASES = [
    pytest.param(form, games, parted_from, marks=[pytest.mark.slow] * is_slow, id=f"{form}-{cores}-{games}")
    for form in FORMS
    for cores, parted_from, few, many in (("one core", forced.PARTED_FROM, 6, 40), ("parted", 0, 2, 8))
    for games, is_slow in (((few, False), (many, True)) if form in LONG else ((many, False),))
]


@pytest.mark.parametrize(("form", "games", "parted_from"), CASES)
def test_trying_everything_finds_the_same(
    form: str, games: int, parted_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In random small games, from any position, for either player, to reach and to prevent. The kernel follows."""
    monkeypatch.setattr(forced, "PARTED_FROM", parted_from)
    chance, tried, folded = random.Random(form), 0, 0
    while tried < games:
        if (drawn := draw(form, chance)) is not None:
            search, is_won = drawn
            assert search.is_won(search.statement.start) == is_won, form
            assert_kernel_follows(search)
            tried, folded = tried + 1, folded + (search.symmetries is not None)
    assert folded or form in ("legal", "stuck", "stuck first") or games < 40
