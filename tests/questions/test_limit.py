"""The limit of a verdict, the last ply that it speaks of, follows from the statement. It is shown with each verdict."""

import pathlib
from typing import Any

import pytest

from tests.audit.made import write_claim
from tests.commands import command
from tests.report.test_words import check as check_report
from tests.rules import load_library, rules_data
from tests.statements import keep, play, prevent, reach, some, steps_of
from verifier.audit.outlining import make_outline
from verifier.kernel.games.positional import PositionalGame
from verifier.kernel.games.registry import parse_rules
from verifier.kernel.verdict import Verdict
from verifier.questions.compile import compile_reading
from verifier.questions.result import Limit, join_limits
from verifier.questions.shown import find_limit
from verifier.report.layout import Layout
from verifier.report.registry import render_report
from verifier.report.show import show_claim

WINS = ["X_wins"]
CUT: dict[str, Any] = {"horizon": 4}
LAST_TURN = [[["==", ["ply"], 5], "draw"], [["X_line"], "X"]]
PLAYS = "plays: all, strategies: {X: careful-first}"


@pytest.mark.parametrize(
    ("objectives", "changes", "verdict", "through"),
    [
        ([prevent(WINS, 6)], {}, "proved", 6),
        ([prevent(WINS, 6)], {}, "supported", 6),
        ([prevent(WINS, 6)], {}, "refuted", None),
        ([prevent(WINS, 6)], {}, "unknown", None),
        ([prevent(WINS, 9)], {}, "proved", None),
        ([prevent(WINS, 1000)], {}, "proved", None),
        ([prevent(WINS, 8)], {"horizon": 8}, "proved", 8),
        ([prevent(WINS, 6, "a"), prevent(["O_wins"], 3, "b")], {}, "proved", 3),
        ([prevent(WINS, 6, "a"), prevent(WINS, 8, "further")], {}, "proved", 8),
        ([prevent(WINS, 6, "a"), prevent(WINS, 9, "to the end")], {}, "proved", None),
        ([reach(WINS, 5)], {"horizon": 5}, "proved", None),
        ([reach(WINS, 7, "won"), prevent(WINS, 6, "not sooner")], {}, "proved", None),
        ([reach(WINS, 7, "won"), prevent(["O_wins"], 6, "never")], {}, "proved", 6),
        ([keep(True)], {}, "proved", None),
        ([keep(True)], CUT, "proved", 4),
        ([keep(True, "end", "start")], CUT, "proved", 4),
        ([keep(True, "start")], CUT, "proved", None),
        ([keep(True)], {"horizon": 9}, "proved", None),
        ([keep(False)], CUT, "refuted", None),
        ([some(True)], CUT, "proved", None),
        ([some(False)], CUT, "refuted", 4),
        ([some(False, "start")], CUT, "refuted", None),
    ],
)
def test_the_limit_follows_from_the_statement(
    objectives: list[dict[str, Any]], changes: dict[str, Any], verdict: str, through: int | None
) -> None:
    """The limit is the horizon, or the last ply at which a goal is prevented, if the rules allow later plies."""
    data = play("tictactoe", "." * 9, *objectives, **changes)
    failed = objectives[-1]["name"] if verdict == "refuted" else None
    assert find_limit(data, Verdict[verdict.upper()], failed) == (None if through is None else Limit(through, 9))


@pytest.mark.parametrize(
    ("rules", "changes", "last"),
    [
        ("tictactoe", {}, 9),
        ("tictactoe", {"rows": 3, "columns": 4, "lines": [[[0, 1, 2], []]]}, 12),
        ("tictactoe", {"outcomes": LAST_TURN}, 5),
        ("tictactoe", {"outcomes": [*LAST_TURN[1:], [["==", ["ply"], 6], "goes-on"], [[">=", ["ply"], 6], "O"]]}, 7),
        ("paper", {}, 81),
    ],
)
def test_the_last_ply_is_that_of_the_rules(rules: str, changes: dict[str, Any], last: int) -> None:
    """The last ply is the first at which play is always over. A claim up to this ply has no limit."""
    data = rules_data(rules) | changes
    game = parse_rules(data)
    assert game.last_ply == last
    start = game.format_position(game.start)
    for through, limit in ((last, None), (last - 1, Limit(last - 1, last))):
        assert find_limit(play(data, start, prevent(WINS, through)), Verdict.PROVED) == limit


def test_a_claim_about_steps_has_no_limit() -> None:
    assert find_limit(steps_of("paper"), Verdict.PROVED) is None


def test_the_smallest_of_several_limits_is_shown() -> None:
    """If some readings have no limit, or a larger one, only some readings have the claim's limit."""
    four, six = Limit(4, 9), Limit(6, 9)
    assert join_limits([]) is join_limits([None, None]) is None
    assert join_limits([four, four]) == four
    assert join_limits([Limit(4, 9, is_partial=True)]) == Limit(4, 9, is_partial=True)
    assert join_limits([six, four]) == join_limits([four, None]) == Limit(4, 9, is_partial=True)
    assert Limit(4, None).words == "for the first 4 moves"
    assert Limit(1, None).words == "for the first move"
    assert Limit(4, 9, is_partial=True).words == "part of it only for the first 4 moves (of at most 9)"


CLAIMS = {
    "cut": {"as-stated": f"{{expect: proved, {PLAYS}, objectives: {{safe: {{prevent: O_wins, by: 6}}}}}}"},
    "main": {"as-stated": f"{{expect: proved, {PLAYS}, objectives: {{safe: {{prevent: O_wins}}}}}}"},
    "both": {"as-stated": "{expect: proved, joins: [cut/as-stated, main/as-stated]}"},
    "rests": {
        "as-stated": f"{{expect: proved, {PLAYS}, objectives: {{safe: {{prevent: O_wins}}}}, joins: [cut/as-stated]}}"
    },
    "exact": {"r": "{expect: proved, can: X, start: XO......., objectives: {won: {reach: X_wins, exactly: 7}}}"},
    "broken": {
        "as-stated": "{expect: refuted, line: ['4'], conclude: ['O[4]']}",
        "repaired": f"{{expect: proved, {PLAYS}, horizon: 5, objectives: {{kept: {{keep: not O_wins, at: every}}}}, "
        "repairs: [as-stated], note: It helps.}",
    },
}
PARTLY = Limit(6, 9, is_partial=True)
STANDS = {"cut": Limit(6, 9), "main": None, "both": PARTLY, "rests": PARTLY, "exact": None, "broken": Limit(5, 9)}


def test_every_format_shows_the_limit_of_a_verdict(tmp_path: pathlib.Path) -> None:
    """A reading that joins others has their limit, and a claim that of its readings. With ``exactly`` it has none."""
    report = check_report(tmp_path, CLAIMS)
    assert report.ledger.exit_code == 0
    claims = {claim.id: claim for claim in report.ledger.claims}
    assert {name: claim.limit for name, claim in claims.items()} == STANDS
    assert report.ledger["exact/r-not-sooner"].limit == Limit(6, 9)
    said = {name: f"for the first {limit.through} moves (of at most 9)" for name, limit in STANDS.items() if limit}
    for name, words in said.items():
        assert words in show_claim(claims[name], make_outline(report.library), Layout(200))
    page = render_report("html", report)
    assert f"proved as stated, {said['cut']}" in page
    assert f"holds as it is stated, part of it only {said['both']}" in page
    later = "They say nothing about later moves. A play can have 9 moves, those of both players counted."
    assert f"“cut/as-stated”: about the first 6 moves, as it says itself. {later}" in page
    assert f"“repaired”: about the first 5 moves, where the check stops. {later}" in page
    assert "**Checked:** The first 5 moves of each play, those of both players counted." in render_report(
        "errata", report
    )
    for each in ("json", "junit", "sarif", "text"):
        wanted = '"through": 5' if each == "json" else said["broken"]
        assert wanted in render_report(each, report), each


def test_the_lines_of_a_run_show_the_limit(tmp_path: pathlib.Path) -> None:
    """The limit is before a claim's title and with each reading. A verdict on whole plays shows no limit."""
    check_report(tmp_path, CLAIMS)
    lines = command("check", "--specs", tmp_path, "-v", "--no-cache", "--jobs", "1").out.splitlines()
    told = {words[1]: " ".join(words[2:]) for line in lines if len(words := line.split()) > 1}
    assert told["cut"].startswith("for the first 6 moves (of at most 9): A claim")
    assert told["both"].startswith("part of it only for the first 6 moves (of at most")
    assert told["main"].startswith("A claim")
    assert told["r-not-sooner"] == "for the first 6 moves (of at most 9)"
    assert told["r"] == ""


@pytest.mark.parametrize(
    ("rules", "says", "through"),
    [
        ("tictactoe", f"{PLAYS}, objectives: {{o: {{prevent: O_wins}}}}", 9),
        ("tictactoe", f"{PLAYS}, horizon: 4, objectives: {{o: {{prevent: O_wins}}}}", 4),
        ("tictactoe", f"{PLAYS}, horizon: 30, objectives: {{o: {{prevent: O_wins}}}}", 9),
        ("tictactoe", "can: X, objectives: {o: {prevent: O_wins}}", 9),
        ("paper", "can: X, objectives: {o: {prevent: O_wins}}", 81),
        ("paper", "plays: all, player: X, objectives: {o: {prevent: 'ply < 0'}}, invariant: {both: [ply >= 0]}", 81),
    ],
)
def test_prevent_without_a_ply_is_about_whole_plays(
    rules: str, says: str, through: int, tmp_path: pathlib.Path
) -> None:
    """The statement is the same as with the last ply, or with the horizon: it has the same hash."""
    keys = []
    for name, text in (("a", says), ("b", says.replace("}}", f", by: {through}}}}}"))):
        (tmp_path / name).mkdir()
        write_claim(tmp_path / name, "c", f"readings:\n  r: {{expect: proved, {text}}}", rules)
        keys.append(compile_reading(load_library(tmp_path / name), "c", "r").key)
    assert keys[0] == keys[1]


def test_play_that_may_go_on_for_ever_has_no_last_ply(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without ``by`` the statement has no number, and the verdict no limit. A limit does not name a last ply."""
    endless = property(lambda _: None, lambda _, value: None)
    monkeypatch.setattr(PositionalGame, "last_ply", endless, raising=False)
    write_claim(
        tmp_path, "c", "readings:\n  r: {expect: proved, can: X, objectives: {o: {prevent: O_wins}}}", "tictactoe"
    )
    data = compile_reading(load_library(tmp_path), "c", "r").statement
    assert data is not None
    assert (data["horizon"], data["objectives"][0]["through"]) == (None, None)
    assert find_limit(data, Verdict.PROVED) is None
    data = play("tictactoe", "." * 9, prevent(WINS, 6))
    assert find_limit(data, Verdict.PROVED) == Limit(6, None)
