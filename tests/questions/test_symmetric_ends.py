"""Counts of final positions up to symmetry, under rules of cells: against loops of this test's own."""

import itertools
import pathlib
import shutil
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from tests.audit.made import MADE, write_claim
from tests.kernel.test_count_ends import plays_of, winner
from tests.rules import SPECS, load_library
from verifier import automorphism
from verifier.kernel.count import decide_count
from verifier.language.problem import SpecProblemsError
from verifier.questions.compile import compile_reading
from verifier.questions.registry import find_question

State = tuple[int, ...]


def compile_count(folder: pathlib.Path, rules: str, said: str) -> dict[str, Any]:
    """Compile a reading with ``count`` about rules of cells, and return its statement."""
    made = MADE / "general/rules" / f"{rules}.yaml"
    shutil.copy(made if made.exists() else SPECS / "chomp/rules/chomp.yaml", folder)
    write_claim(folder, "c", f"readings:\n  r: {{expect: proved, {said}}}", rules)
    return compile_reading(load_library(folder), "c", "r").statement or {}


# -- tic-tac-toe -------------------------------------------------------------------------------------------------------


def test_tic_tac_toe_has_138_final_positions(tmp_path: pathlib.Path) -> None:
    """Written as cells, it has as many as on a board: X has won in 91, O in 44, and 3 are draws."""
    turn = [6, 3, 0, 7, 4, 1, 8, 5, 2]
    flip = [2, 1, 0, 5, 4, 3, 8, 7, 6]
    ways = [[*range(9)]]
    for _ in range(3):
        ways.append([turn[s] for s in ways[-1]])
    ways += [[flip[s] for s in way] for way in ways]
    images = {board: min("".join(board[s] for s in way) for way in ways) for board in set(plays_of())}
    found = [len({images[board] for board in images if winner(board) == result}) for result in range(3)]
    assert found == [91, 44, 3]
    said = "count: {ends: {X: 91, O: 44, draw: 3}, up_to: symmetry}"
    statement = compile_count(tmp_path, "tictactoe-as-cells", said)
    assert str(decide_count(statement, True, {}).verdict) == "proved"
    wrong = {**statement, "counts": [*statement["counts"][:2], [statement["counts"][2][0], "4"]]}
    assert str(decide_count(wrong, False, {}).verdict) == "refuted"


# -- other games, with states of the test's own ------------------------------------------------------------------------


def lines_and_boxes(state: State) -> Iterator[State]:
    """Yield what may follow in two boxes side by side: seven lines, two counts of boxes, and who is to move."""
    lines, boxes, turn = state[:7], state[7:9], state[9]
    for e in range(7):
        if not lines[e]:
            sides = [box for box in ((0, 2, 3, 5), (1, 3, 4, 6)) if e in box]
            closed = sum(all(lines[k] for k in box if k != e) for box in sides)
            made = [*lines, *boxes, turn if closed else 1 - turn]
            made[e] = 1
            made[7 + turn] += closed
            yield tuple(made)


def heaps(state: State) -> Iterator[State]:
    """Yield what may follow in Nim: one to three stones fewer in one heap; the last number says who is to move."""
    for h, m in itertools.product(range(3), range(1, 4)):
        if state[h] >= m:
            yield (*state[:h], state[h] - m, *state[h + 1 : 3], 1 - state[3])


def bites(state: State) -> Iterator[State]:
    """Yield what may follow in Chomp on three rows of three; nobody moves after the poison is eaten."""
    for s in range(9):
        if not state[s] and not state[0]:
            eaten = (int(state[t] or (t // 3 >= s // 3 and t % 3 >= s % 3)) for t in range(9))
            yield (*eaten, 1 - state[9])


def last_states(start: State, follow: Callable[[State], Iterable[State]], most: int) -> set[State]:
    """Return the states in which plays end, at this number of moves or before."""
    level, found = {start}, set[State]()
    for _ in range(most):
        after = {state: {*follow(state)} for state in level}
        found |= {state for state in level if not after[state]}
        level = set().union(*after.values())
    return found | level


def box_ways() -> Iterator[State]:
    """Yield the permutations of seven lines under which the two boxes stay boxes, found by trying all."""
    for way in itertools.permutations(range(7)):
        if {frozenset(way[e] for e in box) for box in ((0, 2, 3, 5), (1, 3, 4, 6))} == BOXES:
            yield (*way, 7, 8, 9)


BOXES = {frozenset((0, 2, 3, 5)), frozenset((1, 3, 4, 6))}
GAMES: list[tuple[str, State, Callable[[State], Iterable[State]], Iterable[State]]] = [
    ("two-boxes", (0,) * 10, lines_and_boxes, [*box_ways()]),
    ("nim-1-2-3", (1, 2, 3, 0), heaps, [(*way, 3) for way in itertools.permutations(range(3))]),
    ("chomp-3-3", (0,) * 10, bites, [tuple(range(10)), (0, 3, 6, 1, 4, 7, 2, 5, 8, 9)]),
]


@pytest.mark.parametrize("plies", [1, 2, 3, 5])
@pytest.mark.parametrize(("name", "start", "follow", "ways"), GAMES, ids=[name for name, *_ in GAMES])
def test_images_under_all_permutations_that_keep_the_rules_count_once(
    name: str, start: State, follow: Any, ways: Any, plies: int, tmp_path: pathlib.Path
) -> None:
    """The symmetries are found, and the kernel counts what this test counts by trying every permutation."""
    ends = last_states(start, follow, plies)
    least = {min(tuple(state[s] for s in way) for way in ways) for state in ends}
    statement = compile_count(tmp_path, name, f"count: {{ends: {len(least)}, up_to: symmetry}}, horizon: {plies}")
    assert str(decide_count(statement, True, {}).verdict) == "proved"
    plain = {key: value for key, value in statement.items() if key != "symmetries"}
    assert str(decide_count({**plain, "counts": [[True, str(len(ends))]]}, True, {}).verdict) == "proved"
    if plies == 2:
        assert len(least) < len(ends)


# -- what is refused ---------------------------------------------------------------------------------------------------


def problem_of(folder: pathlib.Path, rules: str, said: str) -> str:
    with pytest.raises(SpecProblemsError) as error:
        compile_count(folder, rules, said)
    (problem,) = error.value.problems
    return problem.message


@pytest.mark.parametrize(
    ("rules", "said", "problem"),
    [
        ("chomp-2-3", "count: {ends: 1, up_to: symmetry}", "these rules have no symmetries: leave out 'up_to'"),
        ("nim-1-2-3", 'count: {ends: 1, up_to: symmetry}, conclude: ["stones[0] == 0"]', "'conclude' must not change"),
        ("tictactoe-as-cells", "count: {plays: 1, up_to: symmetry}", "'up_to' goes only with 'ends'"),
        ("paper", "count: {ends: 1, up_to: symmetry}, horizon: 1", "these rules have no symmetries"),
    ],
)
def test_a_count_up_to_symmetry_that_means_nothing_is_refused(
    rules: str, said: str, problem: str, tmp_path: pathlib.Path
) -> None:
    assert problem in problem_of(tmp_path, rules, said)


def test_a_count_is_refused_if_not_all_symmetries_are_known(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part of the symmetries would make another number, so the reading has no statement then."""
    said = "count: {ends: 1, up_to: symmetry}"
    monkeypatch.setattr("verifier.kernel.relabel.MAX_SYMMETRIES", 5)
    assert "symmetries: leave out 'up_to'" in problem_of(tmp_path, "nim-1-2-3", said)
    monkeypatch.setattr(automorphism, "MAX_COLOURED", 10)
    assert "too large to find their symmetries" in problem_of(tmp_path, "nim-1-2-3", said)


def test_the_words_of_a_count_say_that_images_count_once(tmp_path: pathlib.Path) -> None:
    """This is so for boards and for cells."""
    compile_count(tmp_path, "nim-1-2-3", "count: {ends: 1, up_to: symmetry}")
    reading = load_library(tmp_path).claim("c").readings["r"]
    (line,) = find_question("count").say(reading)
    assert "images count once" in line
