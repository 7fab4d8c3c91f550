"""A user's folder may name rules, definitions and strategies that come with the package."""

import pathlib
import re
import shutil

import pytest

from tests import rules
from tests.audit.made import MADE, ROOT, check, make_plan, read_spec
from tests.commands import Told, command
from verifier.language.folder import read_library
from verifier.questions.compile import compile_reading, validate_folder
from verifier.questions.registry import GRAMMAR

CLAIM = read_spec("borrowed/claim")


@pytest.fixture
def specs(tmp_path: pathlib.Path) -> pathlib.Path:
    return shutil.copytree(MADE / "borrowed", tmp_path / "specs")


def test_a_folder_may_name_shipped_files(specs: pathlib.Path) -> None:
    """The statement is that of the shipped claim, verdicts are decided, and a strategy may be like a shipped one."""
    library, compiled, problems = validate_folder(specs)
    assert problems == []
    shipped = compile_reading(rules.specs(), "careful-first-is-safe", "as-stated")
    assert compiled["own", "as-stated"].statement == shipped.statement
    assert {name for name, spec in library.strategies.items() if spec.document.is_borrowed} == {"careful-first"}
    assert set(library.definitions) == {"small-lines"}
    ledger = check(make_plan(specs))
    assert [str(reading.verdict) for reading in ledger.readings] == ["proved", "proved"]


@pytest.mark.parametrize("name", ["careful-first", "small-lines"])
def test_a_file_of_another_kind_hides_no_shipped_file(name: str, specs: pathlib.Path) -> None:
    """A claim may have the id of the strategy that it is about, or of definitions that it includes."""
    (specs / "claim.yaml").write_text(CLAIM.replace("claim: own", f"claim: {name}"))
    assert validate_folder(specs)[2] == []


def test_a_report_shows_the_shipped_files_in_use(specs: pathlib.Path) -> None:
    """The report has their text. ``validate`` counts only the files of the folder."""
    assert command("validate", specs) == Told(0, "1 claim, 2 readings, 1 strategy: nothing wrong\n", "")
    text = command("check", "--specs", specs, "--jobs", "1", "--format", "html").out
    assert "Win if you can, block if you must" in text
    assert "x_third(s, a, b, c)" in text


def test_a_file_of_the_folder_replaces_a_shipped_one(specs: pathlib.Path) -> None:
    own = (ROOT / "specs/examples/strategies/careful-first.yaml").read_text().replace("      centre", "      middle")
    (specs / "own.yaml").write_text(own.replace("document: examples", "document: own-paper"))
    library, _, problems = validate_folder(specs)
    assert problems == []
    assert "middle" in library.strategy("careful-first").phases["all"].rules
    (specs / "own.yaml").write_text(own.replace("title:", "tittle:"))
    library, _, problems = validate_folder(specs)
    assert "own.yaml" in {problem.file for problem in problems}
    assert "careful-first" not in library.strategies


def test_a_sentence_that_equals_an_id_names_no_shipped_file(specs: pathlib.Path) -> None:
    """The description of a rule may be the id of shipped rules."""
    mine = specs / "mine.yaml"
    mine.write_text(mine.read_text().replace("centre: {", "centre: {says: notakto, "))
    library, problems = read_library(specs, GRAMMAR)
    assert (set(library.rules), problems) == ({"tictactoe"}, [])


def test_a_file_of_the_folder_does_not_change_shipped_files(specs: pathlib.Path) -> None:
    """Shipped strategies use shipped definitions, and shipped rules are like shipped rules. A copy changes nothing."""
    lines, rules, careful = (
        "document: own-paper".join(re.split("document: [a-z]+", (ROOT / "specs" / name).read_text()))
        for name in (
            "examples/definitions/small-lines.yaml",
            "paper/rules/tictactoe.yaml",
            "examples/strategies/careful-first.yaml",
        )
    )
    (specs / "lines.yaml").write_text(lines)
    (specs / "rules.yaml").write_text(rules)
    (specs / "turned.yaml").write_text(
        CLAIM.partition("rules:")[0].replace("claim: own", "claim: turned")
        + 'rules: misere\nreadings: {a: {line: [4], conclude: ["X[4]"], expect: proved}}\n'
    )
    assert validate_folder(specs)[2] == []
    x_line, o_line = re.findall(r"  [XO] .*", rules)
    (specs / "rules.yaml").write_text(rules.replace(x_line, "").replace(o_line, f"{o_line}\n{x_line}"))
    assert refusals(specs) == {("rules.yaml", 1, ("misere", "tictactoe", "misere"))}, "the first clause decides"
    (specs / "lines.yaml").write_text(lines.replace("[0, 1, 2]", "[0, 1, 5]"))
    shutil.copy(MADE / "own/tictactoe.yaml", specs / "rules.yaml")
    lines_refused = ("lines.yaml", 1, ("careful-first", "small-lines", "careful-first"))
    assert refusals(specs) >= {lines_refused, ("rules.yaml", 1, ("misere", "tictactoe", "misere"))}
    (specs / "careful.yaml").write_text(careful)
    assert lines_refused not in refusals(specs)


def refusals(folder: pathlib.Path) -> set[tuple[str, int, tuple[str, ...]]]:
    """Return file and line of everything that is refused in a folder, with the ids in quotes."""
    return {(p.file, p.line, tuple(re.findall(r"'([\w-]+)'", p.message))) for p in validate_folder(folder)[2]}


OWN_RULES = read_spec("own/tictactoe")
OWN_STRATEGY = read_spec("own/careful-first")
ALONE = CLAIM.partition("  no-line-left-open")[0]


@pytest.mark.parametrize(
    ("file", "fault"),
    [
        (OWN_RULES + "odd: true\n", "unknown key 'odd'"),
        (OWN_RULES.replace("X_line", "X_lime"), "'X_lime' is not defined: did you mean 'X_line'?"),
        (OWN_RULES.replace("in_a_row: 2", "in_a_row: 2]"), "not YAML: did not find expected ',' or '}'"),
        (OWN_STRATEGY.replace("[s]}}}}", "[s]}}}}]"), "not YAML: did not find expected key"),
        (OWN_STRATEGY + "odd: true\n", "unknown key 'odd'"),
    ],
)
def test_no_shipped_file_replaces_a_faulty_file_of_the_folder(specs: pathlib.Path, file: str, fault: str) -> None:
    """Claims that name it are left out, even if shipped rules are like it: the shipped file says something else."""
    (specs / "fault.yaml").write_text(file)
    (specs / "mine.yaml").unlink()
    (specs / "claim.yaml").write_text(ALONE)
    (specs / "other.yaml").write_text(ALONE.replace("claim: own", "claim: other").replace("tictactoe", "misere"))
    library, problems = read_library(specs, GRAMMAR)
    assert [problem.message.partition(";")[0] for problem in problems] == [fault]
    assert library.claims == {}
    assert {name for (kind, name), file in library.lost.items() if (kind, file) == ("claim", "fault.yaml")} == {
        "own",
        "other",
    }


def test_a_claim_that_is_like_another_borrows_no_strategy(specs: pathlib.Path) -> None:
    """Its base has the id of a shipped strategy, and this strategy's definitions have the id of some in the folder."""
    shutil.copy(MADE / "own/small-lines.yaml", specs)
    (specs / "mine.yaml").unlink()
    claim = ALONE.replace("claim: own", "claim: careful-first").replace("X: careful-first", "X: first-free")
    (specs / "claim.yaml").write_text(claim)
    (specs / "own.yaml").write_text(OWN_STRATEGY.replace("careful-first", "first-free"))
    more = claim.replace("claim: careful-first", "claim: more").replace("rules: tictactoe", "like: careful-first")
    (specs / "more.yaml").write_text(more)
    library, _, problems = validate_folder(specs)
    assert problems == []
    assert set(library.strategies) == {"first-free"}
