"""Rules files of the family ``general``: the data that they compile to, and the messages for mistakes."""

import pathlib
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from tests.audit.made import MADE
from tests.kernel.test_general import boxes, chomp, nim, race, tictactoe
from tests.rules import load_library
from verifier.kernel.games.registry import parse_rules
from verifier.language.folder import read_library
from verifier.language.library import Library
from verifier.language.scope import ground_strategy
from verifier.questions.compile import compile_reading, validate_folder
from verifier.questions.registry import GRAMMAR, find_question
from verifier.search.registry import find_rules_hints


@pytest.fixture(name="made", scope="module")
def made_rules() -> Library:
    """Return rules files."""
    return load_library(MADE / "general")


def positions_of(one: Any, other: Any, most: int) -> int:
    """Follow two games together up to a ply. Require equal moves, turns and ends, and count the positions."""
    level, count = {(one.start, other.start)}, 0
    for _ in range(most):
        count += len(level)
        following = set()
        for pair in level:
            ends = [game.outcome(position) for game, position in zip((one, other), pair, strict=True)]
            assert ends[0] == ends[1]
            assert one.turn(pair[0]) == other.turn(pair[1])
            mine = {one.format_move(move): one.play(pair[0], move) for move in one.legal_moves(pair[0])}
            theirs = {other.format_move(move): other.play(pair[1], move) for move in other.legal_moves(pair[1])}
            assert mine.keys() == theirs.keys()
            following |= {(mine[text], theirs[text]) for text in mine}
        level = following
    return count


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("nim-1-2-3", nim(1, 2, 3)),
        ("chomp-2-3", chomp(2, 3)),
        ("tictactoe-as-cells", tictactoe()),
        ("two-boxes", boxes()),
        ("ring", race()),
    ],
)
def test_a_file_compiles_to_the_data_written_by_hand(made: Library, name: str, data: dict[str, Any]) -> None:
    """The plays are the same, up to ply 10."""
    assert positions_of(made.game(name), parse_rules(data), 10) > 20


LIKE_TWO_BOXES = """rules: two-boxes-and-a-count
title: Two boxes, and how many moves there were
source: {document: boxes, place: here, says: The same game.}
like: two-boxes
state: {"line[7]": {}, "boxes[2]": {most: 2}, moved: {most: 7}}
moves:
  "{e}":
    for: {e: "range(0, 7)"}
    when: not line[e]
    do: ["line[e] = True", "moved = moved + 1", "turn = me if any(closes(e, b) for b in range(0, 2)) else them"]
"""


def test_rules_of_cells_can_be_like_others(tmp_path: pathlib.Path) -> None:
    """The definitions and outcomes are those of the other rules. The cells and the moves are the file's own."""
    for file in (MADE / "general/rules").glob("two-boxes.yaml"):
        (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "more.yaml").write_text(LIKE_TWO_BOXES, encoding="utf-8")
    mine = load_library(tmp_path).game("two-boxes-and-a-count")
    position = mine.start
    for move in range(7):
        assert [mine.format_move(legal) for legal in mine.legal_moves(position)] == [str(e) for e in range(move, 7)]
        position = mine.play(position, mine.parse_move(str(move)))
    assert mine.format_position(position) == "1111111/00/7 O 7"
    assert not mine.legal_moves(position)


AGAIN = """rules: again
title: Who adds to 2 goes on, and who makes the last move wins
source: {document: boxes, place: here, says: It may be the same player's turn again.}
family: general
state: {z: {most: 4}}
moves: {add: {do: ["z = z + 1", "turn = me for t in [%s] if z == t"]}}
outcomes: {the last move: {when: stuck, result: previous}}
"""


@pytest.mark.parametrize(("again", "turns"), [("2", "XOXX"), ("7", "XOXO"), ("", "XOXO"), ("1, 2", "XOOO")])
def test_the_other_player_is_next_unless_a_condition_says_not(again: str, turns: str, tmp_path: pathlib.Path) -> None:
    """``turn`` is no cell that keeps its value."""
    (tmp_path / "again.yaml").write_text(AGAIN % again, encoding="utf-8")
    game = load_library(tmp_path).game("again")
    position, found = game.start, ""
    while not game.is_over(position):
        found += game.turn(position)
        position = game.play(position, game.legal_moves(position)[0])
    assert found == turns


def test_pieces_can_move_in_a_general_game(made: Library) -> None:
    """Three Men's Morris has nine first moves. With three men each, only moves to free neighbours are legal."""
    game = made.game("three-mens-morris")
    position = game.start
    assert len(game.legal_moves(position)) == 9
    for text in ("0", "1", "4", "8", "5", "3"):
        position = game.play(position, game.parse_move(text))
    found = {game.format_move(move) for move in game.legal_moves(position)}
    assert found == {"4-2", "4-6", "4-7", "5-2"}
    after = game.play(position, game.parse_move("4-7"))
    assert game.format_position(after) == "100001010/010100001/6 O 7"


def test_an_index_that_depends_on_the_position(made: Library) -> None:
    """If it is out of range, a condition is false, a number is 0, and an assignment changes nothing."""
    game: Any = made.game("king-in-a-corridor")
    told = []
    position = game.start
    for move in ("right", "right"):
        position = game.play(position, game.parse_move(move))
        told.append((game.format_position(position), [game.format_move(m) for m in game.legal_moves(position)]))
    assert told == [
        ("3/00100/00110 O 1", ["right"]),
        ("4/00110/00111 X 2", []),
    ]
    assert game.outcome(position) == "O"


RULES = yaml.safe_load((MADE / "general" / "rules" / "two-boxes.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"do": "line[e] == True"}, "expected CELL = VALUE"),
        ({"do": "lines[e] = True"}, "'lines' is not a cell of 'state': did you mean 'line'?"),
        ({"do": "line[9] = True"}, "the index must be an integer between 0 and 6, not 9"),
        ({"do": "line = True"}, "line needs 1 indices, not 0"),
        ({"do": "line[e] = 1"}, "line is true or false, and the value is a number"),
        ({"do": "boxes[0] = True"}, "boxes is a number, and the value is a condition"),
        ({"do": "line[e] = True, True"}, "expected one value"),
        ({"do": "line[e] = lime[e]"}, "'lime'"),
        ({"do": "line[k] = True for k in range(0, 9)"}, "the index must be an integer between 0 and 6, not 7"),
        ({"when": "ply == 0"}, "rules cannot use 'ply'"),
        ({"when": "boxes[0]"}, "expected a condition"),
        ({"when": "stuck"}, "'stuck' can be used only in 'outcomes'"),
        ({"when": "not stuck"}, "'stuck' can be used only in 'outcomes'"),
        ({"when": "X_wins"}, "'X_wins' cannot be used in rules: 'outcomes' say"),
        ({"when": "i_win"}, "'i_win' cannot be used in rules: 'outcomes' say"),
        ({"when": "over"}, "'over' cannot be used in rules: 'outcomes' say"),
        ({"when": "my_line"}, "'my_line' needs 'lines' in these rules"),
        ({"when": "boxes[0] % 2 == 0"}, "such as [k % 2 for k in range(0, 10)][boxes[0]]"),
        ({"when": "3 * boxes[0] == 0"}, "such as [3 * k for k in range(0, 10)][boxes[0]]"),
        ({"when": "e * boxes[0] == 0"}, "such as [e * k for k in range(0, 10)][boxes[0]]"),
        ({"when": "boxes[0] * e == 0"}, "such as [k * e for k in range(0, 10)][boxes[0]]"),
        ({"when": "any(line[k] for k in range(0, boxes[0]))"}, "take the longest range, with a condition after 'if'"),
        ({"when": "range(0, line)"}, "line needs its indices"),
        ({"when": "theirs[e]"}, "'theirs' means"),
        ({"when": "turn == X"}, "'turn' is a number: write turn == 1 if X is to move"),
        ({"when": "turn in [1] or X != turn"}, "'turn' is a number"),
        ({"do": "turn = X"}, "'X' is not a cell of these rules; for a player, write 1 for X, 2 for O"),
        ({"when": "free[e]"}, "'free' is not a word of rules with cells: define it, as in {free(s): "),
        ({"when": "X_line"}, "'X_line' needs 'lines' in these rules"),
        ({"when": "O_makes[e]"}, "'O_makes' is not a word of rules with cells: write it out in cells"),
        (
            {"for": {"e": "SPOTS"}},
            "'SPOTS' is not a word of rules with cells: write a list, such as range",
        ),
        ({"when": "boxes[0] = 1"}, "to compare two values, write =="),
        ({"when": "boxes[0] // boxes[1] == 0"}, "can only be added, subtracted and compared"),
        ({"when": "-line[e] == 0"}, "for a condition, write not"),
        ({"when": "line[e + 1]"}, "not 7. To skip it, write '0 <= e + 1 < 7' before 'and' or after 'if'"),
        ({"when": "line[0] and line[e + 1]"}, "To skip it, write '0 <= e + 1 < 7'"),
        ({"when": "[4, 5][e] == 4"}, "counted from 0. To skip it, write '0 <= e < 2'"),
        ({"when": "line[7]"}, "the index must be an integer between 0 and 6, not 7"),
        ({"when": "1 if line[e] else 2"}, "expected a condition"),
        ({"when": "line[e] if boxes[0] == 1 else 2"}, "must be two numbers, or two conditions"),
        ({"for": {"e": "range(-1, 3)"}}, "must be between 0 and 4999, not -1"),
        ({"for": {"e": "[1, 1]"}}, "the same value twice"),
        ({"for": {"e": "range(0, 2)", "f": "range(0, 2)"}}, "two moves are written '0'"),
        ({"for": {"e": "range(0, 1000)", "f": "range(0, 1000)"}}, "two moves are written"),
        ({"for": {"f": "range(0, 2)"}}, "'for' has no values for 'e'"),
        (
            {"for": {"e, f": [[0, 1], [1, 2]]}},
            "several variables in one key, such as 'e, f', do not work in this 'for'",
        ),
        ({"for": {"e": "range(0, 2)", "me": "range(0, 2)"}}, "'me' already has a meaning"),
        ({"for": {"e": "range(0, 2)", "line": "range(0, 2)"}}, "'line' already has a meaning"),
        ({"when": "False"}, "there is no move that can ever be made"),
        (
            {"when": "all(line[k] for k in range(0, 7) for m in range(0, 900) for n in range(0, 900))"},
            "expands to more",
        ),
    ],
)
def test_a_move_that_is_wrong_has_one_problem(tmp_path: pathlib.Path, change: dict[str, Any], said: str) -> None:
    """The problem says what is wrong, at its line."""
    refuse(tmp_path, lambda rules: rules["moves"]["{e}"].update(change), said)


BOARD: dict[str, Any] = {
    "spots": {"a": [0, 0], "b": [1, 0], "c": [2, 0], "d": [0, 1], "e": [1, 1], "f": [2, 1]},
    "lines": dict(zip("0123456", map(list, ("ab", "bc", "ad", "be", "cf", "de", "ef")), strict=True)),
    "marks": {"L": "line"},
}
DRAWN = {"rows": 1, "columns": 7, "marks": {"L": "line[s]"}}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda rules: rules["state"].update({"x[1000]": {}}), "at most 400 cells, not 1000"),
        (lambda rules: rules["state"].update({"x[395]": {}}), "at most 400 cells together, not 404"),
        (lambda rules: rules["state"].update({"x[2, 2, 2]": {}}), "is not a cell: write name"),
        (lambda rules: rules["state"].update({"ply": {}}), "'ply' already has a meaning"),
        (lambda rules: rules["state"].update({"me": {"most": 2}}), "'me' already has a meaning"),
        (lambda rules: rules["state"].update({"them[2]": {}}), "'them' already has a meaning"),
        (lambda rules: rules["state"].update({"stuck": {}}), "'stuck' already has a meaning"),
        (lambda rules: rules["state"].update({"turn": {"start": 3}}), "1 if X begins, 2 if O does"),
        (lambda rules: rules["state"].update({"x": {"most": 3, "start": 4}}), "must be between 0 and 3, not 4"),
        (lambda rules: rules["state"].update({"x[2]": {"start": [1]}}), "expected 2 values, one for each cell, not 1"),
        (lambda rules: rules["state"].update({"x": {"least": 3, "most": 3}}), "'most' must be larger"),
        (lambda rules: rules["state"].update({"x": {"least": 3}}), "'least' needs 'most'"),
        (lambda rules: rules["state"].update({"x": {"least": -1, "most": 3}}), "a cell cannot hold a negative number"),
        (lambda rules: rules["state"].update({"x": {"most": -1}}), "must be at least 1, not -1"),
        (
            lambda rules: rules["outcomes"].update({"x": {"when": "i_win", "result": "X"}}),
            "'i_win' cannot be used in rules",
        ),
        (lambda rules: rules["define"].update({"line": "[1]"}), "'line' already has a meaning"),
        (lambda rules: rules["define"].update({"X_wins": "turn == 1"}), "'X_wins' already has a meaning"),
        (lambda rules: rules["define"].update({"f(over)": "turn == 1"}), "'over' already has a meaning"),
        (lambda rules: rules.update(lines={"in_a_row": 3, "rows": 3, "columns": 3, "of": ["line"]}), "needs 9 cells"),
        (lambda rules: rules.update(shown={"rows": 40, "columns": 40, "marks": {"X": "True"}}), "at most 400 spots"),
        (
            lambda rules: rules.update(shown={"rows": 1, "columns": 9, "marks": {"L": "line[s]"}}),
            "between 0 and 6, not 7",
        ),
        (
            lambda rules: rules.update(shown={"rows": 1, "columns": 7, "marks": {"LL": "line[s]"}}),
            "expected one letter",
        ),
        (
            lambda rules: (rules["state"].update({"row": {}}), rules.update(shown=DRAWN)),
            "'row' already has a meaning: it is a word of the game",
        ),
        (
            lambda rules: (rules["define"].update({"column": "turn == 1"}), rules.update(shown=DRAWN)),
            "'column' already has a meaning: it is the definition in",
        ),
        (
            lambda rules: rules.update(drawn={**BOARD, "marks": {"L": "boxes"}}),
            "'boxes' has 2 cells or values, and there",
        ),
        (lambda rules: rules.update(drawn={**BOARD, "marks": {"L": "lime"}}), "'lime' is not an entry of 'state'"),
        (lambda rules: rules.update(drawn={**BOARD, "marks": {}}), "say for each letter which entry of 'state'"),
        (
            lambda rules: rules.update(drawn={**BOARD, "lines": BOARD["lines"] | {"6": ["a", "z"]}}),
            "'z' is not one of the points",
        ),
        (
            lambda rules: rules.update(drawn={**BOARD, "spots": {**BOARD["spots"], "6": [3, 3]}}),
            "a point and of a line",
        ),
        (
            lambda rules: rules["outcomes"].update({"x": {"when": "me == 1", "result": "X"}}),
            "'me' can be used only in 'when' and 'do'",
        ),
        (lambda rules: rules.update(outcomes={"x": {"when": True, "result": "X"}}), "over before the first move"),
    ],
)
def test_rules_that_are_wrong_have_one_problem(
    tmp_path: pathlib.Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    refuse(tmp_path, change, said)


def refuse(folder: pathlib.Path, change: Callable[[dict[str, Any]], object], said: str) -> None:
    """Require that changed rules have exactly this problem."""
    rules = yaml.safe_load(yaml.safe_dump(RULES))
    change(rules)
    (folder / "rules.yaml").write_text(yaml.safe_dump(rules, sort_keys=False), encoding="utf-8")
    _, problems = read_library(folder, GRAMMAR)
    assert len(problems) == 1, problems
    assert said in problems[0].message


def test_a_problem_in_an_assignment_has_its_column(tmp_path: pathlib.Path) -> None:
    """It is the column of the wrong word, on the left or on the right."""
    text = (MADE / "general" / "rules" / "two-boxes.yaml").read_text(encoding="utf-8")
    for old, new, word in (
        ("- line[e] = True", "- lime[e] = True", "lime"),
        ("+ sum(closes", "+ sum(opens", "opens"),
        ("else them", "else us", "us"),
    ):
        path = tmp_path / "rules.yaml"
        path.write_text(text.replace(old, new), encoding="utf-8")
        _, (problem,) = read_library(tmp_path, GRAMMAR)
        line = path.read_text(encoding="utf-8").splitlines()[problem.line - 1]
        assert line[problem.column - 1 :].startswith(word), (problem, line)


@pytest.mark.parametrize(
    "when",
    ["e < 6 and line[e + 1]", "e == 6 or line[e + 1]", "implies(e < 6, line[e + 1])", "line[e + 1] if e < 6 else True"],
)
def test_a_test_of_variables_guards_an_index(when: str, tmp_path: pathlib.Path) -> None:
    """The part with an index out of range is not evaluated if the test before it decides."""
    rules = yaml.safe_load(yaml.safe_dump(RULES))
    rules["moves"]["{e}"]["when"] = f"not line[e] and not ({when})"
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump(rules, sort_keys=False), encoding="utf-8")
    assert load_library(tmp_path).game("two-boxes").start


ABOUT = "source: {document: hares, place: here, says: Something is so.}"
HARE = f"""rules: hare
title: A hare on six spots, and a dog
{ABOUT}
family: general
state: {{hare: {{most: 5, start: 2}}, dog: {{most: 5}}}}
define: {{"near(s, t)": "s - t in [-1, 1]"}}
moves:
  "{{s}}-{{t}}": {{for: {{s: "range(0, 6)", t: "[t for t in range(0, 6) if near(s, t)]"}}, by: X, when: hare == s, do: hare = t}}
  "d{{t}}": {{for: {{t: "range(0, 6)"}}, by: O, when: "dog != t and dog - t in [-1, 0, 1]", do: dog = t}}
outcomes: {{caught: {{when: hare == dog, result: previous}}}}
"""  # noqa: E501 - a line of a spec
RUN = f"""strategy: run
title: Run
{ABOUT}
rules: hare
player: X
phases: {{all: {{rules: {{go: {{for: {{t: "range(0, 6)"}}, when: WHEN, play: PLAY}}}}}}}}
"""
ONE_TO = '{"{s}-{t}": [1, t]}'
CLAIM = f"claim: hares\ntitle: A claim\n{ABOUT}\nrules: hare\nreadings: {{as-stated: {{READING}}}}\n"


def problems_of(
    folder: pathlib.Path, reading: str = "", when: str = "t == 0", play: str = '{"{s}-{t}": [1, t]}'
) -> list[str]:
    """Return the problems of a claim and a strategy about the hare."""
    (folder / "hare.yaml").write_text(HARE)
    (folder / "run.yaml").write_text(RUN.replace("WHEN", when).replace("PLAY", play))
    if reading:
        (folder / "claim.yaml").write_text(CLAIM.replace("READING", reading))
    return [str(problem) for problem in validate_folder(folder)[2]]


@pytest.mark.parametrize(
    ("play", "said"),
    [
        ('{"{s}-{t}": [hare, t]}', "that does not depend on the position: list the values in 'for'"),
        ('{"{s}-{t}": [1]}', "{s}-{t} needs 2 values (s, t), not 1"),
        ('{"{t}-{s}": [1, t]}', "these rules have no moves written '{t}-{s}': their moves are written {s}-{t}, d{t}"),
        ('{"{s}-{t}": [1, t], "d{t}": [t]}', "has more than 1 items"),
        ("{}", "play is empty"),
        ('{"{s}-{t}": [1, 1]}', "these rules have no move 1-1: exclude it in 'when', by a condition on the variables"),
        ('{"d{t}": ["0 - 1"]}', "these rules have no move d-1"),
        ('{"{s}-{t}": t}', "expected a list"),
        ('"{s}-{t}"', 'expected a list, or a map, such as {"{s}-{t}": [s, t]}'),
        ("hare", "expected a list, such as [hare]"),
        ("[0, 1, 1]", "these rules have no move [0, 1, 1]: exclude it in 'when', by a condition on the variables"),
        ("[0, hare, 1]", "that does not depend on the position: list the values in 'for', and compare them in 'when'"),
        ("[1, 2]", 'has 3 numbers, not 2; you can also use its template, such as play: {"{s}-{t}": [s, t]}'),
    ],
)
def test_a_strategys_move_that_the_rules_lack_is_refused(play: str, said: str, tmp_path: pathlib.Path) -> None:
    """A value that has no move is refused, and never left to the next rule of the strategy."""
    (problem,) = problems_of(tmp_path, when="t == 0", play=play)
    assert "run.yaml:6:" in problem
    assert said in problem


def choices_of(folder: pathlib.Path, name: str = "run") -> list[list[int]]:
    """Return the moves of the first rule of a strategy, as numbers."""
    ground, problems = ground_strategy(load_library(folder), name)
    assert not problems
    return [choice["play"] for choice in ground["phases"][0]["instances"][0]["rules"][0]["choices"]]


@pytest.mark.parametrize(
    ("play", "when", "moves"),
    [
        ('{"{s}-{t}": [1, t]}', '"t in [0, 2]"', [[0, 1, 0], [0, 1, 2]]),
        ('{"{s}-{t}": ["t + 1", t]}', "t < 2", [[0, 1, 0], [0, 2, 1]]),
        ('{"d{t}": [t]}', "t > 3", [[1, 4, 0], [1, 5, 0]]),
    ],
)
def test_a_strategy_names_a_move_by_its_template(
    play: str, when: str, moves: list[list[int]], tmp_path: pathlib.Path
) -> None:
    """The numbers of the move begin with the place of the template, and end with zeros where others are longer."""
    assert problems_of(tmp_path, when=when, play=play) == []
    assert choices_of(tmp_path) == moves


MIRROR = f"""rules: mirror
title: Moves whose templates name the variables in another order
{ABOUT}
family: general
state: {{"at[12]": {{}}}}
moves: {{"{{b}}{{a}}": {{for: {{a: "[1, 2, 11]", b: "[1, 2]"}}, when: "a + b != 3", do: "at[a] = True"}}, pass: {{do: "at[0] = True"}}}}
outcomes: {{end: {{when: stuck, result: draw}}}}
"""  # noqa: E501 - a line of a spec


def require_choices(folder: pathlib.Path, rules: str, play: str, found: Any) -> None:
    """Require that a strategy with this ``play`` has these moves; if ``found`` is a text, one fault with the text."""
    (folder / "mirror.yaml").write_text(rules)
    strategy = RUN.replace("rules: hare", "rules: mirror").replace("WHEN", "t == 0").replace("PLAY", play)
    (folder / "run.yaml").write_text(strategy)
    problems = [str(problem) for problem in validate_folder(folder)[2]]
    if isinstance(found, str):
        assert len(problems) == 1
        assert found in problems[0]
    else:
        assert problems == []
        assert choices_of(folder) == found


@pytest.mark.parametrize(
    ("play", "found"),
    [
        ('{"{b}{a}": [2, 11]}', [[0, 11, 2]]),
        ('{"{b}{a}": [1, 1]}', [[0, 1, 1]]),
        ('{"{b}{a}": [11, 1]}', "these rules have no move 111"),  # 111 is the move with b = 1 and a = 11
        ("{pass: []}", [[1, 0, 0]]),
        ("[0, 11, 2]", [[0, 11, 2]]),
    ],
)
def test_values_fill_a_template_from_left_to_right(play: str, found: Any, tmp_path: pathlib.Path) -> None:
    """This holds also if ``for`` has the variables in another order. Equal texts do not make equal moves."""
    require_choices(tmp_path, MIRROR, play, found)


@pytest.mark.parametrize(
    ("moves", "play", "found"),
    [
        ('{"{a}-{b}": {for: {a: "[1, 2]", b: "[3, 4]"}, do: "at[a] = True"}}', "[2, 3]", [[2, 3]]),
        ('{"{a}-{b}": {for: {a: "[1, 2]", b: "[3, 4]"}, do: "at[a] = True"}}', '{"{a}-{b}": [2, 3]}', [[2, 3]]),
        ('{"{b}-{a}": {for: {a: "[1, 2]", b: "[3, 4]"}, do: "at[a] = True"}}', '{"{b}-{a}": [3, 2]}', [[2, 3]]),
        ('{"{b}-{a}": {for: {a: "[1, 2]", b: "[3, 4]"}, do: "at[a] = True"}}', "[2, 3]", 'play: {"{b}-{a}": [b, a]}'),
        ('{"{a}": {for: {a: "[1, 2]", b: "[a + 1]"}, do: "at[b] = True"}}', '{"{a}": [2]}', [[2, 3]]),
        ('{"{a}": {for: {a: "[1, 2]", b: "[a + 1]"}, do: "at[b] = True"}}', "[2, 3]", 'play: {"{a}": [a]}'),
        ('{"{a}={a}": {for: {a: "[1, 2]"}, do: "at[a] = True"}}', '{"{a}={a}": [2]}', [[2]]),
        ('{add: {do: "at[1] = True"}}', "{add: []}", [[0]]),
        ('{add: {do: "at[1] = True"}}', "[0]", [[0]]),
    ],
)
def test_one_template_needs_a_name_if_numbers_alone_could_be_misread(
    moves: str, play: str, found: Any, tmp_path: pathlib.Path
) -> None:
    """Numbers alone are the variables in the order of the text, and of ``for``: the two orders must be the same."""
    rules = re.sub("(?m)^moves: .*$", f"moves: {moves}", MIRROR)
    require_choices(tmp_path, rules, play, found)


def test_a_template_keeps_its_variables_in_a_file_for_several(tmp_path: pathlib.Path) -> None:
    """A variable of the file with the same name has its value in the list, and the template is not filled in."""
    assert problems_of(tmp_path) == []
    text = RUN.replace("strategy: run", "strategy: run-{s}\nfor: {s: [1, 2]}")
    (tmp_path / "run.yaml").write_text(text.replace("WHEN", "t == 3").replace("PLAY", '{"{s}-{t}": [s + 1, t]}'))
    assert choices_of(tmp_path, "run-1") == [[0, 2, 3]]


def test_a_move_is_not_merged_with_the_move_of_another_file(tmp_path: pathlib.Path) -> None:
    """A strategy that is like another one has its own template, and not both."""
    assert problems_of(tmp_path, when="t == 0", play='{"{s}-{t}": [1, t]}') == []
    own = 'phases: {all: {rules: {go: {play: {"d{t}": [t]}}}}}'
    (tmp_path / "like.yaml").write_text(f"strategy: other\nlike: run\ntitle: Other\n{ABOUT}\n{own}\n")
    assert choices_of(tmp_path, "other") == [[1, 0, 0]]


def test_a_step_names_a_move_by_its_template(tmp_path: pathlib.Path) -> None:
    """The same holds for the free move of an entry of ``steps``, and the words of the reading print the move."""
    given = '{turn: X, given: ["hare == 1"], play: {"{s}-{t}": [1, t]}, for: {t: [0, 2]}, conclude: ["hare == t"]}'
    assert problems_of(tmp_path, f"steps: {{go: {given}}}, step: move, expect: proved", "t == 0") == []
    library = load_library(tmp_path)
    reading = library.claim("hares").readings["as-stated"]
    statement = compile_reading(library, "hares", "as-stated").statement
    assert statement is not None
    parts = statement["parts"]
    assert [part["plays"] for part in parts] == [[0, 1, 0], [0, 1, 2]]
    assert any("after the move 1-t" in line for line in find_question("steps").say(reading))


@pytest.mark.parametrize(
    ("reading", "said"),
    [
        ("keep: 'near(hare, dog)', at: every", "copy 'near(s, t)' to 'define' here"),
        ("keep: near, at: every", "'near' is defined in the rules 'hare', and can be used only there"),
        ("keep: not stuck, at: every", "'stuck' can be used only in the 'outcomes' of rules"),
    ],
)
def test_a_name_of_the_rules_alone_is_refused_in_a_claim(reading: str, said: str, tmp_path: pathlib.Path) -> None:
    """The message says that the rules have it, and what to do."""
    (problem,) = problems_of(tmp_path, f"plays: all, expect: proved, objectives: {{a: {{{reading}}}}}", "t == 0")
    assert said in problem


@pytest.mark.parametrize(
    ("reading", "start", "said"),
    [
        ("plays: all, expect: proved, objectives: {a: {prevent: O_wins}}", "4/0 X 6", "write '4/0 X 0'"),
        ("plays: all, expect: proved, objectives: {a: {keep: not over, at: every}}", "4/0 O 3", "write '4/0 O 1'"),
        ("can: X, expect: proved, objectives: {a: {prevent: O_wins}}", "4/0 X 2", "write '4/0 X 0'"),
        ("can: X, expect: proved, objectives: {a: {prevent: O_wins, by: 9}}", "4/0 X 2", ""),
        ("plays: all, expect: proved, objectives: {a: {keep: ply < 9, at: every}}", "4/0 X 2", ""),
        ("can: X, expect: proved, objectives: {a: {prevent: O_wins}}", "4/0 O 1", ""),
    ],
)
def test_a_start_has_the_number_of_moves_that_reports_print(
    reading: str, start: str, said: str, tmp_path: pathlib.Path
) -> None:
    """Only a claim that depends on the number of moves can choose it."""
    found = problems_of(tmp_path, f"{reading}, start: {start}", "t == 0")
    assert len(found) == bool(said), found
    assert all(said in problem for problem in found)


def test_rules_like_others_have_their_family(tmp_path: pathlib.Path) -> None:
    """This holds even if they have moves of their own."""
    (tmp_path / "hare.yaml").write_text(HARE)
    own = 'moves: {"{t}": {for: {t: "range(0, 6)"}, when: hare != t, do: hare = t}}'
    (tmp_path / "like.yaml").write_text(f"rules: hops\nlike: hare\ntitle: A hare that hops\n{ABOUT}\n{own}\n")
    assert len(load_library(tmp_path).game("hops").legal_moves(load_library(tmp_path).game("hops").start)) == 5


@pytest.mark.parametrize(
    ("do", "said"),
    [
        ('["hare = t", "hare = s"]', ["hare.yaml:8: the move '2-1' can give 'hare' two different values"]),
        ('["hare = t", "dog = 5", "dog = 5"]', []),
        ('["hare = t", "dog = 5 for k in [1] if hare == 0", "dog = 4 for k in [1] if hare != 0"]', []),
        ('["hare = t", "turn = me", "turn = them for k in [1] if hare == 2"]', ["can give 'turn' two different"]),
    ],
)
def test_two_different_values_for_a_cell_are_a_hint(do: str, said: list[str], tmp_path: pathlib.Path) -> None:
    """Values that are never different, and assignments that are never made together, are no hint."""
    (tmp_path / "hare.yaml").write_text(HARE.replace("do: hare = t", f"do: {do}"))
    library = load_library(tmp_path)
    hints = [hint for hint in find_rules_hints(library.game("hare"), library.rules["hare"]) if "two different" in hint]
    assert len(hints) == len(said)
    assert all(text in hint for text, hint in zip(said, hints, strict=True))
