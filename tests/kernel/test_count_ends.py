"""Statements that count plays, or their last positions: the kernel counts the same as this test's own loops."""

import functools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.kernel.asking import judge
from tests.kernel.test_general import LINES, plain_moves, plain_outcome, race, random_condition, random_rules, value_of
from tests.rules import rules_data
from tests.search.threats.brute import FORMS, NONE, Small, make
from tests.statements import NINE, rule, strategy
from verifier.kernel.count import decide_count

DRAWN = ["and", ["over"], ["not", ["X_wins"]], ["not", ["O_wins"]]]
ENDINGS: list[Any] = [["X_wins"], ["O_wins"], DRAWN, True]
SQUARE = [[2, 5, 8, 1, 4, 7, 0, 3, 6], [2, 1, 0, 5, 4, 3, 8, 7, 6]]
"""A quarter turn and a mirror image, which generate the symmetries of the square."""


def count(of: str, *counts: tuple[Any, int], **changes: Any) -> dict[str, Any]:
    """Return a statement about tic-tac-toe, with changes."""
    rules = {"kind": "count", "rules": rules_data("tictactoe"), "formulas": [], "start": "." * 9}
    said = [[formula, str(number)] for formula, number in counts]
    return {**rules, "horizon": None, "strategies": {}, "of": of, "counts": said, **changes}


def require_counted(statement: dict[str, Any]) -> None:
    """Require that the numbers are proved, and that a change of any of them is refuted."""
    assert judge(statement, {}) == "proved"
    assert judge(statement, {}, verdict="refuted") == "not-the-count"
    for at, (formula, number) in enumerate(statement["counts"]):
        wrong = [*statement["counts"][:at], [formula, str(int(number) + 1)], *statement["counts"][at + 1 :]]
        assert judge({**statement, "counts": wrong}, {}) == "not-the-count"
        assert judge({**statement, "counts": wrong}, {}, verdict="refuted") == "refuted"


# -- tic-tac-toe -------------------------------------------------------------------------------------------------------


def plays_of(board: str = "." * 9) -> Iterator[str]:
    """Yield the last board of every play."""
    player = "XO"[board.count("X") - board.count("O")]
    if any(board[a] == board[b] == board[c] != "." for a, b, c in LINES) or "." not in board:
        yield board
        return
    for s in range(9):
        if board[s] == ".":
            yield from plays_of(board[:s] + player + board[s + 1 :])


def winner(board: str) -> int:
    """Return the number of the result of a board."""
    won = {board[a] for a, b, c in LINES if board[a] == board[b] == board[c]} - {"."}
    return 0 if "X" in won else 1 if "O" in won else 2


def images(board: str) -> set[str]:
    """Return the turned and mirrored images of a board."""
    found = {board}
    for _ in range(3):
        for spots in SQUARE:
            found |= {"".join(one[s] for s in spots) for one in found}
    return found


@functools.cache
def all_ends() -> Counter[str]:
    return Counter(plays_of())


def test_the_plays_of_tic_tac_toe_are_counted() -> None:
    """X wins 131,184, O wins 77,904, and 46,080 are draws, 255,168 in all, as many as play by play."""
    by_hand = Counter[int]()
    for board, times in all_ends().items():
        by_hand[winner(board)] += times
    numbers = [131_184, 77_904, 46_080, 255_168]
    assert [*(by_hand[ending] for ending in range(3)), by_hand.total()] == numbers
    require_counted(count("plays", *zip(ENDINGS, numbers, strict=True)))


def test_the_final_positions_of_tic_tac_toe_are_counted() -> None:
    """There are 958; up to symmetry 138: X has won in 91, O in 44, and 3 are draws."""
    plain = Counter(map(winner, all_ends()))
    folded = Counter(winner(board) for board in all_ends() if board == min(images(board)))
    require_counted(count("ends", *zip(ENDINGS, (plain[0], plain[1], plain[2], 958), strict=True)))
    assert [folded[ending] for ending in range(3)] == [91, 44, 3]
    require_counted(count("ends", *zip(ENDINGS, (91, 44, 3, 138), strict=True), symmetries=SQUARE))


def test_positions_at_a_horizon_are_ends() -> None:
    """There are 72 pairs of marks, twelve up to symmetry. Play goes on in all of them."""
    require_counted(count("ends", (True, 12), (["not", ["over"]], 12), horizon=2, symmetries=SQUARE))
    require_counted(count("ends", (True, 72), (["X", 4], 8), horizon=2))
    require_counted(count("plays", (True, 72), (["==", ["ply"], 2], 72), horizon=2))


def test_a_count_from_a_later_start() -> None:
    """The start need not be symmetric. Positions that are images of each other count as one."""
    start = "XO......."
    boards = Counter(plays_of(start))
    least = {min(images(board)) for board in boards}
    require_counted(count("plays", (True, boards.total()), start=start))
    require_counted(count("ends", (True, len(least)), start=start, symmetries=SQUARE))
    assert len(least) < len(boards)


CORNERS = strategy(
    rule("corner", *((["free", s], [s]) for s in (0, 2, 6, 8))), rule("any", *((True, [s]) for s in SQUARE[0]))
)


def follows_corners(board: str) -> list[int]:
    corners = [s for s in (0, 2, 6, 8) if board[s] == "."]
    return corners or [s for s in range(9) if board[s] == "."]


def test_plays_of_a_strategy_are_counted() -> None:
    """X takes free corners, then free spots; O plays anything."""

    def plays(board: str) -> Iterator[str]:
        if any(board[a] == board[b] == board[c] != "." for a, b, c in LINES) or "." not in board:
            yield board
            return
        player = "XO"[board.count("X") - board.count("O")]
        for s in follows_corners(board) if player == "X" else [s for s in range(9) if board[s] == "."]:
            yield from plays(board[:s] + player + board[s + 1 :])

    ends = Counter(plays("." * 9))
    free = rule("free", *((["free", s], [s]) for s in range(9)))
    corner = rule("corner", *((["free", s], [s]) for s in (0, 2, 6, 8)))
    statement = count("plays", (True, ends.total()), strategies={"X": strategy(corner, free)})
    require_counted(statement)
    require_counted({**statement, "of": "ends", "counts": [[True, str(len(ends))]]})


def test_a_move_under_two_labels_counts_once() -> None:
    """Two instances may name one move. A play consists of its moves, not of the rules behind them."""
    one = [rule("one", (True, [4]))]
    phases = [
        {"phase": "p", "instances": [{"when": True, "rules": one}, {"when": True, "rules": [rule("two", (True, [4]))]}]}
    ]
    statement = count("plays", (True, 1), horizon=1, strategies={"X": {"player": "X", "phases": phases}})
    assert judge(statement, {}) == "proved"


@pytest.mark.parametrize(("choices", "reason"), [([], "stuck"), ([(True, [4])], "illegal-move")])
def test_a_strategy_that_breaks_down_is_refused(choices: list[Any], reason: str) -> None:
    """It has no second move, or an illegal one, so its plays have no number."""
    first = (["==", ["ply"], 0], [4])
    statement = count("plays", (True, 0), strategies={"X": strategy(rule("r", first, *choices))})
    for verdict in ("proved", "refuted"):
        assert judge(statement, {}, verdict=verdict) == reason


# -- random games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [2, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", FORMS)
def test_random_boards_are_counted_play_by_play(form: str, games: int) -> None:
    """The number of plays that end where the goal holds, and of their last positions, with and without a horizon."""

    def plays(small: Small, x: Any, o: Any, left: int) -> Iterator[tuple[Any, Any]]:
        moves = [] if small.end(x, o) or not left else small.moves(x, o)
        for s in moves:
            yield from plays(small, *small.after(x, o, s), left - 1)
        if not moves:
            yield x, o

    for seed in range(games):
        chance = random.Random(f"ends {form} {seed}")
        small = make(form, chance)
        if small.end(NONE, NONE):
            continue
        horizon = chance.choice([None, chance.randrange(1, small.cells)])
        ends = Counter(plays(small, NONE, NONE, horizon or small.cells))
        held = {
            (x, o): small.goal(x, o, small.has_line(x, "X"), small.has_line(o, "O"), small.end(x, o)) for x, o in ends
        }
        said = {"rules": small.data["rules"], "start": "." * small.cells, "horizon": horizon}
        in_plays, goal = sum(times for end, times in ends.items() if held[end]), small.data["goal"]
        require_counted(count("plays", (goal, in_plays), (True, ends.total()), **said))
        require_counted(count("ends", (goal, sum(held.values())), (True, len(ends)), **said))


@pytest.mark.parametrize("games", [40, pytest.param(300, marks=pytest.mark.slow)])
def test_random_rules_of_cells_are_counted_play_by_play(games: int) -> None:
    """There are extra turns, and play may go round. Last positions that differ only in the number of moves are one."""
    seen = Counter[str]()
    for seed in range(games):
        rng = random.Random(f"ends of cells {seed}")
        data, goal = random_rules(rng), random_condition(rng, 2)
        begin = {"b": data["state"][0][4], "n": data["state"][1][4], "turn": ["XO".index(data["turn"]) + 1]}
        if plain_outcome(data, begin) is not None:
            continue
        horizon = rng.randrange(1, 6)
        pending, plays = [(begin, 0)], []
        while pending:
            cells, ply = pending.pop()
            if ply < horizon and plain_outcome(data, cells) is None:
                pending += [(after, ply + 1) for after in plain_moves(data, cells).values()]
            else:
                plays.append((tuple((*values,) for values in cells.values()), bool(value_of(goal, cells, bool)), ply))
        start = f"{''.join(map(str, begin['b']))}/{''.join(map(str, begin['n']))} {data['turn']} 0"
        said = {"rules": data, "start": start, "horizon": horizon}
        require_counted(count("plays", (goal, sum(held for _, held, _ in plays)), (True, len(plays)), **said))
        ends = {end: held for end, held, _ in plays}
        require_counted(count("ends", (goal, sum(ends.values())), (True, len(ends)), **said))
        seen["plays meet"] += len(plays) > len(ends)
        seen["at several plies"] += len({(end, ply) for end, _, ply in plays}) > len(ends)
    assert seen["plays meet"] > games // 10
    assert seen["at several plies"] > games // 40


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_play_that_comes_back_is_refused_without_a_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two men run round a ring without a last ply, so the kernel gives up, whichever verdict is asked for."""
    monkeypatch.setattr("verifier.kernel.count.MAX_MOVES", 100)
    ring = {"rules": race(), "start": "0/2 X 0"}
    for verdict in ("proved", "refuted"):
        assert judge(count("plays", (True, 1), **ring), {}, verdict=verdict) == "limit"
        assert judge(count("ends", (True, 1), **ring), {}, verdict=verdict) == "limit"
    assert judge(count("plays", (True, 2), **ring, horizon=1), {}) == "proved"


def test_a_count_may_have_more_digits_than_other_integers() -> None:
    """Nine fields have 81 · 9 pairs of first moves, and so on: the number of plays of 14 plies has 14 digits."""
    statement = count("plays", (True, 0), rules=race(), start="0/2 X 0", horizon=60)
    with pytest.raises(Exception, match="plays") as refusal:
        decide_count(statement, True, {})
    number = str(refusal.value.args[1]).split(" ")[0].replace(",", "")
    assert len(number) > 12
    assert judge({**statement, "counts": [[True, number]]}, {}) == "proved"


def test_too_many_moves_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is the same as for a walk without a table. Work is counted too."""
    statement = count("plays", (True, 255_168))
    monkeypatch.setattr("verifier.kernel.count.MAX_EDGES", 16_167)
    assert judge(statement, {}) == "proved"
    monkeypatch.setattr("verifier.kernel.count.MAX_EDGES", 16_166)
    assert judge(statement, {}) == "limit"
    monkeypatch.undo()
    monkeypatch.setattr("verifier.kernel.formula.MAX_WORK", 3 * 10 * 16_000)
    assert judge(statement, {}) == "limit"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"start": "XXXOO...."}, "vacuous-start"),
        ({"start": "XO.......", "horizon": 2}, "vacuous-start"),
        ({"start": "XX......."}, "malformed"),
        ({"of": "members"}, "malformed"),
        ({"horizon": -1}, "malformed"),
        ({"horizon": "9"}, "malformed"),
        ({"count": 255_168}, "malformed"),
        ({"line": "", "members": [[True, []]], "count": 1}, "malformed"),
        ({"claimant": "X"}, "malformed"),
        ({"given": True}, "malformed"),
        ({"counts": []}, "malformed"),
        ({"counts": [[True, 255_168]]}, "malformed"),
        ({"counts": [[True, "0255168"]]}, "malformed"),
        ({"counts": [[True, "255,168"]]}, "malformed"),
        ({"counts": [[True, "-1"]]}, "malformed"),
        ({"counts": [[True, "２"]]}, "malformed"),
        ({"counts": [[True, "1" * 4001]]}, "malformed"),
        ({"counts": [[True, "255168\n"]]}, "malformed"),
        ({"counts": [[True]]}, "malformed"),
        ({"counts": [[["old", ["over"]], "1"]]}, "malformed"),
        ({"counts": [[["X", 9], "1"]]}, "malformed"),
        ({"counts": [[["use", 0], "1"]]}, "malformed"),
        ({"formulas": [["not", ["over"]]]}, "malformed"),
        ({"counts": [[True, "255168"]] * 51}, "malformed"),
        ({"strategies": {"O": CORNERS}}, "malformed"),
        ({"symmetries": []}, "malformed"),
        ({"symmetries": [[0, 1, 2]]}, "malformed"),
        ({"symmetries": [[1, 0, 2, 3, 4, 5, 6, 7, 8]]}, "not-a-symmetry"),
        ({"symmetries": SQUARE, "strategies": {"X": CORNERS}}, "not-a-symmetry"),
        ({"symmetries": SQUARE, "counts": [[["X", 0], "1"]]}, "not-a-symmetry"),
        ({"symmetries": SQUARE, "rules": rules_data("paper"), "start": NINE, "horizon": 1}, "not-a-symmetry"),
        ({"symmetries": SQUARE, "rules": race(), "start": "0/2 X 0", "horizon": 1}, "malformed"),
        ({"symmetries": [[1, 0]], "rules": race(), "start": "0/2 X 0", "horizon": 1}, "not-a-symmetry"),
    ],
    ids=str,
)
def test_a_malformed_count_of_plays_is_refused(change: dict[str, Any], reason: str) -> None:
    """The reason is the same whichever verdict is asked for."""
    for verdict in ("proved", "refuted"):
        assert judge({**count("plays", (True, 255_168)), **change}, {}, verdict=verdict) == reason
