"""Rules as data: what they mean, which positions they refuse, and which data are not rules."""

import contextlib
import cProfile
import functools
import itertools
import pickle
import pstats
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.golden import require_golden
from tests.kernel.asking import refusals
from tests.kernel.trying import levels_of, wins_by_trying
from tests.rules import in_a_row, positional, rule_sets, rules_data
from verifier.kernel.errors import IllegalMoveError, NotationError, SpecError
from verifier.kernel.games.positional import PositionalGame
from verifier.kernel.games.registry import parse_rules

SQUARE = in_a_row(3, 3, 3)
X_LINE, O_LINE = ["X_line"], ["O_line"]
MISERE = positional(3, 3, SQUARE, [[X_LINE, "O"], [O_LINE, "X"]], notation="spots")
BREAKER = positional(3, 3, SQUARE, [[X_LINE, "X"], [["==", ["ply"], 9], "O"]], notation="spots")
NOTAKTO = positional(
    3, 3, SQUARE, [[["and", ["line"], ["X_turn"]], "X"], [["line"], "O"]], notation="spots", marks="shared"
)
FALLING = positional(
    4,
    4,
    in_a_row(3, 4, 4),
    [[X_LINE, "X"], [O_LINE, "O"]],
    legal=[["not", ["free", s + 4]] if s < 12 else True for s in range(16)],
)
FOUR = positional(4, 4, in_a_row(4, 4, 4), [[X_LINE, "X"], [O_LINE, "O"]])
LARGE = positional(8, 8, in_a_row(5, 8, 8), [[X_LINE, "X"], [O_LINE, "O"]])
OWN = {"misere": MISERE, "breaker": BREAKER, "notakto": NOTAKTO, "falling": FALLING, "four": FOUR, "large": LARGE}


@pytest.mark.parametrize(
    ("data", "value"),
    [
        pytest.param(rules_data("tictactoe"), "draw", id="tictactoe"),
        pytest.param(MISERE, "draw", id="misère", marks=pytest.mark.slow),
        pytest.param(BREAKER, "X", id="breaker", marks=pytest.mark.slow),
        pytest.param(NOTAKTO, "X", id="notakto"),
    ],
)
def test_games_as_data_have_the_known_values(data: Any, value: str) -> None:
    """Tic-tac-toe and its misère form are draws. Maker wins, and so does the first player at Notakto.

    Of all texts of nine spots, exactly the positions that play reaches are accepted.
    """
    game = parse_rules(data)
    assert [player for player in "XO" if wins_by_trying(game, player)(game.start)] == [value] * (value != "draw")
    accepted = set()
    for cells in itertools.product(".XO", repeat=9):
        with contextlib.suppress(NotationError):
            accepted.add(game.parse_position("".join(cells)))
    assert accepted == {position for level in levels_of(game) for position in level}


@pytest.mark.parametrize("data", [*OWN.values(), *map(rules_data, rule_sets())])
@pytest.mark.parametrize("seed", range(2))
def test_every_position_and_move_of_a_play_is_read_back(data: Any, seed: int) -> None:
    """It is the same as was written, also if spots have conditions or the board is large."""
    game = parse_rules(data)
    generator, position = random.Random(seed), game.start
    while moves := game.legal_moves(position):
        assert game.parse_position(game.format_position(position)) == position
        assert [game.parse_move(game.format_move(move)) for move in moves] == list(moves)
        position = game.play(position, generator.choice(moves))
    assert game.parse_position(game.format_position(position)) == position
    assert game.is_over(position)


def test_marks_fall_to_the_lowest_free_row() -> None:
    """A spot may be marked if the spot below it is taken: at most one in each column, and none in the air."""
    game, generator = parse_rules(FALLING), random.Random(1)
    heights, position = [0] * 4, game.start
    while moves := game.legal_moves(position):
        assert moves == tuple(sorted((12 + c - 4 * height,) for c, height in enumerate(heights) if height < 4))
        for s in range(16):
            if (s,) not in moves:
                with pytest.raises(IllegalMoveError):
                    game.play(position, (s,))
        (s,) = move = generator.choice(moves)
        heights[s % 4] += 1
        position = game.play(position, move)
    with pytest.raises(NotationError, match="its spot was not allowed"):
        game.parse_position("X.../..../..../....")


def test_a_player_who_cannot_move_draws() -> None:
    """This holds if no clause ends the game and the rules allow no spot."""
    stuck = positional(2, 2, [], [], legal=[["==", ["ply"], 0], *[False] * 3])
    game: Any = parse_rules(stuck)
    after = game.play(game.start, (0,))
    assert (game.legal_moves(after), game.outcome(after), game.outcome(game.start)) == ((), "draw", None)


def test_shared_marks_have_no_owner() -> None:
    """Their words and their notation do not name a player."""
    game = parse_rules(NOTAKTO)
    assert game.format_position(game.play(game.play(game.start, (0,)), (4,))) == "X...X...."
    assert {"marked", "line", "makes"} < set(game.vocabulary)
    assert not {"X", "O", "X_line"} & set(game.vocabulary)
    with pytest.raises(NotationError, match="written X"):
        game.parse_position("XO.......")


@pytest.mark.parametrize("data", [*OWN.values(), *map(rules_data, rule_sets())])
def test_rules_are_values(data: Any) -> None:
    """Rules in another order are equal. A game can be pickled. Its data are those from which it was read."""
    game = parse_rules(data)
    other = parse_rules(dict(reversed(list(data.items()))))
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301  (made a moment ago)
    assert game == other == copy
    assert len({game, other, copy}) == 1
    assert game.data == data


def test_a_large_board_knows_its_lines() -> None:
    """Boards without a table of all masks agree with the definition."""
    game = parse_rules(LARGE)
    assert isinstance(game, PositionalGame)
    generator = random.Random(1)
    for _ in range(200):
        mask = generator.getrandbits(64) | generator.getrandbits(64)
        assert game.has_line["X"](mask) == any(all(mask >> s & 1 for s in held) for held, _ in LARGE["lines"])


NO_LINES = [
    *(1, {}, {"X": [], "O": []}, {"X": [], "O": [[[9], []]]}, {"X": [], "O": 1}, [[[0], []]] * 501, [[[0, 1, 9], []]]),
    *([[[2, 1, 0], []]], [[[0, 0, 1], []]], [[[True], []]], [[[], [0]]], [[[0, 1], [1]]], [[[1], []], [[0], []]]),
    [[[0], []], [[0], []]],
]
NO_OUTCOMES = [
    *([[X_LINE, "X"]] * 21, [[X_LINE, "Xavier"]], [[["X", 0], "X"]], [[["stuck", 0], "X"]]),
    [[["or", *[X_LINE] * 200], "X"]],
]
NO_LEGAL = [[], [["over"]] * 9, [["X_wins"]] * 9, [["free", 9]] * 9, [["and", *[["free", 0]] * 30000]] * 9]
NO_BOARD: list[dict[str, Any]] = [
    {"name": "misere"},
    {"rows": 0},
    {"rows": 10**9},
    {"rows": 22},
    {"notation": "letters"},
]
NO_RULES = [
    *(None, {"family": 1}, {"family": "chess"}, {"family": "nested", "closed": {1}}, {"family": "nested"}),
    *(rules_data("paper") | change for change in ({"closed": "never"}, {"free_choice": "open-fields"})),
    *(NOTAKTO | change for change in ({"lines": {"X": [], "O": [[[0], []]]}}, {"outcomes": [[X_LINE, "X"]]})),
    *(change | MISERE | change for change in NO_BOARD),
    *({"lines": lines} | MISERE | {"lines": lines} for lines in NO_LINES),
    *({"outcomes": outcomes} | MISERE | {"outcomes": outcomes} for outcomes in NO_OUTCOMES),
    *({"legal": legal} | MISERE | {"legal": legal} for legal in NO_LEGAL),
]


def test_malformed_rules_get_a_helpful_refusal() -> None:
    """The message says what would be right."""
    require_golden("refused-rules.txt", refusals(parse_rules, NO_RULES))


def deep(depth: int) -> list[Any]:
    nested: list[Any] = []
    for _ in range(depth):
        nested = ["not", nested]
    return nested


def hostile() -> Iterator[dict[str, Any]]:
    """Yield rules that try to cost much."""
    spots = list(range(16))
    lines = sorted([list(held), []] for held in itertools.islice(itertools.combinations(spots, 8), 500))
    clause = [["or", *[["and", X_LINE, O_LINE]] * 15], "X"]
    yield {**FOUR, "lines": lines, "outcomes": [clause] * 20}
    yield {**LARGE, "lines": [[[s], []] for s in range(64)], "outcomes": [clause] * 20}
    yield {**FOUR, "legal": [deep(100_000), *[True] * 15]}
    yield {**FOUR, "outcomes": [[deep(50), "X"]]}
    yield {**FOUR, "lines": deep(100_000)}


@functools.cache
def hostile_once() -> list[dict[str, Any]]:
    return [*hostile()]


@pytest.mark.parametrize("number", range(5))
def test_hostile_rules_cost_little(number: int) -> None:
    """Reading or refusing any rules takes at most a million function calls."""
    data = hostile_once()[number]
    profile = cProfile.Profile()
    with contextlib.suppress(SpecError):
        profile.runcall(parse_rules, data)
    assert 0 < pstats.Stats(profile).total_calls < 1_000_000  # type: ignore[attr-defined]
