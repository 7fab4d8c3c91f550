"""The words that need a game's solution, compared with searches without memory and without symmetry."""

import itertools
import random
from typing import Any

import pytest

from tests.kernel.asking import judge
from tests.kernel.trying import levels_of, wins_by_trying
from tests.rules import find_rules, in_a_row, positional, rules_data, specs
from tests.statements import play, some
from verifier.kernel.circuit import Circuit
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.formula import FormulaCompiler
from verifier.kernel.games import Game
from verifier.kernel.games import solution as solutions
from verifier.kernel.games.positional import PositionalGame
from verifier.kernel.games.registry import parse_rules, unknown
from verifier.kernel.statement import parse_statement
from verifier.questions.compile import compile_reading

THREE = in_a_row(3, 3, 3)
WINS = [[["X_line"], "X"], [["O_line"], "O"]]
SMALL: dict[str, dict[str, Any]] = {
    "tic-tac-toe": rules_data("tictactoe"),
    "misère": positional(3, 3, THREE, [[["X_line"], "O"], [["O_line"], "X"]]),
    "one line is none": positional(3, 3, THREE[1:], WINS),
    "a rectangle": positional(2, 4, in_a_row(2, 2, 4), [[["X_line"], "O"], [["O_line"], "X"]]),
    "a line with a gap": positional(2, 3, [[[0, 1], [2]], [[3, 5], [4]]], WINS),
    "O has an answer": positional(
        2, 4, in_a_row(2, 2, 4),
        [[["and", ["X_line"], ["O_line"]], "draw"], [["and", ["X_line"], ["O_turn"]], "goes-on"], *WINS],
    ),
    "X wins by the fifth ply": positional(3, 3, THREE, [*WINS, [["==", ["ply"], 5], "O"]]),
}  # fmt: skip


LONG = ("tic-tac-toe", "misère", "one line is none")
"""The games of the most positions."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in SMALL]
)
def test_every_position_of_small_games(name: str) -> None:
    """In each position that play reaches, the words agree with a plain search, for each spot and for both players."""
    game: Any = parse_rules(SMALL[name])
    is_won = {player: wins_by_trying(game, player) for player in "XO"}
    words = {(p, s): game.compile_atom(f"{p}_keeps", (s,)) for p in "XO" for s in range(game.cells)}
    count = {True: 0, False: 0}
    for here in itertools.chain.from_iterable(levels_of(game)):
        moves = game.legal_moves(here)
        for (player, spot), keeps in words.items():
            is_move = game.turn(here) == player and (spot,) in moves
            wanted = is_move and is_won[player](game.play(here, (spot,)))
            assert keeps(here, here) == wanted, (game.format_position(here), player, spot)
            count[wanted] += 1
    assert min(count.values()) >= 100


@pytest.mark.parametrize("player", ["X", "O"])
@pytest.mark.parametrize(
    "name",
    [
        "threesome4x4",
        "threesome4x4-neighbours-eighth-loses-sixteenth-loses",
        "threesome4x4-any-three-eighth-wins",
        "threesome4x4-comeback-answer",
    ],
)
def test_positions_of_ten_marks(name: str, player: str) -> None:
    """On the 4×4 board the words agree with a plain search from positions of ten marks (eleven if O moves)."""
    game: Any = find_rules(name)
    is_won = wins_by_trying(game, player)
    for seed in range(3):
        generator, here = random.Random(seed), game.start
        while game.ply(here) < 10 + (player == "O"):
            after = [game.play(here, move) for move in game.legal_moves(here)]
            going = [position for position in after if not game.is_over(position)]
            here = generator.choice(going) if going else game.start
        for (spot,) in game.legal_moves(here):
            keeps = FormulaCompiler(game).compile([f"{player}_keeps", spot])(here, here)
            assert keeps == is_won(game.play(here, (spot,))), (seed, spot)


def corrections(statement: dict[str, Any]) -> set[tuple[int, int, int, int]]:
    """Return what X corrects in a statement about his own play: turn, both codes, and the spot."""
    parsed = parse_statement(statement)
    game, strategy, found = parsed.game, parsed.strategies["X"], set()
    level = {game.start}
    for turn in range(1, 8):
        following = set()
        for here in level:
            ((label, move),) = strategy(here)
            if label == "own.correction":
                found.add((turn, here.x_mask, here.o_mask, move[0]))
            after = game.play(here, move)
            following |= {game.play(after, reply) for reply in game.legal_moves(after)}
        level = {here for here in following if not game.is_over(here)}
    return found


def printed(statement: dict[str, Any]) -> set[tuple[int, int, int]]:
    """Return the entries that a statement says occur: turn, O's code and the spot, by their names."""
    found = set()
    for objective in statement["objectives"]:
        if objective["type"] == "some":
            words = "".join(c if c.isdigit() else " " for c in objective["name"]).split()
            turn, row, column, code = map(int, words)
            found.add((turn, code, 4 * row + column - 5))
    return found


@pytest.mark.slow
def test_the_printed_tables_are_those_of_the_game() -> None:
    """By rows 393 corrections have 330 codes, and each is said to occur. By columns 269 are not the printed ones."""
    by_rows = compile_reading(specs(), "threesome-rules", "loops-by-rows").statement
    by_columns = compile_reading(specs(), "threesome-rules", "as-stated").statement
    assert by_rows is not None
    assert by_columns is not None
    listed, found = printed(by_rows), corrections(by_rows)
    assert (len(listed), len(found)) == (330, 393)
    assert {(turn, code, spot) for turn, _, code, spot in found} == listed
    others = {(turn, code, spot) for turn, _, code, spot in corrections(by_columns)}
    assert (len(others), len(others - listed), len(listed - others)) == (330, 269, 269)


def test_only_permutations_that_keep_the_lines_are_symmetries() -> None:
    """An edge spot of tic-tac-toe has four images. If the top row is not a line, its edge spot has only one."""
    whole = rules_data("tictactoe")
    for lines, images in ((whole["lines"], {1, 3, 5, 7}), (whole["lines"][1:], {1})):
        game: Any = parse_rules({**whole, "lines": lines})
        assert set(solutions.Solution(game, "X")._images[2]) == {1 << spot for spot in images}


def test_positions_have_different_hashes() -> None:
    """They are remembered as pairs of masks. As one number, on 61 spots, many would have the same hash."""
    game: Any = find_rules("tictactoe")
    solution = solutions.Solution(game, "X")
    solution.keeps(game.start, 1)
    assert hash(1 << 61 | 2) == hash(2 << 61 | 1)
    assert len({*map(hash, solution.values)}) == len(solution.values)
    assert all(own & other == 0 and own.bit_count() == other.bit_count() for own, other in solution.values)


def test_the_cost_of_a_statement_does_not_depend_on_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement that fits is decided, however many others the process has decided before."""
    game: Any = find_rules("tictactoe")
    starts = ["XO.......", "X.O......", "X...O....", "X.......O"]
    alone = [solutions.Solution(game, "X") for _ in starts]
    for solution, start in zip(alone, starts, strict=True):
        solution.keeps(game.parse_position(start), 1 << 6)
    monkeypatch.setattr(solutions, "MAX_VALUES", max(len(solution.values) for solution in alone))
    with pytest.raises(CertificateError, match="solving the game takes more than"):
        [alone[0].keeps(game.parse_position(start), 1 << 6) for start in starts]
    told = some(["or", ["X_keeps", 6], ["not", ["X_keeps", 6]]], "start")
    for start in starts:
        assert judge(play("tictactoe", start, told, horizon=2, chooses=False), {"lines": {"shown": []}}) == "proved"


@pytest.mark.parametrize("change", [{"marks": "shared", "outcomes": [[["line"], "X"]]}, {"legal": [True] * 9}])
def test_other_games_do_not_have_these_words(change: dict[str, Any]) -> None:
    """The words have no meaning if marks are shared, or if the rules forbid some spots."""
    game = parse_rules({**rules_data("tictactoe"), **change})
    with pytest.raises(SpecError, match="'X_keeps' is not a word of this game"):
        FormulaCompiler(game).compile(["X_keeps", 0])


def test_the_words_have_no_symbolic_form() -> None:
    """A step from any position cannot use them, and the error says so."""
    game: Game = find_rules("tictactoe")
    assert isinstance(game, PositionalGame)
    with pytest.raises(SpecError, match="'O_keeps' cannot be used in a statement about every position"):
        unknown(Circuit(), game).word("O_keeps", [0])
