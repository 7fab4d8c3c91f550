"""Plays from all positions that satisfy ``given``: the kernel decides them as an enumeration without the tool does."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.circuits import Values
from tests.kernel.test_general import both, random_condition, random_rules, write_rules
from tests.kernel.test_general_marks import inputs_of
from tests.kernel.test_rounds import (
    FOUND_FALSE,
    Graph,
    Side,
    State,
    answer,
    find_line,
    find_way_round,
    follow,
    force,
    longest,
    met,
    never,
    random_strategy,
)
from tests.statements import keep, play, plays
from verifier.kernel import plays as kernel_plays
from verifier.kernel import rounds
from verifier.kernel.decide import Memo, decide
from verifier.kernel.games.general import GeneralPosition
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.invariant import derive_steps
from verifier.kernel.obligations import Obligations, derive
from verifier.kernel.verdict import Result

SAMPLES = pytest.mark.parametrize("count", [20, pytest.param(400, marks=pytest.mark.slow)])


def random_starts(count: int) -> Iterator[tuple[random.Random, Graph, Any, set[State]]]:
    """Yield rules, a condition that is true at their start, and all positions in which it is true."""
    for seed in range(count):
        rng = random.Random(seed)
        data = random_rules(rng)
        ranges = [range(least, (1 if most is None else most) + 1) for _, _, least, most, _ in data["state"]]
        sizes = [len(start) for *_, start in data["state"]]
        values = [itertools.product(one, repeat=size) for one, size in zip(ranges, sizes, strict=True)]
        conditions, numbers = values
        graph = Graph(data, [(b, n, turn) for b, n, turn in itertools.product(conditions, numbers, (1, 2))])
        given = rng.choice([True, *(["and", random_condition(rng, 1), random_condition(rng, 1)] for _ in range(5))])
        if graph.after[graph.start] and graph.says(graph.start, given):
            yield rng, graph, given, {here for here in graph.after if graph.says(here, given)}


def random_goal(rng: random.Random) -> Any:
    """Return a goal that plays meet early, late, or never."""
    wide = ["or", *(random_condition(rng, 1) for _ in range(4))]
    return rng.choice([["X_wins"], ["O_wins"], random_condition(rng, 1), wide, wide, ["<", ["n", 0], 0]])


def objectives_of(formula: Any, kept: Any) -> dict[str, Any]:
    return {
        "reach": {"name": "it", "type": "reach", "goal": formula, "by": None},
        "prevent": {"name": "it", "type": "prevent", "goal": formula, "through": None},
        "keep": keep(kept, "every", name="it"),
    }


@SAMPLES
def test_plays_from_all_given_positions_are_decided_as_an_enumeration_says(count: int) -> None:
    """Proved if they hold from each; refuted by a play from one of them, and by none from elsewhere."""
    told: dict[str, int] = {}
    for rng, graph, given, starts in random_starts(count):
        players = rng.choice(["", "", "", "X", "O", "XO"])
        strategies = {player: random_strategy(rng, graph, player) for player in players}
        chooses = {} if players else {"chooses": False}
        after, broken, _ = follow(graph, strategies)
        formula = random_goal(rng)
        kept = rng.choice([random_condition(rng, 2), [">=", ["n", rng.randrange(2)], 0]])
        goal = {here for here in after if graph.says(here, formula)}
        until = {here: {} if here in goal else there for here, there in after.items()}
        stopped = broken - goal
        bad = {"prevent": goal, "keep": {here for here in after if not graph.says(here, kept)}}
        for kind, objective in objectives_of(formula, kept).items():
            said = play(
                graph.data, graph.text(graph.start), objective,
                given=given, claimant=rng.choice(players or "X"), strategies=strategies, **chooses,
            )  # fmt: skip
            paths, wrong = (until, stopped) if kind == "reach" else (after, broken | bad[kind])
            left = never(until, goal) - stopped
            fails = {s for s in starts if met(s, paths) & wrong or (kind == "reach" and s in left)}
            found = answer(said, "proved", {})
            assert isinstance(found, Result) == (not fails), (found, said)
            assert isinstance(found, Result) or found in FOUND_FALSE
            key = f"{kind} proved"
            if isinstance(found, Result):
                assert found.stats["positions"] == len(set().union(*(met(start, paths) for start in starts)))
                if kind == "reach":
                    assert found.stats["bound"] == max(longest(start, until, goal) for start in starts)
            else:
                key = f"{kind} refuted"
                start = rng.choice(sorted(fails))
                if met(start, paths) & wrong:
                    line = find_line(start, paths, wrong)
                else:
                    line = find_way_round(start, until, left)
                evidence = {"objective": "it", "start": graph.text(start), "line": line}
                assert isinstance(answer(said, "refuted", evidence), Result), (evidence, said)
                assert answer(said, "refuted", {"objective": "it", "line": line}) == "malformed"
            others = sorted({*after} - starts)
            for other in [rng.choice(others)] if others else []:
                assert (
                    answer(said, "refuted", {"objective": "it", "start": graph.text(other), "line": []})
                    == "not-refuted"
                )
                told["elsewhere"] = told.get("elsewhere", 0) + 1
            told[key] = told.get(key, 0) + 1
    assert len(told) == 7
    assert min(told.values()) >= count // 30, told


@SAMPLES
def test_tables_from_all_given_positions_are_decided_as_an_enumeration_says(count: int) -> None:
    """One table of the claimant's for all of them; or a table of the opponent's from one of them."""
    told: dict[str, int] = {}
    for rng, graph, given, starts in random_starts(count):
        goal_formula = random_goal(rng)
        claimant = rng.choice("XO")
        opponent = {"X": "O", "O": "X"}[claimant]
        goal = {here for here in graph.after if graph.says(here, goal_formula)}
        for kind in ("reach", "prevent"):
            player = claimant if kind == "reach" else opponent
            forced = force(player, {h: {} if h in goal else a for h, a in graph.after.items()}, goal)
            held = starts & {*forced} if kind == "reach" else starts - {*forced}
            objective = objectives_of(goal_formula, True)[kind]
            said = play(graph.data, graph.text(graph.start), objective, given=given, claimant=claimant)
            is_proof = held == starts
            is_forced = is_proof == (kind == "reach")
            moves = {}
            for here, legal in graph.after.items():
                rank = sorted(legal, key=lambda text: forced.get(legal[text], 999))
                moves[here] = rank[:1] if is_forced else [t for t in rank if legal[t] not in forced][:1] or rank[:1]
            side = Side(graph, claimant if is_proof else opponent, graph.after, goal if is_forced else set())
            begin = starts if is_proof else {rng.choice(sorted(starts - held))}
            here_met = set().union(*(met(start, side.plays(moves)) for start in begin))
            table = {
                graph.text(here): moves[here]
                for here in here_met
                if side.plays(moves)[here] and " XO"[here[2]] == side.player
            }
            verdict, evidence = "proved", {}
            if not is_proof:
                verdict, evidence = "refuted", {"objective": "it", "start": graph.text(min(begin))}
            found = answer(said, verdict, evidence, table)
            assert isinstance(found, Result), (found, said)
            assert found.stats["positions"] == len(here_met)
            told[f"{kind} {verdict}"] = told.get(f"{kind} {verdict}", 0) + 1
            if table:
                gone = rng.choice(sorted(table))
                less = {text: entry for text, entry in table.items() if text != gone}
                assert answer(said, verdict, evidence, less) == "missing-entry"
            if not is_proof:
                assert not isinstance(answer(said, "proved", {}, table), Result)
                for start in sorted(held)[:1]:  # from there the claimant can do it
                    wrong = {**evidence, "start": graph.text(start)}
                    assert not isinstance(answer(said, verdict, wrong, table), Result)
    assert len(told) == 4
    assert min(told.values()) >= count // 30, told


def formula_of(positions: set[State]) -> Any:
    """Return a formula that is true in these positions and no others."""
    said = []
    for conditions, numbers, turn in sorted(positions):
        bits = [["b", at] if bit else ["not", ["b", at]] for at, bit in enumerate(conditions)]
        said.append(["and", *bits, *(["==", ["n", at], n] for at, n in enumerate(numbers)), ["==", ["turn"], turn]])
    return ["or", *said]


def breaches(obligations: Obligations, game: Any, here: State, start: State) -> set[int]:
    """Return the parts whose assumptions hold, and one of whose breaches is true, of a position and a start."""
    before, begun = (game.without_number(GeneralPosition((*b, *n), turn, 0)) for b, n, turn in (here, start))
    inputs = inputs_of(obligations.before, game, before) | inputs_of(obligations.start, game, begun)
    values, found = Values(obligations.circuit, inputs), set()
    for part in obligations.preconditions:
        is_meant = all(values[literal] for literals in part.assumptions.values() for literal in literals)
        if is_meant and any(values[literal] for _, literal in part.breaches):
            found.add(part.part)
    return found


@SAMPLES
def test_an_invariant_says_the_same_of_all_given_positions(count: int) -> None:
    """The positions that plays come to are an invariant and are kept; without one of them, both ways find a fault."""
    told = 0
    for rng, graph, *_ in random_starts(count // 3):
        starts = {graph.start, *rng.sample(sorted(graph.after), 2)}
        given, reached = formula_of(starts), set().union(*(met(start, graph.after) for start in starts))
        if not 4 < len(reached) < 40:
            continue
        gone, game = rng.choice(sorted(reached)), parse_rules(graph.data)
        for kept in (reached, reached - {gone}):
            formula, more = formula_of(kept), {"given": given, "chooses": False}
            said = play(graph.data, graph.text(graph.start), keep(formula), **more)
            walked = answer(said, "proved", {})
            evidence = {"invariant": {player: [["kept", formula]] for player in "XO"}}
            obligations = derive(derive_steps(said, evidence))
            before = [here for here in graph.after if here == gone or gone in graph.after[here].values()]
            sample = {*before, *rng.sample(sorted(graph.after), 10)}
            pairs = [pair for here in sample for pair in ((here, min(starts)), (min(starts), here))]
            is_breached = any(breaches(obligations, game, here, start) for here, start in pairs)
            assert isinstance(walked, Result) == (not is_breached) == (kept == reached), (walked, said)
            assert isinstance(walked, Result) or walked == "not-keep"
        told += 1
    assert told >= count // 30, told


ADD = [[["n"], ["+", ["n"], 1]]]
COUNTER = write_rules([["n", [], 0, 60, [0]]], [["add", [0], both(["<", ["n"], 60], ADD)]], [])
GOAL = {"name": "goal", "type": "reach", "goal": ["==", ["n"], 60], "by": None}
FULL = {**GOAL, "type": "keep", "at": ["every"], "holds": ["<=", ["n"], 60]}
del FULL["goal"], FULL["by"]
LATE = [">=", ["n"], 40]


def counted(objective: Any, **changes: Any) -> dict[str, Any]:
    return play(COUNTER, "50 X 0", objective, **{"given": LATE, "chooses": False, **changes})


@pytest.mark.parametrize(
    "statement",
    [
        counted(FULL, horizon=70),
        counted(FULL, given=["and", LATE, ["<", ["ply"], 9]]),
        counted({**FULL, "holds": [">=", ["n"], ["old", ["n"]]]}),
        counted({**GOAL, "by": 60}),
        counted({**FULL, "at": ["start"]}),
        counted(FULL, strategies={"X": plays([0])}, claimant="X", chooses=True),
        counted({**FULL, "type": "some"}),
    ],
)
def test_what_a_walk_cannot_say_of_all_given_positions_is_refused(statement: Any) -> None:
    """Numbers of moves, ``old``, some play: a walk has each position once, wherever its play started."""
    assert answer(statement, "proved", {}) == "malformed"


def test_given_positions_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as allowed are gone through, and not one more; each may add some moves to the walk."""
    found = answer(counted(GOAL), "proved", {})
    assert isinstance(found, Result)
    assert found.stats == {"positions": 42, "edges": 40, "leaves": 2, "bound": 20}
    for limit, most in (("MAX_ENUMERATED", 122), ("MAX_STARTS", 42)):
        for number, told in ((most, "proved"), (most - 1, "limit")):
            with monkeypatch.context() as patch:
                patch.setattr(rounds, limit, number)
                answered = answer(counted(GOAL), "proved", {})
                assert (str(answered.verdict) if isinstance(answered, Result) else answered) == told
    monkeypatch.setattr(kernel_plays, "MAX_EDGES", -780)
    assert isinstance(answer(counted(GOAL), "proved", {}), Result)
    monkeypatch.setattr(kernel_plays, "MAX_EDGES", -781)
    assert answer(counted(GOAL), "proved", {}) == "limit"


def test_a_walk_is_shared_only_with_what_starts_at_the_same_positions() -> None:
    """The formulas that ``given`` uses belong to the plays, also if no strategy uses them."""
    memo, read = Memo(), dict[str, bytes]().__getitem__
    for least, positions in ((40, 42), (50, 22), (40, 42)):
        said = counted(FULL, given=["use", 0], formulas=[[">=", ["n"], least]])
        assert decide(said, "proved", {}, read, memo).stats["positions"] == positions
    assert len(memo.walks) == 2
