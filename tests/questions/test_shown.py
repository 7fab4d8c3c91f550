"""Notes and hints beside proofs about plays: objectives that stop too soon, and rules that no play reaches."""

import pathlib

import pytest

from tests.audit.made import check, load, make_plan, read_spec
from tests.kernel.test_games import WON_GAME as WON
from tests.rules import find_rules, rules_data
from verifier.kernel.plays import Node
from verifier.questions import shown
from verifier.questions.result import ReadingResult
from verifier.questions.shown import find_wins
from verifier.report.layout import Layout
from verifier.report.text import hint_lines, summary_lines

CLAIM = read_spec("shown/claim")
STRATEGY = read_spec("shown/strategy")


def check_one(folder: pathlib.Path, objective: str, more: str = "", strategy: str = STRATEGY) -> ReadingResult:
    (folder / "s.yaml").write_text(strategy)
    (folder / "c.yaml").write_text(CLAIM.replace("OBJECTIVE", objective).replace("MORE", more))
    (result,) = check(make_plan(folder)).readings
    assert result.trouble == ""
    return result


@pytest.mark.parametrize(
    ("objective", "more", "notes", "hints"),
    [
        ("{prevent: O_wins, by: 5}", "", 0, ["cannot fail: it stops at ply 5, before anything could go wrong"]),
        ("{prevent: ply == 9, by: 8}", "", 0, ["cannot fail: it stops at ply 8"]),
        ("{prevent: ply == 12, by: 9}", "", 0, []),
        ("{prevent: 'O[0]', by: 4}", "", 1, []),
        ("{keep: not O_wins, at: every}", "horizon: 4,", 1, []),
        ("{keep: not ply == 12, at: every}", "", 0, []),
        ("{reach: ply == 5, by: 5}", "", 0, []),
        ('{keep: "all(X[s] for s in range(3, 3))", at: every}', "", 0, ["says nothing: its formula is"]),
        ('{prevent: "any(O[s] for s in [])", by: 9}', "", 0, ["says nothing: its formula is"]),
        ("{reach: 1 < 2, by: 9}", "", 0, ["says nothing: its formula is"]),
        ("{keep: X_wins or not X_wins, at: every}", "", 0, []),
        ("{some: true, at: end}", "", 0, []),
    ],
)
def test_an_objective_that_cannot_fail_has_a_hint(
    objective: str, more: str, notes: int, hints: list[str], tmp_path: pathlib.Path
) -> None:
    """A note names an objective that stops before plays do. A hint names one that cannot fail, or says nothing."""
    result = check_one(tmp_path, objective, more)
    assert str(result.verdict) == "proved"
    assert len([note for note in result.notes if "it says nothing about later plies" in note]) == notes
    told = [hint for hint in result.hints if "rules" not in hint]
    assert len(told) == len(hints)
    assert all(part in text for part, text in zip(hints, told, strict=True))


def test_a_conclusion_that_is_always_true_gets_a_hint(tmp_path: pathlib.Path) -> None:
    """A hint names an entry of ``steps`` that says nothing, even if another entry says something."""
    parts = "{none: {conclude: ['all(X[s] for s in [])', 1 < 2]}, some: {conclude: [ply == 0, 1 < 2]}}"
    reading = f"r: {{step: start, expect: proved, steps: {parts}}}"
    (tmp_path / "c.yaml").write_text(f"{CLAIM.partition('  r:')[0]}  {reading}\n")
    (result,) = check(make_plan(tmp_path)).readings
    assert result.hints == ("'none' says nothing: what it concludes is true in any position",)


def test_rules_that_no_play_reaches_get_a_hint(tmp_path: pathlib.Path) -> None:
    """Unused rules and wins are shown if plays go to their end, and not if a horizon ends them.

    The first free spot each time wins the top row at ply 5, and a diagonal or the left column later, or loses.
    """
    result = check_one(tmp_path, "{prevent: ply == 12, by: 9}")
    assert result.hints == ("no play reaches these rules of the strategy of X: all.never",)
    wins = {"X_wins_from_ply": 5, "X_wins_up_to_ply": 9, "O_wins_from_ply": 6, "O_wins_up_to_ply": 8}
    assert {name: count for name, count in result.stats.items() if "wins" in name} == wins
    cut = check_one(tmp_path, "{keep: not O_wins, at: every}", "horizon: 4,")
    assert cut.hints == ()
    assert not any("wins" in name for name in cut.stats)
    used = STRATEGY.replace("      never", "      # never")
    assert check_one(tmp_path, "{prevent: ply == 12, by: 9}", strategy=used).hints == ()


def test_a_check_prints_hints(tmp_path: pathlib.Path) -> None:
    """Hints are below a verbose ledger, even if the verdict is as expected. The summary counts them."""
    check_one(tmp_path, "{prevent: ply == 12, by: 9}")
    ledger = check(make_plan(tmp_path))
    assert "/r: no play reaches" in hint_lines(ledger, Layout())[2]
    assert summary_lines(ledger, load(tmp_path))[1].endswith("; 1 hint (-v)")
    assert ledger.exit_code == 0


def test_plays_that_go_on_after_a_win_do_not_end_with_it() -> None:
    """The ply of a win is not shown if play goes on after a win."""
    game = find_rules("paper-play-on")
    won = game.parse_position(f"{WON} XXX...... 8")
    later = game.play(won, game.legal_moves(won)[0])
    for edges in ((), (("", later),)):  # the walk leaves out the moves after the win, or follows one of them
        nodes = [Node(won, game.turn(won), edges), Node(later, "", ())]
        assert find_wins({"rules": rules_data("paper-play-on")}, nodes) == {}
    ended = {"X_wins_from_ply": game.ply(won), "X_wins_up_to_ply": game.ply(won)}
    assert find_wins({"rules": rules_data("paper")}, [Node(won, "", ())]) == ended


def test_the_work_for_a_hint_is_limited(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint that would take too long is left out. The limit counts nodes of formulas, not positions."""
    asked = "{prevent: 'sum(X[s] for s in SPOTS) == 9', by: 8}"
    assert any("cannot fail" in hint for hint in check_one(tmp_path, asked).hints)
    monkeypatch.setattr(shown, "MAX_SHOWN_WORK", 1000)
    assert not any("cannot fail" in hint for hint in check_one(tmp_path, asked).hints)
