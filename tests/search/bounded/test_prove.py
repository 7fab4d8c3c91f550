"""The replies that the search finds hold, and each is needed. If it finds none, Xavier wins."""

import pytest

from tests.search.bounded.races import after, boards, settle
from verifier.kernel.race.relaxation import Fields, coarsen, format_race, is_held_at_once, least, least_from, needs_of
from verifier.search.bounded.moves import free_spots_of, play_mark
from verifier.search.bounded.prove import Search, prove
from verifier.search.walk import NodeLimitError

LINE = "4.4 4.1 1.4 4.2 2.4 4.3 3.4 4.5 5.4 4.6 6.4 4.7 7.4 4.8"
LATE = "4.4 4.1 1.4 4.2 2.4 4.3 3.4 4.5 5.4 4.6 6.4 4.7 7.4 4.8 8.4 4.0"


def check(replies: dict[str, str], fields: Fields, active: int, marks: int, frontier: int) -> None:
    """Follow each of Xavier's moves. Every reply must be met, and each race above the frontier must have one."""
    search = Search(16)
    met: set[str] = set()
    waiting = [(fields, active, marks)]
    while waiting:
        fields, active, marks = waiting.pop()
        needs = needs_of(fields)
        assert least(needs) > 0
        if is_held_at_once(fields, needs, active, marks):
            continue
        fields = coarsen(fields, marks)
        text = format_race(fields, active, marks)
        if marks <= frontier and text not in replies:
            assert settle(search, fields, active, marks)
            continue
        if text in met or not any(free_spots_of(fields, active)):
            continue
        met.add(text)
        f, s = map(int, replies[text].split("."))
        assert (f, s) in free_spots_of(fields, active)
        fields, active = play_mark(fields, f, s, is_xavier=False)
        if least_from(needs_of(fields), active) <= marks:
            for g, t in free_spots_of(fields, active):
                after_it, to = play_mark(fields, g, t, is_xavier=True)
                if least(needs_of(after_it)) <= marks - 1:
                    waiting.append((after_it, to, marks - 1))
    assert met == set(replies)


@pytest.fixture
def without_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.search.bounded.prove.MOST_REPLIES", -1)


@pytest.mark.usefixtures("without_pairs")
@pytest.mark.parametrize(
    ("moves", "marks"),
    [
        *(
            pytest.param(*words, marks=pytest.mark.slow)
            for words in ((f"{LINE} 8.0", 12), (f"{LINE} 8.5", 12), (f"{LINE} 8.0", 13), (f"{LATE} 0.4", 12))
        ),
        (f"{LATE} 0.0", 11),
    ],
)
def test_openings_are_proved(moves: str, marks: int) -> None:
    """The table of replies after an opening holds, and every play that it has an entry for exists."""
    fields, active = after(moves)
    proof = prove(fields, active, marks, frontier=8, memory=64)
    assert proof
    check(proof, fields, active, marks, 8)


@pytest.mark.slow
@pytest.mark.usefixtures("without_pairs")
def test_small_tables_lose_nothing() -> None:
    """If a table is too small, entries that were overwritten are found again."""
    fields, active = after(f"{LINE} 8.0")
    proof = prove(fields, active, 11, frontier=4, memory=0)
    assert proof is not None
    assert len(proof) > 100
    check(proof, fields, active, 11, 4)


def test_a_pair_is_the_whole_proof() -> None:
    """If two fields hold Xavier, each reply is the spot of one of them, down to few marks, and it holds."""
    fields, active = after(f"{LINE} 8.0")
    proof = prove(fields, active, 12, frontier=8, memory=64)
    assert proof is not None
    assert len(proof) > 10
    assert {reply[2] for reply in proof.values()} == {"0", "8"}
    assert {int(race.split(" ")[2]) for race in proof} > {5, 12}
    check(proof, fields, active, 12, 8)


@pytest.mark.parametrize("limit", ["CONFINED_NODES_EACH", "PLANNED_NODES"])
def test_without_a_pair_proof_numbers_find_replies(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """If there are too few nodes for a pair, the replies are those of the search without pairs."""
    fields, active = after(f"{LATE} 0.0")
    monkeypatch.setattr(f"verifier.search.bounded.prove.{limit}", -1)
    found = prove(fields, active, 10, frontier=8, memory=16)
    monkeypatch.setattr("verifier.search.bounded.prove.MOST_REPLIES", -1)
    assert found
    assert prove(fields, active, 10, frontier=8, memory=16) == found


@pytest.mark.parametrize("count", [80, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("replies", [-1, 2])
def test_random_races_are_proved_or_refused(monkeypatch: pytest.MonkeyPatch, replies: int, count: int) -> None:
    """There is a proof exactly if the plain search says that Olivia holds, and the proof holds, with plans or not."""
    monkeypatch.setattr("verifier.search.bounded.prove.MOST_REPLIES", replies)
    answers = []
    for board, player in boards(count):
        if player == "O":
            for marks in (3, 5, 7):
                asked = board.fields, board.active, marks
                proof = prove(*asked, frontier=2, memory=1)
                assert (proof is not None) == settle(Search(1), *asked)
                answers.append(proof is not None)
                if proof is not None:
                    check(proof, *asked, 2)
    assert min(answers.count(True), answers.count(False)) >= count // 20


@pytest.mark.usefixtures("without_pairs")
def test_a_limit_leaves_the_question_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many nodes are an error, not a refutation."""
    monkeypatch.setattr("verifier.search.bounded.prove.PLAIN_LIMIT", 10_000)
    fields, active = after(f"{LATE} 0.0")
    with pytest.raises(NodeLimitError, match="more than 10,000 races were met; a larger --memory may help"):
        prove(fields, active, 12, frontier=8, memory=16)
