"""Claims with ``can`` and strategies that may break down get the verdict that a search by the definition gives."""

import random
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from tests.rules import rules_data
from tests.statements import play, prevent, reach, rule, strategy
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.plays import oppose
from verifier.kernel.statement import Statement, parse_statement
from verifier.questions.can import evidence as can
from verifier.questions.finding import ProcessMemo, pack_table
from verifier.search.resources import Resources
from verifier.search.walk import explore, find_legal

GAME = parse_rules(rules_data("tictactoe"))
STATEMENTS, TABLES = 150, 3
SAMPLES = pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))])


def random_statement(chance: random.Random) -> dict[str, Any]:
    """Return a claim from a late position, of players who follow strategies that often have no legal move."""
    position = GAME.start
    for _ in range(chance.choice([3, 4, 5])):
        position = GAME.play(position, chance.choice(GAME.legal_moves(position)))
    if GAME.is_over(position):
        return random_statement(chance)
    claimant, ply = chance.choice("XO"), GAME.ply(position)
    owners = [player for player in "XO" if chance.random() < 0.7] or ["X"]
    strategies = {player: random_strategy(chance, player) for player in owners}
    one = [chance.choice("XO"), chance.randrange(9)]
    goal = chance.choice([["X_wins"], ["O_wins"], one, ["and", one, ["X", chance.randrange(9)]]])
    by = ply + chance.choice([0, 1, 2, 3, 4, 9])
    objective = chance.choice([reach, prevent])(goal, by)
    more: dict[str, Any] = {"chooses": True} if claimant in owners else {}
    more["horizon"] = chance.choice([by, None])
    return play(
        "tictactoe", GAME.format_position(position), objective, claimant=claimant, strategies=strategies, **more
    )


def random_strategy(chance: random.Random, player: str) -> dict[str, Any]:
    """Return a strategy of a few rules: each allows some spots where they are free, or now and then anyway."""
    spots = [[chance.randrange(9) for _ in range(chance.choice([1, 2, 4]))] for _ in range(chance.choice([1, 2, 3]))]
    rules = [[(chance.random() < 0.1 or ["free", s], [s]) for s in each] for each in spots]
    return strategy(*(rule(f"rule-{i}", *choices) for i, choices in enumerate(rules)), player=player)


def is_true(statement: Statement) -> bool:
    """Say whether a claim is true: the claimant can play so that no strategy breaks down and every play is as said."""
    (objective,), claimant = statement.objectives, statement.claimant

    def choices_at(position: Any) -> set[Any]:
        mover, legal = GAME.turn(position), set(GAME.legal_moves(position))
        if mover not in statement.strategies:
            return legal
        moves = {move for _, move in statement.strategies[mover](position)}
        if mover == claimant:
            return moves & legal
        return moves if moves <= legal else set()

    def holds(position: Any, has_come: bool) -> bool:
        ply = GAME.ply(position)
        has_come = has_come or (ply <= objective.bound and objective.test(position))
        if GAME.is_over(position) or ply == statement.horizon:
            return has_come == (objective.type == "reach")
        choices = choices_at(position)
        judge = any if GAME.turn(position) == claimant else all
        return bool(choices) and judge(holds(GAME.play(position, move), has_come) for move in choices)

    return holds(statement.start, False)


def play_at_random(chance: random.Random, side: Statement, position: Any) -> list[Any]:
    """Return a move that the player to move may make, if there is one."""
    choices = find_legal(side, position)
    return [chance.choice(choices)[1]] if choices else []


@SAMPLES
def test_can_is_decided_even_if_strategies_break_down(seed: int) -> None:
    """A search finds evidence for each claim, true or false, and the kernel accepts it. Both verdicts occur often."""
    chance, met = random.Random(seed), dict.fromkeys(["proved", "refuted by a play", "refuted by a table"], 0)
    for _ in range(STATEMENTS):
        data = random_statement(chance)
        task: Any = SimpleNamespace(statement=data, reading=None, resources=Resources(), memo=ProcessMemo())
        found = can.search(task)
        assert found.evidence is not None
        verdict = str(decide(data, str(found.verdict), found.evidence, found.files.__getitem__).verdict)
        assert verdict == ("proved" if is_true(parse_statement(data)) else "refuted"), data
        met[verdict if verdict == "proved" else f"refuted by a {'play' if 'line' in found.evidence else 'table'}"] += 1
    assert min(met.values()) > STATEMENTS // 10, met


@SAMPLES
def test_no_table_shows_more_than_is_true(seed: int) -> None:
    """A table of random moves never proves a false claim, and never refutes a true one."""
    chance, accepted, refused = random.Random(seed), {"proved": 0, "refuted": 0}, set[str]()
    for _ in range(STATEMENTS):
        data = random_statement(chance)
        statement = parse_statement(data)
        truth = "proved" if is_true(statement) else "refuted"
        for verdict, side in (("proved", statement), ("refuted", oppose(statement, "goal"))):
            for _ in range(TABLES):
                digest, files = pack_table(explore(side, partial(play_at_random, chance, side)))
                evidence = {"table": digest} | ({"objective": "goal"} if verdict == "refuted" else {})
                try:
                    decide(data, verdict, evidence, files.__getitem__)
                except CertificateError as error:
                    refused.add(error.reason)
                    continue
                assert verdict == truth, data
                accepted[verdict] += 1
    assert min(accepted.values()) > STATEMENTS // 10, accepted
    assert refused
    assert refused.isdisjoint({"defect", "malformed"})
