"""``exactly``: a reading about the earliest ply joins two readings, which are decided separately."""

import pathlib

import pytest

from tests.audit.made import MADE, check, make_plan, verdicts, write_claim
from tests.commands import command
from tests.rules import load_library
from verifier.audit.ledger import Standing
from verifier.audit.needs import find_long
from verifier.questions.compile import compile_reading

SPECS = MADE / "exactly"
VERDICTS = {
    "at-2": {"r": "refuted", "r-by": "refuted", "r-not-sooner": "proved"},
    "at-3": {"r": "proved", "r-by": "proved", "r-not-sooner": "proved"},
    "at-4": {"r": "refuted", "r-by": "proved", "r-not-sooner": "refuted"},
}


def test_exactly_is_proved_only_if_both_halves_are_proved() -> None:
    """X wins with his second mark, exactly at ply 3. If one half is refuted, so is the whole."""
    wanted = {f"{claim}/{name}": verdict for claim, found in VERDICTS.items() for name, verdict in found.items()}
    assert verdicts(check(make_plan(SPECS))) == wanted


def test_the_two_statements_are_those_of_written_readings() -> None:
    """The claimant reaches the goal by the ply. The other player prevents it through the ply before."""
    library = load_library(SPECS)
    by, sooner = (compile_reading(library, "at-3", f"r-{part}").statement for part in ("by", "not-sooner"))
    assert by is not None
    assert sooner is not None
    assert (by["claimant"], sooner["claimant"]) == ("X", "O")
    assert by["objectives"] == [{"name": "won", "type": "reach", "goal": ["X_wins"], "by": 3}]
    assert sooner["objectives"] == [{"name": "won sooner", "type": "prevent", "goal": ["X_wins"], "through": 2}]
    assert library.claim("at-3").readings["r"].note == "Some note."


def test_the_halves_of_a_long_reading_are_long(tmp_path: pathlib.Path) -> None:
    """They take the time."""
    reading = "readings: {r: {can: X, expect: refuted, long: 1, objectives: {won: {reach: X_wins, exactly: 7}}}}"
    write_claim(tmp_path, "c", reading, "tictactoe")
    assert find_long(load_library(tmp_path)) == {("c", "r"), ("c", "r-by"), ("c", "r-not-sooner")}


@pytest.mark.parametrize(
    ("claimant", "start", "objective", "by", "not_sooner", "fails"),
    [
        ("X", "XX.OO....", "{reach: X_wins, exactly: 7}", "proved", "refuted", "not-sooner"),
        ("X", "X...O....", "{reach: X_wins, exactly: 9}", "refuted", "proved", "by"),
        ("O", "XX.O.....", "{reach: 'O[2]', exactly: 6}", "proved", "refuted", "not-sooner"),
        ("X", ".........", "{reach: 'X[4] and O[0]', exactly: 2}", "refuted", "proved", "by"),
    ],
)
@pytest.mark.parametrize("kind", ["", ", control: true"])
def test_an_exact_ply_that_is_wrong_is_refuted_by_the_half_that_fails(
    claimant: str, start: str, objective: str, by: str, not_sooner: str, fails: str, kind: str, tmp_path: pathlib.Path
) -> None:
    """Nothing is expected of the halves. They are shown, but neither they nor a control count for the claim."""
    more = f"can: {claimant}, start: {start}, objectives: {{won: {objective}}}{kind}"
    line = "other: {expect: proved, line: ['4'], conclude: ['X[4]']}"
    write_claim(tmp_path, "c", f"readings:\n  book: {{expect: refuted, {more}}}\n  {line}", "tictactoe")
    ledger = check(make_plan(tmp_path))
    found = {result.id: (str(result.verdict), result.expected) for result in ledger.readings}
    assert (found["book-by"], found["book-not-sooner"]) == ((by, None), (not_sooner, None))
    assert (ledger["c/book"].is_expected, ledger.exit_code) == (True, 0)
    assert ledger["c/book"].reason == f"c/book-{fails} is refuted: {ledger[f'c/book-{fails}'].reason}"
    assert ledger.standings["c"] is (Standing.PROVED if kind else Standing.DEPENDS)
    told = command("check", "--specs", tmp_path, "-v", "--no-cache", "--jobs", "1")
    assert f"2 readings{' (1 control)' * bool(kind)}: every verdict as expected" in told.out
    assert "half of book" in told.out
