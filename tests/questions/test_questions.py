"""Small readings of all questions get the right verdicts and reasons. Invalid ones are in ``tests/corpus/specs``."""

import pathlib
import shutil

import pytest

import verifier
from tests.audit.made import MADE, check, make_plan, read_spec, write_claim
from verifier.questions.result import Line, ReadingResult

PAIRS = 'for: {a: "range(0, 9)", b: "range(0, 9)"}, line: ["{a}", "{b}"]'
HELD = "can: O, objectives: {o: {prevent: X_wins, by: 6}}, pairing: "
PLAYS = "plays: all, player: X"
ALL = "count: 18, relations: [aa = 1, bbb=b, bbc=c, ccc=acc, bbd=d, cd=ad, dd=cc]"
STARTS, SO = "step: start, steps:", "conclude: [ply == 0]"
BEFORE = "vacuous: 'o' ends before the start, which is at ply 2"
OVER = "vacuous: the game is over at the start: there is nothing to check"


def goal(objective: str) -> str:
    return f"objectives: {{o: {{{objective}}}}}"


def write(folder: pathlib.Path, rules: str, says: str) -> None:
    if rules in ("six", "board"):
        shutil.copy(MADE / f"{rules}.yaml", folder)
    write_claim(folder, "c", f"readings:\n  r: {{expect: proved, {says}}}", rules)


@pytest.mark.parametrize(
    ("rules", "says", "verdict", "reason"),
    [
        ("tictactoe", f"count: 72, {PAIRS}", "proved", ""),
        ("tictactoe", f"count: 71, {PAIRS}", "refuted", "72 of 81 members are counted, not 71"),
        ("tictactoe", f'count: 8, {PAIRS}, conclude: ["X[4]"]', "proved", ""),
        ("tictactoe", f'count: 36, {PAIRS}, conclude: ["a < b"]', "proved", ""),
        ("tictactoe", f'count: 4, {PAIRS}, conclude: ["a + b == 8", "X[a] and O[b]", "a < 4"]', "proved", ""),
        ("tictactoe", 'count: 36, for: {a: "range(0, 9)", b: "range(0, a)"}, line: "{a} {b}"', "proved", ""),
        ("tictactoe", 'count: 7, for: {a: "range(0, 9)"}, line: "4 {a}", start: [0]', "proved", ""),
        ("tictactoe", 'count: 9, for: {a: "range(0, 10)"}, line: "{a}"', "unknown", "9"),
        ("six", f"{HELD}[[0, 1], [3, 4]]", "proved", ""),
        ("six", f"{HELD}[[0, 1], [3, 4]]".replace("X_wins", "X_line"), "proved", ""),
        ("six", f"{HELD}[[0, 1], [3, 4]]".replace("X_wins", "over"), "unknown", "not-a-breaker"),
        ("six", f"{HELD}[[0, 1]]", "unknown", "no pair is within [2, 3, 4]"),
        ("six", f"{HELD}[[0, 1], [1, 3]]", "unknown", "or occurs twice"),
        ("board", f"sum: {{last: loses, {ALL}}}", "proved", ""),
        ("board", "sum: {last: loses, won: [a, bb, bc, cc], types: {.........: c}}", "proved", ""),
        ("board", "sum: {last: loses, copies: {.........: [next, previous]}}", "proved", ""),
        ("board", "sum: {last: wins, copies: {.........: [next, previous]}}", "proved", ""),
        ("board", "sum: {last: loses, copies: {.........: [previous, next]}}", "refuted", "won by the player to move"),
        ("board", "sum: {last: loses, count: 17}", "refuted", "the quotient has 18 elements, not 17"),
        ("board", "sum: {last: loses, won: [a], types: {.........: a}}", "unknown", "no elements of the quotient fit"),
        ("tictactoe", f"can: X, start: X...O...., {goal('reach: X_wins, by: 1')}", "unknown", BEFORE),
        ("tictactoe", f"can: X, start: XXXOO...., {goal('reach: X_wins, by: 9')}", "unknown", OVER),
        ("tictactoe", f"{PLAYS}, start: XXXOO...., horizon: 9, {goal('some: X_wins, at: end')}", "proved", ""),
        ("tictactoe", f"{PLAYS}, start: X...O...., horizon: 1, {goal('some: ply == 0, at: every')}", "unknown", BEFORE),
        (
            "tictactoe",
            f"{PLAYS}, horizon: 2, {goal('some: ply == 0, at: [every, end]')}",
            "unknown",
            "'o': no play comes to a position",
        ),
        ("tictactoe", f"{STARTS} {{a: {{turn: O, {SO}}}}}", "unknown", "a: vacuous: O is not to move"),
        ("tictactoe", f'{STARTS} {{a: {{given: ["X[0]"], {SO}}}}}', "unknown", "a: vacuous: X[0] does not hold"),
        (
            "tictactoe",
            f"{STARTS} {{a: {{turn: O, {SO}}}, b: {{step: none, {SO}}}}}",
            "refuted",
            "'b': 'ply == 0' fails",
        ),
        (
            "tictactoe",
            f"{STARTS} {{a: {{turn: O, {SO}}}, b: {{step: none, given: [ply == 0], {SO}}}}}",
            "unknown",
            "a: v",
        ),
        (
            "tictactoe",
            f"{PLAYS}, {goal('keep: ply == 1, at: every')}, invariant: {{both: [ply == 1]}}",
            "unknown",
            "at the start",
        ),
    ],
)
def test_each_kind_of_reading_gets_its_verdict(
    rules: str, says: str, verdict: str, reason: str, tmp_path: pathlib.Path
) -> None:
    """There is no trouble, as no search offers evidence that the kernel rejects. A claim about no play is unknown."""
    write(tmp_path, rules, says)
    ledger = check(make_plan(tmp_path))
    (result,) = ledger.readings
    assert (str(result.verdict), result.trouble) == (verdict, "")
    assert reason in result.reason
    assert ledger.exit_code == 1 or "vacuous" not in reason


@pytest.mark.parametrize(
    ("rules", "claimant", "start", "objective", "verdict"),
    [
        ("notakto", "X", "X........", "{reach: X_wins, by: 9}", "refuted"),
        ("notakto", "X", "X...X..X.", "{reach: X_wins, by: 4}", "refuted"),
        ("tictactoe", "X", "XO..X...O", "{reach: X_wins, by: 7}", "proved"),
        ("tictactoe", "X", "XO..X...O", "{reach: X_wins, by: 6}", "refuted"),
        ("tictactoe", "O", "XO..X...O", "{prevent: X_wins, by: 6}", "proved"),
        ("tictactoe", "O", "XO..X...O", "{prevent: X_wins, by: 7}", "refuted"),
        ("misere", "O", "X...O....", "{reach: O_wins, by: 9}", "refuted"),
    ],
)
def test_of_two_opposite_claims_one_is_proved_and_one_refuted(
    rules: str, claimant: str, start: str, objective: str, verdict: str, tmp_path: pathlib.Path
) -> None:
    """Of each pair of opposite claims one is proved, and the opponent's moves refute the other."""
    write(tmp_path, rules, f"can: {claimant}, start: '{start}', objectives: {{o: {objective}}}")
    (result,) = check(make_plan(tmp_path)).readings
    assert (str(result.verdict), result.trouble) == (verdict, "")
    if verdict == "refuted":
        assert "whatever is played" in result.reason
        if result.witness is None:
            assert "no move is listed" in result.notes[0]
        else:
            assert_is_an_example(result, rules, objective)


def assert_is_an_example(result: ReadingResult, rules: str, objective: str) -> None:
    """Require a legal play to the end that the opponent claims."""
    assert isinstance(result.witness, Line)
    board = verifier.load().board(rules, result.witness.start)
    boards = [board := board.play(move) for move in result.witness.moves]
    is_won = [board.winner == objective.split()[1][0] for board in boards]
    if "prevent" in objective:
        assert is_won == [False] * (len(boards) - 1) + [True]
    else:
        bound = int(objective.rstrip("}").split()[-1])
        assert not any(is_won[: bound - boards[0].ply + 1])
        assert boards[-1].is_over or boards[-1].ply == bound


@pytest.mark.parametrize(
    ("claimant", "objective", "first", "says"),
    [
        ("O", "{prevent: 'X[4]', by: 6}", "play: [4]", "the strategy of X has no move after ply 2"),
        ("O", "{reach: 'X[4]', by: 6}", "play: [4]", "the strategy of X has no move after ply 2"),
        ("X", "{reach: 'X[4]', by: 6}", "for: {s: '[4, 0]'}, play: [s]", "the strategy of X has no move after ply"),
        ("X", "{prevent: O_wins}", "play: [4]", "the strategy of X has no move after ply 2"),
    ],
)
def test_a_strategy_that_ends_loses_the_claim(
    claimant: str, objective: str, first: str, says: str, tmp_path: pathlib.Path
) -> None:
    """The claim is refuted, even after the goal. The reason names the player, and the witness is a play."""
    (tmp_path / "s.yaml").write_text(read_spec("stuck").replace("FIRST", first))
    write(tmp_path, "tictactoe", f"can: {claimant}, strategies: {{X: stuck}}, objectives: {{o: {objective}}}")
    (result,) = check(make_plan(tmp_path)).readings
    assert (str(result.verdict), result.trouble) == ("refuted", "")
    assert says in result.reason
    assert isinstance(result.witness, Line)
    assert result.witness.moves
