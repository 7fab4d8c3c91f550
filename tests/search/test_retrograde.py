"""Retrograde analysis agrees with trying every move, and the kernel accepts its tables."""

import functools
import multiprocessing
import random
from collections import Counter
from typing import Any

import pytest

from tests.bench.cells import cells
from tests.kernel.test_general import (
    nim,
    plain_moves,
    plain_outcome,
    random_condition,
    random_rules,
    value_of,
    write_rules,
)
from tests.kernel.test_rounds import follow, force, random_strategy
from tests.kernel.test_starts import random_goal, random_starts
from tests.statements import play, prevent, reach
from verifier.kernel.decide import decide
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.statement import parse_statement
from verifier.pool import call_or_begin
from verifier.questions.can.evidence import decide_start, find_moves, search
from verifier.questions.compile import compile_reading
from verifier.questions.compiler import CompiledReading
from verifier.questions.finding import Task, pack_table
from verifier.search.resources import DEFAULT_MEMORY_MIB
from verifier.search.retrograde import UNFORCED, RetrogradeSearch, open_retrograde
from verifier.search.solve import Solver
from verifier.search.walk import NodeLimitError

Plain = tuple[tuple[int, ...], tuple[int, ...], int]
"""The values of the cells b and n, and 1 or 2 for whose turn it is."""


def cells_of(state: Plain) -> dict[str, list[int]]:
    b, n, turn = state
    return {"b": [*b], "n": [*n], "turn": [turn]}


def wins_within(data: Any, goal: Any, attacker: int) -> Any:
    """Return a function that says, by trying every move, whether the attacker forces a goal within some plies."""

    @functools.cache
    def look(state: Plain) -> tuple[bool, list[Plain]]:
        here = cells_of(state)
        after = {} if plain_outcome(data, here) else plain_moves(data, here)
        states = [((*one["b"],), (*one["n"],), one["turn"][0]) for one in after.values()]
        return bool(value_of(goal, here, lambda: False)), states

    @functools.cache
    def is_won(state: Plain, plies: int) -> bool:
        is_goal, after = look(state)
        if is_goal or not plies or not after:
            return is_goal
        values = (is_won(one, plies - 1) for one in after)
        return any(values) if state[2] == attacker else all(values)

    return is_won


def random_games(count: int, name: str) -> Any:
    """Yield the seed, rules whose start is not over, a goal, and the start in a form without the tool."""
    for seed in range(count):
        rng = random.Random(f"{name} {seed}")
        data = random_rules(rng)
        goal = ["and", random_condition(rng, 2), ["or", random_condition(rng, 1), ["==", ["n", 0], rng.randrange(4)]]]
        start = (*data["state"][0][4],), (*data["state"][1][4],), "XO".index(data["turn"]) + 1
        if plain_outcome(data, cells_of(start)) is None:
            yield rng, data, goal, start


def test_distances_are_those_of_trying_every_move() -> None:
    """For all positions of random rules, with extra turns and plays that go round, for either attacker."""
    seen = Counter[str]()
    for _, data, goal, start in random_games(120, "distances"):
        game: Any = parse_rules(data)
        for attacker in (1, 2):
            statement = play(data, game.format_position(game.start), reach(goal, 1000), claimant="XO"[attacker - 1])
            found = open_retrograde(statement, parse_statement(statement))
            assert found is not None
            is_won, states = wins_within(data, goal, attacker), [start]
            for state in states:  # grows while it is read
                here = cells_of(state)
                after = {} if plain_outcome(data, here) or is_won(state, 0) else plain_moves(data, here)
                following = {((*one["b"],), (*one["n"],), one["turn"][0]) for one in after.values()}
                states += sorted(following - {*states})
                seen["extra turn"] += any(one[2] == state[2] for one in following)
            assert len(states) == len(found.graph.numbers)
            won = dict.fromkeys(states, UNFORCED)
            for plies in range(len(states) + 1):  # each time the test goes one move deep: the rest is remembered
                won |= {state: plies for state in states if won[state] == UNFORCED and is_won(state, plies)}
            for state, wanted in won.items():
                packed = found.expander.pack(game.start._replace(values=state[0] + state[1], turn=state[2]))
                assert found.distances[found.graph.numbers[packed]] == wanted
                seen["never" if wanted == UNFORCED else "far" if wanted > 1 else "near"] += 1
    assert min(seen.values()) > 20, seen


def test_distances_in_hare_and_hounds_are_those_of_sweeps() -> None:
    """All 2,116 positions are valued again and again, by the kernel's moves, until nothing changes."""
    game: Any = cells().game("hare-and-hounds")
    statement = play(game.data, game.format_position(game.start), reach(["X_wins"], 1000))
    found = open_retrograde(statement, parse_statement(statement))
    assert found is not None
    start = game.start._replace(ply=0)
    after, pending = {}, [start]
    for position in pending:  # grows while it is read
        moves = {game.play(position, move)._replace(ply=0) for move in game.legal_moves(position)}
        after[position] = moves
        pending += sorted(moves - {*after} - {*pending})
    won = dict.fromkeys((position for position in after if game.outcome(position) == "X"), 0)
    for plies in range(1, len(after)):
        fresh = [
            position
            for position in after.keys() - won.keys()
            if after[position] and (any if game.turn(position) == "X" else all)(one in won for one in after[position])
        ]
        if not fresh:
            break
        won |= dict.fromkeys(fresh, plies)
    assert len(after) == len(found.graph.numbers) == 2116
    for position in after:
        assert found.distances[found.graph.numbers[found.expander.pack(position)]] == won.get(position, UNFORCED)
    assert max(won.values()) > 15


@pytest.mark.parametrize("count", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_random_claims_are_decided_as_by_trying_every_move(count: int) -> None:
    """A player can reach or prevent a goal by some ply, or the opponent's table refutes it. The kernel follows both."""
    verdicts = Counter[tuple[str, str]]()
    for rng, data, goal, start in random_games(count, "claims"):
        game: Any = parse_rules(data)
        by, claimant = rng.randrange(8), rng.choice("XO")
        kind = rng.choice((reach, prevent))
        attacker = "XO".index(claimant) + 1 if kind is reach else 2 - "XO".index(claimant)
        statement = play(data, game.format_position(game.start), kind(goal, by), claimant=claimant, horizon=by)
        solver, is_proved = decide_start(statement, parse_statement(statement), DEFAULT_MEMORY_MIB)
        assert isinstance(solver, RetrogradeSearch)
        assert is_proved is (wins_within(data, goal, attacker)(start, by) == (kind is reach))
        found, held = find_moves(statement, solver)
        digest, files = pack_table(found, held)
        evidence = {"table": digest} if is_proved else {"table": digest, "objective": "goal"}
        verdict = "proved" if is_proved else "refuted"
        assert str(decide(statement, verdict, evidence, files.__getitem__).verdict) == verdict
        verdicts[kind.__name__, verdict] += 1
    assert len(verdicts) == 4
    assert min(verdicts.values()) >= 3, verdicts


SLOW = ("drop-four-not-o", "drop-four-never-x", "drop-four-x-at-last")
"""Readings about Connect Four. Of its readings, the quick tests have one that is proved and one that is refuted."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW))
        for name in cells().claim("cells").readings
        if "wide" not in name
    ],
)
def test_named_games_have_their_known_values(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Connect Four on 4 by 4, with 161,029 positions, is a draw. The hounds catch the hare."""
    monkeypatch.setattr("verifier.search.retrograde.FEW_LISTED", 20_000)  # Connect Four is listed up to symmetry
    reading, statement = cells().claim("cells").readings[name], compile_reading(cells(), "cells", name).statement
    assert statement is not None
    solver, is_proved = decide_start(statement, parse_statement(statement), DEFAULT_MEMORY_MIB)
    assert isinstance(solver, RetrogradeSearch)
    assert is_proved is (reading.expect == "proved")
    if name.startswith("drop-four"):  # the board has a mirror image, so about half of the positions are listed
        assert solver.symmetries is not None
        listed = [solver.expander.unpack(packed) for packed in solver.graph.numbers]
        images = {(tuple([at.values[s] for s in one]), at.turn) for at in listed for one in solver.symmetries.group}
        assert (len(solver.symmetries.group), len(images)) == (2, 161_029)


NIM = play(nim(2, 3, 4), "2.3.4 X 0", reach(["X_wins"], 9), horizon=9)


def test_an_early_win_is_found_although_not_all_positions_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """X counts to 2 with his second move, whatever the other counter shows then."""
    more = [[f"more-{k}", [k], {p: [True, [[["n", 1], ["+", ["n", 1], k]]]] for p in "XO"}] for k in range(1, 40)]
    count = ["count", [0], {"X": [["<", ["n", 0], 2], [[["n", 0], ["+", ["n", 0], 1]]]]}]
    data = write_rules([["n", [2], 0, 999, [0, 0]]], [count, *more], [])
    statement = play(data, "0.0 X 0", reach(["==", ["n", 0], 2], 900), horizon=900)
    monkeypatch.setattr("verifier.search.retrograde.MAX_LISTED", 700)
    found = open_retrograde(statement, parse_statement(statement))
    assert found is not None
    assert not found.graph.is_whole
    assert found.is_won(found.statement.start)
    assert found.distances[0] == 3


def test_too_many_positions_are_reported_and_searched_by_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says how far the search came, even if the search by plays, which follows, gives up as well.

    Heaps may be exchanged, so 2.2.4 and 2.3.3 and so on stand for other positions as well.
    """
    statement = parse_statement(NIM)
    monkeypatch.setattr("verifier.search.retrograde.MAX_LISTED", 30)
    found = open_retrograde(NIM, statement)
    assert found is not None
    found_so_far = r"the search listed 33 positions \(images count once\), and the last plies had 1, 9, 20 new ones"
    told = f"{found_so_far}: X cannot reach the goal by ply 1; whether X can reach the goal by ply 2 is not known."
    with pytest.raises(NodeLimitError, match=told):
        found.is_won(statement.start)
    solver, is_won = decide_start(NIM, statement, DEFAULT_MEMORY_MIB)
    assert (type(solver), is_won) == (Solver, True)
    monkeypatch.setattr("verifier.search.solve.MAX_SOLVED", 5)
    with pytest.raises(NodeLimitError, match=told):
        decide_start(NIM, statement, DEFAULT_MEMORY_MIB)


@pytest.mark.parametrize("count", [60, pytest.param(500, marks=pytest.mark.slow)])
def test_random_claims_without_a_last_ply_are_decided_as_by_sweeps(count: int) -> None:
    """The goal is reached within as many moves as there are positions, or never, however long play goes on."""
    verdicts = Counter[tuple[str, str]]()
    for rng, data, goal, start in random_games(count, "rounds"):
        game: Any = parse_rules(data)
        claimant, kind = rng.choice("XO"), rng.choice((reach, prevent))
        attacker = "XO".index(claimant) + 1 if kind is reach else 2 - "XO".index(claimant)
        is_won, states = wins_within(data, goal, attacker), [start]
        for state in states:  # grows while it is read
            after = {} if plain_outcome(data, cells_of(state)) else plain_moves(data, cells_of(state))
            found = {((*one["b"],), (*one["n"],), one["turn"][0]) for one in after.values()}
            states += sorted(found - {*states})
        won = [sum(is_won(state, plies) for state in states) for plies in range(len(states) + 1)]
        assert won == sorted(won)
        bound = {"by" if kind is reach else "through": None}
        statement = play(data, game.format_position(game.start), {**kind(goal, 0), **bound}, claimant=claimant)
        solver, is_proved = decide_start(statement, parse_statement(statement), DEFAULT_MEMORY_MIB)
        assert isinstance(solver, RetrogradeSearch)
        assert is_proved is (is_won(start, len(states)) == (kind is reach))
        table, held = find_moves(statement, solver)
        digest, files = pack_table(table, held)
        evidence = {"table": digest} if is_proved else {"table": digest, "objective": "goal"}
        verdict = "proved" if is_proved else "refuted"
        assert str(decide(statement, verdict, evidence, files.__getitem__).verdict) == verdict
        verdicts[kind.__name__, verdict] += 1
    assert len(verdicts) == 4
    assert min(verdicts.values()) >= 3, verdicts


@pytest.mark.parametrize("count", [120, pytest.param(600, marks=pytest.mark.slow)])
def test_claims_of_strategies_and_of_many_starts_are_decided_as_by_sweeps(count: int) -> None:
    """The claimant needs a way from each start. A strategy that breaks down before the goal loses the claim."""
    verdicts = Counter[tuple[str, str, str]]()
    for rng, graph, given, starts in random_starts(count):
        claimant, kind = rng.choice("XO"), rng.choice((reach, prevent))
        strategies = {player: random_strategy(rng, graph, player) for player in rng.choice(["", "X", "O", "XO"])}
        after, broken, _ = follow(graph, strategies, claimant)
        formula = random_goal(rng)
        goal = {here for here in after if graph.says(here, formula)}
        attacker, ends = (claimant, goal) if kind is reach else ("OX"[claimant == "O"], goal | broken)
        forced = {*force(attacker, {here: {} if here in ends else moves for here, moves in after.items()}, ends)}
        more = {"given": given} if rng.random() < 0.7 else {}
        begins = starts if more else {graph.start}
        is_true = begins <= forced if kind is reach else begins.isdisjoint(forced)
        bound = {"by" if kind is reach else "through": None}
        chooses = {"chooses": True} if claimant in strategies else {}
        statement = play(
            graph.data, graph.text(graph.start), {**kind(formula, 0), **bound},
            claimant=claimant, strategies=strategies, **more, **chooses,
        )  # fmt: skip
        solver, is_proved = decide_start(statement, parse_statement(statement), DEFAULT_MEMORY_MIB)
        assert isinstance(solver, RetrogradeSearch)
        assert is_proved is is_true
        found = search(Task(cells(), "cells", "wide", CompiledReading(statement)))
        assert found.evidence is not None
        verdict = "proved" if is_proved else "refuted"
        assert str(decide(statement, verdict, found.evidence, found.files.__getitem__).verdict) == verdict
        verdicts[kind.__name__, verdict, "many starts" if more else "one start"] += 1
    assert len(verdicts) == 8
    assert min(verdicts.values()) >= count // 100, verdicts


def test_more_memory_allows_more_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """With twice the memory, twice as many positions are listed."""
    monkeypatch.setattr("verifier.search.retrograde.MAX_LISTED", 30)
    most = []
    for memory in (DEFAULT_MEMORY_MIB, 2 * DEFAULT_MEMORY_MIB):
        found = open_retrograde(NIM, parse_statement(NIM), memory)
        assert found is not None
        most.append(found.graph.most)
    assert most == [30, 60]


@pytest.mark.parametrize("goal", [["==", ["ply"], 3], ["and", ["X_wins"], ["<", ["ply"], 9]]])
def test_a_goal_with_the_number_of_moves_is_searched_by_plays(goal: Any) -> None:
    data = play(nim(1, 2, 2), "1.2.2 X 0", reach(goal, 5), horizon=5)
    assert open_retrograde(data, parse_statement(data)) is None
    assert isinstance(decide_start(data, parse_statement(data), DEFAULT_MEMORY_MIB)[0], Solver)


@pytest.mark.parametrize("is_folded", [False, True])
def test_two_processes_find_the_same_as_one(monkeypatch: pytest.MonkeyPatch, *, is_folded: bool) -> None:
    """The positions come in the same order and with the same numbers, so tables are equal to the byte."""
    data = play(nim(3, 4, 4), "3.4.4 X 0", reach(["X_wins"], 99), horizon=99)
    monkeypatch.setattr("verifier.search.retrograde.FEW_FIRST", 0 if is_folded else 10**6)
    monkeypatch.setattr("verifier.search.parted.MANY_AT_A_PLY", 8)
    sent: list[int] = []

    def begin(pool: Any, function: Any, texts: Any, level: Any) -> Any:
        sent.append(len(level))
        return call_or_begin(pool, function, texts, level)

    monkeypatch.setattr("verifier.search.parted.call_or_begin", begin)
    found = [open_retrograde(data, parse_statement(data), may_part=may_part) for may_part in (False, True)]
    one, two = ((search.graph, [*search.distances], search.symmetries) for search in found if search is not None)
    assert sum(sent) > 10
    assert (one[2] is None, two[2] is None) == (not is_folded, not is_folded)
    assert (one[0].numbers, one[0].kinds, one[0].levels, one[1]) == (
        two[0].numbers,
        two[0].kinds,
        two[0].levels,
        two[1],
    )
    assert not multiprocessing.active_children()
