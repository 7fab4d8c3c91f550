"""Tables up to symmetry: accepted ones, and attacks by permutations that are not symmetries of the statement."""

import functools
import gc
import weakref
from typing import Any

import pytest

from tests.kernel.asking import judge, judge_table
from tests.rules import in_a_row, positional
from tests.statements import KEPT, NINE, play, prevent, reach, strategy
from verifier.kernel import relabel
from verifier.kernel.decide import Memo
from verifier.kernel.games.positional import BoardPosition, PositionalGame
from verifier.kernel.relabel import Symmetries
from verifier.kernel.statement import parse_statement
from verifier.search.solve import Solver
from verifier.search.walk import explore

TURN = [6, 3, 0, 7, 4, 1, 8, 5, 2]
MIRROR = [2, 1, 0, 5, 4, 3, 8, 7, 6]
SQUARE = [TURN, MIRROR]

LINES = [[list(held), list(others)] for held, others in in_a_row(3, 3, 3)]
FIRST_WINS = [[["X_line"], "X"], [["O_line"], "O"]]
FALLING = [["and", ["not", ["free", s + 3]]] if s < 6 else True for s in range(9)]


def claim(rules: Any, goal: Any = ("X_wins",), **changes: Any) -> dict[str, Any]:
    return play(rules, "." * 9, prevent([*goal], 9), claimant="O", horizon=9) | changes


REACH = claim("tictactoe", claimant="X", objectives=[reach(["X_wins"], 9)])


def fold(statement: dict[str, Any], generators: Any) -> dict[str, list[str]]:
    """Return the claimant's moves up to permutations, whether or not these are symmetries."""
    parsed = parse_statement(statement)
    assert isinstance(parsed.game, PositionalGame)
    known = object.__new__(Symmetries)
    known.group = relabel._multiply([tuple(spots) for spots in generators], 9)
    known._formulas = parsed.formulas
    known._find_least = parsed.game.least_images(known.group, [])
    return explore(parsed, Solver(parsed).choose, fold=known.least).moves()


def outcome(statement: dict[str, Any], moves: Any, generators: Any, memo: Memo | None = None) -> str:
    return judge_table(statement, {"moves": moves}, memo=memo, symmetries=generators)


@functools.cache
def folded() -> dict[str, list[str]]:
    """Return O's moves that keep X from winning tic-tac-toe, up to symmetry."""
    return fold(claim("tictactoe"), SQUARE)


@pytest.mark.parametrize(
    "generators",
    [None, [], [[]], [TURN[:8]], [[*TURN, 9]], [[1, *range(1, 9)]], [[-1, *range(8)]], [[9, *range(1, 9)]],
     [["0", *range(1, 9)]], [[False, True, *range(2, 9)]], [TURN, None], [TURN] * 21],
)  # fmt: skip
def test_a_list_with_something_else_than_permutations_is_refused(generators: Any) -> None:
    """Each spot goes to a different spot. The list may have twenty permutations."""
    assert outcome(claim("tictactoe"), folded(), generators) == "malformed"


def test_a_table_up_to_symmetry_is_followed() -> None:
    """A quarter of the entries shows that O does not lose tic-tac-toe."""
    statement = claim("tictactoe")
    moves = folded()
    parsed = parse_statement(statement)
    assert outcome(statement, moves, SQUARE) == "proved"
    assert 4 * len(moves) < len(explore(parsed, Solver(parsed).choose).moves())


def test_an_entry_is_for_the_least_image() -> None:
    """An entry for another image shows nothing, and a second entry is unused. So is a position with exchanged marks."""
    statement = claim("tictactoe")
    moves = folded()
    position = next(text for text in moves if text == "X........")
    moved = {**moves, "..X......": moves[position]}
    assert outcome(statement, moved, SQUARE) == "unreachable-entry"
    del moved[position]
    assert outcome(statement, moved, SQUARE) == "missing-entry"
    assert outcome(statement, {**moves, "O........": moves[position]}, SQUARE) == "unreachable-entry"


SWAP = [1, 0, 2, 3, 4, 5, 6, 7, 8]
UPSIDE_DOWN = [6, 7, 8, 3, 4, 5, 0, 1, 2]
NOT_HELD = [[[0, 1], [2]], [[3, 4], [5]]]
ENDS = [[[0], [2]], [[8], [6]]]


@pytest.mark.parametrize(
    ("statement", "generator"),
    [
        pytest.param(claim("tictactoe"), SWAP, id="lines"),
        pytest.param(claim(positional(3, 3, NOT_HELD, FIRST_WINS, notation="spots")), MIRROR, id="not-held"),
        pytest.param(claim(positional(3, 3, ENDS, FIRST_WINS, notation="spots")), MIRROR, id="held-for-not-held"),
        pytest.param(
            claim(positional(3, 3, LINES, FIRST_WINS, notation="spots", legal=FALLING)), UPSIDE_DOWN, id="legality"
        ),
        pytest.param(claim("tictactoe", goal=["X", 0]), TURN, id="goal"),
        pytest.param(claim("tictactoe", goal=["X_keeps", 0]), TURN, id="goal-that-solves"),
        pytest.param(claim("tictactoe", goal=["and", ["X", 0], ["O", 2]]), MIRROR, id="goal-for-two"),
        pytest.param(claim("tictactoe", goal=["use", 0], formulas=[["X", 0]]), TURN, id="goal-by-a-name"),
        pytest.param(claim("tictactoe", goal=["implies", ["X", 0], ["X", 2]]), MIRROR, id="order-that-counts"),
    ],
)
def test_a_permutation_that_changes_something_is_refused(statement: dict[str, Any], generator: list[int]) -> None:
    """A symmetry of the statement maps lines, legal spots and the goal to themselves."""
    assert outcome(statement, {}, [generator]) == "not-a-symmetry"
    assert outcome(statement, {}, [list(range(9)), generator]) == "not-a-symmetry"


@pytest.mark.parametrize(
    "goal",
    [
        ["or", ["X", 0], ["X", 2], ["X", 6], ["X", 8]],
        [">", ["sum", ["X", 0], ["X", 2], ["X", 6], ["X", 8]], 1],
        ["iff", ["X", 4], ["and", ["O", 1], ["O", 3], ["O", 5], ["O", 7]]],
        ["use", 1],
    ],
)
def test_parts_of_a_goal_may_change_places(goal: Any) -> None:
    """A symmetry may exchange parts of a formula if their order does not matter."""
    formulas = {"formulas": [["X", 4], ["or", ["use", 0], ["exactly-one", ["X", 1], ["X", 3], ["X", 5], ["X", 7]]]]}
    statement = claim("tictactoe", goal=goal) | (formulas if goal[0] == "use" else {})
    parsed = parse_statement(statement)
    found = Symmetries(statement, parsed, SQUARE)
    corners = ("X........", "..X......", "......X..", "........X")
    assert len(found.group) == 8
    assert len({found.least(parsed.game.parse_position(corner)) for corner in corners}) == 1


def test_falling_marks_have_a_mirror_image() -> None:
    """If left and right are exchanged, a spot is legal exactly if its image was."""
    statement = claim(positional(3, 3, LINES, FIRST_WINS, notation="spots", legal=FALLING))
    assert outcome(statement, fold(statement, [MIRROR]), [MIRROR]) == "proved"


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param(claim("tictactoe", objectives=[KEPT]), id="keep"),
        pytest.param(claim("tictactoe", objectives=[*claim("tictactoe")["objectives"], KEPT]), id="keep-as-well"),
        pytest.param(claim("tictactoe", strategies={"X": strategy()}), id="strategy"),
        pytest.param(claim("paper", start=NINE), id="nine-fields"),
    ],
)
def test_other_statements_have_no_tables_up_to_symmetry(statement: dict[str, Any]) -> None:
    """Scopes and strategies name spots in ways that are not compared here."""
    assert outcome(statement, {}, [list(range(9))]) == "not-a-symmetry"


def test_a_walk_is_not_reused_for_another_goal() -> None:
    """A walk up to the symmetries of one goal shows nothing about another goal of the same plays."""
    memo, statement = Memo(), claim("tictactoe")
    moves = folded()
    assert outcome(statement, moves, SQUARE, memo) == "proved"
    assert outcome(statement, moves, SQUARE, memo) == "proved"
    other = claim("tictactoe", goal=["and", ["X_wins"], ["X", 0]])
    assert outcome(other, moves, SQUARE, memo) == "not-a-symmetry"
    assert outcome(statement, moves, [[*range(9)]], memo) == "missing-entry"


@pytest.mark.parametrize(
    ("more", "found"),
    [({"symmetries": SQUARE}, "refuted"), ({"symmetries": [TURN]}, "missing-entry"), ({}, "missing-entry")],
)
def test_an_opponent_refutes_up_to_symmetry(more: dict[str, Any], found: str) -> None:
    """O's folded moves show that X cannot force a win. Without the mirror image they are not enough."""
    assert judge_table(REACH, {"moves": folded()}, "refuted", objective="goal", **more) == found
    line = {"objective": "goal", "line": [], "symmetries": SQUARE}
    assert judge(claim("tictactoe"), line, verdict="refuted") == "malformed", "they go with a table"


def test_the_limits_of_permutations_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list may have twenty permutations, and their group as many as the limit says."""
    statement = claim("tictactoe")
    moves = folded()
    assert outcome(statement, moves, SQUARE * 10) == "proved"
    for most, found in ((8, "proved"), (7, "limit")):
        monkeypatch.setattr(relabel, "MAX_SYMMETRIES", most)
        assert outcome(statement, moves, SQUARE) == found
    monkeypatch.setattr(relabel, "MAX_SYMMETRIES", 8)
    monkeypatch.setattr("verifier.kernel.games.lines.MAX_KEPT_IMAGES", 1)
    assert outcome(statement, moves, SQUARE) == "proved", "images that are forgotten are made again"


def test_the_search_for_the_least_image_is_counted() -> None:
    """It counts symmetries times marks, also if results are remembered: 4 kB with 5,040 symmetries took minutes."""
    statement = claim("tictactoe")
    parsed = parse_statement(statement)
    known = Symmetries(statement, parsed, SQUARE)
    for times in (1, 2):
        known.least(BoardPosition(1, 2))
        assert parsed.formulas.work == 8 * (4 + 2) * times


def test_one_table_may_show_reach_and_prevent() -> None:
    """O does not lose, and the game is over in time."""
    both = [*claim("tictactoe")["objectives"], reach(["over"], 9, "end")]
    assert outcome(claim("tictactoe", objectives=both), folded(), SQUARE) == "proved"


@pytest.mark.parametrize("other", [KEPT, prevent(["X", 0], 9, "no image")])
def test_a_refutation_ignores_other_objectives(other: dict[str, Any]) -> None:
    """One objective is refuted up to symmetry, whatever the others are. One without a goal was an internal error."""
    claimed = REACH | {"objectives": [*REACH["objectives"], other]}
    moves = {"moves": folded()}
    assert judge_table(claimed, moves, "refuted", objective="goal", symmetries=SQUARE) == "refuted"


def test_remembered_images_are_freed_without_the_collector() -> None:
    """The collector is off during a decision, so cycles would keep the images of every statement."""
    gc.disable()
    try:
        statement = claim("tictactoe")
        symmetries = Symmetries(statement, parse_statement(statement), SQUARE)
        symmetries.least(BoardPosition(3, 4))
        known = weakref.ref(symmetries._find_least)
        assert known()
        del symmetries
        assert known() is None
    finally:
        gc.enable()
