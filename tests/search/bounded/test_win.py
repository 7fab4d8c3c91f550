"""Xavier's moves that win in time: the kernel accepts them as a refutation, and they are found where he wins."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.kernel.late import PAPER, find_moves, late_positions
from verifier.kernel.certificate import TABLE_FORMAT, VERSION, hash_bytes, pack
from verifier.kernel.decide import decide
from verifier.kernel.games.nested import ANY
from verifier.kernel.race.bound import derive_win, parse_bound
from verifier.kernel.statement import parse_statement
from verifier.kernel.verdict import Verdict
from verifier.search.bounded.win import RaceSolver
from verifier.search.walk import explore

LATE = "....X...X/....X...X/....X...X/....X...X/OOOOXOOOO/....X..../....X..../....X..../OOOOO...X ....O...O *"
"""Xavier moves at ply 26, anywhere; with his seventh mark, the 39th of all, he can win, and not sooner."""


def bound(start: str, through: int) -> dict[str, Any]:
    cases = [{"start": start, "first": None}]
    return {"kind": "bound", "rules": PAPER.data, "through": through, "cases": cases}


def find(statement: dict[str, Any]) -> dict[str, list[str]]:
    """Return the moves by which Xavier wins, as a table holds them; none where he does not."""
    won = parse_statement(derive_win(statement, parse_bound(statement), 0, None))
    solver = RaceSolver(won, 16)
    return explore(won, solver.choose).moves() if solver.is_won(won.start) else {}


def refute(statement: dict[str, Any], moves: dict[str, list[str]]) -> Verdict:
    data = pack({"format": TABLE_FORMAT, "version": VERSION, "moves": moves})
    evidence = {"case": 0, "first": None, "table": hash_bytes(data)}
    return decide(statement, "refuted", evidence, lambda *_: data).verdict


@pytest.mark.slow
def test_moves_through_proof_numbers_refute_a_bound() -> None:
    """With seven marks left the moves are found, and each play of them is won; a ply sooner there are none."""
    moves = find(bound(LATE, 39))
    assert len(moves) > 100
    assert refute(bound(LATE, 39), moves) is Verdict.REFUTED
    assert not find(bound(LATE, 38))


@pytest.mark.slow
def test_moves_are_found_where_he_wins() -> None:
    """On late positions moves are found just where a plain search finds some, and the kernel accepts them."""
    seen: Counter[bool] = Counter()
    for position in late_positions(300):
        ply = PAPER.ply(position)
        through = ply + 3 + (ply + 1) % 2
        if 50 <= ply <= 77 and position.active != ANY:
            statement = bound(PAPER.format_position(position), through)
            moves = find(statement)
            assert bool(moves) == bool(find_moves(position, through))
            assert not moves or refute(statement, moves) is Verdict.REFUTED
            seen[bool(moves)] += 1
    assert min(seen[True], seen[False]) > 10
