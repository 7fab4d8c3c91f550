"""What speaks of no play, or of no position, is unknown: no evidence was rejected, and no two engines disagree."""

from __future__ import annotations

import pathlib

import pytest

from tests.audit.made import check, make_plan, write_claim

PLAYS = "plays: all, expect: proved, player: X"
KINDS = {
    "a force that ends before it begins": (
        "{can: X, expect: proved, start: X...O...., objectives: {o: {reach: X_wins, by: 1}}}",
        "'o' ends before the start, which stands at ply 2",
    ),
    "a force from a game that is over": (
        "{can: X, expect: proved, start: XXXOO...., objectives: {o: {reach: X_wins, by: 9}}}",
        "the game is over at the start: there is nothing to decide",
    ),
    "plays from a game that is over": (
        f"{{{PLAYS}, start: XXXOO...., horizon: 9, objectives: {{o: {{some: X_wins, at: end}}}}}}",
        "the game is over at the start: there is nothing to decide",
    ),
    "plays that end before they begin": (
        f"{{{PLAYS}, start: X...O...., horizon: 1, objectives: {{o: {{some: 'X[0]', at: every}}}}}}",
        "'o' ends before the start, which stands at ply 2",
    ),
    "a scope of two that no play meets": (
        f"{{{PLAYS}, horizon: 2, objectives: {{o: {{some: 'X[0]', at: [every, end]}}}}}}",
        "no play meets 'o' at 'end'",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_speaks_of_nothing_is_unknown(kind: str, tmp_path: pathlib.Path) -> None:
    """The exit code is that of a verdict that is not as expected."""
    reading, reason = KINDS[kind]
    write_claim(tmp_path, "odd", f"readings:\n  as-stated: {reading}", "tictactoe")
    ledger = check(make_plan(tmp_path))
    (result,) = ledger.readings
    assert (str(result.verdict), result.trouble, ledger.exit_code) == ("unknown", "", 1)
    assert result.reason == f"vacuous: {reason}"


def test_an_invariant_that_is_not_so_at_the_start_is_unknown(tmp_path: pathlib.Path) -> None:
    """It is a slip of the spec: nothing is offered to the kernel that it would have to reject."""
    kept = "objectives: {k: {keep: 'X[2]', at: every}}, invariant: {both: ['X[2]']}"
    reading = f"{{plays: all, expect: proved, player: X, {kept}}}"
    write_claim(tmp_path, "odd", f"readings:\n  as-stated: {reading}", "tictactoe")
    ledger = check(make_plan(tmp_path))
    (result,) = ledger.readings
    assert (str(result.verdict), result.trouble, ledger.exit_code) == ("unknown", "", 1)
    assert result.reason == "at the start: 'X[2]' does not hold in ........."
