"""Compiled rules of cells play as the kernel does."""

import random
from typing import Any

import pytest

from tests.audit.made import MADE
from tests.kernel.test_general import boxes, chomp, nim, race, random_condition, random_number, random_rules, tictactoe
from tests.rules import load_library
from verifier.kernel.errors import SpecError
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.games.registry import parse_rules
from verifier.search.packed import PackedRules, UnreadableWordError

LIBRARIES = [load_library(MADE / folder) for folder in ("general", "cells")]
NAMED = {name: library.game(name) for library in LIBRARIES for name in library.rules}


def random_test(rng: random.Random, depth: int) -> Any:
    """Return a formula with any operator, and with the words about the end of a game."""
    if not depth:
        return rng.choice([["over"], ["X_wins"], ["O_wins"], ["use", 0], ["use", 1], random_condition(rng, 1), True])
    head = rng.choice(["and", "or", "not", "implies", "iff", "exactly-one", "==", "!=", "<", "<=", ">", ">=", "use"])
    if head == "use":
        return ["use", rng.randrange(2)]
    if head in ("==", "!=", "<", "<=", ">", ">="):
        parts = [rng.choice([["n", 0], ["use", 2], ["use", 3], random_number(rng, 2), rng.randrange(5)]) for _ in "ab"]
        return [head, *parts]
    count = {"not": 1, "implies": 2, "iff": 2}.get(head, rng.randrange(4))
    return [head, *(random_test(rng, depth - 1) for _ in range(count))]


def levels(game: Any, plies: int, most: int) -> list[Any]:
    """Return the positions up to a ply, up to a maximum number."""
    level, found = {game.start}, list[Any]()
    for _ in range(plies + 1):
        found += sorted(level)[: most - len(found)]
        level = {game.play(position, move) for position in level for move in game.legal_moves(position)}
        if len(found) >= most:
            break
    return found


def compare(game: Any, positions: list[Any]) -> None:
    """Compare outcomes and legal moves with the kernel's."""
    rules = PackedRules(game.data)
    for position in positions:
        outcome, after = rules.expand(rules.pack(position))
        assert [None, "X", "O", "draw"][outcome] == game.outcome(position)
        assert after == [rules.pack(game.play(position, move)) for move in game.legal_moves(position)]


@pytest.mark.parametrize("name", [*NAMED])
def test_the_rules_of_a_file_play_as_in_the_kernel(name: str) -> None:
    compare(NAMED[name], levels(NAMED[name], 12, 1500))


@pytest.mark.parametrize("data", [nim(3, 4, 5), chomp(2, 4), tictactoe(), boxes(), race()], ids=range(5))
def test_rules_as_data_play_as_in_the_kernel(data: Any) -> None:
    """Nim, Chomp, tic-tac-toe, Dots and Boxes with its extra turns, and two men who run round."""
    game = parse_rules(data)
    compare(game, levels(game, 9, 1500))


def test_random_rules_and_goals_have_the_kernels_values() -> None:
    """In random rule sets and thousands of positions, with used entries, and with each goal compiled in both ways."""
    met = held = 0
    for seed in range(120):
        rng = random.Random(f"packed {seed}")
        data = random_rules(rng)
        data["formulas"] = [random_condition(rng, 2), random_number(rng, 2)]
        if not isinstance(data["formulas"][0], list) or not isinstance(data["formulas"][1], list):
            continue
        data["moves"][0][2] = {
            player: [["or", ["use", 0], guard], [*changes, *([[["n", 1], ["use", 1]]] if len(changes) < 2 else [])]]
            for player, (guard, changes) in data["moves"][0][2].items()
            if ["n", 1] not in [cell for cell, _ in changes]
        } or {"X": [["use", 0], [[["n", 1], ["use", 1]]]]}
        try:
            game: Any = parse_rules(data)
        except SpecError:  # an entry is not used, or the game is over at the start
            continue
        positions = levels(game, 6, 100)
        compare(game, positions)
        entries = [["or", random_condition(rng, 2)], ["not", ["use", 0]], ["+", ["n", 0], 1], ["if", ["use", 1], 2, 0]]
        rules, compiler = PackedRules(data), FormulaCompiler(game, entries)
        for _ in range(4):
            goal = random_test(rng, 2)
            ours, theirs = rules.compile_goal(goal, entries), compiler.compile(goal)
            for position in positions:
                packed = rules.pack(position)
                assert ours(packed, rules.expand(packed)[0]) is theirs(position, position)
                held += theirs(position, position)
                met += 1
    assert met - held > 2_000 < held


@pytest.mark.parametrize("goal", [["==", ["ply"], 3], ["and", ["over"], ["old", ["over"]]]])
def test_a_goal_that_needs_more_than_the_position_is_refused(goal: Any) -> None:
    with pytest.raises(UnreadableWordError):
        PackedRules(nim(1, 2)).compile_goal(goal, [])
