"""What Xavier cannot force: a table is followed against every move, and parts are joined without a gap."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from tests.kernel.late import PAPER, find_replies, late_positions
from verifier.kernel.race import replies as kernel
from verifier.kernel.race.replies import (
    Bound,
    Leaf,
    Sample,
    canonical,
    check_parts,
    check_table,
    describe,
    follow,
    marks_left,
    open_cases,
    parse_bound,
)
from verifier.kernel.race.endgame import Endgames
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.full import Full
from verifier.kernel.games import find_rules
from verifier.kernel.games.ultimate import Position
from verifier.kernel.race.relaxation import coarsen, format_race, moves_of, parse_race, play, race_of
from verifier.kernel.relabel import SYMMETRIES, image_of
from verifier.kernel.verdict import Result, Verdict

Data = dict[str, Any]

START = "XOO.OXO.O/.XXOOO.O./OOXO.O.OX/X.X....X./OX..X..XO/XXX...O.O/X...X...X/.XOOOO.X./X.X.OX.XO OO..XXXO. 4"
"""Xavier moves at ply 48, to one of four spots of field 4; by ply 58 he has five marks."""

HIS_MOVES = ["4.2", "4.3", "4.5", "4.6"]
OTHER = "........./........./........./........./....X..../........./........./........./......... ......... 4"
FRONTIER = 2
EVIDENCE = {"relaxation": "race", "frontier": FRONTIER, "table": {"path": "table", "sha256": "hash"}}


def state(start: str = START, first: list[str] | None = None, through: int = 58) -> Data:
    return {"kind": "bound", "rules": "paper", "through": through, "cases": [{"start": start, "first": first}]}


def text_after(*moves: str, start: str = START) -> str:
    position = PAPER.parse_position(start)
    for move in moves:
        position = PAPER.play(position, PAPER.parse_move(move))
    text: str = PAPER.format_position(position)
    return text


def replies_for(statement: Data, frontier: int = FRONTIER) -> dict[str, Any]:
    """Return a table that shows a statement."""
    replies: dict[str, Any] = {}
    endgames = Endgames()
    compiled = parse_bound(statement)
    for position, _ in open_cases(compiled):
        marks = marks_left(compiled.game, position, compiled.through)
        find_replies(*race_of(position), marks, frontier, endgames, replies)
    return replies


def check(statement: Data, replies: dict[str, Any], **changes: Any) -> Result:
    return check_table(parse_bound(statement), EVIDENCE | changes, replies, Full(1))


def reason_of(run: Callable[..., object], *args: Any, **changes: Any) -> str:
    """Return the reason for which a call is refused."""
    with pytest.raises(CertificateError) as caught:
        run(*args, **changes)
    return caught.value.reason


# -- statements -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "play"}, "has the keys"),
        ({"more": 1}, "has the keys"),
        ({"rules": "paper-play-on"}, "under the paper's rules"),
        ({"rules": "closed-any-spot"}, "under the paper's rules"),
        ({"rules": "tictactoe"}, "under the paper's rules"),
        ({"rules": ["paper"]}, "no rule set"),
        ({"through": True}, "a ply from 0 to 81"),
        ({"through": -1}, "a ply from 0 to 81"),
        ({"through": 82}, "a ply from 0 to 81"),
        ({"through": "58"}, "a ply from 0 to 81"),
        ({"cases": []}, "at least one case"),
        ({"cases": {}}, "at least one case"),
        ({"cases": [START]}, "a case has a start"),
        ({"cases": [{"start": START}]}, "a case has a start"),
        ({"cases": [{"start": START[:-2], "first": None}]}, "a case: .* is no position"),
        ({"cases": [{"start": START[:-1] + "5", "first": "4.2"}]}, "a list of moves, or null"),
        ({"cases": [{"start": START, "first": []}]}, "a list of moves, or null"),
        ({"cases": [{"start": START, "first": ["4-2"]}]}, "is no move"),
        ({"cases": [{"start": START, "first": ["4.0"]}]}, "legal and each given once"),
        ({"cases": [{"start": START, "first": ["4.2", "4.2"]}]}, "legal and each given once"),
        ({"cases": [{"start": OTHER, "first": ["4.2"]}]}, "the first moves are Xavier's"),
    ],
)
def test_a_malformed_statement_is_refused(change: Data, says: str) -> None:
    """Every part of a statement is checked before anything is followed."""
    with pytest.raises(SpecError, match=says):
        parse_bound({**state(), **change})


def test_a_statement_lacks_no_key() -> None:
    """Without any one of its keys a statement is refused."""
    for key in state():
        with pytest.raises(SpecError, match="has the keys"):
            parse_bound({other: value for other, value in state().items() if other != key} | {"kinds": 1})


def test_marks_are_left_for_his_plies() -> None:
    """He places the marks with odd numbers: as many are left as there are odd numbers up to the ply."""
    for position in [PAPER.start, *late_positions(40, 1)]:
        for through in range(82):
            numbers = range(PAPER.ply(position) + 1, through + 1)
            assert marks_left(PAPER, position, through) == sum(number % 2 for number in numbers)


# -- tables ---------------------------------------------------------------------------------------------------------


def test_replies_prove_a_bound() -> None:
    """A table with a reply wherever more than two marks are left is accepted; the stats count what was done."""
    replies = replies_for(state())
    result = check(state(), replies)
    assert result.verdict is Verdict.PROVED
    assert result.stats["replies"] == len(replies) > 12
    assert result.stats["races"] > result.stats["leaves"] == result.stats["settled"] > 10
    assert result.trust.endswith("it tried everything in all of them")
    assert f"followed {len(replies)} replies" in result.trust


@pytest.mark.parametrize("frontier", [0, 1, 3, 4, 10])
def test_the_frontier_may_be_anywhere(frontier: int) -> None:
    """The lower the frontier, the more replies; from all his marks on none is needed."""
    replies = replies_for(state(), frontier)
    result = check(state(), replies, frontier=frontier)
    assert result.verdict is Verdict.PROVED
    assert bool(replies) == (frontier < 4)
    assert bool(result.stats["leaves"]) == (frontier > 0)


def test_a_bound_before_its_start_needs_nothing() -> None:
    """Where no mark of his is left there is nothing to show."""
    assert check(state(through=48), {}).stats["races"] == 0
    assert check(state(text_after("4.2"), through=49), {}).stats["races"] == 0
    assert check(state(text_after("4.2"), through=30), {}).stats["races"] == 0


def test_no_losing_reply_is_accepted() -> None:
    """Each reply is exchanged for each one with which Xavier wins: all of these are refused."""
    replies = replies_for(state())
    endgames = Endgames()
    losing = 0
    for name in replies:
        fields, active, marks = parse_race(name)
        for f, s in moves_of(fields, active):
            if endgames.wins(*play(fields, f, s, is_xavier=False), marks):
                losing += 1
                reason = reason_of(check, state(), replies | {name: f"{f}.{s}"})
                assert reason == "not-held" or (marks > FRONTIER + 1 and reason in {"no-reply", "unused-entry"})
    assert losing > 5


def test_no_reply_is_too_many() -> None:
    """Without any one of its replies a table is refused."""
    replies = replies_for(state())
    for name in replies:
        rest = {other: reply for other, reply in replies.items() if other != name}
        assert reason_of(check, state(), rest) == "no-reply"


@pytest.mark.parametrize("reply", ["4.0", "44", "", "4.9", " 4.1", None, 4, True, ["4.1"], "confine", "confine 1 2"])
def test_what_is_no_reply_is_refused(reply: Any) -> None:
    """A reply is a legal move or a confinement, written as such."""
    replies = replies_for(state())
    assert reason_of(check, state(), replies | {min(replies): reply}) in {"illegal-reply", "no-reply"}


@pytest.mark.parametrize(
    "reply", ["confine 1 1 0", "confine 1 9 0", "confine 1 2 12", "confine  1 2", "confine 1 2 0 "]
)
def test_what_is_no_confinement_is_refused(reply: str) -> None:
    """A confinement names two different spots and a field."""
    replies = replies_for(state())
    assert reason_of(check, state(), replies | {min(replies): reply}) == "illegal-reply"


def test_a_confinement_is_left_to_be_decided() -> None:
    """Confined to any two spots just above the frontier, Olivia holds as ``holds_confined`` says, and both occur."""
    replies = replies_for(state())
    name = next(name for name in replies if name.endswith(f" {FRONTIER + 1}"))
    seen = set()
    for pair in ((a, b) for a in range(9) for b in range(9) if a != b):
        confined = replies | {name: f"confine {pair[0]} {pair[1]} 0"}
        leaves, _, used = follow(parse_bound(state()), confined, FRONTIER)
        assert used == set(replies)
        assert [leaf.confine for leaf in leaves if leaf.confine] == [(*pair, 0)]
        held = Endgames().holds_confined(*parse_race(name), pair, 0, FRONTIER)
        seen.add(held)
        if held:
            check(state(), confined)
        else:
            assert reason_of(check, state(), confined) == "not-held"
    assert seen == {True, False}


def test_a_leaf_is_described_with_its_spots() -> None:
    """A refusal names the race and, where Olivia is confined, the two spots."""
    leaf = Leaf((0,) * 9, 4, 3, (1, 2, 0))
    assert describe(leaf) == f"{'/'.join(['.' * 9] * 9)} 4 3, confined to 1 and 2"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"relaxation": "game"}, "relaxation"),
        ({"more": 1}, "relaxation"),
        ({"frontier": None}, "malformed"),
        ({"frontier": False}, "malformed"),
        ({"frontier": "2"}, "malformed"),
        ({"frontier": -1}, "malformed"),
        ({"frontier": 11}, "malformed"),
        ({"frontier": 1}, "no-reply"),
        ({"frontier": 3}, "unused-entry"),
    ],
)
def test_other_evidence_is_refused(changes: Data, reason: str) -> None:
    """The relaxation, the frontier and the table are all that evidence says, and they have to fit."""
    replies = replies_for(state())
    assert reason_of(check, state(), replies, **changes) == reason


def test_keys_are_coarsened_races() -> None:
    """A key that is no race, one with marks that cannot matter, and one that no play meets are refused."""
    replies = replies_for(state())
    fields, active = race_of(PAPER.parse_position(text_after("4.3")))
    assert coarsen(fields, 1) != fields
    assert reason_of(check, state(), replies | {format_race(fields, active, 1): "0.0"}) == "malformed"
    assert reason_of(check, state(), replies | {START: "0.0"}) == "malformed"
    unmet = format_race(coarsen(fields, 9), active, 9)
    assert reason_of(check, state(), replies | {unmet: "0.0"}) == "unused-entry"


def test_two_more_plies_need_other_replies() -> None:
    """Where he has one mark more, the table is another one; where he has none more, it is the same."""
    replies = replies_for(state())
    assert reason_of(check, state(through=60), replies) == "no-reply"
    assert reason_of(check, state(through=59), replies) == "no-reply"
    assert check(state(through=57), replies).verdict is Verdict.PROVED


def test_a_win_in_a_start_refutes() -> None:
    """Where Xavier has won by the ply, or wins with a first move that counts, no table is accepted."""
    before = next(p for p in late_positions(500, 2) if any(PAPER.winner(after) for after in after_his_moves(p)))
    move = next(move for move in PAPER.legal_moves(before) if PAPER.winner(PAPER.play(before, move)))
    won = PAPER.play(before, move)
    text, ply, first = PAPER.format_position(before), PAPER.ply(won), [PAPER.format_move(move)]
    for through in (0, ply - 1, ply, 81):
        assert reason_of(check, state(PAPER.format_position(won), through=through), {}) == "not-held"
    for through in (ply, 81):
        assert reason_of(check, state(text, first, through), {}) == "not-held"
    assert check(state(text, first, ply - 1), {}).verdict is Verdict.PROVED


def after_his_moves(position: Position) -> list[Position]:
    if PAPER.turn(position) == "O":
        return []
    return [PAPER.play(position, move) for move in PAPER.legal_moves(position)]


def test_mirror_images_are_one_case() -> None:
    """The images of a position are one position, and a statement about all of them is about one."""
    position = PAPER.parse_position(START)
    images = [image_of(permutation, position) for permutation in SYMMETRIES]
    assert len(set(images)) == 8
    assert {canonical(image) for image in images} == {min(images)}
    both = state()
    both["cases"] = [{"start": PAPER.format_position(image), "first": None} for image in (position, *images)]
    assert len(list(open_cases(parse_bound(both)))) == len(HIS_MOVES)
    assert check(both, replies_for(state())).stats == check(state(), replies_for(state())).stats


def test_where_he_came_from_is_known_after_a_first_move() -> None:
    """A case in which he moves tells the field of his move, one in which she moves does not."""
    assert {came_from for _, came_from in open_cases(parse_bound(state()))} == {4}
    assert [came_from for _, came_from in open_cases(parse_bound(state(text_after("4.2"))))] == [-1]


def test_a_sample_believes_the_rest() -> None:
    """A sample decides as many as it says, finds what it draws, and says what it believes."""
    replies = replies_for(state())
    leaves, _, _ = follow(parse_bound(state()), replies, FRONTIER)
    settle = Sample(5, 1)
    result = check_table(parse_bound(state()), EVIDENCE, replies, settle)
    assert (result.stats["settled"], result.stats["leaves"]) == (5, len(leaves))
    assert "5 of them (seed 1), the rest is believed" in result.trust
    assert Sample(1000, 0).decide(leaves, FRONTIER) == len(leaves)
    assert settle.describe(3, 3) == "it tried everything in all of them"
    assert reason_of(settle.decide, [lost_leaf(), *leaves[:3]], FRONTIER) == "not-held"


def lost_leaf() -> Leaf:
    """Return a race that Xavier wins with three marks."""
    for position in late_positions(500, 5):
        race = race_of(position)
        if PAPER.turn(position) == "O" and not Endgames().holds(*race, 3) and Endgames().holds(*race, 2):
            return Leaf(*race, 3)
    raise ValueError("no such position")


def test_a_leaf_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each leaf has its own allowance."""
    replies = replies_for(state(), 3)
    check(state(), replies, frontier=3)
    monkeypatch.setattr(kernel, "MAX_VISITED", 3)
    assert reason_of(check, state(), replies, frontier=3) == "too-long"


# -- parts ----------------------------------------------------------------------------------------------------------

REPLIED = text_after("4.6")
REPLY = "6.5"
JOINED = state()
PARTS = [state(first=HIS_MOVES[:-1]), state(text_after("4.6", REPLY))]


def join(statement: Data, parts: list[Data], replies: Data) -> Result:
    """Join parts that are believed: what shows them is not the subject here."""
    evidence = {"parts": [{"statement": part, "evidence": {}} for part in parts], "replies": replies}
    return check_parts(parse_bound(statement), evidence, lambda part, _: parse_bound(part))


def test_parts_are_proved_and_join() -> None:
    """A part about most of his moves and one after her reply to the last show the whole."""
    for part in PARTS:
        assert check(part, replies_for(part)).verdict is Verdict.PROVED
    result = join(JOINED, PARTS, {REPLIED: REPLY})
    assert (result.verdict, dict(result.stats)) == (Verdict.PROVED, {"parts": 2, "replies": 1})
    for through in (58, 59, 81):
        longer = [part | {"through": through} for part in PARTS]
        assert join(JOINED, longer, {REPLIED: REPLY}).verdict is Verdict.PROVED


@pytest.mark.parametrize("permutation", SYMMETRIES)
def test_parts_may_be_mirrored(permutation: tuple[int, ...]) -> None:
    """A part given by any image of its start counts, and so does a reply."""

    def image(text: str) -> str:
        mirrored: str = PAPER.format_position(image_of(permutation, PAPER.parse_position(text)))
        return mirrored

    f, s = (permutation.index(int(digit)) for digit in REPLY.split("."))
    reply = {image(REPLIED): f"{f}.{s}"}
    if (f, s) not in PAPER.legal_moves(PAPER.parse_position(image(REPLIED))):
        reply = {image(REPLIED): f"{permutation[int(REPLY[0])]}.{permutation[int(REPLY[2])]}"}
    parts = [PARTS[0], state(image(text_after("4.6", REPLY)))]
    assert join(JOINED, parts, {REPLIED: REPLY}).verdict is Verdict.PROVED
    assert join(JOINED, parts, reply).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda parts, replies: parts.pop(), "no-reply"),
        (lambda parts, replies: parts.pop(0), "no-reply"),
        (lambda parts, replies: replies.clear(), "no-reply"),
        (lambda parts, replies: replies.update({REPLIED: "6.1"}), "no-reply"),
        (lambda parts, replies: replies.update({REPLIED: "6.3"}), "not-held"),
        (lambda parts, replies: replies.update({REPLIED: "6.0"}), "illegal-reply"),
        (lambda parts, replies: replies.update({REPLIED: "5.3"}), "illegal-reply"),
        (lambda parts, replies: replies.update({REPLIED: "six"}), "malformed"),
        (lambda parts, replies: replies.update({REPLIED: None}), "malformed"),
        (lambda parts, replies: replies.update({"here": REPLY}), "malformed"),
        (lambda parts, replies: replies.update({text_after("4.2"): "2.4"}), "unused-entry"),
        (lambda parts, replies: replies.update({OTHER: "4.0"}), "unused-entry"),
        (lambda parts, replies: parts[0].update(through=57), "other-bound"),
        (lambda parts, replies: parts[1].update(through=0), "other-bound"),
        (lambda parts, replies: parts[0]["cases"][0].update(first=["4.2", "4.3"]), "no-reply"),
        (lambda parts, replies: parts[1]["cases"][0].update(first=["5.3"]), "no-reply"),
        (lambda parts, replies: parts[1]["cases"][0].update(start=text_after("4.6")), "unused-entry"),
    ],
)
def test_a_gap_between_parts_is_refused(change: Callable[[list[Data], Data], object], reason: str) -> None:
    """Every move of his is covered by a part as far as the whole reaches, or by a reply that is legal and needed."""
    parts, replies = copy.deepcopy(PARTS), {REPLIED: REPLY}
    change(parts, replies)
    assert reason_of(join, JOINED, parts, replies) == reason


def test_parts_are_of_the_same_rules() -> None:
    """A part that is proved under other rules does not count."""
    other = find_rules("paper-play-on")

    def prove(statement: Data, _: object) -> Bound:
        return dataclasses.replace(parse_bound(statement), game=other)  # type: ignore[arg-type]

    evidence = {"parts": [{"statement": part, "evidence": {}} for part in PARTS], "replies": {REPLIED: REPLY}}
    assert reason_of(check_parts, parse_bound(JOINED), evidence, prove) == "other-bound"


@pytest.mark.parametrize(
    "evidence",
    [
        {"parts": [], "replies": {}},
        {"parts": {}, "replies": {}},
        {"parts": [{"statement": JOINED, "evidence": {}}]},
        {"parts": [{"statement": JOINED, "evidence": {}}], "replies": []},
        {"parts": [{"statement": JOINED, "evidence": {}}], "replies": {}, "more": 1},
        {"parts": [{"statement": JOINED}], "replies": {}},
        {"parts": [JOINED], "replies": {}},
        {"parts": ["part"], "replies": {}},
    ],
)
def test_what_are_no_parts_is_refused(evidence: Data) -> None:
    """Parts are statements with their evidence, and the replies before them are given by position."""
    reason = reason_of(check_parts, parse_bound(JOINED), evidence, lambda part, _: parse_bound(part))
    assert reason == "malformed"


def test_a_part_that_fails_fails_the_whole() -> None:
    """What refuses a part refuses the whole, though the rest would do without it."""

    def prove(statement: Data, _: object) -> Bound:
        check(statement, {})
        return parse_bound(statement)

    evidence = {"parts": [{"statement": part, "evidence": {}} for part in (JOINED, *PARTS)], "replies": {}}
    assert reason_of(check_parts, parse_bound(JOINED), evidence, prove) == "no-reply"


def test_he_may_not_win_between_the_parts() -> None:
    """After a reply that lets Xavier win at once, no part can apply any more; one ply before that nothing is lost."""
    for position in late_positions(500, 3):
        if PAPER.turn(position) == "O" and PAPER.ply(position) < 70:
            for move in PAPER.legal_moves(position):
                follows = after_his_moves(PAPER.play(position, move))
                if any(PAPER.winner(after) == "X" for after in follows):
                    text, ply = PAPER.format_position(position), PAPER.ply(position)
                    parts = [state(PAPER.format_position(after), through=81) for after in follows]
                    reply = {text: PAPER.format_move(move)}
                    assert reason_of(join, state(text, through=ply + 2), parts, reply) == "not-held"
                    assert join(state(text, through=ply + 1), parts, reply).verdict is Verdict.PROVED
                    return
    pytest.fail("no such position")


def test_her_win_needs_no_part() -> None:
    """Where Olivia's reply ends the game nothing is left to cover."""
    for position in late_positions(500, 4):
        if PAPER.turn(position) == "O":
            for move in PAPER.legal_moves(position):
                if PAPER.winner(PAPER.play(position, move)) == "O":
                    text = PAPER.format_position(position)
                    part = state(OTHER, through=81)
                    reply = {text: PAPER.format_move(move)}
                    assert join(state(text, through=81), [part], reply).verdict is Verdict.PROVED
                    return
    pytest.fail("no such position")


def test_a_full_board_needs_no_part() -> None:
    """Where his last mark fills the board, without a win, nothing is left to cover."""
    for position in late_positions(2000, 6):
        if PAPER.ply(position) == 79:
            move = PAPER.legal_moves(position)[0]
            ends = after_his_moves(PAPER.play(position, move))
            if ends and not any(PAPER.winner(end) for end in ends):
                text = PAPER.format_position(position)
                reply = {text: PAPER.format_move(move)}
                assert join(state(text, through=81), [state(OTHER, through=81)], reply).verdict is Verdict.PROVED
                return
    pytest.fail("no such position")
