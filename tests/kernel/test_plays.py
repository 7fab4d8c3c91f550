import random
from typing import Any

import pytest

from tests.golden import require_golden
from tests.kernel.asking import judge, judge_table, refusals
from tests.statements import keep, play, plays, prevent, reach, rule, some, strategy
from verifier.kernel import plays as walks
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError
from verifier.kernel.plays import check_opposed, oppose, walk
from verifier.kernel.statement import parse_statement, plays_of
from verifier.presentation.family import describe_end
from verifier.search.walk import explore

START = "XO..X...O"
WON = reach(["X_wins"], 7, "won")
LATE = reach(["X_wins"], 9, "won")
LOWEST = strategy(*(rule(f"spot-{s}", (["free", s], [s])) for s in range(9)), phase="lowest")
LOW = {"strategies": {"X": LOWEST}}
NAMELESS = {"strategies": {"X": strategy(rule("spot", *((["free", s], [s]) for s in range(9))), phase="")}}
SPOTS = strategy(
    rule("spots", *((["free", s], [s]) for s in (2, 4, 6))),
    rule("rest", *((["free", s], [s]) for s in range(9))),
    phase="some",
)
CHOOSING = {"strategies": {"X": SPOTS}, "chooses": True, "start": "X...O...."}
LAST = {"start": "XOXXOOO.X"}
"""One spot is left, and X's mark on it wins nothing."""


def statement(*objectives: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return play("tictactoe", START, *(objectives or [WON])) | changes


def always(*spots: int, player: str = "X") -> dict[str, Any]:
    return {"strategies": {player: plays(*([s] for s in spots), player=player)}}


def fork(position: Any) -> list[Any]:
    """Return the move that wins from START."""
    taken = position.x_mask | position.o_mask
    return [next((s,) for s in (3, 5, 6) if not taken >> s & 1)]


def prove(data: dict[str, Any], **evidence: Any) -> str:
    """Return the result on a statement, with X's winning moves where X chooses."""
    parsed = parse_statement(data)
    if parsed.chooses and any(objective.type != "some" for objective in parsed.objectives):
        return judge_table(data, {"moves": explore(parsed, fork).moves()}, **evidence)
    return judge(data, evidence)


def refute(data: dict[str, Any], *line: str) -> str:
    """Return the result of a line against the first objective of a statement."""
    return judge(data, {"objective": data["objectives"][0]["name"], "line": [*line]}, verdict="refuted")


def told(data: dict[str, Any]) -> str:
    """Return the reason for which a statement is refuted at its start."""
    return decide(data, "refuted", {"objective": "won", "line": []}, lambda *_: b"").reason


@pytest.mark.parametrize(
    ("objective", "found"),
    [
        (WON, "proved"),
        (reach(["O_wins"], 7), "not-reach"),
        (reach(["X_wins"], 1000), "proved"),
        (reach(["X", 3], 5), "proved"),
        (reach(["X", 4], 4), "proved"),
        (reach(["X", 4], 3), "vacuous-bound"),
        (prevent(["X_wins"], 6), "proved"),
        (prevent(["O_wins"], 9), "proved"),
        (prevent(["X_wins"], 7), "not-prevent"),
        (prevent(["X", 4], 4), "not-prevent"),
        (keep(["X", 4]), "proved"),
        (keep(["X_wins"], "end"), "proved"),
        (keep(["free", 3], "claimant"), "not-keep"),
        (keep(["free", 3], "opponent"), "not-keep"),
        (keep(["X", 3], "start"), "not-keep"),
        (keep(["==", ["sum", ["X", 3], ["free", 3]], 1], "start", "opponent"), "proved"),
    ],
)
def test_every_objective_is_tested_in_every_position(objective: dict[str, Any], found: str) -> None:
    """If a position contradicts an objective, the rejection names the objective's type, even beside true objectives."""
    assert prove(statement(objective)) == found
    if objective != WON:
        assert prove(statement(WON, objective)) == found


@pytest.mark.parametrize(
    ("objective", "changes", "found"),
    [
        (WON, {"horizon": 7}, "proved"),
        (prevent(["X_wins"], 6), {"horizon": 6}, "proved"),
        (keep(True, "end"), {"horizon": 6}, "vacuous-scope"),
        (keep(True, "start"), {"horizon": 4}, "proved"),
        (keep(True), {"horizon": 3}, "vacuous-bound"),
        (keep(["free", 3], "claimant"), {"start": "." * 9, "chooses": False, "horizon": 3}, "not-keep"),
        (keep(["free", 3], "claimant"), {"start": "." * 9, "chooses": False, "horizon": 2}, "proved"),
        (keep(["X_wins"], "end"), {"start": "." * 9, "chooses": False, "horizon": 5}, "proved"),
        (keep(True, "every", "after:lowest.spot-0"), LOW, "vacuous-scope"),
        (keep(True, "claimant", "before:lowest.spot-1"), LOW, "vacuous-scope"),
        (keep(["not", ["over"]], "before:lowest"), LOW, "proved"),
        (keep(["free", 2], "before:lowest.spot-2"), LOW, "proved"),
        (keep(["X", 2], "after:lowest.spot-2"), LOW, "proved"),
        (keep(["or", ["over"], ["==", ["ply"], 5], ["==", ["ply"], 7]], "after:lowest"), LOW, "proved"),
        (keep(["free", 2], "after:lowest.spot-2"), LOW, "not-keep"),
        (keep(["not", ["over"]], "before:", "before:.spot"), NAMELESS, "proved"),
        (keep(["over"], "after:"), NAMELESS, "not-keep"),
        (WON, {"strategies": {"O": LOWEST | {"player": "O"}}}, "proved"),
        (reach(["X_wins"], 5), {"start": "X.O......", **always(0, player="O")}, "illegal-move"),
    ],
)
def test_where_plays_end_and_which_positions_scopes_name(
    objective: dict[str, Any], changes: dict[str, Any], found: str
) -> None:
    """At a horizon the game is not over, and nobody moves. A rule's scopes are the positions around its moves."""
    assert prove(statement(objective, **changes)) == found


@pytest.mark.parametrize(
    ("at", "line", "found"),
    [
        ("end", ["3", "5", "6"], "proved"),
        ("every", ["3", "5", "6"], "proved"),
        ("claimant", ["3", "5", "6"], "not-some"),
        ("opponent", ["3"], "proved"),
        ("start", [], "proved"),
        ("claimant", [], "proved"),
        ("every", ["3"] * 1000, "illegal-move"),
        ("every", ["3"] * 1001, "malformed"),
        ("every", ["9"], "malformed"),
    ],
)
def test_a_line_shows_what_holds_in_its_last_position(at: str, line: list[str], found: str) -> None:
    """A line proves a ``some``: it has at most a thousand moves, and its last position is in scope."""
    assert judge(statement(some(["X", 4], at)), {"lines": {"shown": line}}) == found


def test_a_line_stops_at_the_horizon() -> None:
    """A line has no move after the horizon, although the game would go on."""
    data = statement(some(["X", 3]), horizon=5)
    assert judge(data, {"lines": {"shown": ["3"]}}) == "proved"
    with pytest.raises(CertificateError, match="the line goes on after the play has ended"):
        decide(data, "proved", {"lines": {"shown": ["3", "5"]}}, lambda *_: b"")


@pytest.mark.parametrize(
    ("objective", "changes", "found"),
    [
        (some(["and", ["O_wins"], ["X_wins"]], "end"), {}, "refuted"),
        (some(["O_wins"], "end"), {}, "not-refuted"),
        (some(False, "before:lowest.spot-0"), LOW, "vacuous-scope"),
        (some(False, "every", "before:lowest.spot-0"), LOW, "vacuous-scope"),
    ],
)
def test_a_some_is_refuted_by_all_plays(objective: dict[str, Any], changes: dict[str, Any], found: str) -> None:
    """The walk follows all choices of the claimant. A scope that no play meets refutes nothing."""
    assert judge(statement(objective, **changes), {"objective": "shown"}, verdict="refuted") == found


def test_every_scope_of_a_some_is_met() -> None:
    """A line in one scope does not hide that no play meets another."""
    data = statement(some(True, "every", "before:lowest.spot-0"), **LOW)
    assert judge(data, {"lines": {"shown": []}}) == "vacuous-scope"


@pytest.mark.parametrize(
    ("objective", "changes", "line", "found"),
    [
        (WON, LOW, "263", "refuted"),
        (WON, {}, "263", "not-refuted"),
        (LATE, {**LAST, "claimant": "O"}, "7", "refuted"),
        (LATE, LAST, "7", "refuted"),
        (LATE, {"start": "XOXXO.OX."}, "58", "refuted"),
        (reach(["X_wins"], 3), LOW, "", "vacuous-bound"),
        (prevent(["O_wins"], 3), LOW, "", "vacuous-bound"),
        (reach(["X", 3], 5), always(3), "3", "not-refuted"),
        (reach(["X", 5], 5), always(3), "3", "refuted"),
        (prevent(["X", 3], 5), always(3), "3", "refuted"),
        (prevent(["X", 3], 4), always(3), "3", "not-refuted"),
        (WON, {**always(0, 3), "chooses": True}, "", "not-refuted"),
        (WON, CHOOSING, "2167", "not-refuted"),
        (WON, {"strategies": {"X": SPOTS}, "start": "X...O...."}, "2167", "refuted"),
    ],
)
def test_a_play_refutes_only_without_a_choice(
    objective: dict[str, Any], changes: dict[str, Any], line: str, found: str
) -> None:
    """The claimant was forced, by a strategy or because one free spot was left. No move was a choice."""
    assert refute(statement(objective, **changes), *line) == found


@pytest.mark.parametrize(
    ("changes", "says", "walked"),
    [
        ({**always(0, 1), "chooses": True}, "the strategy of X has no move after ply 4", ""),
        (always(0), "the strategy of X names the illegal move 0 after ply 4", "illegal-move"),
        ({"strategies": {"X": {"player": "X", "phases": []}}}, "the strategy of X has no move after ply 4", "stuck"),
        (
            {"start": "XOXXO.OX.", **always(0, 5, player="O")},
            "the strategy of O names the illegal move 0 after ply 7",
            "",
        ),
    ],
)
def test_a_strategy_that_breaks_down_is_refuted_and_not_proved(changes: dict[str, Any], says: str, walked: str) -> None:
    """It has no move, or an illegal one. A claimant who chooses makes the legal moves of a strategy."""
    data = statement(LATE, **changes)
    assert told(data) == says
    assert not walked or judge(data, {}) == walked


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, "whatever is played"),
        (
            {**always(5, 6), "chooses": True, "start": "XX.OO....", "horizon": 5},
            "whatever the strategy of X allows",
        ),
    ],
)
def test_the_reason_says_what_the_opponent_prevents(changes: dict[str, Any], says: str) -> None:
    """The goal is prevented through the last ply, against every allowed move."""
    opposed = oppose(parse_statement(statement(reach(["X_wins"], 5, "won"), **changes)), "won")
    table = None if changes else explore(opposed, lambda at: list(opposed.game.legal_moves(at))).moves()
    assert check_opposed(opposed, walk(opposed, table)).reason == f"'won' fails: O prevents it through ply 5, {says}"


def test_nothing_is_both_proved_and_refuted() -> None:
    """For every line of the game: no line refutes what a table proves."""
    for objective in (WON, prevent(["O_wins"], 9), keep(["not", ["O_wins"]])):
        data = statement(objective)
        assert prove(data) == "proved"
        game = parse_statement(data).game
        pending: list[tuple[list[str], Any]] = [([], game.parse_position(START))]
        for line, position in pending:
            assert refute(data, *line) == "not-refuted"
            pending += [([*line, game.format_move(m)], game.play(position, m)) for m in game.legal_moves(position)]


@pytest.mark.parametrize(
    ("moves", "found"),
    [(["2"], "proved"), (["2", "6"], "not-reach"), (["1"], "not-the-strategy")],
)
def test_a_claimant_who_chooses_stays_within_the_strategy(moves: list[str], found: str) -> None:
    """The table has some of the moves that the strategy allows, and no other. Each of them counts."""
    data = statement(reach(["X", 2], 3), **CHOOSING, horizon=3)
    assert judge_table(data, {"moves": {"X...O....": moves}}) == found


MEANINGLESS: list[dict[str, Any]] = [
    *({"objectives": [objective], "horizon": 6} for objective in (WON, prevent(["O_wins"], 7))),
    *({"objectives": [claim(True, "before:some.spots")], **CHOOSING} for claim in (keep, some)),
    {"chooses": True},
    {"chooses": False, **LOW},
    {"strategies": {"O": LOWEST}},
    {"objectives": [WON, LATE]},
    {"objectives": [reach(["X_wins"], 1001)]},
    {"start": "XX......."},
    {"symmetric": True},
    *({"objectives": [keep(True, *at)]} for at in (("after:lowest",), ("every", "start", "every"))),
]


def test_statements_that_mean_nothing_are_refused() -> None:
    """Each part has the right form. Both players may have strategies."""
    require_golden("refused-plays.txt", refusals(lambda change: parse_statement(statement() | change), MEANINGLESS))
    both = {"X": LOWEST, "O": {**LOWEST, "player": "O"}}
    assert set(parse_statement(statement(strategies=both)).strategies) == {"X", "O"}


def test_the_length_of_a_walk_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a table the limit is fixed. With a table it is in proportion to the table."""
    monkeypatch.setattr(walks, "MAX_EDGES", 8)
    assert judge(statement(some(False, "end")), {"objective": "shown"}, verdict="refuted") == "limit"
    monkeypatch.setattr(walks, "FREE_EDGES", 0)
    for each, found in ((1, "limit"), (5, "proved")):
        monkeypatch.setattr(walks, "EDGES_AN_ENTRY", each)
        assert prove(statement()) == found


def test_which_formulas_plays_use() -> None:
    """The formulas of plays are those up to the last one that strategies use. Nothing else looks like a use."""
    formulas = [["X", 0], ["X", 1], ["X", 2]]
    for when, used in (
        (["and", ["use", 1], ["X", 8]], 2),
        (["and", ["X", 2], ["use", 0]], 1),
        (["not", ["X", 2]], 0),
        (["old", ["not", ["use", 2]]], 3),
    ):
        named = strategy(rule("r", (when, [3])), phase="use")
        assert plays_of(statement(strategies={"X": named}, formulas=formulas))["formulas"] == formulas[:used]


def test_an_end_names_both_winners() -> None:
    """If a win does not end the game, both players may have three fields in line at the end."""
    start = "/".join(["........."] * 9) + " ......... *"
    parsed = parse_statement(play("paper-play-on", start, LATE))
    game, rng, ends = parsed.game, random.Random(0), set[str | None]()
    for _ in range(40):
        position = parsed.start
        while not game.is_over(position):
            position = game.play(position, rng.choice(game.legal_moves(position)))
        won = [player for player in "XO" if game.compile_atom(f"{player}_wins", ())(position, position)]
        assert describe_end(parsed, position) == (" and ".join(f"{player} wins" for player in won) or "draw")
        ends.add(describe_end(parsed, position))
    assert "X wins and O wins" in ends
