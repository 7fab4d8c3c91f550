"""Whole enumerations: the engine meets the positions that the kernel's rules lead to, and finds what fails."""

from __future__ import annotations

import types
from collections import Counter
from typing import Any

import pytest

from tests.search.plays import ONE_EACH, statement
from verifier.kernel.check import check_refutation
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.nested import Position
from verifier.kernel.relabel import GENERATORS, relabel_position
from verifier.kernel.sample import check_sample
from verifier.kernel.statement import parse_statement
from verifier.kernel.verdict import Verdict
from verifier.search.compiled import engine as engine_module
from verifier.search.compiled import level as level_module
from verifier.search.compiled import program as program_module
from verifier.search.compiled.engine import Engine
from verifier.search.compiled.rules import find_legal, play
from verifier.search.jit import Array, compiled
from verifier.search.walk import NodeLimitError, explore


def levels_of(data: dict[str, Any]) -> list[tuple[set[tuple[int, ...]], int]]:
    """Return the rows and the edges of each level that is kept."""
    return [
        ({tuple(int(word) for word in row) for row in level.rows[: level.count]}, level.edges)
        for level, _ in Engine(data).enumerate_levels()
    ]


def walk_of(data: dict[str, Any]) -> tuple[dict[int, set[Any]], Counter[int]]:
    """Return the positions and the edges of each ply, from the walk in Python."""
    plays = {key: value for key, value in data.items() if key not in ("symmetry", "sample", "seed")}
    found = explore(parse_statement({**plays, "kind": "play"}))
    game = found.statement.game
    positions: dict[int, set[Any]] = {}
    edges: Counter[int] = Counter()
    for position, moves in found.edges.items():
        positions.setdefault(game.ply(position), set()).add(position)
        edges[game.ply(position)] += len({move for _, move, _ in moves})
    return positions, edges


def check(data: dict[str, Any]) -> Any:
    engine = Engine(data)
    found = engine.enumerate()
    assert found.objective is None
    return check_sample(engine.plan, {"start": found.start, "levels": found.levels})


@pytest.mark.parametrize(
    "data",
    [
        statement("paper", "lbs", horizon=6),
        statement("paper-play-on", "lbs", horizon=6, symmetry="none"),
        statement("paper", "xavier", horizon=81, objectives=[
            {"name": "not beaten", "type": "prevent", "goal": ["O_wins"], "through": 81}
        ]),
    ],
    ids=["lbs", "lbs-play-on", "xavier-whole-game"],
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
    engine = Engine(data)
    sizes = []
    for ply, (rows, _) in enumerate(levels_of(data)):
        plain = {Position(p.x_mask, p.o_mask, 0, 0, p.active) for p in positions[ply]}
        for permutation in GENERATORS:
            assert {Position(*relabel_position(permutation, p)[:2], 0, 0, relabel_position(permutation, p)[2])
                    for p in plain} == plain  # fmt: skip
        assert rows == {tuple(int(word) for word in engine.represent(engine.to_array(p))[0]) for p in plain}
        sizes.append((len(rows), len(plain)))
    assert sizes == [(1, 1), (2, 81), (2, 144), (5, 1224), (5, 2520), (18, 21420)]


@pytest.mark.parametrize("symmetry", ["none", "relabelling"])
def test_the_kernel_accepts_the_sample(symmetry: str) -> None:
    """The sample is proof for the kernel, which counts what the engine counted."""
    result = check(statement(symmetry=symmetry, horizon=8 if symmetry == "none" else 12))
    assert result.verdict == Verdict.PROVED
    assert "seed 7" in result.trust
    whole = check(statement(symmetry=symmetry, horizon=3, sample=200))
    assert "all" in whole.trust
    assert "seed" not in whole.trust


def refute(data: dict[str, Any]) -> tuple[str, list[Any]]:
    """Return the objective that fails and the line, which the kernel has replayed."""
    engine = Engine(data)
    found = engine.enumerate()
    assert found.objective is not None
    moves = [engine.statement.game.format_move(move) for move in found.line]
    result = check_refutation(engine.statement, found.objective, None, moves)
    assert result.verdict == Verdict.REFUTED
    return found.objective, moves


@pytest.mark.parametrize("symmetry", ["none", "relabelling"])
def test_a_refutation_is_a_line_from_the_start(symmetry: str) -> None:
    """What fails is shown by a shortest play, which the kernel replays."""
    late = {"name": "late", "type": "keep", "at": ["every"], "holds": ["or", ["<", ["ply"], 6], ["active", 9]]}
    one = {"name": "one each", "type": "keep", "at": ["every"], "holds": ONE_EACH}
    prevented = {"name": "never", "type": "prevent", "goal": ["==", ["ply"], 5], "through": 5}
    assert len(refute(statement(symmetry=symmetry, objectives=[one, late]))[1]) == 6
    assert refute(statement(symmetry=symmetry, objectives=[one, late]))[0] == "late"
    assert refute(statement(symmetry=symmetry, objectives=[prevented]))[0] == "never"
    assert len(refute(statement(symmetry=symmetry, objectives=[prevented]))[1]) == 5
    at_start = {"name": "late", "type": "keep", "at": ["every"], "holds": [">", ["ply"], 0]}
    assert refute(statement(symmetry=symmetry, objectives=[at_start])) == ("late", [])


def test_a_stuck_strategy_is_refuted_by_a_line() -> None:
    """Where a strategy has no legal move, the line ends there."""
    data = statement("paper", "xavier", horizon=60, objectives=[
        {"name": "not beaten", "type": "prevent", "goal": ["O_wins"], "through": 60}
    ])  # fmt: skip
    strategy = {**data["strategies"]["X"], "phases": data["strategies"]["X"]["phases"][:1]}
    objective, moves = refute({**data, "strategies": {"X": strategy}})
    assert objective == "not beaten"
    assert len(moves) == 16


def test_limits_leave_the_question_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """More positions or more edges than the limit is an error, not an answer."""
    monkeypatch.setattr(engine_module, "MAX_POSITIONS", 100)
    with pytest.raises(NodeLimitError, match="more than 100 positions"):
        Engine(statement(horizon=12)).enumerate()
    monkeypatch.undo()
    monkeypatch.setattr(engine_module, "MAX_EDGES", 1000)
    with pytest.raises(NodeLimitError, match="more than 1000 edges"):
        Engine(statement(horizon=12)).enumerate()


@pytest.mark.parametrize("rules", ["closed-open-fields", "tictactoe", "chess"])
def test_other_rules_are_refused(rules: str) -> None:
    """The engine says which rules it plays."""
    with pytest.raises(SpecError, match="knows the rules"):
        Engine({**statement(), "rules": rules})


# -- engines that are broken -------------------------------------------------------------------------------------------


def reason_of_rejection(data: dict[str, Any]) -> str:
    with pytest.raises(CertificateError) as caught:
        check(data)
    return caught.value.reason


def test_a_wrong_word_is_caught_by_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that takes X for O in a strategy is caught when the kernel compares the moves."""
    monkeypatch.setitem(program_module._PLANES, "X", 9)
    objective = {"name": "trivial", "type": "keep", "at": ["every"], "holds": [">=", ["ply"], 0]}
    assert reason_of_rejection(statement(horizon=10, objectives=[objective])) == "engines-disagree"


@compiled
def forgetful_find_legal(p: Array, ends_by_win: int, legal: Array) -> int:
    """Leave out Xavier's moves on spot 7."""
    is_open = find_legal(p, ends_by_win, legal)
    if p[21] & 1 == 0:
        for f in range(9):
            legal[f] &= ~128
    return is_open


@compiled
def misleading_play(p: Array, f: int, s: int, with_owners: int, q: Array) -> None:
    """Send from spot 7 to field 6."""
    play(p, f, s, with_owners, q)
    if s == 7:
        q[18] = 6


def rebuild(function: Any, **changes: Any) -> Any:
    """Return a compiled function in which some names mean something else."""
    plain = function.py_func
    return compiled(types.FunctionType(plain.__code__, {**plain.__globals__, **changes}, plain.__name__))


@pytest.mark.parametrize("fault", ["legal", "play"])
def test_a_wrong_move_is_caught_by_the_sample(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code that forgets a legal move, or sends the opponent to a wrong field, is caught."""
    changes: dict[str, Any] = {"play": misleading_play} if fault == "play" else {}
    if fault == "legal":
        changes["find_moves"] = rebuild(level_module.find_moves, find_legal=forgetful_find_legal)
        monkeypatch.setattr(engine_module, "find_moves", changes["find_moves"])
    else:
        monkeypatch.setattr(engine_module, "play", misleading_play)
    monkeypatch.setattr(engine_module, "expand", rebuild(level_module.expand, **changes))
    holds = [">=", ["ply"], 0]
    data = statement(
        symmetry="none", objectives=[{"name": "it holds", "type": "keep", "at": ["every"], "holds": holds}]
    )
    reasons = {"play": ("relabelling", "malformed"), "legal": ("engines-disagree",)}
    assert reason_of_rejection({**data, "horizon": 5}) in reasons[fault]


@pytest.mark.parametrize("move", [-1, 40])
def test_a_false_alarm_refutes_nothing(move: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the engine says that something fails and it does not, the kernel rejects the line, or there is none."""
    monkeypatch.setattr(engine_module, "expand", lambda *arguments: (arguments[9], 0, 0, move))
    with pytest.raises(CertificateError) as caught:
        refute(statement())
    assert caught.value.reason in ("not-refuted", "engines-disagree")


@pytest.mark.parametrize("fault", ["lost", "mark", "active", "edge"])
@pytest.mark.parametrize("symmetry", ["none", "relabelling"])
def test_a_wrong_level_is_caught_by_the_sample(fault: str, symmetry: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that loses a position, moves a mark or changes the active field is caught."""
    expand = level_module.expand

    def broken(*arguments: Any) -> tuple[int, int, int, int]:
        count, edges, place, move = expand(*arguments)
        rows, table = arguments[6], arguments[8]
        if count and rows[0, 2] >> 36 & 15 != 9:
            if fault == "lost":
                count -= 1
            elif fault == "mark":
                rows[0, 0] ^= 3
            elif fault == "active":
                rows[0, 2] ^= 1 << 36
            else:
                edges += 1
            table[:] = -1
            level_module.fill(rows, count, table)
        return count, edges, place, move

    monkeypatch.setattr(engine_module, "expand", broken)
    reasons = ("count", "engines-disagree", "malformed", "not-kept", "relabelling", "stuck")
    assert reason_of_rejection(statement(symmetry=symmetry, horizon=6, sample=200)) in reasons
