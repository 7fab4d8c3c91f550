"""From a statement and its evidence to a verdict: early refusals, and walks that are shared."""

from typing import Any

import pytest

from tests.kernel.asking import decide_plays_by, judge
from tests.kernel.test_corpus import CORPUS, read, unfold
from tests.statements import keep, play, plays, prevent
from verifier.kernel.certificate import files_of
from verifier.kernel.decide import Memo, decide
from verifier.kernel.errors import CertificateError


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (IndexError("tuple index out of range"), "defect"),
        (KeyError("x"), "defect"),
        (RecursionError(), "malformed"),
        (MemoryError(), "too-large"),
    ],
)
def test_an_internal_error_of_the_kernel_is_a_refusal(
    error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any error during a decision ends in one exception, which says why."""

    def fail(*_: Any) -> None:
        raise error

    decide_plays_by(monkeypatch, fail)
    with pytest.raises(CertificateError) as caught:
        decide({"kind": "play"}, "proved", {}, files_of(CORPUS))
    assert caught.value.reason == reason


def test_statements_about_the_same_plays_share_a_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """With another table, or other plays, there is another walk."""
    statement, evidence, files = unfold(read(CORPUS / "valid" / "tictactoe-reach.json"))
    memo, (table,) = Memo(), files.values()
    assert judge(statement, evidence, table, memo=memo) == "proved"
    assert len(memo.walks) == 1
    monkeypatch.setattr("verifier.kernel.play.walk", lambda *_: pytest.fail("it was walked again"))
    for goal, found in (("O_wins", "proved"), ("X_wins", "not-prevent")):
        assert judge({**statement, "objectives": [prevent([goal], 9)]}, evidence, table, memo=memo) == found


@pytest.mark.parametrize(("budget", "found"), [(6000, "limit"), (6500, "proved")])
def test_a_shared_walk_is_counted_in_full(budget: int, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement gets the same answer alone and after another one about the same plays: the work counts again."""
    large = ["or", *[["not", True]] * 300, True]
    fixed = {"X": plays([4], when=large)}
    first, second = (play("tictactoe", "." * 9, keep(holds), strategies=fixed, horizon=2) for holds in (True, large))
    monkeypatch.setattr("verifier.kernel.formula.MAX_WORK", budget)
    memo = Memo()
    asked = ((second, Memo()), (first, memo), (second, memo))
    assert [judge(statement, {}, memo=known) for statement, known in asked] == [found, "proved", found]


def test_another_verdict_is_refused_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused before the statement is read."""
    decide_plays_by(monkeypatch, lambda *_: pytest.fail("it was decided"))
    with pytest.raises(CertificateError, match="a verdict must be proved or refuted, not 'supported'"):
        decide({"kind": "play"}, "supported", {}, files_of(CORPUS))


def test_walks_that_are_kept_are_short_and_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk is kept if it has at most the maximum number of positions. Only the last few walks are kept."""
    statement, evidence, _ = unfold(read(CORPUS / "valid" / "tictactoe-no-such-play.json"))
    memo = Memo({"a": ([], 0), "b": ([], 0), "c": ([], 0)})
    assert judge(statement, evidence, verdict="refuted", memo=memo) == "refuted"
    (*others, kept) = memo.walks
    assert others == ["b", "c"]
    walk, _ = memo.walks[kept]
    for most, is_kept in ((len(walk), True), (len(walk) - 1, False)):
        monkeypatch.setattr("verifier.kernel.decide.MAX_KEPT_POSITIONS", most)
        memo = Memo()
        judge(statement, evidence, verdict="refuted", memo=memo)
        assert (len(memo.walks), bool(memo.last)) == (is_kept, is_kept)
