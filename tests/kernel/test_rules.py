"""Rules as data: what they say, which positions they refuse, and what is no rules at all."""

from __future__ import annotations

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

from tests.rules import RULE_SETS, find_rules, in_a_row, positional, rules_data
from verifier.kernel.errors import IllegalMoveError, NotationError, SpecError
from verifier.kernel.games.positional import Positional
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


def best(game: Any) -> str:
    """Return how a game ends if both play well, by trying everything."""

    @functools.cache
    def value(position: Any) -> str:
        if game.is_over(position):
            return str(game.outcome(position))
        player = game.turn(position)
        found = {value(game.play(position, move)) for move in game.legal_moves(position)}
        other = "O" if player == "X" else "X"
        return next(result for result in (player, "draw", other) if result in found)

    return value(game.start)


def reachable(game: Any) -> set[Any]:
    """Return every position of a small game."""
    level, found = {game.start}, {game.start}
    while level:
        level = {game.play(position, move) for position in level for move in game.legal_moves(position)}
        found |= level
    return found


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (rules_data("tictactoe"), "draw"),
        pytest.param(MISERE, "draw", marks=pytest.mark.slow),
        (BREAKER, "X"),
        (NOTAKTO, "X"),
        pytest.param(FALLING, "X", marks=pytest.mark.slow),
    ],
)
def test_games_that_are_data_have_their_known_values(data: Any, value: str) -> None:
    """Neither player has to lose tic-tac-toe or its misère; Maker, and who starts Notakto on one board, wins."""
    assert best(parse_rules(data)) == value


@pytest.mark.parametrize(
    "data",
    [
        rules_data("tictactoe"),
        pytest.param(MISERE, marks=pytest.mark.slow),
        pytest.param(BREAKER, marks=pytest.mark.slow),
        NOTAKTO,
    ],
)
def test_a_position_is_accepted_where_a_play_leads_to_it(data: Any) -> None:
    """Of all texts of nine spots, those that are read are the positions of the game, and no other."""
    game = parse_rules(data)
    accepted = set()
    for cells in itertools.product(".XO", repeat=9):
        try:
            accepted.add(game.parse_position("".join(cells)))
        except NotationError:
            continue
    assert accepted == reachable(game)


@pytest.mark.parametrize("name", list(OWN))
@pytest.mark.parametrize("seed", range(5))
def test_every_position_of_a_play_is_accepted(name: str, seed: int) -> None:
    """What a play leads to is read back, also where spots have conditions and where the board is large."""
    game = parse_rules(OWN[name])
    generator, position = random.Random(seed), game.start
    while moves := game.legal_moves(position):
        assert game.parse_position(game.format_position(position)) == position
        assert [game.parse_move(game.format_move(move)) for move in moves] == list(moves)
        position = game.play(position, generator.choice(moves))
    assert game.parse_position(game.format_position(position)) == position
    assert game.is_over(position)


@pytest.mark.parametrize("seed", range(5))
def test_marks_fall_to_the_lowest_free_row(seed: int) -> None:
    """A spot may be marked once the one below it is: at most one of each column."""
    game = parse_rules(FALLING)
    generator, heights, position = random.Random(seed), [0] * 4, game.start
    move: tuple[int, ...]
    while moves := game.legal_moves(position):
        assert moves == tuple(sorted((12 + c - 4 * height,) for c, height in enumerate(heights) if height < 4))
        floating = [(s,) for s in range(16) if (s,) not in moves]
        for move in floating:
            with pytest.raises(IllegalMoveError):
                game.play(position, move)
        move = generator.choice(moves)
        heights[move[0] % 4] += 1
        position = game.play(position, move)


def test_a_mark_in_the_air_is_refused() -> None:
    """No play of the falling game has its only mark in the upper row."""
    with pytest.raises(NotationError, match="did not allow it"):
        parse_rules(FALLING).parse_position("X.../..../..../....")


def test_who_cannot_move_draws() -> None:
    """Where no clause ends a game and its rules allow no spot, it is a draw."""
    stuck = positional(2, 2, [], [], legal=[["==", ["ply"], 0], *[False] * 3])
    game: Any = parse_rules(stuck)
    after = game.play(game.start, (0,))
    assert (game.legal_moves(after), game.outcome(after), game.outcome(game.start)) == ((), "draw", None)


def test_shared_marks_are_of_one_kind() -> None:
    """Words and notation of shared marks know no owner."""
    game = parse_rules(NOTAKTO)
    assert game.format_position(game.play(game.play(game.start, (0,)), (4,))) == "X...X...."
    assert {"marked", "line", "makes"} < set(game.vocabulary)
    assert not {"X", "O", "X_line"} & set(game.vocabulary)
    with pytest.raises(NotationError, match="written X"):
        game.parse_position("XO.......")


@pytest.mark.parametrize("data", [*OWN.values(), *map(rules_data, RULE_SETS)])
def test_rules_are_values(data: Any) -> None:
    """Rules written in another order are the same; a game pickles; its data are those that it was read from."""
    game = parse_rules(data)
    other = parse_rules(dict(reversed(list(data.items()))))
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301  (made a moment ago)
    assert game == other == copy
    assert len({game, other, copy}) == 1
    assert game.data == data


def test_a_line_can_ask_for_spots_that_are_not_held() -> None:
    """Exactly three neighbours: a fourth beside them undoes the line."""
    game: Any = find_rules("threesome4x4-exactly-three-neighbours-eighth-wins")
    assert [bool(game.has_line["X"](mask)) for mask in (0b0111, 0b1110, 0b1111, 0b1011)] == [True, True, False, False]


def test_a_large_board_knows_its_lines() -> None:
    """Boards without a table of all masks say the same of a mask as the definition does."""
    game = parse_rules(LARGE)
    assert isinstance(game, Positional)
    generator = random.Random(1)
    for _ in range(200):
        mask = generator.getrandbits(64) | generator.getrandbits(64)
        assert game.has_line["X"](mask) == any(all(mask >> s & 1 for s in held) for held, _ in LARGE["lines"])


def changed(data: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**data, **changes}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (None, "with a 'family'"),
        ("paper", "with a 'family'"),
        (["paper"], "with a 'family'"),
        ({"family": 1}, "with a 'family'"),
        ({"family": "chess"}, "no family 'chess'"),
        ({"family": "nested", "closed": {1}}, "not JSON"),
        (changed(rules_data("paper"), closed="never"), "nested rules have"),
        (changed(rules_data("paper"), closed=True), "nested rules have"),
        (changed(rules_data("paper"), more=1), "nested rules have"),
        (changed(rules_data("paper"), free_choice="open-fields"), "where decided fields are closed"),
        ({"family": "nested"}, "nested rules have"),
        (changed(MISERE, name="misere"), "has the keys"),
        (changed(MISERE, rows=True), "an integer from 1 to 64"),
        (changed(MISERE, rows=0), "an integer from 1 to 64"),
        (changed(MISERE, rows=-3, columns=-3), "an integer from 1 to 64"),
        (changed(MISERE, rows=3.0), "an integer from 1 to 64"),
        (changed(MISERE, rows=13, columns=5), "at most 64 spots"),
        (changed(MISERE, rows=10**9, columns=10**9), "an integer from 1 to 64"),
        (changed(MISERE, notation="letters"), "'letters' is not 'rows' or 'spots'"),
        (changed(MISERE, marks=["own"]), "is not 'own' or 'shared'"),
        (changed(MISERE, lines=1), "'1' is not a list or an object"),
        (changed(MISERE, lines={}), "not X, O"),
        (changed(MISERE, lines={"X": [], "O": []}), "'lines' by player"),
        (changed(MISERE, lines={"X": [], "O": [[[9], []]]}), "spots below 9"),
        (changed(MISERE, lines={"X": [], "O": 1}), "'1' is not a list"),
        (changed(MISERE, lines={"X": [], "Y": [[[0], []]]}), "not X, O"),
        (changed(NOTAKTO, lines={"X": [], "O": [[[0], []]]}), "'lines' by player"),
        (changed(MISERE, outcomes=[[["stuck", 0], "X"]]), "takes 0 indices"),
        (changed(MISERE, lines=[[[0], []]] * 501), "at most 500 lines"),
        (changed(MISERE, lines=[[[0, 1, 2]]]), "is not a list of 2 parts"),
        (changed(MISERE, lines=[[[0, 1, 9], []]]), "spots below 9"),
        (changed(MISERE, lines=[[[2, 1, 0], []]]), "ascending order"),
        (changed(MISERE, lines=[[[0, 0, 1], []]]), "ascending order"),
        (changed(MISERE, lines=[[[True], []]]), "is not an integer"),
        (changed(MISERE, lines=[[[], [0]]]), "has a spot that is held"),
        (changed(MISERE, lines=[[[0, 1], [1]]]), "none that is also not held"),
        (changed(MISERE, lines=[[[1], []], [[0], []]]), "ascending order, each once"),
        (changed(MISERE, lines=[[[0], []], [[0], []]]), "ascending order, each once"),
        (changed(MISERE, outcomes=None), "'None' is not a list"),
        (changed(MISERE, outcomes=[[X_LINE, "X"]] * 21), "at most 20 clauses"),
        (changed(MISERE, outcomes=[[X_LINE]]), "is not a list of 2 parts"),
        (changed(MISERE, outcomes=[[X_LINE, "Xavier"]]), "is not 'O' or 'X' or 'draw' or 'goes-on'"),
        (changed(MISERE, outcomes=[[X_LINE, None]]), "is not 'O' or 'X' or 'draw' or 'goes-on'"),
        (changed(MISERE, outcomes=[[["line"], "X"]]), "is not a word"),
        (changed(MISERE, outcomes=[[["X", 0], "X"]]), "is not a word"),
        (changed(MISERE, outcomes=[[["or", *[X_LINE] * 200], "X"]]), "longer than 400"),
        (changed(NOTAKTO, outcomes=[[X_LINE, "X"]]), "is not a word"),
        (changed(MISERE, legal=[]), "a formula for each of the 9 spots"),
        (changed(MISERE, legal=[["over"]] * 9), "is not a word"),
        (changed(MISERE, legal=[["X_wins"]] * 9), "is not a word"),
        (changed(MISERE, legal=[["free", 9]] * 9), "indices below"),
        (changed(MISERE, legal=[["and", *[["free", 0]] * 30000]] * 9), "longer than 200000"),
    ],
)
def test_what_is_no_rules_is_refused(data: object, says: str) -> None:
    """Rules are refused with what would be right."""
    with pytest.raises(SpecError, match=says):
        parse_rules(data)


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
    yield changed(FOUR, lines=lines, outcomes=[clause] * 20)
    yield changed(LARGE, lines=[[[s], []] for s in range(64)], outcomes=[clause] * 20)
    yield changed(FOUR, legal=[deep(100_000), *[True] * 15])
    yield changed(FOUR, outcomes=[[deep(50), "X"]])
    yield changed(FOUR, lines=deep(100_000))


@pytest.mark.parametrize("data", list(hostile()), ids=range(5))
def test_hostile_rules_cost_little(data: dict[str, Any]) -> None:
    """Whatever the rules hold, to read or to refuse them takes no more than a million calls of functions."""
    profile = cProfile.Profile()
    with contextlib.suppress(SpecError):
        profile.runcall(parse_rules, data)
    assert 0 < pstats.Stats(profile).total_calls < 1_000_000  # type: ignore[attr-defined]


def test_whose_turn_it_is_decides_an_outcome() -> None:
    """Shared marks: who is to move after a line wins or loses, by the clause that names the turn."""
    board: dict[str, Any] = {"family": "positional", "rows": 2, "columns": 3, "notation": "spots", "marks": "shared"}
    outcomes = [[["and", ["line"], ["O_turn"]], "O"], [["and", ["line"], ["X_turn"]], "X"]]
    game: Any = parse_rules({**board, "legal": None, "lines": [[[0, 1], []], [[2, 4], [3]]], "outcomes": outcomes})
    ends = {text: game.outcome(game.parse_position(text)) for text in ("XX....", "X.X.X.", "X.X...")}
    assert ends == {"XX....": "X", "X.X.X.": "O", "X.X...": None}
