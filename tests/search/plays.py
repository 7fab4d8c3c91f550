"""What the tests of the engine share: random positions, statements, formulas."""

from __future__ import annotations

import functools
import pathlib
import random
from collections.abc import Iterator
from typing import Any

from tests.rules import find_rules, specs
from verifier.kernel.games.nested import VOCABULARY, Nested, Position
from verifier.language.library import Library
from verifier.language.strategy import ground_strategy

SPECS = pathlib.Path(__file__).parents[2] / "specs"
FIELDS = range(9)


@functools.cache
def library() -> Library:
    return specs()


@functools.cache
def strategy(name: str) -> dict[str, Any]:
    return ground_strategy(library(), name)[0]


def xs(f: int) -> Any:
    return ["sum", *(["X", f, s] for s in FIELDS)]


ONE_EACH = ["and", *(["<=", xs(f), 1] for f in FIELDS)]


def statement(rules: str = "paper-play-on", name: str = "lbs", **changes: Any) -> dict[str, Any]:
    """Return a statement about the plays of a strategy: by default that LBS never lets a second X into a field."""
    game = find_rules(rules)
    ground = strategy(name)
    value = {
        "kind": "play",
        "rules": game.data,
        "start": game.format_position(game.start),
        "claimant": ground["player"],
        "horizon": 8,
        "strategies": {ground["player"]: ground},
        "objectives": [{"name": "one each", "type": "keep", "at": ["every"], "holds": ONE_EACH}],
    }
    return {**value, **changes}


def random_positions(rules: Nested, count: int, seed: int) -> Iterator[Position]:
    """Yield the positions of random plays; half of these prefer moves into fields with marks, so that fields fill."""
    chance = random.Random(seed)
    position = rules.start
    while count:
        yield position
        count -= 1
        moves = rules.legal_moves(position)
        if not moves:
            position = rules.start
        elif chance.random() < 0.5:
            position = rules.play(position, chance.choice(moves))
        else:
            taken = position.x_mask | position.o_mask
            position = rules.play(
                position, max(moves, key=lambda m: ((taken >> 9 * m[1] & 511).bit_count(), chance.random()))
            )


def random_permutation(chance: random.Random) -> tuple[int, ...]:
    return tuple(chance.sample(range(9), 9))


def random_formula(chance: random.Random, depth: int) -> Any:
    """Return a formula of every kind that the kernel knows, but ``old``."""
    if depth == 0 or chance.random() < 0.15:
        name = chance.choice([*VOCABULARY, "X", "O", "free", "active", True])
        if name is True:
            return chance.random() < 0.5
        return [name, *(chance.randrange(size) for size in VOCABULARY[str(name)])]
    head = chance.choice(["not", "and", "or", "exactly-one", "implies", "iff", "==", "!=", "<", "<=", ">", ">="])
    if head in ("and", "or", "exactly-one"):
        return [head, *_several(chance, depth)]
    if head in ("not", "implies", "iff"):
        return [head, *(random_formula(chance, depth - 1) for _ in range(1 if head == "not" else 2))]
    return [head, _random_term(chance, depth - 1), _random_term(chance, depth - 1)]


def _several(chance: random.Random, depth: int) -> list[Any]:
    """Return some formulas, often marks of one field, sometimes the same one twice."""
    f = chance.randrange(9)
    word = chance.choice(["X", "O", "free"])
    marks = [[word, f, chance.randrange(9)] for _ in range(chance.randrange(5))]
    return [*marks, *(random_formula(chance, depth - 1) for _ in range(chance.randrange(3)))]


def _random_term(chance: random.Random, depth: int) -> Any:
    head = chance.choice(["integer", "ply", "sum", "sum", "+", "-"]) if depth > 0 else "integer"
    if head == "integer":
        return chance.randrange(-3, 30)
    if head == "ply":
        return ["ply"]
    if head == "sum":
        return ["sum", *_several(chance, depth)]
    return [head, *(_random_term(chance, depth - 1) for _ in range(2))]
