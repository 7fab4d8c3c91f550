"""Xavier cannot force a win: tables are followed against every move, and each way to forge one is refused."""

import itertools
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from tests.golden import require_golden
from tests.images import image_of
from tests.kernel.asking import reason_of, refusals
from tests.kernel.late import PAPER, find_replies, is_held, late_positions, on_marks
from tests.rules import rules_data
from verifier.kernel import certificate as files
from verifier.kernel.decide import Memo
from verifier.kernel.errors import CertificateError, SpecError
from verifier.kernel.games.nested import ANY, NestedPosition
from verifier.kernel.race import bound
from verifier.kernel.race.bound import Race, decide_bound, marks_left, open_races, parse_bound
from verifier.kernel.race.endgame import Endgames
from verifier.kernel.race.relaxation import (
    canonical,
    coarsen,
    field_table,
    format_race,
    image_of_race,
    least,
    needs_of,
    parse_race,
    race_of,
)
from verifier.kernel.relabel import SYMMETRIES
from verifier.kernel.verdict import Result, Verdict
from verifier.packing import pack
from verifier.search.bounded.moves import free_spots_of
from verifier.search.bounded.record import make_lookup, record

Data = dict[str, Any]

START = "XOO.OXO.O/.XXOOO.O./OOXO.O.OX/X.X....X./OX..X..XO/XXX...O.O/X...X...X/.XOOOO.X./X.X.OX.XO OO..XXXO. 4"
"""Xavier moves at ply 48, to one of four spots of field 4; by ply 58 he has five marks."""

OTHER = "........./........./........./........./....X..../........./........./........./......... ......... 4"
FRONTIER = 2


def state(start: str = START, first: list[str] | None = None, through: int = 58) -> Data:
    return {
        "kind": "bound",
        "rules": rules_data("paper"),
        "through": through,
        "cases": [{"start": start, "first": first}],
    }


def table_for(statement: Data, frontier: int = FRONTIER) -> Data:
    races = list(open_races(parse_bound(statement)))
    return record(frontier, (), races, make_lookup(replies_to(races, frontier)))


def replies_to(races: Iterable[Race], frontier: int) -> dict[str, Any]:
    replies: dict[str, Any] = {}
    for race in races:
        find_replies(*race, frontier, Endgames(), replies)
    return replies


def check(statement: Data, *tables: Data) -> Result:
    packed = {files.hash_bytes(data): data for data in map(pack, tables)}
    return decide_bound(statement, True, {"tables": list(packed)}, packed.__getitem__, Memo())


MEANINGLESS: list[Data] = [
    {"through": 48},
    {"cases": [{"start": START, "first": ["4-2"]}]},
    {"cases": [{"start": OTHER, "first": ["4.2"]}]},
]


def test_a_malformed_bound_is_refused() -> None:
    """Every part of a statement is checked before anything is followed. Other faults are in the corpus."""
    require_golden("refused-bounds.txt", refusals(lambda change: parse_bound(state() | change), MEANINGLESS))


def test_xavier_has_a_mark_left_for_each_odd_ply() -> None:
    """The number of his marks left is the number of odd plies up to the limit."""
    for position in [PAPER.start, *late_positions(40)]:
        for through in range(82):
            numbers = range(PAPER.ply(position) + 1, through + 1)
            assert marks_left(position, through) == sum(number % 2 for number in numbers)


@pytest.mark.parametrize("frontier", range(5))
def test_replies_down_to_a_frontier_prove_a_bound(frontier: int) -> None:
    """A lower frontier needs more replies. If it is all of his marks, no reply is needed. The stats count the work."""
    table = table_for(state(), frontier)
    result = check(state(), table)
    assert result.verdict is Verdict.PROVED
    assert bool(table["replies"]) == (frontier < 4)
    assert result.stats["replies"] == sum(map(len, table["replies"].values()))
    assert result.stats["leaves"] > 5 or frontier != FRONTIER


def test_every_changed_reply_is_checked() -> None:
    """Each reply is replaced by each other digit, and refused unless the race after it holds too."""
    table = table_for(state(), 3)
    refused: Counter[str] = Counter()
    for marks, text in table["replies"].items():
        for place, digit in itertools.product(range(len(text)), "012345678"):
            forged = {**table["replies"], marks: text[:place] + digit + text[place + 1 :]}
            try:
                check(state(), table | {"replies": forged})
            except CertificateError as error:
                refused[error.reason] += digit != text[place]
    assert set(refused) <= {"not-held", "illegal-reply", "no-reply", "unused-entry"}
    assert refused["not-held"] > 2
    assert refused.total() > 10


def given(marks: int) -> str:
    """Return a race with a number of marks that no play of the statement meets."""
    fields, active = race_of(PAPER.start)
    return format_race(*canonical(coarsen(fields, marks), active), marks)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"replies": {"04": "4"}}, "malformed"),
        ({"replies": {"2": "4"}}, "malformed"),
        ({"replies": {"4": "\u0664"}}, "malformed"),
        ({"replies": {"4": "4\n"}}, "malformed"),
        ({"given": [given(FRONTIER - 1)]}, "malformed"),
    ],
)
def test_a_forged_table_is_refused(change: Data, reason: str) -> None:
    """Each part of a table is checked, and refused for its own reason."""
    assert reason_of(check, state(), table_for(state()) | change) == reason


def test_replies_and_roots_that_are_not_needed_are_refused() -> None:
    """A table has only what the statement needs. The same root twice is refused too."""
    table = table_for(state())
    moves = [PAPER.format_move(move) for move in PAPER.legal_moves(PAPER.parse_position(START))]
    fewer = next(s for move in moves if len(open_races(parse_bound(s := state(first=[move])))) < len(table["roots"]))
    assert reason_of(check, fewer, table) == "unused-entry"
    assert reason_of(check, state(), table, table_for(state(), 3)) == "duplicate-entry"


def test_a_table_may_rest_on_earlier_tables() -> None:
    """An earlier table has to show each given race. A given race that no play meets is refused."""
    statement = state()
    races = list(open_races(parse_bound(statement)))
    replies = replies_to(races, 1)
    below = {canonical(*parse_race(name)[:2]) for name in replies if name.endswith(" 2")}
    upper = record(1, sorted((*race, 2) for race in below), races, make_lookup(replies))
    met = [parse_race(name) for name in upper["given"]]
    assert met
    piece = record(1, (), met, make_lookup(replies_to(met, 1)))
    assert check(statement, piece, upper).verdict is Verdict.PROVED
    assert reason_of(check, statement, upper) == "no-reply"
    assert reason_of(check, statement, upper, piece) == "no-reply"
    whole = table_for(statement, 1) | {"given": upper["given"]}
    assert reason_of(check, statement, whole) in {"no-reply", "unused-entry"}


def test_images_of_positions_are_images_of_races() -> None:
    """For each of the eight symmetries, the race of a position's image is the image of its race."""
    for position in late_positions(60):
        for number, permutation in enumerate(SYMMETRIES):
            image = image_of_race(number, *race_of(position))
            assert race_of(image_of(permutation, position)) == image
            assert canonical(*image) == canonical(*race_of(position))


def has_win(position: NestedPosition, through: int) -> bool:
    """Return whether Xavier can force a win of the game by a ply, by plain search with the rules alone."""
    return on_marks(position).is_forced(marks_left(position, through), PAPER.turn(position))


@pytest.mark.parametrize("count", [300, pytest.param(1000, marks=pytest.mark.slow)])
def test_tables_agree_with_plain_search(count: int) -> None:
    """In late positions, a table shows the bound, or Xavier wins the race (and often the game)."""
    seen: Counter[str] = Counter()
    reasons: set[str] = set()
    for position in late_positions(count):
        ply = PAPER.ply(position)
        through = ply + 3 + (ply + 1) % 2
        if not 50 <= ply <= 77 or position.active == ANY:
            continue
        statement = state(PAPER.format_position(position), through=through)
        try:
            races = list(open_races(parse_bound(statement)))
            if races:
                assert check(statement, table_for(statement, 1)).verdict is Verdict.PROVED
        except (CertificateError, ValueError) as error:
            reasons.add(getattr(error, "reason", "not-held"))
            seen["the game is won" if has_win(position, through) else "the race alone is won"] += 1
        else:
            assert not has_win(position, through)
            seen["a table" if races else "held at once"] += 1
    assert reasons == {"not-held"}
    assert seen["a table"] > count // 150
    assert seen["the game is won"] > count // 50


def test_the_budget_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table may cost only as many races as its followed replies allow. A long text of other replies does not help."""
    monkeypatch.setattr(bound, "PER_ROOT", 0)
    assert reason_of(check, state(), table_for(state(), 4) | {"replies": {"9": "0" * 1000}}) == "limit"
    monkeypatch.setattr(bound, "PER_REPLY", 0)
    assert reason_of(check, state(), table_for(state(), 3)) == "limit"


def test_races_without_replies_are_not_gathered() -> None:
    """A level with more races than the table has replies for is refused while it grows."""
    table = table_for(state())
    below = str(max(map(int, table["replies"])) - 1)
    assert len(table["replies"][below]) > 1
    shorter = {**table, "replies": {**table["replies"], below: table["replies"][below][:1]}}
    with pytest.raises(CertificateError, match=r"no-reply: more races with .* than there are replies for"):
        check(state(), shorter)


@pytest.mark.parametrize(("most", "times"), [(1, 1), (0, 2)])
def test_a_table_is_followed_once_in_a_run(most: int, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A result of the run is not computed again, unless there are too many results to keep."""
    table = pack(table_for(state()))
    reads: list[str] = []

    def read(asked: str) -> bytes:
        reads.append(asked)
        return table

    memo, name = Memo(), files.hash_bytes(table)
    monkeypatch.setattr(bound, "MAX_KEPT_TABLES", most)
    for _ in range(2):
        decide_bound(state(), True, {"tables": [name]}, read, memo)
    assert reads == [name] * times


def test_a_bound_with_no_race_left_needs_no_table() -> None:
    """If he obviously cannot win in time, nothing has to be shown. Otherwise a table is missing."""
    evidence: Data = {"tables": []}
    sure, open_ = state(through=52), state(through=53)
    assert decide_bound(sure, True, evidence, lambda *_: b"", Memo()).verdict is Verdict.PROVED
    assert reason_of(decide_bound, open_, True, evidence, lambda *_: b"", Memo()) == "no-reply"


def test_the_numbers_of_cases_and_tables_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The maximum numbers of cases, tables, letters and marks are allowed, and one more is not."""
    cases = state()["cases"]
    monkeypatch.setattr(bound, "MAX_CASES", 1)
    assert parse_bound(state()).positions
    with pytest.raises(SpecError, match="between 1 and 1 cases"):
        parse_bound({**state(), "cases": cases * 2})
    table = table_for(state())
    monkeypatch.setattr(bound, "MAX_TABLES", 1)
    assert check(state(), table).verdict is Verdict.PROVED
    assert reason_of(check, state(), table, table_for(state(), 3)) == "malformed"
    for limit, needed, reason in (
        ("MAX_REPLIES", sum(map(len, table["replies"].values())), "too-large"),
        ("MAX_FRONTIER", FRONTIER, "malformed"),
        ("MAX_RACES", len(table["roots"]), "malformed"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(bound, limit, needed)
            assert check(state(), table).verdict is Verdict.PROVED
            patch.setattr(bound, limit, needed - 1)
            assert reason_of(check, state(), table) == reason


def test_the_last_ply_of_a_bound() -> None:
    """A bound may go to the last ply of the game, and a win at its last ply refutes it."""
    assert parse_bound(state(through=81)).through == 81
    wins = 0
    for position in late_positions(200):
        if PAPER.turn(position) == "X" and not PAPER.is_over(position):
            now = [move for move in PAPER.legal_moves(position) if PAPER.winner(PAPER.play(position, move)) == "X"]
            if now:
                wins += 1
                at_once = state(PAPER.format_position(position), through=PAPER.ply(position) + 1)
                with pytest.raises(CertificateError, match="not-held: Xavier has won in"):
                    open_races(parse_bound(at_once))
    assert wins > 3


def test_no_reply_holds_a_race_that_is_lost() -> None:
    """If Xavier wins in time, the table is refused for any reply, whether or not he needs all of his marks."""
    seen: Counter[tuple[int, bool]] = Counter()
    for position in late_positions(450):
        fields, active = race_of(position)
        for marks in (1, 2, 3) if PAPER.turn(position) == "O" else ():
            root = canonical(coarsen(fields, marks), active)
            if is_held(*root, marks):
                continue
            seen[marks, least(needs_of(root[0])) == marks] += 1
            for f, s in free_spots_of(*root):
                replies = {marks: f"{f}{s}" if root[1] == ANY else f"{s}"}
                lemma = bound.Lemma(marks - 1, frozenset(), ((*root, marks),), replies)
                with pytest.raises(CertificateError, match="not-held: Xavier, to move" if marks == 1 else "not-held"):
                    bound.check_lemma(lemma)
    assert min(seen[1, True], seen[2, False], seen[3, False]) > 3


def test_a_full_board_needs_no_reply() -> None:
    """If no spot is free, nobody moves, and the table needs nothing."""
    full = next(number for number, free in enumerate(field_table().free) if not free)
    lemma = bound.Lemma(0, frozenset(), (((full,) * 9, ANY, 1),), {})
    assert bound.check_lemma(lemma).stats["replies"] == 0


def test_followed_replies_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller learns the number of all replies, except for the last few."""
    monkeypatch.setattr(bound, "A_TELLING", 2)
    told: list[int] = []
    shown = bound.check_lemma(bound.parse_lemma(table_for(state()), "a table"), told.append)
    assert sum(told) == shown.stats["replies"] // 2 * 2 > 0
