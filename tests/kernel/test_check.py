from __future__ import annotations

import copy
import functools
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.statements import play, plays, rule, strategy
from verifier.kernel import plays as walks
from verifier.kernel.certificate import hash_bytes, pack
from verifier.kernel.check import check_opposed, check_proof, check_refutation, oppose
from verifier.kernel.decide import decide
from verifier.kernel.errors import CertificateError, IllegalMoveError, SpecError
from verifier.kernel.plays import Moves, has_ended, walk
from verifier.kernel.statement import Statement, parse_statement, plays_of
from verifier.kernel.verdict import Verdict
from verifier.presentation.ends import describe_end

START = "XO..X...O"
WON = {"name": "won", "type": "reach", "goal": ["X_wins"], "by": 7}
LOWEST = strategy(*(rule(f"spot-{s}", (["free", s], [s])) for s in range(9)), phase="lowest")


def statement(*objectives: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return play("tictactoe", START, *(objectives or [WON])) | changes


def make_table(parsed: Statement, pick: Callable[[Any], list[Any]]) -> Moves:
    """Write the table of a player who picks moves."""
    game = parsed.game
    moves: dict[str, list[str]] = {}
    pending = [parsed.start]
    while pending:
        position = pending.pop()
        if has_ended(parsed, position):
            continue
        chosen = parsed.strategies.get(game.turn(position))
        replies = [move for _, move in chosen(position)] if chosen else list(game.legal_moves(position))
        if game.turn(position) == parsed.claimant:
            replies = pick(position)
            moves[game.format_position(position)] = [game.format_move(move) for move in replies]
        pending += [game.play(position, move) for move in replies]
    return moves


def fork(position: Any) -> list[Any]:
    """Return the move that wins from START."""
    taken = position.x_mask | position.o_mask
    return [next((s,) for s in (3, 5, 6) if not taken >> s & 1)]


def every_move(parsed: Statement) -> Callable[[Any], list[Any]]:
    return lambda position: list(parsed.game.legal_moves(position))


def keep(at: list[str], holds: Any) -> dict[str, Any]:
    return {"name": "kept", "type": "keep", "at": at, "holds": holds}


def some(at: list[str], holds: Any) -> dict[str, Any]:
    return {"name": "shown", "type": "some", "at": at, "holds": holds}


def prevent(goal: Any, through: int) -> dict[str, Any]:
    return {"name": "prevented", "type": "prevent", "goal": goal, "through": through}


def prove(data: dict[str, Any], lines: dict[str, Any] | None = None) -> Any:
    parsed = parse_statement(data)
    table = make_table(parsed, fork) if parsed.chooses else None
    return check_proof(parsed, walk(parsed, table), lines or {})


def refute(data: dict[str, Any], line: list[str]) -> Any:
    parsed = parse_statement(data)
    return check_refutation(parsed, parsed.objectives[0].name, (), line)


def refusal(action: Callable[[], Any]) -> str:
    with pytest.raises((CertificateError, SpecError, IllegalMoveError)) as caught:
        action()
    error = caught.value
    return getattr(error, "reason", "malformed") if not isinstance(error, IllegalMoveError) else "illegal-move"


def test_win_is_proved_with_its_counts() -> None:
    """A win against every reply is proved, and positions, edges and ends are counted once each."""
    result = prove(statement())
    assert (result.verdict, result.beliefs) == (Verdict.PROVED, frozenset())
    assert dict(result.stats) == {"positions": 10, "edges": 9, "leaves": 4}


@pytest.mark.parametrize(
    ("objective", "reason"),
    [
        (WON | {"by": 6}, "not-reach"),
        (WON | {"goal": ["O_wins"]}, "not-reach"),
        (WON | {"goal": ["X", 4], "by": 3}, "vacuous-bound"),
        (prevent(["X_wins"], 7), "not-prevent"),
        (prevent(["X", 4], 4), "not-prevent"),
        (prevent(["X_wins"], 3), "vacuous-bound"),
        (keep(["every"], ["free", 3]), "not-keep"),
        (keep(["end"], ["O_wins"]), "not-keep"),
        (keep(["claimant"], ["free", 3]), "not-keep"),
        (keep(["opponent"], ["free", 3]), "not-keep"),
        (keep(["start"], ["X", 3]), "not-keep"),
    ],
)
def test_false_objective_is_not_proved(objective: dict[str, Any], reason: str) -> None:
    """An objective that some position of the walk contradicts is rejected by its type."""
    assert refusal(lambda: prove(statement(objective))) == reason


@pytest.mark.parametrize(
    "objective",
    [
        WON | {"by": 9},
        WON | {"goal": ["X", 3], "by": 5},
        WON | {"goal": ["X", 4], "by": 4},
        prevent(["X_wins"], 6),
        prevent(["O_wins"], 9),
        keep(["every"], ["X", 4]),
        keep(["end"], ["X_wins"]),
        keep(["start", "opponent"], ["==", ["sum", ["X", 3], ["free", 3]], 1]),
    ],
)
def test_true_objective_is_proved(objective: dict[str, Any]) -> None:
    """An objective that every position of the walk meets is proved."""
    assert prove(statement(objective)).verdict is Verdict.PROVED


def test_every_objective_has_to_hold() -> None:
    """One objective that fails is enough to reject a proof of several."""
    assert refusal(lambda: prove(statement(WON, keep(["end"], ["O_wins"])))) == "not-keep"


def test_horizon_is_no_end_of_the_game() -> None:
    """Where plays stop at a horizon nothing is over, and nothing is claimed of what is later."""
    for objective in (WON, prevent(["O_wins"], 7)):
        with pytest.raises(SpecError, match="beyond the horizon"):
            parse_statement(statement(objective, horizon=6))
    assert prove(statement(horizon=7)).verdict is Verdict.PROVED
    assert refusal(lambda: prove(statement(keep(["end"], True), horizon=6))) == "vacuous-scope"
    assert prove(statement(prevent(["X_wins"], 6), horizon=6)).verdict is Verdict.PROVED


def test_table_with_several_moves_is_walked_for_each() -> None:
    """Where a table gives several moves, each of them has to do."""
    parsed = parse_statement(statement())
    walked = walk(parsed, make_table(parsed, every_move(parsed)))
    assert refusal(lambda: check_proof(parsed, walked, {})) == "not-reach"


def test_existence_is_refuted_by_every_play() -> None:
    """That no play has a property is seen in a walk through every play, all choices of the claimant included."""
    parsed = parse_statement(statement(some(["end"], ["and", ["O_wins"], ["X_wins"]])))
    assert check_refutation(parsed, "shown", walk(parsed, None), None).verdict is Verdict.REFUTED
    assert refusal(lambda: check_refutation(parsed, "shown", (), [])) == "malformed"


def test_existence_that_a_play_shows_is_not_refuted() -> None:
    """A walk through every play that meets the property refutes nothing."""
    parsed = parse_statement(statement(some(["end"], ["O_wins"])))
    assert refusal(lambda: check_refutation(parsed, "shown", walk(parsed, None), None)) == "not-refuted"


@pytest.mark.parametrize(
    "objective",
    [
        keep(["every", "after:lowest.spot-0"], True),
        keep(["after:lowest.spot-0"], True),
        keep(["claimant", "before:lowest.spot-1"], True),
        some(["every", "before:lowest.spot-0"], True),
    ],
)
def test_each_scope_is_met_by_itself(objective: dict[str, Any]) -> None:
    """A union of scopes does not hide one that no play meets, whether all positions or some are spoken of."""
    data = statement(objective, strategies={"X": LOWEST})
    assert refusal(lambda: prove(data, {"shown": []} if objective["type"] == "some" else None)) == "vacuous-scope"


def test_a_scope_that_is_never_met_refutes_nothing() -> None:
    """That no play shows something at a rule that is never used says nothing about the formula."""
    parsed = parse_statement(statement(some(["before:lowest.spot-0"], False), strategies={"X": LOWEST}))
    assert refusal(lambda: check_refutation(parsed, "shown", walk(parsed, None), None)) == "vacuous-scope"


@pytest.mark.parametrize("objective", [WON | {"by": 3}, prevent(["O_wins"], 3)])
def test_a_bound_before_the_start_refutes_nothing(objective: dict[str, Any]) -> None:
    """A goal that was to be reached before the start is not a claim about plays, and is not refuted either."""
    assert refusal(lambda: refute(statement(objective, strategies={"X": LOWEST}), [])) == "vacuous-bound"


def test_a_horizon_before_the_start_shows_nothing() -> None:
    """Where the plays end before they begin, nothing is kept."""
    assert refusal(lambda: prove(statement(keep(["every"], True), horizon=3))) == "vacuous-bound"


def test_lines_that_nothing_asks_for_are_refused() -> None:
    """A line is given for each existence claim and for nothing else."""
    assert refusal(lambda: prove(statement(), {"won": ["3"]})) == "malformed"


@pytest.mark.parametrize(
    ("at", "line", "is_shown"),
    [
        (["end"], ["3", "5", "6"], True),
        (["every"], ["3", "5", "6"], True),
        (["claimant"], ["3", "5", "6"], False),
        (["opponent"], ["3"], True),
        (["start"], ["3"], False),
        (["start"], [], True),
        (["claimant"], [], True),
        (["end"], ["3", "5"], False),
    ],
)
def test_line_shows_what_holds_in_its_last_position(at: list[str], line: list[str], is_shown: bool) -> None:
    """An existence claim is shown by a line whose last position is in scope."""
    data = statement(some(at, ["X", 4]))
    if is_shown:
        assert prove(data, {"shown": line}).verdict is Verdict.PROVED
    else:
        assert refusal(lambda: prove(data, {"shown": line})) == "not-some"


@pytest.mark.parametrize("line", [None, "3", {"0": "3"}, [3], ["9"], ["3.3"], [["3"]], ["3"] * 1001])
def test_malformed_line_is_refused(line: object) -> None:
    """A line is a list of at most a thousand moves."""
    for verdict, evidence in (("proved", {"lines": {"shown": line}}), ("refuted", {"objective": "won", "line": line})):
        data = statement(some(["every"], True) if verdict == "proved" else WON)
        assert refusal(lambda: decide(data, verdict, evidence, lambda *_: b"")) == "malformed"  # noqa: B023 (at once)


def test_refutation_replays_the_strategy() -> None:
    """A line refutes when the strategy plays it and the goal is missed at the bound."""
    result = refute(statement(strategies={"X": LOWEST}), ["2", "6", "3"])
    assert (result.verdict, result.beliefs) == (Verdict.REFUTED, frozenset())


def test_claimants_own_choice_refutes_nothing() -> None:
    """A claimant without a strategy is not refuted by a bad move, only by what it is forced into."""
    assert refusal(lambda: refute(statement(), ["2", "6", "3"])) == "not-refuted"
    forced = statement(WON | {"by": 9}, start="XOXXOOO.X", claimant="O")
    assert refute(forced | {"objectives": [WON | {"goal": ["X_wins"], "by": 9}]}, ["7"]).verdict is Verdict.REFUTED


def test_a_claimant_who_has_one_move_is_refuted_by_it() -> None:
    """The last free spot is not a choice: the claimant's own mark there refutes that it wins."""
    last = statement(WON | {"by": 9}, start="XOXXOOO.X")
    assert refute(last, ["7"]).verdict is Verdict.REFUTED


def test_what_the_opponent_chooses_refutes() -> None:
    """The opponent may have had a choice, and the claimant none."""
    assert refute(statement(WON | {"by": 9}, start="XOXXO.OX."), ["5", "8"]).verdict is Verdict.REFUTED


def always(*spots: int) -> dict[str, Any]:
    """Return a strategy of X that names spots, free or not."""
    return plays(*([s] for s in spots))


def test_a_claimant_who_chooses_leaves_illegal_moves_out() -> None:
    """Of what a strategy allows, whoever chooses takes what is legal; where nothing is, the strategy is refuted."""
    assert refusal(lambda: refute(statement(strategies={"X": always(0, 3)}, chooses=True), [])) == "not-refuted"
    result = refute(statement(strategies={"X": always(0, 1)}, chooses=True), [])
    assert result.reason == "the strategy of X has no move after ply 4"
    result = refute(statement(strategies={"X": always(0)}), [])
    assert result.reason == "the strategy of X names the illegal move 0 after ply 4"


def test_whoever_does_not_choose_names_no_illegal_move() -> None:
    """Where X chooses, one illegal move among those of O's strategy breaks that strategy all the same."""
    data = statement(WON | {"by": 9}, start="XOXXO.OX.", strategies={"O": always(0, 5) | {"player": "O"}})
    assert refute(data, []).reason == "the strategy of O names the illegal move 0 after ply 7"


def test_the_last_ply_counts() -> None:
    """What is reached at the last ply is reached in time, and what happens then is not prevented."""
    forced = {"X": always(3)}
    reached = statement(WON | {"goal": ["X", 3], "by": 5}, strategies=forced)
    assert refusal(lambda: refute(reached, ["3"])) == "not-refuted"
    assert refute(statement(WON | {"goal": ["X", 5], "by": 5}, strategies=forced), ["3"]).verdict is Verdict.REFUTED
    assert refute(statement(prevent(["X", 3], 5), strategies=forced), ["3"]).verdict is Verdict.REFUTED
    assert refusal(lambda: refute(statement(prevent(["X", 3], 4), strategies=forced), ["3"])) == "not-refuted"


def test_a_line_stops_at_the_horizon() -> None:
    """No move follows the end of the plays that a statement speaks of, although the game would go on."""
    data = statement(some(["every"], ["X", 3]), horizon=5)
    assert prove(data, {"shown": ["3"]}).verdict is Verdict.PROVED
    with pytest.raises(CertificateError, match="the line goes on after its end"):
        prove(data, {"shown": ["3", "5"]})


def test_a_line_of_a_thousand_moves_is_read() -> None:
    """So many are replayed, up to the first that is illegal; more are refused unread."""
    data = statement(some(["every"], True))
    assert refusal(lambda: prove(data, {"shown": ["3"] * 1000})) == "illegal-move"


def test_what_the_opponent_prevents_is_told() -> None:
    """Where a claimant who chooses does not reach a goal, the opponent prevents it through the last ply."""
    opposed = oppose(parse_statement(statement(WON | {"by": 5})), "won")
    result = check_opposed(opposed, walk(opposed, make_table(opposed, lambda p: list(opposed.game.legal_moves(p)))))
    assert result.reason == "'won' fails: O prevents it through ply 5, whatever is played"


def test_what_a_strategy_leaves_out_is_not_told_to_fail() -> None:
    """X could win at once by a move that the strategy does not allow: only what it allows was played."""
    changes = {"strategies": {"X": always(5, 6)}, "chooses": True, "start": "XX.OO....", "horizon": 5}
    opposed = oppose(parse_statement(statement(WON | {"by": 5}, **changes)), "won")
    result = check_opposed(opposed, walk(opposed, None))
    assert result.reason == "'won' fails: O prevents it through ply 5, whatever the strategy of X allows"


def test_plays_may_end_where_they_begin() -> None:
    """A horizon at the ply of the start leaves one position, which is something."""
    assert prove(statement(keep(["start"], True), horizon=4)).verdict is Verdict.PROVED


def test_nothing_is_both_proved_and_refuted() -> None:
    """Over every line of the game, no line refutes what a table proves."""
    for objective in (WON, prevent(["O_wins"], 9), keep(["every"], ["not", ["O_wins"]])):
        data = statement(objective)
        assert prove(data).verdict is Verdict.PROVED
        parsed = parse_statement(data)
        pending: list[tuple[list[str], Any]] = [([], parsed.start)]
        while pending:
            line, position = pending.pop()
            with pytest.raises(CertificateError, match="not-refuted"):
                refute(data, line)
            for move in parsed.game.legal_moves(position):
                pending.append(([*line, parsed.game.format_move(move)], parsed.game.play(position, move)))


def test_stuck_strategy_is_refuted_and_not_proved() -> None:
    """A strategy without a move in a play is refuted by that play, and no table makes up for it."""
    stuck: dict[str, Any] = {"player": "X", "phases": []}
    assert refute(statement(strategies={"X": stuck}), []).verdict is Verdict.REFUTED
    parsed = parse_statement(statement(strategies={"X": stuck}))
    assert refusal(lambda: list(walk(parsed, None))) == "stuck"


def test_illegal_move_of_a_strategy_refutes_it() -> None:
    """A strategy that names a taken spot is refuted by the play that leads there."""
    taken = statement(strategies={"X": always(0)})
    assert refute(taken, []).verdict is Verdict.REFUTED
    parsed = parse_statement(taken)
    assert refusal(lambda: list(walk(parsed, None))) == "illegal-move"


def test_opponent_may_have_a_strategy() -> None:
    """The opponent's strategy limits the replies that are walked."""
    lowest = LOWEST | {"player": "O"}
    result = prove(statement(strategies={"O": lowest}))
    assert result.stats["edges"] == 3


def test_scopes_follow_the_labels_of_rules() -> None:
    """``before`` and ``after`` name phases and rules, and mean the positions around their moves."""
    objectives = [
        keep(["before:lowest"], ["not", ["over"]]),
        keep(["before:lowest.spot-2"], ["free", 2]) | {"name": "a"},
        keep(["after:lowest.spot-2"], ["X", 2]) | {"name": "b"},
        keep(["after:lowest"], ["or", ["over"], ["==", ["ply"], 5], ["==", ["ply"], 7]]) | {"name": "c"},
    ]
    assert prove(statement(*objectives, strategies={"X": LOWEST})).verdict is Verdict.PROVED
    wrong = keep(["after:lowest.spot-2"], ["free", 2])
    assert refusal(lambda: prove(statement(wrong, strategies={"X": LOWEST}))) == "not-keep"


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "steps"},
        {"rules": "chess"},
        {"rules": None},
        {"start": ""},
        {"start": None},
        {"start": "XX......."},
        {"claimant": "Z"},
        {"claimant": None},
        {"horizon": True},
        {"horizon": "9"},
        {"strategies": None},
        {"strategies": {"Z": LOWEST}},
        {"strategies": {"X": None}},
        {"strategies": {"O": LOWEST}},
        {"objectives": None},
        {"objectives": []},
        {"objectives": [None]},
        {"objectives": [{}]},
        {"objectives": [{"type": []}]},
        {"objectives": [WON | {"extra": 1}]},
        {"objectives": [WON | {"type": "keep"}]},
        {"objectives": [WON | {"type": "always"}]},
        {"objectives": [WON | {"by": -1}]},
        {"objectives": [WON | {"by": 10**11}]},
        {"objectives": [WON | {"by": True}]},
        {"objectives": [WON | {"goal": ["X", 9]}]},
        {"objectives": [keep([], True)]},
        {"objectives": [keep([1], True)]},  # type: ignore[list-item]
        {"objectives": [keep(["evry"], True)]},
        {"objectives": [keep(["every", "after:lowest"], True)]},
        {"objectives": [{"name": "kept", "type": "keep", "at": "every", "holds": True}]},
        {"unknown": 1},
    ],
)
def test_ill_formed_statement_is_refused(changes: dict[str, Any]) -> None:
    """A statement has the documented keys, types and scopes, and nothing else."""
    with pytest.raises(SpecError):
        parse_statement(statement() | changes)


@pytest.mark.parametrize("value", [None, [], {START: []}, {START: "3"}, {START: [3]}, {START: None}, {START: [["3"]]}])
def test_malformed_table_is_refused(value: object) -> None:
    """A table gives a list of moves for each position."""
    data = pack({"format": "verifier-table", "version": 2, "moves": value})
    evidence = {"table": hash_bytes(data)}
    assert refusal(lambda: decide(statement(), "proved", evidence, lambda *_: data)) == "malformed"


def test_walks_are_as_long_as_honest_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk without a table has a fixed length at most, one by a table a length in proportion to the table."""
    monkeypatch.setattr(walks, "MAX_EDGES", 8)
    parsed = parse_statement(statement(some(["end"], False)))
    assert refusal(lambda: list(walk(parsed, None))) == "limit"
    monkeypatch.setattr(walks, "FREE_EDGES", 0)
    monkeypatch.setattr(walks, "EDGES_AN_ENTRY", 1)
    claimed = parse_statement(statement())
    assert refusal(lambda: list(walk(claimed, make_table(claimed, fork)))) == "limit"
    monkeypatch.setattr(walks, "EDGES_AN_ENTRY", 5)
    assert len(list(walk(claimed, make_table(claimed, fork)))) == 10


def test_large_formulas_shorten_the_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What formulas cost counts where they are evaluated, in objectives and in strategies."""
    small: Any = False
    large: Any = ["and", *[True] * 1000]
    lowest: dict[str, Any] = {"X": copy.deepcopy(LOWEST)}
    for formula, outcome in ((small, "vacuous-scope"), (large, "limit")):
        monkeypatch.setattr(walks, "MAX_WORK", 3000)
        kept = keep(["every", "after:lowest.spot-0"], ["or", True, formula])
        assert refusal(functools.partial(prove, statement(kept, strategies={"X": LOWEST}))) == outcome
        lowest["X"]["phases"][0]["instances"][0]["when"] = ["or", True, formula]
        kept = keep(["every", "after:lowest.spot-0"], True)
        assert refusal(functools.partial(prove, statement(kept, strategies=lowest))) == outcome


def test_verdicts_are_ordered() -> None:
    """The weakest verdict wins, and none at all is unknown."""
    assert Verdict.combine([Verdict.PROVED, Verdict.UNKNOWN]) is Verdict.UNKNOWN
    assert Verdict.combine([Verdict.PROVED, Verdict.REFUTED]) is Verdict.REFUTED
    assert Verdict.combine([]) is Verdict.UNKNOWN
    assert [Verdict.parse(str(verdict)) for verdict in Verdict] == list(Verdict)


MIDDLE_OR_CORNER = strategy(
    rule("spots", *((["free", s], [s]) for s in (2, 4, 6))),
    rule("rest", *((["free", s], [s]) for s in range(9))),
    phase="some",
)


def test_a_claimant_who_chooses_keeps_within_the_strategy() -> None:
    """With ``chooses`` the table takes one of the moves that the strategy allows, and none that it does not."""
    choosing = statement(WON, strategies={"X": MIDDLE_OR_CORNER}, chooses=True, start="X...O....")
    prevents = {"name": "not lost", "type": "prevent", "goal": ["O_wins"], "through": 4}
    parsed = parse_statement(choosing | {"objectives": [prevents], "horizon": 4})
    chosen = parsed.strategies["X"]
    walked = walk(parsed, make_table(parsed, lambda position: [chosen(position)[-1][1]]))
    assert check_proof(parsed, walked, {}).verdict is Verdict.PROVED
    with pytest.raises(CertificateError) as caught:
        list(walk(parsed, make_table(parsed, lambda position: [(1,)])))
    assert caught.value.reason == "not-the-strategy"


def test_a_choice_that_was_left_open_refutes_nothing() -> None:
    """A play in which the claimant could have chosen otherwise is not a refutation of what the claimant can do."""
    choosing = parse_statement(statement(WON, strategies={"X": MIDDLE_OR_CORNER}, chooses=True, start="X...O...."))
    with pytest.raises(CertificateError) as caught:
        check_refutation(choosing, "won", (), ["2", "1", "6", "7"])
    assert caught.value.reason == "not-refuted"
    bound = parse_statement(statement(WON, strategies={"X": MIDDLE_OR_CORNER}, start="X...O...."))
    assert check_refutation(bound, "won", (), ["2", "1", "6", "7"]).verdict is Verdict.REFUTED


@pytest.mark.parametrize("kind", ["keep", "some"])
def test_a_choosing_claimant_reaches_or_prevents(kind: str) -> None:
    """What is kept where a rule is about to be used would depend on the choice: both verdicts had evidence."""
    objective = {"name": "kept", "type": kind, "at": ["before:some.spots"], "holds": True}
    with pytest.raises(SpecError, match="reaches or prevents"):
        parse_statement(statement(objective, strategies={"X": MIDDLE_OR_CORNER}, chooses=True))


@pytest.mark.parametrize("changes", [{"chooses": True}, {"chooses": 1, "strategies": {"X": LOWEST}}])
def test_choosing_needs_a_strategy_to_choose_from(changes: dict[str, Any]) -> None:
    """``chooses`` is a truth value and goes with a strategy of the claimant."""
    with pytest.raises(SpecError, match="chooses"):
        parse_statement(statement(**changes))


def test_both_players_may_have_strategies() -> None:
    """A strategy each is a statement; of a third player, or of two names for one objective, there is none."""
    other = {**LOWEST, "player": "O"}
    assert set(parse_statement(statement(strategies={"X": LOWEST, "O": other})).strategies) == {"X", "O"}
    with pytest.raises(SpecError, match="has the keys 'Z'"):
        parse_statement(statement(strategies={"Z": {**LOWEST, "player": "Z"}}))
    with pytest.raises(SpecError, match="two objectives have one name"):
        parse_statement(statement(WON, WON | {"by": 9}))


def test_a_last_ply_is_at_most_a_thousand() -> None:
    """As every ply of any game is."""
    assert parse_statement(statement(WON | {"by": 1000})).objectives[0].bound == 1000
    with pytest.raises(SpecError, match="'1001' is not an integer from 0 to 1000"):
        parse_statement(statement(WON | {"by": 1001}))


def test_which_formulas_plays_use() -> None:
    """Formulas up to the last that strategies use are the plays', and nothing else looks like a use."""
    formulas = [["X", 0], ["X", 1], ["X", 2]]

    def used(when: Any) -> list[Any]:
        data = statement(strategies={"X": strategy(rule("r", (when, [3])), phase="use")}, formulas=formulas)
        found: list[Any] = plays_of(data)["formulas"]
        return found

    assert used(["and", ["use", 1], ["X", 8]]) == formulas[:2]
    assert used(["and", ["X", 2], ["use", 0]]) == formulas[:1]
    assert used(["not", ["X", 2]]) == []
    assert used(["old", ["not", ["use", 2]]]) == formulas


def test_an_end_names_all_who_have_won() -> None:
    """Where a win does not end the game, both may have three fields in line when nobody can move any more."""
    rules = {"family": "nested", "closed": "full", "free_choice": "free-spots", "after_win": "goes-on"}
    start = "/".join(["........."] * 9) + " ......... *"
    parsed = parse_statement(statement({**WON, "by": 81}, rules=rules, start=start))
    game, rng, told = parsed.game, random.Random(0), set[str | None]()
    for _ in range(40):
        position = parsed.start
        while not game.is_over(position):
            position = game.play(position, rng.choice(game.legal_moves(position)))
        won = [player for player in "XO" if game.compile_atom(f"{player}_wins", ())(position, position)]
        assert describe_end(parsed, position) == (" and ".join(f"{player} wins" for player in won) or "draw")
        told.add(describe_end(parsed, position))
    assert "X wins and O wins" in told
