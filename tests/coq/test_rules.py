"""``Rules.v`` is the kernel's game of the paper, and ``Strategy.v`` is the strategy of the specs."""

import itertools
import pathlib
import re
import subprocess
from collections import Counter
from collections.abc import Callable

import pytest

from tests.rules import specs
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.games.nested import ANY, PAPER, FieldMove, NestedPosition
from verifier.kernel.strategy import compile_strategy
from verifier.language.scope import ground_strategy

GAME = PAPER
MODULUS = 1 << 63
GAMES = 1000
GAMES_OF_STRATEGY = 200

Choose = Callable[[int, NestedPosition], FieldMove]


def absorb_position(h: int, p: NestedPosition) -> int:
    """Mix a position into the number, as ``Games.v`` does."""
    values = [(p.x_mask >> i & 1) + 2 * (p.o_mask >> i & 1) for i in range(81)]
    values += [(p.x_fields_mask >> f & 1) + 2 * (p.o_fields_mask >> f & 1) for f in range(9)]
    values += [p.active, "XO".index(GAME.turn(p)), GAME.ply(p)]
    values += [int(GAME.winner(p) == "X"), int(GAME.winner(p) == "O"), int(GAME.is_over(p))]
    values += [9 * f + s for f, s in GAME.legal_moves(p)]
    for value in (*values, 99):
        h = (h * 3202034522624059733 + value + 1) % MODULUS
    return h


def random_move(h: int, p: NestedPosition) -> FieldMove:
    """Return the move that the upper bits of the number select."""
    moves = GAME.legal_moves(p)
    return moves[(h >> 31) % len(moves)]


def play_game(choose_x: Choose, seed: int) -> tuple[int, list[NestedPosition]]:
    """Return the final number of a game, and its positions."""
    p, h = GAME.start, absorb_position(seed, GAME.start)
    positions = [p]
    while not GAME.is_over(p):
        p = GAME.play(p, (random_move if GAME.turn(p) == "O" else choose_x)(h, p))
        positions.append(p)
        h = absorb_position(h, p)
    return h, positions


@pytest.fixture(scope="module")
def games() -> list[tuple[int, list[NestedPosition]]]:
    return [play_game(random_move, seed) for seed in range(GAMES)]


@pytest.fixture(scope="module")
def printed(coqc: str, built: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[int]]:
    """The numbers of games that Coq plays: at random, and by the strategy."""
    out = tmp_path_factory.mktemp("games") / "Games.vo"
    source = pathlib.Path(__file__).with_name("Games.v")
    command = [coqc, "-Q", str(built), "U3T", "-o", str(out), str(source)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [[int(n) for n in re.findall(r"(\d+)%uint63", part)] for part in done.stdout.split("= [")[1:]]


@pytest.mark.slow
def test_random_games_are_the_same(games: list[tuple[int, list[NestedPosition]]], printed: list[list[int]]) -> None:
    """Marks, owners, active field, turn, legal moves and end are equal at every ply of random games."""
    assert [number for number, _ in games] == printed[0]


def test_random_games_meet_every_rule(games: list[tuple[int, list[NestedPosition]]]) -> None:
    """These games have free choices, marks in won fields, wins of both players, and full boards without a winner."""
    met: Counter[str] = Counter()
    for _, positions in games:
        met[f"winner {GAME.winner(positions[-1])}"] += 1
        for before, after in itertools.pairwise(positions):
            met["free choice"] += before.active == ANY and GAME.ply(before) > 0
            bit = (before.x_mask | before.o_mask) ^ (after.x_mask | after.o_mask)
            field = (bit.bit_length() - 1) // 9
            met["mark in a won field"] += (before.x_fields_mask | before.o_fields_mask) >> field & 1
    assert min(met[name] for name in ("free choice", "mark in a won field", "winner X", "winner O")) > 300
    assert met["winner None"] > 30


@pytest.mark.slow
def test_the_strategy_is_that_of_the_specs(printed: list[list[int]]) -> None:
    """Against random replies, Xavier's moves by ``Strategy.v`` are those of ``xavier.yaml``."""
    choices = compile_strategy(FormulaCompiler(GAME), ground_strategy(specs(), "xavier")[0], "X")

    def by_specs(h: int, p: NestedPosition) -> FieldMove:
        ((_rule, move),) = choices(p)
        return move[0], move[1]

    assert [play_game(by_specs, seed)[0] for seed in range(GAMES_OF_STRATEGY)] == printed[1]
