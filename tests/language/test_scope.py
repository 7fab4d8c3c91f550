"""Variables are values in the scope of expressions, and no word changes its meaning, as verdicts show.

Names that already have a meaning are refused: ``corpus/specs/invalid`` has a file for each way, ``scope-…``.
"""

import pathlib

import pytest

from tests.audit.made import check, make_plan, verdicts
from tests.commands import command
from tests.rules import load_library
from verifier.questions.compile import compile_reading

RULES = """rules: three
title: Tic-tac-toe
source: {document: none, place: here, says: The usual rules.}
family: positional
board: {rows: 3, columns: 3}
lines: {in_a_row: 3}
outcomes: {X has a line: {when: X_line, result: X}, O has a line: {when: O_line, result: O}}
"""
HEAD = "title: A claim\nsource: {document: none, place: here, says: Something is so.}\nrules: three\n"


def decide(folder: pathlib.Path, *files: str, cache: pathlib.Path | None = None) -> dict[str, str]:
    """Return the verdicts on files, beside the rules of tic-tac-toe."""
    folder.mkdir(exist_ok=True)
    for number, text in enumerate((RULES, *files)):
        (folder / f"{number}.yaml").write_text(text)
    return verdicts(check(make_plan(folder, cache=cache)))


def claim(name: str, rest: str, head: str = "") -> str:
    return f"claim: {name}\n{head}{HEAD}{rest}"


@pytest.mark.parametrize(
    ("head", "rest", "wanted"),
    [
        ("for: {j: [0], k: [0]}", 'define: {there: "X[k]"}\nreadings: {r: {W, conclude: [there]}}', "proved"),
        ("for: {j: [0], k: [1]}", 'define: {there: "X[k]"}\nreadings: {r: {W, conclude: [there]}}', "refuted"),
        ("for: {j: [0], k: [-1]}", "readings: {r: {W, conclude: [k ** 2 == 1]}}", "proved"),
        ("for: {j: [0], k: [-1]}", "readings: {r: {W, conclude: [1 - k == 2]}}", "proved"),
        ("for: {j: [0], k: [[0, 2]]}", "readings: {r: {W, conclude: ['all(X[i] for i in k)']}}", "refuted"),
        ("for: {j: [0], k: [[0, 2]]}", "readings: {r: {W, conclude: ['X[k[0]]', 'free[k[1]]']}}", "proved"),
        ("for: {j: [0]}", "readings: {r: {W, conclude: ['X[j]']}, s: {like: r, expect: proved}}", "proved"),
        ("for: {j: [0]}", "define: {at(s): 'X[s]'}\nreadings: {r: {W, conclude: [at(j)]}}", "proved"),
    ],
)
def test_a_variable_has_its_value_in_every_expression(
    head: str, rest: str, wanted: str, tmp_path: pathlib.Path
) -> None:
    """Every expression that names it is true if X has marked spot 0."""
    text = claim("c-{j}", rest.replace("W", "line: ['0'], expect: proved"), f"{head}\n")
    assert decide(tmp_path / "specs", text)["c-0/r"] == wanted


def test_a_changed_value_is_decided_again(tmp_path: pathlib.Path) -> None:
    """This holds even if the text of the reading, or of a definition in its scope, is the same."""
    rest = "define: {there: \"X[k]\"}\nreadings: {r: {line: ['0'], expect: proved, conclude: [there]}}"
    found = [
        decide(tmp_path / "specs", claim("c-{j}", rest, f"for: {{j: [0], k: [{k}]}}\n"), cache=tmp_path / "cache")
        for k in (0, 1, 0)
    ]
    assert [verdict["c-0/r"] for verdict in found] == ["proved", "refuted", "proved"]


def test_a_copied_expression_keeps_the_values_of_its_own_file(tmp_path: pathlib.Path) -> None:
    """The other file has a variable of the same name with another value."""
    one = claim("one-{k}", "readings: {r: {line: ['0'], expect: proved, conclude: ['X[k]']}}", "for: {k: [0]}\n")
    two = claim("two-{k}", "readings: {r: {like: one-0/r, expect: proved}}", "for: {k: [5]}\n")
    three = claim("three-{k}", "readings: {r: {like: one-0/r, expect: proved, line: ['5']}}", "for: {k: [5]}\n")
    assert decide(tmp_path / "specs", one, two, three) == {
        "one-0/r": "proved",
        "two-5/r": "proved",
        "three-5/r": "refuted",
    }


@pytest.mark.parametrize("goal", ["i_win", "not (not i_win)", "won", "either(0)", "won_by_us"])
def test_exactly_keeps_the_words_of_the_claimant(goal: str, tmp_path: pathlib.Path) -> None:
    """X wins at once, and not only by ply 7. His words stay his in the half in which O prevents it."""
    rest = (
        'define: {won: i_win, "either(s)": "i_win or mine[s] and i_win", won_by_us: won}\n'
        f"readings: {{r: {{can: X, expect: proved, start: XX.OO...., "
        f"objectives: {{w: {{reach: {goal}, exactly: 7}}}}}}}}"
    )
    found = decide(tmp_path / "specs", claim("c", rest))
    assert (found["c/r-by"], found["c/r-not-sooner"], found["c/r"]) == ("proved", "refuted", "refuted")
    by, sooner = (
        compile_reading(load_library(tmp_path / "specs"), "c", f"r-{part}").statement or {}
        for part in ("by", "not-sooner")
    )
    assert by["objectives"][0]["goal"] == sooner["objectives"][0]["goal"]


def test_a_definition_has_the_words_of_whoever_uses_it(tmp_path: pathlib.Path) -> None:
    """One definition is used for X and for O in one run. Neither gets the meaning of the other."""
    rest = """define: {first: "mine[0]"}
readings:
  x: {plays: all, player: X, expect: proved, start: ['0'], objectives: {it: {keep: first, at: start}}}
  o: {plays: all, player: O, expect: proved, start: ['0'], objectives: {it: {keep: not first, at: start}}}
"""
    assert set(decide(tmp_path / "specs", claim("c", rest)).values()) == {"proved"}


@pytest.mark.parametrize(
    ("objectives", "wanted"),
    [
        ("{somebody has a line or all is full: {keep: over, at: end}}", "proved"),
        (
            "{a draw is possible: {some: draw, at: end}, nobody else: {keep: X_wins or O_wins or draw, at: end}}",
            "proved",
        ),
        ("{never a draw: {prevent: draw, by: 9}}", "refuted"),
        ("{it ends: {reach: over, by: 9}}", "proved"),
        ("{it ends: {reach: over, by: 8}}", "refuted"),
    ],
)
def test_without_a_strategy_a_claim_is_about_every_legal_play(
    objectives: str, wanted: str, tmp_path: pathlib.Path
) -> None:
    rest = f"readings: {{r: {{plays: all, expect: proved, objectives: {objectives}}}}}"
    assert decide(tmp_path / "specs", claim("c", rest)) == {"c/r": wanted}


STRATEGY = """strategy: on-a-field
title: Its spot on one field
source: {document: none, place: here, says: Mark spot f.}
rules: three
player: X
phases: {all: {for: {f: [0, 8]}, rules: {it: {play: [f]}}}}
"""


@pytest.mark.parametrize(
    ("head", "name", "own"),
    [("for: {j: [0], f: [8]}\n", "r", ""), ("for: {j: [0]}\n", "r{f}", "for: {f: [8]}, ")],
)
def test_a_phase_takes_the_value_of_a_variable_in_scope(head: str, name: str, own: str, tmp_path: pathlib.Path) -> None:
    """The variable is of a file or an entry. Only the member for spot 8 marks it; the whole phase may also mark 0."""
    reading = "{%splays: all, expect: proved, horizon: 1, strategies: {X: on-a-field#all}, objectives: {it: %s}}"
    text = claim("c-{j}", f"readings: {{'{name}': {reading % (own, '{keep: X[8], at: after:all}')}}}", head)
    quoted = text.replace("X[8]", "'X[8]'").replace("after:all", "'after:all'")
    assert set(decide(tmp_path / "specs", STRATEGY, quoted).values()) == {"proved"}


OVER = "XXXOO...."


@pytest.mark.parametrize(
    ("reading", "wanted"),
    [
        ("line: [], conclude: [over, X_wins, not draw]", "proved"),
        ("line: [], conclude: [O_wins]", "refuted"),
        ("line: ['8'], conclude: [over]", "unknown"),
        ("plays: all, objectives: {it: {keep: X_wins, at: [every, start, end]}}", "proved"),
        ("plays: all, objectives: {it: {keep: ply == 6, at: end}}", "refuted"),
        ("plays: all, objectives: {it: {some: X_wins, at: end}}", "proved"),
        ("plays: all, objectives: {it: {some: O_wins, at: every}}", "refuted"),
        ("plays: all, player: X, objectives: {it: {keep: X_wins, at: [end, claimant]}}", "unknown"),
        ("plays: all, objectives: {it: {reach: X_wins, by: 9}}", "unknown"),
        ("plays: all, objectives: {it: {prevent: O_wins, by: 9}}", "unknown"),
        ("can: X, objectives: {it: {reach: X_wins, by: 9}}", "unknown"),
    ],
)
def test_a_finished_position_has_no_plays_and_no_turn(reading: str, wanted: str, tmp_path: pathlib.Path) -> None:
    """Claims about plays, or about whose turn it is, have no object there."""
    rest = f"readings: {{r: {{{reading}, expect: proved, start: {OVER}}}}}"
    assert decide(tmp_path / "specs", claim("c", rest)) == {"c/r": wanted}


SHARED = """definitions: shared
title: Words
source: {document: none, place: here, says: Some words.}
define:
  right: X[0]
  wrong(s): right and %s
  user(s): wrong(s) or O[s]
"""
USES = "includes: [shared]\nreadings: {r: {step: start, expect: proved, steps: {start: {conclude: ['not user(1)']}}}}\n"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("free_[s]", "'free_' is not defined: did you mean 'free'?"),
        ("rihgt", "'rihgt' is not defined: did you mean 'right'?"),
        ("implise(X[s], O[s])", "'implise' is not a function: did you mean 'implies'?"),
        ("anny(X[i] for i in [s])", "'anny' is not a function: did you mean 'any'?"),
    ],
)
def test_a_misspelled_name_is_one_fault_at_its_definition(typed: str, said: str, tmp_path: pathlib.Path) -> None:
    """The fault is in the shared file, however many claims use the definition, directly or through another one."""
    specs = tmp_path / "specs"
    specs.mkdir()
    for number, text in enumerate((RULES, SHARED % typed, claim("a", USES), claim("b", USES))):
        (specs / f"{number}.yaml").write_text(text)
    (fault,) = check(make_plan(specs)).faults
    column = SHARED.splitlines()[5].index("%s") + 1
    assert (pathlib.Path(fault.file).name, fault.line, fault.column, fault.message) == ("1.yaml", 6, column, said)
    assert [item.name for item in fault.lost] == ["a/r", "b/r"]
    told = command("validate", specs)
    assert (told.code, told.err.count("is not ")) == (2, 1)
    assert told.err.strip().endswith(f"1.yaml:6:{column}: {said}")


def test_an_argument_that_does_not_fit_is_a_fault_where_it_is_given(tmp_path: pathlib.Path) -> None:
    """The definition is right for other arguments."""
    specs = tmp_path / "specs"
    specs.mkdir()
    for number, text in enumerate((RULES, SHARED % "X[s]", claim("a", USES.replace("user(1)", "user(9)")))):
        (specs / f"{number}.yaml").write_text(text)
    (fault,) = check(make_plan(specs)).faults
    assert pathlib.Path(fault.file).name == "2.yaml"
    assert "(in the definition of wrong)" in fault.message
