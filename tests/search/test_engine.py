"""Whole enumerations: the engine meets the positions that the kernel's rules lead to, and finds what fails."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.images import relabel_position
from tests.search.compiled import engine as engine_module
from tests.search.compiled.engine import Engine
from tests.search.compiled.invariance import GENERATORS
from tests.search.plays import statement
from verifier.kernel.games.nested import Position
from verifier.kernel.statement import parse_statement
from verifier.search.walk import NodeLimitError, explore

pytestmark = pytest.mark.slow


def levels_of(data: dict[str, Any], *, is_relabelled: bool = False) -> list[tuple[set[tuple[int, ...]], int]]:
    """Return the rows and the edges of each level that is kept."""
    return [
        ({tuple(int(word) for word in row) for row in level.rows[: level.count]}, level.edges)
        for level, _ in Engine(data, is_relabelled=is_relabelled).enumerate_levels()
    ]


def walk_of(data: dict[str, Any]) -> tuple[dict[int, set[Any]], Counter[int]]:
    """Return the positions and the edges of each ply, from the walk in Python."""
    found = explore(parse_statement(data))
    game = found.statement.game
    positions: dict[int, set[Any]] = {}
    edges: Counter[int] = Counter()
    for position, moves in found.edges.items():
        positions.setdefault(game.ply(position), set()).add(position)
        edges[game.ply(position)] += len({move for _, move, _ in moves})
    return positions, edges


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(statement("paper", "lbs", horizon=6), id="lbs"),
        pytest.param(statement("paper-play-on", "lbs", horizon=6), id="lbs-play-on"),
        pytest.param(statement("paper", "xavier", horizon=81, objectives=[
            {"name": "not beaten", "type": "prevent", "goal": ["O_wins"], "through": 81}
        ]), id="xavier-whole-game"),
    ],
)  # fmt: skip
def test_the_positions_are_those_of_the_walk_in_python(data: dict[str, Any]) -> None:
    """Ply by ply the engine meets the same positions, owners included, by the same number of moves."""
    positions, edges = walk_of(data)
    engine = Engine(data)
    levels = levels_of(data)
    for ply, (rows, count) in enumerate(levels):
        wanted = {tuple(int(word) for word in engine.represent(engine.to_array(p))[0]) for p in positions[ply]}
        assert rows == wanted
        assert count == edges[ply]
    assert max(positions) == len(levels) - (0 if levels[-1][1] else 1)


def test_classes_are_the_orbits_of_the_walk_in_python() -> None:
    """With relabelling a level holds one position for each orbit that the walk in Python fills, and no other."""
    data = statement(horizon=6)
    positions, _ = walk_of(data)
    engine = Engine(data, is_relabelled=True)
    sizes = []
    for ply, (rows, _) in enumerate(levels_of(data, is_relabelled=True)):
        plain = {Position(p.x_mask, p.o_mask, 0, 0, p.active) for p in positions[ply]}
        for permutation in GENERATORS:
            assert {Position(*relabel_position(permutation, p)[:2], 0, 0, relabel_position(permutation, p)[2])
                    for p in plain} == plain  # fmt: skip
        assert rows == {tuple(int(word) for word in engine.represent(engine.to_array(p))[0]) for p in plain}
        sizes.append((len(rows), len(plain)))
    assert sizes == [(1, 1), (2, 81), (2, 144), (5, 1224), (5, 2520), (18, 21420)]


def failure(data: dict[str, Any], *, is_relabelled: bool) -> tuple[int, int]:
    """Return how many levels were met, and where something failed in the last one (-1: nothing did)."""
    engine = Engine(data, is_relabelled=is_relabelled)
    return len(list(engine.enumerate_levels())), engine.failure[0]


@pytest.mark.parametrize("is_relabelled", [False, True])
def test_what_fails_is_found_at_its_ply(is_relabelled: bool) -> None:
    """A formula that fails at ply 6 first, or at the start, stops the engine there."""
    late = {"name": "late", "type": "keep", "at": ["every"], "holds": ["or", ["<", ["ply"], 6], ["active", 9]]}
    prevented = {"name": "never", "type": "prevent", "goal": ["==", ["ply"], 5], "through": 5}
    at_start = {"name": "late", "type": "keep", "at": ["every"], "holds": [">", ["ply"], 0]}
    assert failure(statement(objectives=[late]), is_relabelled=is_relabelled)[0] == 6
    assert failure(statement(objectives=[prevented]), is_relabelled=is_relabelled)[0] == 5
    assert failure(statement(objectives=[at_start]), is_relabelled=is_relabelled) == (0, 0)
    assert failure(statement(), is_relabelled=is_relabelled) == (8, -1)


def test_a_stuck_strategy_fails() -> None:
    """Where a strategy has no legal move, the engine stops."""
    data = statement("paper", "xavier", horizon=60, objectives=[
        {"name": "not beaten", "type": "prevent", "goal": ["O_wins"], "through": 60}
    ])  # fmt: skip
    strategy = {**data["strategies"]["X"], "phases": data["strategies"]["X"]["phases"][:1]}
    levels, place = failure({**data, "strategies": {"X": strategy}}, is_relabelled=False)
    assert (levels, place >= 0) == (17, True)


def test_limits_leave_the_question_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """More positions or more edges than the limit is an error, not an answer."""
    monkeypatch.setattr(engine_module, "MAX_POSITIONS", 100)
    with pytest.raises(NodeLimitError, match="more than 100 positions"):
        list(Engine(statement(horizon=12), is_relabelled=True).enumerate_levels())
    monkeypatch.undo()
    monkeypatch.setattr(engine_module, "MAX_EDGES", 1000)
    with pytest.raises(NodeLimitError, match="more than 1000 edges"):
        list(Engine(statement(horizon=12), is_relabelled=True).enumerate_levels())
